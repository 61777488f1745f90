"""Hints for questions that a source has no answer to."""

import re
from collections.abc import Sequence

from bearings.errors import NotFound, shown
from bearings.places import geometry, wording
from bearings.places.backends import CAN, MORE
from bearings.places.models import Backend, Found, Place, Point, Provenance, SearchQuery, Surroundings
from bearings.places.replies import degrees
from bearings.places.replies.parts import numbers, tidy
from bearings.untrusted import clean_line, quoted


def nothing_for(query: SearchQuery, backend: Backend, remedy: str | None = None) -> str:
    """The likely reasons why a search found nothing. `remedy` is the step that would give the source more data."""
    if wording.is_empty_mark(query):
        return wording.MARK
    says = [f"The {backend} backend has: {CAN[backend]}"]
    if query.country_codes:
        says.append(f"Only {', '.join(query.country_codes)} was searched: try without country_codes.")
    if query.bounded:
        says.append("Only the viewbox was searched: try bounded=false.")
    if query.layer:
        says.append("Try without layer.")
    if re.search(r"\b(?:basin|catchment|watershed)\b", query.text or "", re.IGNORECASE):
        says.append("Few basins are known: ask for the river.")
    postcode = query.parsed.postcode if query.parsed else None
    if backend is Backend.GAZETTEER and _looks_like_an_address(query):
        says.append(f"This looks like a street address: ask for its city or town instead. {MORE}")
    elif backend is Backend.GAZETTEER and postcode:
        says.append(f"{postcode} looks like a postcode, and is none of those known here: ask for the town. {MORE}")
    else:
        says.append("Check the spelling, or ask for the name with its region or country alone.")
        says += [MORE] if backend is Backend.GAZETTEER else []
    return " ".join([*says, remedy or ""]).strip()


LEAST_CONFIDENCE = 0.5
"""Tools that return one place refuse less sure ones: below it, another place is meant more often than not."""

ALTERNATIVES = 5
"""Places requested where one is wanted, so that an error can name the others."""


def the_one(query: SearchQuery, found: Found, why_nothing: str) -> Place:
    """The place that the query means. Raises NotFound if there is none, or if several fit equally well."""
    if found.places and _is_sure(found.places[0]):
        return found.places[0]
    names = "; ".join(
        dict.fromkeys(quoted(clean_line(each.display_name)) for each in found.places or found.suggestions)
    )
    if found.unused and found.places:
        rest = unused(found)
        raise NotFound(f"no place matches all of {shown(query.text)}", f"{rest} Without it, ask for one of: {names}.")
    if found.places:
        raise NotFound(f"{shown(query.text)} may be several places", f"Ask for one of them, with its region: {names}.")
    if found.suggestions:
        known = f"The {found.adviser.backend} knows what may be meant. " if found.adviser else ""
        raise NotFound(f"no place matches {shown(query.text)}", f"{known}Did you mean one of: {names}? {why_nothing}")
    raise NotFound(f"no place matches {shown(query.text)}", why_nothing)


def _is_sure(place: Place) -> bool:
    """Whether a place may answer a query alone. A place without a confidence may."""
    return place.confidence is None or place.confidence >= LEAST_CONFIDENCE


def unused(found: Found) -> str | None:
    """A note with the parts of the query that the place does not spell; None if it spells all."""
    return f"Not used: {', '.join(map(shown, found.unused))}." if found.unused else None


def note(query: SearchQuery, found: Found) -> str | None:
    """The note of an answer, with the remedy where the gazetteer knows only the town of a street or a shop."""
    is_town = found.provenance.backend is Backend.GAZETTEER and bool(found.unused and found.places)
    is_part = is_town and (_looks_like_an_address(query) or not _is_sure(found.places[0]))
    return " ".join(filter(None, [found.note, MORE if is_part else None])) or None


def distant_parts(place: Place) -> str | None:
    """A note with the main part's box if it is much smaller; otherwise None."""
    if place.main_bbox is None:
        return None
    less = f"{numbers(list(tidy(place.main_bbox)))}, {geometry.area_km2(place.main_bbox):,.0f} km²"
    return f"This box holds distant parts too; without them (parts: main) it is {less}."


def nothing_at(tool: str, point: Point, source: Provenance, layers: Sequence[str] = ()) -> NotFound:
    """The error for a point without a place."""
    more = f" {source.remedy}" if source.remedy else ""
    fewer = "Try without layer. " if layers else ""
    return NotFound(
        f"{tool}: nothing at {degrees(point.lat)}, {degrees(point.lon)} in the {source.backend} backend",
        f"{fewer}This is probably open sea. Check that lat and lon are not swapped, or ask for a point on land.{more}",
    )


def about(around: Surroundings, radius_km: float) -> str | None:
    """The reasons for missing results; None if nothing is missing."""
    backend = around.provenance.backend
    says = []
    if not around.places:
        wider = f"within {radius_km:g} km" + (": try a greater radius_km, up to 50." if radius_km < 50 else ".")
        says.append(f"The {backend} backend knows nothing with a name {wider}")
    if around.failed:
        says.append(f"Some requests for {', '.join(around.failed)} failed: ask again for these alone.")
    if around.unsupported:
        says.append(f"The {backend} backend has no {', '.join(around.unsupported)}.")
        says += [f"It gives settlements (place). {MORE}"] if backend is Backend.GAZETTEER else []
    if around.provenance.remedy:
        says.append(around.provenance.remedy)
    return " ".join(says) or None


def _looks_like_an_address(query: SearchQuery) -> bool:
    if query.structured is not None:
        return bool(query.structured.street or query.structured.amenity)
    if query.parsed is not None:
        return query.parsed.street or (query.parsed.postcode is None and _has_digit(query.parsed.text))
    return _has_digit(query.text or "")


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)
