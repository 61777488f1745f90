"""The number of direct users of elements, for many elements: one pass over all edges instead of a search for each."""

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol, SymbolKind
from bearings.code.search.members import Bases, overridden
from bearings.code.search.reach import BEHAVIOUR, CALLS, FUNCTIONS, MEMBERS


class DirectUsers:
    """Counts what `reach.users` finds at depth 1."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._bases: Bases = {}
        self._callers: dict[str, list[str]] = {}
        self._others: dict[str, list[str]] = {}
        for edge, target in snapshot.graph.links():
            if edge.kind in BEHAVIOUR and not edge.is_guess:
                table = self._callers if edge.kind in CALLS else self._others
                table.setdefault(target, []).append(edge.source)

    def count(self, symbol: Symbol) -> int:
        """The number of elements that use a symbol, without itself."""
        own = symbol.id
        found = {*self._callers.get(own, ()), *self._others.get(own, ())}
        if symbol.kind is SymbolKind.CONSTRUCTOR:
            found.update(self._callers.get(symbol.parent, ()))
        if symbol.kind in MEMBERS:
            for above in overridden(self._snapshot, symbol, self._bases):
                found.update(self._callers.get(above.id, ()))
        outer = self._snapshot.graph.symbols.get(symbol.parent) if symbol.inside else None
        if outer is not None and outer.kind in FUNCTIONS:
            found.add(outer.id)
        return len(found - {own})
