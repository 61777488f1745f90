"""Objects on their way into a map: rows and shapes on disk, and the numbers that all of them need in memory."""

import json
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bearings.places import geometry, shapes
from bearings.places.osm import cells, meridian, placing, tags
from bearings.places.osm.reading import Feature

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

BATCH = 10_000

_SCHEMA = """
CREATE TABLE staged (
    id INTEGER PRIMARY KEY, osm INTEGER, category TEXT, type TEXT, rank INTEGER, name TEXT, names TEXT, mains TEXT,
    lat INTEGER, lon INTEGER, box BLOB, house TEXT, street TEXT, postcode TEXT, city TEXT, weight INTEGER
);
CREATE TABLE piece (cell INTEGER, feature INTEGER, flags INTEGER, positions BLOB);
"""

_INSERT = "INSERT INTO staged VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode

_MOST_CELLS_OF_LINE = 4
"""A line that meets more cells stands in each of them with its edges there alone."""

_MOST_CELLS_OF_AREA = 4_000_000
"""An area that meets more cells, some 10 degrees across, answers inside alone: its edges would fill the map."""

_NOT_AT_A_POINT = frozenset(
    {"place", "boundary", "natural", "waterway", "landuse", "building", "mountain_pass", "bridge", "public_transport"}
)
_FEATURES = frozenset({"natural", "waterway", "mountain_pass", "man_made", "aerialway", "railway"})
_PARKS = frozenset({"park", "nature_reserve", "garden", "common"})


class Row(NamedTuple):
    """A staged object; see `staged`. `name` is empty for an address or an object without a name."""

    id: int
    osm: int | None
    category: str
    type: str
    rank: int
    name: str
    names: str | None
    mains: str | None
    lat: int
    lon: int
    box: bytes | None
    house: str
    street: str
    postcode: str
    city: str
    weight: int


@dataclass(slots=True)
class Numbers:
    """Numbers of all objects in memory, by id less 1: positions in steps, and ranks."""

    lat: "array[int]" = field(default_factory=lambda: array("i"))
    lon: "array[int]" = field(default_factory=lambda: array("i"))
    rank: "array[int]" = field(default_factory=lambda: array("b"))


