"""The tools of the places server: methods of the services, whose docstrings and parameters are what models read."""

from collections.abc import Awaitable, Callable
from functools import cached_property

from bearings.forgiving import Habits
from bearings.places import arguments
from bearings.places.geocoder import Geocoder
from bearings.places.itinerary import Itinerary
from bearings.places.replies import CapabilitiesReply, ToolCard
from bearings.reply import Reply
from bearings.tool import Effects, Tool
from bearings.view import View

_ASKS = Effects(open_world=True)

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

    def tools(self) -> tuple[Tool, ...]:
        """Every tool, in the order of listing."""
        return self._tools

    @cached_property
    def _tools(self) -> tuple[Tool, ...]:
        itinerary = Itinerary(self._geocoder)
        return (
            _asking(self._geocoder.geocode, "Find a place", always_loaded=True, view="map"),
            _asking(self._geocoder.reverse_geocode, "What is here"),
            _asking(self._geocoder.bbox_from_place, "Box of a place", view="map"),
            _asking(self._geocoder.admin_boundaries, "Administrative areas", view="map"),
            _asking(self._geocoder.nearby_places, "What is near", view="map"),
            _asking(itinerary.batch_geocode, "Find several places", view="map"),
            _asking(itinerary.route_waypoints, "Legs and box of a route", view="map"),
            _asking(itinerary.distance_matrix, "Distances between points"),
            _asking(self._geocoder.lookup_places, "OpenStreetMap objects by id"),
            Tool.of(self._geocoder.status, name="geocoder_status", title="Geocoder status"),
            Tool.of(self.geocoder_capabilities, title="Geocoder capabilities"),
        )

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
