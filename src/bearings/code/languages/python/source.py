"""Python's sources before they are parsed: their encoding, and what its parser can't get through."""

import codecs
import re
from itertools import islice

_COOKIE = re.compile(rb"^[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
"""PEP 263's own expression."""
_BLANK = re.compile(rb"^[ \t\f]*(?:#[^\r\n]*)?$")
_HEAD = 2_000
"""Where a cookie may stand, in bytes from the top."""

_MOST_POWERS = 150
_POWER = re.compile(rb"[\w\])][ \t\f\\]*(?:\\\n[ \t\f]*)?[-+/%@&|^<>*](?:[^\w'\"()#]|#[^\n]{0,60}\n){0,8}?\*\*(?!\*)")
"""An operand, an operator and `**`, as in `a.b // **=`, which is no Python. At the end of a source that has many, one
step of tree-sitter takes the square of their number (9 s for 16 kB), and no callback can end it. Of 8,800 files in
packages none has more than 14, all of them in text.
"""


def recoded(source: bytes) -> bytes:
    """Python in UTF-8; unchanged without a coding cookie (PEP 263) in its first two lines.

    A source whose codec is unknown, or can't read it, is left as it is.
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
    """Whether Python takes a comment on the line of that number, from 1, for a coding cookie."""
    return line <= 2 and _COOKIE.match(comment) is not None


def _decoded(source: bytes, encoding: str) -> bytes:
    try:
        name = codecs.lookup(encoding).name
        return source if name in ("utf-8", "ascii") else source.decode(name).encode("utf-8")
    except (LookupError, ValueError):  # no such codec, one that is not for text, or bytes that it can't read
        return source


def has_many_powers(source: bytes) -> bool:
    """Whether its parser would take too long for a budget of steps to end it."""
    if source.count(b"**") < _MOST_POWERS:
        return False
    return next(islice(_POWER.finditer(source), _MOST_POWERS, None), None) is not None
