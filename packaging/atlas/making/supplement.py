"""Famous features that Natural Earth lacks, by hand from general knowledge: points, and estimated boxes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bearings.places import geometry
from bearings.places.models import BBox, Point
from builder.feature import Feature, Layer, Name
from making import features, tables

_LAYERS = {"island": Layer.ISLAND, "archipelago": Layer.ISLAND, "bay": Layer.SEA, "strait": Layer.SEA}
_RADIUS_M = 3_000


def read(layer: Layer) -> Iterator[Feature]:
    """The features of one layer."""
    for kind, name, lat, lon, height, fame, others in tables.rows("points") if layer is Layer.PHYSICAL else ():
        yield features.of_point(
            f"bearings:{kind}/{name}", layer, kind, name, Point(float(lat), float(lon)), _RADIUS_M,
            names=tuple(map(Name, filter(None, others.split("|")))), elevation_m=int(height) if height else None,
            fame=float(fame),
        )  # fmt: skip
    for kind, name, *edges, fame, others in tables.rows("boxes"):
        if layer is _LAYERS.get(kind, Layer.PHYSICAL):
            bbox = BBox(*map(float, edges))
            middle = Point((bbox.south + bbox.north) / 2, (bbox.west + bbox.east) / 2)
            yield Feature(
                f"bearings:{kind}/{name}", layer, kind, name, middle, bbox, "estimated",
                names=tuple(map(Name, filter(None, others.split("|")))), fame=float(fame),
            )  # fmt: skip


BETTER = {name: BBox(*map(float, edges)) for name, *edges in tables.rows("better_boxes")}
"""Boxes, by hand, of what is only a remnant in the release of Natural Earth: where areas overlap, it keeps one."""


REDRAWN = {
    "Lesbos": Point(39.2, 26.3), "Victoria Island": Point(71.0, -110.0), "Isla de Chiloé": Point(-42.6, -73.9),
    "Isla Wellington": Point(-49.3, -74.6),
}  # fmt: skip
"""A point in each island of which Natural Earth has a remnant only."""


def redrawn(feature: Feature, countries: Sequence[Feature]) -> Feature:
    """The feature; an island of `REDRAWN` with the part of a country's outline that its point lies in."""
    import shapely

    point = REDRAWN.get(feature.name)
    if point is None or feature.kind != "island":
        return feature
    shapes = shapely.get_parts([country.shape for country in countries])
    whole = next(shape for shape in shapes if shapely.contains_xy(shape, point.lon, point.lat))
    return replace(
        feature, shape=shapely.multipolygons([whole]), point=features.inside(whole), bbox=features.box(whole)
    )


def mended(feature: Feature) -> Feature:
    """The feature with the box of `BETTER`, or without a shape that is a remnant; such boxes are estimates."""
    if feature.name in BETTER and feature.layer in {Layer.PHYSICAL, Layer.ISLAND, Layer.SEA}:
        box = BETTER[feature.name]
        middle = Point((box.south + box.north) / 2, (box.west + box.east) / 2)
        return replace(feature, bbox=box, point=middle, bbox_kind="estimated", shape=None)
    if feature.shape is None or feature.layer is not Layer.PHYSICAL or feature.kind == "coast":
        return feature
    whole = geometry.width(feature.bbox) * geometry.height(feature.bbox)
    if feature.shape.area >= _REMNANT * whole:
        return feature
    return replace(feature, bbox_kind="estimated", shape=None)


_REMNANT = 0.08
"""A shape that covers less of its box than this is what other areas left over of it."""
