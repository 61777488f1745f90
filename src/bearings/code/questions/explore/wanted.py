"""Search for elements and lines by words, as BM25 ranks texts: functions and their files, by words that are rare.

A term counts in an element by the lines that hold it, a name and a path more; its file's score is added, so that one
function of a file about the subject beats one of another file. The weights are fitted to commits: their messages are
the questions, the functions that they change the answers (benchmarks/localisation.py, the development half).
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.fulltext import TextFile, TextLine, TextSearch, is_phrase
from bearings.code.project.names import is_aside
from bearings.code.questions.explore.answer import Spot
from bearings.code.questions.explore.terms import Terms, term_of
from bearings.code.questions.explore.translated import shown_texts
from bearings.code.questions.explore.within import Around, innermost

_SATURATION, _LENGTH, _USUAL_LINES = 1.0, 0.15, 20
"""BM25's k1 and b for an element, and the number of lines at which its length does not count."""
_FILE, _FILE_SATURATION, _USUAL_CHARACTERS = 0.2, 1.5, 8_000
"""The weight of the score of an element's file, k1 for that, and the size at which it does not count."""
_FILES_READ = 25
"""The most files whose elements are looked at: without an index each is parsed."""
_IN_PATH, _IN_CONTAINER, _LOOSE, _IN_COMMENT = 2.0, 1.0, 0.25, 0.5
"""Lines that a term counts as in the path, in the name of the container, where it only begins a word, in a comment."""
_NAMED, _NAMED_ALONE = 0.4, 1.5
"""The weight of the share of a name that terms make up: in long questions, and how much more for a single word."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_COMMENT = ("//", "#", "*", "/*", "--", '"""')

_TEST, _ASIDE, _DECLARED = 0.25, 0.5, 0.7
_KINDS = {
    SymbolKind.MODULE: 0.3,
    SymbolKind.PROPERTY: 0.4,
    SymbolKind.VARIABLE: 0.4,
    SymbolKind.CONSTANT: 0.4,
    SymbolKind.INTERFACE: 0.4,
    SymbolKind.TYPE: 0.4,
    SymbolKind.ENUM: 0.4,
    SymbolKind.CLASS: 0.6,
}
"""Weights of kinds that are rarely the subject."""

_DECIDING, _MOST_PLACED = 8, 20
"""The most lines that are named as those that hold the words, and elements whose lines are."""

_FEW_WORDS = 3
"""Questions of more words need no search by names: the files that hold them are enough."""
_NAMES = 80
_NAMES_READ = 15
"""The most names that are looked at; without an index the files that define each are read."""
_NAMESAKES = 8
_MOST_LINES = 40
_LINE = 200
_USED, _USERS_READ, _UNSAID = 0.08, 30, 0.7
"""Weights of an element's use and of a name that the language defines; elements whose users are counted."""

_WITH_FILE = 4.0
"""The weight of an element that a question names beside its file, relative to its rarest term."""

_BESIDE, _NEXT_BEST = 0.2, 0.5
"""The weight of its file's elements in an element's score, and that of each of them relative to the one before."""
_ANOTHER, _TWIN = 0.87, 0.5
"""What each further element of a file is worth relative to the one before, and an overload or a copy to the first."""

_NEAR_BEST = 0.3
"""The least score of an element or line relative to the best."""


class Wanted(NamedTuple):
    """An element, its score, its terms by place, and the lines that hold them, in order."""

    symbol: Symbol
    worth: float
    places: Mapping[int, str]
    lines: tuple[int, ...] = ()


@dataclass(slots=True)
class Matches:
    """The matches of some terms: elements and lines, the best first, and the search."""

    search: TextSearch
    elements: list[Wanted] = field(default_factory=list)
    lines: list[Spot] = field(default_factory=list)
    lines_total: int = 0
    files: int = 0


class _Tally:
    """The lines of an element that hold terms."""

    def __init__(self, symbol: Symbol) -> None:
        self.symbol = symbol
        self.lines: list[TextLine] = []
        self.comments: set[int] = set()
        """The numbers of those that are comments."""
        self.named: set[int] = set()
        self.shown: set[int] = set()
        """Those of texts that it shows, and the question quotes."""


