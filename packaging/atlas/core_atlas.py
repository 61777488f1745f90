"""The core atlas, a small part of a full one for the program's own wheel: `python core_atlas.py PATH [FULL]`.

Rows are copied from the tables of a full atlas, whatever sources these came from: countries, first-level regions,
larger cities, and features of other kinds by importance. Outlines are simplified together, so that neighbours keep a
common border, and packed. Fewer names can be found by their beginning or with errors.
"""

import argparse
import contextlib
import os
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, cast

from bearings.places import atlas
from bearings.places.atlas import integrity, settlement
from bearings.places.atlas.edition import file_name
from bearings.places.atlas.writer import TEMPORARY_SUFFIX, spellings
from bearings.places.engine import chains, text
from bearings.places.settings import PlacesSettings

if TYPE_CHECKING:
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry

LEAST_PEOPLE = 100_000
"""Settlements of fewer are left out, but for capitals. The bounds here are chosen for a file of less than 8 MB."""

LATIN_NAMES_PEOPLE, ALL_NAMES_PEOPLE = 1_000_000, 3_000_000
"""From how many people on a settlement has its other names in ASCII, and in all scripts."""

WELL_NAMED = 0.68
"""From which importance on a region has its other names in other scripts, it and a city those in languages."""

LEAST_IMPORTANCE = 0.6
"""Of features that are no administrative area and no settlement."""

LANGUAGES = (
    "local", "ar", "bn", "cs", "da", "de", "el", "es", "fa", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "ko", "nl",
    "no", "pl", "pt", "ro", "ru", "sv", "th", "tr", "uk", "ur", "vi", "zh", "zh-hant",
)  # fmt: skip
"""The languages in which the core names places; the full atlas has 280. Names in all of them are found."""

HOLDING = ("country", "region", "sea", "lake", "disputed")
"""Layers whose outlines say where a point is. The core has no others."""

SPECK_DEG2 = 0.008
"""Parts of an outline of less area (some 100 km²) are left out where there are larger ones: islets, specks of land."""

TOLERANCE_DEG = 0.08
"""How far outlines are simplified: the square root of the least area of a corner (Visvalingam and Whyatt)."""

FINE_DEG = TOLERANCE_DEG / 3
SMALL_DEG2 = 0.5
"""Outlines of less area (Luxembourg's has 0.33 square degrees) are simplified to `FINE_DEG`. They overlap what is
around them, which does no harm: the smallest area that holds a point is its own."""

TINY_DEG2 = 0.01
"""Outlines of less area (San Marino's has 0.007 square degrees) are not simplified: little of Monaco would be left."""

_TILING = ("country", "region", "county")
"""Layers of areas that meet and don't overlap."""

_DECIMALS = 2
_PAGE_BYTES = 4096

_BOUNDS = {
    "least_people": LEAST_PEOPLE,
    "latin_names_people": LATIN_NAMES_PEOPLE,
    "all_names_people": ALL_NAMES_PEOPLE,
    "least_importance": LEAST_IMPORTANCE,
    "well_named": WELL_NAMED,
    "city_people": settlement.CITY_PEOPLE,
}

# A settlement of fewer than `city_people` is a city because it is a capital: see settlement.kind.
_CHOSEN = """
CREATE TEMP TABLE chosen AS SELECT id FROM full.place WHERE
    layer IN ('continent', 'country', 'region', 'disputed')
    OR (layer = 'settlement' AND (population >= :least_people OR (type = 'city' AND population < :city_people)))
    OR (layer NOT IN ('settlement', 'county') AND importance >= :least_importance)
"""

_COPIES = (
    "CREATE UNIQUE INDEX temp.by_id ON chosen (id)",
    "INSERT INTO place SELECT * FROM full.place WHERE id IN chosen ORDER BY id",
    """INSERT INTO name SELECT name.* FROM full.name JOIN full.place ON place.id = name.place
        WHERE place IN chosen AND CASE
            WHEN kind != 1 THEN TRUE
            WHEN layer = 'settlement' THEN population >= :all_names_people
                OR (population >= :latin_names_people AND is_ascii(key))
            WHEN layer = 'region' THEN importance >= :well_named OR is_ascii(key)
            ELSE TRUE
        END ORDER BY key, weight, place""",
    """INSERT INTO localised SELECT localised.* FROM full.localised JOIN full.place ON place.id = localised.place
        WHERE place IN chosen AND language IN spoken
            AND (layer NOT IN ('settlement', 'region') OR importance >= :well_named)
        ORDER BY place, language""",
    "INSERT INTO time_zone SELECT * FROM full.time_zone ORDER BY id",
    "INSERT INTO zone_of_country SELECT * FROM full.zone_of_country ORDER BY country_code, zone",
    "INSERT INTO disputed SELECT * FROM full.disputed ORDER BY place",
    "INSERT INTO side SELECT * FROM full.side ORDER BY place, claims, position",
    """INSERT INTO sound SELECT sound.* FROM full.sound JOIN full.place ON place.id = sound.place
        WHERE place IN chosen AND kind = 0 AND layer IN ('country', 'settlement')
        ORDER BY skeleton, letters, place""",
    "INSERT INTO extent_rtree SELECT * FROM full.extent_rtree WHERE id IN chosen ORDER BY id",
    spellings(
        """SELECT DISTINCT key FROM name JOIN place ON place.id = name.place
        WHERE (kind = 0 OR (kind = 1 AND layer = 'country' AND is_ascii(key)
            AND (key, place) IN (SELECT key_of(name), place FROM localised))) AND guessable(key)"""
    ),
    "INSERT INTO word_fts (rowid, key) SELECT id, key FROM spelling",
    "INSERT INTO trigram_fts (rowid, key) SELECT id, key FROM spelling",
    "INSERT INTO word_fts (word_fts) VALUES ('optimize')",
    "INSERT INTO trigram_fts (trigram_fts) VALUES ('optimize')",
    "INSERT INTO meta SELECT key, value FROM full.meta ORDER BY key",
    "INSERT OR REPLACE INTO meta VALUES ('data', 'core')",
    "INSERT OR REPLACE INTO meta SELECT 'settlements', count(*) FROM place WHERE layer = 'settlement'",
    "INSERT OR REPLACE INTO meta SELECT 'subdivisions', count(*) FROM place WHERE layer IN ('region', 'county')",
)

