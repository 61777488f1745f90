"""The areas whose polygons contain a point: boxes first, then the edges near the point (chains.py)."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from bearings.places import geometry
from bearings.places.engine import chains
from bearings.places.engine.database import Database
from bearings.places.models import Point

if TYPE_CHECKING:
    from shapely import Polygon

_KEPT_POLYGONS = 64
"""The cached polygons: those of large countries hold most points; the 64 largest take 4 MB."""

_KEPT_POINTS = 64
"""The cached points: one answer asks several times about its point, each time for another layer."""


class Areas:
    """The polygons of one index or map. Blocking; may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._polygon = lru_cache(maxsize=_KEPT_POLYGONS)(self._read)
        self._boxed = lru_cache(maxsize=_KEPT_POINTS)(self._around)

    def containing(self, point: Point, *layers: str) -> Iterator[int]:
        """Ids of the places of some layers whose polygons contain the point, edges included; smallest first.

        Polygons are read lazily: a caller that needs one place should not ask for the next.
        """
        seen: set[int] = set()
        for lon in geometry.spellings(point.lon):  # an ocean ends at -180
            at = point._replace(lon=lon)
            for area, place, layer in self._boxed(at, 0.0):
                if layer in layers and place not in seen and self.covers(area, at):
                    seen.add(place)
                    yield place

    def covers(self, area: int, point: Point) -> bool:
        """Whether a polygon, by the id of its row, contains the point, edges included."""
        return chains.covers(self._polygon(area), point)

    def nearest(self, point: Point, within_m: float, *layers: str, only: Container[int] | None = None) -> int | None:
        """Id of the place of some layers whose polygon is nearest to a point outside all, within `within_m` metres.

        `only`: the places to consider.
        """
        best: tuple[float, int] | None = None
        for area, place, layer in self._around(point, within_m):
            if layer not in layers or (only is not None and place not in only):
                continue
            distance = geometry.distance_m(point, self._foot(area, point))
            if distance <= within_m and (best is None or distance < best[0]):
                best = (distance, place)
        return None if best is None else best[1]

    def _foot(self, area: int, point: Point) -> Point:
        """The position on a polygon's edges that is nearest to a point outside it."""
        return chains.foot(self._polygon(area), point)

    def _around(self, point: Point, radius_m: float) -> list[tuple[int, int, str]]:
        """(area, place, layer) of the polygons whose boxes overlap a circle's box; smallest first."""
        return self._database.select_meeting(
            "SELECT area.id, area.place, area.layer FROM area_rtree JOIN area USING (id)",
            geometry.around(point, radius_m), "ORDER BY (east - west) * (north - south)",
        )  # fmt: skip

    def _read(self, area: int) -> bytes:
        ((stored,),) = self._database.query("SELECT outline FROM area WHERE id = ?", (area,))
        return chains.plain(stored)


def polygons(database: Database, places: Iterable[int]) -> "dict[int, list[Polygon]]":
    """The polygons of places by id; a place without any is left out."""
    parts: dict[int, list[Polygon]] = defaultdict(list)
    for place, outline in database.select_in("SELECT place, outline FROM area WHERE place IN", places, "ORDER BY id"):
        parts[place].append(chains.polygon(outline))
    return parts
