"""GeoBoundaries' second-level pieces, from the file of the package locatepy (CC BY 4.0), which is not imported."""

import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from bearings.places.query import mending
from builder import packages

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_APPENDED = re.compile(r" (?:nor|LEA-\d+|\[[^]]*\])$")
_LONGEST_CODE = 3

OTHERWISE = {"XKX": "XK"}
"""Codes of geoBoundaries that GeoNames has otherwise."""


def pieces() -> "Iterator[tuple[str, str, str, BaseGeometry]]":
    """(country, id of the state, name, shape) of each piece, in the order of the database."""
    import shapely

    query = """
        SELECT countries.code, state_id, municipalities.name, geom_wkb
        FROM municipalities JOIN countries ON countries.id = country_id ORDER BY municipalities.id
    """
    with closing(_database()) as database:
        for country, state, name, packed in database.execute(query):
            yield country, state, mended(name), shapely.from_wkb(zlib.decompress(packed))


def states() -> dict[str, str]:
    """The names of geoBoundaries' first level by id."""
    with closing(_database()) as database:
        return {code: mended(name) for code, name in database.execute("SELECT code, name FROM states")}


def alpha2() -> dict[str, str]:
    """Alpha-2 codes by geoBoundaries' codes of countries; it numbers disputed areas, which have none."""
    return {row.iso3: row.iso for row in packages.countries().values()} | OTHERWISE


def mended(name: str) -> str:
    """The name in one line, as people write it.

    Its letters are read again as UTF-8 where they were taken for another encoding. Norwegian names end with a language,
    Irish ones with the number of an electoral area, Korean ones with a translation; Romania's are in capitals.
    """
    plain = _APPENDED.sub("", " ".join(mending.mended(name).replace("_", " ").replace('"', "").split()))
    return plain.title() if plain.isupper() and len(plain) > _LONGEST_CODE else plain


def _database() -> sqlite3.Connection:
    path = packages.data_file("locatepy", "data", "world-admin-bounds.db")
    return sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
