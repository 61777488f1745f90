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


WHOLE = {name: (codes.split("|"), BBox(*map(float, edges))) for name, codes, *edges in tables.rows("whole_islands")}
"""Islands and groups that Natural Earth has in part: the countries whose land they are, and a box that holds it all."""


def redrawn(feature: Feature, countries: Sequence[Feature]) -> Feature:
    """The feature, drawn by the countries' outlines where it is one of `WHOLE` or `REDRAWN`."""
    import shapely

    if feature.name in WHOLE and feature.layer is Layer.ISLAND:
        codes, around = WHOLE[feature.name]
        parts = shapely.get_parts([country.shape for country in countries if country.code in codes])
        land = [part for part in parts if geometry.encloses(around, BBox(*part.bounds))]
        whole = features.clean(shapely.multipolygons(land))
        assert whole is not None, feature.name
        return replace(feature, shape=whole, point=features.inside(whole), bbox=features.box(whole), bbox_kind="exact")
    point = REDRAWN.get(feature.name)
    if point is None or feature.kind != "island":
        return feature
    shapes = shapely.get_parts([country.shape for country in countries])
    whole = next(shape for shape in shapes if shapely.contains_xy(shape, point.lon, point.lat))
    return replace(
        feature, shape=shapely.multipolygons([whole]), point=features.inside(whole), bbox=features.box(whole)
    )


MOVED = {"Mount Everest": Point(27.9881, 86.925), "Matterhorn": Point(45.9764, 7.6586)}
"""Summits that Natural Earth has some kilometres off; 46 other well-known ones are right to 1.5 km."""


def mended(feature: Feature) -> Feature:
    """The feature at the point of `MOVED`, with the box of `BETTER`, or without a shape that is a remnant.

    Boxes of land are estimates: Natural Earth draws its areas for labels, and no two atlases agree where the Alps end.
    """
    if feature.name in MOVED and feature.layer is Layer.PHYSICAL:
        point = MOVED[feature.name]
        return replace(feature, point=point, bbox=geometry.around(point, _RADIUS_M))
    if feature.name in BETTER and feature.layer in {Layer.PHYSICAL, Layer.ISLAND, Layer.SEA}:
        box = BETTER[feature.name]
        middle = Point((box.south + box.north) / 2, (box.west + box.east) / 2)
        return replace(feature, bbox=box, point=middle, bbox_kind="estimated", shape=None)
    if feature.shape is None or feature.layer is not Layer.PHYSICAL or feature.kind == "coast":
        return feature
    whole = geometry.width(feature.bbox) * geometry.height(feature.bbox)
    is_remnant = feature.shape.area < _REMNANT * whole
    return replace(feature, bbox_kind="estimated", shape=None if is_remnant else feature.shape)


_REMNANT = 0.08
"""A shape that covers less of its box than this is what other areas left over of it."""
