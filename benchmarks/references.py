"""Twenty elements of two real packages: who uses them, what a change reaches, which tests, beside compilers.

Zod by TypeScript's language service (find all references), Flask by pyright (scip-python's index). Impact and tests are
compared with the compiler's own call graph, followed backwards. Elements are drawn at random with a fixed seed, in each
package eight that are used by the compiler's word, and two that are not.
"""

import json
import random
import subprocess
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import CALLS, EdgeKind, Symbol, SymbolKind
from bearings.code.search.members import with_members
from bearings.code.search.reach import users, without_guesses
from bearings.code.search.reaching_tests import TEST_DEPTH, tests_reaching
from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import SCIP_PYTHON, TYPESCRIPT, project, tool
from benchmarks.truth.compilers import truth_of
from benchmarks.truth.packages import PACKAGES, Package
from benchmarks.truth.scip import Document, documents

SEED = 6
USED, UNUSED = 8, 2
DRAWN = 60
"""Elements about which the compiler is asked, to find as many as are wanted."""
DEPTH = 3
KINDS = {
    SymbolKind.FUNCTION: 4, SymbolKind.METHOD: 4, SymbolKind.CLASS: 3, SymbolKind.CONSTANT: 2, SymbolKind.INTERFACE: 2,
    SymbolKind.TYPE: 2,
}  # fmt: skip
"""The kinds of elements in the sample, with their weights."""

Place = tuple[str, int]
"""File and line."""


@dataclass
class Said:
    """One tool's references to an element: lines of calls, of other names, of imports."""

    calls: set[Place] = field(default_factory=set)
    names: set[Place] = field(default_factory=set)
    imports: set[Place] = field(default_factory=set)


def main() -> str:
    parts = [
        "# Twenty elements beside compilers\n\n"
        f"Made by `python -m benchmarks references` at {revision()}. Compilers: {TYPESCRIPT} (language service), "
        f"{SCIP_PYTHON} (pyright). Drawn with seed {SEED}. A number pair is ours / the compiler's, in lines of source; "
        f"uses that only one of them has are listed. Impact: elements within {DEPTH} calls; tests: files within "
        f"{TEST_DEPTH} calls, the compiler's by its own calls alone.\n"
    ]
    for label in ("zod", "flask"):
        package = next(one for one in PACKAGES if one.label == label)
        parts.append(_section(package))
    return "\n".join(parts)


def _section(package: Package) -> str:
    root = project(package)
    progress(f"{package.label} …")
    snapshot = Index(root, NoFacts(), 10_000_000).refresh()
    drawn = _drawn(snapshot)
    said = pyright_uses(root, drawn) if package.python else typescript_uses(root, drawn)
    used = [one for one in drawn if said[one.id].calls | said[one.id].names][:USED]
    unused = [one for one in drawn if not said[one.id].calls | said[one.id].names][:UNUSED]
    callers = _callers(truth_of(package).calls)
    rows, differences = [], []
    for symbol in [*used, *unused]:
        ours = _ours(snapshot, symbol)
        row, said_differently = _row(snapshot, symbol, ours, said[symbol.id], callers)
        rows.append(row)
        differences += said_differently
    columns = ["element", "type", "calls", "names", "impact", "test files"]
    lines = "".join(f"- {line}\n" for line in differences) or "None.\n"
    return f"## {package.label}\n\n{table(columns, rows)}\nDifferences:\n\n{lines}"


def _drawn(snapshot: Snapshot) -> list[Symbol]:
    """Elements outside tests, each kind by its weight."""
    symbols = [one for one in snapshot.graph.symbols.values() if one.kind in KINDS and not is_test(one.file)]
    symbols = [one for one in symbols if one.file.endswith((".ts", ".py")) and one.file.startswith("src/")]
    chosen = random.Random(SEED)
    keyed = sorted(symbols, key=lambda one: (chosen.random() ** (1 / KINDS[one.kind]), one.id), reverse=True)
    return keyed[:DRAWN]


def _ours(snapshot: Snapshot, symbol: Symbol) -> Said:
    said = Said()
    for edge in without_guesses(snapshot.graph.edges_to(symbol.id)):
        place = (edge.file, edge.line)
        if edge.kind in CALLS:
            said.calls.add(place)
        elif edge.kind in (EdgeKind.IMPORT, EdgeKind.EXPORT):
            said.imports.add(place)
        else:
            said.names.add(place)
    return said


def typescript_uses(root: Path, drawn: Sequence[Symbol]) -> dict[str, Said]:
    """The uses of elements by TypeScript's language service, by their ids."""
    asked = [{"file": one.file, "line": one.line, "name": one.name} for one in drawn]
    script = str(Path(__file__).with_suffix(".cjs"))
    done = subprocess.run(
        ("node", "--max-old-space-size=8000", script, str(root), str(tool(TYPESCRIPT))),
        input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=900,
    )  # fmt: skip
    found = {}
    for symbol, line in zip(drawn, done.stdout.splitlines(), strict=True):
        said = found[symbol.id] = Said()
        for row in json.loads(line):
            table_ = {"import": said.imports, "call": said.calls, "name": said.names}[row["kind"]]
            table_.add((row["file"], row["line"]))
    return found


