"""The names of a map's files, the meaning of the numbers in them (schema.sql), and the report on a new map."""

import os
from pathlib import Path

import msgspec

from bearings.places.categories import Category

ATTRIBUTION = "© OpenStreetMap contributors, ODbL 1.0 (https://www.openstreetmap.org/copyright)"

SUFFIX = ".map"

TEMPORARY_SUFFIX, STAGING_SUFFIX, SORTED_SUFFIX = ".importing", ".staging", ".sorted.pbf"
"""Files of an import under way, or of one that was killed, end so; nothing reads them."""

SCHEMA_VERSION = 3
"""Changes with schema.sql, with words.py and with `engine.text.normalise`."""

MAIN, OTHER, CODE = 0, 1, 2
"""Kinds of names; see schema.sql."""

OBJECT, AREA, CONTEXT = 0, 1, 2
"""Roles of what is named; see schema.sql."""

ADMIN, PLACE, LARGE = "admin", "place", "object"
"""Layers of areas: administrative ones, settlements and islands, objects too large for cells."""

BITS = {category: 1 << number for number, category in enumerate(Category)}
"""The bit of each category."""


class Made(msgspec.Struct, frozen=True, tag=True):
    """The report on an import: the number of places and of names, the bytes of the file, the seconds that it took.

    `lost` is the number of objects that could not be read, or not with all of their tags, or are too large.
    """

    places: int
    names: int
    size: int
    seconds: float
    lost: int = 0


def draft(path: Path, suffix: str) -> Path:
    """A new empty file beside `path`, of a name that nothing else has. No link is followed. Raises OSError."""
    made = path.with_name(f"{path.name}.{os.urandom(8).hex()}{suffix}")
    os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666))
    return made