def _counts(lines: Iterable[TextLine], terms: int, comments: Collection[int] = ()) -> list[float]:
    """In how many lines each term stands."""
    found = [0.0] * terms
    for line in lines:
        whole = _IN_COMMENT if line.number in comments else 1.0
        for term in line.terms:
            found[term] += _LOOSE if term in line.loose else whole
    return found


_Row = tuple[float, str, int, TextFile, TextLine, Symbol | None]
"""A line for the list of lines: its score, negative, its place, and the element around it if that is known."""


class _Ranking:
    """Scores of the elements of some files for the terms of a question."""

    def __init__(self, terms: Terms, search: TextSearch, *, tests: bool) -> None:
        self._weights = search.weights
        self._terms = terms
        self._tests = tests
        self._plain = {text: place for place, text in enumerate(terms.texts) if not is_phrase(text)}
        parts = ((place, _stems(text)) for text, place in self._plain.items())
        self._compound = [(place, stems) for place, stems in parts if len(stems) > 1]  # user_id in validate_user_id
        words = sum(not is_phrase(text) for text in terms.texts)
        self._named = _NAMED + _NAMED_ALONE / max(1, words)
        self._files: dict[str, float] = {}
        self._paths = tuple(word for word in terms.words if "/" in word and "." in word)

    def file(self, file: TextFile) -> float:
        """The score of a file by its lines, which counts for its elements, too."""
        counts = _counts(file.lines, len(self._weights))
        for term in self._in(_stems(file.path)):
            counts[term] += 2 * _IN_PATH
        length = _FILE_SATURATION * (1 - _LENGTH + _LENGTH * len(file.text) / _USUAL_CHARACTERS)
        self._files[file.path] = self._sum(counts, length)
        return self._files[file.path] * _prior(file.path, tests=self._tests)

    def worth(self, tally: _Tally) -> float:
        """The score of an element."""
        symbol = tally.symbol
        counts = _counts(tally.lines, len(self._weights), tally.comments)
        for place in self._in(_stems(symbol.file)):
            counts[place] += _IN_PATH
        own, around = symbol.name, symbol.qualified_name
        for place in self._in(_stems(around.removesuffix(own))):
            counts[place] += _IN_CONTAINER
        lines = symbol.end_line - symbol.line + 1
        worth = self._sum(counts, _SATURATION * (1 - _LENGTH + _LENGTH * lines / _USUAL_LINES))
        worth += self._named * self._share(tally) + _FILE * self._files.get(symbol.file, 0.0)
        worth += sum(self._weights[term] for term in tally.shown)
        if self._paths and symbol.file.endswith(self._paths) and not self._terms.words.isdisjoint((own, around)):
            worth += _WITH_FILE * max(self._weights)
        worth *= _prior(symbol.file, tests=self._tests) * _KINDS.get(symbol.kind, 1.0)
        return worth * (_UNSAID if own.startswith("__") else 1.0)

    def _sum(self, counts: Sequence[float], length: float) -> float:
        rows = zip(counts, self._weights, strict=True)
        return sum(weight * count / (count + length) for count, weight in rows if count)

    def _in(self, stems: frozenset[str]) -> list[int]:
        found = [self._plain[stem] for stem in stems if stem in self._plain]
        return found + [place for place, parts in self._compound if parts <= stems]

    def _share(self, tally: _Tally) -> float:
        """The weight of the terms in the element's name, by the share of the name that they make up."""
        name = tally.symbol.name if tally.symbol.kind is not SymbolKind.MODULE else ""
        stems = _stems(name)
        tally.named.update(self._in(stems))
        total = sum(self._weights[place] for place in tally.named) / max(1, len(stems))
        for place, written in enumerate(self._terms.written):
            if name and written.lower() == name.lower():
                tally.named.add(place)
                return max(total, self._weights[place])
        return total


@lru_cache(maxsize=1 << 16)
def _stems(name: str) -> frozenset[str]:
    """The parts of a name or path, without endings."""
    return frozenset(term_of(part.lower()) for part in (_PARTS if name.isascii() else _WORDS).findall(name))