class Staging:
    """Takes features in batches. `polygons` are the areas that others lie in, `lines` the streets, by id."""

    def __init__(self, path: Path, within: "BaseGeometry | None" = None) -> None:
        self._within = within
        self.db = sqlite3.connect(path, isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -32768", "page_size = 8192"):
            self.db.execute(f"PRAGMA {pragma}")
        self.db.executescript(_SCHEMA)
        self.db.execute("BEGIN")
        self.numbers = Numbers()
        self.polygons: dict[int, BaseGeometry] = {}
        self.lines: dict[int, BaseGeometry] = {}
        self.large: dict[int, BaseGeometry] = {}
        """Objects of more cells than fit: kept whole."""

    def __len__(self) -> int:
        return len(self.numbers.lat)

    def add(self, batch: Sequence[Feature]) -> None:
        """Stages some features."""
        import numpy as np
        import shapely

        forms = shapely.from_wkb([feature.wkb for feature in batch], on_invalid="ignore")
        whole = np.array([shape is not None and not shape.is_empty for shape in forms], dtype=bool)
        for number in np.flatnonzero(_widths(forms) > meridian.HALF_ROUND).tolist():
            forms[number] = meridian.cut(forms[number])
        if self._within is not None:
            shapely.prepare(self._within)
            whole[whole] = shapely.intersects(self._within, forms[whole])
        batch = [feature for feature, good in zip(batch, whole.tolist(), strict=True) if good]
        if batch:
            self._stage(batch, forms[whole])

    def _stage(self, batch: Sequence[Feature], forms: "NDArray[np.object_]") -> None:
        """Stages features with their shapes."""
        import numpy as np

        middle, boxes = _middle_and_boxes(forms, [feature.form for feature in batch])
        first, packed = len(self) + 1, boxes.tobytes()
        rows: list[Row] = []
        flags: list[int] = []
        for number, (feature, (lon, lat)) in enumerate(zip(batch, middle, strict=True)):
            box = None if feature.form == "point" else packed[16 * number : 16 * number + 16]
            row = _row(first + number, feature, lat, lon, box)
            rows.append(row)
            flags.append(_flags(feature, row))
        self.numbers.lat.extend(row.lat for row in rows)
        self.numbers.lon.extend(row.lon for row in rows)
        self.numbers.rank.extend(row.rank for row in rows)
        self.db.executemany(_INSERT, rows)
        is_area = np.array([feature.form == "area" for feature in batch])
        self._place(rows, forms, boxes, np.array(flags), is_area)

    def _place(
        self, rows: Sequence[Row], forms: "NDArray[np.object_]", boxes: "NDArray[np.int32]", flags: "NDArray[np.int64]",
        is_area: "NDArray[np.bool_]",
    ) -> None:  # fmt: skip
        """Puts shapes into their cells, or keeps them whole."""
        import numpy as np

        is_around = is_area & np.array([row.category in ("boundary", "place") for row in rows])
        is_named = np.array([row.name != "" for row in rows])
        spans = placing.spans(boxes)
        counts = placing.counts_of(spans)
        is_whole = counts <= np.where(is_area, cells.MOST_CELLS, _MOST_CELLS_OF_LINE)
        is_cut = ~is_whole & (~is_area | (counts <= _MOST_CELLS_OF_AREA))
        is_line = ~is_around & is_named & (flags & (cells.STREET | cells.PATH) > 0)
        first = rows[0].id
        self.polygons |= {first + at: _valid(forms[at]) for at in np.flatnonzero(is_around).tolist()}
        self.lines |= {first + at: forms[at] for at in np.flatnonzero(is_line).tolist()}
        is_large = ~is_around & is_area & ~is_whole
        self.large |= {first + at: _valid(forms[at]) for at in np.flatnonzero(is_large).tolist()}
        lines = placing.lines_of(forms).chosen(~is_around)
        self._insert(first, placing.whole(lines.chosen(is_whole), spans), flags)
        self._insert(first, placing.runs(lines.chosen(is_cut)), flags & ~cells.AREA)

    def _insert(self, first: int, pieces: Iterable[placing.Piece], flags: "NDArray[np.int64]") -> None:
        of_shape = flags.tolist()
        rows = ((cell, first + shape, of_shape[shape], stored) for shape, cell, stored in pieces)
        self.db.executemany("INSERT INTO piece VALUES (?,?,?,?)", rows)

    def add_derived(self, row: Row) -> None:
        """Stages a place that is no object: a town that only addresses name, a postcode, a country around."""
        self.numbers.lat.append(row.lat)
        self.numbers.lon.append(row.lon)
        self.numbers.rank.append(row.rank)
        self.db.execute(_INSERT, row)

    def rows(self, where: str = "1", order: str = "id") -> Iterator[Row]:
        """The staged objects that fulfil a condition."""
        cursor = self.db.execute(f"SELECT * FROM staged WHERE {where} ORDER BY {order}")  # noqa: S608
        return map(Row._make, cursor)

    def query(self, statement: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """The rows of a statement."""
        return self.db.execute(statement, parameters)

    def positions(self) -> "NDArray[np.float64]":
        """(lon, lat) of each object in degrees."""
        import numpy as np

        lon, lat = (np.frombuffer(each, dtype=np.int32) for each in (self.numbers.lon, self.numbers.lat))
        return np.column_stack((lon, lat)) / cells.STEPS

    def close(self) -> None:
        """Close the file."""
        self.db.close()


def _valid(shape: "BaseGeometry") -> "BaseGeometry":
    import shapely

    return shape if shape.is_valid else shapely.make_valid(shape)


def _widths(forms: "NDArray[np.object_]") -> "NDArray[np.float64]":
    """The degrees of longitude from the west to the east of shapes."""
    import shapely

    bounds = shapely.bounds(forms)
    return bounds[:, 2] - bounds[:, 0]


def _middle_and_boxes(
    forms: "NDArray[np.object_]", names: Sequence[str]
) -> "tuple[list[list[int]], NDArray[np.int32]]":
    """The middle (lon, lat) and the box (west, south, east, north) of shapes, in steps."""
    import numpy as np
    import shapely

    middle = np.rint(shapely.get_coordinates(_points(forms, names)) * cells.STEPS).astype(np.int64).tolist()
    bounds = shapely.bounds(forms)
    for number in np.flatnonzero(_widths(forms) > meridian.HALF_ROUND).tolist():
        bounds[number] = box = shapes.box_of(forms[number])
        if box.west > box.east:
            middle[number] = _across(forms[number])
    return middle, np.rint(bounds * cells.STEPS).astype(np.int32)


def _across(shape: "BaseGeometry") -> list[int]:
    """The middle in steps (lon, lat) of a shape with parts on both sides of 180 degrees."""
    import numpy as np
    import shapely

    def eastward(positions: "NDArray[np.float64]") -> "NDArray[np.float64]":
        return positions + np.where(positions[:, :1] < 0, (360.0, 0.0), (0.0, 0.0))

    middle = shapely.centroid(shapely.transform(shape, eastward))
    return [cells.steps(geometry.normalise_lon(middle.x)), cells.steps(middle.y)]


def _points(forms: "NDArray[np.object_]", names: Sequence[str]) -> "NDArray[np.object_]":
    """A point for each shape: itself, the middle of a line, the centroid of an area."""
    import numpy as np
    import shapely

    kinds = np.array(names)
    points = forms.copy()
    lines, areas = kinds == "line", kinds == "area"
    points[lines] = shapely.line_interpolate_point(forms[lines], 0.5, normalized=True)
    points[areas] = shapely.centroid(forms[areas])
    return points


def _flags(feature: Feature, row: Row) -> int:
    """The flags of a feature in its cells."""
    kind = feature.kind
    flags = cells.AREA if feature.form == "area" else 0
    if tags.is_street(kind):
        return flags | (cells.STREET if kind.rank == tags.STREET_RANK else cells.PATH)
    if "addr:housenumber" in feature.tags:
        flags |= cells.HOUSE
    is_park = kind.category == "leisure" and kind.type in _PARKS
    if (
        kind.category not in _NOT_AT_A_POINT
        and not is_park
        and feature.form != "line"
        and kind.type not in tags.FURNITURE
    ):
        flags |= cells.OBJECT
    elif kind.category in _FEATURES and row.name:
        flags |= cells.FEATURE
    return flags


def _row(identifier: int, feature: Feature, lat: int, lon: int, box: bytes | None) -> Row:
    kind, given = feature.kind, feature.tags
    others, mains = tags.other_names(given), tags.main_tags(given)
    return Row(
        identifier, feature.osm, kind.category, kind.type, kind.rank, tags.main_name(given),
        _AS_JSON(others) if others else None,
        json.dumps(mains) if len(mains) > 1 or (mains and kind.category not in mains) else None,
        lat, lon, box, ";".join(tags.house_numbers(given)), tags.street_name(given), tags.postcode(given),
        tags.city(given), tags.weight(kind, given),
    )  # fmt: skip
