"""The meaning of OpenStreetMap tags: what kind of place an object is, its names, address and weight. Pure functions."""

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from bearings.places.categories import categories_of

GONE = frozenset({"no", "none", "abandoned", "demolished", "disused", "proposed", "razed", "vacant"})
"""Values of features that don't exist, no longer or not yet."""

MAIN_KEYS = (
    "place", "boundary", "highway", "railway", "aeroway", "public_transport", "amenity", "shop", "tourism", "leisure",
    "historic", "natural", "office", "craft", "healthcare", "emergency", "club", "man_made", "military", "aerialway",
    "waterway", "mountain_pass", "bridge", "landuse", "building",
)  # fmt: skip
"""The keys that say what an object is; the first that an object has is its category."""

ADDRESS_KEYS = ("addr:housenumber", "addr:interpolation")

READ_KEYS = (
    *MAIN_KEYS, *ADDRESS_KEYS, "name", "name:en", "ref", "admin_level", "area", "population", "wikidata",
    "addr:street", "addr:place", "addr:city", "addr:postcode", "ISO3166-1:alpha2", "ISO3166-2",
)  # fmt: skip
"""The keys that are looked for in an object whose tags can't be read in turn."""

COUNTRY_RANK, STREET_RANK, PATH_RANK, OBJECT_RANK = 4, 26, 27, 30
"""Nominatim's ranks of countries, of streets, of ways for feet and bicycles, and of objects and addresses."""

PLACE_RANKS = {
    "country": 4, "state": 8, "province": 8, "region": 8, "county": 12, "district": 12, "municipality": 14,
    "city": 16, "town": 18, "borough": 18, "village": 19, "suburb": 19, "hamlet": 20, "quarter": 20,
    "neighbourhood": 24, "isolated_dwelling": 22, "farm": 22, "allotments": 22, "croft": 20, "subdivision": 22,
    "island": 17, "islet": 20, "archipelago": 17, "square": 25, "locality": 25, "city_block": 25,
}  # fmt: skip
"""place_rank of the values of `place` (https://nominatim.org/release-docs/latest/customize/Ranking/)."""

EXTENT_M = (
    {"city": 12_000.0, "town": 6_000.0, "village": 3_000.0, "municipality": 6_000.0},
    {"borough": 4_000.0, "suburb": 3_000.0, "quarter": 1_500.0, "subdivision": 1_500.0, "allotments": 800.0},
    {"hamlet": 1_500.0, "croft": 800.0, "isolated_dwelling": 500.0, "farm": 500.0},
    {"neighbourhood": 1_000.0, "city_block": 300.0},
)
"""How far the kinds of settlements reach at most from their points: an object belongs to one of each row, if any."""

TOWN_RANKS = range(14, 19)
"""Ranks of the areas that hold a settlement together with what belongs to it: admin_level 7 to 9."""

SETTLED = frozenset(
    {"city", "town", "village", "hamlet", "municipality", "borough", "suburb", "quarter", "neighbourhood",
     "isolated_dwelling", "farm", "allotments", "croft", "subdivision", "locality", "city_block", "square"}
)  # fmt: skip
"""Values of `place` where people live, or that name a spot between houses."""

LINKED = "linked_place"
"""The key, among an area's tags, of the kind of settlement that it is, as in Nominatim's replies."""

_PATHS = frozenset({"footway", "path", "steps", "cycleway", "bridleway", "service", "corridor", "via_ferrata"})
_LINKS = frozenset({"motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link"})
ROADS = frozenset(
    {"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street",
     "pedestrian", "road", "track", "construction", "busway"}
)  # fmt: skip

_NUMBERED = ROADS | _LINKS
"""Roads whose number stands for a name."""

_ALWAYS = ROADS - {"track", "construction", "busway"}
"""Roads that are at a point though they have no name: a named one farther away would be wrong."""

_NAME_KEY = re.compile(
    r"(?:name|int_name|loc_name|alt_name|official_name|short_name|old_name)(?::[a-z]{2,3}(?:[-_][A-Za-z]{2,8})*)?"
)
_OTHER_NAMES = frozenset({"ref", "iata", "icao", "brand", "ISO3166-2", "ISO3166-1", "ISO3166-1:alpha2"})
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,8})*")
_MOST_NAME = 250
_MOST_NAMES = 250

_UNNAMED = {
    "amenity": None, "shop": None, "tourism": None, "office": None, "craft": None, "healthcare": None, "club": None,
    "aeroway": None, "leisure": None, "emergency": frozenset({"ambulance_station", "fire_station", "phone"}),
    "highway": frozenset({"bus_stop", "elevator", "rest_area", "services"}),
    "man_made": frozenset({"lighthouse", "tower", "water_tower", "pier", "watermill", "windmill"}),
    "railway": frozenset({"station", "halt", "tram_stop", "subway_entrance"}),
    "historic": frozenset({"castle", "monument", "memorial", "ruins", "fort", "wayside_cross", "wayside_shrine"}),
}  # fmt: skip
"""Keys of objects that answer for a point though they have no name; None: with every value."""

