"""Typed single values from untrusted JSON."""

import math
from collections.abc import Mapping
from typing import Any


def text(row: Mapping[str, Any], key: str) -> str:
    """The text under a key without surrounding white space; empty if there is none."""
    value = row.get(key)
    return value.strip() if isinstance(value, str) else ""


def spelt(value: object) -> str:
    """Text, or a finite number as text; empty for other values."""
    if isinstance(value, int | float) and real(value) is not None:
        return str(value)
    return value.strip() if isinstance(value, str) else ""


def real(raw: object) -> float | None:
    """A finite number, also given as text."""
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        return None
    try:
        value = float(raw)
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def whole(raw: object) -> int | None:
    """An integer of at most 63 bits, also given as digits."""
    if isinstance(raw, str) and raw.isascii() and raw.isdigit() and len(raw) < 19:
        return int(raw)
    return raw if isinstance(raw, int) and not isinstance(raw, bool) and abs(raw) < 2**63 else None
