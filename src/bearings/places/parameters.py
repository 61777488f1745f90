"""The parameters that several tools share: their types, bounds, and the descriptions that models read.

`arguments` checks what a JSON schema can't say.
"""

from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from bearings.places.outlines import Detail, Parts

Lat = Annotated[float, Field(ge=-90, le=90, description="Latitude in degrees.")]
Lon = Annotated[float, Field(ge=-180, le=180, description="Longitude in degrees.")]
Query = Annotated[str, Field(max_length=500, description="Place name or address.")]
Language = Annotated[str | None, Field(description="Of names: en, pt-BR, local.")]
Countries = Annotated[str | list[str] | None, Field(description="Only these ISO codes: gb,fr.")]
Layer = Annotated[str | list[str] | None, Field(description="Any of address, poi, railway, natural, manmade.")]
Viewbox = Annotated[list[float], Field(min_length=4, max_length=4)]

Outlines = Annotated[Detail, Field(description="GeoJSON outlines.")]
PartsOfPlace = Annotated[
    Parts, Field(description="main: without distant parts. all: with territories of other ISO codes.")
]
Queries = Annotated[list[str], Field(min_length=1, max_length=50, description="Place names or addresses.")]
Categories = Annotated[
    str | list[str] | None,
    Field(
        description="Any of amenity, tourism, natural, historic, leisure, shop, transport; or kinds: cafe, shop=bakery."
    ),
]
OsmIds = Annotated[
    list[str], Field(min_length=1, max_length=50, description="N (node), W (way) or R (relation) and a number: N123.")
]
Spot = Annotated[
    Any,
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
                {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "lat": {"type": "number"}, "lon": {"type": "number"}},
                },
            ]
        }
    ),
]
"""A name, [lat, lon] or {name, lat, lon}. `arguments.spots` reads it, because a union's errors are unclear."""

SPOTS = "Names, [lat, lon] or {name, lat, lon}."