def pyright_uses(root: Path, drawn: Sequence[Symbol]) -> dict[str, Said]:
    """The uses of elements by the index of scip-python, by their ids."""
    index = list(documents((root.parent / "index.scip").read_bytes()))
    at = {document.path: document for document in index}
    found = {symbol.id: Said() for symbol in drawn}
    wanted = {name: one.id for one in drawn if (name := _scip_name(one, at))}
    for document in index:
        lines = (root / document.path).read_text("utf-8", "replace").splitlines()
        for occurrence in document.occurrences:
            id_ = wanted.get(occurrence.symbol)
            if id_ is None or occurrence.defines:
                continue
            text = lines[occurrence.line]
            said, place = found[id_], (document.path, occurrence.line + 1)
            name = id_.rpartition("#")[2].rpartition(":")[0].rpartition(".")[2]
            rest = text[occurrence.column + len(name) :].lstrip()
            if _is_import(lines, occurrence.line):
                said.imports.add(place)
            elif rest.startswith("("):
                said.calls.add(place)
            else:
                said.names.add(place)
    return found


def _is_import(lines: Sequence[str], number: int) -> bool:
    """Whether a line is part of an import statement, in parentheses over several lines too."""
    if lines[number].lstrip().startswith(("from ", "import ")):
        return True
    for line in reversed(lines[max(0, number - 40) : number]):
        if line.lstrip().startswith("from ") and line.rstrip().endswith("("):
            return True
        if ")" in line or "=" in line or ":" in line:
            return False
    return False


def _scip_name(symbol: Symbol, at: Mapping[str, Document]) -> str:
    """An element's symbol in scip: the definition of its name on its line."""
    document = at.get(symbol.file)
    for occurrence in document.occurrences if document else ():
        ending = occurrence.symbol.rstrip("().#:")
        if occurrence.defines and occurrence.line + 1 == symbol.line and ending.endswith(symbol.name):
            return occurrence.symbol
    return ""


def _callers(calls: Iterable[Mapping[str, object]]) -> dict[tuple[object, object], set[tuple[object, object, object]]]:
    """The compiler's calls backwards: callee's (file, line) → callers' (file, line, name)."""
    found: dict[tuple[object, object], set[tuple[object, object, object]]] = defaultdict(set)
    for row in calls:
        caller = (row["caller_file"], row["caller_line"], row["caller_name"])
        found[row["callee_file"], row["callee_line"]].add(caller)
    return found


def _reach(
    callers: Mapping[tuple[object, object], set[tuple[object, object, object]]], start: Iterable[Place], depth: int
) -> set[tuple[object, object]]:
    """The callers that reach `start` within so many calls, by file and line."""
    seen: set[tuple[object, object]] = set(start)
    queue: deque[tuple[tuple[object, object], int]] = deque((place, 0) for place in seen)
    found = set()
    while queue:
        here, steps = queue.popleft()
        for file, line, _ in callers.get(here, ()) if steps < depth else ():
            if (file, line) not in seen:
                seen.add((file, line))
                found.add((file, line))
                queue.append(((file, line), steps + 1))
    return found


def _row(snapshot: Snapshot, symbol: Symbol, ours: Said, theirs: Said, callers: Mapping) -> tuple[list[str], list[str]]:
    members = with_members(snapshot, symbol)
    start = [(one.file, one.line) for one in members.values()]
    our_impact = {(hit.symbol.file, hit.symbol.line) for hit in users(snapshot, members, CALLS, max_depth=DEPTH)}
    their_impact = _reach(callers, start, DEPTH)
    our_tests = {hit.symbol.file for hit in tests_reaching(snapshot, members)}
    their_tests = {file for file, _ in _reach(callers, start, TEST_DEPTH) if is_test(str(file))}
    cells = [f"{len(ours.calls)} / {len(theirs.calls)}", f"{len(ours.names)} / {len(theirs.names)}"]
    cells += [f"{len(our_impact)} / {len(their_impact)}", f"{len(our_tests)} / {len(their_tests)}"]
    said = []
    for what, mine, other in (
        ("uses", ours.calls | ours.names, theirs.calls | theirs.names),
        ("test files", our_tests, their_tests),
    ):
        for who, only in (("only we", mine - other), ("only the compiler", other - mine)):
            if only:
                by_file = Counter(one if isinstance(one, str) else one[0] for one in only)
                shown = sorted(f"{one[0]}:{one[1]}" if not isinstance(one, str) else one for one in only)[:4]
                more = f" … in {len(by_file)} files" if len(only) > len(shown) else ""
                said.append(f"`{symbol.id}`, {what}: {who} {len(only)}: {', '.join(shown)}{more}")
    return [f"`{symbol.id}`", symbol.kind, *cells], said
