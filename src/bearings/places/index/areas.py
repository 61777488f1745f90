"""Which areas' polygons contain a point: boxes first, then prepared polygons, of which the last used are kept."""

from functools import lru_cache
from typing import TYPE_CHECKING

from bearings.places import geometry
from bearings.places.index.database import Index
from bearings.places.models import Point

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_KEPT_POLYGONS = 256


class Areas:
    """The polygons of one index. Blocking; may be called from any thread."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._polygon = lru_cache(maxsize=_KEPT_POLYGONS)(self._read)

    def containing(self, point: Point) -> list[int]:
        """Ids of the places whose polygons hold the point, or have it on their edge."""
        from shapely import points

        at = points(point.lon, point.lat)
        held = [place for area, place in self._around(point, 0.0) if self._polygon(area).covers(at)]
        return list(dict.fromkeys(held))

    def nearest(self, point: Point, within_m: float) -> int | None:
        """Id of the place whose polygon is nearest to a point in none, at most `within_m` metres away."""
        from shapely import points, shortest_line

        best: tuple[float, int] | None = None
        for area, place in self._around(point, within_m):
            foot = shortest_line(points(point.lon, point.lat), self._polygon(area)).coords[-1]
            distance = geometry.distance_m(point, Point(foot[1], foot[0]))
            if distance <= within_m and (best is None or distance < best[0]):
                best = (distance, place)
        return None if best is None else best[1]

    def _around(self, point: Point, radius_m: float) -> list[tuple[int, int]]:
        """(area, place) of the polygons whose boxes meet the box of a circle; smallest first."""
        found: list[tuple[int, int]] = []
        for piece in geometry.split(geometry.around(point, radius_m)):
            found += self._index.query(
                "SELECT area.id, area.place FROM area_rtree JOIN area USING (id) "
                "WHERE west <= ? AND east >= ? AND south <= ? AND north >= ? ORDER BY (east - west) * (north - south)",
                (piece.east, piece.west, piece.north, piece.south),
            )
        return found

    def _read(self, area: int) -> "BaseGeometry":
        import shapely

        ((wkb,),) = self._index.query("SELECT wkb FROM area WHERE id = ?", (area,))
        polygon: BaseGeometry = shapely.from_wkb(wkb)
        shapely.prepare(polygon)
        return polygon
