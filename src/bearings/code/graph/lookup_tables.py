"""Lookup tables behind a graph, one for each file: made on first use, kept until an edit changes their answers."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TypeVar

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Outline, unpack_outline
from bearings.code.models import Edge, FileFacts, Outside, Symbol, SymbolKind
from bearings.code.resolve import FileUses
from bearings.code.resolve.file_summary import MAYBE_OWN, FileSummary, last_name, summary_of
from bearings.code.symbol_keys import MARK, key_of, keys_of, name_of, with_ids

_Row = TypeVar("_Row")
_Table = TypeVar("_Table")
_NONE: frozenset[str] = frozenset()


class Whereabouts:
    """The files whose summaries have a name, of one kind; counted when it is first asked for, and then kept up."""

    def __init__(self, summaries: Mapping[str, FileSummary], names_of: Callable[[FileSummary], frozenset[str]]) -> None:
        self._summaries = summaries
        self._names_of = names_of
        self._files: dict[str, tuple[str, ...]] | None = None

    @property
    def files(self) -> Mapping[str, tuple[str, ...]]:
        """By name, in order."""
        if self._files is None:
            found: dict[str, list[str]] = {}
            for path in sorted(self._summaries):
                for name in self._names_of(self._summaries[path]):
                    found.setdefault(name, []).append(path)
            self._files = {name: tuple(paths) for name, paths in found.items()}
        return self._files

    def after(self, summaries: Mapping[str, FileSummary], changed: Iterable[str]) -> "Whereabouts":
        """That of other summaries, which differ in these files alone."""
        other = Whereabouts(summaries, self._names_of)
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


class Tables:
    """Rows by file, then by symbol. What was asked for once stays, also in the next tables, for as long as it holds."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        uses: Mapping[str, FileUses],
        summaries: Mapping[str, FileSummary] | None = None,
    ) -> None:
        self.facts = facts
        self.uses = uses
        self._symbols: dict[str, dict[str, Symbol]] = {}
        self._ids: dict[str, dict[str, str]] = {}
        self._firsts: dict[str, dict[str, Symbol]] = {}
        self._keys: dict[str, dict[str, list[str]]] = {}
        self._by_source: dict[str, dict[str, list[Edge]]] = {}
        self._by_target: dict[str, dict[str, list[Edge]]] = {}
        self._outside: dict[str, dict[str, list[Outside]]] = {}
        self._unknown: dict[str, dict[str, list[Outside]]] = {}
        if summaries is None:
            summaries = {path: summary_of(facts[path], uses[path].edges, uses[path].outside) for path in facts}
        self.summaries = dict(summaries)
        self.named = Whereabouts(self.summaries, lambda summary: summary.names)
        self.unsure = Whereabouts(self.summaries, lambda summary: summary.unknown)
        users: dict[str, list[str]] = {}
        for path, summary in self.summaries.items():
            for target in summary.targets:
                users.setdefault(target, []).append(path)
        self.users = {target: frozenset(paths) for target, paths in users.items()}

    def after(
        self,
        facts: Mapping[str, FileFacts],
        uses: Mapping[str, FileUses],
        renamed: Collection[str],
        reused: Collection[str],
    ) -> "Tables":
        """Tables for other facts and uses; files that are `renamed` have other symbols, `reused` ones other uses.

        These stay as they are, and share with the new ones what can't differ.
        """
        other = Tables(facts, uses, {})
        for name, table in vars(self).items():
            if isinstance(table, dict) and name not in ("facts", "uses"):
                setattr(other, name, table.copy())
        reused = frozenset(reused).union(renamed)
        other._change(frozenset(renamed), reused)
        other.named, other.unsure = (table.after(other.summaries, reused) for table in (self.named, self.unsure))
        return other

    def prepare(self, path: str) -> None:
        """Makes what may be asked of a file."""
        for made in (self.symbols, self._named, self._from, self._to, self.outside, self.unknown):
            made(path)

    def _change(self, renamed: frozenset[str], reused: frozenset[str]) -> None:
        for path in reused:
            before = self.summaries.pop(path, None)
            if path in self.facts:
                uses = self.uses[path]
                self.summaries[path] = summary_of(self.facts[path], uses.edges, uses.outside)
            self._relink(path, before, self.summaries.get(path))
            for used in (self._by_source, self._by_target, self._outside, self._unknown):
                used.pop(path, None)
        for path in renamed:
            for named in (self._symbols, self._firsts, self._ids, self._keys):
                named.pop(path, None)

    def _relink(self, path: str, before: FileSummary | None, now: FileSummary | None) -> None:
        """Enters whom a file uses; no set is changed once it is in a table."""
        old, new = (summary.targets if summary else frozenset[str]() for summary in (before, now))
        for target in old - new:
            self.users[target] = self.users[target] - {path}
        for target in new - old:
            self.users[target] = self.users.get(target, frozenset()) | {path}

    def outline(self, path: str) -> Outline | FileFacts:
        """A file's symbols in their order, without the rest where that need not be unpacked."""
        return self.facts.part(path, unpack_outline) if isinstance(self.facts, PackedMap) else self.facts[path]

    def symbols(self, path: str) -> dict[str, Symbol]:
        """A file's symbols, by id."""
        return _kept(self._symbols, path, lambda: {symbol.id: symbol for symbol in self.outline(path).symbols})

    def ids(self, path: str) -> dict[str, str]:
        """The ids of a file's symbols, by key; empty for what is no file."""

        def made() -> dict[str, str]:
            outline = self.outline(path)
            return dict(zip(keys_of(outline), [symbol.id for symbol in outline.symbols], strict=True))

        return _kept(self._ids, path, made) if path in self.facts else {}

    def edges(self, path: str) -> list[Edge]:
        """The edges that a file's symbols start, in the order of the source; not those that lead to no symbol."""
        return self._with_ids(self.uses[path].edges)

    def outgoing(self, path: str, symbol_id: str) -> list[Edge]:
        """Those of one symbol of the file."""
        return self._with_ids(self._from(path).get(symbol_id, ()))

    def incoming(self, path: str, symbol_id: str) -> list[Edge]:
        """All edges that end at a symbol of a file, in the order of the files that they are in.

        An id with another line than the symbol has now finds them as well: the file itself is not looked into.
        """
        keys = self._keys_of(path, symbol_id)
        edges = [
            edge
            for user in (sorted(self.users.get(path, ())) if keys else ())
            for key in keys
            for edge in self._to(user).get(key, ())
        ]
        return with_ids(edges, dict.fromkeys(keys, symbol_id))

    def _with_ids(self, edges: Sequence[Edge]) -> list[Edge]:
        """Edges that lead to keys with ids instead, where there is one."""
        ids: dict[str, str] = {}
        for target in {edge.target for edge in edges}:
            path, _, name = target.partition(MARK)
            if path in self.facts:
                symbol = self._named(path).get(name)
                known = symbol.id if symbol is not None else self.ids(path).get(target)
                if known is not None:
                    ids[target] = known
        return with_ids(edges, ids)

    def _named(self, path: str) -> dict[str, Symbol]:
        """The first symbol of each qualified name in a file, whose key says no more; its module under no name."""

        def made() -> dict[str, Symbol]:
            symbols = self.outline(path).symbols
            names = [symbol.qualified_name for symbol in symbols]
            names[0] = ""
            return dict(zip(reversed(names), reversed(symbols), strict=True))

        return _kept(self._firsts, path, made)

    def _keys_of(self, path: str, symbol_id: str) -> Sequence[str]:
        """The keys of the symbols that have this id: one, mostly, which can be told without a look at the file."""
        summary = self.summaries.get(path)
        if summary is None:
            return ()
        if symbol_id == path or name_of(path, symbol_id) not in summary.repeated:
            return (key_of(path, symbol_id),)

        def made() -> dict[str, list[str]]:
            found: dict[str, list[str]] = {}
            for key, known in self.ids(path).items():
                found.setdefault(known, []).append(key)
            return found

        return _kept(self._keys, path, made).get(symbol_id, ())

    def _from(self, path: str) -> dict[str, list[Edge]]:
        """The edges in a file by the symbol that they start at, their targets being keys."""
        return _kept(self._by_source, path, lambda: _grouped(self.uses[path].edges, attrgetter("source")))

    def _to(self, path: str) -> dict[str, list[Edge]]:
        """The edges in a file by the key that they lead to."""
        return _kept(self._by_target, path, lambda: _grouped(self.uses[path].edges, attrgetter("target")))

    def outside(self, path: str) -> dict[str, list[Outside]]:
        """A file's uses that lead outside, by the symbol that they are in."""
        return _kept(self._outside, path, lambda: _grouped(self.uses[path].outside, attrgetter("source")))

    def unknown(self, path: str) -> dict[str, list[Outside]]:
        """Those that may mean something of the project's, by the last part of the name."""

        def made() -> dict[str, list[Outside]]:
            return _grouped((use for use in self.uses[path].outside if use.why in MAYBE_OWN), last_name)

        return _kept(self._unknown, path, made)


