"""Which areas' polygons contain a point: boxes first, then prepared polygons, of which the last used are kept."""

import struct
import zlib
from collections.abc import Container, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from bearings.places import geometry
from bearings.places.index.database import Index
from bearings.places.models import Layer, Point

if TYPE_CHECKING:
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry

_KEPT_POLYGONS = 512
_KEPT_POINTS = 64
"""One answer asks several times about its point, each time for another layer."""

_GRID = b"\x02"
_HEAD = struct.Struct("<BBI")
"""Decimals, bytes of a step, rings."""

_WKB_POLYGON = b"\x01\x03\x00\x00\x00"


class Areas:
    """The polygons of one index. Blocking; may be called from any thread."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._polygon = lru_cache(maxsize=_KEPT_POLYGONS)(self._read)
        self._boxed = lru_cache(maxsize=_KEPT_POINTS)(self._around)

    def containing(self, point: Point, *layers: Layer) -> Iterator[int]:
        """Ids of the places of some layers whose polygons hold the point, or have it on their edge; smallest first.

        A polygon is read when it is its turn: who needs one place should not ask for the next.
        """
        from shapely import points

        at = points(point.lon, point.lat)
        seen: set[int] = set()
        for area, place, layer in self._boxed(point, 0.0):
            if layer in layers and place not in seen and self._polygon(area).covers(at):
                seen.add(place)
                yield place

    def nearest(self, point: Point, within_m: float, *layers: Layer, only: Container[int] | None = None) -> int | None:
        """Id of the place whose polygon, of some layers, is nearest to a point in none; `within_m` metres at most.

        `only`: the places that may be it.
        """
        from shapely import points, shortest_line

        best: tuple[float, int] | None = None
        for area, place, layer in self._around(point, within_m):
            if layer not in layers or (only is not None and place not in only):
                continue
            foot = shortest_line(points(point.lon, point.lat), self._polygon(area)).coords[-1]
            distance = geometry.distance_m(point, Point(foot[1], foot[0]))
            if distance <= within_m and (best is None or distance < best[0]):
                best = (distance, place)
        return None if best is None else best[1]

    def _around(self, point: Point, radius_m: float) -> list[tuple[int, int, str]]:
        """(area, place, layer) of the polygons whose boxes meet the box of a circle; smallest first."""
        found: list[tuple[int, int, str]] = []
        for piece in geometry.split(geometry.around(point, radius_m)):
            found += self._index.query(
                "SELECT area.id, area.place, area.layer FROM area_rtree JOIN area USING (id) WHERE west <= ? AND "
                "east >= ? AND south <= ? AND north >= ? ORDER BY (east - west) * (north - south)",
                (piece.east, piece.west, piece.north, piece.south),
            )
        return found

    def _read(self, area: int) -> "BaseGeometry":
        import shapely

        ((stored,),) = self._index.query("SELECT wkb FROM area WHERE id = ?", (area,))
        polygon: BaseGeometry = shapely.from_wkb(unpacked(stored))
        shapely.prepare(polygon)
        return polygon


def packed(wkb: bytes) -> bytes:
    """A polygon as a small index stores it."""
    return zlib.compress(wkb, 9)


def packed_on_grid(polygon: "Polygon", decimals: int) -> bytes:
    """A polygon whose degrees have so many decimals, in a third of the bytes: the steps from position to position."""
    import numpy as np
    import shapely

    rings = [shapely.get_coordinates(ring) for ring in (polygon.exterior, *polygon.interiors)]
    steps = np.diff(np.rint(np.concatenate(rings) * 10**decimals).astype(np.int64), axis=0, prepend=0)
    folded = ((steps << 1) ^ (steps >> 63)).T.ravel()
    size = next(size for size in (1, 2, 4) if folded.max() < 1 << (8 * size))
    planes = folded.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :size].T
    counts = np.array([len(ring) for ring in rings], "<u4")
    return _GRID + zlib.compress(_HEAD.pack(decimals, size, len(rings)) + counts.tobytes() + planes.tobytes(), 9)


def unpacked(stored: bytes) -> bytes:
    """The WKB of a stored polygon, packed or not: WKB begins with 0 or 1, its byte order; zlib's form never does."""
    if stored[:1] == _GRID:
        return _off_grid(zlib.decompress(stored[1:]))
    return stored if stored[0] in (0, 1) else zlib.decompress(stored)


def _off_grid(content: bytes) -> bytes:
    """The WKB of what `packed_on_grid` stored."""
    import numpy as np

    decimals, size, rings = _HEAD.unpack_from(content)
    counts = np.frombuffer(content, "<u4", rings, _HEAD.size)
    planes = np.frombuffer(content, np.uint8, offset=_HEAD.size + counts.nbytes).reshape(size, -1)
    folded = np.zeros(planes.shape[1], np.int64)
    for number, plane in enumerate(planes):
        folded |= plane.astype(np.int64) << (8 * number)
    steps = ((folded >> 1) ^ -(folded & 1)).reshape(2, -1)
    degrees = (steps.cumsum(axis=1) / 10**decimals).T.astype("<f8")
    parts = np.split(degrees, np.cumsum(counts)[:-1])
    return _WKB_POLYGON + b"".join(
        [struct.pack("<I", rings), *(struct.pack("<I", len(p)) + p.tobytes() for p in parts)]
    )
