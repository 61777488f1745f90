"""The tools of the places server. Their docstrings are what models read."""

from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from bearings.forgiving import Habits
from bearings.places import arguments
from bearings.places.geocoder import Geocoder
from bearings.places.itinerary import Itinerary
from bearings.places.models import LatLon, Structured
from bearings.places.outlines import Detail, Parts
from bearings.places.replies import (
    AdminReply,
    BatchReply,
    BboxReply,
    CapabilitiesReply,
    GeocodeReply,
    LookupReply,
    MatrixReply,
    NearbyReply,
    ReverseReply,
    RouteReply,
    StatusReply,
    ToolCard,
)
from bearings.progress import Progress
from bearings.reply import Reply
from bearings.tool import Effects, Tool
from bearings.view import View

Lat = Annotated[float, Field(ge=-90, le=90, description="Latitude in degrees.")]
Lon = Annotated[float, Field(ge=-180, le=180, description="Longitude in degrees.")]
Query = Annotated[str, Field(max_length=500, description="Place name or address.")]
Language = Annotated[str | None, Field(description='Of names: "en", "pt-BR"; "local" as on the ground.')]
Countries = Annotated[str | list[str] | None, Field(description='Only these ISO 3166-1 alpha-2 codes: "gb,fr".')]
Layer = Annotated[str | list[str] | None, Field(description="Any of address, poi, railway, natural, manmade.")]
Viewbox = Annotated[list[float], Field(min_length=4, max_length=4)]

