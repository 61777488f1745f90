"""Countries: Natural Earth's 1:10m outlines, each territory that ISO 3166 counts apart on its own."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from bearings.places.atlas.builder import packages
from bearings.places.atlas.builder.feature import Feature, Layer, Name
from bearings.places.models import Point
from making import features, outlines

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

TOLERANCE_DEG = 0.002
"""Corners whose triangle with their neighbours is smaller than a square of this side (some 220 m) are left out."""


def shapes(found: Mapping[str, outlines.CountryShape]) -> "dict[str, BaseGeometry]":
    """The land of each country by alpha-2 code, valid."""
    import shapely

    return {code: shapely.union_all(found[code].parts) for code in sorted(found) if code and found[code].parts}


def simplified(found: "Mapping[str, BaseGeometry]") -> "dict[str, BaseGeometry]":
    """The same with fewer corners; neighbours keep the border that they share."""
    import shapely

    return dict(zip(found, shapely.coverage_simplify(list(found.values()), TOLERANCE_DEG), strict=True))


def read() -> Iterator[Feature]:
    """The countries and territories that have a polygon."""
    found, known = outlines.shapes(), packages.countries()
    aliases = packages.country_aliases()
    for code, shape in simplified(shapes(found)).items():
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
