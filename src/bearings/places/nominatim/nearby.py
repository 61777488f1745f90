"""What is near a point, from a server that answers one tag at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio

from bearings.errors import BearingsError, DeadlineExceeded
from bearings.places import geometry
from bearings.places.categories import Category, Tag
from bearings.places.models import BBox, NearbyPlace, Place, Point
from bearings.places.nominatim.client import Answer, NominatimClient
from bearings.places.nominatim.poi import filed_under, plan
from bearings.places.nominatim.wire import Rows

PATIENCE_S = 40.0
"""The longest that one call may take; a client's own patience often ends at 60 s."""


@dataclass(slots=True)
class Harvest:
    """What came of the requests for each category: places, the first error of those that failed, the oldest answer."""

    places: dict[Category, dict[object, NearbyPlace]]
    failures: dict[Category, BearingsError] = field(default_factory=dict)
    answers: int = 0
    from_memory: int = 0
    age_s: float = 0.0

    @property
    def answered(self) -> tuple[str, ...]:
        """Categories all of whose requests were answered."""
        return tuple(str(category) for category in self.places if category not in self.failures)

    @property
    def failed(self) -> tuple[str, ...]:
        """Categories some of whose requests were not."""
        return tuple(str(category) for category in self.places if category in self.failures)

    def nearest(self, limit: int) -> tuple[NearbyPlace, ...]:
        """At most `limit` a category, all by distance, each object once."""
        kept: dict[object, NearbyPlace] = {}
        for found in self.places.values():
            kept |= dict(sorted(found.items(), key=lambda item: item[1].distance_m)[:limit])
        return tuple(sorted(kept.values(), key=lambda near: near.distance_m))


class Search:
    """One question for what is near, asked tag by tag within a budget of requests."""

    def __init__(
        self,
        client: NominatimClient,
        point: Point,
        *,
        radius_m: float,
        language: str,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._client = client
        self._point = point
        self._radius_m = radius_m
        self._language = language
        self._patience_s = patience_s
        self._boxes = geometry.split(geometry.around(point, radius_m))

    async def run(self, categories: Sequence[Category], budget: int) -> Harvest:
        """The harvest of as many tags as the budget and the patience allow. Raises the first error if none answered."""
        pairs = plan(categories, budget // len(self._boxes))
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

    async def _ask(
        self, harvest: Harvest, pending: set[tuple[Category, Tag, BBox]], asked: tuple[Category, Tag, BBox]
    ) -> None:
        """One request, and what came of it."""
        category, tag, box = asked
        try:
            answer = await self._client.tagged(tag.key, tag.value or "", self._point, box, language=self._language)
        except BearingsError as error:
            harvest.failures.setdefault(category, error)
        else:
            self._gather(harvest, category, answer)
        pending.discard(asked)

    def _gather(self, harvest: Harvest, category: Category, answer: Answer[Rows]) -> None:
        """Keep what is named, of the category, and within the radius."""
        harvest.answers += 1
        harvest.from_memory += answer.cached
        harvest.age_s = max(harvest.age_s, answer.age_s)
        for index in sorted(answer.value.named):
            place = filed_under(category, answer.value.places[index])
            if place is None:
                continue
            away = geometry.distance_m(self._point, place.point)
            if away <= self._radius_m:
                harvest.places[category][_identity(place)] = NearbyPlace(place, away)


def _identity(place: Place) -> object:
    """What tells an object from another; those without an OSM object are told apart by where they are."""
    return (place.osm_type, place.osm_id) if place.osm_id is not None else (place.name, place.point)
