"""Scanning Python's own library: our engine beside reading and parsing alone with the same grammar, in one process.

Freshness and edits are measured on a copy. More, and with peers that do the same job: issue by issue, in this folder.
"""

import shutil
import sysconfig
import tempfile
import time
from pathlib import Path

import tree_sitter
import tree_sitter_python

from bearings.code.facts import NoFacts
from bearings.code.refresh import Index
from benchmarks.measure import header, in_turns, progress, table


def main() -> str:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "lib"
        ignored = shutil.ignore_patterns("site-packages", "__pycache__", "test", "*.so")
        shutil.copytree(sysconfig.get_path("stdlib"), root, ignore=ignored)
        return _measured(root)


def _measured(root: Path) -> str:
    files = sorted(root.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    progress(f"{len(files)} files, {lines} lines …")
    taken = in_turns(
        {
            "alone": lambda: [parser.parse(path.read_bytes()) for path in files],
            "ours": lambda: Index(root, NoFacts(), 2_000_000).refresh(),
        }
    )
    index = Index(root, NoFacts(), 2_000_000)
    snapshot = index.refresh()
    nothing = in_turns({"check": index.refresh})["check"]

    def edit() -> None:
        with files[len(files) // 2].open("a") as file:
            file.write(f"\nEDITED_{time.time_ns()} = 1\n")
        index.refresh()

    edited = in_turns({"edit": edit})["edit"]
    rows = [
        ["read + parse alone", f"{taken['alone']:.2f} s", f"{lines / taken['alone'] / 1000:.0f}", "1.0"],
        [
            "cold scan: read, extract, resolve, graph",
            f"{taken['ours']:.2f} s",
            f"{lines / taken['ours'] / 1000:.0f}",
            f"{taken['ours'] / taken['alone']:.1f}",
        ],
        ["check, nothing changed", f"{nothing * 1000:.0f} ms", "–", f"{nothing / taken['alone']:.3f}"],
        ["one file edited → fresh graph", f"{edited * 1000:.0f} ms", "–", f"{edited / taken['alone']:.3f}"],
    ]
    about = f"{len(files)} files, {lines} lines, {snapshot.elements} elements; one process.\n\n"
    packages = ("bearings-mcp", "tree-sitter", "tree-sitter-python")
    return header("Scan", *packages) + about + table(["what", "time", "kLOC/s", "÷ read + parse"], rows)
