"""The seven categories that may be looked for around a point, kinds of objects, and the OpenStreetMap tags of each."""

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

VALUES: Mapping[str, str] = MappingProxyType(
    {
        "amenity": (
            "restaurant cafe place_of_worship school fast_food bank pub pharmacy bar kindergarten fuel "
            "parking post_office townhall community_centre library hospital clinic doctors dentist police "
            "university college theatre cinema arts_centre fire_station social_facility nightclub car_rental "
            "ice_cream marketplace veterinary courthouse fountain ferry_terminal bus_station taxi casino "
            "public_building car_wash bicycle_rental toilets car_sharing events_venue scout_hut post_box "
            "childcare shelter recycling charging_station bicycle_parking biergarten grave_yard driving_school "
            "music_school conference_centre bureau_de_change prison monastery studio parliament"
        ),
        "tourism": (
            "hotel attraction museum guest_house viewpoint artwork apartment hostel camp_site "
            "gallery picnic_site theme_park zoo chalet motel alpine_hut caravan_site"
        ),
        "natural": (
            "peak beach bay spring water cave_entrance cape wood tree saddle cliff valley ridge rock arch "
            "stone strait glacier wetland volcano grassland heath scrub peninsula"
        ),
        "historic": (
            "memorial monument castle archaeological_site ruins wayside_shrine wayside_cross building church "
            "fort manor city_gate tomb tower citywalls chapel battlefield monastery boundary_stone milestone "
            "palace yes"
        ),
        "leisure": (
            "park playground sports_centre garden pitch fitness_centre stadium nature_reserve swimming_pool "
            "marina golf_course dog_park sauna dance bowling_alley track water_park horse_riding beach_resort "
            "slipway recreation_ground common miniature_golf ice_rink sports_hall picnic_table bandstand "
            "adult_gaming_centre amusement_arcade fishing firepit"
        ),
        "shop": (
            "supermarket convenience clothes hairdresser bakery car_repair beauty butcher car doityourself "
            "shoes mobile_phone jewelry optician electronics furniture florist books department_store "
            "hardware kiosk greengrocer mall chemist gift sports bicycle pastry alcohol toys travel_agency "
            "cosmetics stationery variety_store laundry interior_decoration computer confectionery tobacco "
            "wine pet ticket tailor art deli antiques perfumery souvenir fabric yes beverages car_parts "
            "motorcycle tyres garden_centre photo massage copyshop dry_cleaning newsagent charity second_hand "
            "electrical seafood houseware chocolate coffee tea musical_instrument medical_supply farm outdoor"
        ),
        "railway": "station halt tram_stop subway_entrance stop",
        "public_transport": "platform stop_position station stop_area",
        "aeroway": "aerodrome helipad terminal",
    }
)
"""The most common values of named objects by key (https://taginfo.openstreetmap.org), commonest first."""

_COMMON = [*VALUES.items(), ("highway", "bus_stop")]
_KINDS = {value: f"{key}={value}" for key, values in reversed(_COMMON) for value in values.split() if value != "yes"}
"""The tag of each value; that of the first key, if several have it."""

# Values of features that don't exist, no longer or not yet: https://wiki.openstreetmap.org/wiki/Lifecycle_prefix
_GONE = frozenset({"no", "none", "abandoned", "construction", "demolished", "disused", "proposed", "razed", "vacant"})


def categories_of(tags: Mapping[str, str]) -> tuple[Category, ...]:
    """The categories of an object's tags, in the order of `Category`; a bus station has two."""
    return tuple(category for category, wanted in TAGS.items() if any(_matches(tag, tags) for tag in wanted))


def named(word: str) -> str:
    """The category, or the tag, that a word asks for: "cafe" is "amenity=cafe". Another word stays as it is."""
    return word if word in set(Category) else _KINDS.get(word.replace(" ", "_"), word)


def split(name: str) -> tuple[Category, Tag | None]:
    """The category that a name stands for, and the tag if it names a kind of its objects: "amenity=cafe".

    Raises ValueError for another name, and for a value that has other characters than letters and _.
    """
    key, is_tag, value = name.partition("=")
    if not is_tag:
        return Category(name), None
    category, *_ = categories_of({key: value}) if value.replace("_", "").isalpha() else ()
    return category, Tag(key, value)


def belongs(category: Category, key: str, value: str) -> bool:
    """Whether the tag `key=value` alone puts an object in the category."""
    return category in categories_of({key: value})


def _matches(tag: Tag, tags: Mapping[str, str]) -> bool:
    value = tags.get(tag.key)
    if tag.value is not None:
        return value == tag.value
    return bool(value) and value not in _GONE
