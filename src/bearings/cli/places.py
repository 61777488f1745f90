"""`bearings places`: a command for each tool of the places wing, and its server."""

import click

from bearings.cli.envfile import env_file_option
from bearings.cli.lazy import Lazy, LazyGroup
from bearings.cli.spelling import Spelling
from bearings.cli.toolcommand import entries

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
        examples=("40.015 -105.27", "48.8566 2.3522 --zoom 10"),
        positional=("lat", "lon"),
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
        examples=("51.78 0.92 --radius-km 2", "51.78 0.92 --categories amenity,shop --json"),
        positional=("lat", "lon"),
        found="places",
    ),
    "admin": Spelling(
        tool="admin_boundaries",
        summary="The administrative areas at a point.",
        examples=("48.8566 2.3522", "48.8566 2.3522 --format geojson"),
        positional=("lat", "lon"),
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


def group() -> click.Group:
    """The group of commands about places."""
    commands = entries(SPELLINGS, lambda wiring: wiring.places())
    return LazyGroup(
        "places",
        "Geocoding: names to points and boxes, points to names, what is near, how far it is.",
        {
            **commands,
            "table": Lazy("Find a place for each row of a table.", "tables:table_command"),
            "import": Lazy("Make a map of your own from OpenStreetMap extracts.", "maps:import_command"),
            "index": Lazy("The maps of your own.", "maps:index_group"),
            "atlas": Lazy("The atlas that answers without a Nominatim.", "atlas:atlas_group"),
            "cache": Lazy("Cached answers of a Nominatim.", "cache:places_cache"),
            "serve": Lazy("Serve the tools to an MCP client.", "serve:serve_places"),
        },
        examples=('geocode "Springfield, Illinois"', "reverse 40.015 -105.27", "bbox Fiji --json"),
        options=(env_file_option(),),
    )
