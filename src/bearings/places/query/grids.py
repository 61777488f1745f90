"""Cells of grids as queries and replies spell them: plus codes, MGRS, geohashes. Libraries read and write them.

A cell is decoded to its middle: "8FVC9G8F+6X" is 14 m wide, "8FVC0000+" a degree. A short plus code ("9G8F+6X Zürich")
is one near the place that stands beside it. A geohash is a word like any other, so a bare one is only a possibility.
"""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from bearings.places.models import BBox, Cell, Point, Problem, ShortCode

if TYPE_CHECKING:
    from mgrs import MGRS

_PLUS = "23456789CFGHJMPQRVWX"
_PLUS_CODE = re.compile(
    rf"(?:(?P<before>[^+]{{1,200}}?)[\s,]+)?(?P<code>(?:[{_PLUS}]{{2}}){{1,4}}0{{0,6}}\+(?:[{_PLUS}]{{2,7}})?)"
    r"(?:[\s,]+(?P<behind>[^+]{1,200}))?",
    re.IGNORECASE,
)
_MGRS = re.compile(
    r"(?P<said>MGRS\s?:?\s?)?(?P<square>(?P<zone>\d{1,2})[C-HJ-NP-X]\s?[A-HJ-NP-Z][A-HJ-NP-V]|[ABYZ]\s?[A-HJ-NP-Z]{2})\s?"
    r"(?P<digits>\d{10}|\d{8}|\d{6}|\d{4}|\d{2}|\d{5}\s\d{5}|\d{4}\s\d{4}|\d{3}\s\d{3}|\d{2}\s\d{2}|\d\s\d)?",
    re.IGNORECASE,
)
_GEOHASH = r"[0-9b-hjkmnp-z]{1,12}"
_SAID_GEOHASH = re.compile(rf"(?:geohash\s?[:=]?\s?|(?:https?://)?(?:www\.)?geohash\.org/)({_GEOHASH})", re.IGNORECASE)
_BARE_GEOHASH = re.compile(rf"(?=.{{6,}})(?=\d*[b-z]+\d+[b-z]|[b-z]*\d+[b-z]+\d){_GEOHASH}")
"""Letters and digits in turns: "ba2490" is a flight, "12345b" a number."""

_LEAST_OF_SQUARE, _LEAST_AT_POLE = 6, 8
"""Digits of a position in small letters, and of one near a pole, whose square could be any three letters."""

_SQUARE_M = 100_000
_DEGREE_M = 111_195.0


def read(text: str) -> Cell | ShortCode | Problem | None:
    """The cell that a text names as a whole; its problem; None for other text. `text` comes from `tidy.tidy`."""
    if match := _SAID_GEOHASH.fullmatch(text):
        return _geohash(match[1])
    if "+" in text and (match := _PLUS_CODE.fullmatch(text)):
        return _plus(match["code"].upper(), tuple(filter(None, (match["before"], match["behind"]))))
    match = _MGRS.fullmatch(text)
    return _mgrs(match) if match else None


def may_be(text: str) -> Cell | None:
    """The cell of a text that may be a geohash, if it is no name and no code."""
    return _geohash(text) if _BARE_GEOHASH.fullmatch(text) else None


def completed(short: ShortCode, near: Point) -> Cell:
    """The cell of a short plus code: of those that end so, the one nearest to a point."""
    from pluscodes.openlocationcode import openlocationcode as olc

    return _area(olc.recoverNearest(short.code, *near), ())


def plus_code(point: Point) -> str:
    """The plus code of a point, to 14 m."""
    from pluscodes.openlocationcode import openlocationcode as olc

    # Beyond 89.999999 north, and a hair west of 180 east, the library writes a code that no reader takes.
    return str(olc.encode(min(point.lat, 89.999999), round(point.lon, 9)))


def mgrs_of(point: Point) -> str:
    """The position of a point in the military grid, to a metre: "32TLT8212000438"."""
    # Half a metre south of the equator, rounding would name a square of the next row.
    return str(_grid().toMGRS(point.lat if abs(point.lat) > 5e-6 else 0.0, point.lon))


def _plus(code: str, beside: tuple[str, ...]) -> Cell | ShortCode | Problem | None:
    from pluscodes.openlocationcode import openlocationcode as olc

    if olc.isFull(code):
        return _area(code, beside)
    if not olc.isShort(code) or code.endswith("+"):
        return None if beside else Problem("is no plus code", "Check its letters: '8FVC9G8F+6X'.")
    if not beside:
        return Problem("is a short plus code, which says nothing without a place", f"Add the place: '{code} Zürich'.")
    return ShortCode(code, ", ".join(beside))


def _area(code: str, beside: tuple[str, ...]) -> Cell:
    from pluscodes.openlocationcode import openlocationcode as olc

    area = olc.decode(code)
    box = BBox(area.longitudeLo, area.latitudeLo, area.longitudeHi, area.latitudeHi)
    side_m = (box.north - box.south) * _DEGREE_M
    return Cell("plus code", code, Point(area.latitudeCenter, area.longitudeCenter), side_m, box, beside)


def _geohash(text: str) -> Cell:
    import pygeohash

    lat, lon, high, wide = pygeohash.decode_exactly(text.lower())
    box = BBox(lon - wide, lat - high, lon + wide, lat + high)
    return Cell("geohash", text.lower(), Point(lat, lon), 2 * high * _DEGREE_M, box)


def _mgrs(match: re.Match[str]) -> Cell | Problem | None:
    """The cell of a match, unless it is likelier something else, as "5e av 12" is."""
    digits = (match["digits"] or "").replace(" ", "")
    square = match["square"].replace(" ", "")
    is_plain = square.isupper() or len(digits) >= _LEAST_OF_SQUARE
    if not match["said"] and not (is_plain if match["zone"] else len(digits) >= _LEAST_AT_POLE):
        return None
    from mgrs.core import MGRSError

    code = f"{square.upper()}{digits}"
    try:
        lat, lon = _grid().toLatLon(code)
    except MGRSError:
        return Problem("is no position of the military grid (MGRS)", "Check it: '32T LT 82120 00438', say.")
    return Cell("MGRS", code, Point(lat, lon), _SQUARE_M / 10 ** (len(digits) // 2))


@lru_cache(maxsize=1)
def _grid() -> "MGRS":
    from mgrs import MGRS

    return MGRS()
