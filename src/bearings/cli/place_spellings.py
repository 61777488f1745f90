"""The spellings of the commands about places."""

import re
import shlex
from collections.abc import Sequence

import click

from bearings.cli.spelling import Spelling


def _leading(words: Sequence[str]) -> int:
    """The number of words before the first option; a negative number is a word."""
    return next((at for at, word in enumerate(words) if re.match(r"-[^.\d]", word)), len(words))


def _at_point(words: Sequence[str]) -> list[str]:
    """The words with a point, however it is typed, as a latitude and a longitude: `"40.7, -74.0"`, `40.7N 74W`.

    Raises UsageError for a name in a point's place.
    """
    from bearings.places.query import parse

    count = _leading(words)
    for start, end in [(0, n + 1) for n in range(count)] or [(at, at + 1) for at in range(len(words))]:
        if (point := parse(" ".join(words[start:end])).point) is not None:
            return [*words[:start], str(point.lat), str(point.lon), *words[end:]]
    name = " ".join(words[:count])
    if count and not re.search(r"\d", name):
        problem = "is a name, not a latitude and a longitude; its point: bearings places geocode"
        raise click.UsageError(f"{name!r} {problem} {shlex.quote(name)}")
    return [*words]


def _near_point(words: Sequence[str]) -> list[str]:
    """As `_at_point`; words behind the point are categories."""
    words = _at_point(words)
    count = _leading(words)
    kinds = ["--categories", ",".join(words[2:count])] if count > 2 else []
    return [*words[:2], *kinds, *words[max(count, 2) :]]


SPELLINGS = {
    "geocode": Spelling(
        tool="geocode",
        summary="Find places by name or address.",
        examples=(
            '"Springfield, Illinois"',
            "Paris --country-codes fr --limit 1 --json",
            "Austria --limit 1 --geometry full --output austria.geojson",
        ),
        positional=("query",),
        found="results",
        features="results",
    ),
    "reverse": Spelling(
        tool="reverse_geocode",
        summary="Name the place at a point.",
        examples=("40.015 -105.27", "48.8566,2.3522 --zoom 10"),
        positional=("lat", "lon"),
        mend=_at_point,
        features="",
    ),
    "bbox": Spelling(
        tool="bbox_from_place",
        summary="The bounding box of a place.",
        examples=("Fiji", "Boulder --padding 0.1 --json", "Chile --parts main --format geojson"),
        positional=("query",),
        features="",
    ),
    "nearby": Spelling(
        tool="nearby_places",
        summary="Named places around a point.",
        examples=("51.78 0.92 --radius-km 2", "51.78,0.92 cafe", "51.78 0.92 --categories amenity,shop --json"),
        positional=("lat", "lon"),
        mend=_near_point,
        aliases={"categories": ("--category",), "radius_km": ("--radius",)},
        found="places",
    ),
    "admin": Spelling(
        tool="admin_boundaries",
        summary="The administrative areas at a point.",
        examples=("48.8566 2.3522", "48.8566 2.3522 --format geojson"),
        positional=("lat", "lon"),
        mend=_at_point,
        features="boundaries",
        featured={"geometry": "simplified"},
    ),
    "batch": Spelling(
        tool="batch_geocode",
        summary="Find many places at once.",
        examples=('Paris "Cambridge, MA" Fiji', "- --json < names.txt"),
        positional=("queries",),
        lines="queries",
    ),
    "route": Spelling(
        tool="route_waypoints",
        summary="Distances along a line of places.",
        examples=("Paris Lyon 43.3,5.37",),
        positional=("waypoints",),
    ),
    "matrix": Spelling(
        tool="distance_matrix",
        summary="Distances between all pairs of places.",
        examples=("Paris Lyon Marseille",),
        positional=("points",),
    ),
    "lookup": Spelling(
        tool="lookup_places",
        summary="Places by their OpenStreetMap ids.",
        examples=("R175905 N240109189",),
        positional=("osm_ids",),
        found="results",
        features="results",
    ),
    "status": Spelling(tool="geocoder_status", summary="The backend in use, and its data.", examples=("",)),
    "capabilities": Spelling(
        tool="geocoder_capabilities", summary="The geocoder's tools, backends and tips.", examples=("", "--json")
    ),
}