def matches(snapshot: Snapshot, terms: Terms, *, tests: bool = False) -> Matches:
    """The matches of the terms. `tests`: the question is about tests, so they score like other elements."""
    search = TextSearch(snapshot.tree, snapshot.project.paths, terms.texts, importance=terms.importance)
    result = Matches(search)
    tallies: dict[str, _Tally] = {}
    rows: list[_Row] = []
    ranking = _Ranking(terms, search, tests=tests)
    worths: dict[frozenset[int], float] = {}
    files = sorted(search.files, key=ranking.file, reverse=True)
    shown = shown_texts(snapshot, search, terms)
    read = set([file.path for file in files if file.path in snapshot.facts][:_FILES_READ])
    for file in shown.values():
        for line, symbol, _ in _placed(snapshot, file) if file.path in snapshot.facts else ():
            if symbol is not None:
                tally = tallies.setdefault(symbol.id, _Tally(symbol))
                tally.lines.append(line)
                tally.shown |= line.terms
    for file in files:
        prior = _prior(file.path, tests=tests)
        placed = _placed(snapshot, file) if file.path in read else ((line, None, False) for line in file.lines)
        for line, symbol, is_comment in placed:
            if line.terms not in worths:
                worths[line.terms] = search.worth(line.terms)
            rows.append((-worths[line.terms] * prior, file.path, line.number, file, line, symbol))
            if symbol is not None:
                tally = tallies.setdefault(symbol.id, _Tally(symbol))
                tally.lines.append(line)
                tally.comments.update((line.number,) if is_comment else ())
    if sum(not is_phrase(text) for text in terms.texts) <= _FEW_WORDS:
        for symbol in _by_name(snapshot, terms):
            tallies.setdefault(symbol.id, _Tally(symbol))
    result.elements = _ranked(snapshot, tallies.values(), ranking)
    for place, row in enumerate(result.elements[:_MOST_PLACED]):
        result.elements[place] = _placing(row, tallies[row.symbol.id], terms, search)
    _lines(snapshot, result, rows, terms)
    return result


def _placed(snapshot: Snapshot, file: TextFile) -> Iterator[tuple[TextLine, Symbol | None, bool]]:
    """The matching lines of a file, the element of each (of a comment, the one below), and whether it is a comment."""
    lines: list[bytes] = []
    around = Around(snapshot, file.path)
    for line in file.lines:
        symbol = around.at(line.number)
        is_comment = symbol is not None and _line_of(file, line).lstrip().startswith(_COMMENT)
        if symbol is not None and is_comment:
            lines = lines or file.text.encode("utf-8", "replace").split(b"\n")
            below = around.below(line.number, lines)
            symbol = below if below is not None and below.end_line <= max(symbol.end_line, below.line) else symbol
        yield line, symbol, is_comment


def _by_name(snapshot: Snapshot, terms: Terms) -> Iterator[Symbol]:
    """The elements whose names have the most terms as parts, the shortest first."""
    wanted = {text.lower() for text in (*terms.texts, *terms.written) if not re.search(r"\s", text)}
    rows = []
    for name in snapshot.graph.spelled_with(wanted):
        stems = _stems(name)
        held = sum(text in stems for text in terms.texts) + sum(word.lower() == name.lower() for word in terms.written)
        rows.append((-held, len(name), name))
    rows.sort()
    for _, _, name in rows[: _NAMES if snapshot.graph.is_whole else _NAMES_READ]:
        yield from _called(snapshot, name)


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


def _ranked(snapshot: Snapshot, tallies: Iterable[_Tally], ranking: _Ranking) -> list[Wanted]:
    """The elements, the best first, without those that score little beside it."""
    rows = [Wanted(tally.symbol, ranking.worth(tally), {}) for tally in tallies]
    rows = _lifted(sorted(rows, key=_order))
    rows = _spread([row for row in rows if row.worth >= rows[0].worth * _NEAR_BEST])
    if not snapshot.graph.is_whole:  # their users aren't known
        return rows
    # A widely used element is more often meant.
    users = [len(snapshot.graph.edges_to(row.symbol.id)) for row in rows[:_USERS_READ]]
    used = [row._replace(worth=row.worth * (1 + _USED * math.log1p(n))) for row, n in zip(rows, users, strict=False)]
    return [*sorted(used, key=_order), *rows[_USERS_READ:]]


