"""Positions that are not coordinates in degrees, and questions about a journey: each with what to ask instead.

Nothing is decoded here: the letter of a UTM position may be a band or a hemisphere ("31S"), and what3words needs its
owner's service. `grids` reads plus codes, MGRS and geohashes.
"""

import json
import re

from bearings.places.models import Problem

_DEGREES = "ask for latitude and longitude in degrees: '40.7, -74.0'."
_LETTER = "[C-HJ-NP-X]"

_FORMS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(r"(?:urn:ogc:def:crs:)?(?:EPSG|ESRI|SRID)\s?[:=]{0,3}\s?\d{1,6}(?:\D.*)?|"
                   r"WGS ?84|ETRS ?89|NAD ?(?:27|83)", re.IGNORECASE),
        "is the name of a coordinate reference system, not of a place",
        f"Points and boxes are in WGS 84 (EPSG:4326) here: {_DEGREES}",
    ),
    (
        re.compile(rf"(?:UTM\s?)?(?:zone\s?)?\d{{1,2}}\s?(?:{_LETTER}|north|south)[\s,]+\d{{5,7}}(?:\.\d{{1,9}})?\s?m?\s?E?[\s,]+"
                   r"\d{5,8}(?:\.\d{1,9})?\s?m?\s?N?", re.IGNORECASE),
        "is a UTM position",
        f"Write it in MGRS, or convert it (with utm or pyproj, say) and {_DEGREES}",
    ),
    (
        re.compile(r"(?:https?://)?(?:www\.)?(?:what3words\.com|w3w\.co)/\S{0,200}|"
                   r"/{3}\s?[^\W\d_]{2,40}\.[^\W\d_]{2,40}\.[^\W\d_]{2,40}", re.IGNORECASE),
        "is a what3words address",
        f"Only its owner's service can read it; {_DEGREES}",
    ),
    (
        re.compile(r"(?!www\.)[^\W\d_A-Z]{3,40}\.[^\W\d_A-Z]{3,40}\.[^\W\d_A-Z]{3,40}"),
        "looks like a what3words address",
        f"Only its owner's service can read it; {_DEGREES}",
    ),
    (
        re.compile(r"(?:https?://|www\.)\S{1,480}", re.IGNORECASE),
        "is a web address, not a place",
        f"Ask for the name of the place, or {_DEGREES}",
    ),
    (
        re.compile(r"(?:what(?:'s| is) )?(?:the )?capital(?: city)? of "
                   r"(?!.*\b(?:avenue|bank|highway|hotel|road|street)\b)[^\d,]{2,60}", re.IGNORECASE),
        "asks for a capital, not for a place by its name",
        "Ask for the city by its name.",
    ),
    (
        re.compile(r"(?:node|way|relation)\s?[/#:]?\s?\d{1,15}|[NWR]\d{5,15}", re.IGNORECASE),
        "is the id of an OpenStreetMap object",
        "Pass it to lookup_places as N123, W45 or R6.",
    ),
)  # fmt: skip


_JOURNEY = re.compile(
    r"(?:what(?:'s| is) |show me |get |find )?(?:the )?(?:distance|route|directions?|way) (?:from|between) "
    r"(?P<a>\S.*?) (?:to|and) (?P<b>\S.*?)[ ?]*|distance (?P<c>[^\s,]+) (?:to )?(?P<d>[^\s,?]+)[ ?]*|"
    r"how far (?:away )?(?:is )?(?:it )?(?:from )?(?P<e>\S.*?)(?: away)? (?:to|from) (?P<f>\S.*?)[ ?]*",
    re.IGNORECASE,
)
"""A question about two places, which no source takes for a name."""


def read(text: str) -> Problem | None:
    """The problem of a text that is one of these as a whole; `text` comes from `tidy.tidy`."""
    if journey := _JOURNEY.fullmatch(text):
        ends = json.dumps({"waypoints": [end for end in journey.groups() if end]}, ensure_ascii=False)
        return Problem("asks about a journey, not for a place", f"Ask for it: route_waypoints {ends}")
    return next((Problem(problem, remedy) for form, problem, remedy in _FORMS if form.fullmatch(text)), None)
