"""Values as bytes: msgpack, compressed with zstd. Packed facts take a fifteenth of their size in memory."""

import sys
from collections import deque
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Generic, TypeVar

import msgspec

from bearings.code.file_facts import FileFacts
from bearings.code.models import Language, Symbol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_V = TypeVar("_V")

_LEVEL = 1
"""Higher levels save next to nothing."""

_ROOM = 64 * 2**20
_MOST_RATIO = 200
_MOST_BYTES = 2**30
"""A value may take `_ROOM` uncompressed, and more if it is large compressed: facts take a tenth of `_MOST_RATIO`."""

_consume = deque[None](maxlen=0).extend
"""Consumes an iterator."""

_COMPRESS = zstd.ZstdCompressor(_LEVEL).compress
_ENCODE = msgspec.msgpack.Encoder().encode
_FACTS = msgspec.msgpack.Decoder(FileFacts)


class Damaged(ValueError):
    """The bytes are no packed value."""


class Outline(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The symbols of a file without the rest of its facts: the first fields of FileFacts."""

    path: str
    language: Language
    lines: int
    symbols: tuple[Symbol, ...]


_OUTLINE = msgspec.msgpack.Decoder(Outline)


def pack(value: object) -> bytes:
    """A value as bytes. Packed facts contain the file's path once, not in each symbol."""
    return compressed(encoded(value))


def encoded(value: object) -> bytes:
    """A value as bytes that are not compressed: equal facts give equal bytes."""
    return _ENCODE(_without_paths(value) if isinstance(value, FileFacts) else value)


def compressed(data: bytes | memoryview) -> bytes:
    """The packed value whose bytes these are."""
    return _COMPRESS(data, zstd.ZstdCompressor.FLUSH_FRAME)


def _without_paths(facts: FileFacts) -> FileFacts:
    replace = msgspec.structs.replace
    return replace(facts, symbols=tuple([replace(symbol, file="") for symbol in facts.symbols]))


def unpack(data: bytes, decoder: "msgspec.msgpack.Decoder[_V]") -> _V:
    """The value that was packed. Raises Damaged."""
    try:
        return decoder.decode(inflated(data))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Damaged(str(error)) from error


def inflated(data: bytes) -> bytes:
    """The uncompressed bytes of a packed value; texts in them are plain UTF-8. Raises Damaged."""
    most = min(_MOST_BYTES, max(_ROOM, _MOST_RATIO * len(data)))
    reader = zstd.ZstdDecompressor()
    try:
        whole = reader.decompress(data, most)
    except zstd.ZstdError as error:
        raise Damaged(str(error)) from error
    if not reader.eof:
        raise Damaged(f"it ends early, or takes more than {most:,} bytes")
    return whole


def unpack_facts(data: bytes) -> FileFacts:
    """A file's facts. All symbols share one string for the path, which saves an eighth. Raises Damaged."""
    return decoded_facts(inflated(data))


def decoded_facts(data: bytes | memoryview) -> FileFacts:
    """The facts that `encoded` made these bytes of. Raises Damaged."""
    try:
        facts = _FACTS.decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Damaged(str(error)) from error
    _set_path(facts.path, facts.symbols)
    return facts


def unpack_outline(data: bytes) -> Outline:
    """The outline of packed facts, in half of the time that `unpack_facts` takes. Raises Damaged."""
    outline = unpack(data, _OUTLINE)
    _set_path(outline.path, outline.symbols)
    return outline


def _set_path(path: str, symbols: Sequence[Symbol]) -> None:
    """Sets the path of symbols with `map` instead of a Python loop, which is faster."""
    _consume(map(msgspec.structs.force_setattr, symbols, repeat("file"), repeat(path)))


class Packed(Generic[_V]):
    """A value as bytes (`data`), and as an object between its first use and `forget`.

    `unpack` makes the object from the bytes, or raises Damaged. A value without bytes is packed on first use of `data`.
    """

    __slots__ = ("_data", "_unpack", "_value")

    def __init__(self, data: bytes | None, unpack: Callable[[bytes], _V], value: _V | None = None) -> None:
        self._data = data
        self._unpack = unpack
        self._value = value

    @property
    def is_packed(self) -> bool:
        """Whether the bytes exist already."""
        return self._data is not None

    @property
    def data(self) -> bytes:
        """The value as bytes."""
        if self._data is None:
            self._data = pack(self._value)
        return self._data

    def get(self, *, keep: bool = True) -> _V:
        """The value; unless `keep`, the next call unpacks it again. Raises Damaged."""
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
        """Drops the object and keeps the bytes."""
        self._data = self.data
        self._value = None
