"""Several places in one call: batches, routes, matrices. A bad name costs the others nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, TypeVar

import anyio
from pydantic import Field

from bearings.errors import BearingsError, DeadlineExceeded, InvalidInput, NotFound, shown
from bearings.places import advice, arguments
from bearings.places.backends import SourceChain
from bearings.places.geocoder import Geocoder
from bearings.places.models import Found, Point, Provenance, SearchQuery
from bearings.places.parameters import SPOTS, Countries, Language, Queries, Spot
from bearings.places.query import parse
from bearings.places.replies import BatchReply, Failure, MatrixReply, RouteReply, Stop
from bearings.places.replies.journeys import Journey, together
from bearings.progress import NoProgress, Progress

AnyReply = TypeVar("AnyReply", RouteReply, MatrixReply)

BUDGET_S = 45.0
"""The time limit of one call's questions: many MCP clients give up after 60 s."""

_OUT_OF_TIME = f"The {BUDGET_S:g} s of one call are over: ask for what is in remaining with another."


@dataclass(slots=True)
class Answers:
    """The result for each text: places or an error. A missing text was not asked for lack of time."""

    by_text: dict[str, Found | BearingsError] = field(default_factory=dict)
    hint: str | None = None

    def remaining(self, texts: Sequence[str]) -> list[str]:
        """The texts that were not asked, each once."""
        return [text for text in dict.fromkeys(texts) if text not in self.by_text]

    def provenances(self) -> list[Provenance]:
        """The provenances of the answers."""
        return [answer.provenance for answer in self.by_text.values() if isinstance(answer, Found)]

    def advice(self, texts: Sequence[str]) -> str | None:
        """Advice on the texts that were not asked and not found."""
        hints = [_OUT_OF_TIME if self.remaining(texts) else None, self.hint]
        return " ".join(part for part in hints if part) or None


class Itinerary:
    """Asks a geocoder for several places, one after another, within a time limit."""

    def __init__(self, geocoder: Geocoder) -> None:
        self._geocoder = geocoder
        self._clock = geocoder.clock

    async def batch_geocode(
        self,
        queries: Queries,
        *,
        limit: Annotated[int, Field(ge=1, le=5, description="Most results a query.")] = 1,
        country_codes: Countries = None,
        language: Language = None,
        progress: Progress | None = None,
    ) -> BatchReply:
        """Geocode up to 50 queries: an item with results or an error for each, in order.

        After 45 s the rest is in remaining: ask again for it. Example: {"queries": ["Paris", "Boulder, Colorado"]}
        """
        with self._geocoder.counted():
            template = self._geocoder.template(limit, country_codes, language)
            checked = [_checked(number, query) for number, query in enumerate(queries)]
            texts = [text for text in checked if isinstance(text, str)]
            answers = await self._ask(texts, template, progress)
            done, remaining = [], []
            for query, text in zip(queries, checked, strict=True):
                answer = answers.by_text.get(text) if isinstance(text, str) else text
                if answer is None:
                    remaining.append(query)
                else:
                    done.append((query, answer))
            source = together(answers.provenances(), await self._geocoder.provenance())
            return BatchReply.of(done, remaining, source, answers.advice(texts))

    async def route_waypoints(
        self,
        waypoints: Annotated[list[Spot], Field(min_length=2, max_length=50, description=SPOTS)],
        *,
        progress: Progress | None = None,
    ) -> RouteReply:
        """Measure a route: points, legs between neighbours with great-circle distance_m, total, enclosing bbox.

        A waypoint not found has an error in its place. Example: {"waypoints": ["Paris", [48.1, 11.6], "Moscow"]}
        """
        return await self._journey("waypoints", waypoints, progress, RouteReply.of)

    async def distance_matrix(
        self,
        points: Annotated[list[Spot], Field(min_length=2, max_length=100, description=SPOTS)],
        *,
        progress: Progress | None = None,
    ) -> MatrixReply:
        """Great-circle metres between all points: distances_m[i][j], null where one was not found.

        Example: {"points": ["Paris", [40.0, -105.3], {"name": "camp", "lat": 47.1, "lon": 11.2}]}
        """
        return await self._journey("points", points, progress, MatrixReply.of)

    async def _journey(
        self,
        name: str,
        values: Sequence[object],
        progress: Progress | None,
        reply: Callable[[Journey], AnyReply],
    ) -> AnyReply:
        """The reply over the known and found points; each name is asked once."""
        with self._geocoder.counted():
            spots = arguments.spots(name, values)
            texts = [spot.name for spot in spots if spot.point is None and spot.name is not None]
            template = self._geocoder.template(advice.ALTERNATIVES, None, None)
            answers = await self._ask(texts, template, progress)
            placed = [_placed(spot, answers, template) for spot in spots]
            points = [None if isinstance(outcome, BearingsError) else outcome[0] for outcome in placed]
            stops = [
                Stop(name=spot.name, error=Failure.of(outcome)) if isinstance(outcome, BearingsError) else outcome[1]
                for spot, outcome in zip(spots, placed, strict=True)
            ]
            if not any(points):
                raise next(outcome for outcome in placed if isinstance(outcome, BearingsError))
            source = together(answers.provenances(), await self._geocoder.provenance())
            return reply(Journey(stops, points, answers.remaining(texts), source, answers.advice(texts)))

    async def _ask(self, texts: Sequence[str], template: SearchQuery, progress: Progress | None) -> Answers:
        """Ask for each text once, in order, until the time is up; then cancel the question under way."""
        reports = progress or NoProgress()
        chain = self._geocoder.source_chain(reports)
        answers = Answers()
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return answers
        await chain.prepare()
        async with anyio.create_task_group() as group:
            group.start_soon(self._stop_in_time, group.cancel_scope)
            for number, text in enumerate(distinct, 1):
                query = replace(template, text=text, parsed=parse(text))
                answers.by_text[text] = await self._search(chain, query, answers)
                reports.update(number, len(distinct), f"geocoded {number} of {len(distinct)}")
            group.cancel_scope.cancel()
        return answers

    async def _search(self, chain: SourceChain, query: SearchQuery, answers: Answers) -> Found | BearingsError:
        try:
            answer = await self._geocoder.find(chain, query)
        except BearingsError as error:
            return error
        if answer.places:
            return answer
        answers.hint = answers.hint or self._geocoder.why_nothing(query, answer.provenance)
        try:
            advice.the_one(query, answer, "Try another spelling, or its region or country too.")
        except NotFound as error:
            return error
        return answer

    async def _stop_in_time(self, scope: anyio.CancelScope) -> None:
        await self._clock.sleep(BUDGET_S)
        scope.cancel()


def _checked(number: int, query: str) -> str | InvalidInput:
    """The text to ask for, with white space folded, or the error."""
    try:
        text = " ".join(arguments.text(f"queries.{number}", query).split())
        arguments.parsed(f"queries.{number}", text)
    except InvalidInput as error:
        return error
    return text


def _placed(spot: arguments.Spot, answers: Answers, template: SearchQuery) -> tuple[Point, Stop] | BearingsError:
    """The position of a spot, or the error."""
    if spot.point is not None:
        return spot.point, Stop.at(spot.point, spot.name)
    answer = answers.by_text.get(spot.name or "")
    if answer is None:
        return DeadlineExceeded(f"{shown(spot.name)} was not asked for lack of time", _OUT_OF_TIME)
    if isinstance(answer, BearingsError):
        return answer
    try:
        place = advice.the_one(replace(template, text=spot.name), answer, "")
    except NotFound as error:
        return error
    return place.point, Stop.at(place.point, spot.name, place)
