"""Distances from a place, as labels of specimens have them: "10 km north of Batumi", "1 mile S, 1 mile W of Gori"."""

import math
import re

from bearings.places.models import Offset

_METRES = {
    **dict.fromkeys(("km", "kms", "kilometer", "kilometers", "kilometre", "kilometres"), 1000.0),
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres"), 1.0),
    **dict.fromkeys(("mi", "mile", "miles"), 1609.344),
    **dict.fromkeys(("nmi", "nm"), 1852.0),
}
_POINTS = ("n", "nne", "ne", "ene", "e", "ese", "se", "sse", "s", "ssw", "sw", "wsw", "w", "wnw", "nw", "nnw")
"""The compass, clockwise from the north, in steps of 22.5 degrees."""

_WORDS = {
    "nördlich": "n", "östlich": "e", "südlich": "s", "westlich": "w", "al norte": "n", "al este": "e", "al sur": "s",
    "al oeste": "w", "au nord": "n", "à l'est": "e", "au sud": "s", "à l'ouest": "w",
    "north": "n", "east": "e", "south": "s", "west": "w",
}  # fmt: skip
_UNIT = "|".join(sorted(_METRES, key=len, reverse=True))
_DIRECTION = (
    r"[nesw]{1,3}|(?:north|south)?[ -]?(?:north|south|east|west)(?:ern)?|(?:nörd|öst|süd|west)lich|"
    r"al (?:norte|este|sur|oeste)|au (?:nord|sud)|à l'(?:est|ouest)"
)
_ONE = (
    rf"(?:approx(?:imately)?\.? |ca?\.? ?|about |~ ?)?(\d{{1,4}}(?:\.\d{{1,4}})?) ?({_UNIT})\.? "
    rf"(?:to the |due )?({_DIRECTION})"
)
_OFFSET = re.compile(rf"{_ONE}\.?(?:(?:,| and| &)? {_ONE}\.?)? (?:(?:of|from|von|de) )?(?=\S{{3}})", re.IGNORECASE)


def read(text: str) -> tuple[Offset, str] | None:
    """The offset at the beginning of a text, and the text behind it; None if there is none.

    >>> read("10 km north of Batumi")
    (Offset(east_m=0.0, north_m=10000.0, words='10 km north'), 'Batumi')
    """
    match = _OFFSET.match(text)
    if match is None:
        return None
    east = north = 0.0
    for number, unit, direction in (match.groups()[:3], match.groups()[3:]):
        if number:
            bearing = math.radians(22.5 * _POINTS.index(_letters(direction)))
            distance_m = float(number) * _METRES[unit.casefold()]
            east, north = east + distance_m * math.sin(bearing), north + distance_m * math.cos(bearing)
    words = re.sub(r"[,\s]*(?:of|from|von|de)?\s*$", "", match[0], flags=re.IGNORECASE)
    return Offset(round(east, 1), round(north, 1), words), text[match.end() :]


def _letters(direction: str) -> str:
    """The point of the compass of "N", "north-east", "southern"."""
    plain = direction.casefold()
    for word, letter in _WORDS.items():
        plain = plain.replace(f"{word}ern", letter).replace(word, letter)
    return plain.replace(" ", "").replace("-", "")
