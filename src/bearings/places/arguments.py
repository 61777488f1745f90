"""Check callers' arguments and turn them into the types that sources take. Each function raises InvalidInput.

These rules go beyond a JSON schema; the bounds of single numbers stand in the tools' signatures.
"""

import math
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from bearings.errors import InvalidInput, ascii_controls
from bearings.places import geometry
from bearings.places.categories import Category, named, split
from bearings.places.models import BBox, ParsedQuery, Point, SearchQuery, Structured
from bearings.places.query import parse

OLD_NAMES = {
    **dict.fromkeys(("q", "place", "place_name"), "query"),
    **dict.fromkeys(("countrycodes", "country_code", "countries"), "country_codes"),
    **dict.fromkeys(("lang", "accept_language", "accept-language"), "language"),
    **dict.fromkeys(("latitude",), "lat"),
    **dict.fromkeys(("lng", "longitude"), "lon"),
    **dict.fromkeys(("max_results",), "limit"),
    **dict.fromkeys(("layers",), "layer"),
}
"""Names of arguments in Nominatim's API and in other geocoding servers, each with the tool's. See docs/migrating.md."""

MAX_TEXT = 500
"""Characters of a query: the longest addresses have about 200."""

MAX_LIST = 2_000
"""Characters of a list, such as country codes."""

LAYERS = ("address", "poi", "railway", "natural", "manmade")
"""Nominatim's layers: https://nominatim.org/release-docs/latest/api/Search/#layer"""

MAX_RADIUS_KM = 50.0
"""The limit of "near"; a larger area needs a search."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}|local")
_COUNTRY = re.compile(r"[a-z]{2}")
_NOT_ZERO = re.compile(r"[^1-9e]*+[1-9]", re.IGNORECASE)
_OSM_ID = re.compile(r"([NWR])([0-9]{1,18})")

_KEYS = {"lat": "lat", "latitude": "lat", "lon": "lon", "lng": "lon", "longitude": "lon", "name": "name"}
"""The spellings of a point's parts."""

# Reserved codes that callers use for a country with another ISO 3166-1 code.
_MEANT = {"uk": "gb", "el": "gr"}


_POINT = "Pass a name, [lat, lon], or {name, lat, lon}."


@dataclass(frozen=True, slots=True)
class Spot:
    """A point by name, by position, or by both: then the name is a label."""

    name: str | None = None
    point: Point | None = None


def text(field: str, value: str) -> str:
    """`value` without surrounding white space. Refuses empty and too long text."""
    trimmed = value.strip()
    if not trimmed:
        raise InvalidInput(field, value, "is blank", "Pass a place name or an address, such as 'Boulder, Colorado'.")
    check_length(field, trimmed, MAX_TEXT, "Pass the name or address alone.")
    check_length(field, unicodedata.normalize("NFKC", trimmed), MAX_TEXT, "Write its ligatures as letters.")
    return trimmed


def check_length(field: str, value: str, most: int, remedy: str) -> None:
    """Refuse a text of more than `most` characters."""
    if len(value) > most:
        raise InvalidInput(field, value, f"has {len(value):,} characters; {most:,} are allowed", remedy)


def checked(query: SearchQuery) -> SearchQuery:
    """The search with its texts trimmed. Raises InvalidInput for blank or too long texts, and for an unknown language.

    Every search passes here, so that no source is asked for more.
    """
    words, parts = subject(query.text, query.structured)
    return replace(query, text=words, structured=parts, language=language("language", query.language))


def parsed(field: str, value: str) -> ParsedQuery:
    """The parsed query. Refuses text that can't be a place: impossible coordinates, a grid reference."""
    read = parse(value)
    if read.problem is not None:
        raise InvalidInput(field, value, read.problem.problem, read.problem.remedy)
    return read


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
    codes = tuple(dict.fromkeys(code.casefold() for code in _items("country_codes", value)))
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
    names = tuple(dict.fromkeys(_items("layer", value)))
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


def radius_m(km: float) -> float:
    """A radius in metres, from kilometres above 0 and at most 50."""
    if not 0 < km <= MAX_RADIUS_KM:
        raise InvalidInput("radius_km", km, "is out of bounds", f"Pass more than 0 and at most {MAX_RADIUS_KM:g}.")
    return km * 1000


