"""Normalise text for the readers of this package: one form of Unicode's many commas, spaces, signs and digits."""

import re
import unicodedata
from functools import lru_cache

MAX_CHARS = 500
"""The limit of a text, which is cut; also the longest query that tools take."""

_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_COMMAS = dict.fromkeys(map(ord, "、，،؛；;﹐﹑"), ",")
_LIKE = _FULL_WIDTH | _COMMAS
_SEMICOLONS = dict.fromkeys(map(ord, "؛；;"), ";")
_COMMA = re.compile(r"\s*,\s*")


def tidy(text: str) -> str:
    """NFC, one space between words, plain commas and ASCII for full-width forms; at most `MAX_CHARS` characters."""
    plain = unicodedata.normalize("NFC", text[:MAX_CHARS]).translate(_LIKE)
    return " ".join(_visible(plain).split())


def numeric(text: str) -> str:
    """As `tidy`, for numbers: semicolons stay, and digits of all scripts become ASCII's."""
    plain = unicodedata.normalize("NFC", text[:MAX_CHARS]).translate(_FULL_WIDTH | _COMMAS | _SEMICOLONS)
    visible = _visible(plain)
    return " ".join((visible if visible.isascii() else "".join(map(_digit, visible))).split())


def parts(tidied: str) -> tuple[str, ...]:
    """The comma-separated parts, empty ones left out."""
    return tuple(part for each in _COMMA.split(tidied) if (part := each.strip()))


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """A word for comparison with the tables: lower case, no accents, no stops or apostrophes at its ends."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
    return bare.casefold().strip(".'’")


def _visible(text: str) -> str:
    """The text without control and format characters; joiners stay, because they shape letters."""
    if text.isprintable():  # nothing to remove
        return text
    return "".join(
        " " if category == "Cc" else char
        for char in text
        if (category := unicodedata.category(char)) not in {"Cf", "Cs"} or char in "\u200c\u200d"
    )


def _digit(char: str) -> str:
    return char if char.isascii() else str(value) if (value := unicodedata.decimal(char, None)) is not None else char
