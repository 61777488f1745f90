"""How well known objects are, without a look at anything but their tags."""

import math
from collections.abc import Mapping

from bearings.places.osm.tags import OBJECT_RANK, Kind

_OF_RANK = 75
"""Nominatim's importance of what has no article in Wikipedia: .4 less 1/75 a rank
(https://nominatim.org/release-docs/latest/customize/Importance/)."""

_ARTICLE = 0.1
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


def weight(kind: Kind, tags: Mapping[str, str]) -> int:
    """1000 times (1 - importance): by rank, more with an article in Wikipedia or with people, less for a stop."""
    importance = 0.4 - kind.rank / _OF_RANK if kind.rank < OBJECT_RANK else _OF_OBJECTS.get(kind.category, 0.02)
    if kind.category == "place" and kind.rank < OBJECT_RANK:
        importance += 0.02
    if "wikipedia" in tags or "wikidata" in tags:
        importance += _ARTICLE
    if "iata" in tags:
        importance += _CODE
    if "population" in tags:
        people = tags["population"].replace(",", "").replace(" ", "")
        if people.isdecimal() and 0 < len(people) < 12 and int(people) > 0:
            importance += _PEOPLE * math.log10(int(people))
    if kind.type in _STOPS:
        importance = _LESS
    return min(1000, max(0, round(1000 * (1 - max(0.0, importance)))))
