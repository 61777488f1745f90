"""The values of settings that are read from configuration files; see settings.py."""

from collections.abc import Container, Iterator
from typing import Any, NamedTuple

DEEPEST = 24
"""Levels of nested values, calls and constants that are followed."""


class Place(str):
    """The path of a file or folder, from the project's root; "" is the root."""


class RegularExpression(str):
    """The source of a regular expression."""


Value = Any
"""A string, a Place, a RegularExpression, a list or a dictionary of values; None if the file must run to know it."""


class Setting(NamedTuple):
    """A property or an argument of the configuration: its key, the keys around it, and its value."""

    key: str
    around: tuple[str, ...]
    value: Value


def settings_in(value: Value, keys: Container[str], around: tuple[str, ...] = ()) -> Iterator[Setting]:
    """The settings in a value that is read already, as JSON is."""
    if isinstance(value, dict) and len(around) < DEEPEST:
        for key, inner in value.items():
            if key in keys:
                yield Setting(key, around, inner)
            yield from settings_in(inner, keys, (*around, key))
    elif isinstance(value, list) and len(around) < DEEPEST:
        for inner in value:
            yield from settings_in(inner, keys, (*around, ""))
