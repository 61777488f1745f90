"""GeoBoundaries' second-level pieces, from the package locatepy, each with the first-level area that it is of."""

import sqlite3
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder import packages

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

_NEAR_DEG = 0.1
"""A piece this near a territory that has none, and not on its country's land, is the territory's."""


@dataclass(slots=True)
class Piece:
    """A second-level area of geoBoundaries."""

    name: str
    state: str
    shape: "BaseGeometry"


def pieces_of(shapes: "Mapping[str, BaseGeometry]") -> dict[str, list[Piece]]:
    """GeoBoundaries' pieces by alpha-2 code; those of a territory without any of its own lie in its outline."""
    import shapely

    alpha2 = {row.iso3: row.iso for row in packages.countries().values()} | {"XKX": "XK"}
    named, rows = _states(), list(_rows())
    own = {alpha2[country] for country, *_ in rows if country in alpha2}
    homes: dict[str, Counter[str]] = defaultdict(Counter)
    for country, state, *_ in rows:
        homes[state][country] += 1
    bare = [code for code in shapes if code not in own]
    tree = shapely.STRtree([shapes[code] for code in bare])
    found: dict[str, list[Piece]] = defaultdict(list)
    for country, code, name, shape in rows:
        state = named[code] if homes[code].most_common(1)[0][0] == country else ""
        point = shape.representative_point()
        near = tree.query(point, predicate="dwithin", distance=_NEAR_DEG).tolist()
        territory = min(near, key=lambda index: shapes[bare[index]].distance(point)) if near else None
        home = alpha2.get(country)
        if territory is not None and (home not in shapes or not shapes[home].intersects(point)):
            found[bare[territory]].append(Piece(name, state, shape))
        elif home in shapes:
            found[home].append(Piece(name, state, shape))
    return found


def _rows() -> "Iterator[tuple[str, str, str, BaseGeometry]]":
    """(country, id of the state, name, shape) of each piece, in the order of the database."""
    import shapely

    query = """
        SELECT countries.code, state_id, municipalities.name, geom_wkb
        FROM municipalities JOIN countries ON countries.id = country_id ORDER BY municipalities.id
    """
    with closing(_database()) as database:
        for country, state, name, packed in database.execute(query):
            yield country, state, _mended(name), shapely.from_wkb(zlib.decompress(packed))


def _states() -> dict[str, str]:
    """The names of geoBoundaries' first level by id."""
    with closing(_database()) as database:
        return {code: _mended(name) for code, name in database.execute("SELECT code, name FROM states")}


def _database() -> sqlite3.Connection:
    """The file of locatepy; the package is not imported."""
    spec: Any = find_spec("locatepy")
    path = Path(spec.submodule_search_locations[0], "data", "world-admin-bounds.db")
    return sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)


def _mended(name: str) -> str:
    """The name in one line, its letters read again as UTF-8 where they were taken for Latin-1."""
    with suppress(UnicodeError):
        name = name.encode("latin-1").decode("utf-8") if "Ã" in name else name
    return " ".join(name.split())
