"""Rows by a key that several of them share."""

from collections.abc import Iterable
from typing import TypeVar

_Key = TypeVar("_Key")
_Row = TypeVar("_Row")


def grouped(pairs: Iterable[tuple[_Key, _Row]]) -> dict[_Key, list[_Row]]:
    """Return the rows of each key, in order; the keys are in the order of their first rows."""
    groups: dict[_Key, list[_Row]] = {}
    for key, row in pairs:
        groups.setdefault(key, []).append(row)
    return groups
