"""Values as bytes: msgpack, deflated. Facts take a fifteenth of their room so, and are unpacked as fast as read."""

import zlib
from typing import Generic, TypeVar

import msgspec

_V = TypeVar("_V")

_LEVEL = 1
"""More saves next to nothing."""

_ENCODE = msgspec.msgpack.Encoder().encode


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


class Packed(Generic[_V]):
    """A value as bytes, `data`, and as it is once somebody asked for it, until it is to be forgotten."""

    __slots__ = ("_decoder", "_value", "data")

    def __init__(self, data: bytes, decoder: "msgspec.msgpack.Decoder[_V]", value: _V | None = None) -> None:
        self.data = data
        self._decoder = decoder
        self._value = value

    def get(self, *, keep: bool = True) -> _V:
        """The value; where it is not to be kept it is unpacked anew next time. Raises Damaged."""
        value = self._value
        if value is None:
            value = unpack(self.data, self._decoder)
            if keep:
                self._value = value
        return value

    def forget(self) -> None:
        """Lets go of all but the bytes."""
        self._value = None
