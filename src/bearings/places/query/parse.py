"""Parse one query."""

from functools import lru_cache

from bearings.places.models import ParsedQuery, Point
from bearings.places.query import codes, coordinates, foreign, names, postal, tidy


def parse(text: str) -> ParsedQuery:
    """The parsed query. Never raises; takes time in proportion to the text, of which 500 characters are read.

    Coordinates and grid references come first: a text that is one of these as a whole has no readings as a name.
    """
    return _parse(text[: tidy.MAX_CHARS])


@lru_cache(maxsize=512)
def _parse(text: str) -> ParsedQuery:
    """As `parse`, with a cache: a batch and its sources parse the same queries again."""
    tidied = tidy.tidy(text)
    position = coordinates.read(tidy.numeric(text))
    if isinstance(position, Point):
        return ParsedQuery(tidied, point=position)
    if problem := foreign.read(tidied) or position:
        return ParsedQuery(tidied, problem=problem)
    parts = tidy.parts(tidied) if any(map(str.isalnum, tidied)) else ()  # "&" alone is no "and", and AND is not Andorra
    may_be = codes.read(tidied)
    return ParsedQuery(
        tidied,
        parts,
        codes=may_be,
        readings=names.read(parts, may_be),
        postcode=postal.postcode(tidied),
        street=postal.is_street(tidied),
    )
