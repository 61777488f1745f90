"""Drift: which elements of an index are unchanged, moved, renamed, or gone."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bearings.code.coderefs.pairing import Pairing
from bearings.code.formats.index_json import Entry
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol

_SURE = 0.9
"""The least confidence for rewriting a reference without review."""


class Status(StrEnum):
    """The fate of an element: `moved` to another file or past other elements, `renamed` in any part of its name.

    An element whose line changed because of edits above it is `unchanged`: listing those would hide the moved ones.
    """

    MISSING = "missing"
    AMBIGUOUS = "ambiguous"
    RENAMED = "renamed"
    MOVED = "moved"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Drifted:
    """The fate of one element. `modified` is None if the index has no fingerprint of its text.

    `shifted`: it is unchanged, but on another line.
    """

    entry: Entry
    status: Status
    confidence: float
    symbol: Symbol | None = None
    modified: bool | None = None
    candidates: tuple[Symbol, ...] = ()

    @property
    def shifted(self) -> bool:
        """Whether its line changed, without passing another element of its file."""
        is_there = self.status is Status.UNCHANGED and self.symbol is not None
        return is_there and self.entry.line not in (0, self.symbol.line)  # type: ignore[union-attr]

    @property
    def auto_fixable(self) -> bool:
        """Whether a reference to it can be rewritten without review."""
        return self.status in (Status.MOVED, Status.RENAMED) and self.confidence >= _SURE


@dataclass(frozen=True, slots=True)
class Report:
    """All elements of the index in its order, and the symbols that are new since."""

    drifted: tuple[Drifted, ...]
    added: tuple[Symbol, ...]


def drift_of(snapshot: Snapshot, entries: Sequence[Entry]) -> Report:
    """Compare an index with the project."""
    pairing = Pairing(entries, snapshot).run()
    claimed = {symbol.id for rivals in pairing.unclear.values() for symbol in rivals}
    return Report(
        tuple(_passing([_drifted(pairing, number) for number in range(len(entries))])),
        tuple(pairing.symbols[key] for key in pairing.free if key not in claimed),
    )


def _drifted(pairing: Pairing, number: int) -> Drifted:
    entry = pairing.entries[number]
    if number in pairing.unclear:
        return Drifted(entry, Status.AMBIGUOUS, 0.5, candidates=pairing.unclear[number])
    if number not in pairing.pairs:
        return Drifted(entry, Status.MISSING, 1.0)
    symbol, confidence = pairing.pairs[number]
    modified = pairing.prints[symbol.id].hash != entry.hash if entry.hash else None
    return Drifted(entry, _status(entry, symbol), round(confidence, 2), symbol, modified)


def _status(entry: Entry, symbol: Symbol) -> Status:
    if symbol.qualified_name != entry.qualified_name:
        return Status.RENAMED
    return Status.UNCHANGED if symbol.file == entry.file else Status.MOVED


def _passing(drifted: list[Drifted]) -> list[Drifted]:
    """Mark as moved the fewest elements that explain the new order within each file."""
    stayed: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(drifted):
        if one.status is Status.UNCHANGED and one.entry.line:
            stayed[one.entry.file].append(number)
    for numbers in stayed.values():
        numbers.sort(key=lambda number: drifted[number].entry.line)
        lines = [one.symbol.line if (one := drifted[number]).symbol else 0 for number in numbers]
        for place in set(range(len(numbers))) - set(_rising(lines)):
            drifted[numbers[place]] = replace(drifted[numbers[place]], status=Status.MOVED)
    return drifted


def _rising(lines: Sequence[int]) -> list[int]:
    """The indices of a longest non-decreasing subsequence (Fredman 1975)."""
    ends: list[tuple[int, int]] = []
    before: list[int] = []
    for place, line in enumerate(lines):
        at = bisect_left(ends, (line + 1, -1))
        before.append(ends[at - 1][1] if at else -1)
        ends[at : at + 1] = [(line, place)]
    rising = [ends[-1][1]] if ends else []
    while rising and before[rising[-1]] >= 0:
        rising.append(before[rising[-1]])
    return rising[::-1]
