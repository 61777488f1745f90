"""The areas around many points: a block's candidates are found by one search, and each polygon is asked once a block.

The answers are those of `Areas`. Polygons stay in memory as shapes: those of the whole world take some 150 MB.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from bearings.places import geometry
from bearings.places.engine.areas import Areas
from bearings.places.engine.database import Database
from bearings.places.engine.edges import in_steps, shape_of
from bearings.places.models import Point

_KEPT_SHAPES = 20_000
"""Cached polygons."""

_POLE = 90.0
"""The latitude at which all longitudes meet: its points are looked up one by one."""

_EVERY_BOX = (
    "SELECT west, south, east, north, area.id, area.place, area.layer FROM area_rtree JOIN area USING (id) "
    "ORDER BY (east - west) * (north - south)"
)


class BlockAreas(Areas):
    """The polygons of one index, for blocks of points. Blocking; one thread at a time."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        rows = database.query(_EVERY_BOX)
        self._rows: list[tuple[int, int, str]] = [row[4:] for row in rows]
        self._layers = np.array([layer for _, _, layer in self._rows], dtype=object)
        self._tree = shapely.STRtree(shapely.box(*np.array([row[:4] for row in rows], dtype=float).reshape(-1, 4).T))
        self._shape = lru_cache(maxsize=_KEPT_SHAPES)(lambda area: shape_of(self._read(area)))
        self._held: dict[str, dict[Point, list[int]]] = {}
        self._loaded: frozenset[Point] = frozenset()

    def load(self, points: Collection[Point], layers: Sequence[str]) -> None:
        """Find which polygons of some layers contain each point of a block; those of the block before are forgotten."""
        block = [point for point in dict.fromkeys(points) if abs(point.lat) != _POLE]
        self._loaded, self._held = frozenset(block), {layer: defaultdict(list) for layer in layers}
        if not block:
            return
        degrees = np.array(block, dtype=float)
        at, found = self._tree.query(shapely.points(degrees[:, ::-1]))
        is_asked = np.isin(self._layers[found], layers)
        at, found = at[is_asked], found[is_asked]
        holds = self._holds(degrees, at, found)
        for number, area in sorted(zip(at[holds].tolist(), found[holds].tolist(), strict=True)):
            _, place, layer = self._rows[area]
            places = self._held[layer][block[number]]
            if place not in places:
                places.append(place)

    def _holds(
        self, degrees: NDArray[np.float64], at: NDArray[np.int64], found: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Whether a polygon contains a point, for each pair of their numbers."""
        areas, number = np.unique(found, return_inverse=True)
        stored = [self._shape(self._rows[area][0]) for area in areas.tolist()]
        shapes = np.array([shape for _, shape in stored], dtype=object)[number]
        decimals = np.array([step for step, _ in stored], dtype=np.int64)[number]
        holds = np.zeros(len(at), dtype=bool)
        for step in np.unique(decimals).tolist():
            pairs = np.flatnonzero(decimals == step)
            lats, lons = in_steps(degrees[at[pairs]], step).T
            holds[pairs] = shapely.intersects_xy(shapes[pairs], lons, lats)
        return holds

    def containing(self, point: Point, *layers: str) -> Iterator[int]:
        """See Areas."""
        if len(layers) == 1 and layers[0] in self._held and point in self._loaded:
            return iter(self._held[layers[0]].get(point, ()))
        return super().containing(point, *layers)

    def _foot(self, area: int, point: Point) -> Point:
        decimals, shape = self._shape(area)
        steps = 10**decimals
        (lon, lat), _ = shapely.shortest_line(shape, shapely.Point(point.lon * steps, point.lat * steps)).coords
        return Point(lat / steps, lon / steps)

    def _around(self, point: Point, radius_m: float) -> list[tuple[int, int, str]]:
        boxes = (shapely.box(*piece) for piece in geometry.split(geometry.around(point, radius_m)))
        return [self._rows[area] for box in boxes for area in sorted(self._tree.query(box).tolist())]
