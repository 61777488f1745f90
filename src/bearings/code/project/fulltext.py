"""Ranked search for several words or phrases in all files of a project. Words in few files weigh more.

There is no index (docs/decisions/0020). The bytes of every file are searched once for each term, ignoring case; lines
are determined in the best files only. A term is a phrase, or the start of a word or of a part of one: `retry` matches
`retryDelay`, `maxRetry` and `max_retry`, but not `poretry`.

    search = TextSearch(root, paths, ["connection refused", "retry"])
    search.files[0].path, search.files[0].lines[0].number
"""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from bearings.code.languages import language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.project.names import is_aside
from bearings.code.project.tree import Tree
from bearings.code.project.words import Budget, Texts

_BEST = 100
"""The most files whose lines are determined, and their most bytes in total."""
_BEST_BYTES = 4_000_000

_MOST_LINES = 120
"""The most lines of one file in the result: those with the most terms."""

_MOST_MATCHES = 20_000
"""The most places of one term in one file."""

_PHRASE = 3.0
"""The weight of a phrase relative to a word."""

_RARITY = 0.7
"""The exponent of BM25's weight of rarity: in whole sentences the rarest word is seldom the subject."""

_ASIDE = 0.6
"""The weight of tests, examples and documentation."""

_ASIDE_CHOSEN = 0.3
"""Their weight when the files are chosen whose lines are determined: they must not crowd out the sources."""

_ENDINGS = frozenset({"", "s", "es", "ed", "ing", "er", "ers", "y", "ies", "ied", "e", "ion", "ions"})
"""What may follow a term in a word that has its stem."""

_CHANCES = 12
"""The most places of a term in a file that are looked at for one where a word begins."""


class TextLine(NamedTuple):
    """A line that holds terms; `start` is the offset of the first in the file's text.

    `loose` are those that only begin a longer word: `part` in `partition`.
    """

    number: int
    start: int
    terms: frozenset[int]
    loose: frozenset[int] = frozenset()


class TextFile(NamedTuple):
    """A file that holds terms: its text, its lines in order, and their total score."""

    path: str
    text: str
    lines: list[TextLine]
    worth: float