def categories(value: str | Sequence[str] | None) -> tuple[str, ...]:
    """Some of the seven categories, or kinds of their objects, from "amenity,shop=bakery,cafe" or a list.

    Each once, in order; all seven if none is named.
    """
    names = tuple(dict.fromkeys(named(name.casefold()) for name in _items("categories", value)))
    for name in names:
        try:
            split(name)
        except ValueError:
            remedy = f"Pass any of: {', '.join(Category)}; or kinds of objects in them: cafe, shop=bakery."
            raise InvalidInput("categories", name, "is no category", remedy) from None
    return names or tuple(Category)


def osm_ids(values: Sequence[str]) -> tuple[str, ...]:
    """OSM objects as N, W or R and a number; each once, in order, in upper case and without leading zeros."""
    ids = []
    for number, value in enumerate(values):
        match = _OSM_ID.fullmatch(value.strip().upper())
        if match is None:
            remedy = "Pass N, W or R (node, way, relation) and its number: 'N123', 'W45', 'R6'."
            raise InvalidInput(f"osm_ids.{number}", value, "is no OSM id", remedy)
        ids.append(f"{match[1]}{int(match[2])}")
    return tuple(dict.fromkeys(ids))


def spots(field: str, values: Sequence[object]) -> tuple[Spot, ...]:
    """Points as names, "lat, lon", [lat, lon] or {name, lat, lon}."""
    return tuple(_spot(f"{field}.{number}", value) for number, value in enumerate(values))


def _spot(field: str, value: object) -> Spot:
    match value:
        case str():
            return _read_spot(field, value)
        case [lat, lon]:
            return Spot(point=point(field, _degrees(field, lat), _degrees(field, lon)))
        case Mapping():
            return _named_spot(field, value)
        case _:
            raise InvalidInput(field, value, "is no point", _POINT)


def _read_spot(field: str, value: str) -> Spot:
    """Coordinates in any form, or a name."""
    trimmed = text(field, value)
    read = parsed(field, trimmed)
    return Spot(point=read.point) if read.point is not None else Spot(name=trimmed)


def _named_spot(field: str, value: Mapping[object, object]) -> Spot:
    """{name, lat, lon}, or a name alone."""
    parts_by_name: dict[str, object] = {}
    for key, part in value.items():
        if key not in _KEYS:
            raise InvalidInput(f"{field}.{ascii_controls(str(key)[:80])}", part, "is no part of a point", _POINT)
        if part is not None:
            parts_by_name[_KEYS[str(key)]] = part
    name = parts_by_name.get("name")
    if name is not None and not isinstance(name, str):
        raise InvalidInput(f"{field}.name", name, "is no text", _POINT)
    if "lat" in parts_by_name and "lon" in parts_by_name:
        label = text(f"{field}.name", name) if name and name.strip() else None
        where = point(
            field, _degrees(f"{field}.lat", parts_by_name["lat"]), _degrees(f"{field}.lon", parts_by_name["lon"])
        )
        return Spot(label, where)
    if name is None or "lat" in parts_by_name or "lon" in parts_by_name:
        raise InvalidInput(field, dict(value), "has not both lat and lon", _POINT)
    return _read_spot(f"{field}.name", name)


def real(value: float | str) -> float:
    """The number. Raises ValueError for text that is none, and for what a float can't hold: 1e400, 1e-308, NaN."""
    number = float(value)
    is_too_small = abs(number) < sys.float_info.min and _NOT_ZERO.match(str(value)) is not None
    if is_too_small or not math.isfinite(number):
        raise ValueError(value)
    return number


def _degrees(field: str, value: object) -> float:
    """A number, or text that is one."""
    try:
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            return real(value)
    except (ValueError, OverflowError):
        pass
    raise InvalidInput(field, value, "is no number of degrees", _POINT)


def _items(field: str, value: str | Sequence[str] | None) -> list[str]:
    """The parts of a comma-separated string or a list, trimmed; empty ones are dropped."""
    whole = value if isinstance(value, str) else ",".join(value or ())
    check_length(field, whole, MAX_LIST, "Pass each value once.")
    parts = value.split(",") if isinstance(value, str) else value or ()
    return [trimmed for part in parts if (trimmed := part.strip())]


def _parts(structured: Structured) -> Structured:
    """The parts that are not empty, trimmed."""
    parts_by_name = {field.name: getattr(structured, field.name) for field in fields(structured)}
    filled = {
        name: text(f"structured.{name}", value) for name, value in parts_by_name.items() if value and value.strip()
    }
    if not filled:
        raise InvalidInput(
            "structured", parts_by_name, "every part is blank", "Set one or more of: " + ", ".join(parts_by_name) + "."
        )
    return Structured(**filled)
