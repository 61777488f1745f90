"""The outlines of the atlas's places, and the boxes of their parts."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bearings.places import geometry, shapes
from bearings.places.atlas import store
from bearings.places.atlas.index import Index, Row
from bearings.places.atlas.territories import TERRITORIES
from bearings.places.engine.areas import polygons
from bearings.places.models import BBox, Layer, Place
from bearings.places.outlines import Detail, Outline, Parts

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_CORE_SMALL_DEG2 = 0.5
_CORE_SMALL_TOLERANCE_M, _CORE_TOLERANCE_M = 6_000.0, 25_000.0
"""The error of the core's outlines, smaller and larger than `_CORE_SMALL_DEG2`, against the full atlas's: measured
corner by corner, 95 of 100 have less."""

_CORE_EDGE_DEG = 0.25
"""The same for an edge of a box, in degrees."""

_CORE_NOTE = (
    "Outlines of the core atlas are simplified by some 8 km and lack islands of less than 100 km²; the full atlas has "
    "them at 1:10 million."
)
_CORE_HAS_NONE = "The core atlas has outlines of countries, regions, seas, lakes and disputed areas; the full has more."
_HAS_NONE = "The atlas has no outline of this place."
_SMALLER = 0.5
"""A main part is reported if its box has less than this share of the whole's area."""

_POINT_LAYERS = {Layer.SETTLEMENT, Layer.AIRPORT, Layer.PORT}
_POINT_TYPES = {"cape", "mountain_pass", "peak", "pole", "waterfall"}
"""Kinds that are points by nature or in every source of the atlas: their point is their geometry."""


class Shaping:
    """Outlines and parts of the places of one index. Blocking; may be called from any thread."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._is_core = store.data_of(index.meta) == "core"

    def outlines(self, rows: Sequence[Row], detail: Detail, parts: Parts | None = None) -> dict[int, Outline]:
        """The outlines of some rows, by their ids; empty if none are requested."""
        if detail == "none":
            return {}
        shape_of = self._stored(rows, parts)
        return {row.id: self._outline(row, shape_of.get(row.id)) for row in rows}

    def shaped(
        self, places: Sequence[Place], rows: Sequence[Row], detail: Detail, parts: Parts | None
    ) -> tuple[Place, ...]:
        """The places with their outlines, and with the boxes of the requested parts."""
        if detail == "none" and parts is None:
            return tuple(places)
        shape_of = self._stored(rows, parts)
        return tuple(
            self._shaped(place, row, shape_of.get(row.id), detail, parts)
            for place, row in zip(places, rows, strict=True)
        )

    def _shaped(
        self, place: Place, row: Row, shape: "BaseGeometry | None", detail: Detail, parts: Parts | None
    ) -> Place:
        if parts == "all" and (belonging_to := self._territories(row)):
            rows = self._index.rows(belonging_to).values()
            place = replace(place, bbox=geometry.union([row.bbox, *(territory.bbox for territory in rows)]))
        if parts == "main" and shape is not None:
            place = replace(place, bbox=self._box(shape, row))
        if parts == "own" and shape is not None:
            place = replace(place, main_bbox=self._main_box(shape, row))
        return place if detail == "none" else replace(place, outline=self._outline(row, shape))

    def _stored(self, rows: Sequence[Row], parts: Parts | None) -> "dict[int, BaseGeometry]":
        """The shapes of the rows that have one, made of the requested parts."""
        belonging_to = {row.id: self._territories(row) if parts == "all" else [] for row in rows}
        every = [identifier for row in rows for identifier in (row.id, *belonging_to[row.id])]
        stored = united(self._index, dict.fromkeys(every))
        whole = {}
        for row in rows:
            places = (row.id, *belonging_to[row.id])
            pieces = [part for place in places if place in stored for part in shapes.parts_of(stored[place])]
            if pieces:
                shape = shapes.joined(pieces)
                whole[row.id] = shapes.main_part(shape) if parts == "main" else shape
        return whole

    def _territories(self, row: Row) -> list[int]:
        """Ids of a country's own countries and territories."""
        codes = TERRITORIES.get(row.country_code or "", "").split() if row.layer is Layer.COUNTRY else ()
        select = f"SELECT id FROM place WHERE layer = '{Layer.COUNTRY}' AND country_code IN"  # noqa: S608
        return [identifier for (identifier,) in self._index.select_in(select, codes, "ORDER BY id")]

    def _outline(self, row: Row, shape: "BaseGeometry | None") -> Outline:
        if shape is not None:
            small = float(shape.area) < _CORE_SMALL_DEG2
            core = Outline(shape, _CORE_SMALL_TOLERANCE_M if small else _CORE_TOLERANCE_M, _CORE_NOTE)
            return core if self._is_core else Outline(shape)
        if row.layer in _POINT_LAYERS or row.type in _POINT_TYPES:
            return Outline(shapes.of_point(row.point), note="The atlas knows this place as a point.")
        return Outline(None, note=_CORE_HAS_NONE if self._is_core else _HAS_NONE)

    def _main_box(self, shape: "BaseGeometry", row: Row) -> BBox | None:
        """The box of the main part, if it is much smaller than the whole."""
        least = _SMALLER * geometry.area_km2(row.bbox)
        largest = max(shapes.parts_of(shape), key=lambda part: float(part.area))
        if geometry.area_km2(shapes.box_of(largest)) >= least:  # saves the search for gaps in large countries
            return None
        box = self._box(shapes.main_part(shape), row)
        return box if geometry.area_km2(box) < least else None

    def _box(self, main: "BaseGeometry", row: Row) -> BBox:
        """The box of a main part. Of a simplified shape, an edge near the whole's becomes that exact edge."""
        box = shapes.box_of(main)
        if not self._is_core:
            return box
        edges = zip(box, row.bbox, strict=True)
        return BBox(*(true if abs(edge - true) < _CORE_EDGE_DEG else edge for edge, true in edges))


def united(index: Index, places: Iterable[int]) -> "dict[int, BaseGeometry]":
    """The shapes of places by id; a place without polygons is left out.

    Each is valid: its polygons may overlap slightly, because they were simplified one by one.
    """
    import shapely

    whole: dict[int, BaseGeometry] = {}
    for place, parts in polygons(index, places).items():
        whole[place] = shapes.joined(parts)
        if not whole[place].is_valid:
            merged = shapely.union_all([part if part.is_valid else shapely.make_valid(part) for part in parts])
            whole[place] = shapes.joined(shapes.polygons_of(merged))
    return whole
