"""Installing and uninstalling restores the same bytes, for any content of a file."""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bearings.cli.clients.catalog import Format
from bearings.cli.clients.changes import Change, apply_all, install_change, uninstall_change
from bearings.cli.clients.documents import Document, Paragraph, Servers, Skill, difference
from bearings.cli.clients.receipts import Receipts
from bearings.errors import WriteFailed

ENTRIES = {name: {"command": f"/bin/{name}", "args": ["stdio"]} for name in ("bearings-places", "bearings-code")}
JSONC = Servers(Format.JSONC, "servers", ENTRIES)
TOML = Servers(Format.TOML, "servers", ENTRIES)

words = st.text("ab{}[],:\"'#/*\\ \u00e9\u2028", max_size=6)
entries = st.dictionaries(words, st.dictionaries(words, words, max_size=2), max_size=3)


def brought_back(document: Document, text: str) -> str:
    """`text` after an install and an uninstall."""
    with tempfile.TemporaryDirectory() as folder:
        file, receipts = Path(folder) / "file", Receipts(Path(folder) / "receipts")
        file.write_bytes(text.encode())
        there = install_change("client", file, document, receipts)
        apply_all([there], receipts, private=False)
        assert document.is_current(file.read_bytes().decode())
        apply_all([uninstall_change("client", file, document, receipts)], receipts, private=False)
        return file.read_bytes().decode()


@pytest.mark.slow
@given(entries, st.booleans(), st.sampled_from([None, 0, 2, 4, "\t"]), st.sampled_from(["\n", "\r\n"]), words)
def test_json_is_the_same_again(
    servers: dict[str, Any], last: bool, indent: int | str | None, newline: str, remark: str
):
    root = {"a": "// no comment", "servers": servers} if last else {"servers": servers, "a": []}
    text = json.dumps(root, indent=indent, ensure_ascii=False).replace("\n", newline)
    if indent and newline == "\n" and "*/" not in remark:
        text = f"// {remark}\n/*{remark}*/" + text.replace(",\n", f", // {remark}\n")
    assert brought_back(JSONC, text) == text


@pytest.mark.slow
@given(
    st.lists(st.sampled_from(["a = 1", "# [servers", "[b.c]", "'servers' = {}"]), unique=True),
    st.sampled_from(["", "\n"]),
)
def test_toml_is_the_same_again(lines: list[str], end: str):
    lines = sorted(lines, key=lambda line: line.startswith("["))
    lines = [line for line in lines if "{" not in line]
    text = "\n".join(lines) + end
    assert brought_back(TOML, text) == text


@pytest.mark.slow
@given(st.text("a#\n\r<!-> ", max_size=30))
def test_a_page_is_the_same_again(text: str):
    assert brought_back(Paragraph("Ask bearings.\n"), text) == text


def test_an_empty_file_is_empty_again():
    assert brought_back(Skill("Ask bearings.\n"), "") == ""


@pytest.mark.parametrize(
    ("later", "before"),
    [
        pytest.param("taken/deeper/file", None, id="a directory that can't be made"),
        pytest.param("other/deeper/file", "text that is gone", id="a file that was changed meanwhile"),
    ],
)
def test_a_failed_change_leaves_no_directories(later: str, before: str | None, tmp_path: Path):
    folder = tmp_path / "settings"
    folder.mkdir()
    (folder / "taken").write_text("a file where a directory is needed")
    receipts = Receipts(folder / "data" / "receipts")
    changes = [
        install_change("client", folder / "new" / "deeper" / "file", JSONC, receipts),
        Change(folder / later, before, "new text", None),
    ]
    with pytest.raises(WriteFailed):
        apply_all(changes, receipts, private=False)
    assert [path.name for path in folder.rglob("*")] == ["taken"]


@given(words, words, words, words)
def test_a_difference_turns_one_text_into_the_other(start: str, end: str, old: str, new: str):
    before, after = start + old + end, start + new + end
    gone, come = difference(before, after)
    at = len(before) - len(gone)
    assert any(before[:cut] + come + before[cut + len(gone) :] == after for cut in range(at + 1))
