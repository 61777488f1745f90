"""Makes the layer of postcodes over a full atlas.

- countrystatecity-postal-codes (ODbL 1.0): data/by-country/<CC>/postcodes.json, read without importing. Some codes have
  points; the others have the name of a settlement, which the atlas places.
- zipcodes (MIT): the United States and their territories, with points. The data are in a compiled module.
"""

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import msgspec

from bearings.places import geometry
from bearings.places.atlas import naming
from bearings.places.atlas.index import Index
from bearings.places.atlas.integrity import CHECKSUM
from bearings.places.atlas.postcodes import ATLAS, Origin, Postcode, key_of, write
from bearings.places.engine import text
from bearings.places.models import BBox, Point
from bearings.progress import Progress
from builder.packages import data_file

PACKAGES = ("countrystatecity-postal-codes", "zipcodes")

_NO_POSTCODES = {"ES"}
"""Countries whose codes in the package are others: Spain's are those of its municipalities (INE)."""

_TERRITORIES = frozenset("AS FM GU MH MP PR PW VI".split())
"""States of ZIP codes that are countries in ISO 3166-1."""

_FAR_M = 25_000.0
"""The largest distance of a code's own point from its settlement; a farther one is a namesake."""

_KEPT = 20_000
"""Cached localities: files are sorted by code, so that the same names are near each other."""

_MARGIN = 0.5
_CEDEX = re.compile(r"\s+(?:cedex\b.*|\d[\d.]*(?:\s.*)?)$", re.IGNORECASE)
_SIGN = re.compile(r"\s+(?:[A-Z]{1,3}|(?:[A-Z]\.){1,3}[A-Z]?)$")
"""The sign of a canton, district, province or post office behind a name: "Kilchberg BL", "Mumbai G.P.O."."""

_BRACKET = re.compile(r"[(（]")
_LEVEL_WORD = re.compile(r"\s+(?:township|district|municipality|town|city)$", re.IGNORECASE)
_EAST_ASIAN_LEVEL = re.compile(r"(?<=[市区町村])")
_NAMED = """
SELECT place.id, place.lat, place.lon, place.population FROM name JOIN place ON place.id = name.place
WHERE name.key = ? AND name.kind < 2 AND place.country_code = ? AND place.layer IN ('settlement', 'county')
ORDER BY place.layer = 'county', name.kind, name.weight
"""


class Record(msgspec.Struct, rename="camel"):
    """A row of postcodes.json."""

    code: str
    country_code: str
    state_code: str | None = None
    locality_name: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    origin: Origin = Origin.CODE

    @property
    def point(self) -> Point | None:
        """Its own point."""
        return None if self.latitude is None or self.longitude is None else Point(self.latitude, self.longitude)


class Settled(NamedTuple):
    """A settlement or county of the atlas."""

    id: int
    point: Point
    population: int


def build(path: Path, atlas: Path, progress: Progress) -> None:
    """Writes the layer; `meta` counts the codes of each country that were placed and left out."""
    with closing(Index(atlas)) as index:
        gazetteer = _Gazetteer(index)
        best: dict[tuple[str, str], tuple[tuple[int, int], Postcode]] = {}
        seen: set[tuple[str, str]] = set()
        for number, record in enumerate(_records()):
            if number % 50_000 == 0:
                progress.update(number, None, "postcodes")
            at = (record.country_code.lower(), key_of(record.code))
            seen.add(at)
            found = gazetteer.placed(record)
            if found is not None and (at not in best or found[0] > best[at][0]):
                best[at] = found
        placed, left_out = Counter(country for country, _ in best), Counter(country for country, _ in seen - {*best})
        meta = {
            ATLAS: index.meta[CHECKSUM],
            "attribution": "; ".join(dict.fromkeys(origin.attribution for origin in Origin)),
            **{f"package.{package}": metadata.version(package) for package in PACKAGES},
            **{f"placed.{country}": str(count) for country, count in sorted(placed.items())},
            **{f"left_out.{country}": str(count) for country, count in sorted(left_out.items())},
        }
        write(path, (code for _, code in best.values()), meta)


