"""How many elements that a compiler finds used in another file get at least one of these uses from the graph.

Exported names and fields are drawn at random, up to 40 of each that are used elsewhere in a package: from five packages
whose misses were read, and from others of the holdout set, which nobody looks into. Uses of names are those of
TypeScript's language service and of pyright (scip-python): calls, other names, import lines; uses of fields are the
reads and writes that the checker leads to their declaration. An element is found if an edge comes from a line of
another file; "or guessed" counts heuristic edges too.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Edge, Symbol, SymbolKind
from bearings.code.search.reach import certain
from benchmarks.measure import progress, revision, table
from benchmarks.references import Place, pyright_uses, typescript_uses
from benchmarks.truth.checkout import SCIP_PYTHON, TYPESCRIPT, project
from benchmarks.truth.compilers import fields_of, truth_of
from benchmarks.truth.packages import PACKAGES, Package

READ = ("langium", "maplibre-gl", "@deck.gl/core", "mkdocs", "lark", "ethers", "fabric", "sprotty", "pelican")
UNSEEN = (
    "matrix-js-sdk", "@jupyterlab/services", "@theia/core", "@theia/messages", "@eclipse-glsp/client",
    "marshmallow", "arrow", "nox", "httpcore", "cattrs",
)  # fmt: skip
EACH = 40
"""Names, and fields, of each package."""
SEED = 19
_ASKED = 8 * EACH
"""Elements about which the compiler is asked, to find as many that are used elsewhere."""

_NAMED = frozenset(
    {
        SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.INTERFACE,
        SymbolKind.TYPE, SymbolKind.ENUM, SymbolKind.COMPONENT, SymbolKind.HOOK,
    }
)  # fmt: skip


def main() -> str:
    """The table."""
    rows: list[list[str]] = []
    for kind, labels in (("looked into", READ), ("unseen", UNSEEN)):
        total = {"names": [0, 0, 0], "fields": [0, 0, 0]}
        for label in labels:
            package = next(one for one in PACKAGES if one.label == label)
            progress(f"{label} …")
            truth_of(package)
            for what, counts in _package(package).items():
                rows.append([label, kind, what, *_cells(counts)])
                total[what] = [one + other for one, other in zip(total[what], counts, strict=True)]
        rows += [["all", kind, what, *_cells(counts)] for what, counts in total.items()]
    return (
        "# Elements that are used elsewhere\n\n"
        f"Made by `python -m benchmarks used` at {revision()}; {TYPESCRIPT} (language service), {SCIP_PYTHON} "
        f"(pyright); drawn with seed {SEED}. What was missed in the packages that were looked into was read once, and "
        "mended; nobody has read it in the unseen ones. Used: elements of which the compiler knows a use in another "
        "file. Found: those with an edge from another file; or guessed: also by a heuristic edge.\n\n"
        + table(["Package", "Set", "Drawn", "Used", "Found", "Or guessed"], rows)
    )


def _cells(counts: Sequence[int]) -> list[str]:
    used, found, guessed = counts
    return [str(used), f"{found / max(1, used):.3f}", f"{(found + guessed) / max(1, used):.3f}"]


def _package(package: Package) -> dict[str, list[int]]:
    root = project(package)
    snapshot = Index(root, NoFacts(), 10_000_000).refresh()
    symbols = sorted(snapshot.graph.symbols.values(), key=lambda one: one.id)
    symbols = [one for one in symbols if not is_test(one.file) and one.file.endswith((".ts", ".tsx", ".py"))]
    names = [one for one in symbols if one.exported and one.kind in _NAMED]
    fields = [one for one in symbols if one.kind is SymbolKind.PROPERTY]
    asked = random.Random(SEED).sample(names, min(_ASKED, len(names)))
    said = (pyright_uses if package.python else typescript_uses)(root, asked)
    places = {id_: uses.calls | uses.names | uses.imports for id_, uses in said.items()}
    return {
        "names": _counts(snapshot, asked, places),
        "fields": _counts(snapshot, random.Random(SEED).sample(fields, len(fields)), _accesses(package, fields)),
    }


def _accesses(package: Package, fields: Sequence[Symbol]) -> dict[str, set[Place]]:
    """The reads and writes of fields by the checker, by the fields' ids."""
    at: dict[Place, set[Place]] = defaultdict(set)
    for row in fields_of(package):
        for file, line in row["declared"] if row["of"] != "inline" else ():
            at[file, line].add((row["file"], row["line"]))
    return {one.id: at[one.file, one.line] for one in fields}


def _counts(snapshot: Snapshot, asked: Sequence[Symbol], places: Mapping[str, set[Place]]) -> list[int]:
    """Of the first elements that are used elsewhere: how many, those found, and those found by a guess alone."""
    elsewhere = {one.id: {place for place in places[one.id] if place[0] != one.file} for one in asked}
    used = [one for one in asked if elsewhere[one.id]][:EACH]
    counts = [len(used), 0, 0]
    for symbol in used:
        found, guessed = _found([edge for edge in snapshot.graph.edges_to(symbol.id) if edge.file != symbol.file])
        counts[1] += found
        counts[2] += guessed and not found
        if "--missed" in sys.argv and not found:
            print("missed", symbol.id, sorted(elsewhere[symbol.id])[:3], file=sys.stderr)
    return counts


def _found(edges: Sequence[Edge]) -> tuple[bool, bool]:
    return bool(list(certain(edges))), bool(edges)
