"""The parameters of Nominatim's endpoints: names, defaults, bounds and the texts of errors, as a real one has them.

See https://nominatim.org/release-docs/latest/api/Search/, Reverse/ and Lookup/.
"""

import re
from collections.abc import Sequence
from typing import Literal

from bearings.endpoint import Request
from bearings.errors import shown
from bearings.places.arguments import LAYERS, MAX_LIST, real
from bearings.places.models import BBox, Structured

Format = Literal["geojson", "geocodejson", "json", "jsonv2"]

FORMATS: tuple[Format, ...] = ("geojson", "geocodejson", "json", "jsonv2")
"""Nominatim has `xml` too; clients that ask for it are few."""

STRUCTURED = ("amenity", "street", "city", "county", "state", "postalcode", "country")

MOST_RESULTS, DEFAULT_RESULTS = 40, 10
MOST_IDS = 50

LOCAL = "local"
"""The language without a wish: names as on the ground."""

_RANKS = {"country": (4, 4), "state": (8, 8), "city": (14, 16), "settlement": (8, 20)}
"""First and last place rank of each featureType."""

_MOST_EXCLUDED = 1_000
_LONGEST = {"exclude_place_ids": 20_000}
"""Characters of a parameter that is longer than others; the geocoder bounds a search's texts itself."""
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}")
_QUALITY = re.compile(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*")
_OSM_ID = re.compile(r"[NWRnwr][0-9]{1,18}")


class BadRequest(Exception):
    """A parameter that Nominatim refuses; the text is Nominatim's."""


class Parameters:
    """The parameters of one request. Each method raises BadRequest for a value that Nominatim refuses."""

    def __init__(self, request: Request) -> None:
        self._given = request.parameters
        self._header = request.languages
        for name, value in (*self._given.items(), ("Accept-Language", self._header)):
            most = _LONGEST.get(name, MAX_LIST)
            if len(value) > most:
                raise BadRequest(f"Parameter {shown(name)} has {len(value):,} characters; {most:,} are allowed.")

    def get(self, name: str) -> str | None:
        """A parameter as it is, or None."""
        return self._given.get(name)

    def flag(self, name: str, default: bool = False) -> bool:
        """A switch: all but "0" is on."""
        value = self._given.get(name)
        return default if value is None else value != "0"

    def integer(self, name: str, default: int) -> int:
        """A whole number."""
        value = self._given.get(name)
        if value is None:
            return default
        try:
            return int(value)
        except ValueError:
            raise BadRequest(f"Parameter '{name}' must be a number.") from None

    def number(self, name: str, default: float | None = None) -> float:
        """A number; it must be there if there is no default."""
        value = self._given.get(name)
        if value is None and default is not None:
            return default
        if value is None:
            raise BadRequest(f"Parameter '{name}' missing.")
        try:
            return real(value)
        except ValueError:
            raise BadRequest(f"Parameter '{name}' must be a number.") from None

    def format(self, default: Format = "jsonv2") -> Format:
        """The form of the answer."""
        value = self._given.get("format", default)
        for known in FORMATS:
            if value == known:
                return known
        raise BadRequest(f"Parameter 'format' must be one of: {', '.join(FORMATS)}")

    def language(self) -> str:
        """The language that is wanted most: of the parameter, else of the header; "local" without a wish."""
        # The tag of an Accept-Language header with the highest quality; the first of several.
        best, wanted = 0.0, LOCAL
        for part in (self._given.get("accept-language") or self._header).split(","):
            tag, _, parameters = part.strip().partition(";")
            quality = _QUALITY.fullmatch(parameters)
            weight = float(quality[1]) if quality else 1.0
            if _TAG.fullmatch(tag.strip()) and weight > best:
                best, wanted = weight, tag.strip()
        return wanted

    def layers(self) -> tuple[str, ...]:
        """Some of Nominatim's layers; empty for all."""
        value = self._given.get("layer")
        if value is None:
            return ()
        names = tuple(dict.fromkeys(part.strip() for part in value.split(",")))
        if any(name not in LAYERS for name in names):
            raise BadRequest(f"Parameter 'layer' must be a comma-separated list of: {', '.join(LAYERS)}")
        return names

    def viewbox(self) -> BBox | None:
        """The box of two corners in any order, cut to the world."""
        value = self._given.get("viewbox") or self._given.get("viewboxlbrt")
        if not value:
            return None
        parts = value.split(",")
        if len(parts) != 4:
            raise BadRequest("Bounding box parameter needs 4 coordinates.")
        try:
            x1, y1, x2, y2 = map(real, parts)
        except ValueError:
            raise BadRequest("Bounding box parameter needs to be numbers.") from None
        west, east = sorted(max(-180.0, min(180.0, x)) for x in (x1, x2))
        south, north = sorted(max(-90.0, min(90.0, y)) for y in (y1, y2))
        if west == east or south == north:
            raise BadRequest("Bounding box with invalid parameters.")
        return BBox(west, south, east, north)

    def countries(self) -> tuple[str, ...]:
        """Alpha-2 codes in lower case; other text is skipped."""
        parts = (part.strip().lower() for part in (self._given.get("countrycodes") or "").split(","))
        return tuple(dict.fromkeys(code for code in parts if len(code) == 2 and code.isascii() and code.isalpha()))

    def limit(self) -> int:
        """The number of results."""
        return max(1, min(MOST_RESULTS, self.integer("limit", DEFAULT_RESULTS)))

    def structured(self) -> Structured | None:
        """The query in parts, if it has any."""
        given = {name: value for name in STRUCTURED if (value := (self._given.get(name) or "").strip())}
        return Structured(**given) if given else None

    def ranks(self) -> tuple[int, int] | None:
        """First and last place rank of the feature type that is asked for."""
        return _RANKS.get(self._given.get("featureType") or "")

    def excluded(self) -> frozenset[str]:
        """Ids that may not be in the answer: numbers, or a letter and a number of OpenStreetMap."""
        parts = (self._given.get("exclude_place_ids") or "").split(",")[:_MOST_EXCLUDED]
        return frozenset(part.strip().upper() for part in parts if part.strip())

    def osm_ids(self) -> tuple[str, ...]:
        """Ids of OpenStreetMap; other text is skipped."""
        parts: Sequence[str] = [part.strip() for part in (self._given.get("osm_ids") or "").split(",")]
        ids = tuple(dict.fromkeys(part.upper() for part in parts if _OSM_ID.fullmatch(part)))
        if len(ids) > MOST_IDS:
            raise BadRequest("Too many object IDs.")
        return ids

    def outline(self) -> bool:
        """Whether the geometry is asked for, which is GeoJSON here."""
        kinds = [kind for kind in ("geojson", "text", "kml", "svg") if self.flag(f"polygon_{kind}")]
        if len(kinds) > 1:
            raise BadRequest("Too many polygon output options selected.")
        if kinds and kinds != ["geojson"]:
            raise BadRequest(f"Parameter 'polygon_{kinds[0]}' is not supported: use polygon_geojson.")
        return bool(kinds)
