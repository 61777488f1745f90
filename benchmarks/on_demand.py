"""Whether answers before there is an index equal the whole graph's: for elements drawn by a seed, edge by edge.

`python -m benchmarks.on_demand TREE… [--elements 250] [--seed 48] [--edits 0]`
With edits, a line of that many files, drawn too, is changed before.
"""

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bearings.code.facts.store import NoFacts
from bearings.code.graph.demand_graph import DemandGraph
from bearings.code.index.demand import UnindexedProject
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Edge, Symbol
from bearings.code.project.working_tree import WorkingTree
from bearings.code.resolve.giving_up import NeedsIndex
from benchmarks.measure import header, progress, table

MAX_BYTES = 2_000_000
SECONDS = 2.0
"""The processor time that an element may take, as for a question about a large tree; beyond, an answer is a part."""


@dataclass
class Compared:
    """What a tree's elements showed. An element that only the index can answer is counted as `left`."""

    asked: int = 0
    edges: int = 0
    missing: int = 0
    beyond: int = 0
    left: int = 0


def main() -> str:
    parser = argparse.ArgumentParser()
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--elements", type=int, default=250)
    parser.add_argument("--seed", type=int, default=48)
    parser.add_argument("--edits", type=int, default=0)
    given = parser.parse_args()
    rows = [row for tree in given.trees for row in _rows(tree, given.elements, given.seed, given.edits)]
    command = "python -m benchmarks.on_demand TREE…"
    heads = ["tree", "files", "answers", "edges", "missing", "too many", "only by the index"]
    return header("On demand", "bearings-mcp", "tree-sitter", rounds=1, command=command) + ABOUT + table(heads, rows)


ABOUT = (
    "Two answers about each element drawn by a seed, what it uses and what uses it: from the index of the whole "
    "tree, and before there is one, within two seconds of the processor for each. An edge is its two ends, kind, line, "
    "confidence and reason.\n\n"
)


def _rows(tree: Path, elements: int, seed: int, edits: int) -> Iterator[list[str]]:
    if not edits:
        yield _row(tree.name, tree, elements, seed)
    else:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, tree.name)
            shutil.copytree(tree, copy, symlinks=True)
            made = _edited(copy, edits, seed)
            yield _row(f"{tree.name}, {made} lines changed", copy, elements, seed + 1)


def _row(name: str, tree: Path, elements: int, seed: int) -> list[str]:
    progress(f"on demand: {name}, its index …")
    whole = Index(tree, NoFacts(), MAX_BYTES).refresh()
    symbols = [symbol for path in whole.facts for symbol in whole.graph.outline(path)]
    chosen = random.Random(seed).sample(symbols, min(elements, len(symbols)))
    compared = Compared()
    graph = UnindexedProject(WorkingTree(tree), NoFacts(), MAX_BYTES, fewest=0).refresh().graph
    assert isinstance(graph, DemandGraph)
    for number, symbol in enumerate(chosen):
        if not number % 25:
            progress(f"on demand: {name}, {number} of {len(chosen)} …")
        for ask in ("edges_to", "edges_from"):
            _compare(compared, whole, graph, symbol, ask)
    found = compared
    return [name, *map(str, (len(whole.facts), found.asked, found.edges, found.missing, found.beyond, found.left))]


def _compare(compared: Compared, whole: Snapshot, graph: DemandGraph, symbol: Symbol, ask: str) -> None:
    try:
        graph.begin(SECONDS, may_be_part=False)
        edges: set[Edge] = set(getattr(graph, ask)(symbol.id))
    except NeedsIndex:
        compared.left += 1
        return
    wanted = set(getattr(whole.graph, ask)(symbol.id))
    compared.asked += 1
    compared.edges += len(wanted)
    compared.missing += len(wanted - edges)
    compared.beyond += len(edges - wanted)
    for edge in sorted(wanted ^ edges, key=lambda edge: (edge.file, edge.line)):
        print(f"{ask} {symbol.id}: {'missing' if edge in wanted else 'too many'} {edge}", file=sys.stderr)


def _edited(tree: Path, edits: int, seed: int) -> int:
    """Swaps two words of one line each in some sources, or removes the line; returns how many were changed."""
    draw = random.Random(seed)
    index = Index(tree, NoFacts(), MAX_BYTES)
    paths = sorted(index.refresh().facts)
    made = 0
    for path in draw.sample(paths, min(edits, len(paths))):
        lines = (tree / path).read_bytes().split(b"\n")
        number = draw.randrange(len(lines))
        words = lines[number].split(b" ")
        named = [at for at, word in enumerate(words) if word[:1].isalpha()]
        if len(named) > 1:
            one, two = draw.sample(named, 2)
            words[one], words[two] = words[two], words[one]
            lines[number] = b" ".join(words)
        else:
            del lines[number]
        (tree / path).write_bytes(b"\n".join(lines))
        made += 1
    return made


if __name__ == "__main__":
    print(main())
