"""Other elements of a bare name: a top-level element wins over members of its name, so the reply tells of these."""

from collections.abc import Sequence
from typing import NamedTuple

from bearings.code.analyses.capabilities import lacks
from bearings.code.analyses.members import with_members
from bearings.code.analyses.place_formats import readings
from bearings.code.analyses.reach import IMPORTS, certain
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import Symbol, SymbolKind
from bearings.untrusted import named

_SHOWN = 5
_COUNTED = 50
"""The most elements of one name whose uses are counted."""


class Namesake(NamedTuple):
    """An element of the same name, the spelling that asks for it, and the number of its uses; None: unknown."""

    symbol: Symbol
    spelling: str
    uses: int | None


def namesakes(snapshot: Snapshot, asked: str | None, symbol: Symbol) -> list[Namesake]:
    """The elements that a bare name may mean beside `symbol`, which was taken for it; the most used first."""
    if not asked or symbol.kind is SymbolKind.MODULE or not _is_bare(asked, symbol.qualified_name):
        return []
    own = with_members(snapshot, symbol)
    others = [other for other in snapshot.graph.longer_names(symbol.qualified_name) if other.id not in own]
    found = [
        Namesake(other, _spelling(snapshot, other), _uses(snapshot, other) if place < _COUNTED else None)
        for place, other in enumerate(others)
    ]
    found.sort(key=lambda row: (-(row.uses or 0), is_test(row.symbol.file)))
    return found


def namesakes_told(snapshot: Snapshot, asked: str | None, symbol: Symbol) -> str:
    """Which element was taken for a bare name, and the others of that name; empty if there are none."""
    found = namesakes(snapshot, asked, symbol)
    if not found:
        return ""
    uses = _uses(snapshot, symbol)
    taken, name = named(symbol.id), named(symbol.qualified_name)
    used = [row for row in found if row.uses]
    if uses == 0 and len(used) == 1:
        other = named(used[0].spelling)
        return f"Probably not what you mean: {taken} has no use, but {other} has {used[0].uses}: ask for {other}."
    shown = (used or found)[:_SHOWN]
    others = ", ".join(f"{named(row.spelling)}{_counted(row.uses)}" for row in shown)
    more = f" and {len(found) - len(shown)} more" if len(found) > len(shown) else ""
    start = (
        f"Maybe not what you mean: {taken} has no use" if uses == 0 and used else f"{taken} was taken{_counted(uses)}"
    )
    ask = named(shown[0].spelling) if len(found) == 1 else "one of these"
    return f"{start}; {name} is also {others}{more}: ask for {ask} to get it."


def _is_bare(asked: str, name: str) -> bool:
    """Whether the caller's text is the name alone, without a file."""
    return asked.strip() == name or any(one.name == name and not one.path for one in readings(asked))


def _spelling(snapshot: Snapshot, symbol: Symbol) -> str:
    """The qualified name if it means this element alone, else its id."""
    return symbol.qualified_name if snapshot.graph.find(symbol.qualified_name) == [symbol] else symbol.id


def _uses(snapshot: Snapshot, symbol: Symbol) -> int | None:
    """The number of uses of an element and its members from outside, without imports; None if uses are guesses."""
    if lacks(symbol.file, Capability.EDGES):
        return None
    members = with_members(snapshot, symbol)
    return sum(
        edge.kind not in IMPORTS and (len(members) == 1 or edge.source not in members)
        for member in members
        for edge in certain(snapshot.graph.edges_to(member))
    )


def _counted(uses: int | None) -> str:
    """A number of uses in brackets; empty if it is unknown."""
    return "" if uses is None else f" ({uses} {'use' if uses == 1 else 'uses'})"


def symbols_of(found: Sequence[Namesake]) -> list[Symbol]:
    """The elements of some rows that a reply shows."""
    return [row.symbol for row in found[:_SHOWN]]
