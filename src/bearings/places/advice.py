"""What would help where a source has no answer."""

from collections.abc import Sequence

from bearings.errors import NotFound
from bearings.places.backends import CAN, MORE
from bearings.places.models import Backend, Point, SearchQuery, Surroundings
from bearings.places.replies import degrees


def nothing_for(asked: SearchQuery, backend: Backend) -> str:
    """Why a search found nothing, likeliest first."""
    says = [f"The {backend} backend has: {CAN[backend]}"]
    if asked.country_codes:
        says.append(f"Only {', '.join(asked.country_codes)} was searched: try without country_codes.")
    if asked.bounded:
        says.append("Only the viewbox was searched: try bounded=false.")
    if asked.layer:
        says.append("Try without layer.")
    if backend is Backend.GAZETTEER and _looks_like_an_address(asked):
        says.append(f"This looks like a street address: ask for its city or town instead. {MORE}")
    else:
        says.append("Check the spelling, or ask for the name with its region or country alone.")
    return " ".join(says)


def nothing_at(tool: str, point: Point, backend: Backend, layers: Sequence[str] = ()) -> NotFound:
    """The error of a tool that found no place at a point."""
    fewer = "Try without layer. " if layers else ""
    return NotFound(
        f"{tool}: nothing at {degrees(point.lat)}, {degrees(point.lon)} in the {backend} backend",
        f"{fewer}This is probably open sea. Check that lat and lon are not swapped, or ask for a point on land.",
    )


def about(around: Surroundings, radius_km: float) -> str | None:
    """Why there is nothing near, and what is missing; None where nothing is."""
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
    return " ".join(says) or None


def _looks_like_an_address(asked: SearchQuery) -> bool:
    if asked.structured is not None:
        return bool(asked.structured.street or asked.structured.amenity)
    return any(character.isdigit() for character in asked.text or "")
