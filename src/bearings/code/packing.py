"""Values as bytes: msgpack, deflated. Facts take a fifteenth of their room so."""

import zlib
from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

from bearings.code.models import FileFacts

_V = TypeVar("_V")

_LEVEL = 1
"""More saves next to nothing."""

_ENCODE = msgspec.msgpack.Encoder().encode
_FACTS = msgspec.msgpack.Decoder(FileFacts)


class Damaged(ValueError):
    """Bytes that are no packed value."""


def pack(value: object) -> bytes:
    """A value as bytes."""
    return zlib.compress(_ENCODE(value), _LEVEL)


def unpack(data: bytes, decoder: "msgspec.msgpack.Decoder[_V]") -> _V:
    """The value again. Raises Damaged."""
    try:
        return decoder.decode(zlib.decompress(data))
    except (zlib.error, msgspec.MsgspecError) as error:
        raise Damaged(str(error)) from error


def unpack_facts(data: bytes) -> FileFacts:
    """A file's facts again, an eighth smaller for what is the same text in each of its symbols. Raises Damaged."""
    facts = unpack(data, _FACTS)
    path, texts, put = facts.path, dict[str, str](), msgspec.structs.force_setattr
    for symbol in facts.symbols:
        put(symbol, "file", path)
        if symbol.parent:
            put(symbol, "parent", texts.setdefault(symbol.parent, symbol.parent))
    return facts


class Packed(Generic[_V]):
    """A value as bytes, `data`, and as it is once somebody asked for it, until it is to be forgotten.

    `unpack` makes it of those, or raises Damaged.
    """

    __slots__ = ("_unpack", "_value", "data")

    def __init__(self, data: bytes, unpack: Callable[[bytes], _V], value: _V | None = None) -> None:
        self.data = data
        self._unpack = unpack
        self._value = value

    def get(self, *, keep: bool = True) -> _V:
        """The value; where it is not to be kept it is unpacked anew next time. Raises Damaged."""
        value = self._value
        if value is None:
            value = self._unpack(self.data)
            if keep:
                self._value = value
        return value

    def forget(self) -> None:
        """Lets go of all but the bytes."""
        self._value = None
