"""Parts of an address inside a building, which OpenStreetMap rarely knows: "flat 2", "Whg. 3", "2nd floor"."""

import re
from collections.abc import Sequence
from itertools import pairwise

_BEFORE = frozenset(
    "apartment apartamento appartement appt apt apto app flat unit suite ste room rm whg wohnung top tur dpto depto "
    "departamento piso puerta pta interno int scala escalera esc lokal lok mieszkanie kv kvartira lgh daire "
    "кв квартира floor fl etage stock og level".split()
)
"""Words that a designator follows."""

_BEHIND = frozenset("floor fl etage stock og piso piano kerros".split())
"""Words that a designator stands before."""

_DESIGNATOR = re.compile(r"\d{1,4}[a-z]?|[a-z]|\d{1,2}(st|nd|rd|th|er|e|eme|o|a|te)")


def without_units(parts: Sequence[Sequence[str]]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """The words of a query without its units, and the units; parts that hold nothing else are left out."""
    left, units = [], []
    for part in parts:
        taken: set[int] = set()
        for at, (first, second) in enumerate(pairwise(part)):
            is_unit = (first in _BEFORE and _DESIGNATOR.fullmatch(second)) or (
                second in _BEHIND and _DESIGNATOR.fullmatch(first)
            )
            if is_unit and at not in taken:
                taken |= {at, at + 1}
                units.append(f"{first} {second}")
        rest = tuple(word for at, word in enumerate(part) if at not in taken)
        left += [rest] if rest else []
    return tuple(left), tuple(units)
