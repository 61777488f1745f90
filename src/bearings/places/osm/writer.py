"""Writes a map: staged objects with what they lie in become rows, names and cells of a finished file."""

import json
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bearings.places import shapes
from bearings.places.categories import categories_of
from bearings.places.coverage import tile_of
from bearings.places.engine.database import DatabaseWriter
from bearings.places.osm import cells, tags, words
from bearings.places.osm.schema import (
    ADMIN,
    AREA,
    BITS,
    CODE,
    CONTEXT,
    LARGE,
    MAIN,
    OBJECT,
    OTHER,
    PLACE,
    TEMPORARY_SUFFIX,
    draft,
)
from bearings.places.osm.staging import Row, Staging
from bearings.places.osm.streets import Streets
from bearings.places.osm.surroundings import Surroundings

if TYPE_CHECKING:
    from shapely import Polygon

_FIRST_SMALL_RANK = 16
"""The point of a larger area may lie outside of the extract."""
_PLACE = "INSERT INTO place VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"
_MOST_WORDS_OF_NAME = 40


_NEW_TABLES = """
CREATE TEMP TABLE new_name (
    spelling INTEGER, weight INTEGER, place INTEGER, kind INTEGER, role INTEGER, around INTEGER
);
CREATE TEMP TABLE new_house (spelling INTEGER, number TEXT, place INTEGER);
CREATE TEMP TABLE new_words (id INTEGER PRIMARY KEY, words TEXT);
"""


