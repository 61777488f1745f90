"""Airports with an IATA code, from the package airportsdata (MIT), ranked by Natural Earth (public domain).

A table by hand (data/airports.tsv) has the names by which some of the largest are asked for, and what has moved.

How well known an airport is nobody says for all: Natural Earth ranks some 880, and the others get `_UNRANKED`.

Some rows hold degrees, minutes and seconds as if they were decimals: 50.5405 is 50°54′05″. They are told by countries,
because most of them still lie in their country: where a row lies outside, and inside when it is read so, every row of
that country that can be read so is (Belgium, Luxembourg). A row in another country's land, or at sea and far from its
city, is left out; an islet that no outline has stays.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearings.places import geometry
from bearings.places.engine import text
from bearings.places.models import Point
from builder import codec, committed, packages
from builder.feature import Feature, Layer, Name

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Row = Mapping[str, Any]
"""A row of airportsdata."""

_UNRANKED = 0.1
_RADIUS_M = 2_000
_FOOT_M = 0.3048

_NEAR_DEG = 0.02
"""How far beyond its country's outline an airport may lie: runways on reclaimed land, islets without an outline."""

_FAR_M = 100_000.0
"""An airport at sea is none of a city that is farther away."""

_DMS_DIGITS = 4
_SIXTY = 60

_SAYS_WHAT = re.compile(
    r"\b(?:airports?|aerodrome|aeroporto?|aeropuerto|airfield|airstrip|airpark|air ?park|heliport|airbase|base|field|"
    r"station|strip|RAF|CFB|RNAS|MCAS|NAS|AFB|harbou?r|seaplane|port)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?: (?:International|Regional|Municipal|Intercontinental))? Airport$")
_SHORT = {
    "Intl": "International", "Int'l": "International", "Intcntl": "Intercontinental", "Arpt": "Airport",
    "Apt": "Airport", "Rgnl": "Regional", "Muni": "Municipal", "Metro": "Metropolitan", "Ntl": "National",
    "Nat'l": "National", "Afb": "Air Force Base", "AFB": "Air Force Base",
}  # fmt: skip


def features(data: Path) -> Iterator[Feature]:
    """Airports by IATA code, in the order of their codes. `data` holds Natural Earth's ranks."""
    import airportsdata

    countries = {feature.code or "": feature.shape for feature in codec.read(data / "countries.xz")}
    land = {code: shape for code, shape in countries.items() if shape is not None}
    rows = placed(airportsdata.load("IATA"), land)
    ranks = {feature.code: feature for feature in codec.read(data / "airports.xz")}
    by_hand = {code: more for code, *more in committed.table(data, "airports")}
    cities = Counter((row["city"], row["country"]) for row in rows.values())
    for code in sorted(rows):
        row = rows[code]
        feature = _feature(row, ranks.get(code), cities[row["city"], row["country"]] == 1)
        yield _mended(feature, *by_hand[code]) if code in by_hand else feature


def _mended(feature: Feature, name: str, lat: str, lon: str, fame: str, others: str) -> Feature:
    """The airport with what the table by hand has of it; a text is empty where it has nothing."""
    point = Point(float(lat), float(lon)) if lat else feature.point
    known = [Name(other, "en") for other in (feature.name, *others.split("|")) if other not in ("", name)]
    return replace(
        feature, name=name or feature.name, point=point, bbox=geometry.around(point, _RADIUS_M),
        fame=float(fame or feature.fame), names=tuple(dict.fromkeys((*known, *feature.names))),
    )  # fmt: skip


