"""Writes an index: rows stream in, a finished file appears. Memory does not grow with the number of rows."""

import os
import sqlite3
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from bearings.places import geometry
from bearings.places.atlas import integrity, naming, polity, sound
from bearings.places.engine import chains, text
from bearings.places.engine.ranking import ALTERNATE, BARE, CODE, MAIN, WELL_KNOWN
from bearings.places.models import BBox, BoxKind, Contention, Layer, OsmType, Point

if TYPE_CHECKING:
    from shapely import Polygon

SCHEMA_VERSION = 6
"""Changes with schema.sql and with `text.normalise`; it is part of an index's file name and of its meta rows."""

LENGTH_BITS = 24
"""The lower bits of a spelling's id number it; the bits above them are its length."""

TEMPORARY_SUFFIX = ".building"
"""Files that a killed build left behind end so; nothing reads them."""

_BATCH = 20_000

_LAST_BARED_RANK, _LAST_PLAIN_RANK = 4, 8
"""Countries are known without "republic", first-level regions without "province" where they are the context."""

_LAST_HEARD_RANK = 16
"""Countries, regions and cities are found by how they sound; a village of the same sound is not meant."""


@dataclass(slots=True)
class NewPlace:
    """A row to be: what schema.sql's table `place` holds."""

    name: str
    category: str
    type: str
    place_rank: int
    importance: float
    point: Point
    bbox: BBox
    bbox_kind: BoxKind
    population: int = 0
    parent: int | None = None
    country_code: str | None = None
    code: str | None = None
    osm_type: OsmType | None = None
    osm_id: int | None = None
    layer: Layer | None = None
    """None: what the rank says."""
    elevation_m: float | None = None
    zone: int | None = None