_LIFT = """
UPDATE place SET parent = (SELECT parent FROM full.place AS above WHERE above.id = place.parent)
WHERE parent IS NOT NULL AND parent NOT IN chosen
"""
"""Gives a place whose area is left out to the next larger one; once for each level that may be left out."""


def make_core(full: Path, path: Path) -> None:
    """Writes the core of the atlas `full` to `path`, all or nothing. The same rows give the same rows."""
    handle, name = tempfile.mkstemp(suffix=TEMPORARY_SUFFIX, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        with contextlib.closing(sqlite3.connect(name, isolation_level=None)) as connection:
            _fill(connection, full)
        temporary.chmod(0o644)  # a wheel keeps the mode, and all users of an installation read the file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, full: Path) -> None:
    for pragma in (f"page_size = {_PAGE_BYTES}", "journal_mode = OFF", "synchronous = OFF"):
        connection.execute(f"PRAGMA {pragma}")
    connection.executescript(resources.files(atlas).joinpath("schema.sql").read_text("utf-8"))
    connection.create_function("guessable", 1, text.is_guessable, deterministic=True)
    connection.create_function("key_of", 1, text.key_of, deterministic=True)
    connection.create_function("is_ascii", 1, str.isascii, deterministic=True)
    connection.execute("ATTACH ? AS full", (str(full),))
    connection.execute(_CHOSEN, _BOUNDS)
    connection.execute("CREATE TEMP TABLE spoken (language TEXT PRIMARY KEY)")
    connection.executemany("INSERT INTO spoken VALUES (?)", [(language,) for language in LANGUAGES])
    connection.execute("BEGIN")
    for statement in _COPIES:
        connection.execute(statement, _BOUNDS if ":" in statement else ())
    while connection.execute(_LIFT).rowcount:
        continue
    _copy_areas(connection)
    connection.execute(
        "INSERT OR REPLACE INTO meta VALUES (?, ?)", (integrity.CHECKSUM, integrity.checksum(connection))
    )
    connection.execute("COMMIT")
    connection.execute("DETACH full")
    connection.execute("VACUUM")


def _copy_areas(connection: sqlite3.Connection) -> None:
    """The outlines of the chosen places. Those that tile a layer are simplified together: no gaps come between them."""
    from shapely import MultiPolygon

    layers: dict[str, dict[int, list[Polygon]]] = defaultdict(lambda: defaultdict(list))
    rows = connection.execute("SELECT layer, place, outline FROM full.area WHERE place IN chosen ORDER BY id")
    for layer, place, stored in rows:
        if layer in HOLDING:
            layers[layer][place].append(chains.polygon(stored))
    area = 0
    for layer, places in layers.items():
        outlines = _simplified([MultiPolygon(parts) for parts in places.values()], tiles=layer in _TILING)
        for place, outline in zip(places, outlines, strict=True):
            decimals = _DECIMALS if outline.area >= SMALL_DEG2 else _DECIMALS + 1
            while not (parts := _rounded(outline, decimals)):  # an islet that is narrower than a step
                decimals += 1
            for part in parts:
                area += 1
                west, south, east, north = part.bounds
                stored = chains.compressed(chains.packed(part))
                connection.execute("INSERT INTO area VALUES (?,?,?,?)", (area, place, layer, stored))
                connection.execute("INSERT INTO area_rtree VALUES (?,?,?,?,?)", (area, west, east, south, north))


def _simplified(outlines: "Sequence[BaseGeometry]", tiles: bool) -> "list[BaseGeometry]":
    import shapely

    if not tiles:
        return [outline.simplify(TOLERANCE_DEG if outline.area >= SMALL_DEG2 else FINE_DEG) for outline in outlines]
    coarse, fine = (shapely.coverage_simplify(outlines, tolerance) for tolerance in (TOLERANCE_DEG, FINE_DEG))
    return [
        outline if outline.area < TINY_DEG2 else small if outline.area < SMALL_DEG2 else large
        for outline, large, small in zip(outlines, coarse, fine, strict=True)
    ]


def _rounded(outline: "BaseGeometry", decimals: int) -> "Sequence[Polygon]":
    """The polygons of an outline, to 0.01° (a kilometre; a small outline to 0.001°), which packs better."""
    import shapely

    if not outline.is_valid:  # the land of a settlement beyond a border may overlap its country's
        outline = shapely.make_valid(outline, method="structure", keep_collapsed=False)
    coarse = shapely.set_precision(outline, 10.0**-decimals)  # valid, which rounding alone would not be
    single = shapely.get_parts(shapely.get_parts(coarse))  # twice: a collection may hold many polygons
    parts = [cast("Polygon", part) for part in single if part.geom_type == "Polygon" and not part.is_empty]
    large = [part for part in parts if part.area >= SPECK_DEG2]
    return large or parts


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="where the core atlas is written")
    made = PlacesSettings().cache_dir / file_name()
    parser.add_argument("full", type=Path, nargs="?", default=made, help="a full atlas; default: the one made here")
    given = parser.parse_args()
    make_core(given.full, given.path)


if __name__ == "__main__":
    main()
