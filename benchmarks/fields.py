"""Reads and writes of fields, properties and enum members, beside TypeScript's checker and pyright.

A use that the checker leads to a declaration inside the project is found if an edge `read` or `write` goes from its
line to that declaration, or an edge `call` or `new` where the field is called. A read or write is contradicted if the
checker leads the same name on the same line only elsewhere. JSX attributes are in neither: the write of `name` in
`<Badge name={user.name} />` is not compared. Properties of types without a name are no elements, so their uses are
counted apart.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.models import CALLS, Edge
from bearings.code.search.reach import ACCESSES
from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import SCIP_PYTHON, TYPESCRIPT, project
from benchmarks.truth.compilers import fields_of
from benchmarks.truth.packages import PACKAGES

DEV = (
    "rxjs", "msw", "chevrotain", "@blocknote/core", "zod", "langium", "maplibre-gl", "@deck.gl/core",
    "ethers", "fabric", "sprotty", "flask", "click", "httpx", "black", "mkdocs", "lark", "toolz", "pelican",
    "matrix-js-sdk", "@theia/core", "@tanstack/table-core", "httpcore",
)  # fmt: skip
UNSEEN = (
    "@jupyterlab/services", "@jupyterlab/observables", "@theia/messages",
    "@eclipse-glsp/client", "marshmallow", "arrow", "nox", "cattrs",
    "@hocuspocus/server", "structlog", "@lumino/widgets", "@antv/x6",
)  # fmt: skip
"""Packages of the holdout set: nobody reads what is missed in them."""

_JSX = (".tsx", ".jsx")

Place = tuple[str, int]
"""File and line."""


def main() -> str:
    rows = []
    for kind, labels in (("looked into", DEV), ("unseen", UNSEEN)):
        for label in labels:
            progress(label)
            package = next(one for one in PACKAGES if one.label == label)
            truth = fields_of(package)
            root = project(package)
            rows.append([label, kind, *_scores(truth, _edges(root), root)])
    heads = ["Package", "Set", "Uses", "Found", "Or guessed", "Edges", "Contradicted", "Precision", "Nameless"]
    return (
        "# Fields beside the compiler\n\n"
        f"Made by `python -m benchmarks fields` at {revision()}; {TYPESCRIPT}, {SCIP_PYTHON} "
        "(pyright). Uses: reads and writes that the checker "
        "leads to an element of the project; found: by an edge, a call where the field is called; or guessed: also by "
        "one of several types that have the member. Nameless: further uses, of types without a name.\n\n"
        + table(heads, rows)
    )


def _edges(root: Path) -> list[Edge]:
    snapshot = Index(root, NoFacts(), 2_000_000).refresh()
    return [edge for edge in snapshot.graph.resolution.edges if edge.kind in ACCESSES | CALLS]


Use = tuple[str, int, str, tuple[Place, ...]]
"""File, line and name of a use, and the places of the declarations."""


def _is_attribute(root: Path, use: tuple[Place, str, Place]) -> bool:
    """Whether a name is given as an attribute of JSX on its line."""
    (file, line), name, _ = use
    text = (root / file).read_text(encoding="utf-8").splitlines()[line - 1] if file.endswith(_JSX) else ""
    return f"{name}={{" in text


def _scores(truth: Sequence[dict[str, Any]], edges: Iterable[Edge], root: Path) -> tuple[str, ...]:
    sure: dict[Place, set[Place]] = defaultdict(set)
    guessed: dict[Place, set[Place]] = defaultdict(set)
    names: set[tuple[Place, str, Place]] = set()
    for edge in edges:
        file, _, rest = edge.target.partition("#")
        name, _, line = rest.rpartition(":")
        (guessed if edge.is_guess else sure)[edge.file, edge.line].add((file, int(line)))
        if not edge.is_guess and edge.kind in ACCESSES:
            names.add(((edge.file, edge.line), name.rpartition(".")[2], (file, int(line))))
    every = [(row["of"], (row["file"], row["line"], row["name"], tuple(map(tuple, row["declared"])))) for row in truth]
    uses = {use for of, use in every if of != "inline"}
    hits = {use for use in uses if sure[use[:2]].intersection(use[3])}
    guesses = {use for use in uses - hits if guessed[use[:2]].intersection(use[3])}
    declared: dict[tuple[str, int, str], set[Place]] = defaultdict(set)
    for _, (path, line_number, word, where) in every:
        declared[path, line_number, word] |= set(where)
    judged = [row for row in names if (*row[0], row[1]) in declared]
    wrong = [row for row in judged if row[2] not in declared[(*row[0], row[1])] and not _is_attribute(root, row)]
    for row in wrong if "--wrong" in sys.argv else ():
        print("wrong", row, declared[(*row[0], row[1])], file=sys.stderr)
    for use in sorted(uses - hits - guesses) if "--missed" in sys.argv else ():
        print("missed", use, file=sys.stderr)
    return (
        str(len(uses)),
        f"{len(hits) / max(1, len(uses)):.3f}",
        f"{(len(hits) + len(guesses)) / max(1, len(uses)):.3f}",
        str(len(names)),
        str(len(wrong)),
        f"{1 - len(wrong) / max(1, len(judged)):.4f}",
        str(len({use for of, use in every if of == "inline"})),
    )
