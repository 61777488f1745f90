"""Reads a SCIP index (https://github.com/sourcegraph/scip, scip.proto): documents and their occurrences.

The format is protobuf; five fields of three messages are read here, so no schema is compiled.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

_DEFINITION = 1
_VARINT, _EIGHT_BYTES, _LENGTH, _FOUR_BYTES = 0, 1, 2, 5


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A symbol at a place: line and column from 0, as SCIP counts."""

    line: int
    column: int
    symbol: str
    defines: bool


@dataclass(slots=True)
class Document:
    """One file's occurrences."""

    path: str = ""
    occurrences: list[Occurrence] = field(default_factory=list)


def documents(index: bytes) -> Iterator[Document]:
    """Every document of an index. Raises ValueError where the bytes are no protobuf."""
    for number, value in fields(index):
        if number == 2 and isinstance(value, bytes):
            yield _document(value)


def _document(message: bytes) -> Document:
    document = Document()
    for number, value in fields(message):
        if number == 1 and isinstance(value, bytes):
            document.path = value.decode()
        elif number == 2 and isinstance(value, bytes):
            document.occurrences.append(_occurrence(value))
    return document


def _occurrence(message: bytes) -> Occurrence:
    line, column, symbol, roles = 0, 0, "", 0
    for number, value in fields(message):
        if number == 1 and isinstance(value, bytes):
            line, at = _varint(value, 0)
            column, _ = _varint(value, at)
        elif number == 2 and isinstance(value, bytes):
            symbol = value.decode()
        elif number == 3 and isinstance(value, int):
            roles = value
    return Occurrence(line, column, symbol, bool(roles & _DEFINITION))


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """A protobuf message's fields: (number, value); bytes where it has a length."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        wire = key & 7
        if wire == _VARINT:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        size, at = _varint(message, at) if wire == _LENGTH else ({_EIGHT_BYTES: 8, _FOUR_BYTES: 4}.get(wire, -1), at)
        if size < 0 or at + size > len(message):
            raise ValueError(f"not a SCIP index: wire type {wire} at byte {at}")
        yield key >> 3, message[at : at + size]
        at += size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The number that starts there, and where the next starts."""
    result = shift = 0
    while True:
        if at >= len(data):
            raise ValueError(f"not a SCIP index: it ends in a number, at byte {at}")
        byte = data[at]
        at += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, at
        shift += 7
