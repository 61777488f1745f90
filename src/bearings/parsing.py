"""Parses TOML and JSON that others wrote. Text that a parser takes too long for is refused before it is parsed.

tomllib takes time in the square of a key's parts, and both parsers build values that are too deep to be walked.
"""

import json
import re
import tomllib
from typing import Any

MOST_CHARACTERS = 256 * 1024
"""tomllib takes about a second for these. The longest files of projects have a tenth."""

_MOST_PARTS = 20
_MOST_DEPTH, _MOST_BITS = 100, 256
_LONG_KEY = re.compile(
    r"(?:\.[ \t]*+(?:[\w-]++|\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+')[ \t]*+){%d}" % _MOST_PARTS  # noqa: UP031 - braces
)
_DEEP = f"it is nested too deep: more than {_MOST_DEPTH} levels"


def toml(text: str, most: int = MOST_CHARACTERS) -> dict[str, Any]:
    """The whole table. Raises ValueError with what is wrong; tomllib's has the position."""
    if len(text) > most:
        raise ValueError(f"it has more than {most:,} characters")
    if _LONG_KEY.search(text):
        raise ValueError(f"it has a key of more than {_MOST_PARTS} parts")
    try:
        table = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise ValueError(_DEEP) from None
    check(table)
    return table


def from_json(text: str | bytes, decoder: json.JSONDecoder | None = None) -> Any:
    """The value. Raises ValueError with what is wrong; a JSONDecodeError has the position."""
    try:
        value = json.loads(text) if decoder is None else decoder.decode(str(text))
    except RecursionError:
        raise ValueError(_DEEP) from None
    check(value)
    return value


def check(value: Any) -> None:
    """Raise ValueError if tables and lists are nested too deep for a function that calls itself, or for huge numbers.

    Python takes hexadecimal numbers of any length, and then raises an error when it writes them in decimal.
    """
    level = [value]
    for _ in range(_MOST_DEPTH):
        around = [item.values() if isinstance(item, dict) else item for item in level if isinstance(item, dict | list)]
        level = [inner for item in around for inner in item]
        if not level:
            return
        if any(isinstance(item, int) and item.bit_length() > _MOST_BITS for item in level):
            raise ValueError(f"it has an integer of more than {_MOST_BITS} bits")
    raise ValueError(_DEEP)
