"""Lookup tables behind a graph, one for each file: made on first use, cached until an edit changes their answers.

Edges are stored with their file. A target is a key (symbol_keys.py), which an edit elsewhere in its file does not
change; the tables turn keys into ids when they are read.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Outline, unpack_outline
from bearings.code.file_facts import FileFacts
from bearings.code.grouping import grouped
from bearings.code.models import IMPORTS, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.resolve.file_summary import (
    MAYBE_OWN,
    EncodedSummaries,
    FileSummary,
    last_name,
    summary_of,
)
from bearings.code.resolve.file_uses import FileUses
from bearings.code.symbol_keys import MARK, key_of, keys_of, name_of, with_ids

_Table = TypeVar("_Table")
_NONE: frozenset[str] = frozenset()

_MOST_SEARCHES = 100
"""Names to look for in a large project before an index of all is built: a search takes a hundredth of that."""


class NameIndex:
    """An index from names to the files whose summaries contain them; built on first use, then updated."""

    def __init__(self, summaries: Mapping[str, FileSummary], names_of: Callable[[FileSummary], frozenset[str]]) -> None:
        self._summaries = summaries
        self._names_of = names_of
        self._files: dict[str, tuple[str, ...]] | None = None
        self.searches = 0

    @property
    def files(self) -> Mapping[str, tuple[str, ...]]:
        """The sorted paths of each name's files."""
        if self._files is None and isinstance(self._summaries, EncodedSummaries):
            return SearchedNames(self, self._summaries, self._names_of)
        return self.built()

    def built(self) -> dict[str, tuple[str, ...]]:
        """The same; built at the first call."""
        if self._files is None:
            pairs = ((name, path) for path in sorted(self._summaries) for name in self._names_of(self._summaries[path]))
            self._files = {name: tuple(paths) for name, paths in grouped(pairs).items()}
        return self._files

    def after(self, summaries: Mapping[str, FileSummary], changed: Iterable[str]) -> "NameIndex":
        """The index of `summaries`, which differ from these in the `changed` files only."""
        other = NameIndex(summaries, self._names_of)
        if self._files is not None:
            other._files = self._files.copy()
            for path in changed:
                before, now = (
                    self._names_of(table[path]) if path in table else _NONE for table in (self._summaries, summaries)
                )
                for name in before - now:
                    other._files[name] = tuple(each for each in other._files[name] if each != path)
                for name in now - before:
                    other._files[name] = tuple(sorted((*other._files.get(name, ()), path)))
        return other


class SearchedNames(Mapping[str, tuple[str, ...]]):
    """The index of a large project: a few names are looked for in the bytes of all summaries, for more it is built."""

    def __init__(
        self, index: NameIndex, summaries: EncodedSummaries, names_of: Callable[[FileSummary], frozenset[str]]
    ) -> None:
        self._index = index
        self._summaries = summaries
        self._names_of = names_of

    def __getitem__(self, name: str) -> tuple[str, ...]:
        self._index.searches += 1
        if self._index.searches > _MOST_SEARCHES:
            return self._index.built()[name]
        holding = self._summaries.holding(name)
        files = tuple(sorted(path for path in holding if name in self._names_of(self._summaries[path])))
        if not files:
            raise KeyError(name)
        return files

    def __iter__(self) -> Iterator[str]:
        return iter(self._index.built())

    def __len__(self) -> int:
        return len(self._index.built())


