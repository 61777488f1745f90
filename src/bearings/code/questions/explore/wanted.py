"""Search for elements and lines by words: ranked by the number, the rarity and the place of the words.

For each term an element scores its best place: name, comment, code or string. Terms in few files weigh more, and two
terms in one element score more than one term in each of two.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.fulltext import TextFile, TextLine, TextSearch
from bearings.code.project.names import is_aside
from bearings.code.project.words import FileHits, Hit
from bearings.code.questions.explore.answer import Spot
from bearings.code.questions.explore.terms import Terms, term_of
from bearings.code.questions.explore.within import Around
from bearings.code.replies.elsewhere import Where
from bearings.code.search.elsewhere import Regions

_NAMED, _WHOLE, _PART, _INSIDE = 10.0, 6.0, 6.0, 1.0
"""Scores of a name that equals the term, that has it as a whole part (`select_proxy`) or at the start of one (both by
the term's share of the name, a whole part always above a comment), or contains it."""
_AROUND, _PATH = 3.0, 1.5
"""Scores of a term in the name of the enclosing element, or in the path."""
_PLACE: Mapping[Where, float] = {"comment": 4.0, "code": 3.0, "source": 3.0, "string": 2.0, "text": 1.0}
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LONG = 60
"""The number of lines from which an element holds words by chance."""

_TEST, _ASIDE, _DECLARED = 0.5, 0.6, 0.7
_KINDS = {SymbolKind.MODULE: 0.5, SymbolKind.PROPERTY: 0.6, SymbolKind.VARIABLE: 0.6}
"""Weights of kinds that are rarely the subject."""

_NAMES = 80
_NAMES_READ = 15
"""The most names that are looked at; without an index the files that define each are read."""
_NAMESAKES = 8
_MOST_LINES = 40
_LINE = 200
_HELD, _USED, _UNSAID = 0.5, 0.08, 0.7
"""Weights of a term in a member, of an element's use, of a name that the language defines."""

_NEAR_BEST = 0.3
"""The least score of an element or line relative to the best."""


class Wanted(NamedTuple):
    """An element, its score, its terms by place, and the line of the best term."""

    symbol: Symbol
    worth: float
    places: Mapping[int, str]
    line: int


@dataclass(slots=True)
class Matches:
    """The matches of some terms: elements and lines, the best first, and the search."""

    search: TextSearch
    elements: list[Wanted] = field(default_factory=list)
    lines: list[Spot] = field(default_factory=list)
    lines_total: int = 0
    files: int = 0


class _Name(NamedTuple):
    """A term for comparison with names: the search text, and the word as the question spells it."""

    place: int
    text: str
    written: str
    pattern: re.Pattern[str]


class _Tally:
    """The score of an element so far."""

    def __init__(self, symbol: Symbol) -> None:
        self.symbol = symbol
        self.best: dict[int, tuple[float, str, int]] = {}

    def add(self, term: int, worth: float, where: str, line: int) -> None:
        if worth > self.best.get(term, (0.0, "", 0))[0]:
            self.best[term] = worth, where, line


def matches(snapshot: Snapshot, terms: Terms, *, tests: bool = False) -> Matches:
    """The matches of the terms. `tests`: the question is about tests, so they score like other elements."""
    search = TextSearch(snapshot.tree, snapshot.project.paths, terms.texts)
    result = Matches(search)
    tallies: dict[str, _Tally] = {}
    rows: list[tuple[float, Spot]] = []
    regions = Regions()
    for file in search.files:
        for line, where, symbol in _placed(snapshot, file, regions):
            rows.append((search.worth(line.terms) * _prior(file.path, tests=tests), _spot(file, line, where, symbol)))
            if symbol is not None:
                damp = max(0.4, min(1.0, _LONG / (symbol.end_line - symbol.line + 1)))
                tally = tallies.setdefault(symbol.id, _Tally(symbol))
                for term in line.terms:
                    tally.add(term, _PLACE[where] * (damp if where in ("code", "string") else 1.0), where, line.number)
    for term, symbol, worth in _by_name(snapshot, terms, search.weights):
        tallies.setdefault(symbol.id, _Tally(symbol)).add(term, worth, "name", symbol.line)
    result.elements = _ranked(snapshot, tallies, terms, search, tests=tests)
    _lines(result, rows, terms)
    return result


def _placed(snapshot: Snapshot, file: TextFile, regions: Regions) -> Iterator[tuple[TextLine, Where, Symbol | None]]:
    """The matching lines of a file with their context, and the element of each."""
    hits = [Hit("", line.number, line.start) for line in file.lines]
    places = regions.of(FileHits(file.path, file.text, hits, False), hits)
    lines: list[bytes] = []
    around = Around(snapshot, file.path)
    for line, where in zip(file.lines, places, strict=True):
        symbol = around.at(line.number)
        if where == "comment" and symbol is not None:
            lines = lines or file.text.encode("utf-8", "replace").split(b"\n")
            below = around.below(line.number, lines)
            symbol = below if below is not None and below.end_line <= max(symbol.end_line, below.line) else symbol
        if where == "string" and symbol is not None and _is_doc(symbol, file, line):
            where = "comment"
        yield line, where, symbol


def _is_doc(symbol: Symbol, file: TextFile, line: TextLine) -> bool:
    """Whether a string is the element's documentation, as in Python."""
    text = _line_of(file, line).strip().strip("\"'").strip()
    return bool(text) and text in symbol.doc


def _by_name(snapshot: Snapshot, terms: Terms, weights: Sequence[float]) -> Iterator[tuple[int, Symbol, float]]:
    """The elements with the best names: (term, element, score)."""
    wanted = [
        _Name(place, text.lower(), written.lower(), re.compile(rf"(?<![^\W\d_]){re.escape(text)}", re.IGNORECASE))
        for place, (text, written) in enumerate(zip(terms.texts, terms.written, strict=True))
        if not re.search(r"\s", text)
    ]
    rows = []
    for name in snapshot.graph.spelled_with({text for each in wanted for text in (each.text, each.written)}):
        lower = name.lower()
        alike_by_term = {
            each.place: _alike(name, lower, each) for each in wanted if each.text in lower or each.written == lower
        }
        if alike_by_term:
            worth = sum(weights[place] * alike for place, alike in alike_by_term.items()) * math.sqrt(
                len(alike_by_term)
            )
            rows.append((-worth, name, alike_by_term))
    rows.sort(key=lambda row: row[:2])
    for _, name, alike_by_term in rows[: _NAMES if snapshot.graph.is_whole else _NAMES_READ]:
        for symbol in _called(snapshot, name):
            for place, alike in alike_by_term.items():
                yield place, symbol, alike


def _called(snapshot: Snapshot, name: str) -> list[Symbol]:
    """The first elements of a name, those outside tests first."""
    files = sorted(snapshot.graph.defining(name), key=lambda path: (is_test(path) or is_aside(path), path))
    symbols = (
        symbol
        for path in files[:_NAMESAKES]
        for symbol in snapshot.graph.outline(path)[1:]
        if symbol.name == name or symbol.qualified_name == name
    )
    return [symbol for symbol, _ in zip(symbols, range(2 * _NAMESAKES), strict=False)]


def _alike(name: str, lower: str, term: _Name) -> float:
    """The score of a name for a term."""
    if lower in (term.text, term.written):
        return _NAMED
    if any(part.lower() == term.written or term_of(part.lower()) == term.text for part in _PARTS.findall(name)):
        return _WHOLE + 2.0 * len(term.text) / len(name)
    # `proxy` in selectProxyServer begins at a hump, as it does in select_proxy at a part.
    humps = any(name[at : at + 1].isupper() and lower.startswith(term.text, at) for at in range(1, len(name)))
    if humps or term.pattern.search(name):
        return _PART * (0.5 + 0.5 * len(term.text) / len(name))
    return _INSIDE


def _ranked(
    snapshot: Snapshot, tallies: dict[str, _Tally], terms: Terms, search: TextSearch, *, tests: bool
) -> list[Wanted]:
    """The elements, the best first, without those that score little beside it."""
    _hand_up(snapshot, tallies)
    rows = []
    for tally in tallies.values():
        symbol = tally.symbol
        _surrounded(tally, terms)
        worth = sum(search.weights[place] * best for place, (best, _, _) in tally.best.items())
        worth *= math.sqrt(len(tally.best)) * _prior(symbol.file, tests=tests) * _KINDS.get(symbol.kind, 1.0)
        worth *= _UNSAID if symbol.name.startswith("__") else 1.0
        line = max(tally.best.values())[2]
        rows.append(Wanted(symbol, worth, {place: where for place, (_, where, _) in tally.best.items()}, line))
    rows.sort(key=_order)
    if not rows or not snapshot.graph.is_whole:  # their users aren't known
        return [row for row in rows if row.worth >= rows[0].worth * _NEAR_BEST]
    # A widely used element is more often meant.
    users = [len(snapshot.graph.edges_to(row.symbol.id)) for row in rows[:_NAMES]]
    used = [row._replace(worth=row.worth * (1 + _USED * math.log1p(n))) for row, n in zip(rows, users, strict=False)]
    used.sort(key=_order)
    return [row for row in [*used, *rows[_NAMES:]] if row.worth >= used[0].worth * _NEAR_BEST]


def _order(row: Wanted) -> tuple[float, str, int]:
    return -row.worth, row.symbol.file, row.symbol.line


def _hand_up(snapshot: Snapshot, tallies: dict[str, _Tally]) -> None:
    """Add a part of the members' scores to their parents."""
    for tally in list(tallies.values()):
        owner = snapshot.graph.symbols.get(tally.symbol.parent)
        if owner is not None and owner.kind is not SymbolKind.MODULE and owner.id in tallies:
            for term, (worth, _, line) in tally.best.items():
                tallies[owner.id].add(term, _HELD * min(worth, _PLACE["comment"]), "held", line)


def _surrounded(tally: _Tally, terms: Terms) -> None:
    """The terms in the name of the enclosing element, or in the path."""
    around, path = tally.symbol.qualified_name.lower(), tally.symbol.file.lower()
    for place, text in enumerate(terms.texts):
        lower = text.lower()
        if place not in tally.best and len(text) > 2 and (lower in around or lower in path):
            is_around = lower in around
            tally.add(place, _AROUND if is_around else _PATH, "around" if is_around else "path", tally.symbol.line)


def _lines(found: Matches, rows: list[tuple[float, Spot]], terms: Terms) -> None:
    """The best lines: those with a phrase if there are any, else those that score nearly as much as the best."""
    rows.sort(key=lambda row: (-row[0], row[1].file, row[1].line))
    least = rows[0][0] * (0.5 if len(terms.texts) > 1 else 0.0) if rows else 0.0
    best = [spot for worth, spot in rows if worth >= least]
    found.lines = best[:_MOST_LINES]
    found.lines_total = len(best)
    found.files = len({spot.file for spot in best})


def _spot(file: TextFile, line: TextLine, where: Where, symbol: Symbol | None) -> Spot:
    inside = symbol.qualified_name if symbol is not None and symbol.kind is not SymbolKind.MODULE else ""
    return Spot(file=file.path, line=line.number, inside=inside, text=_line_of(file, line).strip(), where=where)


def _line_of(file: TextFile, line: TextLine) -> str:
    """The line; of a long line, the part around the match."""
    begin = max(file.text.rfind("\n", 0, line.start) + 1, line.start - _LINE // 2)
    end = file.text.find("\n", line.start, line.start + _LINE)
    return file.text[begin : end if end >= 0 else line.start + _LINE]


def _prior(path: str, *, tests: bool) -> float:
    if is_test(path):
        return 1.0 if tests else _TEST
    return _ASIDE if is_aside(path) else _DECLARED if path.endswith(".d.ts") else 1.0
