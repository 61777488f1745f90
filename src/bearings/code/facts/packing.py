"""Values as bytes: msgpack, compressed. Facts take a fifteenth of their room so."""

import sys
from collections import deque
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Generic, TypeVar

import msgspec

from bearings.code.models import FileFacts, Language, Symbol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_V = TypeVar("_V")

_LEVEL = 1
"""A higher one saves next to nothing."""

_ALL = deque[None](maxlen=0).extend
"""Goes through an iterator to its end."""

_COMPRESS = zstd.ZstdCompressor(_LEVEL).compress
_ENCODE = msgspec.msgpack.Encoder().encode
_FACTS = msgspec.msgpack.Decoder(FileFacts)


class Damaged(ValueError):
    """Bytes that are no packed value."""


class Outline(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The symbols of a file without the rest of its facts: how those begin."""

    path: str
    language: Language
    lines: int
    symbols: tuple[Symbol, ...]


_OUTLINE = msgspec.msgpack.Decoder(Outline)


def pack(value: object) -> bytes:
    """A value as bytes. A file's facts name it once."""
    return _COMPRESS(
        _ENCODE(_named_once(value) if isinstance(value, FileFacts) else value), zstd.ZstdCompressor.FLUSH_FRAME
    )


def _named_once(facts: FileFacts) -> FileFacts:
    change = msgspec.structs.replace
    return change(facts, symbols=tuple([change(symbol, file="") for symbol in facts.symbols]))


def unpack(data: bytes, decoder: "msgspec.msgpack.Decoder[_V]") -> _V:
    """The value again. Raises Damaged."""
    try:
        return decoder.decode(inflated(data))
    except msgspec.MsgspecError as error:
        raise Damaged(str(error)) from error


def inflated(data: bytes) -> bytes:
    """A packed value with its texts as they are, in UTF-8. Raises Damaged."""
    try:
        return zstd.decompress(data)
    except zstd.ZstdError as error:
        raise Damaged(str(error)) from error


def unpack_facts(data: bytes) -> FileFacts:
    """A file's facts again, an eighth smaller for what is the same text in each of its symbols. Raises Damaged."""
    facts = unpack(data, _FACTS)
    _name(facts.path, facts.symbols)
    return facts


def unpack_outline(data: bytes) -> Outline:
    """How packed facts begin, in half of the time that all take. Raises Damaged."""
    outline = unpack(data, _OUTLINE)
    _name(outline.path, outline.symbols)
    return outline


def _name(path: str, symbols: Sequence[Symbol]) -> None:
    """Gives symbols their file's name. No loop of ours, so it is cheap."""
    _ALL(map(msgspec.structs.force_setattr, symbols, repeat("file"), repeat(path)))


class Packed(Generic[_V]):
    """A value as bytes, `data`, and as it is once somebody asked for it, until it is to be forgotten.

    `unpack` makes it of those, or raises Damaged. Without `data`, the value is packed when that is first asked for.
    """

    __slots__ = ("_data", "_unpack", "_value")

    def __init__(self, data: bytes | None, unpack: Callable[[bytes], _V], value: _V | None = None) -> None:
        self._data = data
        self._unpack = unpack
        self._value = value

    @property
    def is_packed(self) -> bool:
        """Whether there are bytes already."""
        return self._data is not None

    @property
    def data(self) -> bytes:
        """The value as bytes."""
        if self._data is None:
            self._data = pack(self._value)
        return self._data

    def get(self, *, keep: bool = True) -> _V:
        """The value; where it is not to be kept it is unpacked anew next time. Raises Damaged."""
        value = self._value
        if value is None:
            value = self._unpack(self.data)
            if keep:
                self._value = value
        return value

    @property
    def value(self) -> _V | None:
        """The value, if it is unpacked."""
        return self._value

    def forget(self) -> None:
        """Lets go of all but the bytes."""
        self._data = self.data
        self._value = None
