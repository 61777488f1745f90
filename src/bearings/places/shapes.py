"""Shapes of places: their boxes, main parts, simpler forms, GeoJSON. Pure functions.

A shape is shapely's, in degrees, longitude first, and cut at 180°: no part crosses it.
"""

import json
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from bearings.places import geometry
from bearings.places.models import BBox, Point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry

    Vectors = NDArray[np.float64]

GAP_M = 300_000.0
"""Parts farther from the main part do not belong to it. Chosen: the widest gap in the Ryukyus is 270 km, Corsica, the
Balearics and Tasmania are nearer; Hawaii, the Canaries, the Azores, Easter Island and Svalbard are farther."""

MAIN_SHARE = 0.5
"""A part at least half as large as the largest is a main part too, at any distance: both halves of Malaysia."""

DEG_M = math.radians(1) * geometry.EARTH_RADIUS_M
"""Metres of a degree of latitude; one of longitude has fewer, so this bounds a tolerance in degrees."""

SIMPLER = 0.001
"""The error of a simplified outline, as a share of the diagonal of its largest part."""

_COARSE_DEG, _STEP_DEG = 0.2, 0.5
"""The precision of gaps: outlines simplified by 20 km, with a position every 50 km at least."""

_REFINED = 2
"""The number of times that the step from too many positions to few enough is halved."""

_LEAST_DEG = 1e-9
"""Outlines have fewer decimals, and a grid so fine can't be laid over the world."""

_CHUNK = 512
_DECIMALS = 7


class Fitted(NamedTuple):
    """A simplified shape, its largest error in degrees, and the number of smaller parts left out."""

    shape: "BaseGeometry"
    tolerance_deg: float
    left_out: int


def of_box(box: BBox) -> "BaseGeometry":
    """The box, cut at 180°."""
    import shapely

    return joined([shapely.box(*piece) for piece in geometry.split(box)])


def of_point(point: Point) -> "BaseGeometry":
    """The point."""
    import shapely

    shape: BaseGeometry = shapely.Point(point.lon, point.lat)
    return shape


def parts_of(shape: "BaseGeometry") -> "list[BaseGeometry]":
    """Its single polygons, lines or points."""
    return list(getattr(shape, "geoms", [shape]))


def polygons_of(shape: "BaseGeometry | None") -> "list[Polygon]":
    """The polygons in a shape of whatever type, a collection of collections too; lines and points have none."""
    if shape is None or shape.is_empty:
        return []
    if shape.geom_type == "Polygon":
        return [cast("Polygon", shape)]
    return [polygon for part in getattr(shape, "geoms", ()) for polygon in polygons_of(part)]


def joined(parts: "Sequence[BaseGeometry]") -> "BaseGeometry":
    """One shape of several of a kind; a single one stays single."""
    import shapely

    if len(parts) == 1:
        return parts[0]
    many: dict[str, Callable[[Any], BaseGeometry]] = {
        "Polygon": shapely.MultiPolygon,
        "LineString": shapely.MultiLineString,
        "Point": shapely.MultiPoint,
    }
    return many[parts[0].geom_type](parts)


def box_of(shape: "BaseGeometry") -> BBox:
    """The box of all parts that spans the smallest arc. Raises ValueError for an empty shape."""
    return geometry.union(BBox(*part.bounds) for part in parts_of(shape) if not part.is_empty)


def main_part(shape: "BaseGeometry") -> "BaseGeometry":
    """The polygons connected to the largest by gaps of at most `GAP_M`, and other groups at least half as large."""
    parts = parts_of(shape)
    if len(parts) == 1 or any(part.geom_type != "Polygon" for part in parts):
        return shape
    groups = _groups(parts)
    sizes = [sum(_area(parts[number]) for number in group) for group in groups]
    valid = {
        number for group, size in zip(groups, sizes, strict=True) if size >= MAIN_SHARE * max(sizes) for number in group
    }
    return shape if len(valid) == len(parts) else joined([part for number, part in enumerate(parts) if number in valid])


def box_diagonal(part: "BaseGeometry") -> float:
    """The diagonal, in degrees, of a single part's box."""
    west, south, east, north = part.bounds
    return math.hypot(east - west, north - south)


def positions(shape: "BaseGeometry") -> int:
    """The number of its positions."""
    import shapely

    return int(shapely.get_num_coordinates(shape))


def fitted(shape: "BaseGeometry", *, simpler: bool, most: int | None) -> Fitted:
    """The shape with at most `most` positions; as simple as `SIMPLER` if `simpler`, or simpler if needed.

    A shape that never gets below `most` stays in its least form: its largest part with three or four corners.
    """
    size = max(map(box_diagonal, parts_of(shape)))
    least = tolerance = size * SIMPLER if simpler else 0.0
    best = simplified(shape, tolerance)
    while most is not None and positions(best.shape) > most and tolerance < size:
        least, tolerance = tolerance, tolerance * 2 or size * SIMPLER / 64
        best = simplified(shape, tolerance)
    for _ in range(_REFINED if least < tolerance else 0):
        between = simplified(shape, (least + tolerance) / 2)
        if positions(between.shape) <= (most or 0):
            best, tolerance = between, between.tolerance_deg
        else:
            least = (least + tolerance) / 2
    return best


