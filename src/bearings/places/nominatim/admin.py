"""The administrative areas around a point, from the addresses that a server gives at several zooms."""

from collections.abc import Container, Iterable
from dataclasses import replace

from bearings.places import address
from bearings.places.models import AdminLevel, Place, Point
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.scalars import whole
from bearings.places.remote.client import Answer

AREA_ZOOM = 10
"""The municipality. Finer zooms name the village beside it under the same key."""

SETTLEMENT_ZOOM = 14
"""Down to neighbourhoods. Finer zooms answer with a house, whose address may be across the border."""

REGION_ZOOM = 5
"""States, and islands with a state's government."""

OUTER_ZOOMS = (3, REGION_ZOOM, 8)
"""Country, region, county. Their addresses add nothing, but the answers are the areas' OSM objects."""

Governed = tuple[tuple[AdminLevel, ...], dict[str, str]]
"""The areas outermost first, and the address of the innermost."""


async def who_governs(
    client: NominatimClient, point: Point, *, language: str, thorough: bool
) -> tuple[Governed, list[Answer[Place | None]]]:
    """The areas around a point and the answers they come from; no areas if there is no place.

    If municipality and settlement have names for one key, the municipality's comes first; the address has the
    settlement's. `thorough` costs three more requests and finds the OSM objects of the outer areas too.
    """
    answers = [await client.governing(point, zoom=AREA_ZOOM, language=language)]
    if answers[0].value is None:
        return ((), {}), answers
    answers.append(await client.governing(point, zoom=SETTLEMENT_ZOOM, language=language))
    outer, inner = (answer.value.address if answer.value else {} for answer in answers)
    islands = (REGION_ZOOM,) if address.ISLAND in outer else ()
    zooms = OUTER_ZOOMS if thorough else islands
    answers += [await client.governing(point, zoom=zoom, language=language) for zoom in zooms]
    objects = _objects(answer.value for answer in answers if answer.value)
    return (_levels(outer, {**outer, **inner}, objects), {**outer, **inner}), answers


def _levels(
    outer: dict[str, str], inner: dict[str, str], objects: dict[tuple[str, str], Place]
) -> tuple[AdminLevel, ...]:
    # Gozo is an island and an administrative area, and so a level; Mersea is an island of a county, and none.
    island = (address.ISLAND, outer.get(address.ISLAND)) in objects
    named = {(area.level, area.name): area for area in address.hierarchy(inner, island=island)}
    levels = {(area.level, area.name): area for area in address.hierarchy(outer, island=island)}
    ordered = sorted((named | levels).values(), key=lambda area: _depth(area, levels))
    return tuple(_identified(area, objects.get((area.level, area.name))) for area in ordered)


def _objects(places: Iterable[Place]) -> dict[tuple[str, str], Place]:
    """The administrative boundaries among the places, by the key and the name in their own address."""
    boundaries: dict[tuple[str, str], Place] = {}
    for place in places:
        if (place.category, place.type) == ("boundary", "administrative"):
            key = next((key for key, name in place.address.items() if name == place.name), None)
            if key is not None:
                boundaries[key, place.name] = place
    return boundaries


def _identified(area: AdminLevel, place: Place | None) -> AdminLevel:
    """The area with its OSM object and `admin_level`."""
    if place is None:
        return area
    level = whole(place.tags.get("admin_level"))
    return replace(area, admin_level=level, osm_type=place.osm_type, osm_id=place.osm_id)


def _depth(area: AdminLevel, outer: Container[tuple[str, str]]) -> tuple[int, bool]:
    """The sort key: outermost first; of two areas at one level, the one that contains the other."""
    return address.LEVELS.index(area.level), (area.level, area.name) not in outer
