"""Scores a graph of edges against a compiler's truth.

Truth: rows of calls, defs and imports as checker.cjs and pyright.py write them. Graph: nodes {id, type, name,
qualified_name, file, line} and edges {source, target, type}, as `bearings code export --format json` writes them. Edges
count once for each (caller file, caller name, callee file, callee name), the caller of top-level code being `<module>`.
Functions that a framework calls have no site that a compiler could see: such edges don't count.
Rows whose callee is a parameter or a local binding are neither wanted nor wrong, and only callers in files that the
truth covers count.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bearings.code.models import BY_FRAMEWORK

Row = Mapping[str, Any]
Key = tuple[str, str, str, str]
"""Caller's file and name, callee's file and name."""

WANTED = frozenset(
    "FunctionDeclaration VariableDeclaration ClassDeclaration MethodDeclaration PropertyDeclaration PropertyAssignment "
    "ShorthandPropertyAssignment MethodSignature PropertySignature GetAccessor "
    "BinaryExpression PropertyAccessExpression ExportAssignment "  # JavaScript: `x.y = function`, `module.exports = …`
    "method/function class term".split()
)
DOUBTFUL = "doubtful"
"""A site where the compiler's index contradicts itself or says nothing of any name, as pyright does of code that can't
be reached: whatever a graph says there is neither right nor wrong."""
_CALLED_OBJECT = "__call__"
"""The method that calling an object runs. scip-python names the object instead, so this edge is not judged."""

TEST_FILE = re.compile(r"(^|/)(tests?|__tests__|spec)/|[._-](test|spec)\.|(^|/)test_|_test\.")

KINDS = ("call", "new", "jsx")
_FURTHER = frozenset({"taken from a value", "by another name"})
"""Reasons of edges that lead on from the name that the checker stops at: `const { Menu } = useParts(); <Menu />`."""
_STANDS_FOR_ANOTHER = "ShorthandPropertyAssignment"
"""Where the checker stops in `module.exports = { load }`, of which it doesn't say what `load` is."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many are right, of how many wanted, of how many found."""

    hit: int
    wanted: int
    found: int

    @property
    def precision(self) -> float | None:
        return self.hit / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.hit / self.wanted if self.wanted else None


@dataclass(frozen=True, slots=True)
class Score:
    """One graph's figures on one package.

    `judged_imports`: where a second judge settled what the compiler leaves open; only its precision means something.
    `silent`: of the functions that the compiler sees called, those that the graph says nobody calls.
    """

    calls: Ratio
    by_kind: Mapping[str, Ratio]
    imports: Ratio
    judged_imports: Ratio
    definitions: Ratio
    silent: Ratio


@dataclass(frozen=True, slots=True)
class Truth:
    """A compiler's rows."""

    calls: Sequence[Row]
    defs: Sequence[Row]
    imports: Sequence[Row]

    def files(self) -> set[str]:
        return {row["file"] for row in self.defs} | {row["caller_file"] for row in self.calls}


@dataclass(frozen=True, slots=True)
class Judged:
    """A graph's calls and the compiler's; each key with the first row or edge that has it."""

    wanted: Mapping[Key, Row]
    ignored: frozenset[Key]
    found: Mapping[Key, Row]

    @property
    def missed(self) -> set[Key]:
        return set(self.wanted) - set(self.found)

    @property
    def wrong(self) -> set[Key]:
        return set(self.found) - set(self.wanted)


def score(truth: Truth, graph: Mapping[str, Any], *, tests: bool = True) -> Score:
    """The figures; without test files as callers where `tests` is false."""
    judged = judge(truth, graph, tests=tests)
    nodes = _nodes(graph)
    wanted = {(row["file"], _last(row["name"])) for row in truth.defs if _counts(row["file"], tests)}
    got = {(node["file"], _name(node)) for node in nodes.values()}
    callees = {key[2:] for key in judged.wanted}
    return Score(
        calls=_ratio(set(judged.wanted), set(judged.found)),
        by_kind={kind: _of_kind(judged, kind) for kind in KINDS},
        imports=_imports(truth, graph, nodes, tests),
        judged_imports=_judged(truth, graph, nodes, tests),
        definitions=Ratio(len(wanted & got), len(wanted), len(got)),
        silent=Ratio(len(callees - {key[2:] for key in judged.found}), len(callees), 0),
    )


def judge(truth: Truth, graph: Mapping[str, Any], *, tests: bool = True) -> Judged:
    """Pairs each wanted call with the graph's."""
    files = truth.files()
    wanted: dict[Key, Row] = {}
    for row in truth.calls:
        if row["kind"] in WANTED and _counts(row["caller_file"], tests):
            wanted.setdefault(_key(row), row)
    doubtful = {(*_key(row)[:2], _last(row["called"])) for row in truth.calls if row["kind"] == DOUBTFUL}
    ignored = frozenset(_key(row) for row in truth.calls if row["kind"] not in WANTED)
    ignored |= {(*_key(row)[:2], file, _last(name)) for row in truth.calls for file, name in row.get("also", ())}
    ignored -= wanted.keys()
    nodes = _nodes(graph)
    found: dict[Key, Row] = {}
    for edge in graph["edges"]:
        source, target = nodes.get(edge["source"]), nodes.get(edge["target"])
        if (
            edge["type"] not in KINDS
            or edge.get("reason", "").startswith(BY_FRAMEWORK)
            or not source
            or not target
            or source["file"] not in files
            or not _counts(source["file"], tests)
        ):
            continue
        key = (source["file"], _name(source), target["file"], _name(target))
        if target["type"] == "constructor" and key not in wanted:  # TypeScript's truth names the class
            parts = re.split(r"[.#]", target.get("qualified_name") or target["name"])
            key = (*key[:3], parts[-2] if len(parts) > 1 else parts[0])
        if key in wanted or not (key in ignored or key[3] == _CALLED_OBJECT or (*key[:2], key[3]) in doubtful):
            found.setdefault(key, edge)
    return Judged(wanted, ignored, found)


