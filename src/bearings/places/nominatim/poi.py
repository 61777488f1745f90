"""The tags of each category, for a server that is asked tag by tag, and the number of tags to ask at once.

Nominatim finds `[key=value]`, not a key alone. The values are the most common of named objects according to
https://taginfo.openstreetmap.org, commonest first.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain, zip_longest
from types import MappingProxyType

from bearings.places.categories import TAGS, Category, Tag, belongs
from bearings.places.models import Place

PACED_BUDGET = 10
"""Requests for one call to a server with a pace: about ten seconds."""

FREE_BUDGET = 400
"""Requests for one call to a server without a pace: every tag below, and further pages of the common ones."""

_VALUES: Mapping[str, str] = MappingProxyType(
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

# Nominatim files tourism=information under its second tag.
_INFORMATION = tuple(Tag("information", value) for value in ("office", "visitor_centre", "board", "guidepost", "map"))

# It files natural=water under water=*, if there is one.
_WATERS = tuple(Tag("water", value) for value in ("pond", "reservoir", "lagoon", "basin", "oxbow", "river"))

# attraction, information and yes are vague. If an object has another main tag, Nominatim files it under that tag
# alone: a castle that is an attraction is found as a castle.
_ATTRACTIONS = (
    *(Tag("historic", value) for value in ("castle", "ruins", "archaeological_site", "monument", "memorial")),
    Tag("leisure", "park"),
    Tag("leisure", "garden"),
    *(Tag("man_made", value) for value in ("tower", "bridge", "lighthouse", "windmill", "obelisk", "pier")),
    *(Tag("amenity", value) for value in ("place_of_worship", "theatre", "fountain", "townhall", "casino")),
    *(Tag("amenity", value) for value in ("parliament", "library", "marketplace", "arts_centre")),
    *(Tag("natural", value) for value in ("cave_entrance", "rock", "tree", "beach")),
    *(Tag("water", value) for value in ("lake", "basin", "pond")),
    Tag("waterway", "waterfall"),
    Tag("place", "square"),
)
_MONUMENTS = (
    *(Tag("tourism", value) for value in ("artwork", "attraction", "museum", "viewpoint")),
    *(Tag("man_made", value) for value in ("tower", "bridge", "lighthouse", "windmill", "watermill", "obelisk")),
    Tag("amenity", "place_of_worship"),
    Tag("amenity", "fountain"),
)

# Lakes are the best known of the others; the values above are in order.
_NATURAL_FIRST = (Tag("natural", "peak"), Tag("water", "lake"))

# Stops come first: they are usually meant, and large stations are few.
_TRANSPORT_FIRST = (Tag("highway", "bus_stop"), Tag("railway", "station"), Tag("public_transport", "platform"))

_FIRST = {Category.TRANSPORT: _TRANSPORT_FIRST, Category.NATURAL: _NATURAL_FIRST}
_LAST = {
    Category.TOURISM: (*_INFORMATION, *_ATTRACTIONS),
    Category.NATURAL: _WATERS,
    Category.HISTORIC: _MONUMENTS,
}


def tags(category: Category) -> tuple[Tag, ...]:
    """The category's tags, each with a value, commonest first."""
    known = chain.from_iterable(_spelt_out(tag) for tag in TAGS[category])
    return tuple(dict.fromkeys([*_FIRST.get(category, ()), *known, *_LAST.get(category, ())]))


def filed_under(category: Category, place: Place) -> Place | None:
    """The place with the category's own tag as its kind; None if it is not in the category."""
    if belongs(category, place.category, place.type):
        return place
    for tag in TAGS[category]:
        value = place.tags.get(tag.key)
        if value is not None and tag.value in (None, value) and belongs(category, tag.key, value):
            return replace(place, category=tag.key, type=value)
    if category is Category.TOURISM and place.category == "information":
        return replace(place, category="tourism", type="information")
    if category is Category.NATURAL and place.category == "water":
        return replace(place, category="natural", type="water")
    return None


def plan(categories: Iterable[Category], budget: int) -> list[tuple[Category, Tag]]:
    """The tags to ask for within the budget: the commonest of each category, then the next of each, and so on.

    Every category gets at least one tag.
    """
    wanted = list(dict.fromkeys(categories))
    columns = [[(category, tag) for tag in tags(category)] for category in wanted]
    in_turn = [pair for row in zip_longest(*columns) for pair in row if pair is not None]
    return in_turn[: max(budget, len(wanted))]


def _spelt_out(tag: Tag) -> Iterable[Tag]:
    """The tag itself, or the commonest tags of its key."""
    if tag.value is not None:
        return [tag]
    return [Tag(tag.key, value) for value in _VALUES[tag.key].split()]
