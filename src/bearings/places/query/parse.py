"""Parse one query."""

from dataclasses import replace
from functools import lru_cache

from bearings.places.models import Cell, ParsedQuery, Point, ShortCode
from bearings.places.query import codes, coordinates, foreign, grids, mending, names, offsets, postal, remarks, tidy


def parse(text: str) -> ParsedQuery:
    """The parsed query. Never raises; takes time in proportion to the text, of which 500 characters are read.

    Coordinates and grid references come first: a text that is one of these as a whole has no readings as a name.
    """
    return _parse(text[: tidy.MAX_CHARS])


@lru_cache(maxsize=512)
def _parse(text: str) -> ParsedQuery:
    """As `parse`, with a cache: a batch and its sources parse the same queries again."""
    whole = mending.mended(text)
    tidied = tidy.tidy(whole)
    numbers = tidy.numeric(whole)
    is_numbered = any(map(str.isdigit, numbers))  # most queries are not, and need not be read as coordinates
    position = coordinates.read(numbers) if is_numbered else None
    if isinstance(position, Point):
        return ParsedQuery(tidied, point=position)
    cell = grids.read(tidied) if is_numbered or "+" in tidied else None
    if isinstance(cell, Cell):
        return ParsedQuery(tidied, point=cell.point, cell=cell, beside=cell.beside)
    if isinstance(cell, ShortCode):
        return ParsedQuery(tidied, short=cell)
    if is_numbered and position is None and (found := coordinates.beside(numbers)):
        return ParsedQuery(tidied, point=found[0], beside=found[1])
    if problem := cell or foreign.read(tidied) or position:
        return ParsedQuery(tidied, problem=problem)
    offset, place = offsets.read(tidied) or (None, tidied)
    named, aside = remarks.without_remarks(place)
    # "&" alone is no "and", and AND is not Andorra.
    parts = tidy.parts(named) if any(map(str.isalnum, named)) else ()
    read = _of_parts(tidied, parts)
    shorter, cut = remarks.without_post(parts)
    if (postcode := postal.postcode(", ".join(shorter))) and len(rest := _without(shorter, postcode)):
        shorter, cut = rest, (*cut, postcode)
    plain = replace(_of_parts(", ".join(shorter), shorter), aside=(*aside, *cut)) if cut and shorter else None
    return replace(read, mended=whole != text, aside=aside, plain=plain, offset=offset)


def _of_parts(text: str, parts: tuple[str, ...]) -> ParsedQuery:
    """The query of some parts."""
    named = ", ".join(parts)
    may_be, postcode = codes.read(named), postal.postcode(named)
    return ParsedQuery(
        text,
        parts,
        codes=may_be,
        readings=names.read(parts, may_be),
        postcode=postcode,
        street=postal.is_street(named),
        may_be=None if postcode else grids.may_be(named),
    )


def _without(parts: tuple[str, ...], postcode: str) -> tuple[str, ...]:
    """The parts without the first occurrence of a postcode."""
    for at, part in enumerate(parts):
        if postcode in part:
            rest = " ".join(part.replace(postcode, " ", 1).split())
            return (*parts[:at], *((rest,) if rest else ()), *parts[at + 1 :])
    return parts
