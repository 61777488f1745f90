"""Runs the tests of Node packages under V8's coverage, and looks for functions that ran and are called unused.

    python -m benchmarks.oracle.node FOLDER [--list]  # writes benchmarks/results/oracle_node.md; --list: lists them

FOLDER holds checkouts of the packages, each after `npm install --ignore-scripts`.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate, chain
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.questions.unused.compute import KINDS, unused
from bearings.code.search.elsewhere import elsewhere
from benchmarks.measure import progress, revision, table

_ABOUT = """Each package's own tests run under `NODE_V8_COVERAGE`, which gives the functions that ran, by name and line.
*Ran*: elements outside tests that ran. *Listed*: of these, those that `unused --exports` lists. *Nothing*: those that a
reply about them calls used by nothing. *Never*: elements that `unused --exports` lists in files of the run, all of them
functions that did not run, or no functions.
"""
_PACKAGES = {
    "express": "node_modules/.bin/mocha --require test/support/env --reporter dot test/ test/acceptance/",
    "ws": "node_modules/.bin/mocha --reporter dot test/*.test.js",
    "koa": "node --test --test-reporter=dot",
    "qs": "node_modules/.bin/tape test/**/*.js",
    "chalk": "node_modules/.bin/ava",
    "body-parser": "node_modules/.bin/mocha --reporter dot test/",
    "mocha": "node bin/mocha.js --reporter dot test/unit/*.spec.*",
    "send": "node_modules/.bin/mocha --reporter dot test/",
}
_ACCESSOR = re.compile(r"^(?:(?:get|set|static|async) )+")
_NEAR = 3
"""The most lines between an element's first line and its function's."""
_MOST_BYTES = 1_000_000
_SECONDS = 600


class Ran(NamedTuple):
    """A function that ran, by its own name and its first line."""

    file: str
    name: str
    line: int


def main(folder: Path, *, lists: bool) -> str:
    """The table of all packages."""
    rows, totals = [], [0, 0, 0, 0]
    for name, command in _PACKAGES.items():
        root = folder / name
        progress(f"{name} …")
        with tempfile.TemporaryDirectory() as coverage:
            said = _run(root, command, coverage)
            ran = set(_ran(root, Path(coverage)))
        counts = _scored(root, ran, lists=lists)
        totals = [one + other for one, other in zip(totals, counts, strict=True)]
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=root, capture_output=True, text=True)
        rows.append([name, commit.stdout.strip(), said, *map(str, counts)])
    rows.append(["**all**", "", "", *map(str, totals)])
    columns = ["Package", "Commit", "Its tests", "Ran", "Listed", "Nothing", "Never"]
    return (
        "# What runs under Node, and what is called unused\n\n"
        f"Made by `python -m benchmarks.oracle.node` at {revision()}. {' '.join(_ABOUT.split())}\n\n"
        + table(columns, rows)
    )


def _run(root: Path, command: str, coverage: str) -> str:
    """Runs the tests of a package; how they ended."""
    words = [[word] if "*" not in word else sorted(map(str, root.glob(word))) for word in shlex.split(command)]
    environment = {**os.environ, "NODE_V8_COVERAGE": coverage, "NODE_ENV": "test"}
    done = subprocess.run(
        [*chain(*words)], cwd=root, env=environment, capture_output=True, timeout=_SECONDS, check=False
    )
    return "pass" if done.returncode == 0 else f"end with {done.returncode}"


def _ran(root: Path, coverage: Path) -> Iterator[Ran]:
    """The named functions of a project that ran, of all processes."""
    starts: dict[str, list[int]] = {}
    for path in coverage.glob("*.json"):
        for script in json.loads(path.read_text(encoding="utf-8"))["result"]:
            file = Path(unquote(urlsplit(script["url"]).path))
            if not script["url"].startswith("file:") or not file.is_relative_to(root) or "node_modules" in file.parts:
                continue
            relative = str(file.relative_to(root))
            if relative not in starts and file.is_file():  # V8 counts UTF-16 units
                lines = file.read_bytes().decode("utf-8", "replace").split("\n")
                sizes = (len(line.encode("utf-16-le")) // 2 + 1 for line in lines)
                starts[relative] = list(accumulate(sizes, initial=0))
            for function in script["functions"] if relative in starts else ():
                whole = function["ranges"][0]
                name = _ACCESSOR.sub("", function["functionName"]).rpartition(".")[2]
                if whole["count"] and name:
                    yield Ran(relative, name, bisect_right(starts[relative], whole["startOffset"]))


def _scored(root: Path, ran: set[Ran], *, lists: bool) -> list[int]:
    """Elements that ran, those of them that are listed, those with no use at all, and listed ones that did not run."""
    snapshot = Index(root, NoFacts(), _MOST_BYTES).refresh()
    executed = _elements(snapshot, ran)
    listed = unused(snapshot, KINDS, lambda _: True, exports=True).symbols
    wrong = [one for one in listed if one.id in executed]
    idle = [one for one in executed.values() if not snapshot.graph.edges_to(one.id) and elsewhere(snapshot, one).unused]
    files = {one.file for one in ran}
    never = [one for one in listed if one.file in files and one.id not in executed]
    for why, found in (("listed", wrong), ("nothing", idle), ("never", never)) if lists else ():
        print(*(f"{root.name} {why}: {one.id}" for one in found), sep="\n")
    return [len(executed), len(wrong), len(idle), len(never)]


def _elements(snapshot: Snapshot, ran: set[Ran]) -> dict[str, Symbol]:
    """The elements outside tests whose function ran, by id."""
    named = defaultdict[tuple[str, str], list[Symbol]](list)
    for symbol in snapshot.graph.symbols.values():
        if symbol.kind is not SymbolKind.MODULE and not is_test(symbol.file):
            named[symbol.file, symbol.name].append(symbol)
    found = {}
    for one in ran:
        near = [symbol for symbol in named[one.file, one.name] if 0 <= one.line - symbol.line <= _NEAR]
        if near:
            symbol = max(near, key=lambda symbol: symbol.line)
            found[symbol.id] = symbol
    return found


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--list"]):
        sys.exit(__doc__)
    text = main(Path(sys.argv[1]).resolve(), lists=len(sys.argv) > 2)
    print(text)
    (Path(__file__).parents[1] / "results" / "oracle_node.md").write_text(text, encoding="utf-8")
