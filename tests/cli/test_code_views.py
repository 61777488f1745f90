"""Answers about code on a terminal, for the sample projects."""

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from rich.console import Console

from bearings.cli.terminal import rendered
from bearings.cli.wiring import WIRING
from tests.cli.conftest import environment
from tests.code.trees import repository

FERRY = str(Path(__file__).parents[2] / "examples" / "ferry")


def seen(name: str, arguments: dict[str, Any], width: int = 100, project: str = FERRY) -> str:
    """One tool's answer to a command, as a terminal shows it."""

    async def ask() -> str:
        wing = WIRING.code(None)
        tool = next(tool for tool in wing.tools if tool.name == name)
        try:
            detail = {"detail": "full"} if "detail" in tool.arguments.model_fields else {}
            reply, _ = await tool.run({"project_path": project, **detail, **arguments})
        finally:
            await wing.aclose()
        return rendered(name, reply, Console(file=io.StringIO(), width=width, color_system=None))

    return anyio.run(ask)


@pytest.mark.slow
def test_several_elements_have_a_view_each_and_an_error_its_line():
    text = seen("coderef_query", {"query_type": "calls-me", "target": ["parseTime", "nobody", "bookSeat"]})
    first, second, third = text.split("\n\n")
    assert "Timetable.next" in first
    assert second.startswith("nobody: element_not_found: ")
    assert "bookSeat" in third


@pytest.mark.slow
def test_elements_stand_below_their_file():
    lines = seen("coderef_scan", {"types": ["class"]}).splitlines()
    assert lines[lines.index("src/timetable.ts") + 1 :][:2] == [":8-16 class Line", ":19-38 class Timetable"]


@pytest.mark.slow
def test_a_page_that_is_not_the_last_shows_how_to_go_on():
    text = seen("coderef_scan", {"limit": 2})
    assert re.search(r"\n… 42 more: --cursor \S+\Z", text)
    assert "omitted" not in text


@pytest.mark.slow
def test_a_view_lists_omitted_and_broken_items(tmp_path: Path):
    (tmp_path / "broken.py").write_text("def f(:\n    pass\n")
    (tmp_path / "binary.py").write_bytes(b"\0" * 100)
    text = seen("coderef_scan", {}, project=str(tmp_path))
    assert "parse_error_files:\nbroken.py" in text
    assert "skipped:\nbinary.py: " in text


@pytest.mark.slow
def test_callers_stand_below_their_file_nearest_first():
    text = seen("coderef_query", {"query_type": "calls-me", "target": "parseTime", "max_depth": 3})
    assert text.index("parseTime") < text.index("Timetable.next") < text.index("depth 2") < text.index("bookSeat")
    assert "\ntest/booking.test.ts\n:5 " in text


@pytest.mark.slow
def test_a_path_leads_from_its_source():
    text = seen("coderef_query", {"query_type": "path", "source": "bookSeat", "target": "parseTime"})
    assert text.index("bookSeat") < text.index("Timetable.next") < text.index(" parseTime(")


@pytest.mark.slow
def test_an_empty_answer_says_why():
    text = seen("coderef_query", {"query_type": "calls-me", "target": "formatTime", "max_depth": 1})
    assert "bookSeat" in text
    nobody = seen("coderef_query", {"query_type": "calls-me", "target": "label"})
    assert "label:13: 0 results" in nobody


@pytest.mark.slow
@pytest.mark.parametrize("width", [50, 120])
def test_a_symbol_is_shown_whole(width: int):
    text = seen("coderef_symbol", {"element": "bookSeat"}, width)
    assert "Takes a seat" in text
    assert "departure.seats" in text
    assert "callers" in text
    assert "tests" in text
    assert "  15   const departure" in text
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.slow
def test_a_long_symbol_is_cut_and_its_many_callers_are_counted(tmp_path: Path):
    body = "\n".join(f"    step_{n} = {n}" for n in range(2000))
    callers = "\n\n".join(f"def caller_{n}():\n    return target()" for n in range(40))
    (tmp_path / "long.py").write_text(f"def target():\n{body}\n    return unknown.target()\n\n\n{callers}\n")
    text = seen("coderef_symbol", {"element": "target"}, project=str(tmp_path))
    assert re.search(r"source_cut: \d+", text)
    assert "callers: total 40" in text
    assert "unresolved_callers: 1" in text


