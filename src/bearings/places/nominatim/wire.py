"""Nominatim's names: the only module that knows them. Questions become parameters; raw JSON becomes places.

Sources: the manual (https://nominatim.org/release-docs/latest/api/Overview/) and answers of version 5.3. A row that
can't be a place is left out and counted. Nothing is invented, except a box for a place without one, which is marked.
"""

import json
import logging
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from bearings.errors import InvalidInput
from bearings.places import geometry
from bearings.places.categories import Tag
from bearings.places.models import BBox, OsmType, Place, Point, SearchQuery
from bearings.places.nominatim import polygons
from bearings.places.nominatim.boxes import around_rank, of_polygon, parsed
from bearings.places.nominatim.scalars import real, spelt, text, whole

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Params = dict[str, str]

SEARCH, REVERSE, LOOKUP, STATUS = "search", "reverse", "lookup", "status"

MAX_LIMIT = 40
"""The server's own limit."""

LOCAL_NAMES = "zxx"
"""BCP 47 for "no language": no name has that tag, so the name on the ground is chosen."""

POLYGON_TOLERANCE_DEG = 0.01
"""The simplification of polygons from which boxes are made: Russia's then takes some hundred kB."""

MOST_ROWS = 100
"""Rows of one answer: twice a lookup's limit, and more than any search returns."""

_LONGEST_NAME = 5_000
_LONGEST_VALUE = 1_000
_MOST_VALUES = 1_000
"""Characters of a full name and of an address's or tag's value (OSM allows 255), and the number of such values: a
country has names in some 400 languages, official and short ones."""

_NEAR_REACH_M = 25_000
_OSM_TYPES = ("node", "way", "relation")
_NOWHERE = "Unable to geocode"

_log = logging.getLogger(__name__)


class NotWhatNominatimSends(Exception):
    """The JSON is not an answer of a Nominatim."""


class TooManyRows(NotWhatNominatimSends):
    """The answer has more rows than any question asks for."""


class SaysError(Exception):
    """The answer is an error with HTTP 200."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The places of an answer in its order, and the number of unreadable rows."""

    places: tuple[Place, ...]
    skipped: int = 0
    named: frozenset[int] = frozenset()
    """Indices of places with a name of their own, not just an address."""
    boxes: Mapping[str, BBox] = field(default_factory=dict)
    """The boxes of polygons by OSM id ("R123"), if polygons were requested."""
    names: tuple[Mapping[str, str], ...] = ()
    """All names of each place by their tags, in all languages; empty unless requested."""
    shapes: "Mapping[str, BaseGeometry]" = field(default_factory=dict)
    """Geometries by OSM id, if requested."""
    numbers: tuple[int, ...] = ()
    """The server's own numbers of all rows; a further question excludes rows by them."""


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """A server's report about itself; missing fields are None."""

    ok: bool
    software_version: str | None
    database_version: str | None
    data_updated: str | None


# Questions


def search(query: SearchQuery, viewbox: BBox | None) -> Params:
    """Parameters of a search. `viewbox` must not cross 180°: the caller splits the query's own."""
    params = _common(query.language) | {"limit": str(max(1, min(query.limit, MAX_LIMIT))), "namedetails": "1"}
    if query.structured is not None:
        params |= {key: _spoken(key, value) for key, value in asdict(query.structured).items() if value}
    else:
        params["q"] = _spoken("query", query.text or "")
    box = viewbox
    if box is None and query.near is not None:
        box = max(geometry.split(geometry.around(query.near, _NEAR_REACH_M)), key=geometry.width)
    if box is not None:
        params["viewbox"] = _edges(box)
    if query.bounded and viewbox is not None:
        params["bounded"] = "1"
    if query.country_codes:
        params["countrycodes"] = ",".join(query.country_codes)
    return params | _layers(query.layer)


def tagged(tag: Tag, point: Point, box: BBox, language: str, seen: Iterable[int] = ()) -> Params:
    """Parameters of a search for objects with a tag, nearest to the point first, within the box (and 0.1° of it).

    `seen` are the numbers of earlier rows. `dedupe` is off: it would leave out objects of one name, such as two cafés
    of a chain.
    """
    excluded = ",".join(map(str, seen))
    return (_common(language) | ({"exclude_place_ids": excluded} if excluded else {})) | {
        "extratags": "1",
        "q": f"[{tag.key}={tag.value}] {_degrees(point.lat)},{_degrees(point.lon)}",
        "viewbox": _edges(box),
        "bounded": "1",
        "dedupe": "0",
        "limit": str(MAX_LIMIT),
    }


