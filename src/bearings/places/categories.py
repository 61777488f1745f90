"""The seven categories that a caller may look for around a point, and the OpenStreetMap tags of each."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


class Category(StrEnum):
    """A category to look for around a point. All but TRANSPORT are OSM keys of the same name."""

    AMENITY = "amenity"
    TOURISM = "tourism"
    NATURAL = "natural"
    HISTORIC = "historic"
    LEISURE = "leisure"
    SHOP = "shop"
    TRANSPORT = "transport"


class Tag(NamedTuple):
    """An OSM tag; without a value, every value of the key."""

    key: str
    value: str | None = None


TAGS: Mapping[Category, tuple[Tag, ...]] = MappingProxyType(
    {
        Category.AMENITY: (Tag("amenity"),),
        Category.TOURISM: (Tag("tourism"),),
        Category.NATURAL: (Tag("natural"),),
        Category.HISTORIC: (Tag("historic"),),
        Category.LEISURE: (Tag("leisure"),),
        Category.SHOP: (Tag("shop"),),
        Category.TRANSPORT: (
            Tag("railway"),
            Tag("public_transport"),
            Tag("aeroway"),
            Tag("highway", "bus_stop"),
            Tag("amenity", "bus_station"),
            Tag("amenity", "ferry_terminal"),
            Tag("amenity", "taxi"),
        ),
    }
)

# Values of features that don't exist, no longer or not yet: https://wiki.openstreetmap.org/wiki/Lifecycle_prefix
_GONE = frozenset({"no", "none", "abandoned", "construction", "demolished", "disused", "proposed", "razed", "vacant"})


def categories_of(tags: Mapping[str, str]) -> tuple[Category, ...]:
    """The categories of an object's tags, in the order of `Category`; a bus station has two."""
    return tuple(category for category, wanted in TAGS.items() if any(_matches(tag, tags) for tag in wanted))


def belongs(category: Category, key: str, value: str) -> bool:
    """Whether the tag `key=value` alone puts an object in the category."""
    return category in categories_of({key: value})


def _matches(tag: Tag, tags: Mapping[str, str]) -> bool:
    value = tags.get(tag.key)
    if tag.value is not None:
        return value == tag.value
    return bool(value) and value not in _GONE
