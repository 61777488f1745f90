"""Positions that are not coordinates in degrees: each is named, with what to ask instead.

Nothing is decoded here. Small, maintained libraries could: `openlocationcode` (Apache 2.0) for plus codes, `mgrs` (MIT,
a C extension) and `utm` (MIT) for grids; what3words needs its owner's service. None is worth a dependency so far.
"""

import re

from bearings.places.models import Problem

_DEGREES = "ask for latitude and longitude in degrees: '40.7, -74.0'."
_LETTER = "[C-HJ-NP-X]"
_PLUS = "23456789CFGHJMPQRVWX"

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
        f"Convert it first (with utm or pyproj, say), then {_DEGREES}",
    ),
    (
        re.compile(rf"(?:MGRS\s?:?\s?)?\d{{1,2}}{_LETTER}\s?[A-HJ-NP-Z][A-HJ-NP-V](?:\s?(?:\d{{10}}|\d{{8}}|\d{{6}}|\d{{4}}|\d{{2}}|"
                   r"\d{5}\s\d{5}|\d{4}\s\d{4}|\d{3}\s\d{3}|\d{2}\s\d{2}|\d\s\d))?", re.IGNORECASE),
        "is a position in the military grid (MGRS)",
        f"Convert it first (with mgrs or pyproj, say), then {_DEGREES}",
    ),
    (
        re.compile(rf"(?:[{_PLUS}]{{2}}){{1,4}}0{{0,6}}\+(?:[{_PLUS}]{{2,7}})?(?:[\s,].{{0,200}})?", re.IGNORECASE),
        "is a plus code (Open Location Code)",
        f"Decode it first (with openlocationcode, say), then {_DEGREES}",
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
        re.compile(r"(?:node|way|relation)\s?[/#:]?\s?\d{1,15}|[NWR]\d{5,15}", re.IGNORECASE),
        "is the id of an OpenStreetMap object",
        "Pass it to lookup_places as N123, W45 or R6.",
    ),
)  # fmt: skip


def read(text: str) -> Problem | None:
    """The problem of a text that is one of these as a whole; `text` comes from `tidy.tidy`."""
    return next((Problem(problem, remedy) for form, problem, remedy in _FORMS if form.fullmatch(text)), None)
