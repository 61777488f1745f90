"""A mapping of paths to values. Most values are packed, or stored in a file, until they are needed."""

from collections.abc import Callable, Collection, ItemsView, Iterator, Mapping, Sequence, ValuesView
from typing import Generic, TypeVar

from bearings.code.facts.packing import Damaged, Packed

_V = TypeVar("_V")
_P = TypeVar("_P")


class Lost(Exception):
    """What lies elsewhere is not there any more, or not as it was: begin anew without it."""


class PackedMap(Mapping[str, _V], Generic[_V]):
    """Values by path, in the order of the paths; `fetch` brings those that are `away`, or raises Lost.

    A copy may be changed without a change to what it was copied from; what one has unpacked, the other has too.
    """

    def __init__(
        self, fetch: Callable[[Sequence[str]], Mapping[str, _V]] | None = None, away: Sequence[str] = ()
    ) -> None:
        self._fetch = fetch
        self._rows: dict[str, _V | Packed[_V] | None] = dict.fromkeys(sorted(away))

    def copy(self) -> "PackedMap[_V]":
        """Another one with the same values, in order."""
        other: PackedMap[_V] = PackedMap(self._fetch)
        other._rows = dict(sorted(self._rows.items()))
        return other

    def update(self, values: Mapping[str, _V | Packed[_V]]) -> None:
        """Puts values in."""
        self._rows.update(values)

    def pop(self, path: str) -> bool:
        """Takes a value out; whether there was one."""
        found = path in self._rows
        self._rows.pop(path, None)
        return found

    def clear(self) -> None:
        """Takes all out."""
        self._rows.clear()

    def forget(self, but: Collection[str] = ()) -> None:
        """Lets go of what was unpacked, but of these; it is unpacked again when it is asked for."""
        for path, row in self._rows.items():
            if isinstance(row, Packed) and path not in but:
                row.forget()

    def weight(self, path: str) -> int:
        """How many bytes a value takes as it is packed; 0 if it is not."""
        row = self._rows.get(path)
        return len(row.data) if isinstance(row, Packed) else 0

    def packed(self, path: str) -> bytes | None:
        """A value as it is packed, if it is."""
        row = self._rows.get(path)
        return row.data if isinstance(row, Packed) and row.is_packed else None

    def glance(self, path: str) -> _V:
        """A value, that is not kept unpacked if it was not before."""
        return self._got(path, keep=False)

    def part(self, path: str, unpack: Callable[[bytes], _P]) -> _P | _V:
        """What `unpack` makes of a value as it is packed; the value itself where it is at hand. Nothing is kept."""
        row = self._rows[path]
        if not isinstance(row, Packed) or row.value is not None:
            return self[path]
        try:
            return unpack(row.data)
        except Damaged as error:
            raise Lost(f"{path}: {error}") from error

    def bring(self, paths: Sequence[str] | None = None) -> None:
        """Fetches what is away of these, or of all."""
        away = [path for path in (self._rows if paths is None else paths) if path in self and self._rows[path] is None]
        if away and self._fetch is not None:
            self._rows.update(self._fetch(away))

    def __getitem__(self, path: str) -> _V:
        return self._got(path, keep=True)

    def _got(self, path: str, *, keep: bool) -> _V:
        row = self._rows[path]
        if row is None:
            self.bring([path])
            row = self._rows[path]
            assert row is not None, "a fetch brings what it was asked for, or fails"
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
        """All, fetched at once."""
        self.bring()
        return super().items()

    def values(self) -> ValuesView[_V]:
        """All, fetched at once."""
        self.bring()
        return super().values()
