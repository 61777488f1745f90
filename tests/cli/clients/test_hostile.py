"""Files that can't be edited are refused with the reason, and stay as they are."""

import os
from pathlib import Path

import pytest

from bearings.cli.clients import files
from bearings.cli.clients.catalog import Machine
from bearings.errors import WriteFailed
from tests.cli.clients.conftest import client
from tests.cli.conftest import Invoke


def file_of(name: str) -> Path:
    path = Machine.here().path(client(name).user)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


OURS = b'[mcp_servers.bearings-code]\ncommand = "bearings-code"\n'
ENTRY = b'{"type": "stdio", "command": "bearings-code"}'

HOSTILE = [
    ("cursor", b'{\n"mcpServers": {\n', "line 3"),
    ("claude-code", b'{\n// mine\n"mcpServers": {}}', "no JSON: line 2"),
    ("cursor", b"[]", "no object"),
    ("cursor", b'{"mcpServers": []}', "no table of servers"),
    ("cursor", b'{"mcpServers": null}', "no table of servers"),
    ("cursor", b'{"mcpServers": {"bearings-code": 7}}', "starts something else"),
    ("vscode", b'{\n"a": "\xff"}', "line 2: not UTF-8"),
    ("vscode", "{}".encode("utf-16"), "not UTF-8"),
    ("cursor", b'{"a": ' * 100_000, "nested too deep"),
    ("cursor", b'{"a": NaN}', "NaN"),
    ("cursor", b'{"mcpServers": {}} trailing', "line 1: Extra data"),
    ("codex", b"a = 1\nb = = 2\n", "line 2"),
    ("codex", b'mcp_servers = {a = {command = "x"}}\n', "can't be changed safely"),
    ("codex", b'mcp_servers = "none"\n', "no table of servers"),
    ("codex", b"a." * 40_000 + b"b = 1", "a key of more than 20 parts"),
    ("codex", b"[" + b'"a.b" . ' * 20_000 + b"b]", "a key of more than 20 parts"),
    ("codex", b"a = {" + b"b." * 60_000 + b"c = 1}", "a key of more than 20 parts"),
    ("codex", b"a = " + b"[" * 12_000, "nested too deep"),
    ("codex", b"a = 0x" + b"f" * 60_000, "256 bits"),
    ("codex", OURS + b"args = [" + b'"a",' * 40_000 + b"]\n", "a very long entry of ours"),
    ("codex", b'a = """\n' + OURS + b'"""\n' + OURS, "can't be changed safely"),
    ("vscode", b'{"a":' + b"[" * 300 + b"]" * 300 + b"}", "nested too deep"),
    (
        "vscode",
        b'{"servers": {' + b",".join([b'"bearings-code": ' + ENTRY] * 900) + b"}}",
        "the same program 900 times",
    ),
    ("vscode", b'{"servers": {"bearings-code": {"x": [' + b"1," * 40_000 + b"1]}}}", "a very long entry of ours"),
]


@pytest.mark.parametrize(("name", "content", "said"), HOSTILE)
def test_a_file_that_can_t_be_edited_is_refused(name: str, content: bytes, said: str, invoke: Invoke):
    file = file_of(name)
    file.write_bytes(content)
    result = invoke("install", name, "--yes")
    assert result.exit_code == 1, result.output
    assert said in result.output
    assert file.name in result.output
    assert file.read_bytes() == content
    assert [path.name for path in file.parent.iterdir() if path.name.startswith(f".{file.name}.")] == []


def test_a_second_table_of_the_same_name_counts_and_the_first_is_left(invoke: Invoke):
    file = file_of("cursor")
    file.write_text('{"mcpServers": {"a": {}}, "mcpServers": {"b": {}}}')
    assert invoke("install", "cursor", "--yes").exit_code == 0
    assert '{"mcpServers": {"a": {}}, "mcpServers": {"b": {}, "bearings-places"' in file.read_text()


def test_a_file_that_is_too_large_is_not_read(invoke: Invoke):
    file = file_of("cursor")
    with file.open("wb") as large:
        large.truncate(files.LIMIT + 1)
    result = invoke("install", "cursor", "--yes")
    assert result.exit_code == 1
    assert "at most 67,108,864" in result.output


@pytest.mark.skipif(os.name == "nt", reason="no such files")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_special_file_is_not_opened(make, invoke: Invoke):
    make(file_of("cursor"))
    result = invoke("install", "cursor", "--yes")
    assert result.exit_code == 1
    assert "no regular file" in result.output


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_link_to_itself_is_an_error_with_the_file_s_name(invoke: Invoke):
    file_of("cursor").symlink_to("mcp.json")
    result = invoke("install", "cursor", "--yes")
    assert result.exit_code == 1
    assert "mcp.json" in result.output


def test_a_file_that_changed_while_the_user_was_asked_is_not_overwritten(tmp_path: Path):
    file = tmp_path / "mcp.json"
    file.write_text("new")
    for after in ("ours", None):
        with pytest.raises(WriteFailed, match="changed meanwhile"):
            files.write_all([files.Edit(file, "old", after, private=True)])
    assert file.read_text() == "new"


def test_a_directory_that_is_a_file_is_an_error_and_leaves_no_draft(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(WriteFailed, match="file"):
        files.make_folders_for(tmp_path / "file" / "mcp.json")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["file"]


def test_text_that_can_t_be_encoded_is_an_error_and_leaves_no_draft(tmp_path: Path):
    with pytest.raises(WriteFailed, match="UTF-8"):
        files.write_all([files.Edit(tmp_path / "mcp.json", None, '"\ud800"', private=False)])
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []


def test_a_marked_paragraph_without_its_end_is_not_cut(invoke: Invoke, tmp_path: Path):
    page = tmp_path / "AGENTS.md"
    page.write_text("<!-- bearings -->\nmine\n")
    words = ("cursor", "--yes", "--project", str(tmp_path))
    assert invoke("install", *words, "--with-agents-md").exit_code == 0
    assert invoke("uninstall", *words).exit_code == 0
    assert page.read_text() == "<!-- bearings -->\nmine\n"


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_large_file_of_a_project_is_not_read(command: str, invoke: Invoke, tmp_path: Path):
    file = tmp_path / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_bytes(b"#" * (files.PROJECT_LIMIT + 1))
    result = invoke(command, "codex", "--yes", "--project", str(tmp_path))
    assert result.exit_code == 1
    assert "131,073 bytes, more than 131,072" in result.output
    assert file.stat().st_size == files.PROJECT_LIMIT + 1