class MapWriter(DatabaseWriter):
    """Writes the map at `path`, whole or not at all."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, draft(path, TEMPORARY_SUFFIX), __package__, _NEW_TABLES)
        self._kinds: dict[tuple[str, str, int], int] = {}
        self._spellings: dict[str, int] = {}
        self._area_spellings: set[int] = set()

    def write(self, staging: Staging, around: Surroundings, streets: Streets, done: Callable[[float], None]) -> None:
        """Writes everything."""
        self._write_places(staging, around, streets)
        done(0.4)
        rows = ((number, json.dumps(chain), country) for number, (chain, country) in enumerate(around.combinations, 1))
        self._db.executemany("INSERT INTO around VALUES (?,?,?)", rows)
        self._db.executemany("INSERT INTO street VALUES (?,?)", streets.boxes.items())
        areas = self._write_areas(staging)
        done(0.5)
        self._write_cells(staging, streets.of, areas)
        done(0.8)
        self._write_names()
        done(1.0)

    @property
    def names(self) -> int:
        """The number of different keys."""
        return len(self._spellings)

    def _write_places(self, staging: Staging, around: Surroundings, streets: Streets) -> None:
        combination = around.combination.tolist()
        covered: set[int] = set()
        for row in staging.rows():
            at = row.id - 1
            street = streets.of[at] if at < len(streets.of) else 0
            mains = row.mains
            lat, lon = around.middle.get(row.id, (row.lat, row.lon))
            if row.id in around.linked:
                mains = json.dumps({tags.LINKED: around.linked[row.id], **(json.loads(mains) if mains else {})})
            kind = self._kinds.setdefault((row.category, row.type, row.rank), len(self._kinds) + 1)
            self._put(_PLACE, [(
                row.id, row.osm, kind, row.name or None, row.names, mains, lat, lon, row.box,
                street or None, row.house or None, combination[at], row.weight,
            )])  # fmt: skip
            is_part = bool(street) and street != row.id and row.rank != tags.OBJECT_RANK
            if row.name and row.id not in around.labels and not is_part:
                self._name(row, combination[at], streets.names.get(row.id, {}), _role(row, around))
            if row.name and row.osm is not None and row.rank >= _FIRST_SMALL_RANK:
                covered.add(tile_of(row.lon / cells.STEPS, row.lat / cells.STEPS))
            if row.house:
                self._house(row, streets.names.get(street, {}))
            bits, is_settlement = _bits(row), _is_settlement(row)
            if row.name and (bits or is_settlement):
                x, y = row.lon / cells.STEPS, row.lat / cells.STEPS
                self._put("INSERT INTO object_rtree VALUES (?,?,?,?,?,?)", [(row.id, x, x, y, y, bits)])
                if is_settlement and row.id not in around.labels:
                    self._put("INSERT INTO settlement_rtree VALUES (?,?,?,?,?)", [(row.id, x, x, y, y)])
        self._put("INSERT INTO covered VALUES (?)", ((tile,) for tile in sorted(covered)))
        self._put("INSERT INTO kind VALUES (?,?,?,?)", ((number, *kind) for kind, number in self._kinds.items()))

    def _name(self, row: Row, around: int, of_parts: Mapping[str, str], role: int) -> None:
        """The keys of all names of an object, and of the parts of a street, each once with its best kind."""
        kind_of: dict[int, int] = {}
        others = json.loads(row.names) if row.names else {}
        for name, is_main in tags.spellings(row.name, others):
            for key in words.keys_of(name):
                spelling = self._spelling(key, name)
                kind_of[spelling] = min(kind_of.get(spelling, OTHER), MAIN if is_main else OTHER)
        for key, name in of_parts.items():
            kind_of.setdefault(self._spelling(key, name), OTHER)
        for code in (others.get(key) for key in ("ISO3166-1:alpha2", "ISO3166-1", "ISO3166-2")):
            if code and (key := words.key_of(code)):
                kind_of.setdefault(self._spelling(key, code), CODE)
        if role != OBJECT:
            self._area_spellings.update(kind_of)
        names = ((spelling, row.weight, row.id, kind, role, around) for spelling, kind in kind_of.items())
        self._put("INSERT INTO new_name VALUES (?,?,?,?,?,?)", names)

    def _house(self, row: Row, of_street: Mapping[str, str]) -> None:
        """The address of an object, by the street that it names, and by all names of the street that it belongs to."""
        numbers = dict.fromkeys(key for number in row.house.split(";") for key in words.house_keys(number))
        for key, name in {words.key_of(row.street): row.street, **of_street}.items():
            if key:
                spelling = self._spelling(key, name)
                self._put("INSERT INTO new_house VALUES (?,?,?)", ((spelling, number, row.id) for number in numbers))

    def _spelling(self, key: str, name: str) -> int:
        number = self._spellings.get(key)
        if number is None:
            number = self._spellings[key] = len(self._spellings) + 1
            spelt = " ".join(words.words(name)[:_MOST_WORDS_OF_NAME])
            self._put("INSERT INTO new_words VALUES (?,?)", [(number, spelt)])
        return number

    def _write_names(self) -> None:
        """Sorted, so that each B-tree grows at its end only."""
        self._finish()
        rows = ((number, key, number in self._area_spellings) for key, number in self._spellings.items())
        self._db.executemany("INSERT INTO spelling VALUES (?,?,?)", rows)
        self._db.create_function("reversed", 1, lambda key: key[::-1], deterministic=True)
        for statement in (
            "INSERT INTO named SELECT DISTINCT * FROM new_name ORDER BY 1, 2, 3",
            "INSERT INTO house SELECT DISTINCT * FROM new_house ORDER BY 1, 2, 3",
            "INSERT INTO word_fts (rowid, words) SELECT id, words FROM new_words ORDER BY id",
            "CREATE UNIQUE INDEX spelling_by_key ON spelling (key)",
            "CREATE TABLE backward (key TEXT PRIMARY KEY, spelling INTEGER NOT NULL) WITHOUT ROWID",
            "INSERT INTO backward SELECT reversed(key), id FROM spelling ORDER BY 1",
            "CREATE INDEX place_by_osm ON place (osm)",
        ):
            self._db.execute(statement)

    def _write_areas(self, staging: Staging) -> "list[_Area]":
        """Writes the polygons; returns those that objects lie in."""
        areas: list[_Area] = []
        of_row = {row.id: row for row in staging.rows("category IN ('boundary', 'place')")}
        for identifier, shape in (*staging.polygons.items(), *staging.large.items()):
            row = of_row.get(identifier)
            order = shape.area, -row.rank if row is not None else 0
            layer = LARGE if row is None else ADMIN if row.category == "boundary" else PLACE
            for part in shapes.polygons_of(shape):
                number = self.add_area(identifier, shapes.box_of(part), part, layer)
                if layer != LARGE:
                    areas.append(_Area(number, identifier, part, order))
        return areas

    def _write_cells(self, staging: Staging, street_of: "array[int]", areas: "Sequence[_Area]") -> None:
        meeting = _meeting([cell for (cell,) in staging.query("SELECT DISTINCT cell FROM piece")], areas)
        pieces = staging.query("SELECT cell, feature, flags, positions FROM piece ORDER BY cell, feature, rowid")
        rows = ((cell, shapes, json.dumps(meeting.get(cell, []))) for cell, shapes in _cells(pieces, street_of))
        self._db.executemany("INSERT INTO cell VALUES (?,?,?)", rows)


class _Area(NamedTuple):
    """A row of the table `area`: its id, its place, its polygon. `order` puts smaller places first."""

    id: int
    place: int
    shape: "Polygon"
    order: tuple[float, int]


def _cells(pieces: Iterable[tuple[int, int, int, bytes]], street_of: "array[int]") -> Iterator[tuple[int, bytes]]:
    for cell, pieces_of in groupby(pieces, key=itemgetter(0)):
        entries = [
            cells.Entry(feature, street_of[feature - 1], flags, positions) for _, feature, flags, positions in pieces_of
        ]
        yield cell, cells.packed(entries)


def _meeting(numbers: Sequence[int], areas: Sequence[_Area]) -> dict[int, list[tuple[int, int, bool]]]:
    """For each cell, the areas whose polygons meet its square, as the column `areas` of the table `cell`."""
    import shapely

    meeting: dict[int, list[tuple[int, int, bool]]] = defaultdict(list)
    tree = shapely.STRtree([shapely.box(*cells.square(cell)) for cell in numbers])
    for area in sorted(areas, key=attrgetter("order")):
        whole = set(tree.query(area.shape, predicate="covers").tolist())
        for at in tree.query(area.shape, predicate="intersects").tolist():
            meeting[numbers[at]].append((area.id, area.place, at in whole))
    return meeting


def _role(row: Row, around: Surroundings) -> int:
    """The role of a name: an area of the world, or a town beyond the extract's countries, is no answer itself."""
    if row.osm is None and (row.category == "boundary" or row.id in around.beyond):
        return CONTEXT
    return AREA if row.osm is None or row.id in around.context else OBJECT


def _bits(row: Row) -> int:
    """The categories of an object."""
    if row.category == "place" and row.box is None and row.osm is not None:
        return 0
    return _bits_of(row.category, row.type, row.mains)


@lru_cache(maxsize=4096)
def _bits_of(category: str, kind: str, mains: str | None) -> int:
    return sum(BITS[each] for each in categories_of(json.loads(mains) if mains else {category: kind}))


def _is_settlement(row: Row) -> bool:
    """Whether a row is a settlement that is known by a point."""
    return row.category == "place" and row.box is None and row.osm is not None and row.type in tags.SETTLED
