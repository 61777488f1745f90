"""Mappings over the lookup tables of all files: rows by symbol id, and uses by name."""

from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from typing import TypeVar

from bearings.code.graph.lookup_tables import Tables
from bearings.code.models import Outside

_Row = TypeVar("_Row")


class ById(Mapping[str, _Row]):
    """A mapping from symbol ids to rows of each file's table."""

    def __init__(self, files: Mapping[str, object], table: Callable[[str], Mapping[str, _Row]], size: int = -1) -> None:
        self._files = files
        self._table = table
        self._size = size

    def file(self, symbol_id: str) -> str | None:
        """The file of a symbol id; None if no file matches."""
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
        return (key for rows in self.tables() for key in rows)

    def tables(self) -> Iterator[Mapping[str, _Row]]:
        """The table of each file."""
        return map(self._table, self._files)

    def items(self) -> ItemsView[str, _Row]:
        """All items; iterating over them looks no id up."""
        return _Items(self)

    def values(self) -> ValuesView[_Row]:
        """All rows; iterating over them looks no id up."""
        return _Values(self)

    def __len__(self) -> int:
        return self._size if self._size >= 0 else sum(len(self._table(file)) for file in self._files)


class _Items(ItemsView[str, _Row]):
    def __init__(self, rows: ById[_Row]) -> None:
        super().__init__(rows)
        self._rows = rows

    def __iter__(self) -> Iterator[tuple[str, _Row]]:
        return (item for table in self._rows.tables() for item in table.items())


class _Values(ValuesView[_Row]):
    def __init__(self, rows: ById[_Row]) -> None:
        super().__init__(rows)
        self._rows = rows

    def __iter__(self) -> Iterator[_Row]:
        return (row for table in self._rows.tables() for row in table.values())


class ByName(Mapping[str, list[Outside]]):
    """Uses that may mean a symbol of the project, by the last part of the name, in the order of the files."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def __getitem__(self, name: str) -> list[Outside]:
        files = self._tables.unknown_names.files.get(name)
        if not files:
            raise KeyError(name)
        return [use for path in files for use in self._tables.unknown(path)[name]]

    def __iter__(self) -> Iterator[str]:
        return (name for name, files in self._tables.unknown_names.files.items() if files)

    def __len__(self) -> int:
        return sum(1 for _ in self)