def _lifted(rows: list[Wanted]) -> list[Wanted]:
    """The elements again, each with a part of the scores of its file's best: several good ones tell where to look."""
    best: dict[str, list[float]] = {}
    for row in rows:
        best.setdefault(row.symbol.file, []).append(row.worth)
    part = {file: _BESIDE * sum(one * _NEXT_BEST**n for n, one in enumerate(worths)) for file, worths in best.items()}
    return sorted((row._replace(worth=row.worth + part[row.symbol.file]) for row in rows), key=_order)


def _spread(rows: list[Wanted]) -> list[Wanted]:
    """The elements again, each of a file worth less than the one before it: the first are of several files.

    So are overloads, and functions of one name and length in files of one name, which are copies.
    """
    before: Counter[str] = Counter()
    seen: set[tuple[str, str, int]] = set()
    spread = []
    for row in rows:
        file, name, lines = row.symbol.file, row.symbol.qualified_name, row.symbol.end_line - row.symbol.line
        twins = {(file, name, -1), (file.rpartition("/")[2], name, lines)}
        worth = row.worth * _ANOTHER ** before[file] * (1.0 if seen.isdisjoint(twins) else _TWIN)
        spread.append(row._replace(worth=worth))
        before[file] += 1
        seen |= twins
    return sorted(spread, key=_order)


def _order(row: Wanted) -> tuple[float, str, int]:
    return -row.worth, row.symbol.file, row.symbol.line


def _placing(row: Wanted, tally: _Tally, terms: Terms, search: TextSearch) -> Wanted:
    """An element with the places of its terms, and the lines that decide: each adds terms, the rarest first."""
    symbol, held = tally.symbol, {term for line in tally.lines for term in line.terms - line.loose}
    places = dict.fromkeys(held, "text") | dict.fromkeys(tally.named, "name")
    around, path = _stems(symbol.qualified_name), _stems(symbol.file)
    for place, text in enumerate(terms.texts):
        if place not in places and (text in around or text in path):
            places[place] = "around" if text in around else "path"
    left, deciding = list(dict.fromkeys(tally.lines)), list[TextLine]()
    seen: set[int] = set()
    while left and len(deciding) < _DECIDING:
        best = max(left, key=lambda line: (search.worth(line.terms - seen), search.worth(line.terms), -line.number))
        left.remove(best)
        deciding.append(best)
        seen |= best.terms
    return row._replace(places=places, lines=tuple(sorted({line.number for line in deciding})))


def _lines(snapshot: Snapshot, found: Matches, rows: list[_Row], terms: Terms) -> None:
    """The best lines: those with a phrase if there are any, else those that score nearly as much as the best."""
    rows.sort(key=lambda row: row[:3])
    least = -rows[0][0] * (0.5 if len(terms.texts) > 1 else 0.0) if rows else 0.0
    best = [row for row in rows if -row[0] >= least]
    found.lines = [
        _spot(file, line, symbol or innermost(snapshot, path, line.number))
        for _, path, _, file, line, symbol in best[:_MOST_LINES]
    ]
    found.lines_total = len(best)
    found.files = len({row[1] for row in best})


def _spot(file: TextFile, line: TextLine, symbol: Symbol | None) -> Spot:
    inside = symbol.qualified_name if symbol is not None and symbol.kind is not SymbolKind.MODULE else ""
    return Spot(file=file.path, line=line.number, inside=inside, text=_line_of(file, line).strip())


def _line_of(file: TextFile, line: TextLine) -> str:
    """The line; of a long line, the part around the match."""
    begin = max(file.text.rfind("\n", 0, line.start) + 1, line.start - _LINE // 2)
    end = file.text.find("\n", line.start, line.start + _LINE)
    return file.text[begin : end if end >= 0 else line.start + _LINE]


def _prior(path: str, *, tests: bool) -> float:
    if is_test(path):
        return 1.0 if tests else _TEST
    return _ASIDE if is_aside(path) else _DECLARED if path.endswith(".d.ts") else 1.0
