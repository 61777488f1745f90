"""Writes .osm.pbf files by hand, so that they can say what no library writes. No checks, on purpose."""

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Self

Tag = tuple[str | bytes, str | bytes]
Member = tuple[str, int, str]
"""The letter of a type, an id, and a role."""

_VARINT, _BYTES = 0, 2


def varint(value: int) -> bytes:
    """A number of protobuf, as 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def signed(value: int) -> bytes:
    """A number whose sign is its last bit."""
    return varint((value << 1) ^ (value >> 63))


def field(number: int, value: bytes | int) -> bytes:
    """A field of a message."""
    if isinstance(value, int):
        return varint(number << 3 | _VARINT) + varint(value)
    return varint(number << 3 | _BYTES) + varint(len(value)) + value


def blob(kind: bytes, data: bytes, claimed: int | None = None) -> bytes:
    """A compressed blob, which says that it unpacks to `claimed` bytes."""
    body = field(2, len(data) if claimed is None else claimed) + field(3, zlib.compress(data))
    head = field(1, kind) + field(3, len(body))
    return struct.pack(">I", len(head)) + head + body


HEADER = blob(b"OSMHeader", field(4, b"OsmSchema-V0.6") + field(4, b"DenseNodes"))


class Block:
    """Some objects. Each method adds one."""

    def __init__(self) -> None:
        self._strings: dict[bytes, int] = {b"": 0}
        self._groups: list[bytes] = []

    def node(self, number: int, lat: float, lon: float, *tags: Tag) -> Self:
        """A node."""
        place = varint(8 << 3) + signed(round(lat * 1e7)) + varint(9 << 3) + signed(round(lon * 1e7))
        self._groups.append(field(1, varint(1 << 3) + signed(number) + self._tags(tags) + place))
        return self

    def way(self, number: int, nodes: Iterable[int], *tags: Tag) -> Self:
        """A way through nodes."""
        self._groups.append(field(3, field(1, number) + self._tags(tags) + _packed(8, _steps(nodes), signed)))
        return self

    def relation(self, number: int, members: Iterable[Member], *tags: Tag) -> Self:
        """A relation."""
        all_members = list(members)
        roles = _packed(8, (self._string(role) for _, _, role in all_members))
        numbers = _packed(9, _steps(each for _, each, _ in all_members), signed)
        types = _packed(10, ("nwr".index(kind) for kind, _, _ in all_members))
        self._groups.append(field(4, field(1, number) + self._tags(tags) + roles + numbers + types))
        return self

    def data(self) -> bytes:
        """The message."""
        table = b"".join(field(1, text) for text in self._strings)
        return field(1, table) + b"".join(field(2, group) for group in self._groups)

    def file(self) -> bytes:
        """A file of this block alone."""
        return HEADER + blob(b"OSMData", self.data())

    def _tags(self, tags: Iterable[Tag]) -> bytes:
        pairs = [(self._string(key), self._string(value)) for key, value in tags]
        return _packed(2, (key for key, _ in pairs)) + _packed(3, (value for _, value in pairs))

    def _string(self, text: str | bytes) -> int:
        raw = text if isinstance(text, bytes) else text.encode()
        return self._strings.setdefault(raw, len(self._strings))


def _packed(number: int, values: Iterable[int], encode: Callable[[int], bytes] = varint) -> bytes:
    return field(number, b"".join(map(encode, values)))


def _steps(values: Iterable[int]) -> Iterator[int]:
    last = 0
    for value in values:
        yield value - last
        last = value
