"""Draws edges of calls that no code names, each with its line, to be read by hand: arguments SEED EACH FOLDER…

At most EACH of a kind, the projects taking turns. A kind is a reason of Python's, JavaScript's or Go's (`by an index`;
guesses apart), a read or a write of an accessor, `call` or `apply`.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from bearings.code.facts.store import NoFacts
from bearings.code.file_facts import Trait
from bearings.code.index.project_index import Index
from bearings.code.models import Edge
from bearings.code.resolve.rules.ecmascript.semantics import TYPESCRIPT
from bearings.code.resolve.rules.python.semantics import PYTHON
from bearings.code.search.reach import ACCESSES

_NAMED = {"by a metaclass", "by a call of a result", "by `call`", "by `apply`", "as text", "by range"}
_REASONS = _NAMED.union(one.by for rules in (PYTHON, TYPESCRIPT) for one in rules.implied_calls.values())


def main() -> None:
    """Prints the drawn edges."""
    seed, each, *folders = sys.argv[1:]
    pools: dict[str, dict[Path, list[Edge]]] = defaultdict(lambda: defaultdict(list))
    for folder in sorted(Path(name).resolve() for name in folders):
        for kind, edge in _edges(folder):
            pools[kind][folder].append(edge)
    draw = random.Random(int(seed))
    for kind, by_folder in sorted(pools.items()):
        drawn = [(folder, draw.sample(edges, len(edges))) for folder, edges in by_folder.items()]
        turns = [(folder, edges[turn]) for turn in range(int(each)) for folder, edges in drawn if turn < len(edges)]
        for folder, edge in turns[: int(each)]:
            line = (folder / edge.file).read_text(encoding="utf-8", errors="replace").split("\n")[edge.line - 1]
            print(f"{folder.name} {kind}: {edge.source} -> {edge.target} ({edge.confidence})\n{edge.line}: {line}")


def _edges(root: Path) -> Iterator[tuple[str, Edge]]:
    """The edges of a project that are drawn from, each with its kind."""
    snapshot = Index(root, NoFacts(), 2_000_000).refresh()
    accessors = {
        symbol.id
        for facts in snapshot.facts.values()
        for symbol, shape in zip(facts.symbols, facts.shapes, strict=True)
        if shape.traits & Trait.ACCESSOR
    }
    for edge in snapshot.graph.resolution.edges:
        if edge.reason in _REASONS:
            yield edge.reason + ", a guess" * edge.is_guess, edge
        elif edge.kind in ACCESSES and edge.target in accessors:
            yield f"{edge.kind.value} of an accessor" + ", a guess" * edge.is_guess, edge


if __name__ == "__main__":
    main()
