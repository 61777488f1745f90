"""The time zone of a point: by its country, by the outline around it or, at sea, by longitude."""

from collections import defaultdict

from bearings.places.atlas.index import Index, Row
from bearings.places.engine.areas import Areas
from bearings.places.models import Layer, Point, TimeZone

TERRITORIAL_M = 22_224.0
"""Twelve nautical miles: the limit of a country's time (tz database, "Timezones at sea")."""

_GAPS_M = (30_000.0, 2_000_000.0)
"""The largest distances of a point from all outlines, tried in turn: on a coast, and on an undrawn islet whose zone is
the nearest of its country's."""

_UNGOVERNED = "aq"
"""Antarctica: it has no country's time, except around some stations."""


class Zones:
    """The time zones of one index. Blocking; may be called from any thread."""

    def __init__(self, index: Index, areas: Areas) -> None:
        self._areas = areas
        self._names: dict[int, str] = dict(index.query("SELECT id, name FROM time_zone"))
        self._of_country: dict[str, set[int]] = defaultdict(set)
        for code, zone in index.query("SELECT country_code, zone FROM zone_of_country"):
            self._of_country[code].add(zone)

    def of(self, row: Row) -> TimeZone | None:
        """The zone of a place that lies in one zone; None if it lies in several."""
        return None if row.zone is None else TimeZone(self._names[row.zone])

    def at(self, point: Point, country: Row | None, region: Row | None = None) -> TimeZone | None:
        """The zone of a point in a country (None: in no country), and perhaps in a region.

        None if the country has several zones whose outlines this index lacks.
        """
        if country is None:
            return nautical(point)
        if country.zone is not None:
            return self.of(country)
        # A country's zones alone count: outlines of a neighbour's zone reach over the border by some kilometres.
        own = self._of_country.get(country.country_code or "", set())
        zone = next((zone for zone in self._areas.containing(point, Layer.TIME_ZONE) if zone in own), None)
        if zone is None and country.country_code != _UNGOVERNED:
            near = (self._areas.nearest(point, gap, Layer.TIME_ZONE, only=own) for gap in _GAPS_M)
            zone = next((nearest for nearest in near if nearest is not None), None)
        if zone is not None:
            return TimeZone(self._names[zone])
        if region is not None and region.zone is not None:
            return self.of(region)
        return None if own and country.country_code != _UNGOVERNED else nautical(point)


def nautical(point: Point) -> TimeZone:
    """The zone of 15° of longitude around a point: Etc/GMT+3 is three hours behind Greenwich, as IANA counts."""
    hours = round(point.lon / 15)
    return TimeZone("Etc/GMT" if hours == 0 else f"Etc/GMT{-hours:+d}", nautical=True)
