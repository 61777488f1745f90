"""What became of the elements of an index: which are where they were, have moved, were renamed, or are gone."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bearings.code.coderefs.elements import Texts, elements_of
from bearings.code.coderefs.pairing import Pairing
from bearings.code.formats.index_json import Entry
from bearings.code.models import Symbol
from bearings.code.refresh import Snapshot

_SURE = 0.9
"""The confidence from which on a reference may be rewritten without asking."""


class Status(StrEnum):
    """What became of an element; `moved` to another line or file, `renamed` in any part of its qualified name."""

    MISSING = "missing"
    AMBIGUOUS = "ambiguous"
    RENAMED = "renamed"
    MOVED = "moved"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Drifted:
    """What became of one element. `modified` is None where the index has no fingerprint of its text."""

    entry: Entry
    status: Status
    confidence: float
    symbol: Symbol | None = None
    modified: bool | None = None
    candidates: tuple[Symbol, ...] = ()

    @property
    def auto_fixable(self) -> bool:
        """Whether a reference to it can be rewritten without asking."""
        return self.status in (Status.MOVED, Status.RENAMED) and self.confidence >= _SURE


@dataclass(frozen=True, slots=True)
class Report:
    """All elements of the index in its order, and the symbols that it has no element for."""

    drifted: tuple[Drifted, ...]
    added: tuple[Symbol, ...]


def drift_of(snapshot: Snapshot, entries: Sequence[Entry]) -> Report:
    """Compares an index with the project as it is."""
    pairing = Pairing(entries, elements_of(snapshot), Texts(snapshot.root)).run()
    claimed = {symbol.id for rivals in pairing.unclear.values() for symbol in rivals}
    return Report(
        tuple(_drifted(pairing, number) for number in range(len(entries))),
        tuple(pairing.symbols[key] for key in pairing.free if key not in claimed),
    )


def _drifted(pairing: Pairing, number: int) -> Drifted:
    entry = pairing.entries[number]
    if number in pairing.unclear:
        return Drifted(entry, Status.AMBIGUOUS, 0.5, candidates=pairing.unclear[number])
    if number not in pairing.found:
        return Drifted(entry, Status.MISSING, 1.0)
    symbol, confidence = pairing.found[number]
    modified = pairing.prints[symbol.id].hash != entry.hash if entry.hash else None
    return Drifted(entry, _status(entry, symbol), round(confidence, 2), symbol, modified)


def _status(entry: Entry, symbol: Symbol) -> Status:
    if symbol.qualified_name != entry.qualified_name:
        return Status.RENAMED
    if symbol.file != entry.file or (entry.line and symbol.line != entry.line):
        return Status.MOVED
    return Status.UNCHANGED