def placed(rows: Mapping[str, Row], land: "Mapping[str, BaseGeometry]") -> dict[str, Row]:
    """The rows that can be where they say, in the country whose land they are on; `land` is by alpha-2 code."""
    import shapely

    codes = list(land)
    tree = shapely.STRtree([land[code] for code in codes])
    cities = _cities({row["country"] for row in rows.values()})

    def is_near(row: Row) -> bool:
        point = shapely.Point(row["lon"], row["lat"])
        return row["country"] not in land or bool(land[row["country"]].dwithin(point, _NEAR_DEG))

    read_again = {code: again for code, row in rows.items() if (again := in_dms(row)) and is_near(again)}
    misread = {row["country"] for code, row in rows.items() if code in read_again and not is_near(row)}
    found: dict[str, Row] = {}
    for code, row in rows.items():
        here = read_again.get(code, row) if row["country"] in misread else row
        if is_near(here):
            found[code] = here
            continue
        on = [codes[index] for index in tree.query(shapely.Point(here["lon"], here["lat"]), predicate="intersects")]
        # Puerto Rico's airports are said to be in the United States: territories have the country's rows.
        if on and on[0] in _TERRITORIES.get(here["country"], ()):
            found[code] = {**here, "country": on[0]}
        elif not on and _is_of_its_city(here, cities):
            found[code] = here
    return found


_TERRITORIES = {"US": ("PR", "VI"), "FI": ("AX",), "NO": ("SJ",)}
"""Territories whose airports airportsdata gives to their country."""


def in_dms(row: Row) -> Row | None:
    """The row with its four decimals read as minutes and seconds; None if they can't be."""
    lat, lon = _from_dms(row["lat"]), _from_dms(row["lon"])
    return None if lat is None or lon is None else {**row, "lat": lat, "lon": lon}


def _from_dms(decimal: float) -> float | None:
    whole, _, digits = f"{abs(decimal):.{_DMS_DIGITS}f}".partition(".")
    minutes, seconds = int(digits[:2]), int(digits[2:])
    if float(f"{whole}.{digits}") != abs(decimal) or max(minutes, seconds) >= _SIXTY:
        return None
    degrees = int(whole) + minutes / _SIXTY + seconds / _SIXTY**2
    return round(-degrees if decimal < 0 else degrees, 5)


def _cities(codes: set[str]) -> dict[tuple[str, str], list[Point]]:
    """The settlements of some countries by country and name."""
    found = defaultdict(list)
    for city in packages.Cities():
        if city.countrycode in codes:
            found[city.countrycode, text.key_of(city.name)].append(Point(city.latitude, city.longitude))
    return found


def _is_of_its_city(row: Row, cities: Mapping[tuple[str, str], list[Point]]) -> bool:
    """Whether a city of the row's name is near, or there is none."""
    known, point = cities.get((row["country"], text.key_of(row["city"])), []), Point(row["lat"], row["lon"])
    return not known or any(geometry.distance_m(point, each) <= _FAR_M for each in known)


def _feature(row: Row, ranked: Feature | None, alone: bool) -> Feature:
    name, point = cleaned(row["name"]), Point(row["lat"], row["lon"])
    others = [Name(row["name"], "en"), *([Name(f"{row['city']} Airport", "en")] if alone and row["city"] else [])]
    others += [Name(cleaned(ranked.name), "en"), *ranked.names] if ranked else []
    others += [Name(bare, "en") for bare in _bare(name, row["city"])] if ranked else []
    return Feature(
        f"iata:{row['iata']}", Layer.AIRPORT, "aerodrome", name, point, geometry.around(point, _RADIUS_M), "estimated",
        names=tuple({other.text: other for other in others if other.text != name}.values()),
        codes=tuple(filter(None, (row["iata"], row["icao"]))), code=row["iata"], country_code=row["country"],
        inside=(f"iso:{row['country']}",), fame=ranked.fame if ranked else _UNRANKED,
        elevation_m=round(row["elevation"] * _FOOT_M, 1),
    )  # fmt: skip


def _bare(name: str, city: str) -> list[str]:
    """Heathrow of London Heathrow Airport: a well-known airport's name without what it is, and without its city."""
    plain = _ENDS.sub("", name).strip()
    short = plain.removeprefix(city).strip(" -/")
    return [each for each in dict.fromkeys((plain, short)) if len(each) > 3 and each not in (name, city)]


def cleaned(name: str) -> str:
    """The name without abbreviations and doubled spaces, and with the word Airport where nothing says what it is."""
    words = [_SHORT.get(word.rstrip("."), word) for word in name.replace(" / ", "/").split()]
    text = " ".join(words).replace("Base Airport", "Base").replace("Airport Airport", "Airport")
    return text if _SAYS_WHAT.search(text) else f"{text} Airport"
