"""Reads and writes of fields, properties and enum members, beside TypeScript's checker.

A use that the checker leads to a declaration inside the project is found if an edge `read` or `write` goes from its
line to that declaration. An edge is contradicted if the checker leads the same name on the same line only elsewhere.
JSX attributes are in neither.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bearings.code.analyses.reach import ACCESSES
from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.models import Edge
from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import TYPESCRIPT, project
from benchmarks.truth.compilers import fields_of
from benchmarks.truth.packages import PACKAGES

DEV = ("rxjs", "msw", "chevrotain", "@blocknote/core", "zod")
UNSEEN = ("langium", "ethers", "maplibre-gl", "fabric", "@deck.gl/core")
"""Packages of the holdout set: nobody reads what is missed in them."""

Place = tuple[str, int]
"""File and line."""


def main() -> str:
    rows = []
    for kind, labels in (("looked into", DEV), ("unseen", UNSEEN)):
        for label in labels:
            progress(label)
            package = next(one for one in PACKAGES if one.label == label)
            truth = fields_of(package)
            rows.append((label, kind, *_scores(truth, _edges(project(package)))))
    heads = ("Package", "Set", "Uses", "Found", "Edges", "Contradicted", "Precision")
    return (
        "# Fields beside the compiler\n\n"
        f"Made by `python -m benchmarks fields` at {revision()}; {TYPESCRIPT}. Uses: reads and writes that the checker "
        "leads into the project.\n\n" + table(heads, rows)
    )


def _edges(root: Path) -> list[Edge]:
    snapshot = Index(root, NoFacts(), 2_000_000).refresh()
    return [edge for edge in snapshot.graph.resolution.edges if edge.kind in ACCESSES and not edge.is_guess]


def _scores(truth: Sequence[dict[str, Any]], edges: Iterable[Edge]) -> tuple[str, ...]:
    found: dict[Place, set[Place]] = defaultdict(set)
    names: dict[Place, set[tuple[str, Place]]] = defaultdict(set)
    for edge in edges:
        file, _, rest = edge.target.partition("#")
        name, _, line = rest.rpartition(":")
        found[edge.file, edge.line].add((file, int(line)))
        names[edge.file, edge.line].add((name.rpartition(".")[2], (file, int(line))))
    uses = {(row["file"], row["line"], row["name"], tuple(map(tuple, row["declared"]))) for row in truth}
    hits = [use for use in uses if found[use[0], use[1]].intersection(use[3])]
    declared: dict[tuple[str, int, str], set[Place]] = defaultdict(set)
    for file, line, name, where in uses:
        declared[file, line, name] |= set(where)
    judged = [
        (place, name, target) for place, there in names.items() for name, target in there if (*place, name) in declared
    ]
    wrong = [row for row in judged if row[2] not in declared[(*row[0], row[1])]]
    if "--wrong" in sys.argv:
        for row in wrong[:40]:
            print("wrong", row, declared[(*row[0], row[1])], file=sys.stderr)
    if "--missed" in sys.argv:
        for use in sorted(uses - set(hits))[:: max(1, len(uses - set(hits)) // 60)]:
            print("missed", json.dumps(use), file=sys.stderr)
    total = sum(map(len, names.values()))
    precision = 1 - len(wrong) / len(judged) if judged else 1
    return (
        str(len(uses)), f"{len(hits) / max(1, len(uses)):.3f}", str(total), str(len(wrong)), f"{precision:.4f}"
    )  # fmt: skip
