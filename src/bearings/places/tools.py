"""The tools of the places server. Their docstrings are what models read."""

from functools import cached_property
from typing import Annotated

from pydantic import Field

from bearings.places.geocoder import Geocoder
from bearings.places.models import Structured
from bearings.places.replies import (
    AdminReply,
    BboxReply,
    CapabilitiesReply,
    GeocodeReply,
    LatLon,
    ReverseReply,
    StatusReply,
    ToolCard,
)
from bearings.progress import Progress
from bearings.tool import Effects, Tool

Lat = Annotated[float, Field(ge=-90, le=90, description="Latitude in degrees.")]
Lon = Annotated[float, Field(ge=-180, le=180, description="Longitude in degrees.")]
Query = Annotated[str, Field(max_length=500, description="Place name or address.")]
Language = Annotated[str | None, Field(description='Of names: "en", "pt-BR"; "local" as on the ground.')]
Countries = Annotated[str | list[str] | None, Field(description='Only these ISO 3166-1 alpha-2 codes: "gb,fr".')]
Layer = Annotated[str | list[str] | None, Field(description="Any of address, poi, railway, natural, manmade.")]
Viewbox = Annotated[list[float], Field(min_length=4, max_length=4)]

_ASKS = Effects(open_world=True)
_TELLS = Effects(open_world=False)

_TIPS = (
    "Name the region or country too when a name is common: 'Boulder, Colorado'.",
    "bbox_kind 'estimated' means that the box was made from rank or population; pad it if the edges matter.",
    "precision says how fine a result is; a result coarser than the question means that the detail is not in the data.",
    "reverse_geocode zoom: 3 country, 5 state, 8 county, 10 city, 14 neighbourhood, 16 street, 18 building.",
    "An empty geocode is an answer: read its hint before asking again.",
)
_INTEGRATION = (
    "bbox_from_place gives bbox as [west, south, east, north] in WGS 84 degrees, as DEM and STAC servers take it: "
    "pass each item of bboxes, unchanged, to dem_fetch or stac_search.",
    "bboxes has two items where the place crosses 180° (Fiji): fetch both and join the results.",
)
_USAGE_POLICY = (
    "No request leaves this machine: the gazetteer is embedded and has no limit. Show the attribution with its data."
)


class PlaceTools:
    """The tools over one geocoder."""

    def __init__(self, geocoder: Geocoder) -> None:
        self._geocoder = geocoder

    def tools(self) -> tuple[Tool, ...]:
        """Every tool, in the order in which they are listed."""
        return self._tools

    @cached_property
    def _tools(self) -> tuple[Tool, ...]:
        return (
            Tool.of(self.geocode, title="Find a place", effects=_ASKS),
            Tool.of(self.reverse_geocode, title="What is here", effects=_ASKS),
            Tool.of(self.bbox_from_place, title="Box of a place", effects=_ASKS),
            Tool.of(self.admin_boundaries, title="Administrative areas", effects=_ASKS),
            Tool.of(self.geocoder_status, title="Geocoder status", effects=_TELLS),
            Tool.of(self.geocoder_capabilities, title="Geocoder capabilities", effects=_TELLS),
        )

    async def geocode(
        self,
        query: Query | None = None,
        structured: Annotated[Structured | None, Field(description="The query in parts, instead of query.")] = None,
        limit: Annotated[int, Field(ge=1, le=40, description="Most results.")] = 5,
        country_codes: Countries = None,
        language: Language = None,
        near: Annotated[LatLon | None, Field(description="Prefer what is close.")] = None,
        viewbox: Annotated[Viewbox | None, Field(description="Prefer within [west, south, east, north].")] = None,
        bounded: Annotated[bool, Field(description="Only within viewbox.")] = False,
        layer: Layer = None,
        *,
        progress: Progress,
    ) -> GeocodeReply:
        """Find places by name or address: coordinates, box [west, south, east, north], address, precision; best first.

        Nothing found is an empty list with a hint. Example: {"query": "Boulder, Colorado", "limit": 1}
        """
        return await self._geocoder.geocode(
            query,
            structured=structured,
            limit=limit,
            country_codes=country_codes,
            language=language,
            near=near,
            viewbox=viewbox,
            bounded=bounded,
            layer=layer,
            progress=progress,
        )

    async def reverse_geocode(
        self,
        lat: Lat,
        lon: Lon,
        zoom: Annotated[int, Field(ge=3, le=18, description="Detail: 3 country, 10 city, 18 building.")] = 18,
        language: Language = None,
        layer: Layer = None,
        *,
        progress: Progress,
    ) -> ReverseReply:
        """Name the place at a point, with its address, box, and distance_m from the point asked.

        Open sea is a not_found error. Example: {"lat": 40.015, "lon": -105.27, "zoom": 10}
        """
        return await self._geocoder.reverse_geocode(
            lat, lon, zoom=zoom, language=language, layer=layer, progress=progress
        )

    async def bbox_from_place(
        self,
        query: Query,
        padding: Annotated[float, Field(ge=0, le=5, description="Fraction of the size added on each side.")] = 0.0,
        country_codes: Countries = None,
        language: Language = None,
        *,
        progress: Progress,
    ) -> BboxReply:
        """Turn a place name into a bounding box for DEM and STAC servers: bbox, center, area_km2.

        Where the box crosses 180°, bbox has west > east and bboxes has it in two. Example: {"query": "Fiji"}
        """
        return await self._geocoder.bbox_from_place(
            query, padding=padding, country_codes=country_codes, language=language, progress=progress
        )

    async def admin_boundaries(
        self, lat: Lat, lon: Lon, language: Language = None, *, progress: Progress
    ) -> AdminReply:
        """List the administrative areas that contain a point, country first, with ISO 3166 codes.

        Open sea is a not_found error. Example: {"lat": 48.8566, "lon": 2.3522}
        """
        return await self._geocoder.admin_boundaries(lat, lon, language=language, progress=progress)

    async def geocoder_status(self) -> StatusReply:
        """Tell the backend in use and why, data versions, counters and the last error. Never goes to the network."""
        return await self._geocoder.status()

    async def geocoder_capabilities(self) -> CapabilitiesReply:
        """List these tools with parameter schemas, backends, tips, attribution, and how boxes feed DEM and STAC."""
        status = await self._geocoder.status()
        return CapabilitiesReply(
            version=status.version,
            tools=[
                ToolCard(name=tool.name, description=tool.description, parameters=tool.input_schema)
                for tool in self.tools()
            ],
            backends=self._geocoder.backends(),
            tips=list(_TIPS),
            integration=list(_INTEGRATION),
            usage_policy=_USAGE_POLICY,
            attribution=status.attribution,
        )
