"""Log records on stderr. Text from outside can neither end a line, to forge a record, nor colour a terminal."""

import logging
import sys

from bearings.errors import ascii_controls
from bearings.untrusted import escape_line

FORMAT = "%(levelname)s %(name)s: %(message)s"

LINE_LIMIT = 2_000
"""The limit of one line. The program's own messages are shorter; a client's text may have a million characters."""


class LineFormatter(logging.Formatter):
    """A record on one line, its traceback indented below it; control characters are escaped, long lines cut."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - overrides
        """The message's line."""
        return _on_one_line(super().formatMessage(record))

    def formatException(self, ei: "logging._SysExcInfoType") -> str:  # noqa: N802 - overrides
        """The traceback, indented: its text may come from outside, so no line of it may look like a record."""
        return "\n".join("    " + _on_one_line(line) for line in super().formatException(ei).split("\n"))


def log_to_stderr(level: str | int, form: str = FORMAT) -> None:
    """Send log records to stderr, unless a handler exists already."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter(form))
    logging.basicConfig(level=level, handlers=[handler])


def _on_one_line(text: str) -> str:
    return ascii_controls(escape_line(text if len(text) <= LINE_LIMIT else f"{text[: LINE_LIMIT - 1]}…"))