Outlined = Annotated[
    Detail, Field(description="GeoJSON outlines; full: 10,000 positions at most, the rest simplified.")
]
Some = Annotated[Parts, Field(description="main: without distant parts. all: with territories of other ISO codes.")]
Queries = Annotated[list[str], Field(min_length=1, max_length=50, description="Place names or addresses.")]
Categories = Annotated[
    str | list[str] | None,
    Field(description="Any of amenity, tourism, natural, historic, leisure, shop, transport; all if left out."),
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

_SPOTS = "Names, [lat, lon] or {name, lat, lon}."

_ASKS = Effects(open_world=True)
_TELLS = Effects(open_world=False)

_TIPS = (
    "Name the region or country too when a name is common: 'Boulder, Colorado'.",
    "bbox_kind 'estimated' means that the box was made from rank or population; pad it if the edges matter.",
    "precision says how fine a result is; a result coarser than the question means that the detail is not in the data.",
    "reverse_geocode zoom: 3 country, 5 state, 8 county, 10 city, 14 neighbourhood, 16 street, 18 building.",
    "An empty geocode is an answer: read its hint before asking again.",
    "batch_geocode, route_waypoints and distance_matrix answer what they can: look at each error, and at remaining.",
    "Distances are great circles on a sphere of 6,371 km, not roads.",
)
_INTEGRATION = (
    "bbox_from_place gives bbox as [west, south, east, north] in WGS 84 degrees, as DEM and STAC servers take it: "
    "pass each item of bboxes, unchanged, to dem_fetch or stac_search.",
    "bboxes has two items where the place crosses 180° (Fiji): fetch both and join the results.",
)


def _asking(
    function: Callable[..., Awaitable[Reply]], title: str, *, always_loaded: bool = False, view: View | None = None
) -> Tool:
    """A tool that asks a source; accepts its arguments' old names too."""
    habits = Habits(names=arguments.OLD_NAMES)
    return Tool.of(function, title=title, effects=_ASKS, habits=habits, always_loaded=always_loaded, view=view)


class PlaceTools:
    """The tools over one geocoder."""

    def __init__(self, geocoder: Geocoder) -> None:
        self._geocoder = geocoder
        self._itinerary = Itinerary(geocoder)

    def tools(self) -> tuple[Tool, ...]:
        """Every tool, in the order of listing."""
        return self._tools

    @cached_property
    def _tools(self) -> tuple[Tool, ...]:
        return (
            _asking(self.geocode, "Find a place", always_loaded=True, view="map"),
            _asking(self.reverse_geocode, "What is here"),
            _asking(self.bbox_from_place, "Box of a place", view="map"),
            _asking(self.admin_boundaries, "Administrative areas", view="map"),
            _asking(self.nearby_places, "What is near", view="map"),
            _asking(self.batch_geocode, "Find several places", view="map"),
            _asking(self.route_waypoints, "Legs and box of a route", view="map"),
            _asking(self.distance_matrix, "Distances between points"),
            _asking(self.lookup_places, "OpenStreetMap objects by id"),
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
        geometry: Outlined = "none",
        parts: Some = "own",
        *,
        progress: Progress,
    ) -> GeocodeReply:
        """Find places by name or address: coordinates, box [west, south, east, north], address, precision; best first.

        Nothing found: an empty list, a hint. Example: {"query": "Boulder, Colorado", "limit": 1}
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
            detail=geometry,
            parts=parts,
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
        """Name the place at a point, with its address, box, distance_m, time_zone, and the disputed areas it lies in.

        Open sea may be a not_found error. Example: {"lat": 40.015, "lon": -105.27, "zoom": 10}
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
        geometry: Outlined = "none",
        parts: Some = "own",
        *,
        progress: Progress,
    ) -> BboxReply:
        """Turn a place name into a bounding box for DEM and STAC servers: bbox, center, area_km2.

        Where the box crosses 180°, bbox has west > east and bboxes has it in two. Example: {"query": "Fiji"}
        """
        return await self._geocoder.bbox_from_place(
            query,
            padding=padding,
            country_codes=country_codes,
            language=language,
            detail=geometry,
            parts=parts,
            progress=progress,
        )

    async def admin_boundaries(
        self, lat: Lat, lon: Lon, language: Language = None, geometry: Outlined = "none", *, progress: Progress
    ) -> AdminReply:
        """List the administrative areas that contain a point, country first, with ISO 3166 codes.

        Open sea is a not_found error. Example: {"lat": 48.8566, "lon": 2.3522}
        """
        return await self._geocoder.admin_boundaries(lat, lon, language=language, detail=geometry, progress=progress)

    async def nearby_places(
        self,
        lat: Lat,
        lon: Lon,
        radius_km: Annotated[float, Field(gt=0, le=50, description="How far to look.")] = 1.0,
        limit: Annotated[int, Field(ge=1, le=50, description="Most results a category.")] = 5,
        categories: Categories = None,
        language: Language = None,
        *,
        progress: Progress,
    ) -> NearbyReply:
        """List named objects around a point by distance_m, and here: its street, suburb and city.

        categories tells which failed or are unsupported. Example: {"lat": 51.78, "lon": 0.92, "categories": "amenity"}
        """
        return await self._geocoder.nearby_places(
            lat,
            lon,
            radius_km=radius_km,
            limit=limit,
            categories=categories,
            language=language,
            progress=progress,
        )

    async def batch_geocode(
        self,
        queries: Queries,
        limit: Annotated[int, Field(ge=1, le=5, description="Most results a query.")] = 1,
        country_codes: Countries = None,
        language: Language = None,
        *,
        progress: Progress,
    ) -> BatchReply:
        """Geocode up to 50 queries: an item with results or an error for each, in order.

        After 45 s the rest is in remaining: ask again for it. Example: {"queries": ["Paris", "Boulder, Colorado"]}
        """
        return await self._itinerary.batch_geocode(
            queries, limit=limit, country_codes=country_codes, language=language, progress=progress
        )

    async def route_waypoints(
        self,
        waypoints: Annotated[list[Spot], Field(min_length=2, max_length=50, description=_SPOTS)],
        *,
        progress: Progress,
    ) -> RouteReply:
        """Measure a route: points, legs between neighbours with great-circle distance_m, total, enclosing bbox.

        A waypoint not found has an error in its place. Example: {"waypoints": ["Paris", [48.1, 11.6], "Moscow"]}
        """
        return await self._itinerary.route_waypoints(waypoints, progress=progress)

    async def distance_matrix(
        self,
        points: Annotated[list[Spot], Field(min_length=2, max_length=100, description=_SPOTS)],
        *,
        progress: Progress,
    ) -> MatrixReply:
        """Great-circle metres between all points: distances_m[i][j], null where one was not found.

        Example: {"points": ["Paris", [40.0, -105.3], {"name": "camp", "lat": 47.1, "lon": 11.2}]}
        """
        return await self._itinerary.distance_matrix(points, progress=progress)

    async def lookup_places(
        self, osm_ids: OsmIds, language: Language = None, geometry: Outlined = "none", *, progress: Progress
    ) -> LookupReply:
        """Get OpenStreetMap objects by id: places in the order asked, and the ids not_found.

        Example: {"osm_ids": ["R112298", "N123"]}
        """
        return await self._geocoder.lookup_places(osm_ids, language=language, detail=geometry, progress=progress)

    async def geocoder_status(self) -> StatusReply:
        """Tell the backend in use and why, cache, limiter, data versions, last error. Sends nothing to a geocoder."""
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
            usage_policy=await self._geocoder.usage_policy(),
            attribution=status.attribution,
        )
