"""Other elements of a bare name: one is taken for it (candidates.py), and the reply tells of the others."""

from collections.abc import Sequence
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol, SymbolKind
from bearings.code.search.candidates import bare_name, is_stand_in, uses_of
from bearings.code.search.members import with_members
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
    name = bare_name(asked, symbol) if asked and symbol.kind is not SymbolKind.MODULE else ""
    if not name:
        return []
    own = with_members(snapshot, symbol)
    named_so = {one.id: one for one in (*snapshot.graph.find(name), *snapshot.graph.longer_names(name))}
    others = [other for id_, other in named_so.items() if id_ not in own]
    found = [
        Namesake(other, _spelling(snapshot, other, name), uses_of(snapshot, other) if place < _COUNTED else None)
        for place, other in enumerate(others)
    ]
    found.sort(key=lambda row: (is_stand_in(row.symbol.file), -(row.uses or 0)))
    return found


def namesakes_told(snapshot: Snapshot, asked: str | None, symbol: Symbol) -> str:
    """Which element was taken for a bare name, and the others of that name; empty if there are none."""
    found = namesakes(snapshot, asked, symbol)
    if not found:
        return ""
    uses = uses_of(snapshot, symbol)
    taken, name = named(symbol.id), named(found[0].symbol.name)
    used = [row for row in found if row.uses and not is_stand_in(row.symbol.file)]
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


def _spelling(snapshot: Snapshot, symbol: Symbol, asked: str) -> str:
    """The qualified name if it means this element alone, else its id."""
    name = symbol.qualified_name
    return name if name != asked and snapshot.graph.find(name) == [symbol] else symbol.id


def _counted(uses: int | None) -> str:
    """A number of uses in brackets; empty if it is unknown."""
    return "" if uses is None else f" ({uses} {'use' if uses == 1 else 'uses'})"


def symbols_of(found: Sequence[Namesake]) -> list[Symbol]:
    """The elements of some rows that a reply shows."""
    return [row.symbol for row in found[:_SHOWN]]
