"""Time zones: the outlines of tz_world, brought up to the zones of today.

tz_world (Eric Muller, 2016, CC0; in the package tzwhere) draws the zones over land at 1:1 million, from VMAP0. The tz
database (in the package tzdata) says which zones each country has now, and what a zone of 2016 is called now. Where
GeoNames puts the settlements of a region or district (geoBoundaries, from locatepy) into a younger zone, it is of that.

Only the zones of countries that have several get an outline: of the others the country's own says more. An outline's
outer edge is coarse, as the country is known first; what counts is where a country's zones meet.
"""

import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bearings.places import geometry
from bearings.places.models import Point
from bearings.places.shapes import polygons_of
from builder import packages
from builder.feature import Feature, Layer
from making import countries, coverage, features, outlines
from making.geoboundaries import pieces_of

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

TOLERANCE_DEG = 0.005
"""Some 500 m, below the error of the source."""

_ISLET_DEG2 = 0.2
"""Parts of less area (some 2,000 km²) are left out where the nearest other part is of the same zone."""

_STATION_M = 50_000.0
"""How far around an Antarctic station its time is told; chosen. The rest of the continent has none."""

_AGREEING = 0.6
"""A district keeps a young zone if this share of its settlements does."""

_COAST_DEG = 0.05

_REGIONS = {"Asia/Urumqi": ("CN-XJ", "Asia/Shanghai")}
"""Zones that are a region by the tz database's own words ("Xinjiang Time"), which tz_world draws otherwise; and the
zone of the country around it."""

_RENAMED = {"America/Coral_Harbour": "America/Atikokan", "Pacific/Yap": "Pacific/Chuuk"}
"""Zones that the tz database links to a zone of another country with the same time."""

_ANTARCTICA = "AQ"


@dataclass(slots=True)
class TimeZones:
    """The tz database: the zones of each country, the successors of old names, and the location of each zone's city."""

    of_country: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    cities: dict[str, Point] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)

    def today(self, name: str) -> str | None:
        """The name of a zone of 2016 today; None where it is none."""
        name = _RENAMED.get(name, name)
        while name not in self.cities and name in self.links:
            name = self.links[name]
        return name if name in self.cities else None


def read(regions: Iterable[Feature]) -> Iterator[Feature]:
    """Zones in order of id; `inside` are the countries that have them. One has a shape if its country has others."""
    known, towns = database(), _Towns()
    for code in packages.countries():
        if code not in known.of_country and (zones := towns.zones(code)):
            known.of_country[code] = {max(sorted(zones), key=lambda zone: zones[zone])}
    shapes = _shapes(known, towns, regions)
    drawn = {zone: shape for zone, shape in shapes.items() if shape is not None}
    for zone in sorted(known.cities):
        home = sorted(code for code, zones in known.of_country.items() if zone in zones)
        single = [code for code in home if len({zone for zone in known.of_country[code] if zone in drawn}) < 2]
        if zone in drawn or len(single) == len(home):
            yield _feature(zone, known.cities[zone], drawn.get(zone), tuple(f"iso:{code}" for code in home))


def database() -> TimeZones:
    """The tz database's tables."""
    found = TimeZones()
    folder = packages.data_file("tzdata", "zoneinfo")
    for line in (folder / "zone.tab").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            code, position, zone = line.split("\t")[:3]
            found.of_country[code].add(zone)
            # A position as zone.tab writes it: ±DDMM±DDDMM or ±DDMMSS±DDDMMSS.
            middle = max(position.rfind("+"), position.rfind("-"))
            found.cities[zone] = Point(_angle(position[:middle], 2), _angle(position[middle:], 3))
    for line in (folder / "tzdata.zi").read_text("utf-8").splitlines():
        if line.startswith("L "):
            _, target, name = line.split()
            found.links[name] = target
    return found


def _angle(text: str, digits: int) -> float:
    sign, number = (-1 if text[0] == "-" else 1), text[1:]
    degrees, minutes, seconds = number[:digits], number[digits : digits + 2], number[digits + 2 :] or "0"
    return sign * (int(degrees) + int(minutes) / 60 + int(seconds) / 3600)


