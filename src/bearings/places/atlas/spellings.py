"""Other spellings of areas, from spellings.txt: abbreviations of states, former states, names in statistics."""

from functools import cache
from pathlib import Path

from bearings.places.engine import text


def codes_of(key: str) -> tuple[str, ...]:
    """The keys of the ISO 3166 codes of the areas that a name's key stands for, the likeliest first; mostly none.

    >>> codes_of("calif"), codes_of("czechoslovakia")
    (('us ca',), ('cz', 'sk'))
    """
    return _spellings().get(key, ())


@cache
def _spellings() -> dict[str, tuple[str, ...]]:
    lines = Path(__file__).with_name("spellings.txt").read_text("utf-8").splitlines()
    entries = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    found: dict[str, tuple[str, ...]] = {}
    for codes, _, names in entries:
        for name in names.split(", "):
            key = text.normalise(name)
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), *map(text.normalise, codes.split(" ")))))
    return found
