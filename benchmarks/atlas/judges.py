"""When an answer is right: one function a kind of question, each taking the first result of `geocode`.

A result is a settlement where its type is one of `SETTLED`, and an area of government where its type is one of
`GOVERNED`; a country, a region or a natural feature that comes back as one of the wrong kind is wrong.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any

Result = Mapping[str, Any]
Judge = Callable[[Result], bool]

SETTLED = frozenset(
    "city town village hamlet suburb quarter neighbourhood locality settlement airport aerodrome".split()
)
GOVERNED = frozenset(
    "country state province county district state_district region_district municipality administrative".split()
)
ALIKE = 0.6
"""The likeness of two spellings of a name, Cumilla and Comilla."""

_GLOSS = re.compile(r"[,()\[\];/]")

CITY_STATES = frozenset("sg mc gi va mo hk".split())
"""Countries whose city is the same place: the city of that name is right too."""


def folded(text: str) -> str:
    """Letters and digits alone, without case and accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if letter.isalnum())


def distance_km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Great-circle distance of (lat, lon), on a sphere of 6371 km."""
    (a, b), (c, d) = ([math.radians(number) for number in point] for point in (one, other))
    half = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * 6371 * math.asin(min(1, math.sqrt(half)))


def country(code: str) -> Judge:
    """The country itself: its ISO code, and no settlement."""
    return lambda found: (
        found["address"].get("country_code") == code and (found["type"] not in SETTLED or code in CITY_STATES)
    )


def city(code: str, lat: float, lon: float, km: float) -> Judge:
    """A result in the country within `km` of the reference's point."""
    return lambda found: found["address"].get("country_code") == code and near(lat, lon, km)(found)


def near(lat: float, lon: float, km: float) -> Judge:
    """A result within `km` of the reference's point."""
    return lambda found: distance_km((lat, lon), (found["lat"], found["lon"])) <= km


def region(code: str, name: str) -> Judge:
    """The region itself, by its ISO 3166-2 code or its name, or a city of the same name in that region.

    "Salta, Argentina" is both, and nobody can tell which was meant.
    """

    def right(found: Result) -> bool:
        address = found["address"]
        if address.get("country_code") != code[:2].lower():
            return False
        named = folded(found["name"]).startswith(folded(name))
        coded = code in {value for key, value in address.items() if key.startswith("ISO3166-2")}
        return (coded and named) if found["type"] in SETTLED else (coded or named)

    return right


def subdivision(code: str, name: str, own: frozenset[str], *, named: bool) -> Judge:
    """The area by its ISO 3166-2 code or, as counties have none in replies, by a name like that of the list.

    A country of one of the `own` codes is right too, such as Hong Kong's for CN-HK; and, if `named`, a city of such a
    name, or in the area.
    """

    def right(found: Result) -> bool:
        address = found["address"]
        if address.get("country_code") != code[:2].lower():
            return found["type"] == "country" and address.get("country_code") in own
        coded = code in {value for key, value in address.items() if key.startswith("ISO3166-2")}
        likeness = max(SequenceMatcher(None, folded(found["name"]), folded(one)).ratio() for one in _GLOSS.split(name))
        return (coded or likeness >= ALIKE) and (named or found["type"] not in SETTLED)

    return right


def either(judges: Iterable[Judge]) -> Judge:
    """Right by one of several."""
    tests = tuple(judges)
    return lambda found: any(right(found) for right in tests)


def at_level(levels: Container[str]) -> Judge:
    """A result whose `precision` is one of these."""
    return lambda found: found["precision"] in levels


def feature(lat: float, lon: float, km: float) -> Judge:
    """A natural feature or park: neither settlement nor area of government, within `km` of the reference's point."""
    return lambda found: found["type"] not in SETTLED | GOVERNED and near(lat, lon, km)(found)


def island(lat: float, lon: float, km: float) -> Judge:
    """As a feature, but a region of that name is right too: Tasmania and Bali are both."""
    return lambda found: found["type"] not in SETTLED and near(lat, lon, km)(found)


def namesake(query: str) -> Judge:
    """A place whose whole name is the whole query; that is an answer, not an invention."""
    return lambda found: folded(query) == folded(found["name"])