class ById(Mapping[str, _Row]):
    """What a table of each file holds, under ids of symbols."""

    def __init__(self, files: Mapping[str, object], table: Callable[[str], Mapping[str, _Row]], size: int = -1) -> None:
        self._files = files
        self._table = table
        self._size = size

    def file(self, symbol_id: str) -> str | None:
        """The file of a symbol; None for what is none."""
        if symbol_id in self._files:
            return symbol_id
        end = symbol_id.find("#")
        while end >= 0:
            if symbol_id[:end] in self._files:
                return symbol_id[:end]
            end = symbol_id.find("#", end + 1)
        return None

    def __getitem__(self, symbol_id: str) -> _Row:
        file = self.file(symbol_id)
        if file is None:
            raise KeyError(symbol_id)
        return self._table(file)[symbol_id]

    def __iter__(self) -> Iterator[str]:
        return (key for file in self._files for key in self._table(file))

    def __len__(self) -> int:
        return self._size if self._size >= 0 else sum(len(self._table(file)) for file in self._files)


class ByName(Mapping[str, list[Outside]]):
    """Uses that may mean something of the project's, by the last part of the name, in the order of the files."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __getitem__(self, name: str) -> list[Outside]:
        files = self._tables.unsure.files.get(name)
        if not files:
            raise KeyError(name)
        return [use for path in files for use in self._tables.unknown(path)[name]]

    def __iter__(self) -> Iterator[str]:
        return (name for name, files in self._tables.unsure.files.items() if files)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _kept(table: dict[str, _Table], path: str, make: Callable[[], _Table]) -> _Table:
    """What a table has for a file, made if it is missing."""
    found = table.get(path)
    if found is None:
        found = table[path] = make()
    return found


def _grouped(rows: Iterable[_Row], key: Callable[[_Row], str]) -> dict[str, list[_Row]]:
    found: dict[str, list[_Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def spellings(symbol: Symbol) -> list[str]:
    """Each way to name a symbol: every dotted tail of its qualified name; of a module its path, of an endpoint all."""
    if symbol.kind is SymbolKind.MODULE:
        return [symbol.file]
    if symbol.kind is SymbolKind.ENDPOINT:
        return [symbol.qualified_name]
    parts = symbol.qualified_name.split(".")
    return [".".join(parts[start:]) for start in range(len(parts))]
