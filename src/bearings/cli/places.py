"""`bearings places`: a command for each tool of the places wing, and its server."""

import click

from bearings.cli.envfile import env_file_option
from bearings.cli.lazy import Lazy, LazyGroup
from bearings.cli.place_spellings import SPELLINGS
from bearings.cli.toolcommand import entries


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
        asks={"Try": "bearings places geocode"},
    )