def reverse(point: Point, zoom: int, language: str, layer: Sequence[str]) -> Params:
    """Parameters of a reverse lookup."""
    where = {"lat": _degrees(point.lat), "lon": _degrees(point.lon), "zoom": str(zoom)}
    return _common(language) | where | _layers(layer)


def governing(point: Point, zoom: int, language: str) -> Params:
    """Parameters of a reverse lookup for an area with its tags, `admin_level` among them."""
    return reverse(point, zoom, language, ()) | {"extratags": "1"}


def lookup(osm_ids: Iterable[str], language: str, *, tolerance_deg: float | None = None) -> Params:
    """Parameters of a lookup by OSM ids ("N123"); with simplified geometries if there is a tolerance."""
    params = _common(language) | {"osm_ids": ",".join(osm_ids)}
    if tolerance_deg is not None:
        params |= {"polygon_geojson": "1", "polygon_threshold": f"{tolerance_deg:g}"}
    return params


def status() -> Params:
    """Parameters of a question for the server's state."""
    return {"format": "json"}


def with_contact(params: Params, email: str | None) -> Params:
    """The parameters with the contact address."""
    return params if email is None else params | {"email": email}


def canonical(endpoint: str, params: Params) -> str:
    """The same text for the same question, however it was typed."""
    folded = {key: " ".join(unicodedata.normalize("NFC", value).casefold().split()) for key, value in params.items()}
    return json.dumps([endpoint, folded], sort_keys=True)


def _common(language: str) -> Params:
    return {
        "format": "jsonv2",
        "addressdetails": "1",
        "accept-language": LOCAL_NAMES if language == "local" else language,
    }


def _layers(layer: Sequence[str]) -> Params:
    return {"layer": ",".join(sorted(layer))} if layer else {}


