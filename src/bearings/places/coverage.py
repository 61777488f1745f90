"""The part of the world that a source's data describe."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bearings.places import geometry, shapes
from bearings.places.models import BBox, Point
from bearings.regular import read_regular

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

TILE_DEG = 0.05
"""The side of the tiles by which a map's coverage is known."""

_COLUMNS = round(360 / TILE_DEG)

_MOST_BYTES = 64 * 1024 * 1024
"""Of a GeoJSON file: the borders of all countries take half of it."""


class Coverage(Protocol):
    """A part of the world."""

    def holds(self, point: Point) -> bool:
        """Whether a point is in it."""
        ...


@dataclass(frozen=True, slots=True)
class Tiles:
    """Tiles of .05 degrees; a point beside one is in it too."""

    tiles: frozenset[int]

    def holds(self, point: Point) -> bool:
        """Whether the point's tile, or one beside it, is covered."""
        column, row = _column(point.lon), _row(point.lat)
        return any((row + dy) * _COLUMNS + (column + dx) % _COLUMNS in self.tiles for dx in _BESIDE for dy in _BESIDE)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, which may cross 180 degrees."""

    box: BBox

    def holds(self, point: Point) -> bool:
        """Whether the rectangle contains the point."""
        return geometry.contains(self.box, point)


class Area:
    """The polygons of a shape."""

    def __init__(self, shape: "BaseGeometry") -> None:
        import shapely

        self._shape = shape
        shapely.prepare(shape)

    def holds(self, point: Point) -> bool:
        """Whether a polygon contains the point."""
        import shapely

        return bool(shapely.intersects_xy(self._shape, point.lon, point.lat))


_BESIDE = (-1, 0, 1)


def tile_of(lon: float, lat: float) -> int:
    """The tile of a position."""
    return _row(lat) * _COLUMNS + _column(lon)


def read(text: str) -> Coverage:
    """A coverage that a user gives: west,south,east,north or a GeoJSON file. Raises ValueError, with what is wrong."""
    box = _box(text)
    return Area(shape(text)) if box is None else Box(box)


def shape(text: str) -> "BaseGeometry":
    """The same as a shape, cut at 180 degrees. Raises ValueError."""
    import shapely

    if (box := _box(text)) is not None:
        return shapes.of_box(box)
    try:
        content = read_regular(Path(text).expanduser(), _MOST_BYTES)[0].decode()
        without = _without_geometry(json.loads(content))
        whole = None if without else shapely.from_geojson(content)
    except (OSError, ValueError, RecursionError, shapely.errors.GEOSException) as error:
        raise ValueError("is neither west,south,east,north nor a GeoJSON file") from error
    if whole is None:
        raise ValueError(f"is a GeoJSON file whose feature {without} has no geometry")
    polygons = [part for part in shapes.parts_of(whole) if part.geom_type in ("Polygon", "MultiPolygon")]
    if not polygons:
        raise ValueError("is a GeoJSON file without a polygon")
    return shapely.union_all(polygons)


def _without_geometry(document: Any) -> int:
    """The number, from 1, of the first feature of a GeoJSON document that has no geometry; 0 if all have one."""
    if not isinstance(document, dict):
        return 0
    features = document.get("features", [document] if document.get("type") == "Feature" else [])
    given = features if isinstance(features, list) else []
    bare = (number for number, each in enumerate(given, 1) if isinstance(each, dict) and each.get("geometry") is None)
    return next(bare, 0)


def _box(text: str) -> BBox | None:
    """A rectangle; None for a text that is none. Raises ValueError, with what is wrong, for one not on Earth."""
    try:
        west, south, east, north = map(float, text.split(","))
    except ValueError:
        return None
    box = BBox(west, south, east, north)
    if -90 <= north < south <= 90:
        raise ValueError(f"has its south and north swapped: {south:g} lies north of {north:g}")
    if not geometry.is_valid(box):
        raise ValueError("is not on Earth")
    return geometry.canonical(box)


def _column(lon: float) -> int:
    return int((lon + 180) // TILE_DEG) % _COLUMNS


def _row(lat: float) -> int:
    return int((lat + 90) // TILE_DEG)
