"""The areas of a map whose polygons hold a point."""

from collections.abc import Iterator
from functools import lru_cache

from bearings.places.index import chains
from bearings.places.models import Point
from bearings.places.osm.map import Map

_KEPT = 256


class Areas:
    """The polygons of one map. Blocking; may be called from any thread."""

    def __init__(self, osm: Map) -> None:
        self._map = osm
        self._polygon = lru_cache(maxsize=_KEPT)(self._read)

    def containing(self, point: Point, *layers: str) -> Iterator[int]:
        """Ids of the places of some layers whose polygons hold the point, edges included; smallest box first."""
        seen: set[int] = set()
        for area, place, layer in self._map.query(
            "SELECT area.id, area.place, area.layer FROM area_rtree JOIN area USING (id) WHERE west <= ? AND east >= ? "
            "AND south <= ? AND north >= ? ORDER BY (east - west) * (north - south)",
            (point.lon, point.lon, point.lat, point.lat),
        ):
            if layer in layers and place not in seen and chains.covers(self._polygon(area), point):
                seen.add(place)
                yield place

    def _read(self, area: int) -> bytes:
        ((stored,),) = self._map.query("SELECT outline FROM area WHERE id = ?", (area,))
        return chains.plain(stored)
