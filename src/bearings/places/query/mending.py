"""Undo what programs do to text on its way: HTML entities, percent-encoding, UTF-8 that was read as Windows-1252.

M&uuml;nchen    München
New%20York      New York
🇫🇷              FR
MÃ¼nchen        München
"""

import html
import re
from collections.abc import Callable
from urllib.parse import unquote

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});", re.IGNORECASE)
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_FLAGS = {0x1F1E6 + number: chr(ord("A") + number) for number in range(26)}
_LAST_LATIN_1 = "\xff"


def mended(text: str) -> str:
    """The text as its writer meant it; the same text if nothing is wrong with it."""
    text = text.translate(_FLAGS)
    if _ENTITY.search(text):
        text = html.unescape(text)
    if _PERCENT.search(text):
        text = _decoded(text, lambda: unquote(text, errors="strict"))
    # Bytes of Windows-1252 that are valid UTF-8 as a whole are UTF-8: chance would need "Ã" before just "¼".
    return text if text.isascii() else _decoded(text, lambda: _bytes(text).decode("utf-8"))


def _decoded(text: str, decode: Callable[[], str]) -> str:
    """The result of a decoder; the text where that fails."""
    try:
        return decode()
    except UnicodeError:
        return text


def _bytes(text: str) -> bytes:
    """The bytes of Windows-1252, and of Latin 1 for the five that it leaves undefined."""
    return b"".join(char.encode("latin-1" if char <= _LAST_LATIN_1 else "cp1252") for char in text)
