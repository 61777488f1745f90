"""Writes an index: rows stream in, a finished file appears. Memory does not grow with the number of rows."""

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bearings.places.atlas import integrity, naming, polity, sound
from bearings.places.atlas.ranking import ALTERNATE, BARE, CODE, LISTED, MAIN, WELL_KNOWN
from bearings.places.engine import text
from bearings.places.engine.database import DatabaseWriter
from bearings.places.models import BBox, BoxKind, Contention, Layer, OsmType, Point

SCHEMA_VERSION = 6
"""Changes with schema.sql and with `text.normalise`; it is part of an index's file name and of its meta rows."""

LENGTH_BITS = 24
"""The lower bits of a spelling's id number it; the bits above them are its length."""

TEMPORARY_SUFFIX = ".building"
"""Files that a killed build left behind end so; nothing reads them."""

UNTOLD = 10_000
"""Added to the weight of an alternate name in Latin letters whose language nobody tells: "Salisbury" of Harare."""

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


class IndexWriter(DatabaseWriter):
    """Writes the atlas at `path`, whole or not at all."""

    def __init__(self, path: Path) -> None:
        handle, name = tempfile.mkstemp(prefix=f"{path.stem}-", suffix=TEMPORARY_SUFFIX, dir=path.parent)
        os.close(handle)
        staged = "CREATE TEMP TABLE staged (key TEXT, weight INTEGER, place INTEGER, kind INTEGER);"
        super().__init__(path, Path(name), __package__, staged)
        self._next_id = 1
        self._parents: dict[int, int] = {}

    def add(
        self,
        place: NewPlace,
        names: Iterable[str] = (),
        codes: Iterable[str] = (),
        mains: Iterable[str] = (),
        untold: Iterable[str] = (),
        spellings: Iterable[str] = (),
    ) -> int:
        """Adds a place with its alternate names and codes; its id. The main name need not be repeated.

        `mains` are names as good as the main one; `untold` are alternate names in no known language, perhaps nicknames;
        `spellings` are those of a country in lists, which count only where no place has the name.
        """
        identifier = self._next_id
        self._next_id += 1
        point, box = place.point, place.bbox
        by_rank = ((4, Layer.COUNTRY), (8, Layer.REGION), (12, Layer.COUNTY))
        layer = place.layer or next((of for last, of in by_rank if place.place_rank <= last), Layer.SETTLEMENT)
        self._put(
            "INSERT INTO place VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            [(identifier, place.name, place.category, place.type, place.place_rank, place.importance, place.population,
              *point, *box, place.bbox_kind, place.parent, place.country_code, place.code, place.osm_type,
              place.osm_id, layer, place.elevation_m, place.zone)],
        )  # fmt: skip
        keys = {text.key_of(code): CODE for code in codes}
        told = {text.key_of(name) for name in names}
        nicknames = {key for key in map(text.key_of, untold) if key.isascii() and key not in told}
        keys.update(dict.fromkeys((*told, *map(text.key_of, untold)), ALTERNATE))
        if "," in place.name:
            keys[text.key_of(naming.upright(place.name))] = ALTERNATE
        keys.update((text.key_of(name), MAIN) for name in (place.name, *mains))
        if _LAST_BARED_RANK < place.place_rank <= _LAST_PLAIN_RANK:
            keys = dict.fromkeys(map(naming.plain, keys), CODE) | keys
        if place.place_rank <= _LAST_BARED_RANK:
            named = [polity.bared(key).key for key, of_kind in keys.items() if of_kind != CODE]
            keys = dict.fromkeys(map(text.key_of, spellings), LISTED) | dict.fromkeys(named, BARE) | keys
        keys.pop("", None)
        weight = round(1000 * (1 - place.importance))
        self._put(
            "INSERT INTO staged VALUES (?,?,?,?)",
            (
                (key, weight + UNTOLD * (kind == ALTERNATE and key in nicknames), identifier, kind)
                for key, kind in keys.items()
            ),
        )
        if place.importance >= WELL_KNOWN and place.place_rank <= _LAST_HEARD_RANK:
            heard: dict[tuple[str, str], int] = {}  # of one spelling the best kind counts
            for key, kind in keys.items():
                letters = key.replace(" ", "")
                if kind not in (CODE, LISTED) and (bones := sound.bones_of(letters)):
                    heard[bones, letters] = min(kind, heard.get((bones, letters), kind))
            self._put("INSERT INTO sound VALUES (?,?,?,?)", ((*each, identifier, kind) for each, kind in heard.items()))
        return identifier

    def put_into(self, identifier: int, parent: int) -> None:
        """Makes a place that was added the parent of one that was added before it."""
        self._parents[identifier] = parent

    def add_extent(self, identifier: int, point: Point, extent: BBox) -> None:
        """Makes a place answer to points in its extent and around it."""
        west, south, east, north = extent
        if west > east:
            west, east = (west, 180.0) if point.lon >= 0 else (-180.0, east)
        self._put("INSERT INTO extent_rtree VALUES (?,?,?,?,?)", [(identifier, west, east, south, north)])

    def localise(self, identifier: int, names: Mapping[str, str]) -> None:
        """Names of a place by language, a BCP 47 primary tag ("pt"), or one with a script ("zh-hant")."""
        self._put("INSERT INTO localised VALUES (?,?,?)", ((identifier, *each) for each in names.items()))

    def add_zone(self, name: str, country_codes: Iterable[str]) -> int:
        """Adds a time zone of some countries; its id, which areas and places may have."""
        identifier = self._next_id
        self._next_id += 1
        self._put("INSERT INTO time_zone VALUES (?,?)", [(identifier, name)])
        self._put("INSERT INTO zone_of_country VALUES (?,?)", ((code, identifier) for code in country_codes))
        return identifier

    def dispute(
        self, identifier: int, kind: Contention, source: str, administered: Sequence[int], claimed: Sequence[int]
    ) -> None:
        """Says who administers and who claims a place: ids of countries, or its own. `source` thinks so."""
        self._put("INSERT INTO disputed VALUES (?,?,?)", [(identifier, kind, source)])
        for claims, parties in enumerate((administered, claimed)):
            sides = ((identifier, claims, *each) for each in enumerate(parties))
            self._put("INSERT INTO side VALUES (?,?,?,?)", sides)

    def _finish(self) -> None:
        super()._finish()
        moved = ((parent, identifier) for identifier, parent in self._parents.items())
        self._db.executemany("UPDATE place SET parent = ? WHERE id = ?", moved)
        self._db.create_function("guessable", 1, text.is_guessable, deterministic=True)
        for statement in (  # sorted, so that each B-tree grows at its end only
            "INSERT INTO name SELECT key, weight, place, kind FROM staged ORDER BY key, weight, place",
            spellings("SELECT DISTINCT key FROM name WHERE kind < 2 AND guessable(key)"),
            "INSERT INTO word_fts (rowid, key) SELECT id, key FROM spelling",
            "INSERT INTO trigram_fts (rowid, key) SELECT id, key FROM spelling",
        ):
            self._db.execute(statement)
        self.set_meta({"schema_version": str(SCHEMA_VERSION)})
        self.set_meta({integrity.CHECKSUM: integrity.checksum(self._db)})


def spellings(keys: str) -> str:
    """The statement that fills the table of spellings with the keys of a SELECT."""
    number = f"(length(key) << {LENGTH_BITS}) + row_number() OVER (ORDER BY length(key), key)"
    return f"INSERT INTO spelling SELECT {number}, key FROM ({keys}) ORDER BY 1"  # noqa: S608