_NEVER = {
    "amenity": frozenset({"parking_space", "parking_entrance", "waste_disposal", "hunting_stand", "bench",
                          "waste_basket", "recycling", "vending_machine", "post_box", "shelter"}),
    "leisure": frozenset({"swimming_pool", "garden", "common", "nature_reserve", "picnic_table"}),
    "tourism": frozenset({"information", "yes", "attraction"}),
    "aeroway": frozenset({"taxiway", "runway", "parking_position", "holding_position", "windsock", "navigationaid"}),
}  # fmt: skip
"""Of these, the values that need a name: most are furniture of a street."""

_NAMES = ("name", "official_name", "int_name", "name:en", "loc_name", "brand", "addr:housename")
"""The keys that a main name is taken from, the first that an object has."""

_TELLING_KEYS = frozenset((*_NAMES, "addr:housenumber", *_UNNAMED))
"""An object without any of these is no place: most are buildings without a name and an address."""

FURNITURE = frozenset(
    {"parking_space", "parking_entrance", "waste_disposal", "hunting_stand", "bench", "waste_basket", "vending_machine",
     "post_box", "recycling", "give_way", "stop", "crossing", "turning_circle", "street_lamp", "traffic_signals",
     "mini_roundabout", "motorway_junction", "level_crossing", "switch", "signal", "rail", "tram", "subway"}
)  # fmt: skip
"""Values of what stands at a point, named or not, but is no answer to where the point is."""

_CATEGORY_KEYS = (
    "amenity", "tourism", "natural", "historic", "leisure", "shop", "railway", "public_transport", "aeroway", "highway",
)  # fmt: skip
"""The keys of the tags that put an object into a category."""


_OF_RANK = 75
"""Nominatim's importance of what has no article in Wikipedia: .4 less 1/75 a rank
(https://nominatim.org/release-docs/latest/customize/Importance/)."""

ARTICLE = 0.1
_CODE = 0.05
"""For an airport with an IATA code: it has flights."""
_PEOPLE = 0.02
_OF_OBJECTS = {
    "natural": 0.06, "leisure": 0.05, "tourism": 0.05, "railway": 0.05, "aeroway": 0.05, "waterway": 0.05,
    "historic": 0.04, "amenity": 0.03, "shop": 0.02, "office": 0.015, "place": 0.01, "building": 0.01,
}  # fmt: skip
"""The importance of objects, chosen: a park before a shop of its name, both before a stop."""

_STOPS = frozenset({"bus_stop", "platform", "stop_position", "tram_stop", "stop", "information", "artwork"})
_LESS = 0.005


LESSER = _STOPS.union("halt parking parking_entrance bicycle_parking bicycle_rental charging_station taxi".split())
"""Values of what bears the name of a greater thing beside it: a castle, a library."""


class Kind(NamedTuple):
    """The kind of an object: OSM's key and value, and Nominatim's place rank."""

    category: str
    type: str
    rank: int


def kind_of(tags: Mapping[str, str]) -> Kind | None:
    """The kind of an object; None if its tags name none that is indexed. An address alone is `place=house`."""
    if _TELLING_KEYS.isdisjoint(tags):
        return None
    if (boundary := _boundary(tags)) is not None:
        return boundary
    for key in MAIN_KEYS:
        value = tags.get(key)
        if (
            value is None
            or value in GONE
            or (key == "building" and "addr:housenumber" not in tags and "name" not in tags)
        ):
            continue
        value = value.partition(";")[0].strip()  # shop=bakery;cafe is a bakery
        if value and (kind := _kind(key, value, tags)) is not None:
            return kind
    if "addr:housenumber" in tags:
        return Kind("place", "house", OBJECT_RANK)
    return None


def _kind(key: str, value: str, tags: Mapping[str, str]) -> Kind | None:
    named = has_name(tags)
    if key == "place":
        rank = PLACE_RANKS.get(value)
        return Kind(key, value, rank) if rank is not None and named else None
    if key == "boundary":
        return None
    if key == "highway":
        if value in ROADS or value in _PATHS or value in _LINKS:
            # A way without a name is no answer to a search, but a residential road is where a point is. Pavements
            # beside a street would hide it: footway=sidewalk.
            is_path = value in _PATHS or value in _LINKS
            if (not named and value not in _ALWAYS) or (
                value == "footway" and tags.get("footway") in ("sidewalk", "crossing")
            ):
                return None
            return Kind("highway", value, PATH_RANK if is_path else STREET_RANK)
        if named or value in (_UNNAMED["highway"] or ()):
            return Kind("highway", value, OBJECT_RANK)
        return None
    if key == "building" or (key == "landuse" and not named):
        return Kind(key, value, OBJECT_RANK) if "addr:housenumber" in tags or named else None
    if not named and "addr:housenumber" not in tags:
        accepted = _UNNAMED.get(key, frozenset())
        if (accepted is not None and value not in accepted) or value in _NEVER.get(key, ()):
            return None
    return Kind(key, value, OBJECT_RANK)


