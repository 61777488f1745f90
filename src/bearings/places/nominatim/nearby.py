"""Objects near a point, from a server that answers one tag at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import anyio

from bearings.errors import BearingsError, DeadlineExceeded
from bearings.places import geometry
from bearings.places.categories import Tag
from bearings.places.models import BBox, NearbyPlace, Place, Point
from bearings.places.nominatim.client import NominatimClient
from bearings.places.nominatim.poi import filed_under, plan
from bearings.places.nominatim.wire import MAX_LIMIT, Rows
from bearings.places.remote.client import Answer

PATIENCE_S = 40.0
"""The time limit of one call: many clients give up after 60 s."""


@dataclass(slots=True)
class Harvest:
    """The result of the requests for each category: places, the first error of a failed one, the oldest answer."""

    places: dict[str, dict[object, NearbyPlace]]
    failures: dict[str, BearingsError] = field(default_factory=dict)
    answers: int = 0
    from_memory: int = 0
    age_s: float = 0.0

    @property
    def answered(self) -> tuple[str, ...]:
        """Categories with all requests answered."""
        return tuple(str(category) for category in self.places if category not in self.failures)

    @property
    def failed(self) -> tuple[str, ...]:
        """Categories with a failed request."""
        return tuple(str(category) for category in self.places if category in self.failures)

    def nearest(self, limit: int) -> tuple[NearbyPlace, ...]:
        """At most `limit` a category, all by distance, each object once."""
        by_identity: dict[object, NearbyPlace] = {}
        for by_object in self.places.values():
            for identity, near in sorted(by_object.items(), key=lambda item: item[1].distance_m)[:limit]:
                # The server's main tag of a place comes before its further tags.
                if identity not in by_identity or near.place.category not in near.place.tags:
                    by_identity[identity] = near
        return tuple(sorted(by_identity.values(), key=lambda near: near.distance_m))

    def take(self, answer: Answer[Rows], near: Iterable[NearbyPlace]) -> None:
        """Add an answer's places, each under every requested category that it belongs to."""
        self.answers += 1
        self.from_memory += answer.cached
        self.age_s = max(self.age_s, answer.age_s)
        for nearby_place in near:
            for category, of_category in self.places.items():
                place = filed_under(category, nearby_place.place)
                if place is not None:
                    of_category[_identity(place)] = NearbyPlace(place, nearby_place.distance_m)


class Search:
    """One question for objects around a point, asked tag by tag within a budget of requests.

    A full answer that ends within the radius is followed by its next pages, until there are `limit` named places.
    """

    def __init__(
        self,
        client: NominatimClient,
        point: Point,
        *,
        radius_m: float,
        limit: int,
        language: str,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._client = client
        self._point = point
        self._radius_m = radius_m
        self._limit = limit
        self._language = language
        self._patience_s = patience_s
        self._boxes = geometry.split(geometry.around(point, radius_m))
        self._pages_left = 0

    async def run(self, categories: Sequence[str], budget: int) -> Harvest:
        """The harvest of as many tags as budget and time allow. Raises the first error if no request was answered."""
        pairs = plan(categories, budget // len(self._boxes))
        self._pages_left = max(0, budget - len(pairs) * len(self._boxes))
        harvest = Harvest({category: {} for category in categories})
        pending = {(category, tag, box) for category, tag in pairs for box in self._boxes}
        with anyio.move_on_after(self._patience_s):
            async with anyio.create_task_group() as group:
                for category, tag in pairs:
                    for box in self._boxes:
                        group.start_soon(self._ask, harvest, pending, (category, tag, box))
        for category, _, _ in pending:
            late = DeadlineExceeded(f"{self._client.host} was too slow for all of it", "Ask for fewer categories.")
            harvest.failures.setdefault(category, late)
        if not harvest.answers:
            raise next(iter(harvest.failures.values()))
        return harvest

    async def _ask(self, harvest: Harvest, pending: set[tuple[str, Tag, BBox]], request: tuple[str, Tag, BBox]) -> None:
        """Ask for one tag, page by page, and add the results to the harvest."""
        category, tag, box = request
        seen: list[int] = []
        named = 0
        try:
            while True:
                answer = await self._client.tagged(tag, self._point, box, language=self._language, seen=seen)
                near = self._near(answer.value)
                harvest.take(answer, near)
                named += len(near)
                if named >= self._limit or not self._goes_on(answer.value) or not self._pages_left:
                    break
                self._pages_left -= 1
                seen += answer.value.numbers
        except BearingsError as error:
            harvest.failures.setdefault(category, error)
        pending.discard(request)

    def _near(self, rows: Rows) -> list[NearbyPlace]:
        """The named objects within the radius."""
        places = (rows.places[index] for index in sorted(rows.named))
        measured = (NearbyPlace(place, geometry.distance_m(self._point, place.point)) for place in places)
        return [near for near in measured if near.distance_m <= self._radius_m]

    def _goes_on(self, rows: Rows) -> bool:
        """Whether the server may have more objects within the radius on a next page."""
        if len(rows.numbers) < MAX_LIMIT or not rows.places:
            return False
        return geometry.distance_m(self._point, rows.places[-1].point) <= self._radius_m


def _identity(place: Place) -> object:
    """An object's identity: its OSM id, or else its position."""
    return (place.osm_type, place.osm_id) if place.osm_id is not None else (place.name, place.point)
