"""The disputed areas around a point or a place, with their sides."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property

from bearings.places import geometry
from bearings.places.atlas.index import Index, Row
from bearings.places.engine.areas import Areas
from bearings.places.models import BBox, Contention, Disputed, Layer, Party, Point

_SHARE = 0.5
"""A place lies in an area whose box covers this share of the place's own: Somalia is not in Somaliland."""

_CELL_DEG = 5.0
"""Degrees of a cell: most points lie in a cell without a disputed area, so their outlines need no search."""

_POLE = 89.999
"""Near a pole all longitudes meet, and all areas that reach it."""


class Disputes:
    """The disputed areas of one index, less than a hundred, in memory after first use. Thread-safe."""

    def __init__(self, index: Index, areas: Areas) -> None:
        self._index = index
        self._areas = areas

    @cached_property
    def _kinds(self) -> dict[int, tuple[Contention, str]]:
        rows_by_place = self._index.query("SELECT place, kind, source FROM disputed")
        return {place: (kind, source) for place, kind, source in rows_by_place}

    @cached_property
    def _rows(self) -> dict[int, Row]:
        return self._index.rows(self._kinds)

    @cached_property
    def _cells(self) -> set[tuple[float, float]]:
        pieces = [piece for row in self._rows.values() for piece in geometry.split(row.bbox)]
        return {cell for piece in pieces for cell in _cells(piece)}

    @cached_property
    def _sides(self) -> dict[tuple[int, int], list[int]]:
        parties: dict[tuple[int, int], list[int]] = defaultdict(list)
        for place, claims, party in self._index.query("SELECT place, claims, party FROM side ORDER BY place, position"):
            parties[place, claims].append(party)
        return parties

    def at(self, point: Point, language: str) -> tuple[Disputed, ...]:
        """The disputed areas whose outlines contain the point, smallest first."""
        return tuple(self._disputed(row, language) for row in self._holding(point))

    def of(self, row: Row, language: str) -> tuple[Disputed, ...]:
        """The area itself; for a country its disputed parts; for others the areas around, by point and box."""
        if row.id in self._kinds:
            return (self._disputed(row, language),)
        areas = [area for area in self._holding(row.point) if geometry.covered_share(row.bbox, area.bbox) >= _SHARE]
        if row.layer is Layer.COUNTRY:
            areas += [area for area in self._rows.values() if area not in areas and _alike(row.bbox, area.bbox)]
        return tuple(self._disputed(area, language) for area in areas)

    def _holding(self, point: Point) -> Iterator[Row]:
        if abs(point.lat) >= _POLE:
            yield from (row for row in self._rows.values() if _reaches(row.bbox, point))
        elif (point.lat // _CELL_DEG, point.lon // _CELL_DEG) in self._cells:
            for place in self._areas.containing(point, Layer.DISPUTED):
                if place in self._rows:
                    yield self._rows[place]

    def _disputed(self, row: Row, language: str) -> Disputed:
        administrators, claimed = (
            tuple(self._party(row, party, language) for party in self._sides[row.id, claims]) for claims in (0, 1)
        )
        kind, source = self._kinds[row.id]
        return Disputed(self._index.name(row, language), kind, administrators, claimed, source)

    def _party(self, area: Row, party: int, language: str) -> Party:
        row = self._index.area(party)
        assert row is not None  # the builder wrote it
        return Party(self._index.name(row, language), None if row.id == area.id else row.code)


def _cells(box: BBox) -> Iterator[tuple[float, float]]:
    """The integer cells that a box overlaps; the box does not cross 180°."""
    rows = range(int(box.south // _CELL_DEG), int(box.north // _CELL_DEG) + 1)
    columns = range(int(box.west // _CELL_DEG), int(box.east // _CELL_DEG) + 1)
    return ((row, column) for row in rows for column in columns)


def _alike(one: BBox, other: BBox) -> bool:
    return min(geometry.covered_share(one, other), geometry.covered_share(other, one)) >= _SHARE


def _reaches(box: BBox, pole: Point) -> bool:
    return box.north >= _POLE if pole.lat > 0 else box.south <= -_POLE
