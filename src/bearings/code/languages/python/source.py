"""Prepares Python sources for the parser: their encoding, and a check for sources that it can't parse in time."""

import codecs
import re
from itertools import islice

_COOKIE = re.compile(rb"^[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
"""The regular expression of PEP 263."""
_BLANK = re.compile(rb"^[ \t\f]*(?:#[^\r\n]*)?$")
_HEAD = 2_000
"""Bytes at the top of a file that are searched for a coding cookie."""

_MOST_POWERS = 150
_POWER = re.compile(rb"[\w\])][ \t\f\\]*(?:\\\n[ \t\f]*)?[-+/%@&|^<>*](?:[^\w'\"()#]|#[^\n]{0,60}\n){0,8}?\*\*(?!\*)")
"""An operand, an operator and `**`, as in `a.b // **=`, which is invalid Python.

At the end of a source with many of these, one step of tree-sitter takes the square of their number (9 s for 16 kB), and
no callback can stop it. Of 8,800 files in packages none has more than 14, all of them in text.
"""


def recoded(source: bytes) -> bytes:
    """Return a source in UTF-8, decoded by the coding cookie (PEP 263) in its first two lines.

    It stays unchanged if it has no cookie, or if the codec is unknown or can't decode it.
    """
    lines = re.split(rb"\r\n?|\n", source[:_HEAD], maxsplit=2)[:2] if b"coding" in source[:_HEAD] else []
    for line in lines:
        cookie = _COOKIE.match(line)
        if cookie is not None:
            return _decoded(source, cookie[1].decode("ascii", "replace"))
        if not _BLANK.match(line):
            break
    return source


def is_cookie(line: int, comment: bytes) -> bool:
    """Whether a comment on a 1-based line is a coding cookie."""
    return line <= 2 and _COOKIE.match(comment) is not None


def _decoded(source: bytes, encoding: str) -> bytes:
    try:
        name = codecs.lookup(encoding).name
        return source if name in ("utf-8", "ascii") else source.decode(name).encode("utf-8")
    except (LookupError, ValueError):  # an unknown codec, one that is not for text, or bytes that it can't decode
        return source


def has_many_powers(source: bytes) -> bool:
    """Whether a source holds so many of `_POWER` that one step of the parser would take too long."""
    if source.count(b"**") < _MOST_POWERS:
        return False
    return next(islice(_POWER.finditer(source), _MOST_POWERS, None), None) is not None
