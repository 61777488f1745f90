"""Follows docs/adding-a-language.md step by step in a copy of the sources."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-language.md").read_text("utf-8")
_STEP = re.compile(r"^`(src/[^`\n]+)`\n\n((?:```\w+\n.*?^```\n\n?)+)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

SOURCES = {
    "lib/cart.lua": """local tools = require("lib.tools")
local Cart = {}

--- Adds an item.
--
-- More of it.
function Cart:add(item) local seen = item; return tools.twice(seen) end
function Cart.new() return Cart end
local function hidden() end
return Cart
""",
    "lib/tools.lua": "function twice(x) return x * 2 end\n",
    "main.lua": 'local Cart = require "lib.cart"\nCart.new():add(1)\n',
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the sources and add the language of the page."""
    root = tmp_path_factory.mktemp("recipe")
    shutil.copytree(
        ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__", "*.sqlite", "static", "*.so")
    )
    lua = root / "src/bearings/code/languages/lua"
    lua.mkdir()
    (lua / "__init__.py").write_text('"""Lua, a declared language."""\n', "utf-8")
    for path, blocks in _STEP.findall(PAGE):
        for kind, text in _BLOCK.findall(blocks):
            follow(root / path, kind, text)
    return root


def follow(path: Path, kind: str, text: str) -> None:
    """Write a file, or insert the lines that a diff adds after the line that it shows."""
    if kind != "diff":
        path.write_text(text, "utf-8")
        return
    lines = text.splitlines(keepends=True)
    before = "".join(line[1:] for line in lines if line[0] == " ")
    source = path.read_text("utf-8")
    assert source.count(before) == 1
    path.write_text(source.replace(before, "".join(line[1:] for line in lines)), "utf-8")


def output_of(copy: Path, project: Path, *command: str) -> str:
    for path, text in SOURCES.items():
        (project / path).parent.mkdir(exist_ok=True)
        (project / path).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "bearings", "code", *command, "--project", str(project)],
        env={**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
             "XDG_CACHE_HOME": str(project.parent / "cache"), "COVERAGE_PROCESS_START": ""},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_has_all_steps() -> None:
    assert [path.rpartition("/")[2] for path, _ in _STEP.findall(PAGE)] == [
        "symbols.scm", "spec.py", "models.py", "__init__.py",
    ]  # fmt: skip


@pytest.mark.slow
def test_its_elements_are_scanned(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    text = output_of(copy, tmp_path / "project", "scan")
    assert "method Cart.add lib/cart.lua:7-7 exported" in text
    assert "method Cart.new lib/cart.lua:8-8 exported" in text
    assert "function hidden lib/cart.lua:9-9\n" in text
    assert "seen" not in text


@pytest.mark.slow
def test_the_callers_of_an_element_are_found(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    text = output_of(copy, tmp_path / "project", "symbol", "Cart.add")
    assert "Adds an item." in text
    assert "main.lua (call, line 2, heuristic)" in text
    assert "lib/tools.lua#twice:1 (call, line 7, heuristic)" in text
