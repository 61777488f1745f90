"""National parks of the United States, and ports of the world, from Natural Earth."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from bearings.places.models import Point
from builder.feature import Feature, Layer, Name
from making import features, originals

_PARK_RADIUS_M = 5_000
_PORT_RADIUS_M = 2_000

_UNITS = {
    "NP": "National Park", "NPRES": "National Preserve", "NM": "National Monument", "N PRES": "National Preserve",
    "PRES": "Preserve", "NHS": "National Historic Site", "NHP": "National Historical Park",
    "NMEM": "National Memorial", "N MEM": "National Memorial", "MEM": "Memorial", "PKWY": "Parkway",
    "NRA": "National Recreation Area", "NB": "National Battlefield", "NS": "National Seashore",
    "NL": "National Lakeshore", "NMP": "National Military Park", "NBP": "National Battlefield Park",
    "NR": "National River", "NST": "National Scenic Trail", "NRES": "National Reserve",
    "NRR": "National Recreational River", "NSR": "National Scenic Riverway", "SRR": "Scenic and Recreational River",
    "IHS": "International Historic Site", "WSR": "Wild and Scenic River",
}  # fmt: skip
"""The abbreviations of the Park Service's `unit_name`."""

_FAMED = {"Yellowstone National Park": 0.85, "Yosemite National Park": 0.85, "Grand Canyon National Park": 0.8}


def parks(folder: Path) -> Iterator[Feature]:
    """Units of the National Park Service: the large ones with their area, others as points."""
    known = set()
    for original in originals.read(folder, "parks_and_protected_lands_area"):
        name = _park_name(original)
        known.add(original.text("unit_code"))
        feature = features.of_shape(
            f"ne:parks/{original.text('unit_code')}", Layer.PARK, _kind(original), name, original.shape,
            names=_park_names(original, name), country_code="US", fame=_park_fame(original, name),
        )  # fmt: skip
        if feature:
            yield feature
    points = defaultdict(list)
    for original in originals.read(folder, "parks_and_protected_lands_point"):
        points[original.text("unit_code")].append(original)
    for code, found in points.items():
        if code not in known:
            original, name = found[0], _park_name(found[0])
            place = Point(original.shape.y, original.shape.x)
            yield features.of_point(
                f"ne:parks/{code}", Layer.PARK, _kind(original), name, place, _PARK_RADIUS_M,
                names=_park_names(original, name), country_code="US", fame=_park_fame(original, name),
            )  # fmt: skip


def _kind(original: originals.Original) -> str:
    return "national_park" if "National Park" in original.text("unit_type") else "protected_area"


def _park_name(original: originals.Original) -> str:
    short = " ".join(original.text("unit_name").split()).replace("--", " – ")
    name = re.sub(r"\b(?:N (?=PRES|MEM))?[A-Z]{2,5}\b", lambda found: _UNITS.get(found[0], found[0]), short)
    unit = original.text("unit_type")
    return name if name != short or unit in name else f"{original.text('name') or name} {unit}"


def _park_names(original: originals.Original, name: str) -> tuple[Name, ...]:
    others = [original.text("name"), original.text("unit_name"), name.replace("'", "")]
    if name.endswith("National Park and Preserve"):
        others.append(name.removesuffix(" and Preserve"))
    return features.unique(tuple(Name(other, "en") for other in others if other), name)


def _park_fame(original: originals.Original, name: str) -> float:
    return max(features.fame(original.number("scalerank", 9)), _FAMED.get(name, 0.0))


def ports(folder: Path) -> Iterator[Feature]:
    """Ports, each by the name of its town."""
    for original in originals.read(folder, "ports"):
        town = " ".join(original.text("name").split())
        if not town:
            continue
        plain = re.search(r"\b(?:port|harbou?r|puerto|terminal|docks?)\b", town, re.IGNORECASE) is None
        name = f"Port of {town}" if plain else town
        place = Point(original.shape.y, original.shape.x)
        yield features.of_point(
            f"ne:ports/{original.row}", Layer.PORT, "port", name, place, _PORT_RADIUS_M,
            names=features.unique((Name(f"{town} Port", "en"), Name(f"{town} Harbour", "en")), name) if plain else (),
            fame=round(features.fame(original.number("scalerank", 9)) / 2, 3),
        )  # fmt: skip


def airports(folder: Path) -> Iterator[Feature]:
    """Airports with an IATA code: what Natural Earth adds to other sources is how well known each is."""
    known: set[str] = set()
    for original in originals.read(folder, "airports"):
        code = original.text("iata_code") or original.text("abbrev")
        if len(code) == 3 and code not in known:
            known.add(code)
            place = Point(original.shape.y, original.shape.x)
            icao = original.text("gps_code")
            yield features.of_point(
                f"ne:airports/{code}", Layer.AIRPORT, "aerodrome", original.text("name"), place, _PORT_RADIUS_M,
                code=code, codes=(code, icao) if len(icao) == 4 else (code,),
                fame=round(features.fame(original.number("scalerank", 9)) * 0.9, 3),
            )  # fmt: skip
