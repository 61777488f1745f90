"""Whether a natural feature lies in an area, wholly or in part: Lake Geneva in France, Mount Everest in Nepal.

A feature has at most one parent, and none if it lies in several countries. Its outline decides or, without one (peaks,
rivers, some ranges), its box: so the Danube may count as in Italy, whose north its box overlaps.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bearings.places import geometry
from bearings.places.atlas.index import Index, Row
from bearings.places.engine import chains
from bearings.places.models import BBox, Layer, Point

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

CROSSING = frozenset({Layer.ISLAND, Layer.PHYSICAL, Layer.SEA, Layer.LAKE, Layer.RIVER, Layer.PARK})
"""The layers whose places cross borders."""


def crosses(index: Index, feature: Row, areas: Iterable[int]) -> bool:
    """Whether an outline of the areas, by their ids, overlaps the feature."""
    wanted = set(areas)
    if not wanted:
        return False
    outlines = _outlines(index, feature.bbox, wanted)
    own = _outlines(index, feature.bbox, {feature.id}) if outlines else []
    shapes = own or [_rectangle(piece) for piece in geometry.split(feature.bbox)]
    return any(outline.intersects(shape) for outline in outlines for shape in shapes)


def lies_near(index: Index, point: Point, areas: Iterable[int], limit_m: float) -> bool:
    """Whether a point is inside an outline of the areas, by their ids, or within the limit of it."""
    import shapely

    wanted = set(areas)
    here = shapely.Point(point.lon, point.lat)
    for outline in _outlines(index, geometry.around(point, limit_m), wanted) if wanted else ():
        nearest = shapely.shortest_line(outline, here).coords[0]
        if geometry.distance_m(Point(nearest[1], nearest[0]), point) <= limit_m:
            return True
    return False


def _outlines(index: Index, box: BBox, places: set[int]) -> "list[BaseGeometry]":
    """The places' polygons that overlap the box of each piece."""
    found: list[BaseGeometry] = []
    marks = ",".join("?" * len(places))
    for piece in geometry.split(box):
        rows = index.query(
            "SELECT outline FROM area_rtree JOIN area USING (id) WHERE west <= ? AND east >= ? AND south <= ? "  # noqa: S608
            f"AND north >= ? AND place IN ({marks})",
            (piece.east, piece.west, piece.north, piece.south, *places),
        )
        found += [chains.polygon(stored) for (stored,) in rows]
    return found


def _rectangle(box: BBox) -> "BaseGeometry":
    import shapely

    return shapely.box(*box)