def _boundary(tags: Mapping[str, str]) -> Kind | None:
    """An administrative area, whatever else it is."""
    if tags.get("boundary") != "administrative":
        return None
    level = tags.get("admin_level", "")
    if level.isdecimal() and 2 <= int(level) <= 11 and has_name(tags):
        return Kind("boundary", "administrative", 2 * int(level))
    return None


def is_street(kind: Kind) -> bool:
    """Whether an object is a street, a path or a square: addresses belong to it."""
    return kind.category == "highway" and kind.rank < OBJECT_RANK


def has_name(tags: Mapping[str, str]) -> bool:
    """Whether an object has a name or a road number."""
    return bool(main_name(tags))


def main_name(tags: Mapping[str, str]) -> str:
    """The name on the ground, else another that stands for it; empty if there is none."""
    for key in _NAMES:
        if key in tags and (name := _clean(tags[key])):
            return name
    return _clean(tags.get("ref", "")) if tags.get("highway") in _NUMBERED else ""


def other_names(tags: Mapping[str, str]) -> dict[str, str]:
    """All names but the main one, by the tag's key: "name:fr", "alt_name", "ref"."""
    names: dict[str, str] = {}
    for key, value in tags.items():
        if key == "name" or len(names) >= _MOST_NAMES:
            continue
        if _is_other_name(key) and (name := _clean(value)):
            names[key] = name
    return names


@lru_cache(maxsize=4096)
def _is_other_name(key: str) -> bool:
    return key in _OTHER_NAMES or _NAME_KEY.fullmatch(key) is not None


def spellings(name: str, others: Mapping[str, str]) -> Iterator[tuple[str, bool]]:
    """Every name to search by, and whether it is the main one; lists are taken apart at semicolons."""
    yield name, True
    for part in name.split(";") if ";" in name else ():  # name=Bozen;Bolzano
        yield part, True
    for key, value in others.items():
        if key in ("ISO3166-1:alpha2", "ISO3166-1", "ISO3166-2"):
            continue
        for part in value.split(";"):
            if part.strip():
                yield part.strip(), False


def language_of(key: str) -> str | None:
    """The language of a name's key: "fr" for "name:fr"; None for others."""
    start, _, tag = key.partition(":")
    return tag.replace("_", "-").lower() if start == "name" and _LANGUAGE.fullmatch(tag) else None


def house_numbers(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The house numbers of an object: "12;14" are two."""
    given = tags.get("addr:housenumber") or tags.get("addr:conscriptionnumber")
    if not given:
        return ()
    numbers = (_clean(part) for part in re.split(r"[;,]", given))
    return tuple(dict.fromkeys(number for number in numbers if number and len(number) <= 32))[:20]


def street_name(tags: Mapping[str, str]) -> str:
    """The street, or the place that takes its part, of an object's address; empty if not said."""
    return _clean(tags.get("addr:street") or tags.get("addr:place") or "")


def postcode(tags: Mapping[str, str]) -> str:
    """The postcode of an object; empty if not said, or if it is a list."""
    given = _clean(tags.get("addr:postcode") or tags.get("postal_code") or "")
    return given if len(given) <= 16 and ";" not in given and "," not in given else ""


def city(tags: Mapping[str, str]) -> str:
    """The town of an object's address; empty if not said."""
    return _clean(tags.get("addr:city", ""))


def main_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """All tags of an object that put it into a category."""
    if "boundary" in tags and tags.get("place") in SETTLED:  # boundary=administrative and place=town on one relation
        return {LINKED: tags["place"]}
    return {key: tags[key] for key in _CATEGORY_KEYS if key in tags and _has_category(key, tags[key])}


@lru_cache(maxsize=4096)
def _has_category(key: str, value: str) -> bool:
    return bool(categories_of({key: value}))


def weight(kind: Kind, tags: Mapping[str, str]) -> int:
    """1000 times (1 - importance): by rank, more with an article in Wikipedia or with people, less for a stop."""
    importance = 0.4 - kind.rank / _OF_RANK if kind.rank < OBJECT_RANK else _OF_OBJECTS.get(kind.category, 0.02)
    if kind.category == "place" and kind.rank < OBJECT_RANK:
        importance += 0.02
    if "wikipedia" in tags or "wikidata" in tags:
        importance += ARTICLE
    if "iata" in tags:
        importance += _CODE
    if "population" in tags:
        people = tags["population"].replace(",", "").replace(" ", "")
        if people.isdecimal() and 0 < len(people) < 12 and int(people) > 0:
            importance += _PEOPLE * math.log10(int(people))
    if kind.type in _STOPS:
        importance = _LESS
    return min(1000, max(0, round(1000 * (1 - max(0.0, importance)))))


def _clean(text: str) -> str:
    """A text in single spaces; empty if nothing of it can be seen."""
    if not text:
        return ""
    spaced = " ".join(text.split())[:_MOST_NAME]
    return spaced if spaced.isprintable() or any(map(str.isprintable, spaced.replace(" ", ""))) else ""
