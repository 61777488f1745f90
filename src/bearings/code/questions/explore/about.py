"""The excerpt of an element that answers a question: its source, its users, the tests that run it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import UNNAMED, USES, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.project.source_lines import Lines
from bearings.code.questions.explore.answer import Excerpt, Spot
from bearings.code.search.capabilities import lacks, unfollowed
from bearings.code.search.cases import is_case
from bearings.code.search.elsewhere import mentioned
from bearings.code.search.members import CONTAINERS, constructions, with_members
from bearings.code.search.reach import BEHAVIOUR, users

_CONSTRUCTIONS = frozenset({EdgeKind.NEW})
"""Kinds of uses of a class that call its constructor."""

_MOST_LINES = 160
"""The most lines of source of one element."""

_SHARE = 0.4
"""The part of the time for uses that the few which are shown may take before there is an index."""

_LONG = 60
"""The number of lines from which a class is shown by the heads of its members."""

_SHORT = 8
"""The number of lines up to which an element is shown whole, instead of the lines that decide."""

_WIDE = 160
"""The most characters of a deciding line."""

_USERS = 8
"""The most uses of one element that are shown; the excerpt has their total."""

_TESTS = 5
"""The most tests of one element that are named; the excerpt has their total."""

_TEST_DEPTH = 3
"""The most steps from an element to a test that counts as one of its tests."""

_MOST_SEARCHED = 3
"""The most elements without a known use whose names are searched for."""


_SOME = "some uses: others may be in files that were not read, as there is no index yet"


class _SourceLines(NamedTuple):
    """Lines of source, the first at line `first` of the file; or single lines with their numbers, with `first` 0."""

    lines: tuple[str, ...]
    first: int


class Chosen(NamedTuple):
    """An element, the reason for its choice, the line in question (0: none), and the kinds of uses to list first.

    `deciding` are the lines to show instead of its whole source, if there are any.
    """

    symbol: Symbol
    why: str
    line: int = 0
    kinds: frozenset[EdgeKind] = frozenset()
    deciding: tuple[int, ...] = ()


def about(snapshot: Snapshot, chosen: Sequence[Chosen], lines: Lines, *, mentions: bool) -> tuple[Excerpt, ...]:
    """The excerpts of all. `mentions`: read all files for mentions of those without a known use. Raises Changed."""
    snapshot.graph.take_part(_SHARE)
    rows = [_shown(snapshot, one, lines) for one in chosen]
    unused = [row.symbol for row in rows[:_MOST_SEARCHED] if not (row.used_by_total or row.symbol.kind in UNNAMED)]
    words = mentioned(snapshot, unused) if unused and mentions else {}
    return tuple(replace(row, mentioned=words.get(row.symbol.id)) for row in rows)


def _shown(snapshot: Snapshot, one: Chosen, lines: Lines) -> Excerpt:
    symbol = one.symbol
    members = with_members(snapshot, symbol)
    source = _source(one, members, lines)
    is_line_shown = bool(one.line) and source.first <= one.line < source.first + len(source.lines)
    snapshot.graph.expect(members, USES)
    uses = _uses(snapshot, members, one.kinds)
    is_unresolved = lacks(symbol.file, Capability.EDGES)
    is_whole, left = snapshot.graph.is_whole, snapshot.graph.left
    dependents = users(snapshot, members, BEHAVIOUR, max_depth=_TEST_DEPTH if is_whole else 1)
    tests = [
        hit.symbol.id
        for hit in dependents
        if is_test(hit.symbol.file) and is_case(hit.symbol) and hit.symbol.id not in members
    ]
    return Excerpt(
        symbol=symbol,
        language=snapshot.facts[symbol.file].language,
        why=one.why,
        source=source.lines,
        first=source.first,
        focus=one.line - source.first if is_line_shown else -1,
        used_by=tuple(_spot(snapshot, edge, lines) for edge in uses[:_USERS]),
        used_by_total=None if is_unresolved or left else len(uses),
        tests=tuple(tests[:_TESTS]),
        tests_total=None if is_unresolved or not is_whole else len(tests),
        unknown=unfollowed(symbol.file, "uses and tests are") or (_SOME if left else ""),
    )


def _source(one: Chosen, members: Mapping[str, Symbol], lines: Lines) -> _SourceLines:
    """An element's lines, at most _MOST_LINES around the line in question; for a long class the heads of its members.

    A head is `12: def total(self)`: the line and the signature. So is a deciding line, below the element's own head.
    """
    symbol = one.symbol
    size = symbol.end_line - symbol.line + 1
    if one.deciding and size > _SHORT:
        head = () if symbol.line in one.deciding or not symbol.signature else (f"{symbol.line}: {symbol.signature}",)
        rows = (f"{number}: {lines.at(symbol.file, number)}" for number in one.deciding)
        return _SourceLines((*head, *(row[:_WIDE] for row in rows)), 0)
    if symbol.kind in CONTAINERS and size > _LONG and not one.line:
        is_module = symbol.kind is SymbolKind.MODULE
        heads = [*(() if is_module else (symbol,)), *_direct_members(members, symbol)][:_MOST_LINES]
        texts = tuple(f"{head.line}: {head.signature or f'{head.kind} {head.name}'}" for head in heads)
        return _SourceLines(texts, 0)
    text = lines.of(symbol.file)[symbol.line - 1 : symbol.end_line]
    start = max(0, min(one.line - symbol.line - _MOST_LINES // 2, len(text) - _MOST_LINES)) if one.line else 0
    shown = text[start : start + _MOST_LINES]
    shown_lines = tuple(line.decode("utf-8", "replace").rstrip("\r") for line in shown)
    return _SourceLines(shown_lines, symbol.line + start)


def _direct_members(members: Mapping[str, Symbol], symbol: Symbol) -> list[Symbol]:
    """The direct members of an element, by line."""
    inside = (other for other in members.values() if other.parent == symbol.id and other.id != symbol.id)
    return sorted(inside, key=lambda other: other.line)


def _uses(snapshot: Snapshot, members: Mapping[str, Symbol], first: frozenset[EdgeKind]) -> list[Edge]:
    """Uses of an element and its members from outside: `first` kinds first, then code before tests, by file and line.

    Of several uses in one line only one is kept. Imports are left out unless `first` names them.
    """
    kinds_wanted = USES | first
    found = [(id_, snapshot.graph.edges_to(id_, kinds_wanted)) for id_ in members]
    if len(members) == 1:
        found += [(id_, [*constructions(snapshot, symbol, _CONSTRUCTIONS)]) for id_, symbol in members.items()]
    edges = {
        (edge.file, edge.line): edge
        for target_id, edges_to in found
        for edge in _edges_to_show(edges_to, target_id)
        if len(members) == 1 or edge.source not in members
    }
    return sorted(edges.values(), key=lambda edge: (edge.kind not in first, is_test(edge.file), edge.file, edge.line))


def _edges_to_show(edges: Iterable[Edge], target: str) -> Iterable[Edge]:
    """Edges that are no guesses, and requests; all edges if the target's language has only guesses."""
    only_guesses = lacks(target.partition("#")[0], Capability.EDGES)
    return (edge for edge in edges if only_guesses or edge.kind is EdgeKind.REQUEST or not edge.is_guess)


def _spot(snapshot: Snapshot, edge: Edge, lines: Lines) -> Spot:
    source = snapshot.graph.symbols.get(edge.source)
    inside = source.qualified_name if source is not None and source.kind is not SymbolKind.MODULE else ""
    text = lines.at(edge.file, edge.line)
    return Spot(file=edge.file, line=edge.line, inside=inside, text=text, guessed=edge.is_guess)