def _spoken(field: str, words: str) -> str:
    """The text in NFC, each run of white space and control characters as one blank. Raises InvalidInput."""
    cleaned = " ".join("".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFC", words)).split())
    if not cleaned:
        raise InvalidInput(field, words, "has nothing to search for", "Pass a place name or an address.")
    return cleaned


def _degrees(value: float) -> str:
    """Six decimals (11 cm), no exponent, no minus zero; the server refuses an integer after a tag."""
    return f"{round(value, 6) + 0.0:.6f}"


def _edges(box: BBox) -> str:
    return ",".join(map(_degrees, box))


# Answers


def decode(body: bytes) -> Any:
    """The JSON of a body. Raises ValueError for other content, also for NaN and infinities, or TooManyRows.

    A list is parsed row by row, so that rows past the limit are never built.
    """
    text = body.decode(json.detect_encoding(body), "surrogatepass")  # as json.loads does
    begin = _after_space(text, 0)
    try:
        return _listed(text, begin + 1) if text.startswith("[", begin) else _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _listed(text: str, at: int) -> list[Any]:
    """The rows of a list that begins before `at` and ends with the text."""
    items: list[Any] = []
    at = _after_space(text, at)
    is_over = text.startswith("]", at)
    while not is_over:
        row, at = _DECODER.raw_decode(text, at)
        items.append(row)
        if len(items) > MOST_ROWS:
            raise TooManyRows
        at = _after_space(text, at)
        is_over = text.startswith("]", at)
        if not is_over:
            if not text.startswith(",", at):
                raise ValueError("rows without a comma between them")
            at = _after_space(text, at + 1)
    if _after_space(text, at + 1) < len(text):
        raise ValueError("something after the list")
    return items


def _after_space(text: str, at: int) -> int:
    """The position after white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def rows(raw: object) -> Rows:
    """The places of a search or a lookup. Raises NotWhatNominatimSends if no row can be read, or SaysError."""
    if isinstance(raw, dict) and "error" in raw:
        raise SaysError
    if not isinstance(raw, list):
        raise NotWhatNominatimSends
    places: list[Place] = []
    names: list[Mapping[str, str]] = []
    named: set[int] = set()
    for row in raw:
        one = place(row)
        if one is not None:
            if text(row, "name"):
                named.add(len(places))
            places.append(one)
            names.append(_texts(row.get("namedetails")))
    skipped = len(raw) - len(places)
    if raw and not places:
        raise NotWhatNominatimSends
    if skipped:
        _log.warning("Left out %d of %d rows that are no places", skipped, len(raw))
    numbers = (whole(row.get("place_id")) for row in raw if isinstance(row, dict))
    return Rows(
        tuple(places), skipped, frozenset(named), names=tuple(names), numbers=tuple(n for n in numbers if n is not None)
    )


def located(raw: object) -> Rows:
    """The place of a reverse lookup, or none. Raises NotWhatNominatimSends or SaysError."""
    if isinstance(raw, dict) and "error" in raw:
        if raw["error"] == _NOWHERE:
            return Rows(())
        raise SaysError
    return rows([raw])


def server(raw: object) -> ServerStatus:
    """The server's state. Raises NotWhatNominatimSends."""
    if not isinstance(raw, dict) or not isinstance(raw.get("status"), int):
        raise NotWhatNominatimSends
    return ServerStatus(
        ok=raw["status"] == 0,
        software_version=text(raw, "software_version") or None,
        database_version=text(raw, "database_version") or None,
        data_updated=text(raw, "data_updated") or None,
    )


def place(row: object) -> Place | None:
    """The place of one row; None if the row lacks a point, a kind, a rank or a name."""
    if not isinstance(row, dict):
        return None
    point, rank = _point(row), whole(row.get("place_rank"))
    category, kind = text(row, "category") or text(row, "class"), text(row, "type")
    display_name = text(row, "display_name")
    if point is None or rank is None or not 0 <= rank <= 30 or not (category and kind and display_name):
        return None
    if max(len(category), len(kind)) > _LONGEST_VALUE or len(display_name) > _LONGEST_NAME:
        return None
    osm_type, osm_id = _identity(row)
    box = parsed(row.get("boundingbox"))
    address = _texts(row.get("address"))
    # 0…1, otherwise None: a search by tag sends minus the distance instead.
    value = real(row.get("importance"))
    return Place(
        name=text(row, "name")[:_LONGEST_VALUE] or _label(display_name, address),
        display_name=display_name,
        point=point,
        bbox=box or around_rank(point, rank),
        bbox_kind="exact" if box and osm_type in ("way", "relation") else "estimated",
        category=category,
        type=kind,
        place_rank=rank,
        importance=value if value is not None and 0 <= value <= 1 else None,
        osm_type=osm_type,
        osm_id=osm_id,
        address=address,
        tags=_texts(row.get("extratags")),
    )


def outlined(raw: object) -> Rows:
    """As `rows`, with the valid geometries and their boxes."""
    sent = list(_geometries(raw))
    boxes = {key: box for key, geojson in sent if (box := of_polygon(geojson, POLYGON_TOLERANCE_DEG))}
    shapes = {key: shape for key, geojson in sent if (shape := polygons.read(geojson)) is not None}
    return replace(rows(raw), boxes=boxes, shapes=shapes)


def _geometries(raw: object) -> Iterator[tuple[str, object]]:
    """OSM id and geometry of each row that has both."""
    for row in raw if isinstance(raw, list) else ():
        if isinstance(row, dict) and "geojson" in row:
            osm_type, osm_id = _identity(row)
            if osm_type is not None and osm_id is not None:
                yield short_id(osm_type, osm_id), row["geojson"]


def short_id(osm_type: OsmType, osm_id: int) -> str:
    """An OSM object's id for lookups: "R6"."""
    return f"{osm_type[0].upper()}{osm_id}"


def id_of(place: Place) -> str:
    """The place's OSM id for lookups; "" if it has none."""
    return short_id(place.osm_type, place.osm_id) if place.osm_type and place.osm_id is not None else ""


def _point(row: Mapping[str, Any]) -> Point | None:
    lat, lon = real(row.get("lat")), real(row.get("lon"))
    if lat is None or lon is None or abs(lat) > 90 or abs(lon) > 180:
        return None
    return Point(lat, lon)


def _identity(row: Mapping[str, Any]) -> tuple[OsmType | None, int | None]:
    """OSM type and id: both, or neither, as for a postcode."""
    osm_type, osm_id = row.get("osm_type"), whole(row.get("osm_id"))
    if osm_type in _OSM_TYPES and osm_id is not None and osm_id >= 0:
        return cast("OsmType", osm_type), osm_id
    return None, None


def _label(display_name: str, address: Mapping[str, str]) -> str:
    """The first part of the full name; if that is a house number, with the street."""
    parts = [part.strip() for part in display_name.split(",")]
    if len(parts) > 1 and parts[0] == address.get("house_number"):
        return ", ".join(parts[:2])
    return parts[0] or display_name


def _texts(raw: object) -> dict[str, str]:
    """An address's or tags' text and number values by key, without other values.

    Values longer than OSM allows are left out too.
    """
    if not isinstance(raw, dict):
        return {}
    names = {key: spelt(value) for key, value in islice(raw.items(), _MOST_VALUES)}
    longest = _LONGEST_VALUE
    return {key: name for key, name in names.items() if key.strip() and name and max(len(key), len(name)) <= longest}


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_SPACE = re.compile(r"[ \t\n\r]*")
