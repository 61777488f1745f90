"""Every error that a caller can act on, grouped by the caller's remedy.

    BearingsError
    ├── InvalidInput        change the argument           invalid_input
    ├── NotFound            ask for something else        not_found
    ├── Unsupported         use another backend           unsupported
    ├── WriteFailed         free the path                 write_failed
    ├── Internal            report a bug                  internal
    ├── DeadlineExceeded    ask for less, or again        timeout
    ├── Unauthorized        send a valid token            unauthorized
    ├── Forbidden           ask the server's operator     forbidden
    ├── Busy                wait                          busy
    ├── ShuttingDown        ask again                     shutting_down
    ├── UpstreamError       (places: a server was asked)
    │   ├── RateLimited     wait                          rate_limited
    │   ├── Blocked         stop                          blocked
    │   ├── Unavailable     try later                     unavailable
    │   └── BadResponse     report it                     bad_response
    └── ProjectError        (code: a project or its engine)
        ├── PathNotAllowed  stay inside a root            path_not_allowed
        ├── ElementNotFound spell it as suggested         element_not_found
        ├── Ambiguous       choose a candidate            ambiguous
        ├── CliNotFound     install or set the path       cli_not_found
        ├── CliFailed       read its stderr               cli_failed
        └── BadOutput       report it                     bad_output

`error` says what is wrong, with the field and the value; `hint` says what to do next. No error carries HTML, a stack
trace, text of an upstream page, hidden characters or escape sequences.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, ClassVar, Self

from bearings.untrusted import clean_text, escape_line


class BearingsError(Exception):
    """The base: a message, a hint and a code that programs can switch on."""

    code: ClassVar[str] = "internal"
    retryable: ClassVar[bool] = False

    def __init__(self, error: str, hint: str = "", *, retry_after_s: float | None = None) -> None:
        self.error = clean_text(error, len(error))
        self.hint = clean_text(hint, len(hint))
        super().__init__(self.error)
        self.retry_after_s = retry_after_s
        self.instead: dict[str, Any] = {}
        self.call: dict[str, Any] = {}

    def instead_of(self, field: str, *values: Any) -> Self:
        """The same error with the values to pass as `field` instead (None: pass nothing), as far as they are known."""
        self.instead.update((field, escape_line(value) if isinstance(value, str) else value) for value in values)
        return self

    def body(self) -> dict[str, Any]:
        """The wire form: success, error, code, hint, retryable; `retry_after_s` if it is known.

        `call`, if it is known, holds the arguments with which the same call would have worked.
        """
        body: dict[str, Any] = {
            "success": False,
            "error": self.error,
            "code": self.code,
            "hint": self.hint,
            "retryable": self.retryable,
        }
        if self.retry_after_s is not None:
            body["retry_after_s"] = self.retry_after_s
        if self.call:
            body["call"] = self.call
        return body


class InvalidInput(BearingsError):
    """An argument is not usable; `field` is its name, dotted for a nested one."""

    code = "invalid_input"

    def __init__(self, field: str, value: object, problem: str, remedy: str) -> None:
        super().__init__(f"{field} = {shown(value)}: {problem}", remedy)
        self.field = field


class NotFound(BearingsError):
    """The data have nothing that matches."""

    code = "not_found"


class Unsupported(BearingsError):
    """This backend or engine can't do it; the hint names one that can."""

    code = "unsupported"


class WriteFailed(BearingsError):
    """A file could not be written; nothing was half-written."""

    code = "write_failed"


class Internal(BearingsError):
    """A bug. The details are in the log, never in the reply."""


class DeadlineExceeded(BearingsError):
    """The work took longer than its deadline and was stopped."""

    code = "timeout"
    retryable = True


class Unauthorized(BearingsError):
    """The request carries no token that this server accepts."""

    code = "unauthorized"


class Forbidden(BearingsError):
    """This server does not do that for this caller."""

    code = "forbidden"


class Busy(BearingsError):
    """The caller, or all callers together, have used up their share of the server."""

    code = "busy"
    retryable = True


class ShuttingDown(BearingsError):
    """The server is shutting down and did not do the work."""

    code = "shutting_down"
    retryable = True


class UpstreamError(BearingsError):
    """An upstream server did not answer as it should."""


class RateLimited(UpstreamError):
    """The upstream server asks for a pause."""

    code = "rate_limited"
    retryable = True


class Blocked(UpstreamError):
    """The upstream server refuses us; further requests make it worse."""

    code = "blocked"


class Unavailable(UpstreamError):
    """The upstream server can't be reached, or reports that it is down."""

    code = "unavailable"
    retryable = True


class BadResponse(UpstreamError):
    """The upstream server's answer can't be understood."""

    code = "bad_response"


class ProjectError(BearingsError):
    """A project, or the engine that reads it, can't answer."""


class PathNotAllowed(ProjectError):
    """The path is outside every allowed root."""

    code = "path_not_allowed"


class ElementNotFound(ProjectError):
    """No symbol has that name; the hint lists the nearest."""

    code = "element_not_found"


_LISTED = 10
"""The most candidates in a hint."""


class Ambiguous(ProjectError):
    """Several symbols match; `candidates` spells each so that it is the only one.

    The hint lists the first ones, each with its `labels`: a number of uses.
    """

    code = "ambiguous"

    def __init__(
        self, name: str, candidates: Sequence[str], total: int | None = None, labels: Sequence[str] = ()
    ) -> None:
        candidates = [escape_line(candidate) for candidate in candidates]
        count = len(candidates) if total is None else total
        lines = zip_longest(candidates[:_LISTED], labels[:_LISTED], fillvalue="")
        super().__init__(
            f"{shown(name)} names {count} elements",
            "\n  ".join(
                ["Ask again with one of the candidates:", *map("".join, lines), *(["…"] if count > _LISTED else [])]
            ),
        )
        self.candidates = candidates

    def body(self) -> dict[str, Any]:
        """As the base, with `candidates`."""
        return {**super().body(), "candidates": self.candidates}


class CliNotFound(ProjectError):
    """There is no external `coderef` command."""

    code = "cli_not_found"


class CliFailed(ProjectError):
    """The external command ended with an error."""

    code = "cli_failed"


class BadOutput(ProjectError):
    """The external command's output breaks its own format."""

    code = "bad_output"


def shown(value: object, limit: int = 80) -> str:
    """A value for use in a message: one line, escaped, at most `limit` characters."""
    try:
        text = ascii_controls(repr(value)[: 2 * limit])
    except (ValueError, RecursionError):  # a number of thousands of digits, or lists in lists in lists
        text = f"({type(value).__name__})"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def ascii_controls(text: str) -> str:
    """`text` with an escape for each character that could not be seen, printed or encoded."""
    return escape_line(
        "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in text)
    )
