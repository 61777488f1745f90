"""From shapes to features: the box, a point inside, the fame."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bearings.places import geometry
from bearings.places.models import BBox, Point
from builder import codec
from builder.feature import Feature, Layer, Name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry


def fame(scalerank: float, min_label: float | None = None) -> float:
    """Natural Earth's ranks as a number from 0 to 1.

    `scalerank` (0 what a map of the world shows, 12 what only a map of a county does) and `min_label` (the zoom from
    which a map names it, 0-10) count alike; where there is no label rank, the scale rank is all.
    """
    rank = min(scalerank, 12) / 12
    label = rank if min_label is None else min(min_label, 10) / 10
    return round(1 - (rank + label) / 2, 3)


def of_shape(key: str, layer: Layer, kind: str, name: str, shape: "BaseGeometry", **more: Any) -> Feature | None:
    """A feature with an exact box and a point inside its largest part; None if nothing of it is left on the grid."""
    snapped = clean(shape)
    if snapped is None:
        return None
    return Feature(key, layer, kind, name, inside(snapped), box(snapped), "exact", shape=snapped, **more)


def of_point(key: str, layer: Layer, kind: str, name: str, point: Point, radius_m: float, **more: Any) -> Feature:
    """A feature without a shape; its box, of that radius, is an estimate."""
    return Feature(key, layer, kind, name, point, geometry.around(point, radius_m), "estimated", **more)


def disc(point: Point, radius_m: float) -> "BaseGeometry":
    """An octagon in the box around a point."""
    import shapely

    west, south, east, north = geometry.around(point, radius_m)
    round_one = shapely.buffer(shapely.Point(0, 0), 1.0, quad_segs=2)
    return shapely.affinity.affine_transform(
        round_one, [(east - west) / 2, 0, 0, (north - south) / 2, point.lon, point.lat]
    )


def clean(shape: "BaseGeometry") -> "BaseGeometry | None":
    """The shape on the grid of the files: polygons only, or lines only, in an order that does not depend on chance."""
    import shapely

    lines = shape.geom_type.endswith("LineString")
    wanted = {"LineString"} if lines else {"Polygon"}
    whole = codec.snapped(shapely.transform(shapely.force_2d(shape), _to_the_edge))
    parts = [part for part in _parts(whole) if part.geom_type in wanted and not part.is_empty]
    if not parts:
        return None
    one: BaseGeometry = shapely.multilinestrings(parts) if lines else shapely.multipolygons(parts)
    return shapely.normalize(one)


def _to_the_edge(positions: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Positions at 180° that a source has a little before it: a point at 180° is in the sea that it cuts there."""
    import numpy as np

    lon = positions[:, 0]
    return np.column_stack((np.where(np.abs(lon) > _NEARLY_180, np.sign(lon) * 180, lon), positions[:, 1]))


_NEARLY_180 = 180 - 5 * codec.STEP_DEG


def joined(found: Iterable[Feature], groups: Mapping[str, str], layer: Layer) -> list[Feature]:
    """The features, groups widened by their parts; `groups` has the names of the parts, with bars between them."""
    import shapely

    every = list(found)
    named: dict[str, list[Feature]] = defaultdict(list)
    for feature in every:
        if feature.layer is layer:
            named[feature.name].append(feature)

    def shapes(name: str) -> "list[BaseGeometry]":
        parts = [part for part in groups.get(name, "").split("|") if part]
        own = [feature.shape for feature in named[name] if feature.shape is not None]
        return own + [shape for part in parts for shape in shapes(part)]

    def widened(feature: Feature) -> Feature:
        if feature.layer is not layer or feature.name not in groups:
            return feature
        whole = clean(shapely.union_all(shapes(feature.name)))
        assert whole is not None
        return replace(feature, shape=whole, bbox=box(whole), point=inside(whole))

    return [widened(feature) for feature in every]


def box(shape: "BaseGeometry") -> BBox:
    """The box of all parts; what is cut at 180° spans the smallest arc."""
    bounds = BBox(*shape.bounds)
    if bounds.east - bounds.west <= 180:
        return bounds
    found = geometry.union(BBox(*part.bounds) for part in _parts(shape))
    return BBox(-180.0, found.south, 180.0, found.north) if geometry.width(found) > 359.9 else found


def inside(shape: "BaseGeometry") -> Point:
    """A point inside the largest part, or in the middle of the longest line."""
    parts = _parts(shape)
    if parts[0].geom_type == "LineString":
        middle = max(parts, key=lambda part: part.length).interpolate(0.5, normalized=True)
    else:
        middle = max(parts, key=lambda part: part.area).representative_point()
    return Point(middle.y, middle.x)


def unique(names: tuple[Name, ...], name: str) -> tuple[Name, ...]:
    """Without repetitions of a text, nor of the name itself."""
    return tuple({other.text: other for other in reversed(names) if other.text != name}.values())[::-1]


def _parts(shape: "BaseGeometry") -> "list[Any]":
    parts = getattr(shape, "geoms", None)
    return [shape] if parts is None else [inner for part in parts for inner in _parts(part)]
