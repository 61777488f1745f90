"""Words for kinds of objects: "cafes near the station", "pharmacy in Vaduz".

The values of OpenStreetMap's tags are words of English: "fast_food", "bus_stop". These and their plurals are
understood, and some words that people use for them.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from bearings.places.osm.words import key_of

SAID: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "airport": ("aeroway", "aerodrome"),
        "car park": ("amenity", "parking"),
        "cash machine": ("amenity", "atm"),
        "chemist": ("amenity", "pharmacy"),
        "church": ("amenity", "place_of_worship"),
        "doctor": ("amenity", "doctors"),
        "drugstore": ("amenity", "pharmacy"),
        "ev charging": ("amenity", "charging_station"),
        "filling station": ("amenity", "fuel"),
        "gas station": ("amenity", "fuel"),
        "grocery": ("shop", "supermarket"),
        "metro station": ("railway", "subway_entrance"),
        "mosque": ("amenity", "place_of_worship"),
        "petrol station": ("amenity", "fuel"),
        "police station": ("amenity", "police"),
        "railway station": ("railway", "station"),
        "supermarket": ("shop", "supermarket"),
        "toilet": ("amenity", "toilets"),
        "town hall": ("amenity", "townhall"),
        "train station": ("railway", "station"),
        "tram stop": ("railway", "tram_stop"),
    }
)
"""Other words that people use for a tag, in the singular."""

KEYS = frozenset(
    {"amenity", "shop", "tourism", "leisure", "railway", "aeroway", "historic", "natural", "office", "craft"}
)
"""The keys whose values are asked for so; and highway=bus_stop."""

IN = frozenset({"in", "im", "within", "inside"})
"""Words after a kind that ask for what lies in a place."""

NEAR = frozenset({"near", "nearby", "around", "close", "next", "by"})
"""Words after a kind that ask for what is nearest rather than for what lies inside."""


def phrases(kinds: Iterable[tuple[int, tuple[str, str, int]]]) -> dict[str, frozenset[int]]:
    """The kinds (by number: category, type, rank) of a map that a key means, in the singular or plural."""
    numbers_of: dict[str, set[int]] = {}
    by_tag: dict[tuple[str, str], set[int]] = {}
    for number, (category, of_type, _) in kinds:
        by_tag.setdefault((category, of_type), set()).add(number)
        if category in KEYS or of_type == "bus_stop":
            numbers_of.setdefault(of_type.replace("_", " "), set()).add(number)
    for phrase, tag in SAID.items():
        numbers_of.setdefault(phrase, set()).update(by_tag.get(tag, ()))
    keyed: dict[str, frozenset[int]] = {}
    for phrase, numbers in numbers_of.items():
        for form in (phrase, *_plurals(phrase)):
            if numbers and (key := key_of(form)):
                keyed[key] = frozenset(numbers) | keyed.get(key, frozenset())
    return keyed


def _plurals(word: str) -> tuple[str, ...]:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return (f"{word[:-1]}ies",)
    if word.endswith(("s", "x", "ch", "sh")):
        return (f"{word}es",)
    return (f"{word}s",)