@pytest.fixture(scope="module")
def tangle(tmp_path_factory) -> str:
    """A project with long names, a user that can't be resolved, and a change since its commit."""
    deep = "a_folder_with_a_long_name/another_folder_with_a_long_name"
    files = {
        "package.json": '{"name": "tangle", "description": "Threads.", "dependencies": {"h3": "2", "left-pad": "1"}}',
        f"{deep}/threads.py": "def pull(thread):\n    if thread:\n        return pull(thread[1:])\n"
        "    return thread\n\n\n"
        "class Knot:\n    def untie_without_breaking_anything(self):\n        return pull('ab')\n",
        "cli.py": f"from {deep.replace('/', '.')}.threads import Knot, pull\n\n\n"
        "def main(anything):\n    anything.pull()\n"
        "    Knot().untie_without_breaking_anything()\n    return pull('a')\n",
        "tests/test_threads.py": "from cli import main\n\n\ndef test_main():\n    assert main(1) == 'a'\n",
        "notes.md": "pull is the word.\n",
    }  # fmt: skip
    root = repository(tmp_path_factory.mktemp("views") / "tangle", files)
    (root / "cli.py").write_text(files["cli.py"] + "\n\ndef later():\n    return pull('b')\n")
    (root / "notes.md").write_text("pull is not the word.\n")
    return str(root)


VIEWS = [
    ("coderef_impact", {"element": "pull", "operation": "refactor"}, ["risk", "direct users", "at depth 1", "files: "]),
    ("coderef_impact", {"element": "test_main"}, ["risk MEDIUM", "no other line of the project holds test_main"]),
    ("coderef_complexity", {"element": "pull"}, ["cognitive", "cyclomatic", "place 1 of", "recursive"]),
    ("coderef_complexity", {"element": "cli.py"}, ["functions: 2", "uses: 3", "tests that reach it: 1"]),
    ("coderef_changes", {}, ["since HEAD", "added", "later", "changed, and no test reaches it: 1", "notes.md"]),
    ("coderef_context", {}, ["tangle", "left-pad", "# Architecture", "# Entry points", "# Key elements", "h3"]),
    ("coderef_context", {"output_format": "markdown"}, ["# Project", "# Key elements"]),
    ("coderef_query", {"element": "test_main", "query_type": "callers"}, ["0 results", "holds test_main"]),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments", "words"), VIEWS)
def test_a_view_has_the_main_facts_and_breaks_no_name(
    tangle: str, name: str, arguments: dict[str, Any], words: list[str]
):
    for width in (40, 100):
        text = seen(name, arguments, width, tangle)
        assert all(word in " ".join(text.split()) for word in words), text
        assert text.count("another_folder_with_a_long_name") == text.count(
            "a_folder_with_a_long_name/another_folder_with_a_"
        )


@pytest.mark.slow
def test_a_command_shows_its_reply_in_colours_on_a_terminal_also_where_it_may_print_a_document(tmp_path: Path):
    root = repository(tmp_path / "shop", {"shop.py": "def pay():\n    return 1\n"})
    (root / "shop.py").write_text("def pay():\n    return 2\n")
    ours, theirs = pty.openpty()
    line = [sys.executable, "-m", "bearings", "code", "changes", "--project", str(root)]
    surroundings = environment(XDG_CACHE_HOME=str(tmp_path / "cache"), TERM="xterm", NO_COLOR="")
    subprocess.run(line, env=surroundings, stdin=subprocess.DEVNULL, stdout=theirs, timeout=60, check=True)
    os.close(theirs)
    text = os.read(ours, 4096).decode()
    os.close(ours)
    assert text.startswith("\x1b[1msince HEAD")
    assert "\x1b[33m  modified" in text
