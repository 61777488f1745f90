"""What a process of this program tells the one that started it, beside its answers: progress, and errors."""

import msgspec

from bearings import errors


class Advance(msgspec.Struct, frozen=True, tag=True):
    """Progress; any number of these frames come before an answer."""

    done: float
    total: float | None
    message: str


class Failed(msgspec.Struct, frozen=True, tag=True):
    """An error instead of an answer."""

    code: str
    error: str
    hint: str
    field: str = ""
    candidates: tuple[str, ...] = ()
    instead: dict[str, str | None] = {}


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
        errors.Busy,
        errors.Internal,
    )
}