def simplified(shape: "BaseGeometry", tolerance_deg: float) -> Fitted:
    """The shape with each position moved by at most the tolerance, without parts and holes smaller than it.

    The largest part always stays. The result is valid. GEOS may be off by twice its tolerance where a ring begins at a
    corner that goes.
    """
    import shapely

    if tolerance_deg <= _LEAST_DEG or shape.geom_type in ("Point", "MultiPoint"):
        return Fitted(shape, 0.0, 0)
    tolerance_deg = min(tolerance_deg, 360.0)
    parts = parts_of(shape)
    large = [part for part in parts if box_diagonal(part) > tolerance_deg] or [max(parts, key=box_diagonal)]
    grid = 10.0 ** math.floor(math.log10(tolerance_deg / 4))
    simple = joined([_without_small_holes(part, tolerance_deg) for part in large]).simplify((tolerance_deg - grid) / 2)
    snapped = shapely.set_precision(simple if simple.is_valid else shapely.make_valid(simple), grid)
    kind = parts[0].geom_type
    valid = [part for part in shapely.get_parts(snapped) if part.geom_type == kind and not part.is_empty]
    if not valid:  # narrower than the grid
        return Fitted(max(parts, key=box_diagonal).simplify(tolerance_deg / 2), tolerance_deg, len(parts) - 1)
    return Fitted(joined(valid), tolerance_deg, len(parts) - len(large))


def geojson(shape: "BaseGeometry") -> dict[str, Any]:
    """Its GeoJSON (RFC 7946): outer rings counterclockwise, degrees to 7 decimals."""
    import shapely

    turned = shapely.orient_polygons(shape)
    rounded = shapely.transform(turned, lambda degrees: degrees.round(_DECIMALS) + 0.0)
    document: dict[str, Any] = json.loads(shapely.to_geojson(rounded))
    return document


def give_back_memory() -> None:
    """Return freed memory to the system. The allocator of most Linux systems, glibc's, does so by itself too seldom."""
    import ctypes

    with suppress(OSError, AttributeError, TypeError):  # on macOS, musl and Windows there is no such function
        ctypes.CDLL(None).malloc_trim(0)


def wkt(shape: "BaseGeometry | None") -> str:
    """Its well-known text on one line; an empty collection for None."""
    import shapely

    if shape is None:
        return "GEOMETRYCOLLECTION EMPTY"
    return str(shapely.to_wkt(shape, rounding_precision=_DECIMALS, trim=True))


def _without_small_holes(part: "BaseGeometry", size_deg: float) -> "BaseGeometry":
    import shapely

    holes = list(getattr(part, "interiors", ()))
    valid = [hole for hole in holes if box_diagonal(hole) > size_deg]
    return part if len(valid) == len(holes) else shapely.Polygon(part.exterior, valid)  # type: ignore[attr-defined]


def _area(part: "BaseGeometry") -> float:
    """The area in square degrees of the equator."""
    return float(part.area) * math.cos(math.radians(part.centroid.y))


def _groups(parts: "Sequence[BaseGeometry]") -> list[list[int]]:
    """Indices of the parts, grouped by gaps of at most `GAP_M`."""
    import numpy as np

    outlines = [_vectors(part) for part in parts]
    offsets = np.cumsum([0, *(len(outline) for outline in outlines)])
    everything = np.concatenate(outlines)
    near = math.cos(GAP_M / geometry.EARTH_RADIUS_M)
    alone, groups = set(range(len(parts))), []
    while alone:
        group, frontier = [], [alone.pop()]
        while frontier:
            group += frontier
            reached = _reached(np.concatenate([outlines[number] for number in frontier]), everything, near)
            touched = np.flatnonzero(np.logical_or.reduceat(reached, offsets[:-1])).tolist()
            frontier = [number for number in touched if number in alone]
            alone.difference_update(frontier)
        groups.append(group)
    return groups


def _reached(some: "Vectors", everything: "Vectors", near: float) -> "NDArray[np.bool_]":
    """A mask of the vectors of `everything` near any of `some`; `near` is the cosine of an angle."""
    import numpy as np

    reached = np.zeros(len(everything), bool)
    for start in range(0, len(some), _CHUNK):
        reached |= (everything @ some[start : start + _CHUNK].T).max(axis=1) >= near
    return reached


def _vectors(part: "BaseGeometry") -> "Vectors":
    """Positions along the part's outside as vectors from the Earth's centre."""
    import numpy as np
    import shapely

    along = shapely.segmentize(part.simplify(_COARSE_DEG).exterior, _STEP_DEG)  # type: ignore[attr-defined]
    lon, lat = np.radians(shapely.get_coordinates(along)).T
    vectors: Vectors = np.column_stack((np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)))
    return vectors
