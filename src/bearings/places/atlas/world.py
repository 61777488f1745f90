"""The countries and first-level regions of an atlas, for maps that lie in them."""

from collections.abc import Sequence

from bearings.places.atlas.index import Index, Row
from bearings.places.engine.areas import Areas
from bearings.places.engine.world import WorldArea
from bearings.places.models import Layer, Point

_COAST_M = 5_000.0
"""A point at sea within this distance of a country is the country's: the atlas's coasts are simplified."""


class AtlasWorld:
    """See `World`. Blocking."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._areas = Areas(index)

    def areas_at(self, point: Point) -> Sequence[WorldArea]:
        """The region and the country that hold a point, in this order; empty at sea."""
        country = next(self._areas.containing(point, Layer.COUNTRY), None)
        if country is None:
            country = self._areas.nearest(point, _COAST_M, Layer.COUNTRY)
        if country is None or (row := self._index.area(country)) is None:
            return ()
        regions = (self._index.area(each) for each in self._areas.containing(point, Layer.REGION))
        region = next((each for each in regions if each is not None and each.country_code == row.country_code), None)
        return [self._area(each) for each in (region, row) if each is not None]

    def _area(self, row: Row) -> WorldArea:
        names = dict(self._index.query("SELECT language, name FROM localised WHERE place = ?", (row.id,)))
        ground = names.pop("local", row.name)
        names.setdefault("en", row.name)
        code = row.code or (row.country_code or "").upper()
        return WorldArea(ground, names, row.place_rank, code, row.country_code or "", row.point, row.bbox)
