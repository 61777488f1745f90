"""Messages between an engine and its worker: msgpack frames on pipes, each after four bytes of length."""

from typing import Any, BinaryIO

import msgspec

from bearings.code.index.frames import read, write
from bearings.code.question import Question
from bearings.code.replies.element import IndexInfo
from bearings.messages import Advance, Failed

_MAX_FRAME = 2**30


class Hello(msgspec.Struct, frozen=True, tag=True):
    """The first frame: the project and how to read it. Without `cache_dir` nothing is stored.

    `roots` are the real paths that may contain git directories; None allows any.
    `ahead` lets the worker read the project before the first question. With `behind`, it indexes the project for other
    workers while these answer, and ends.
    """

    root: str
    cache_dir: str | None
    max_file_bytes: int
    ahead: bool = False
    behind: bool = False
    roots: tuple[str, ...] | None = None


class Asked(msgspec.Struct, frozen=True, tag=True):
    """A question, encoded (see `questions.decoded`), and the time that the work on it may take; None: any."""

    question: msgspec.Raw
    seconds: float | None = None

    @classmethod
    def of(cls, question: Question[Any], seconds: float | None = None) -> "Asked":
        """The message of a question."""
        return cls(msgspec.Raw(msgspec.msgpack.encode(question)), seconds)


class Answered(msgspec.Struct, frozen=True, tag=True):
    """An answer; the type of `value` is the question's `answer`."""

    value: msgspec.Raw
    index: IndexInfo


ToWorker = Hello | Asked
FromWorker = Advance | Answered | Failed


class Closed(Exception):
    """The other process has ended, or sent an invalid frame."""


def read_frame(pipe: BinaryIO) -> bytes:
    """Reads the next frame. Blocks. Raises Closed."""
    try:
        return read(pipe, _MAX_FRAME)
    except (EOFError, OSError, ValueError) as error:
        raise Closed(str(error)) from error


def write_frame(pipe: BinaryIO, message: ToWorker | FromWorker) -> None:
    """Sends one message. Blocks. Raises Closed."""
    try:
        write(pipe, msgspec.msgpack.encode(message))
    except (OSError, ValueError) as error:
        raise Closed(str(error)) from error


def value_of(answered: Answered, kind: type[Any]) -> Any:
    """The answer's value. Raises Closed if it has another type."""
    try:
        return msgspec.msgpack.decode(answered.value, type=kind)
    except msgspec.MsgspecError as error:
        raise Closed(str(error)) from error
