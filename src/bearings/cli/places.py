"""`bearings places`: a command for each tool of the places wing, and its server."""

import click

from bearings.cli.lazy import Lazy, LazyGroup
from bearings.cli.toolcommand import Spelling, entries

SPELLINGS = {
    "geocode": Spelling(
        tool="geocode",
        summary="Find places by name or address.",
        examples=('"Springfield, Illinois"', "Paris --country-codes fr --limit 1 --json"),
        positional=("query",),
        found="results",
    ),
    "reverse": Spelling(
        tool="reverse_geocode",
        summary="Name the place at a point.",
        examples=("40.015 -105.27", "48.8566 2.3522 --zoom 10"),
        positional=("lat", "lon"),
    ),
    "bbox": Spelling(
        tool="bbox_from_place",
        summary="The bounding box of a place.",
        examples=("Fiji", "Boulder --padding 0.1 --json"),
        positional=("query",),
    ),
    "admin": Spelling(
        tool="admin_boundaries",
        summary="The administrative areas at a point.",
        examples=("48.8566 2.3522",),
        positional=("lat", "lon"),
    ),
    "status": Spelling(tool="geocoder_status", summary="The backend in use, and its data.", examples=("",)),
    "capabilities": Spelling(
        tool="geocoder_capabilities", summary="All that the geocoder can do.", examples=("", "--json")
    ),
}


def group() -> click.Group:
    """The commands about places."""
    commands = entries(SPELLINGS, lambda wiring: wiring.places())
    return LazyGroup(
        "places",
        "Geocoding: names to points and boxes, points to names. No key, no network.",
        {**commands, "serve": Lazy("Serve the tools to an MCP client.", _serve)},
        examples=('geocode "Springfield, Illinois"', "reverse 40.015 -105.27", "bbox Fiji --json"),
    )


def _serve(_: click.Context) -> click.Command:
    from bearings.cli.serve import PLACES, serve_command

    return serve_command(PLACES)
