"""An atlas for blocks of points: what single questions look up is in memory, or is read for all points at once."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from bearings.places import geometry
from bearings.places.atlas import reverse, settlement
from bearings.places.atlas.answers import COUNTRY_ZOOM, REGION_ZOOM, Atlas
from bearings.places.atlas.index import Index, Row, tags_of
from bearings.places.engine.blocks import BlockAreas
from bearings.places.models import BBox, Layer, Match, Place, Point, TimeZone

_KEPT = 50_000
"""Cached places; more are forgotten together."""

_FIELDS = [("id", "i8"), ("lat", "f8"), ("lon", "f8"), ("population", "i8"), ("place_rank", "i8"), ("parent", "i8")]
_NO_PARENT = -1

_PLACES = f"""
SELECT id, lat, lon, population, place_rank, coalesce(parent, {_NO_PARENT}), coalesce(country_code, '')
FROM place WHERE layer = '{Layer.SETTLEMENT}' ORDER BY id
"""  # noqa: S608 - words of ours
_EXTENTS = "SELECT id, west, south, east, north FROM extent_rtree ORDER BY id"

_MARGIN = 1e-9
"""The part of a distance by which numpy's may differ from `geometry`'s: what it can't tell apart is left to that."""


class Asked(NamedTuple):
    """A point whose nearest settlement is wanted, of a country and perhaps a region or county in it."""

    point: Point
    country: str | None
    area: int | None


