"""Names and queries as keys that a map is searched by: folded words with abbreviations in one form, without spaces.

"Hauptstraße", "haupt-strasse" and "Hauptstr." have one key, as have "Av. de l'Observatoire" and "avenue de
l'observatoire". The short form stands for the long one, so that an ambiguous abbreviation ("st" for street and saint)
needs no decision.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from bearings.places.engine.text import normalise

SHORT = MappingProxyType(
    {
        long: short
        for short, longs in {
            "st": "street saint sankt san santo santa sint sveti",
            "ste": "sainte",
            "str": "strasse straat strada stradela",
            "av": "avenue ave avenida avda avinguda aven",
            "bd": "boulevard blvd boul bvd bulevar",
            "rd": "road",
            "dr": "drive doctor doktor docteur dott",
            "ln": "lane",
            "ct": "court",
            "pl": "place platz plac placa ploshchad plads plass",
            "sq": "square",
            "hwy": "highway",
            "pkwy": "parkway",
            "cres": "crescent",
            "gdns": "gardens gdn",
            "mt": "mount",
            "ft": "fort",
            "r": "rue rua",
            "ch": "chemin che",
            "rte": "route",
            "imp": "impasse",
            "all": "allee",
            "fbg": "faubourg",
            "pza": "piazza plaza",
            "vle": "viale",
            "cso": "corso",
            "c": "calle carrer",
            "pso": "paseo passeig",
            "ctra": "carretera",
            "pca": "praca",
            "tv": "travessa",
            "ul": "ulica ulitsa ulice",
            "al": "aleja aleje",
            "os": "osiedle",
            "nam": "namesti",
            "prof": "professor",
            "gen": "general",
            "ул": "улица вулиця",
            "пр": "проспект просп прт",
            "пер": "переулок",
            "пл": "площадь",
            "and": "und et e y i",
        }.items()
        for long in longs.split()
    }
)
"""Words of names that people shorten, by their long form."""

SUFFIXES = (("strasse", "str"), ("strase", "str"), ("straat", "str"), ("platz", "pl"))
"""Ends of German and Dutch compounds."""

_LONG = "north south east west northeast northwest southeast southwest".split()
_LETTERS = "n s and w ne nw se sw".split()
_DIRECTIONS = {form: pair for pair in zip(_LONG, _LETTERS, strict=True) for form in pair}
"""The directions of streets' names, in full and as letters; "e" is folded as the "and" that it is elsewhere."""

EAST = "and"

_ASIDE = frozenset("bis ter quater cedex".split()) | _DIRECTIONS.keys()
"""Words of an address that a map may lack, beside numbers and single letters."""

_GENERIC = frozenset({"ul", "ул", "the"})
"""First words that many writers leave out."""

MOST_WORDS = 20
MOST_KEY = 120

_PARTS = re.compile(r"[,;\n\t،、，]+")
_NUMBER = re.compile(r"\d{1,6}(?:[a-z]{0,2}|bis|ter|quater)|[a-z]\d{1,4}")


_BEFORE_UNIT = frozenset(
    "apartment apartamento appartement appt apt apto app flat unit suite ste room rm whg wohnung top tur dpto depto "
    "departamento piso puerta pta interno int scala escalera esc lokal lok mieszkanie kv kvartira lgh daire "
    "кв квартира floor fl etage stock og level postfach postbus apartado".split()
)
"""Parts of an address inside a building, which OpenStreetMap rarely knows: a designator follows them, "flat 2"."""

_BEHIND_UNIT = frozenset("floor fl etage stock og piso piano kerros".split())
"""Words that a designator stands before: "2nd floor"."""

_DESIGNATOR = re.compile(r"\d{1,4}[a-z]?|[a-z]|\d{1,2}(st|nd|rd|th|er|e|eme|o|a|te)")


@lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """The folded words of a name, abbreviations in their short form."""
    return tuple(map(short, normalise(text).split()))


@lru_cache(maxsize=4096)
def short(word: str) -> str:
    """A folded word in its short form."""
    if word in SHORT:
        return SHORT[word]
    for long, brief in SUFFIXES:
        if word.endswith(long) and len(word) > len(long) + 1:
            return word[: -len(long)] + brief
    return word


def key_of(name: str) -> str:
    """The key of a name; empty where nothing can be compared."""
    return "".join(words(name))[:MOST_KEY]


def keys_of(name: str) -> tuple[str, ...]:
    """The keys of a name: its own, and the one without a first word that many leave out."""
    folded = words(name)
    key = "".join(folded)[:MOST_KEY]
    if len(folded) > 1 and folded[0] in _GENERIC:  # "ulica Długa" is written "Długa"
        return (key, "".join(folded[1:])[:MOST_KEY])
    return (key,) if key else ()


def directed(run: Sequence[str]) -> tuple[str, ...]:
    """The other keys of a name that a direction begins or ends: "E Main St" is "East Main Street", "Main St East"."""
    for at, rest in ((0, run[1:]), (-1, run[:-1])):
        if rest and (forms := _DIRECTIONS.get(run[at])):
            body = "".join(rest)
            return tuple(key for form in forms for key in (form + body, body + form))
    return ()


def parts(query: str) -> tuple[tuple[str, ...], ...]:
    """The words of each part of a query between commas, at most `MOST_WORDS` in all."""
    return of_parts(_PARTS.split(query))


def of_parts(given: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """As `parts`, for a query in parts."""
    folded_parts: list[tuple[str, ...]] = []
    left = MOST_WORDS
    for part in given:
        if folded := words(part)[:left]:
            folded_parts.append(folded)
            left -= len(folded)
    return tuple(folded_parts)


@lru_cache(maxsize=4096)
def house_keys(number: str) -> tuple[str, ...]:
    """The keys of a house number: as written, and the first and last number of a range ("12-14", "12/14").

    A fraction alone has none: "½" is not "12".
    """
    if len(number.strip()) == 1 and "\u2044" in unicodedata.normalize("NFKC", number):
        return ()
    whole = "".join(normalise(number).split())
    ends = [part for part in re.split(r"[-–/]", number) if part.strip()]
    several = [normalise(part).replace(" ", "") for part in ends] if len(ends) > 1 else []
    return tuple(dict.fromkeys(key for key in (whole, *several) if key))


def is_number(word: str) -> bool:
    """Whether a folded word may be a house number, or a part of one."""
    return _NUMBER.fullmatch(word) is not None


def is_directed(run: Sequence[str]) -> bool:
    """Whether the letter of a direction begins or ends a run: another name is no misspelling of it."""
    return run[0] in _LETTERS or run[-1] in _LETTERS


def may_lack(word: str) -> bool:
    """Whether a map may lack a folded word of an address: a number, "bis", the letter of "12 a", a direction."""
    return is_number(word) or word in _ASIDE or len(word) == 1


def without_units(parts: Sequence[Sequence[str]]) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """The words of a query without its units, and the units; parts that hold nothing else are left out."""
    left, units = [], []
    for part in parts:
        taken: set[int] = set()
        for at, (first, second) in enumerate(pairwise(part)):
            is_unit = (first in _BEFORE_UNIT and _DESIGNATOR.fullmatch(second)) or (
                second in _BEHIND_UNIT and _DESIGNATOR.fullmatch(first)
            )
            if is_unit and at not in taken:
                taken |= {at, at + 1}
                units.append(f"{first} {second}")
        rest = tuple(word for at, word in enumerate(part) if at not in taken)
        left += [rest] if rest else []
    return tuple(left), tuple(units)
