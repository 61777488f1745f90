"""The disputed areas that a point or a place lies in, with their sides."""

from collections import defaultdict
from collections.abc import Iterator
from typing import cast

from bearings.places import geometry
from bearings.places.index.areas import Areas
from bearings.places.index.database import Index, Row
from bearings.places.models import Contention, Disputed, Layer, Party, Point

_SHARE = 0.5
"""A place lies in an area whose box covers this much of its own: Somalia is not in Somaliland."""


class Disputes:
    """The disputed areas of one index, less than a hundred, kept in memory. May be called from any thread."""

    def __init__(self, index: Index, areas: Areas) -> None:
        self._index = index
        self._areas = areas
        self._sources: dict[int, str] = dict(index.query("SELECT place, source FROM disputed"))
        self._rows = index.rows(self._sources)
        self._sides: dict[tuple[int, int], list[int]] = defaultdict(list)
        for place, claims, party in index.query("SELECT place, claims, party FROM side ORDER BY place, position"):
            self._sides[place, claims].append(party)
        self._parties = index.rows({party for parties in self._sides.values() for party in parties})

    def at(self, point: Point, language: str) -> tuple[Disputed, ...]:
        """Those whose outlines hold the point, smallest first."""
        return tuple(self._told(row, language) for row in self._holding(point))

    def of(self, row: Row, language: str) -> tuple[Disputed, ...]:
        """The area itself; of any other place those that it lies in, by its point and its box."""
        if row.id in self._sources:
            return (self._told(row, language),)
        return tuple(
            self._told(area, language)
            for area in self._holding(row.point)
            if geometry.share(row.bbox, area.bbox) >= _SHARE
        )

    def _holding(self, point: Point) -> Iterator[Row]:
        if any(geometry.contains(row.bbox, point) for row in self._rows.values()):
            for identifier in self._areas.containing(point, Layer.DISPUTED):
                if identifier in self._rows:
                    yield self._rows[identifier]

    def _told(self, row: Row, language: str) -> Disputed:
        held, claimed = (
            tuple(self._party(row, party, language) for party in self._sides[row.id, claims]) for claims in (0, 1)
        )
        kind = cast("Contention", row.type)
        return Disputed(self._index.name(row, language), kind, held, claimed, self._sources[row.id])

    def _party(self, area: Row, party: int, language: str) -> Party:
        row = self._parties[party]
        return Party(self._index.name(row, language), None if row.id == area.id else row.code)
