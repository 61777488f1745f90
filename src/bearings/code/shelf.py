"""A table of files in which most values may lie elsewhere until somebody asks for them."""

from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence, ValuesView
from typing import Generic, TypeVar

_V = TypeVar("_V")


class Lost(Exception):
    """What lies elsewhere is not there any more, or not as it was: begin anew without it."""


class Shelf(Mapping[str, _V], Generic[_V]):
    """Values by path, in the order of the paths; `fetch` brings those that are `away`, or raises Lost.

    A copy may be changed without a change to what it was copied from.
    """

    def __init__(
        self, fetch: Callable[[Sequence[str]], Mapping[str, _V]] | None = None, away: Sequence[str] = ()
    ) -> None:
        self._fetch = fetch
        self._rows: dict[str, _V | None] = dict.fromkeys(sorted(away))

    def copy(self) -> "Shelf[_V]":
        """Another one with the same values, in order."""
        other: Shelf[_V] = Shelf(self._fetch)
        other._rows = dict(sorted(self._rows.items()))
        return other

    def update(self, values: Mapping[str, _V]) -> None:
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

    def here(self, path: str) -> _V | None:
        """A value if it is at hand; None if it is away, or there is none."""
        return self._rows.get(path)

    def bring(self, paths: Sequence[str] | None = None) -> None:
        """Fetches what is away of these, or of all."""
        away = [path for path in (self._rows if paths is None else paths) if path in self and self._rows[path] is None]
        if away and self._fetch is not None:
            self._rows.update(self._fetch(away))

    def __getitem__(self, path: str) -> _V:
        value = self._rows[path]
        if value is None:
            self.bring([path])
            value = self._rows[path]
            assert value is not None, "a fetch brings what it was asked for, or fails"
        return value

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
