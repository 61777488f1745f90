"""A mapping of paths to values for a project so large that they are held as bytes, and made at every access."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any, Final, TypeVar

_V = TypeVar("_V")

MANY_FILES: Final = 20_000
"""From so many files on, what is known of each is held as bytes: as objects it takes a gigabyte for Linux."""


class EncodedMap(MutableMapping[str, _V]):
    """Values by path, in the order in which they were added; bytes in between."""

    def __init__(
        self, encode: Callable[[Any], bytes], decode: Callable[[bytes], _V], rows: Mapping[str, bytes] | None = None
    ) -> None:
        self.rows: dict[str, bytes] = dict(rows or {})
        self._encode = encode
        self._decode = decode

    def update(self, other: Any = (), /, **_: Any) -> None:
        """See MutableMapping; the bytes of another EncodedMap are taken as they are."""
        if isinstance(other, EncodedMap):
            self.rows.update(other.rows)
        else:
            super().update(other)

    def __getitem__(self, path: str) -> _V:
        return self._decode(self.rows[path])

    def __setitem__(self, path: str, value: _V) -> None:
        self.rows[path] = self._encode(value)

    def __delitem__(self, path: str) -> None:
        del self.rows[path]

    def __contains__(self, path: object) -> bool:
        return path in self.rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)
