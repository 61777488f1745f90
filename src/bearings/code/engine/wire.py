"""Messages between an engine and its worker: msgpack frames on pipes, each after four bytes of length."""

from typing import Any, BinaryIO

import msgspec

from bearings import errors
from bearings.code.asking.engine import IndexState
from bearings.code.asking.question import Question
from bearings.code.index.frames import read, write

_MAX_FRAME = 2**30


class Hello(msgspec.Struct, frozen=True, tag=True):
    """The first frame: the project and how to read it. Without `cache_dir` nothing is stored.

    `roots` are the real paths that may contain git directories; None allows any.
    `ahead` lets the worker read the project before the first question.
    """

    root: str
    cache_dir: str | None
    max_file_bytes: int
    ahead: bool = False
    roots: tuple[str, ...] | None = None


class Asked(msgspec.Struct, frozen=True, tag=True):
    """A question, encoded (see `questions.decoded`)."""

    question: msgspec.Raw

    @classmethod
    def of(cls, question: Question[Any]) -> "Asked":
        """The message of a question."""
        return cls(msgspec.Raw(msgspec.msgpack.encode(question)))


class Advance(msgspec.Struct, frozen=True, tag=True):
    """Progress; any number of these frames come before an answer."""

    done: float
    total: float | None
    message: str


class Answered(msgspec.Struct, frozen=True, tag=True):
    """An answer; the type of `value` is the question's `answer`."""

    value: msgspec.Raw
    index: IndexState


class Failed(msgspec.Struct, frozen=True, tag=True):
    """An error instead of an answer."""

    code: str
    error: str
    hint: str
    field: str = ""
    candidates: tuple[str, ...] = ()
    instead: dict[str, str | None] = {}


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


def failed(error: errors.BearingsError) -> Failed:
    """An error as a message."""
    return Failed(
        error.code,
        error.error,
        error.hint,
        error.field if isinstance(error, errors.InvalidInput) else "",
        tuple(error.candidates) if isinstance(error, errors.Ambiguous) else (),
        error.instead,
    )


def raised(failure: Failed) -> errors.BearingsError:
    """The error of a message, as it was in the other process."""
    kind = _KINDS.get(failure.code, errors.Internal)
    error = kind.__new__(kind)
    errors.BearingsError.__init__(error, failure.error, failure.hint)
    if isinstance(error, errors.InvalidInput):
        error.field = failure.field
    if isinstance(error, errors.Ambiguous):
        error.candidates = list(failure.candidates)
    error.instead = dict(failure.instead)
    return error


_KINDS: dict[str, type[errors.BearingsError]] = {
    kind.code: kind
    for kind in (
        errors.InvalidInput,
        errors.Unsupported,
        errors.WriteFailed,
        errors.PathNotAllowed,
        errors.ElementNotFound,
        errors.Ambiguous,
        errors.DeadlineExceeded,
        errors.Internal,
    )
}


def value_of(answered: Answered, kind: type[Any]) -> Any:
    """The answer's value. Raises Closed if it has another type."""
    try:
        return msgspec.msgpack.decode(answered.value, type=kind)
    except msgspec.MsgspecError as error:
        raise Closed(str(error)) from error