def _records() -> Iterator[Record]:
    """All rows, those of zipcodes first."""
    for row in importlib.import_module("zipcodes").list_all():
        if row["country"] == "US" and row["zip_code_type"] != "MILITARY":
            country = row["state"] if row["state"] in _TERRITORIES else "US"
            lat, lon = (float(row[side]) if row[side] else None for side in ("lat", "long"))
            yield Record(row["zip_code"], country, row["state"], row["city"], lat, lon, Origin.ZIP_CODE)
    folder = data_file("countrystatecity_postal_codes", "data", "by-country")
    decoder = msgspec.json.Decoder(list[Record])
    for file in sorted(folder.glob("*/postcodes.json")):
        if file.parent.name not in _NO_POSTCODES:
            yield from decoder.decode(file.read_bytes())


class _Gazetteer:
    """Places records by a full atlas."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._above = {each: (parent, code) for each, parent, code in index.query("SELECT id, parent, code FROM place")}
        self._states = {code for _, code in self._above.values() if code}
        self._named = lru_cache(maxsize=_KEPT)(self._read_named)
        self._states_of = lru_cache(maxsize=_KEPT)(self._read_states)
        self.settled = lru_cache(maxsize=_KEPT)(self._settled)
        boxes = index.query("SELECT country_code, west, south, east, north FROM place WHERE layer = 'country'")
        self._boxes = {country: BBox(*edges) for country, *edges in boxes}

    def placed(self, record: Record) -> tuple[tuple[int, int], Postcode] | None:
        """The postcode of a record and its worth, greater for a better one; None if it has no place."""
        country, own = record.country_code.lower(), record.point
        name = (record.locality_name or "").strip()
        if country not in self._boxes:
            return None
        if own is not None and not self._holds(country, own):
            own = None
        settled = self.settled(country, record.state_code or "", name)
        if settled is not None and own is not None and geometry.distance_m(settled.point, own) > _FAR_M:
            settled = None
        if settled is None and own is None:
            return None
        point, origin = (own, record.origin) if own else (settled.point, Origin.SETTLEMENT)  # type: ignore[union-attr]
        worth = (int(origin), settled.population if settled else -1)
        return worth, Postcode(record.code, country, point, origin, name, settled.id if settled else None)

    def _holds(self, country: str, point: Point) -> bool:
        west, south, east, north = self._boxes[country]
        return geometry.contains(BBox(west - _MARGIN, south - _MARGIN, east + _MARGIN, north + _MARGIN), point)

    def _settled(self, country: str, state: str, name: str) -> Settled | None:
        """The settlement, else the county, of a locality's name in its state, or in none that the atlas has a code for.

        The largest namesake of any state would be wrong nine times in ten.
        """
        code = f"{country.upper()}-{state}"
        for spelt in _spellings(name):
            found = self._named(country, text.key_of(spelt))
            if code in self._states:
                states = {each: self._states_of(each.id) for each in found}
                found = [each for each in found if code in states[each]] or [each for each in found if not states[each]]
            if found:
                return found[0]
        return None

    def _read_named(self, country: str, key: str) -> list[Settled]:
        rows = self._index.query(_NAMED, (key, country)) if key else []
        return [Settled(each, Point(lat, lon), people) for each, lat, lon, people in rows]

    def _read_states(self, place: int) -> set[str]:
        """The ISO 3166-2 codes of the areas around a place."""
        codes: set[str] = set()
        above: int | None = place
        while above is not None:
            above, code = self._above[above]
            codes |= {code} if code and "-" in code else set()
        return codes


def _spellings(name: str) -> Iterator[str]:
    """The ways to look a locality up: as written, before a comma or bracket, without a number, then what is around."""
    before, _, after = name.partition(",")
    bare = _BRACKET.split(before)[0].strip()
    yield from dict.fromkeys((name, before, bare, _CEDEX.sub("", bare), _SIGN.sub("", bare)))
    *ends, _ = _EAST_ASIAN_LEVEL.split(bare)
    for count in range(len(ends), 0, -1):
        whole = "".join(ends[:count]).rpartition("郡")[2]
        yield from (whole, whole[:-1])
    if (around := after.rpartition(",")[2].strip()) and around != "NULL":
        yield from dict.fromkeys((around, _LEVEL_WORD.sub("", around), naming.plain(text.key_of(around))))
