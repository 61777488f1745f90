"""The tables behind a graph: copied for each new one, and changed only where files changed."""

from collections.abc import Callable, Collection, Iterable, Mapping
from operator import attrgetter
from sys import intern
from typing import TypeVar

from bearings.code.models import Edge, FileFacts, Outside, Symbol, SymbolKind
from bearings.code.resolve import FileUses

_Row = TypeVar("_Row", Symbol, Edge, Outside)
_Table = dict[str, list[_Row]]

_FILE = attrgetter("file")
_MAYBE_OWN = frozenset({"ambiguous", "unresolved"})


class Tables:
    """Rows by key. No list is changed once it is in a table, so that copies share them."""

    def __init__(self) -> None:
        self.symbols: dict[str, Symbol] = {}
        self.names: dict[str, list[Symbol]] = {}
        self.outgoing: dict[str, list[Edge]] = {}
        self.incoming: dict[str, list[Edge]] = {}
        self.outside: dict[str, list[Outside]] = {}
        self.unresolved: dict[str, list[Outside]] = {}

    def copy(self) -> "Tables":
        """Tables that may be changed."""
        other = Tables()
        for name, table in vars(self).items():
            setattr(other, name, table.copy())
        return other

    def replace_symbols(
        self, paths: Collection[str], before: Mapping[str, FileFacts], now: Mapping[str, FileFacts]
    ) -> None:
        """Takes out all symbols of some files, and puts in those that they have now."""
        old = [symbol for path in paths if path in before for symbol in before[path].symbols]
        new = [symbol for path in sorted(paths) if path in now for symbol in now[path].symbols]
        for symbol in old:
            self.symbols.pop(symbol.id, None)
        self.symbols.update((intern(symbol.id), symbol) for symbol in new)
        _replace(self.names, paths, old, new, _spellings)

    def replace_uses(self, paths: Collection[str], before: Mapping[str, FileUses], now: Mapping[str, FileUses]) -> None:
        """Takes out all edges and other uses of some files, and puts in those that they have now.

        Edges whose ends are no symbols are left out.
        """
        gone = [before[path] for path in paths if path in before]
        come = [now[path] for path in sorted(paths) if path in now]
        symbols = self.symbols
        old = [edge for uses in gone for edge in uses.edges]
        new = [edge for uses in come for edge in uses.edges if edge.source in symbols and edge.target in symbols]
        _replace(self.outgoing, paths, old, new, lambda edge: (edge.source,))
        _replace(self.incoming, paths, old, new, lambda edge: (edge.target,))
        paths = [path for path in paths if _outside_of(before, path) is not _outside_of(now, path)]
        old_outside = [use for path in paths for use in _outside_of(before, path) or ()]
        new_outside = [use for path in sorted(paths) for use in _outside_of(now, path) or ()]
        _replace(self.outside, frozenset(paths), old_outside, new_outside, lambda use: (use.source,))
        _replace(self.unresolved, frozenset(paths), old_outside, new_outside, _last_name)


def _replace(
    table: "_Table[_Row]",
    paths: Collection[str],
    old: Iterable[_Row],
    new: Iterable[_Row],
    keys: Callable[[_Row], Iterable[str]],
) -> None:
    """Takes out the rows of some files, puts in others of theirs; the rows of a key are in the order of the files."""
    added: dict[str, list[_Row]] = {}
    for row in new:
        for key in keys(row):
            added.setdefault(key, []).append(row)
    if not table:
        table.update(added)
        return
    for key in {key for row in old for key in keys(row)} | added.keys():
        rows = [row for row in table.get(key, ()) if row.file not in paths]
        rows += added.get(key, ())
        rows.sort(key=_FILE)
        if rows:
            table[key] = rows
        else:
            table.pop(key, None)


def _outside_of(uses: Mapping[str, FileUses], path: str) -> "tuple[Outside, ...] | None":
    """The same object where no edge but others of a file changed."""
    return uses[path].outside if path in uses else None


def _last_name(use: Outside) -> tuple[str, ...]:
    """What a use that may mean something of the project's is called, the last part of it."""
    return (use.name.rpartition(".")[2],) if use.why in _MAYBE_OWN else ()


def _spellings(symbol: Symbol) -> list[str]:
    """Each way to name a symbol: every dotted tail of its qualified name; of a module its path, of an endpoint all."""
    if symbol.kind is SymbolKind.MODULE:
        return [symbol.file]
    if symbol.kind is SymbolKind.ENDPOINT:
        return [symbol.qualified_name]
    parts = symbol.qualified_name.split(".")
    return [".".join(parts[start:]) for start in range(len(parts))]
