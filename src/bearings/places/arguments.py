"""What callers may pass, checked and made into what sources take: each function refuses with InvalidInput.

These are the rules that a JSON schema can't say; bounds of single numbers stand in the tools' signatures.
"""

import re
from collections.abc import Sequence
from dataclasses import fields

from bearings.errors import InvalidInput
from bearings.places import geometry
from bearings.places.models import BBox, Point, Structured

MAX_TEXT = 500
"""Characters of a query: the longest addresses have some 200."""

LAYERS = ("address", "poi", "railway", "natural", "manmade")
"""Nominatim's layers: https://nominatim.org/release-docs/latest/api/Search/#layer"""

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}|local")
_COUNTRY = re.compile(r"[a-z]{2}")

# Reserved codes that people write for a country whose ISO 3166-1 code is another.
_MEANT = {"uk": "gb", "el": "gr"}


def text(field: str, value: str) -> str:
    """`value` without white space around it; refused if nothing is left or it is too long."""
    trimmed = value.strip()
    if not trimmed:
        raise InvalidInput(field, value, "is blank", "Pass a place name or an address, such as 'Boulder, Colorado'.")
    if len(trimmed) > MAX_TEXT:
        raise InvalidInput(
            field, value, f"has {len(trimmed)} characters; {MAX_TEXT} are allowed", "Pass the name or address alone."
        )
    return trimmed


def subject(query: str | None, structured: Structured | None) -> tuple[str | None, Structured | None]:
    """The one of the two that is set, trimmed."""
    if query is not None and structured is not None:
        raise InvalidInput(
            "structured", structured, "query is set too", "Pass query for free text or structured for parts, not both."
        )
    if structured is not None:
        return None, _parts(structured)
    if query is None:
        raise InvalidInput(
            "query", None, "is required", "Pass query ('Boulder, Colorado') or structured ({'city': 'Boulder'})."
        )
    return text("query", query), None


def language(field: str, value: str) -> str:
    """A BCP 47 tag, or "local"."""
    if not _LANGUAGE.fullmatch(value):
        raise InvalidInput(field, value, "is no language tag", "Use a tag such as 'en' or 'pt-BR', or 'local'.")
    return value


def country_codes(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """Lower-case alpha-2 codes from "gb,fr" or a list; each once, in order."""
    codes = tuple(dict.fromkeys(code.casefold() for code in _items(value)))
    for code in codes:
        if code in _MEANT:
            raise InvalidInput("country_codes", code, "is not its ISO 3166-1 code", f"Use '{_MEANT[code]}'.")
        if not _COUNTRY.fullmatch(code):
            raise InvalidInput(
                "country_codes", code, "is no ISO 3166-1 alpha-2 code", "Pass two letters a country: 'gb,fr'."
            )
    return codes


def layer(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """Some of `LAYERS` from "address,poi" or a list; each once, in order."""
    names = tuple(dict.fromkeys(_items(value)))
    for name in names:
        if name not in LAYERS:
            raise InvalidInput("layer", name, "is no layer", f"Pass any of: {', '.join(LAYERS)}.")
    return names


def viewbox(value: Sequence[float] | None) -> BBox | None:
    """[west, south, east, north] in range, with south below north; west above east crosses 180°."""
    if value is None:
        return None
    remedy = "Pass [west, south, east, north] in degrees; west > east means that the box crosses 180°."
    if len(value) != 4:
        raise InvalidInput("viewbox", list(value), "needs four numbers", remedy)
    box = BBox(*value)
    if not geometry.is_valid(box):
        raise InvalidInput("viewbox", list(value), "is not a box on Earth", remedy)
    if geometry.width(box) == 0 or geometry.height(box) == 0:
        raise InvalidInput("viewbox", list(value), "has no area", remedy)
    return geometry.canonical(box)


def point(field: str, lat: float, lon: float) -> Point:
    """A point in range."""
    if not (-90 <= lat <= 90 and -180 <= lon <= 180):
        raise InvalidInput(field, [lat, lon], "is not on Earth", "Pass lat within -90…90 and lon within -180…180.")
    return Point(lat, lon)


def _items(value: str | Sequence[str] | None) -> list[str]:
    """The parts of a comma-separated string or a list, trimmed; empty ones are dropped."""
    parts = value.split(",") if isinstance(value, str) else value or ()
    return [trimmed for part in parts if (trimmed := part.strip())]


def _parts(structured: Structured) -> Structured:
    """The parts that say something, trimmed."""
    said = {field.name: getattr(structured, field.name) for field in fields(structured)}
    kept = {name: text(f"structured.{name}", value) for name, value in said.items() if value and value.strip()}
    if not kept:
        raise InvalidInput("structured", said, "every part is blank", "Set one or more of: " + ", ".join(said) + ".")
    return Structured(**kept)