class _Settlements:
    """All settlements, with their reach and extents."""

    def __init__(self, index: Index) -> None:
        extents = np.array(index.query(_EXTENTS), dtype=np.float64)
        *values, codes = zip(*index.query(_PLACES), strict=True)
        self.rows = np.zeros(len(codes), dtype=_FIELDS)
        for (name, _), column in zip(_FIELDS, values, strict=True):
            self.rows[name] = column
        self._edges = extents[extents[:, 0].searchsorted(self.rows["id"]), 1:].T.copy()
        self._tree = shapely.STRtree(np.asarray(shapely.box(*self._edges)))
        self._countries = np.array(codes)
        sizes, size = np.unique(self.rows["population"], return_inverse=True)
        self.reach_m = np.array([settlement.radius_m(people) for people in sizes.tolist()])[size]

    def meeting(
        self, boxes: Sequence[BBox], countries: Sequence[str | None]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The pairs of a box and a settlement of its country whose extent meets it, by their numbers."""
        box, row = self._tree.query(shapely.box(*np.array(boxes).T))
        is_there = self._countries[row] == np.array([code or "" for code in countries])[box]
        return box[is_there], row[is_there]

    def holding(self, row: Any, lat: Any, lon: Any) -> Any:
        """Whether extents hold points."""
        west, south, east, north = self._edges[:, row]
        return (west <= lon) & (east >= lon) & (south <= lat) & (north >= lat)


class BlockIndex(Index):
    """An index for blocks of points. One thread at a time. Takes some 150 MB more than `Index`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._rows: dict[int, Row | None] = {}
        self._names: dict[tuple[int, str], str | None] = {}
        self._places: dict[tuple[object, ...], Place] = {}
        self._lying: dict[tuple[int | None, int], bool] = {}
        self._near: dict[tuple[Point, BBox, str | None, int | None], list[tuple[Any, ...]]] = {}
        self.area = self._kept_area
        self._localised = self._kept_name

    def load(self, asked: Iterable[Asked], rings_m: Sequence[float], language: str) -> None:
        """Prepare `settlements` within the first ring that has one, for each point, and read what they are called."""
        self._near.clear()
        if len(self._rows) > _KEPT:
            self._rows.clear()
            self._names.clear()
            self._places.clear()
        waiting = list(asked)
        for ring_m in rings_m:
            waiting = self._load(waiting, ring_m)
        wanted = {row[0] for rows in self._near.values() for row in rows} - self._rows.keys()
        while wanted:
            found = self.rows(wanted)
            self._rows |= found
            names: dict[int, dict[str, str]] = {place: {} for place in wanted}
            for place, tag, name in self.select_in(
                "SELECT place, language, name FROM localised WHERE place IN", wanted
            ):
                names[place][tag] = name
            for place, tagged in names.items():
                self._names[place, language] = next((tagged[tag] for tag in tags_of(language) if tag in tagged), None)
            wanted = {row.parent for row in found.values() if row.parent is not None} - self._rows.keys()

    def _load(self, asked: Sequence[Asked], ring_m: float) -> list[Asked]:
        """`load` for a ring; returns the points without a settlement there. Those whose box is cut are left out."""
        pairs = [(each, reverse.pieces_around(each.point, ring_m)) for each in asked]
        asked, boxes = [each for each, pieces in pairs if len(pieces) == 1], [p[0] for _, p in pairs if len(p) == 1]
        if not asked:
            return []
        own = self._settlements
        at, row = own.meeting(boxes, [each.country for each in asked])
        parents = own.rows["parent"][row].tolist()
        areas = (asked[number].area for number in at.tolist())
        lies = [area is None or self.lies_in(parent, area) for parent, area in zip(parents, areas, strict=True)]
        at, row = at[lies], row[lies]
        lat, lon = np.array([each.point for each in asked])[at].T
        distance = _distances_m(lat, lon, own.rows["lat"][row], own.rows["lon"][row])
        share, holds = distance / own.reach_m[row], own.holding(row, lat, lon)
        may_win = np.zeros(len(at), dtype=bool)
        inside, near = distance <= ring_m * (1 - _MARGIN), distance <= ring_m * (1 + _MARGIN)
        for sure, may_be in ((holds, holds), (inside, near)):
            least = np.full(len(asked), np.inf)
            np.minimum.at(least, at[sure], share[sure])
            may_win |= may_be & (share <= least[at] * (1 + _MARGIN))
        found: list[list[tuple[Any, ...]]] = [[] for _ in asked]
        chosen = zip(own.rows[row[may_win]].tolist(), holds[may_win].tolist(), at[may_win].tolist(), strict=True)
        for values, held, number in chosen:
            found[number].append((*values, held))
        for each, box, settlements in zip(asked, boxes, found, strict=True):
            self._near[each.point, box, each.country, each.area] = settlements
        return [each for each, settlements in zip(asked, found, strict=True) if not settlements]

    def settlements(self, point: Point, box: BBox, country: str | None, area: int | None) -> list[tuple[Any, ...]]:
        """See Index; of a loaded point, only those that may be the nearest by their reach."""
        known = self._near.get((point, box, country, area))
        if known is not None:
            return known
        _, row = self._settlements.meeting([box], [country])
        holds = self._settlements.holding(row, point.lat, point.lon).tolist()
        return [(*values, held) for values, held in zip(self._settlements.rows[row].tolist(), holds, strict=True)]

    @cached_property
    def _settlements(self) -> _Settlements:
        return _Settlements(self)

    def lies_in(self, parent: int | None, area: int) -> bool:
        """See Index."""
        if (parent, area) not in self._lying:
            self._lying[parent, area] = super().lies_in(parent, area)
        return self._lying[parent, area]

    def place(self, row: Row, language: str, around: Sequence[Row] | None = None, match: Match | None = None) -> Place:
        """See Index."""
        around = self.ancestors(row) if around is None else around
        key = (row.id, language, match, *[each.id for each in around])
        if key not in self._places:
            self._places[key] = super().place(row, language, around, match)
        return self._places[key]

    def _kept_area(self, identifier: int) -> Row | None:
        if identifier not in self._rows:
            self._rows[identifier] = self._read_area(identifier)
        return self._rows[identifier]

    def _kept_name(self, identifier: int, language: str) -> str | None:
        if (identifier, language) not in self._names:
            self._names[identifier, language] = self._read_localised(identifier, language)
        return self._names[identifier, language]


class BlockAtlas(Atlas):
    """An atlas that answers blocks of points, each as a single question. Blocking; one thread at a time."""

    _kept_points = 16_384

    def __init__(self, path: Path) -> None:
        self._index = BlockIndex(path)
        self._blocks = BlockAreas(self._index)
        super().__init__(self._index, self._blocks)

    def reverse_all(self, points: Sequence[Point], zoom: int, language: str, *, time_zones: bool) -> list[Place | None]:
        """As `reverse`, without disputed areas, and with time zones only if they are wanted. Equal places are one."""
        layers = (Layer.COUNTRY,) if zoom <= COUNTRY_ZOOM else (Layer.COUNTRY, Layer.REGION, Layer.COUNTY, Layer.LAKE)
        self._blocks.load(points, layers)
        if zoom > REGION_ZOOM:
            asked = []
            for point in points:
                if (country := self._country(point)) is not None:
                    region = self._region(point, country)
                    area = self._county(point, country, region) or region
                    asked.append(Asked(point, country.country_code, area and area.id))
            self._index.load(asked, reverse.RINGS_M, language)
        told: dict[tuple[int, TimeZone | None], Place] = {}
        places = []
        for point in points:
            rows, place = self._found(point, zoom, language)
            if place is not None and time_zones:
                zone = self._time(point, rows)
                place = told.setdefault((id(place), zone), replace(place, time_zone=zone))
            places.append(place)
        return places


def _distances_m(lat: Any, lon: Any, other_lat: Any, other_lon: Any) -> Any:
    """`geometry.distance_m` of arrays, but for the last digits."""
    lat, lon, other_lat, other_lon = map(np.radians, (lat, lon, other_lat, other_lon))
    h = np.sin((other_lat - lat) / 2) ** 2 + np.cos(lat) * np.cos(other_lat) * np.sin((other_lon - lon) / 2) ** 2
    return 2 * geometry.EARTH_RADIUS_M * np.arcsin(np.sqrt(np.minimum(1.0, h)))
