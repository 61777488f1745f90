"""A map opened for reading: rows become places with what is around them."""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from bearings.places import address, geometry
from bearings.places.engine.database import Database
from bearings.places.models import BBox, OsmType, Place, Point
from bearings.places.osm import cells, tags
from bearings.places.osm.cells import STEPS, Cell, box
from bearings.places.osm.phrases import phrases
from bearings.places.osm.schema import SCHEMA_VERSION
from bearings.places.osm.tags import COUNTRY_RANK, EXTENT_M

_COLUMNS = "id, osm, kind, name, names, mains, lat, lon, box, street, house, around, weight"
_BOX = struct.Struct("<4i")
_TYPES: tuple[OsmType, ...] = ("node", "way", "relation")
_MOST_CELLS = 500
_KEPT = 4096
_KEPT_CELLS = 512
"""Cells take 12 kB in the mean, 60 kB in towns."""

_LEVELS = {
    2: "country", 3: "region", 4: "state", 5: "state_district", 6: "county", 7: "municipality", 8: "city",
    9: "city_district", 10: "suburb", 11: "neighbourhood",
}  # fmt: skip
"""Address keys of areas by admin_level that stand for no settlement, as Nominatim's."""

_LAYERS = {"railway": "railway", "natural": "natural", "waterway": "natural", "mountain_pass": "natural",
           "man_made": "manmade", "aerialway": "manmade"}  # fmt: skip
"""The layer of an object by its key; all others are points of interest."""

_BESIDE = 0.2
"""The share of its width and height by which a country's box is widened to find what lies beside it."""

_EXTENT_M = {"country": 100_000.0, "state": 50_000.0, **{kind: m for kinds in EXTENT_M for kind, m in kinds.items()}}
"""Half the side of the box that is estimated for a settlement that is a point."""


