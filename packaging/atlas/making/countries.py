"""Countries: Natural Earth's land with geoBoundaries' coasts and borders, territories with an ISO code on their own."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from bearings.places.models import Point
from builder import packages
from builder.feature import Feature, Layer, Name
from making import coverage, features, geoboundaries, outlines, tables, territory

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

TOLERANCE_DEG = 0.003
"""Corners whose triangle with their neighbours is smaller than a square of this side (some 330 m) are left out."""


def shapes(found: Mapping[str, outlines.CountryShape]) -> "dict[str, BaseGeometry]":
    """The land of each country by alpha-2 code, valid."""
    import shapely

    return {code: shapely.union_all(found[code].parts) for code in sorted(found) if code and found[code].parts}


@cache
def drawn() -> "Mapping[str, BaseGeometry]":
    """Natural Earth's land."""
    return shapes(outlines.shapes())


@cache
def pieces() -> Mapping[str, list[geoboundaries.Piece]]:
    """GeoBoundaries' pieces."""
    return geoboundaries.pieces_of(drawn())


@cache
def land() -> "Mapping[str, BaseGeometry]":
    """The land of each country by alpha-2 code, from both sources, without far rocks; takes some minutes."""
    import shapely

    claimed = {
        code: coverage.union([piece.shape for piece in found]) for code, found in pieces().items() if code in drawn()
    }
    settled: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for city in packages.Cities():
        settled[city.countrycode].append((city.longitude, city.latitude))
    whole = territory.of_countries(drawn(), claimed)
    for code, _, lat, lon, radius in tables.rows("islets"):
        settled[code].append((float(lon), float(lat)))
        if not shapely.intersects_xy(whole[code], float(lon), float(lat)):
            shore = features.disc(Point(float(lat), float(lon)), 1000 * float(radius))
            whole[code] = shapely.union_all([whole[code], shore])
    return {code: territory.without_rocks(shape, settled[code]) for code, shape in whole.items()}


def simplified(found: "Mapping[str, BaseGeometry]") -> "dict[str, BaseGeometry]":
    """The same with fewer corners; neighbours keep the border that they share."""
    import shapely

    return dict(zip(found, shapely.coverage_simplify(list(found.values()), TOLERANCE_DEG), strict=True))


def by_hand() -> "dict[str, BaseGeometry]":
    """Outlines that take the place of simplified ones; a neighbour's may overlap them, and the smaller one decides."""
    import shapely

    rings: dict[str, list[BaseGeometry]] = defaultdict(list)
    for code, corners in tables.rows("drawn"):
        pairs = (corner.split() for corner in corners.split(", "))
        rings[code].append(shapely.Polygon([(float(lon), float(lat)) for lat, lon in pairs]))
    return {code: shapely.union_all(parts) for code, parts in rings.items()}


def read() -> Iterator[Feature]:
    """The countries and territories that have a polygon."""
    found, known = outlines.shapes(), packages.countries()
    aliases = packages.country_aliases()
    for code, shape in {**simplified(land()), **by_hand()}.items():
        country = known.get(code)
        outline = found[code]
        name = country.name.strip() if country else outline.names.get("en", code)
        texts = [Name(text, language) for language, text in sorted(outline.names.items())]
        texts += [Name(text, "en") for text in outline.others] + [Name(text, "en") for text in aliases.get(code, ())]
        feature = features.of_shape(
            f"iso:{code}", Layer.COUNTRY, "country", name, shape, names=features.unique(tuple(texts), name), code=code,
            codes=(code, country.iso3) if country else (code,), country_code=code,
            population=country.population if country else 0,
        )  # fmt: skip
        if feature:
            yield _at_label(feature, outline.label)


def _at_label(feature: Feature, label: Point | None) -> Feature:
    """At Natural Earth's point for the label, where it lies in the country."""
    from dataclasses import replace

    import shapely

    if label is None or feature.shape is None or not shapely.intersects_xy(feature.shape, label.lon, label.lat):
        return feature
    return replace(feature, point=label)