class Tables:
    """Rows by file, then by symbol. Cached tables pass to the tables after an edit, as far as they are still right."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        uses: Mapping[str, FileUses],
        summaries: Mapping[str, FileSummary] | None = None,
    ) -> None:
        self.facts = facts
        self.uses = uses
        self._symbols: dict[str, dict[str, Symbol]] = {}
        self._members: dict[str, dict[tuple[str, str], list[Symbol]]] = {}
        self._ids: dict[str, dict[str, str]] = {}
        self._firsts: dict[str, dict[str, Symbol]] = {}
        self._keys: dict[str, dict[str, list[str]]] = {}
        self._by_source: dict[str, dict[str, list[Edge]]] = {}
        self._by_target: dict[str, dict[str, list[Edge]]] = {}
        self._outside: dict[str, dict[str, list[Outside]]] = {}
        self._unknown: dict[str, dict[str, list[Outside]]] = {}
        self._imported: dict[str, frozenset[str]] = {}
        if summaries is None:
            summaries = {path: summary_of(facts[path], *uses[path]) for path in facts}
        encoded = summaries.rows if isinstance(summaries, EncodedSummaries) else None
        self.summaries = dict(summaries) if encoded is None else EncodedSummaries(encoded)
        self.names = NameIndex(self.summaries, lambda summary: summary.names)
        self.unknown_names = NameIndex(self.summaries, lambda summary: summary.unknown)
        self.variables = NameIndex(self.summaries, lambda summary: summary.variables)
        self.users = NameIndex(self.summaries, lambda summary: summary.targets)

    def after(
        self,
        facts: Mapping[str, FileFacts],
        uses: Mapping[str, FileUses],
        changed_facts: Collection[str],
        changed_uses: Collection[str],
    ) -> "Tables":
        """Tables for other facts and uses: files of `changed_facts` have other symbols, of `changed_uses` other uses.

        These tables do not change; the new ones share all rows that can't differ.
        """
        other = Tables(facts, uses, self.summaries)
        for name, table in vars(self).items():
            if isinstance(table, dict) and name not in ("facts", "uses", "summaries"):
                setattr(other, name, table.copy())
        changed_uses = frozenset(changed_uses).union(changed_facts)
        other._change(frozenset(changed_facts), changed_uses)
        other.names = self.names.after(other.summaries, changed_uses)
        other.unknown_names = self.unknown_names.after(other.summaries, changed_uses)
        other.variables = self.variables.after(other.summaries, changed_uses)
        other.users = self.users.after(other.summaries, changed_uses)
        return other

    def prepare(self, path: str) -> None:
        """Fills all tables of a file."""
        for table in (self.symbols, self._named, self._from, self._to, self.outside, self.unknown):
            table(path)

    def _change(self, changed_facts: frozenset[str], changed_uses: frozenset[str]) -> None:
        for path in changed_uses:
            self.summaries.pop(path, None)
            if path in self.facts:
                uses = self.uses[path]
                self.summaries[path] = summary_of(self.facts[path], *uses)
            for used in (self._by_source, self._by_target, self._outside, self._unknown, self._imported):
                used.pop(path, None)
        for path in changed_facts:
            for names in (self._symbols, self._members, self._firsts, self._ids, self._keys):
                names.pop(path, None)

    def outline(self, path: str) -> Outline | FileFacts:
        """A file's symbols in order; the rest of packed facts stays packed."""
        return self.facts.part(path, unpack_outline) if isinstance(self.facts, PackedMap) else self.facts[path]

    def symbols(self, path: str) -> dict[str, Symbol]:
        """A file's symbols, by id."""
        return _cached(self._symbols, path, lambda: {symbol.id: symbol for symbol in self.outline(path).symbols})

    def ids(self, path: str) -> dict[str, str]:
        """The ids of a file's symbols, by key; empty if there is no such file."""

        def make() -> dict[str, str]:
            outline = self.outline(path)
            return dict(zip(keys_of(outline), [symbol.id for symbol in outline.symbols], strict=True))

        return _cached(self._ids, path, make) if path in self.facts else {}

    def members(self, path: str) -> dict[tuple[str, str], list[Symbol]]:
        """A file's symbols by the id of their container and their name, in order."""
        return _cached(
            self._members, path, lambda: grouped(((one.parent, one.name), one) for one in self.outline(path).symbols)
        )

    def edges(self, path: str) -> list[Edge]:
        """The edges from a file's symbols, in the order of the source; only those that lead to a symbol."""
        return self._with_ids(self.uses[path].edges)

    def links(self, paths: Iterable[str]) -> Iterator[tuple[Edge, str]]:
        """The edges of files, whose targets are keys, beside the ids of the targets: no edge is made anew."""
        ids: dict[str, str] = {}
        for path in paths:
            edges = self.uses[path].edges
            ids |= self._ids_of([target for target in {edge.target for edge in edges} if target not in ids])
            for edge in edges:
                if edge.target in ids:
                    yield edge, ids[edge.target]

    def importers(self, path: str) -> set[str]:
        """The other files that import a file, by its own name."""
        return {user for user in self.users.files.get(path, ()) if user != path and path in self._imports(user)}

    def _imports(self, path: str) -> frozenset[str]:
        """The files that a file imports; what stands behind a name that another one passes on isn't."""

        def make() -> frozenset[str]:
            edges = (edge for edge in self.uses[path].edges if edge.kind in IMPORTS)
            written = (edge.target for edge in edges if not (edge.is_guess or edge.is_name_of_import))
            return frozenset(target.partition(MARK)[0] for target in written)

        return _cached(self._imported, path, make)

    def outgoing(self, path: str, symbol_id: str, kinds: Collection[EdgeKind]) -> list[Edge]:
        """The edges of these kinds from one symbol of the file."""
        edges = [edge for edge in self._from(path).get(symbol_id, ()) if edge.kind in kinds]
        return self._with_ids(edges) if edges else edges

    def incoming(self, path: str, symbol_id: str, kinds: Collection[EdgeKind]) -> list[Edge]:
        """All edges of these kinds that end at a symbol of a file, in the order of the files that they are in.

        The symbol's file is not unpacked, so an id with an outdated line finds the edges as well.
        """
        keys = self._keys_of(path, symbol_id)
        edges = [
            edge
            for user in (self.users.files.get(path, ()) if keys else ())
            for key in keys
            for edge in self._to(user).get(key, ())
            if edge.kind in kinds
        ]
        return with_ids(edges, dict.fromkeys(keys, symbol_id))

    def _with_ids(self, edges: Sequence[Edge]) -> list[Edge]:
        """Replaces the keys of targets by ids, where there is a symbol."""
        return with_ids(edges, self._ids_of({edge.target for edge in edges}))

    def _ids_of(self, targets: Iterable[str]) -> dict[str, str]:
        """The ids of symbols by key; keys without a symbol are left out."""
        ids: dict[str, str] = {}
        for target in targets:
            path, _, name = target.partition(MARK)
            if path in self.facts:
                symbol = self._named(path).get(name)
                known = symbol.id if symbol is not None else self.ids(path).get(target)
                if known is not None:
                    ids[target] = known
        return ids

    def _named(self, path: str) -> dict[str, Symbol]:
        """The first symbol of each qualified name, which is the one whose key has no number; the module as `""`."""

        def make() -> dict[str, Symbol]:
            symbols = self.outline(path).symbols
            names = [symbol.qualified_name for symbol in symbols]
            names[0] = ""
            return dict(zip(reversed(names), reversed(symbols), strict=True))

        return _cached(self._firsts, path, make)

    def _keys_of(self, path: str, symbol_id: str) -> Sequence[str]:
        """The keys of the symbols with this id: mostly one, which is computed without unpacking the file."""
        summary = self.summaries.get(path)
        if summary is None:
            return ()
        if symbol_id == path or name_of(path, symbol_id) not in summary.repeated:
            return (key_of(path, symbol_id),)

        keys = _cached(self._keys, path, lambda: grouped((known, key) for key, known in self.ids(path).items()))
        return keys.get(symbol_id, ())

    def _from(self, path: str) -> dict[str, list[Edge]]:
        """The edges in a file by source symbol. Their targets are keys."""
        return _cached(self._by_source, path, lambda: grouped((edge.source, edge) for edge in self.uses[path].edges))

    def _to(self, path: str) -> dict[str, list[Edge]]:
        """The edges in a file by the key of their target."""
        return _cached(self._by_target, path, lambda: grouped((edge.target, edge) for edge in self.uses[path].edges))

    def outside(self, path: str) -> dict[str, list[Outside]]:
        """A file's uses that lead outside the project, by the symbol that contains them."""
        return _cached(self._outside, path, lambda: grouped((use.source, use) for use in self.uses[path].outside))

    def unknown(self, path: str) -> dict[str, list[Outside]]:
        """The uses that lead outside but may mean a symbol of the project, by the last part of the name."""
        return _cached(
            self._unknown,
            path,
            lambda: grouped((last_name(use), use) for use in self.uses[path].outside if use.why in MAYBE_OWN),
        )


def _cached(table: dict[str, _Table], path: str, make: Callable[[], _Table]) -> _Table:
    """The row of a file in a table; it is make if it is missing."""
    cached = table.get(path)
    if cached is None:
        cached = table[path] = make()
    return cached


def spellings(symbol: Symbol) -> list[str]:
    """All spellings of a symbol: each dotted tail of its qualified name; a module's path; an endpoint's whole name."""
    if symbol.kind is SymbolKind.MODULE:
        return [symbol.file]
    if symbol.kind is SymbolKind.ENDPOINT:
        return [symbol.qualified_name]
    parts = symbol.qualified_name.split(".")
    return [".".join(parts[start:]) for start in range(len(parts))]