def contradicted(truth: Truth, graph: Mapping[str, Any], judged: Judged) -> Ratio:
    """The calls of a graph that the compiler leads elsewhere alone, of those whose name it leads anywhere on the line.

    Of the other calls it says nothing: those that no code names (`with`, iteration), those of values without a type to
    it, and those that lead on from where it stops.
    """
    told: dict[tuple[str, int, str], set[tuple[str, int]]] = defaultdict(set)
    for row in truth.calls:
        if row["kind"] != _STANDS_FOR_ANOTHER:
            place = row["callee_file"], row["callee_line"]
            told[row["caller_file"], row["site_line"], row["callee_name"]].add(place)
    nodes = _nodes(graph)
    known = wrong = 0
    for key in judged.found:
        edge = judged.found[key]
        target = nodes[edge["target"]]
        places = told.get((edge["file"], edge["line"], target["name"]))
        if places:
            known += 1
            is_wrong = key not in judged.wanted and edge["reason"] not in _FURTHER
            wrong += is_wrong and (target["file"], target["line"]) not in places
    return Ratio(wrong, known, len(judged.found))


def _of_kind(judged: Judged, kind: str) -> Ratio:
    """Calls that the compiler sees made so, and wrong ones that the graph says are; Python's are all "call"."""
    wanted = {key for key, row in judged.wanted.items() if row.get("via", "call") == kind}
    hit = len(wanted & judged.found.keys())
    wrong = sum(judged.found[key]["type"] == kind for key in judged.wrong)
    return Ratio(hit, len(wanted), hit + wrong)


def _imports(truth: Truth, graph: Mapping[str, Any], nodes: Mapping[str, Row], tests: bool) -> Ratio:
    covered = truth.files() | {row["from"] for row in truth.imports}
    wanted = {(row["from"], row["to"]) for row in truth.imports if row["to"] and row["from"] != row["to"]}
    found = {(nodes[edge["source"]]["file"], nodes[edge["target"]]["file"]) for edge in _imports_of_files(graph, nodes)}
    return _ratio(
        {pair for pair in wanted if _counts(pair[0], tests)},
        {pair for pair in found if pair[0] in covered and pair[0] != pair[1] and _counts(pair[0], tests)},
    )


def _judged(truth: Truth, graph: Mapping[str, Any], nodes: Mapping[str, Row], tests: bool) -> Ratio:
    """Pairs of files that the compiler or the second judge says; statements that neither can follow don't count."""
    covered = truth.files() | {row["from"] for row in truth.imports}
    right = {(row["from"], row["to"]) for row in truth.imports if row["to"]}
    right |= {(row["from"], to) for row in truth.imports for to in row.get("settled", ())}
    told = {(row["from"], row.get("line")) for row in truth.imports if row["to"] or row.get("settled")}
    open_ = {(row["from"], row.get("line")) for row in truth.imports if row.get("settled") == []} - told
    found = {
        (nodes[edge["source"]]["file"], nodes[edge["target"]]["file"])
        for edge in _imports_of_files(graph, nodes)
        if (nodes[edge["source"]]["file"], edge.get("line")) not in open_
    }
    counted = {pair for pair in found if pair[0] in covered and pair[0] != pair[1] and _counts(pair[0], tests)}
    return Ratio(len(counted & right), 0, len(counted))


def _imports_of_files(graph: Mapping[str, Any], nodes: Mapping[str, Row]) -> Iterator[Row]:
    """The edges of imports; of a line with edges to a module and to its names, the edge to the module alone.

    The module is what the compiler's rows say; the names may lead on through re-exports.
    """
    edges = [
        edge
        for edge in graph["edges"]
        if edge["type"] in ("import", "export") and edge["source"] in nodes and edge["target"] in nodes
    ]
    modules = {
        (edge["source"], edge.get("line")) for edge in edges if nodes[edge["target"]]["type"] in ("module", "file")
    }
    for edge in edges:
        is_module = nodes[edge["target"]]["type"] in ("module", "file")
        if is_module or (edge["source"], edge.get("line")) not in modules:
            yield edge


def _nodes(graph: Mapping[str, Any]) -> dict[str, Row]:
    return {node["id"]: node for node in graph["nodes"] if node.get("file")}


def _ratio(wanted: set[Any], found: set[Any]) -> Ratio:
    return Ratio(len(wanted & found), len(wanted), len(found))


def _counts(file: str, tests: bool) -> bool:
    return tests or not TEST_FILE.search(file)


def _key(row: Row) -> Key:
    return row["caller_file"], _last(row["caller_name"]), row["callee_file"], _last(row["callee_name"])


def _last(name: str) -> str:
    return re.split(r"[.#]", name)[-1]


def _name(node: Row) -> str:
    return "<module>" if node["type"] in ("module", "file") else _last(node["name"])


def added(ratios: Iterable[Ratio]) -> Ratio:
    """The sums: every edge weighs the same."""
    rows = list(ratios)
    return Ratio(sum(row.hit for row in rows), sum(row.wanted for row in rows), sum(row.found for row in rows))
