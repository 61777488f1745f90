"""Cursors: an opaque word that names a list and the start of its next page."""

import base64
import binascii
import hashlib
from collections.abc import Sequence

from bearings.errors import InvalidInput

_REMEDY = "Leave cursor out for the first page, or pass next_cursor of the last reply, with the same arguments."


def fingerprint(parts: Sequence[object]) -> str:
    """A short hash of a list's identity: its arguments and the revision of its data."""
    return hashlib.sha256(repr(tuple(parts)).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def encode(offset: int, of: str) -> str:
    """The cursor of the page that starts at `offset` in the list with fingerprint `of`."""
    return base64.urlsafe_b64encode(f"{offset}.{of}".encode()).decode().rstrip("=")


def decode(cursor: str | None, of: str) -> int:
    """The offset of a cursor; 0 for none.

    Raises InvalidInput if it is not a cursor, or belongs to another list (other arguments, or changed data).
    """
    if cursor is None:
        return 0
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        number, made_of = text.split(".")
        offset = int(number)
    except (ValueError, binascii.Error, UnicodeError) as error:
        raise InvalidInput("cursor", cursor, "is not a cursor", _REMEDY) from error
    if offset < 0:
        raise InvalidInput("cursor", cursor, "is not a cursor", _REMEDY)
    if made_of != of:
        raise InvalidInput(
            "cursor", cursor, "belongs to another list (other arguments, or the project changed since)", _REMEDY
        )
    return offset
