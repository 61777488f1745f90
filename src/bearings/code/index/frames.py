"""Messages on a pipe between processes: four bytes of length, then the bytes of a message."""

from typing import BinaryIO

_LENGTH_BYTES = 4


def write(pipe: BinaryIO, data: bytes) -> None:
    """Writes one message."""
    pipe.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
    pipe.flush()


def read(pipe: BinaryIO, most: int | None = None) -> bytes:
    """Reads one message. Raises EOFError if it is incomplete, ValueError if it has more than `most` bytes."""
    size = int.from_bytes(_exactly(pipe, _LENGTH_BYTES), "big")
    if most is not None and size > most:
        raise ValueError(f"a message of {size} bytes")
    return _exactly(pipe, size)


def _exactly(pipe: BinaryIO, size: int) -> bytes:
    data = pipe.read(size)
    while len(data) < size:
        more = pipe.read(size - len(data))
        if not more:
            raise EOFError("the pipe ended")
        data += more
    return data