class IndexWriter:
    """Builds the index at `path`. As a context: a clean exit puts the whole file there, an error leaves nothing.

    The rows go to a temporary file in the same directory, which is synced and renamed at the end, so that no reader
    ever sees half an index. Raises OSError or sqlite3.Error where the directory can't be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._next_id = 1
        self._next_area = 1
        self._batches: dict[str, list[tuple[Any, ...]]] = {}
        handle, name = tempfile.mkstemp(prefix=f"{path.stem}-", suffix=TEMPORARY_SUFFIX, dir=path.parent)
        os.close(handle)
        self._temporary = Path(name)
        self._db = sqlite3.connect(name, isolation_level=None, check_same_thread=False)
        self._prepare()

    def _prepare(self) -> None:
        for pragma in ("page_size = 8192", "synchronous = OFF", "journal_mode = OFF", "cache_size = -65536"):
            self._db.execute(f"PRAGMA {pragma}")
        self._db.executescript(resources.files(__package__).joinpath("schema.sql").read_text("utf-8"))
        self._db.execute("CREATE TEMP TABLE staged (key TEXT, weight INTEGER, place INTEGER, kind INTEGER)")
        self._db.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._db.close()
            self._temporary.unlink(missing_ok=True)

    def add(
        self, place: NewPlace, names: Iterable[str] = (), codes: Iterable[str] = (), mains: Iterable[str] = ()
    ) -> int:
        """Adds a place with its alternate names and codes; its id. The main name need not be repeated.

        `mains` are names as good as the main one.
        """
        identifier = self._next_id
        self._next_id += 1
        point, box = place.point, place.bbox
        self._put(
            "INSERT INTO place VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (identifier, place.name, place.category, place.type, place.place_rank, place.importance, place.population,
             point.lat, point.lon, box.west, box.south, box.east, box.north, place.bbox_kind, place.parent,
             place.country_code, place.code, place.osm_type, place.osm_id,
             place.layer or _layer(place.place_rank), place.elevation_m, place.zone),
        )  # fmt: skip
        keys = {text.key_of(code): CODE for code in codes}
        keys.update((text.key_of(name), ALTERNATE) for name in names)
        if "," in place.name:
            keys[text.key_of(naming.upright(place.name))] = ALTERNATE
        keys.update((text.key_of(name), MAIN) for name in (place.name, *mains))
        if _LAST_BARED_RANK < place.place_rank <= _LAST_PLAIN_RANK:
            keys = dict.fromkeys(map(naming.plain, keys), CODE) | keys
        if place.place_rank <= _LAST_BARED_RANK:
            named = [polity.bared(key).key for key, of_kind in keys.items() if of_kind != CODE]
            keys = dict.fromkeys(named, BARE) | keys
        keys.pop("", None)
        weight = round(1000 * (1 - place.importance))
        for key, of_kind in keys.items():
            self._put("INSERT INTO staged VALUES (?,?,?,?)", (key, weight, identifier, of_kind))
        if place.importance >= WELL_KNOWN and place.place_rank <= _LAST_HEARD_RANK:
            self._add_sounds(identifier, keys)
        return identifier

    def _add_sounds(self, identifier: int, keys: Mapping[str, int]) -> None:
        """How the names sound; of one spelling the best kind counts."""
        heard: dict[tuple[str, str], int] = {}
        for key, kind in keys.items():
            letters = key.replace(" ", "")
            if kind != CODE and (bones := sound.bones_of(letters)):
                heard[bones, letters] = min(kind, heard.get((bones, letters), kind))
        for (bones, letters), kind in heard.items():
            self._put("INSERT INTO sound VALUES (?,?,?,?)", (bones, letters, identifier, kind))

    def add_extent(self, identifier: int, point: Point, extent: BBox) -> None:
        """Makes a place answer to points in its extent and around it."""
        west, south, east, north = extent
        if west > east:
            west, east = (west, 180.0) if point.lon >= 0 else (-180.0, east)
        self._put("INSERT INTO extent_rtree VALUES (?,?,?,?,?)", (identifier, west, east, south, north))

    def localise(self, identifier: int, names: Mapping[str, str]) -> None:
        """Names of a place by language, a BCP 47 primary tag ("pt"), or one with a script ("zh-hant")."""
        for language, name in names.items():
            self._put("INSERT INTO localised VALUES (?,?,?)", (identifier, language, name))

    def add_area(self, identifier: int, box: BBox, outline: "Polygon", layer: Layer = Layer.COUNTRY) -> None:
        """Adds one polygon of a place of a layer. It must not cross 180°: cut it there."""
        area = self._next_area
        self._next_area += 1
        self._put("INSERT INTO area VALUES (?,?,?,?)", (area, identifier, layer, chains.packed(outline)))
        for piece in geometry.split(box):
            self._put("INSERT INTO area_rtree VALUES (?,?,?,?,?)", (area, piece.west, piece.east, *piece[1::2]))

    def add_zone(self, name: str, country_codes: Iterable[str]) -> int:
        """Adds a time zone of some countries; its id, which areas and places may have."""
        identifier = self._next_id
        self._next_id += 1
        self._put("INSERT INTO time_zone VALUES (?,?)", (identifier, name))
        for code in country_codes:
            self._put("INSERT INTO zone_of_country VALUES (?,?)", (code, identifier))
        return identifier

    def dispute(
        self, identifier: int, kind: Contention, source: str, administered: Sequence[int], claimed: Sequence[int]
    ) -> None:
        """Says who administers and who claims a place: ids of countries, or its own. `source` thinks so."""
        self._put("INSERT INTO disputed VALUES (?,?,?)", (identifier, kind, source))
        for claims, parties in enumerate((administered, claimed)):
            for position, party in enumerate(parties):
                self._put("INSERT INTO side VALUES (?,?,?,?)", (identifier, claims, position, party))

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Rows of the table `meta`: data versions, counts, attribution."""
        for row in values.items():
            self._put("INSERT OR REPLACE INTO meta VALUES (?,?)", row)

    def _put(self, statement: str, row: tuple[Any, ...]) -> None:
        batch = self._batches.setdefault(statement, [])
        batch.append(row)
        if len(batch) >= _BATCH:
            self._flush(statement)

    def _flush(self, statement: str) -> None:
        self._db.executemany(statement, self._batches[statement])
        self._batches[statement].clear()

    def _finish(self) -> None:
        for statement in self._batches:
            self._flush(statement)
        self._index_names()
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('schema_version', ?)", (str(SCHEMA_VERSION),))
        self.set_meta({integrity.CHECKSUM: integrity.checksum(self._db)})
        self._flush("INSERT OR REPLACE INTO meta VALUES (?,?)")
        self._db.execute("COMMIT")
        self._db.close()
        with self._temporary.open("rb+") as file:
            os.fsync(file.fileno())
        self._temporary.replace(self._path)

    def _index_names(self) -> None:
        """Sorted, so that each B-tree grows at its end only."""
        self._db.create_function("guessable", 1, text.is_guessable, deterministic=True)
        for statement in (
            "INSERT INTO name SELECT key, weight, place, kind FROM staged ORDER BY key, weight, place",
            spellings("SELECT DISTINCT key FROM name WHERE kind < 2 AND guessable(key)"),
            "INSERT INTO word_fts (rowid, key) SELECT id, key FROM spelling",
            "INSERT INTO trigram_fts (rowid, key) SELECT id, key FROM spelling",
        ):
            self._db.execute(statement)


def spellings(keys: str) -> str:
    """The statement that fills the table of spellings with the keys of a SELECT."""
    number = f"(length(key) << {LENGTH_BITS}) + row_number() OVER (ORDER BY length(key), key)"
    return f"INSERT INTO spelling SELECT {number}, key FROM ({keys}) ORDER BY 1"  # noqa: S608


def _layer(place_rank: int) -> Layer:
    """The layer of a place without a known layer, by its rank."""
    ranks = ((4, Layer.COUNTRY), (8, Layer.REGION), (12, Layer.COUNTY))
    return next((layer for rank, layer in ranks if place_rank <= rank), Layer.SETTLEMENT)
