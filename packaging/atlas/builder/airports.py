"""Airports with an IATA code, from the package airportsdata (MIT), ranked by Natural Earth (public domain).

How well known an airport is nobody says for all: Natural Earth ranks some 880, and the others get `_UNRANKED`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bearings.places import geometry
from bearings.places.models import Point
from builder import codec
from builder.feature import Feature, Layer, Name

_UNRANKED = 0.1
_RADIUS_M = 2_000
_FOOT_M = 0.3048

_SAYS_WHAT = re.compile(
    r"\b(?:airports?|aerodrome|aeroporto?|aeropuerto|airfield|airstrip|airpark|air ?park|heliport|airbase|base|field|"
    r"station|strip|RAF|CFB|RNAS|MCAS|NAS|AFB|harbou?r|seaplane|port)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?: (?:International|Regional|Municipal|Intercontinental))? Airport$")
_SHORT = {"Intl": "International", "Int'l": "International", "Arpt": "Airport", "Rgnl": "Regional", "Muni": "Municipal"}


def features(data: Path) -> Iterator[Feature]:
    """Airports by IATA code, in the order of their codes. `data` holds Natural Earth's ranks."""
    import airportsdata

    rows: Mapping[str, Mapping[str, Any]] = airportsdata.load("IATA")
    ranks = {feature.code: feature for feature in codec.read(data / "airports.xz")}
    cities = Counter((row["city"], row["country"]) for row in rows.values())
    for code in sorted(rows):
        row = rows[code]
        yield _feature(row, ranks.get(code), cities[row["city"], row["country"]] == 1)


def _feature(row: Mapping[str, Any], ranked: Feature | None, alone: bool) -> Feature:
    name, point = cleaned(row["name"]), Point(row["lat"], row["lon"])
    others = [Name(f"{row['city']} Airport", "en")] if alone and row["city"] else []
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
    text = " ".join(words)
    return text if _SAYS_WHAT.search(text) else f"{text} Airport"
