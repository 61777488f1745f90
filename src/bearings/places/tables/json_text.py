"""Values as JSON text, in lines, in features, in cells of other formats."""

import json
from collections.abc import Iterable
from typing import Any

from bearings.places.tables.rows import Columns, Row

_NAMES: dict[type, str] = {bool: "bool", int: "int64", float: "double", str: "string"}
"""Arrow's types of JSON's scalars."""

_LARGEST = 2**63


def dumped(value: Any) -> str:
    """A value on one line. What JSON lacks (dates, decimals) is text, bytes are hexadecimal."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_foreign)


def encoded(text: str) -> bytes:
    """Text in UTF-8; halves of surrogate pairs, which JSON may hold, are escaped as in the source."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return "".join(f"\\u{ord(each):04x}" if "\ud800" <= each <= "\udfff" else each for each in text).encode()


def cell(value: Any) -> Any:
    """A value for a cell of text: JSON for what is neither text nor a number."""
    if value is None or type(value) in (str, int, float):
        return value
    return dumped(value) if isinstance(value, dict | list | bool) else str(_foreign(value))


def _foreign(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


def surveyed(rows: Iterable[Row]) -> tuple[Columns, int]:
    """The columns of rows in the order of their first use, with types that fit all values; the number of rows."""
    types: dict[str, str | None] = {}
    count = 0
    for row in rows:
        count += 1
        for key, value in row.items():
            known = types.get(key)
            if known != "string" or value is None:
                types[key] = known if value is None else _common(known, _type_of(value))
    keys = tuple(types)
    return Columns(keys, keys, {key: name or "string" for key, name in types.items()}), count


def _type_of(value: Any) -> str:
    if type(value) is int and not -_LARGEST <= value < _LARGEST:
        return "string"
    return _NAMES.get(type(value), "string")


def _common(known: str | None, new: str) -> str:
    if known is None or known == new:
        return new
    return "double" if {known, new} == {"int64", "double"} else "string"