def _shapes(known: TimeZones, towns: "_Towns", regions: Iterable[Feature]) -> "dict[str, BaseGeometry | None]":
    """The outlines of the zones of countries that have several."""
    import shapely

    several = {code: zones for code, zones in known.of_country.items() if len(zones) > 1 and code != _ANTARCTICA}
    wanted = {zone for zones in several.values() for zone in zones}
    parts: dict[str, list[BaseGeometry]] = defaultdict(list)
    for name, shape in _tz_world():
        zone = known.today(name)
        if zone in wanted:
            parts[zone].append(shape)
    every = {zone: coverage.union(shapes) for zone, shapes in sorted(parts.items())}
    named = {region.code: region for region in regions if region.shape is not None}
    for zone, (code, around) in _REGIONS.items():
        every[around] = coverage.union([every[around], every[zone]])
        every = _given(every, {zone: [named[code].shape]})
    provinces: dict[str, list[BaseGeometry]] = defaultdict(list)
    for region in named.values():
        provinces[region.country_code or ""].append(region.shape)
    pieces = pieces_of(countries.shapes(outlines.shapes()))
    young = {code: zones - every.keys() for code, zones in several.items() if zones - every.keys()}
    every = _given(every, _kept(young, provinces, towns))
    young = {code: zones - every.keys() for code, zones in young.items()}
    every = _given(
        every, _kept(young, {code: [piece.shape for piece in pieces.get(code, ())] for code in young}, towns)
    )
    flat = [shapely.multipolygons(polygons_of(shape)) for shape in every.values()]
    thin = dict(zip(every, shapely.coverage_simplify(flat, TOLERANCE_DEG), strict=True))
    found = {zone: features.clean(shape) for zone, shape in _without_islets(thin).items()}
    return found | {station: _around(known.cities[station]) for station in known.of_country[_ANTARCTICA]}


def _kept(
    young: Mapping[str, set[str]], districts: "Mapping[str, list[BaseGeometry]]", towns: "_Towns"
) -> "dict[str, list[BaseGeometry]]":
    """The districts of each zone that tz_world hasn't: most of their settlements keep it."""
    found: dict[str, list[BaseGeometry]] = defaultdict(list)
    for code, zones in sorted(young.items()):
        for district in districts.get(code, ()) if zones else ():
            votes = towns.votes(district, code)
            zone = max(sorted(votes), key=lambda each: votes[each], default="")
            if zone in zones and votes[zone] >= _AGREEING * votes.total():
                found[zone].append(district)
    return found


def _given(
    shapes: "dict[str, BaseGeometry]", districts: "Mapping[str, list[BaseGeometry]]"
) -> "dict[str, BaseGeometry]":
    """Gives districts to their zones, and with them the islets before their coast: coasts differ between sources."""
    import shapely

    found = dict(shapes)
    for zone, some in sorted(districts.items()):
        own = coverage.union(some)
        found.pop(zone, None)
        islets = []
        for other in [name for name, shape in found.items() if shape.intersects(own)]:
            parts = polygons_of(shapely.difference(found[other], own))
            large = shapely.multipolygons([part for part in parts if part.area >= _ISLET_DEG2])
            near = [
                part for part in parts
                if part.area < _ISLET_DEG2 and part.distance(own) < _COAST_DEG and part.distance(large) > _COAST_DEG
            ]  # fmt: skip
            islets += near
            found[other] = coverage.union([part for part in parts if part not in near])
        found[zone] = coverage.union([own, *islets])
    return found


def _tz_world() -> "Iterator[tuple[str, BaseGeometry]]":
    from shapely.geometry import shape

    packed = packages.data_file("tzwhere", "tz_world.json.gz").read_bytes()
    for row in json.loads(gzip.decompress(packed))["features"]:
        yield row["properties"]["TZID"], shape(row["geometry"])


def _without_islets(shapes: "dict[str, BaseGeometry]") -> "dict[str, BaseGeometry]":
    """The shapes without islets whose nearest larger part has the same zone."""
    import shapely

    parts = [(zone, part) for zone, shape in shapes.items() for part in polygons_of(shape)]
    large = [(zone, part) for zone, part in parts if part.area >= _ISLET_DEG2]
    tree = shapely.STRtree([part for _, part in large])
    kept: dict[str, list[BaseGeometry]] = defaultdict(list)
    for zone, part in large:
        kept[zone].append(part)
    for zone, part in parts:
        if part.area < _ISLET_DEG2:
            near = {large[index][0] for index in tree.query(part, "dwithin", 2 * TOLERANCE_DEG).tolist()}
            near = near or {large[int(tree.nearest(part))][0]}
            if near != {zone}:
                kept[zone].append(part)
    return {zone: shapely.multipolygons(found) for zone, found in sorted(kept.items())}


def _around(point: Point) -> "BaseGeometry | None":
    """The box of a circle around a station."""
    import shapely

    pieces = geometry.split(geometry.around(point, _STATION_M))
    return features.clean(shapely.union_all([shapely.box(*piece) for piece in pieces]))


def _feature(zone: str, city: Point, shape: "BaseGeometry | None", inside: tuple[str, ...]) -> Feature:
    """At its city, or where it is drawn in its largest part: islets, as Oahu, may be left out of the shape."""
    if shape is None:
        return features.of_point(f"tz:{zone}", Layer.TIME_ZONE, "timezone", zone, city, _STATION_M, inside=inside)
    return Feature(
        f"tz:{zone}", Layer.TIME_ZONE, "timezone", zone, features.inside(shape), features.box(shape), "exact",
        shape=shape, inside=inside,
    )  # fmt: skip


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
