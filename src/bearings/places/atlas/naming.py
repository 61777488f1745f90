"""Names as people read them: upright ("Comunidad de Madrid"), and no level that says its neighbour's name again."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bearings.places.engine import text
from bearings.places.query import qualifiers

_INVERTED = re.compile(r"([^,]+), ([^,]+)")
_LINKS = frozenset("de del da do di du des d' dell' della of the la le el los las l' van".split())
_GENERIC = frozenset(
    """
    canton city comunidad comunitat county departamento departement district foral governorate iles isla
    island islands islas municipality principado principality province provincia region republic republica
    republique state territory
    """.split()
)
_LEVEL_WORDS = frozenset(
    """
    arrondissement bezirk changwat city concelho county department district do fu gouvernorat governorate gun
    il ili kabupaten ken kota kraj kreis landkreis megye metropolitan muhafazat municipio oblast okres parish
    powiat prefecture province provinsi qu regierungsbezirk region sheng shi si state to wilaya wojewodztwo
    xian
    """.split()
)
"""Words that a level's name has beside the name of its chief town."""

_CONJUNCTIONS = frozenset("and y e et und en og och i".split())
_LEAST_LEVEL = 4
_LEVELS = {word for word in _LEVEL_WORDS | _GENERIC if len(word) >= _LEAST_LEVEL} - {
    "city",
    "island",
    "islands",
    "state",
}
"""Words that a region is known without. "State" is in nicknames, "Golden State"; short ones are codes, "IL"."""


def upright(name: str) -> str:
    """A name that a list has turned round for its alphabet: "Madrid, Comunidad de" is "Comunidad de Madrid".

    Only what ends with a preposition or is a general word is turned: "Washington, D.C." stays.
    """
    match = _INVERTED.fullmatch(name) if "," in name else None
    if match is None:
        return name
    words = [text.normalise(word) or word for word in match[2].split()]
    turned = match[2].split()[-1].casefold() in _LINKS or words[0] in _GENERIC
    return f"{match[2]} {match[1]}" if turned else name


def plain(key: str) -> str:
    """The key of a region without words for its level, conjunctions and articles: "central" of "central district"."""
    words = key.split(" ")
    inner = _LEVELS | _LINKS | _CONJUNCTIONS
    remaining = [word for at, word in enumerate(words) if word not in (inner if 0 < at < len(words) - 1 else _LEVELS)]
    return " ".join(remaining) or key


def spoken(names: Sequence[str]) -> list[str]:
    """The names of a place and its areas, innermost first, without areas that are called as the one before.

    ["Madrid", "Madrid", "Comunidad de Madrid", "Spain"] is ["Madrid", "Spain"]; a country is always told.
    """
    shown: list[str] = []
    for number, name in enumerate(names):
        is_last = number == len(names) - 1
        repeats = bool(shown) and (name == shown[-1] if is_last else text.normalise(shown[-1]) in _bare(name))
        if not repeats:
            shown.append(name)
    return shown


@lru_cache(maxsize=4096)
def _bare(name: str) -> frozenset[str]:
    """The keys of a level's name, whole and without its general words."""
    return frozenset(_bared(name))


def _bared(name: str) -> Iterator[str]:
    yield text.normalise(name)
    yield from (text.normalise(left) for left, _ in qualifiers.readings(name))
    words = text.normalise(name).split()
    yield " ".join(word for word in words if word not in _LEVEL_WORDS)
    if len(words) > 2 and words[0] in _GENERIC and words[1] in _LINKS:
        yield " ".join(words[2:])
