"""Names the files whose uses are missing from every answer, because they were given up or are too large."""

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of
from bearings.code.models import Symbol
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.words import Budget, Search, Word
from bearings.code.search.element_words import words_of
from bearings.untrusted import named

_REASONS = frozenset({SkipReason.GIVEN_UP, SkipReason.UNRESOLVED, SkipReason.TOO_LARGE})
_MOST = 5
_BUDGET = Budget(seconds=1.0)
_LARGER = "CODEREF_MAX_FILE_BYTES takes larger files"


class LeftOut(NamedTuple):
    """A file, its number of lines, and the first line with the word; both are 0 where the file was not searched."""

    path: str
    reason: SkipReason
    line: int
    lines: int

    def to_text(self) -> str:
        """A part of a list: `given up: a.py, 263 lines, holds the word`."""
        size = f", {self.lines} lines, holds the word" if self.lines else ""
        return f"{self.reason.partition(':')[0]}: {named(self.path)}{size}"


def left_out(snapshot: Snapshot, words: Collection[Word]) -> Iterator[LeftOut]:
    """The files that hold a word, by path; the others, too, if not all could be searched."""
    files = _candidates(snapshot)
    search = Search(snapshot.tree, [one.path for one in files], words, _BUDGET)
    holding = {file.path: (file.hits[0].line, len(file.text.splitlines())) for file in search.files()} if files else {}
    for one in files:
        # A file that the search did not reach may hold the word.
        if one.path in holding or not search.complete:
            yield LeftOut(one.path, one.reason, *holding.get(one.path, (0, 0)))


def left_out_note(snapshot: Snapshot, symbol: Symbol | None, *words: str) -> str:
    """The note on these files in a reply about an element, or about any words; empty for none."""
    own = words_of(snapshot, symbol) if symbol is not None else ()
    return _listed(list(left_out(snapshot, [*(word for word in own if word.text), *map(Word, words)])))


def left_out_files(snapshot: Snapshot) -> str:
    """The note on these files in a reply about all elements; empty for none."""
    rows = [LeftOut(skipped.path, skipped.reason, 0, 0) for skipped in _candidates(snapshot)]
    return f"Elements of these files are missing, and uses in them: {_listed(rows)}." if rows else ""


def _listed(rows: list[LeftOut]) -> str:
    more = [f"{len(rows) - _MOST} more"] if len(rows) > _MOST else []
    is_large = any(row.reason is SkipReason.TOO_LARGE for row in rows)
    return "; ".join([*(row.to_text() for row in rows[:_MOST]), *more, *([_LARGER] if is_large else [])])


def left_out_rows(snapshot: Snapshot, symbol: Symbol) -> Iterator[tuple[str, int, str]]:
    """The places where an edit of an element may be wrong, because nothing is known of the file."""
    for row in left_out(snapshot, [Word(symbol.name)]):
        yield row.path, max(row.line, 1), f"the file was left out ({row.reason.partition(':')[0]}), and may use it"


@lru_cache(maxsize=1)
def _candidates(snapshot: Snapshot) -> tuple[Skipped, ...]:
    """The sources that were left out, of which any may use any element."""
    return tuple(one for one in snapshot.skipped if one.reason in _REASONS and language_of(one.path) is not None)
