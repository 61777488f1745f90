"""Names with hidden characters: refused as paths, shown escaped as elements, and never another thing's name."""

import os
from pathlib import Path

import pytest

from bearings.cli.wiring import WIRING
from bearings.code.project.names import printable
from bearings.progress import NoProgress
from bearings.serving.call import call_tool
from bearings.untrusted import is_clean
from tests.adversary.conftest import Tally
from tests.adversary.text.corpus import CORPUS, hides
from tests.code.trees import write

pytestmark = pytest.mark.anyio


def test_a_path_that_hides_something_is_no_good_and_is_shown_escaped(tally: Tally):
    survived = 0
    for text in CORPUS:
        path = f"src/a{text}b.py"
        survived += not is_clean(path) and not hides(printable(path)) and printable(path) != "src/ab.py"
    shown = {printable(f"src/a{text}b.py") for text in CORPUS}
    assert len(shown) == len(set(CORPUS)), "two paths look the same"
    tally("hidden text, paths", len(CORPUS), survived)


def test_the_paths_of_people_are_good():
    for path in ("src/straße.py", "документы/план.ts", "خانه‌ها/a.py", "写真/東京.ts", "emoji/👩‍💻.ts", "a b/c.py"):
        assert is_clean(path)
        assert printable(path) == path


@pytest.mark.slow
async def test_a_file_that_hides_something_never_answers_for_another(tmp_path: Path, tally: Tally):
    root = write(tmp_path / "project", {"src/ab.py": "def mine(): pass\n"})
    made = 0
    for text in CORPUS:
        name = os.fsencode(root) + os.fsencode(f"/src/a{text.replace('/', '_')}b.py")
        try:
            with open(name, "wb") as file:  # noqa: ASYNC230, PTH123 - at once; a name in bytes
                file.write(b"def theirs(): pass\n")
        except OSError:  # too long
            continue
        made += 1
    wing = WIRING.code((root,))
    tools = {tool.name: tool for tool in wing.tools}
    scan = await call_tool(tools["coderef_scan"], {"project_path": str(root), "detail": "full"}, NoProgress())
    await wing.aclose()
    body = scan.structured_content
    assert body is not None
    assert [element["ref"] for element in body["elements"]] == ["@Fn/src/ab.py#mine:1"]
    reasons = body["skipped_by_reason"]
    tally("hidden text, files of a tree", made, sum(count for why, count in reasons.items() if "hidden" in why))


@pytest.mark.slow
async def test_an_element_that_hides_something_is_another_than_the_one_it_looks_like(tmp_path: Path):
    source = "function admin() { return 1 }\nfunction ad\u200dmin() { return 2 }\nfunction \u3164() { return 3 }\n"
    root = write(tmp_path / "project", {"a.ts": source})
    wing = WIRING.code((root,))
    tools = {tool.name: tool for tool in wing.tools}
    scan = await call_tool(tools["coderef_scan"], {"project_path": str(root), "detail": "full"}, NoProgress())
    assert scan.structured_content is not None
    names = [element["name"] for element in scan.structured_content["elements"]]
    assert names == ["admin", r"ad\u200dmin", r"\u3164"]
    for number, name in enumerate(names, 1):
        for element in (name, f"a.ts#{name}:{number}"):
            asked = {"project_path": str(root), "element": element}
            found = await call_tool(tools["coderef_symbol"], asked, NoProgress())
            assert found.structured_content is not None
            assert f"return {number}" in found.structured_content.get("source", ""), element
    await wing.aclose()