class Row(NamedTuple):
    """A place in a map; see schema.sql. `point` and `bbox` are in degrees; `bbox` is None for a point."""

    id: int
    osm: int | None
    category: str
    type: str
    rank: int
    name: str | None
    names: str | None
    mains: str | None
    point: Point
    bbox: BBox | None
    street: int | None
    house: str | None
    around: int
    importance: float

    @property
    def level(self) -> str:
        """Its key in an address."""
        if self.category == "boundary":
            linked = json.loads(self.mains).get(tags.LINKED) if self.mains else None
            return linked or _LEVELS.get(self.rank // 2, "district")
        if self.category == "place":
            return self.type
        return "road" if self.category == "highway" and self.rank < tags.OBJECT_RANK else self.category

    @property
    def layer(self) -> str:
        """Nominatim's layer (https://nominatim.org/release-docs/latest/api/Search/#layer)."""
        if self.category in ("place", "boundary") or self.level == "road" or (self.house and not self.name):
            return "address"
        return _LAYERS.get(self.category, "poi")

    @property
    def osm_type(self) -> OsmType | None:
        """The type of its object."""
        return None if self.osm is None else _TYPES[self.osm & 3]

    @property
    def osm_id(self) -> int | None:
        """The id of its object."""
        return None if self.osm is None else self.osm >> 2


class Around(NamedTuple):
    """The surroundings of places of one combination: areas innermost first, and the country's alpha-2 code."""

    areas: tuple[int, ...]
    country_code: str | None


class Map(Database):
    """A finished map, read only. Methods block, and may be called from any thread.

    Raises sqlite3.DatabaseError if the file is no map, is damaged, or has another version.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, SCHEMA_VERSION)
        kinds = self.query("SELECT id, category, type, rank FROM kind")
        self._kinds: dict[int, tuple[str, str, int]] = {
            number: (key, value, rank) for number, key, value, rank in kinds
        }
        self.around = lru_cache(maxsize=_KEPT)(self._read_around)
        self.area = lru_cache(maxsize=_KEPT)(self._read_area)
        self.cell = lru_cache(maxsize=_KEPT_CELLS)(self._read_cell)
        self._within = lru_cache(maxsize=_KEPT)(self._read_within)

    def tiles(self) -> Iterable[int]:
        """The tiles (coverage.py) that hold named objects."""
        return (tile for (tile,) in self.query("SELECT tile FROM covered"))

    @cached_property
    def phrases(self) -> Mapping[str, frozenset[int]]:
        """The kinds of objects that keys mean (phrases.py)."""
        return phrases(self._kinds.items())

    def rows(self, identifiers: Iterable[int]) -> dict[int, Row]:
        """Places by id, in the order asked for."""
        wanted = list(dict.fromkeys(identifiers))
        select = f"SELECT {_COLUMNS} FROM place WHERE id IN"  # noqa: S608
        rows = {values[0]: self._row(values) for values in self.select_in(select, wanted)}
        return {identifier: rows[identifier] for identifier in wanted if identifier in rows}

    def of_osm(self, numbers: Sequence[int]) -> dict[int, Row]:
        """Places by their objects' numbers (id times 4, plus the type)."""
        rows: dict[int, Row] = {}
        select = f"SELECT {_COLUMNS} FROM place WHERE osm IN"  # noqa: S608
        for values in self.select_in(select, numbers, "ORDER BY house IS NOT NULL, id"):
            rows.setdefault(values[1], self._row(values))
        return rows

    def _row(self, values: Sequence[Any]) -> Row:
        identifier, osm, kind, name, names, mains, lat, lon, bounds, street, house, around, weight = values
        category, of_type, rank = self._kinds[kind]
        bbox = None if bounds is None else box(*_BOX.unpack(bounds))
        return Row(
            identifier, osm, category, of_type, rank, name, names, mains, Point(lat / STEPS, lon / STEPS), bbox,
            street, house, around, 1 - weight / 1000,
        )  # fmt: skip

    def _read_around(self, number: int) -> Around:
        ((areas, country_code),) = self.query("SELECT areas, country_code FROM around WHERE id = ?", (number,))
        return Around(tuple(json.loads(areas)), country_code)

    def _read_area(self, identifier: int) -> Row | None:
        return self.rows([identifier]).get(identifier)

    def _read_cell(self, number: int) -> Cell | None:
        rows = self.query("SELECT shapes, areas FROM cell WHERE id = ?", (number,))
        return Cell(rows[0][0], json.loads(rows[0][1])) if rows else None

    def cells_in(self, edges: Sequence[int]) -> list[int]:
        """The cells that a box in steps meets; of very many, as at a pole, those that hold something."""
        rows = cells.rows_of(edges)
        if sum(map(len, rows)) <= _MOST_CELLS:
            return [number for row in rows for number in row]
        numbers: list[int] = []
        for row in rows:
            rows_of_cells = self.query("SELECT id FROM cell WHERE id BETWEEN ? AND ?", (row[0], row[-1]))
            numbers += (number for (number,) in rows_of_cells)
        return numbers

    @cached_property
    def countries(self) -> Mapping[int, BBox]:
        """The countries whose polygons the map has, with boxes that hold what lies beside them too."""
        rows = self.query(
            "SELECT place.id, box FROM place JOIN kind ON kind.id = kind WHERE rank = ? AND box IS NOT NULL "
            "AND osm IS NOT NULL AND category = 'boundary'", (COUNTRY_RANK,),
        )  # fmt: skip
        return {number: geometry.padded(box(*_BOX.unpack(bounds)), _BESIDE) for number, bounds in rows}

    def whole_box(self, row: Row) -> BBox | None:
        """The box of a place; of a street's first part, that of all parts."""
        if row.street == row.id:
            rows = self.query("SELECT box FROM street WHERE place = ?", (row.id,))
            if rows:
                return box(*_BOX.unpack(rows[0][0]))
        return row.bbox

    def name(self, row: Row, language: str) -> str:
        """A place's name in a language, else its main name; "local" is the name on the ground. May be empty."""
        if language != "local" and row.names:
            names = json.loads(row.names)
            for tag in (language.lower(), language.partition("-")[0].lower()):
                if name := names.get(f"name:{tag}"):
                    return str(name)
        return row.name or ""

    def code(self, row: Row) -> str | None:
        """The ISO 3166 code of an area, if its tags have one."""
        if not row.names or "ISO3166" not in row.names:
            return None
        names = json.loads(row.names)
        keys = ("ISO3166-1:alpha2", "ISO3166-1") if row.rank == COUNTRY_RANK else ("ISO3166-2",)
        return next((str(names[key]) for key in keys if key in names), None)

    def _read_within(
        self, areas: tuple[int, ...], language: str
    ) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
        """The address parts of a combination, and its names innermost first."""
        parts: dict[str, str] = {}
        shown: list[str] = []
        for identifier in areas:
            row = self.area(identifier)
            if row is None:
                continue
            name = self.name(row, language)
            level = "country" if row.rank == COUNTRY_RANK else row.level
            if (
                row.osm is None
                and level == "city"
                and not parts.keys().isdisjoint(("city", "town", "village", "hamlet", "municipality"))
            ):
                continue  # a post town beside the settlement: addr:city=Vaduz in Triesenberg
            if level not in parts:
                parts[level] = name
                shown += [] if level == "postcode" else [name]
            if row.rank > COUNTRY_RANK and (code := self.code(row)):
                parts.setdefault(f"ISO3166-2-lvl{row.rank // 2}", code)
        return tuple(parts.items()), tuple(shown)

    def place(self, row: Row, language: str, *, whole: bool = False, chain: tuple[int, ...] | None = None) -> Place:
        """The model of a row, named in a language; `whole`: a street with all of its parts.

        `chain` is what it lies in, where that is known better than from the row.
        """
        combination = self.around(row.around)
        parts, around = self._within(combination.areas if chain is None else chain, language)
        name = self.name(row, language)
        address_parts = dict(parts)
        country_code = combination.country_code or (self.code(row) if row.rank == COUNTRY_RANK else None)
        if country_code:
            address_parts["country_code"] = country_code.lower()
        street = None
        if row.street is not None and row.rank >= tags.STREET_RANK:
            street = row if row.street == row.id else self.area(row.street)
        road = self.name(street, language) if street is not None else ""
        house = (row.house or "").replace(";", ", ")
        if road:
            address_parts["road"] = road
        if house:
            address_parts["house_number"] = house
        if row.rank == tags.OBJECT_RANK and name and row.level not in ("house", "building"):
            address_parts[row.level] = name
        elif row.rank < tags.STREET_RANK and row.type != "postcode":
            address_parts["country" if row.rank == COUNTRY_RANK else row.level] = name
            if row.rank > COUNTRY_RANK and (code := self.code(row)):
                address_parts[f"ISO3166-2-lvl{row.rank // 2}"] = code
        called = (
            name
            or " ".join(filter(None, (road, house)))
            or ("unnamed road" if row.level == "road" else row.type.replace("_", " "))
        )
        # "Schloss Apotheke, Äulestrasse, Vaduz"; a house is "Äulestrasse 20, Vaduz", a street is not named twice.
        middle = [road] if road and name and name != road else []
        display = list(dict.fromkeys(filter(None, (called, *middle, *around))))
        bbox = self.whole_box(row) if whole else row.bbox
        reach_m = 0.0 if bbox is not None or row.category != "place" else _EXTENT_M.get(row.type, 0.0)
        lat, lon = row.point
        estimated = geometry.around(row.point, reach_m) if reach_m else BBox(lon, lat, lon, lat)
        return Place(
            called, ", ".join(display), row.point, geometry.with_area(bbox or estimated),
            "estimated" if bbox is None else "exact", row.category, row.type, row.rank, max(0.0, row.importance),
            row.osm_type, row.osm_id, address.ordered(address_parts), tags=_tags(row.mains), names=_tags(row.names),
        )  # fmt: skip


def _tags(stored: str | None) -> dict[str, str]:
    return json.loads(stored) if stored else {}
