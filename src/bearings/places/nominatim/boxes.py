"""Boxes from Nominatim's answers, from its polygons or, without either, from a place's rank."""

from collections.abc import Iterator
from typing import Any

from bearings.places import geometry
from bearings.places.models import BBox, Point

# Half the side in degrees of a place without a known extent, up to and including each rank, close to the boxes that
# Nominatim gives nodes: https://nominatim.org/release-docs/latest/customize/Ranking/
_HALF_SIDES = (
    (3, 25.0),
    (4, 7.0),
    (8, 2.6),
    (9, 1.0),
    (12, 0.7),
    (16, 0.16),
    (18, 0.04),
    (20, 0.02),
    (25, 0.01),
    (27, 0.005),
    (30, geometry.LEAST_SIDE_DEG / 2),
)


def parsed(raw: object) -> BBox | None:
    """The box from [south, north, west, east], as texts or numbers; None for other values."""
    if not isinstance(raw, list) or len(raw) != 4:
        return None
    try:
        south, north, west, east = (float(edge) for edge in raw if isinstance(edge, str | int | float))
    except (ValueError, OverflowError):
        return None
    box = BBox(west, south, east, north)
    return geometry.with_area(box) if geometry.is_valid(box) else None


def around_rank(point: Point, rank: int) -> BBox:
    """An estimate: a square of degrees about the point, with the usual size of that rank."""
    half = next(side for most, side in _HALF_SIDES if rank <= most)
    south, north = max(-90.0, point.lat - half), min(90.0, point.lat + half)
    west, east = geometry.normalise_lon(point.lon - half), geometry.normalise_lon(point.lon + half)
    return geometry.with_area(BBox(west, south, east, north))


def is_world_wide(box: BBox) -> bool:
    """Whether the box spans (nearly) all longitudes, as the least and greatest longitude do across 180°."""
    return geometry.width(box) > 359


def of_polygon(raw: object, tolerance_deg: float) -> BBox | None:
    """The box of a GeoJSON Polygon or MultiPolygon, across 180° if that arc is smaller; None for other values.

    Each part is on one side of 180°, as OSM's import cuts them. The polygon's tolerance is added on all sides, so that
    nothing is cut off.
    """
    if not isinstance(raw, dict):
        return None
    coordinates = raw.get("coordinates")
    polygons = [coordinates] if raw.get("type") == "Polygon" else coordinates
    if raw.get("type") not in ("Polygon", "MultiPolygon") or not isinstance(polygons, list):
        return None
    boxes = [box for polygon in polygons if (box := _of_part(polygon)) is not None]
    if not boxes or len(boxes) < len(polygons):
        return None
    return widened(geometry.union(boxes), tolerance_deg)


def widened(box: BBox, tolerance_deg: float) -> BBox:
    """The box, widened on all sides by the tolerance of its polygon."""
    west, south, east, north = box
    south, north = max(-90.0, south - tolerance_deg), min(90.0, north + tolerance_deg)
    if geometry.width(box) + 2 * tolerance_deg >= 360:
        return BBox(-180.0, south, 180.0, north)
    west, east = geometry.normalise_lon(west - tolerance_deg), geometry.normalise_lon(east + tolerance_deg)
    return geometry.canonical(BBox(west, south, east, north))


def _of_part(polygon: Any) -> BBox | None:
    """The box of a polygon's outer ring."""
    points = list(_points(polygon[0] if isinstance(polygon, list) and polygon else None))
    if not points:
        return None
    lons, lats = [lon for lon, _ in points], [lat for _, lat in points]
    box = BBox(min(lons), min(lats), max(lons), max(lats))
    return box if geometry.is_valid(box) else None


def _points(ring: object) -> Iterator[tuple[float, float]]:
    for point in ring if isinstance(ring, list) else ():
        if isinstance(point, list) and len(point) >= 2 and all(_is_real(edge) for edge in point[:2]):
            yield float(point[0]), float(point[1])


def _is_real(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -360 <= value <= 360
