"""A mapping of paths to values that are packed, or stored in a file, until they are needed.

A row is one of three: None (stored elsewhere: `fetch` loads it), a `Packed` (bytes, unpacked on access), or the value.
"""

from collections.abc import Callable, Collection, ItemsView, Iterator, Mapping, Sequence, ValuesView
from typing import Generic, TypeVar

from bearings.code.facts.packing import Damaged, Packed

_V = TypeVar("_V")
_P = TypeVar("_P")


class Lost(Exception):
    """A stored value has disappeared or is damaged. The remedy is to rebuild the index."""


class PackedMap(Mapping[str, _V], Generic[_V]):
    """Values by path, in the order of the paths. `fetch` loads the values of the `stored` paths, or raises Lost.

    Changing a copy does not change the original, but both share the `Packed` rows and so what either has unpacked.
    """

    def __init__(
        self, fetch: Callable[[Sequence[str]], Mapping[str, _V | Packed[_V]]] | None = None, stored: Sequence[str] = ()
    ) -> None:
        self._fetch = fetch
        self._rows: dict[str, _V | Packed[_V] | None] = dict.fromkeys(sorted(stored))

    def copy(self) -> "PackedMap[_V]":
        """A copy, in the order of the paths."""
        other: PackedMap[_V] = PackedMap(self._fetch)
        other._rows = dict(sorted(self._rows.items()))
        return other

    def update(self, values: Mapping[str, _V | Packed[_V]]) -> None:
        """Adds or replaces values."""
        self._rows.update(values)

    def pop(self, path: str) -> bool:
        """Removes a value. Returns whether there was one."""
        was_there = path in self._rows
        self._rows.pop(path, None)
        return was_there

    def clear(self) -> None:
        """Removes all values."""
        self._rows.clear()

    def forget(self, but: Collection[str] = ()) -> None:
        """Drops unpacked values except those of `but`. The next access unpacks them again."""
        for path, row in self._rows.items():
            if isinstance(row, Packed) and path not in but:
                row.forget()

    def weight(self, path: str) -> int:
        """The packed size of a value in bytes; 0 if the row is no `Packed`."""
        row = self._rows.get(path)
        return len(row.data) if isinstance(row, Packed) else 0

    def packed(self, path: str) -> bytes | None:
        """The packed bytes of a value; None if it is not packed yet."""
        row = self._rows.get(path)
        return row.data if isinstance(row, Packed) and row.is_packed else None

    def glance(self, path: str) -> _V:
        """A value, without caching what this call unpacks."""
        return self._value(path, keep=False)

    def part(self, path: str, unpack: Callable[[bytes], _P]) -> _P | _V:
        """The result of `unpack` for a value's packed bytes; the value itself if it is unpacked. Caches nothing."""
        self.fetch_missing([path])
        row = self._rows[path]
        if not isinstance(row, Packed) or row.value is not None:
            return self[path]
        try:
            return unpack(row.data)
        except Damaged as error:
            raise Lost(f"{path}: {error}") from error

    def fetch_missing(self, paths: Sequence[str] | None = None) -> None:
        """Fetches the missing values of these paths, or of all."""
        wanted = self._rows if paths is None else paths
        missing = [path for path in wanted if path in self and self._rows[path] is None]
        if missing and self._fetch is not None:
            self._rows.update(self._fetch(missing))

    def __getitem__(self, path: str) -> _V:
        return self._value(path, keep=True)

    def _value(self, path: str, *, keep: bool) -> _V:
        row = self._rows[path]
        if row is None:
            self.fetch_missing([path])
            row = self._rows[path]
            assert row is not None, "fetch returns every path that it is called with, or raises Lost"
        if not isinstance(row, Packed):
            return row
        try:
            return row.get(keep=keep)
        except Damaged as error:
            raise Lost(f"{path}: {error}") from error

    def __contains__(self, path: object) -> bool:
        return path in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def items(self) -> ItemsView[str, _V]:
        """All items; missing values are fetched in one call."""
        self.fetch_missing()
        return super().items()

    def values(self) -> ValuesView[_V]:
        """All values; missing ones are fetched in one call."""
        self.fetch_missing()
        return super().values()
