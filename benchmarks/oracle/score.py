"""What the graph says of each function that ran, and of each call that was traced."""

import ast
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Edge, EdgeKind, Language, Outside, Symbol
from bearings.code.parse import occurrences_of
from bearings.code.questions.unused.compute import KINDS, unused
from bearings.code.resolve.file_summary import MAYBE_OWN, last_name
from bearings.code.search.account import FileAccount, Named, in_code
from bearings.code.search.elsewhere import elsewhere
from bearings.code.search.members import constructions, overridden

NAMED, VALUE, SPECIAL = "by its name", "through a value", "special"
"""Groups of calls: the place spells the function's name, or another one (tables, `getattr`, callbacks), or the function
is a special method."""
EDGE, BASE, GUESS, COUNTED, MISSED = "edge", "edge to a base", "guess", "counted", "missed"
"""Classes of calls: an edge at the place leads to the function, or to a member that it overrides; a guess leads to
it; the account of the name that the place spells has it unresolved; none of these."""
_USES = frozenset(EdgeKind) - {EdgeKind.IMPORT, EdgeKind.EXPORT, EdgeKind.TYPE, EdgeKind.EXTENDS}
_MOST_BYTES = 1_000_000


class Call(NamedTuple):
    """A traced call: its first and last line in `file`, the name that the place spells, and the function."""

    file: str
    line: int
    end: int
    spelled: str
    target: Symbol


@dataclass
class Score:
    """Functions that ran, those that nothing is said to use, and calls by group and class."""

    ran: int = 0
    called_unused: list[str] = field(default_factory=list)
    calls: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    judged: list[tuple[str, str, Call]] = field(default_factory=list)


def scored(root: Path, calls: Path) -> Score:
    """The score of a project; `calls` is what oracle_trace.py wrote."""
    snapshot = Index(root, NoFacts(), _MOST_BYTES).refresh()
    rows = [json.loads(line) for line in calls.read_text(encoding="utf-8").splitlines()]
    named = defaultdict[tuple[str, str], list[Symbol]](list)
    for symbol in snapshot.graph.symbols.values():
        named[symbol.file, symbol.qualified_name].append(symbol)

    def element(file: str, line: int, name: str) -> Symbol | None:
        twins = named.get((file, name.replace(".<locals>", "")), ())
        return min(twins, key=lambda one: abs(one.line - line), default=None)

    score = Score()
    ran = {one.id: one for row in rows if len(row) == 3 and (one := element(*row))}
    score.ran = len(ran)
    listed = {one.id for one in unused(snapshot, KINDS, lambda _: True, exports=True).symbols}
    idle = [one for one in ran.values() if not snapshot.graph.edges_to(one.id)]
    score.called_unused = [one.id for one in ran.values() if one.id in listed]
    score.called_unused += [one.id for one in idle if one.id not in listed and elsewhere(snapshot, one).unused]
    judge = _Judge(snapshot)
    for call in dict.fromkeys(one for row in rows if len(row) > 3 for one in _calls(root, row, element(*row[5:]))):
        group, verdict = judge(call)
        score.calls[group][verdict] += 1
        score.judged.append((group, verdict, call))
    return score


def _calls(root: Path, row: Sequence, target: Symbol | None) -> Iterator[Call]:
    """The call of a row, but for those of functions that are no elements, and of finalizers, which no place calls."""
    if target is not None and target.name != "__del__":
        file, line, end, start, stop = row[:5]
        places = _expressions(root / file)  # a call in a chain of several lines has the place of its own name
        node = places.get((line, end, start, stop)) or places.get((0, end, 0, stop))
        function = node.func if isinstance(node, ast.Call) else node
        spelled = getattr(function, "attr", getattr(function, "id", ""))
        yield Call(file, node.lineno if node is not None else line, end, spelled, target)


@cache
def _expressions(path: Path) -> dict[tuple[int, ...], ast.expr | ast.ClassDef]:
    """The expressions and classes of a file by lines and columns; the outermost calls also by their ends alone."""
    found: dict[tuple[int, ...], ast.expr | ast.ClassDef] = {}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.expr | ast.ClassDef):
            line, column = node.end_lineno or 0, node.end_col_offset or 0
            found.setdefault((node.lineno, line, node.col_offset, column), node)
            if isinstance(node, ast.Call):
                found.setdefault((0, line, 0, column), node)
    return found


class _Judge:
    """Gives the group and the class of a call."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._outside = defaultdict[tuple[str, int], list[Outside]](list)
        for use in snapshot.graph.resolution.outside:
            self._outside[use.file, use.line].append(use)
        self._uses = cache(self._uses_of)
        self._account = cache(self._account_of)

    def __call__(self, call: Call) -> tuple[str, str]:
        name = call.target.name
        is_special = name.startswith("__") and name.endswith("__")
        group = SPECIAL if is_special else NAMED if call.spelled == name else VALUE
        here = [(call.file, line) for line in range(call.line, call.end + 1)]
        own, above = self._uses(call.target.id)
        found = [edge for place in here for edge in own.get(place, ())]
        if any(not edge.is_guess for edge in found):
            return group, EDGE
        bases = [edge for place in here for edge in above.get(place, ())]
        if any(not edge.is_guess for edge in bases):
            return group, BASE
        if found or bases:
            return group, GUESS
        doubtful = [use for place in here for use in self._outside.get(place, ()) if use.why in MAYBE_OWN]
        if any(call.spelled in ("", last_name(use)) for use in doubtful):
            return group, COUNTED
        if not call.spelled:
            return group, MISSED
        kinds = {kind for line, kind in self._account(call.file, call.spelled) if call.line <= line <= call.end}
        return group, GUESS if "guesses" in kinds else COUNTED if "unresolved" in kinds else MISSED

    def _account_of(self, path: str, name: str) -> list[tuple[int, str]]:
        """The class of each occurrence of a name in a file, with its line."""
        snapshot = self._snapshot
        source = (snapshot.root / path).read_bytes()
        found = occurrences_of(Language.PYTHON, source, name) or []
        account = FileAccount(snapshot.facts, snapshot.graph, path, Named(name, frozenset(), snapshot.graph.find(name)))
        return [(one.line, kind) for one, (kind, _) in zip(in_code(found), account.verdicts(found), strict=True)]

    def _uses_of(self, element: str) -> tuple[dict[tuple[str, int], list[Edge]], ...]:
        """The uses of an element by place, and those of the members that it overrides."""
        graph, symbol = self._snapshot.graph, self._snapshot.graph.symbols[element]
        twins = list(graph.members(graph.symbols[symbol.parent], symbol.name)) or [symbol]
        own = [edge for one in twins for edge in graph.edges_to(one.id, _USES)]
        own += constructions(self._snapshot, symbol, _USES)
        above = [edge for base in overridden(self._snapshot, symbol) for edge in graph.edges_to(base.id, _USES)]
        return _by_place(own), _by_place(above)


def _by_place(edges: Sequence[Edge]) -> dict[tuple[str, int], list[Edge]]:
    found = defaultdict[tuple[str, int], list[Edge]](list)
    for edge in edges:
        found[edge.file, edge.line].append(edge)
    return found