class TextSearch(Texts):
    """One search. `weights` has the weight of each term; `files_with_term` the number of files that hold it."""

    def __init__(
        self,
        tree: Tree,
        paths: Collection[str],
        terms: Sequence[str],
        budget: Budget | None = None,
        importance: Sequence[float] = (),
    ) -> None:
        super().__init__(tree, paths, budget)
        self._terms = list(terms)
        self._importance = importance or [1.0] * len(self._terms)
        self._needles = [_needles(term) for term in terms]
        self._literal = [is_phrase(term) for term in terms]
        self.files_with_term = [0] * len(self._terms)

    @cached_property
    def files(self) -> list[TextFile]:
        """The best files with their lines, those with the most and rarest terms first."""
        self._ranked = self._searched()
        searched = [self._matching_lines(path, data) for path, data, _ in self._ranked]
        return sorted((file for file in searched if file.lines), key=lambda file: (-file.worth, file.path))

    @cached_property
    def weights(self) -> list[float]:
        """The weight of each term by its rarity."""
        total = max(1, self.searched)
        return [
            math.log(1 + (total - count + 0.5) / (count + 0.5)) ** _RARITY
            * (_PHRASE if is_phrase(term) else 1.0)
            * share
            for term, count, share in zip(self._terms, self.files_with_term, self._importance, strict=True)
        ]

    def worth(self, terms: Collection[int]) -> float:
        """The score of several terms: a line with two of three words scores more than two lines with one each."""
        return sum(self.weights[term] for term in terms) * math.sqrt(len(terms))

    def _searched(self) -> list[tuple[str, bytes, float]]:
        """The best files, with their bytes."""
        holding: list[tuple[str, frozenset[int], int]] = []
        for path, data in self.read():
            present = self._present(data)
            if present:
                holding.append((path, present, len(data)))
                for term in present:
                    self.files_with_term[term] += 1
        ranked = sorted(
            ((path, self._file_worth(path, terms, _ASIDE_CHOSEN), size) for path, terms, size in holding), key=_order
        )
        best_files: dict[str, float] = {}
        room = _BEST_BYTES
        for path, worth, size in ranked[: 2 * _BEST]:
            if len(best_files) < _BEST and size <= room:
                best_files[path] = worth
                room -= size
        texts = Texts(self._tree, best_files, self._budget)
        return [(path, data, best_files[path]) for path, data in texts.read()]

    def _present(self, data: bytes) -> frozenset[int]:
        """The terms that a file may hold."""
        lower, present = data.lower(), []
        for place, needles in enumerate(self._needles):
            for needle in needles:
                at = lower.find(needle)
                if at >= 0 and (self._literal[place] or _begins_word(data, lower, needle, at)):
                    present.append(place)
                    break
        return frozenset(present)

    def _file_worth(self, path: str, terms: frozenset[int], aside: float = _ASIDE) -> float:
        is_set_aside = is_test(path) or is_aside(path) or language_of(path) is None
        return self.worth(terms) * (aside if is_set_aside else 1.0)

    def _matching_lines(self, path: str, data: bytes) -> TextFile:
        """The lines of a file that hold terms; the best of them if there are many."""
        text = as_utf8(language_of(path), data).decode("utf-8", "replace")
        lower = _lower(text)
        starts: dict[int, int] = {}
        terms: dict[int, set[int]] = {}
        exact: dict[int, set[int]] = {}
        for place, term in enumerate(self._terms):
            line, at = 1, 0
            for start in _starts(text, lower, term):
                line, at = line + text.count("\n", at, start), start
                terms.setdefault(line, set()).add(place)
                starts[line] = min(at, starts.get(line, at))
                if self._literal[place] or _rest(lower, start + len(term)) in _ENDINGS:
                    exact.setdefault(line, set()).add(place)
        lines = [
            TextLine(line, starts[line], frozenset(terms[line]), frozenset(terms[line] - exact.get(line, set())))
            for line in sorted(terms)
        ]
        if len(lines) > _MOST_LINES:
            worth = {terms: self.worth(terms) for terms in {line.terms for line in lines}}
            lines = sorted(sorted(lines, key=lambda line: -worth[line.terms])[:_MOST_LINES])
        return TextFile(path, text, lines, self._file_worth(path, frozenset().union(*terms.values())))


def is_phrase(term: str) -> bool:
    """Whether a term has several words or punctuation, so that it is searched literally."""
    return re.fullmatch(r"\w+", term) is None


def _order(row: tuple[str, float, int]) -> tuple[float, str]:
    return -row[1], row[0]


def _needles(term: str) -> list[bytes]:
    """The bytes of a term as `bytes.lower` leaves them, which changes ASCII alone."""
    spellings = dict.fromkeys((term.lower(), term, term.upper(), term.title()))
    return list(dict.fromkeys(spelling.encode("utf-8", "replace").lower() for spelling in spellings))


def _begins_word(data: bytes, lower: bytes, needle: bytes, at: int) -> bool:
    """Whether a needle, first found at `at`, begins a word or a part of one: `tag` in `gitTag`, not in `stage`."""
    for _ in range(_CHANCES):
        if at <= 0 or not data[at - 1 : at].isalpha() or (data[at : at + 1].isupper() and data[at - 1 : at].islower()):
            return at >= 0
        at = lower.find(needle, at + 1)
    return at >= 0


def _rest(lower: str, at: int) -> str:
    """The letters of ASCII from an offset on."""
    letters = _LETTERS.match(lower, at)
    return letters[0] if letters else ""


def _lower(text: str) -> str:
    """The text in lower case with every character at its offset."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.encode().lower().decode()


def _starts(text: str, lower: str, term: str) -> Iterator[int]:
    """The offsets of a phrase, or of starts of words and word parts."""
    lower_term, is_literal = term.lower(), is_phrase(term)
    at = lower.find(lower_term)
    for _ in range(_MOST_MATCHES):
        if at < 0:
            return
        before = text[at - 1 : at]
        if is_literal or not before.isalpha() or (text[at].isupper() and before.islower()):
            yield at
        at = lower.find(lower_term, at + len(lower_term))


_LETTERS = re.compile(r"[a-z]*")
