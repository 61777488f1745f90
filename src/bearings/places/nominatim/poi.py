"""The tags of each category, for a server that is asked tag by tag, and the number of tags to ask at once.

Nominatim finds `[key=value]`, not a key alone.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, zip_longest

from bearings.places.categories import TAGS, VALUES, Category, Tag, belongs, split
from bearings.places.models import Place

PACED_BUDGET = 10
"""Requests for one call to a server with a pace: about ten seconds."""

FREE_BUDGET = 400
"""Requests for one call to a server without a pace: every tag below, and further pages of the common ones."""

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


def tags(name: str) -> tuple[Tag, ...]:
    """The tags of a category or of a kind of its objects, each with a value, commonest first."""
    category, tag = split(name)
    if tag is not None:
        return (tag,)
    known = chain.from_iterable(_spelt_out(tag) for tag in TAGS[category])
    return tuple(dict.fromkeys([*_FIRST.get(category, ()), *known, *_LAST.get(category, ())]))


def filed_under(name: str, place: Place) -> Place | None:
    """The place with the tag of a category, or of a kind of its objects, as its kind; None if it has none."""
    category, wanted = split(name)
    if wanted is not None:
        is_one = wanted == (place.category, place.type) or place.tags.get(wanted.key) == wanted.value
        return replace(place, category=wanted.key, type=wanted.value or "") if is_one else None
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


def plan(categories: Iterable[str], budget: int) -> list[tuple[str, Tag]]:
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
    return [Tag(tag.key, value) for value in VALUES[tag.key].split()]
