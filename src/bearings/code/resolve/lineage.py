"""The order in which the classes above a class are asked for a member."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from bearings.code.resolve.referents import MOST_BASES

_Class = TypeVar("_Class")


def lineage(start: _Class, bases: Callable[[_Class], Iterable[_Class]]) -> list[_Class]:
    """A class and all its bases: depth first, each class behind all classes that extend it."""
    found, index = [start], 0
    while index < len(found) < MOST_BASES:
        index += 1
        found[index:index] = bases(found[index - 1])
    return [base for index, base in enumerate(found) if base not in found[index + 1 :]]
