"""Logs on stderr: stdout belongs to the protocol.

A record is one line and its traceback; hidden characters in it are escaped.
"""

import logging
import sys
from typing import Any

from bearings.untrusted import escape_line, escape_text


class CleanFormatter(logging.Formatter):
    """Shows hidden characters escaped: messages quote paths and errors of others."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - overrides
        """The message on one line, so that text in it can't look like another record."""
        return escape_line(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - overrides
        """The traceback."""
        return escape_text(super().formatException(ei))


def log_to_stderr(level: int | str, form: str) -> None:
    """Send the records of every logger from `level` on to stderr, once."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(CleanFormatter(form))
    logging.basicConfig(level=level, handlers=[handler])
