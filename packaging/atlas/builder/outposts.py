"""Land around settlements that an outline puts on the wrong side of a border: El Paso, by its centre, lies in Mexico.

Outlines are off by a kilometre or two, which matters where a town lies at a river that is the border. A settlement
outside its own country or region, but near it, is given a disc there, without what is nearer to another's settlement.
Disputed areas get none: whose a settlement is there is no error of a line.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bearings.places import geometry
from bearings.places.atlas import settlement
from bearings.places.models import Point
from bearings.places.shapes import polygons_of
from builder.districts import Settled, within

if TYPE_CHECKING:
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry

    from builder.landscape import Holder

_NEAR_DEG = {True: 0.1, False: 0.05}
"""How far from its own outline a settlement may lie, of a country and of a region; others are somewhere else."""

_KM_PER_DEG = 111.195
_LEAST_M, _MOST_M = 500.0, 4_000.0
_WIDER = 1.5
"""A disc reaches so many times as far as the outline is away, so that it reaches over the line."""


class Outpost(NamedTuple):
    """A convex piece of an area's own land in another's outline."""

    holder: "Holder"
    land: "Polygon"


def find(
    cities: Sequence[Settled],
    people: Sequence[int],
    holders: "Sequence[Holder]",
    areas: Mapping[str | int, int],
    disputed: "Sequence[BaseGeometry]",
) -> "Iterator[Outpost]":
    """The discs of countries, then those of regions. `areas` finds the ids of both by code or line."""  # fmt: skip
    import shapely

    points = shapely.points([city.lon for city in cities], [city.lat for city in cities])
    by_place = {holder.place: holder for holder in holders}
    inside: list[set[int]] = [set() for _ in cities]
    for index, number in within(points, [holder.shape for holder in holders]):
        inside[number].add(holders[index].place)
    unclear = {number for _, number in within(points, disputed)}
    tree = shapely.STRtree(points)
    for is_country in (True, False):
        own = [areas.get(city.country if is_country else next(iter(city.lines), 0)) for city in cities]
        for number, place in enumerate(own):
            holder = by_place.get(place or 0)
            if holder is None or place in inside[number] or number in unclear:
                continue
            others = [by_place[other] for other in inside[number] if by_place[other].is_country == is_country]
            away = float(holder.shape.distance(points[number])) if others else math.inf
            if away <= _NEAR_DEG[is_country]:
                rivals = [
                    each for each in tree.query(points[number].buffer(2 * _NEAR_DEG[is_country])).tolist()
                    if own[each] != place and own[each] in inside[each]
                ]  # fmt: skip
                radius_m = min(settlement.radius_m(people[number]), max(_LEAST_M, _WIDER * away * 1000 * _KM_PER_DEG))
                land = _disc(cities[number], min(radius_m, _MOST_M), [cities[each] for each in rivals])
                yield from (Outpost(holder, part) for part in polygons_of(land))


def _disc(city: Settled, radius_m: float, rivals: Sequence[Settled]) -> "BaseGeometry":
    """An octagon around a settlement, cut halfway to each rival."""
    import shapely

    west, south, east, north = geometry.around(Point(city.lat, city.lon), radius_m)
    wide, high = (east - west) / 2, (north - south) / 2
    turns = [math.tau * corner / 8 for corner in range(8)]
    disc: BaseGeometry = shapely.Polygon(
        [(city.lon + wide * math.cos(turn), city.lat + high * math.sin(turn)) for turn in turns]
    )
    for rival in rivals:
        # In a plane where the disc is round: the half of it on the settlement's side of the middle.
        x, y = (rival.lon - city.lon) / wide, (rival.lat - city.lat) / high
        length = math.hypot(x, y)
        if 0 < length < 2:
            across, along = (-y / length, x / length), (x / length, y / length)
            corners = [
                (city.lon + wide * (side * across[0] + depth * along[0]),
                 city.lat + high * (side * across[1] + depth * along[1]))
                for side, depth in ((-9, length / 2), (9, length / 2), (9, -9), (-9, -9))
            ]  # fmt: skip
            disc = shapely.intersection(disc, shapely.Polygon(corners))
    return disc
