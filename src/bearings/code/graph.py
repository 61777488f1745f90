"""The resolved project as an immutable graph: symbols by name, edges both ways, reach and paths."""

from collections import Counter, deque
from collections.abc import Collection, Mapping
from functools import cached_property

from rapidfuzz import fuzz, process

from bearings.code.models import Edge, EdgeKind, FileFacts, Outside, Resolution, Symbol, SymbolKind
from bearings.code.resolve import FileUses
from bearings.code.tables import Tables

ALL_KINDS: frozenset[EdgeKind] = frozenset(EdgeKind)
_NEAR = 60
"""Of a hundred: how alike a suggestion must be."""


class Graph:
    """Symbols and the edges between them. Lists of edges are in the order of the files."""

    def __init__(self, facts: Mapping[str, FileFacts], uses: Mapping[str, FileUses], tables: Tables) -> None:
        self._facts = facts
        self._uses = uses
        self._tables = tables

    @classmethod
    def build(cls, facts: Mapping[str, FileFacts], resolution: Resolution) -> "Graph":
        """The graph of all facts; edges whose ends are no symbols of theirs are left out."""
        edges: dict[str, list[Edge]] = {path: [] for path in facts}
        for edge in resolution.edges:
            edges[edge.file].append(edge)
        outside: dict[str, list[Outside]] = {path: [] for path in facts}
        for use in resolution.outside:
            outside[use.file].append(use)
        uses = {path: FileUses(tuple(edges[path]), tuple(outside[path]), frozenset()) for path in facts}
        return cls.of(None, facts, uses)

    @classmethod
    def of(cls, before: "Graph | None", facts: Mapping[str, FileFacts], uses: Mapping[str, FileUses]) -> "Graph":
        """The graph of facts and what they use, in the order of `facts`; what it shares with `before` is not made anew.

        None of these may change any more.
        """
        old_facts, old_uses = (before._facts, before._uses) if before else ({}, {})
        tables = before._tables.copy() if before else Tables()
        renamed = {path for path in old_facts.keys() | facts.keys() if old_facts.get(path) is not facts.get(path)}
        reused = {path for path in old_uses.keys() | uses.keys() if old_uses.get(path) is not uses.get(path)} | renamed
        tables.replace_symbols(renamed, old_facts, facts)
        tables.replace_uses(reused, old_uses, uses)
        return cls(facts, uses, tables)

    @property
    def symbols(self) -> Mapping[str, Symbol]:
        """All symbols, by id."""
        return self._tables.symbols

    @cached_property
    def resolution(self) -> Resolution:
        """All edges and all uses that lead outside, in the order of the files."""
        uses = [self._uses[path] for path in self._facts]
        return Resolution(
            tuple(edge for file in uses for edge in file.edges), tuple(use for file in uses for use in file.outside)
        )

    @property
    def outside_by_source(self) -> Mapping[str, Collection[Outside]]:
        """The uses that lead outside, by the symbol that they are in."""
        return self._tables.outside

    @property
    def unresolved_by_name(self) -> Mapping[str, Collection[Outside]]:
        """The uses that may mean something of the project, by the last part of the name."""
        return self._tables.unresolved

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
            for symbol in self._tables.names.get(name, ())
            if symbol.file == (path or symbol.file) and (not line or symbol.line == int(line))
        ]
        whole = [symbol for symbol in found if symbol.qualified_name == name]
        return sorted(whole or found, key=lambda symbol: (symbol.file, symbol.line))

    def suggest(self, target: str, n: int = 5) -> list[str]:
        """Up to `n` spellings near to `target`, best first, each of which `find` understands."""
        name = target.rpartition("#")[2].partition(":")[0] or target
        folded = {spelling.lower(): spelling for spelling in sorted(self._tables.names)}
        near = process.extract(name.lower(), folded.keys(), scorer=fuzz.ratio, limit=n, score_cutoff=_NEAR)
        return [folded[spelling] for spelling, _, _ in near]

    def edges_from(self, symbol_id: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> list[Edge]:
        """The edges that start at a symbol."""
        return [edge for edge in self._tables.outgoing.get(symbol_id, ()) if edge.kind in kinds]

    def edges_to(self, symbol_id: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> list[Edge]:
        """The edges that end at a symbol."""
        return [edge for edge in self._tables.incoming.get(symbol_id, ()) if edge.kind in kinds]

    def reach(
        self, symbol_id: str, kinds: Collection[EdgeKind] = ALL_KINDS, *, forward: bool = True, max_depth: int = 10
    ) -> list[tuple[int, Edge]]:
        """Breadth first, all that a symbol uses (`forward`) or that uses it: the edge that first led there, its depth.

        No symbol is reached twice, the start never.
        """
        table = self._tables.outgoing if forward else self._tables.incoming
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
        return dict(Counter(edge.kind for edges in self._tables.outgoing.values() for edge in edges))
