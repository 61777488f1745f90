"""The resolved project as an immutable graph: symbols by name, edges both ways, reach and paths."""

import difflib
from collections import Counter, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from bearings.code.models import Edge, EdgeKind, FileFacts, Resolution, Symbol, SymbolKind

ALL_KINDS: frozenset[EdgeKind] = frozenset(EdgeKind)


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Symbols and the edges between them. Lists of edges are in the order of the resolution."""

    symbols: Mapping[str, Symbol]
    resolution: Resolution
    _outgoing: Mapping[str, Sequence[Edge]]
    _incoming: Mapping[str, Sequence[Edge]]
    _by_name: Mapping[str, Sequence[Symbol]]

    @classmethod
    def build(cls, facts: Mapping[str, FileFacts], resolution: Resolution) -> "Graph":
        """The graph of all facts; edges whose ends are no symbols of theirs are left out."""
        symbols = {symbol.id: symbol for file in facts.values() for symbol in file.symbols}
        outgoing: dict[str, list[Edge]] = {}
        incoming: dict[str, list[Edge]] = {}
        for edge in resolution.edges:
            if edge.source in symbols and edge.target in symbols:
                outgoing.setdefault(edge.source, []).append(edge)
                incoming.setdefault(edge.target, []).append(edge)
        by_name: dict[str, list[Symbol]] = {}
        for symbol in symbols.values():
            for spelling in _spellings(symbol):
                by_name.setdefault(spelling, []).append(symbol)
        return cls(symbols, resolution, outgoing, incoming, by_name)

    def find(self, target: str) -> list[Symbol]:
        """Symbols called `target`: a name, a qualified name, `path#name`, `path#name:line`, or a path for its module.

        An exact id or a whole qualified name wins over the same spelling as the tail of longer ones. Ordered by file,
        then line; empty where nothing is called so.
        """
        target = target.removeprefix("./")
        if target in self.symbols:
            return [self.symbols[target]]
        path, hash_, rest = target.partition("#")
        name, _, line = rest.rpartition(":") if rest.rpartition(":")[2].isdecimal() else (rest, "", "")
        if not hash_:
            path, name = "", target
        found = [
            symbol
            for symbol in self._by_name.get(name, ())
            if symbol.file == (path or symbol.file) and (not line or symbol.line == int(line))
        ]
        whole = [symbol for symbol in found if symbol.qualified_name == name]
        return sorted(whole or found, key=lambda symbol: (symbol.file, symbol.line))

    def suggest(self, target: str, n: int = 5) -> list[str]:
        """Up to `n` spellings near to `target`, best first, each of which `find` understands."""
        name = target.rpartition("#")[2].partition(":")[0] or target
        folded = {spelling.lower(): spelling for spelling in self._by_name}
        near = difflib.get_close_matches(name.lower(), folded, n, 0.6)
        return [folded[spelling] for spelling in near]

    def edges_from(self, symbol_id: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> list[Edge]:
        """The edges that start at a symbol."""
        return [edge for edge in self._outgoing.get(symbol_id, ()) if edge.kind in kinds]

    def edges_to(self, symbol_id: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> list[Edge]:
        """The edges that end at a symbol."""
        return [edge for edge in self._incoming.get(symbol_id, ()) if edge.kind in kinds]

    def reach(
        self, symbol_id: str, kinds: Collection[EdgeKind] = ALL_KINDS, *, forward: bool = True, max_depth: int = 10
    ) -> list[tuple[int, Edge]]:
        """Breadth first, all that a symbol uses (`forward`) or that uses it: the edge that first led there, its depth.

        No symbol is reached twice, the start never.
        """
        table = self._outgoing if forward else self._incoming
        seen, found, queue = {symbol_id}, [], deque([(0, symbol_id)])
        while queue:
            depth, here = queue.popleft()
            if depth == max_depth:
                break
            for edge in table.get(here, ()):
                there = edge.target if forward else edge.source
                if edge.kind in kinds and there not in seen:
                    seen.add(there)
                    found.append((depth + 1, edge))
                    queue.append((depth + 1, there))
        return found

    def path(
        self, source: str, target: str, kinds: Collection[EdgeKind] = ALL_KINDS, max_depth: int = 10
    ) -> list[Edge] | None:
        """A shortest chain of edges from one symbol to another; empty for the same symbol, None where there is none."""
        if source == target:
            return []
        came = {edge.target: edge for _, edge in self.reach(source, kinds, max_depth=max_depth)}
        if target not in came:
            return None
        chain = [came[target]]
        while chain[-1].source != source:
            chain.append(came[chain[-1].source])
        return chain[::-1]

    def by_kind(self) -> dict[SymbolKind, int]:
        """How many symbols there are of each kind."""
        return dict(Counter(symbol.kind for symbol in self.symbols.values()))

    def edges_by_kind(self) -> dict[EdgeKind, int]:
        """How many edges there are of each kind."""
        return dict(Counter(edge.kind for edges in self._outgoing.values() for edge in edges))


def _spellings(symbol: Symbol) -> list[str]:
    """Each way to name a symbol: every dotted tail of its qualified name; a module's path alone."""
    if symbol.kind is SymbolKind.MODULE:
        return [symbol.file]
    parts = symbol.qualified_name.split(".")
    return [".".join(parts[start:]) for start in range(len(parts))]
