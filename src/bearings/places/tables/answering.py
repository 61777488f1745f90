"""The questions of rows, and their answers.

Questions are answered in order, or several at once by a server without a pace. An error of one question is its answer;
an error of a source ends the questions, as the next ones would fail too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import anyio
import msgspec

from bearings.errors import BearingsError, InvalidInput, NotFound, RateLimited, Unsupported
from bearings.places import advice, arguments
from bearings.places.geocoder import Geocoder
from bearings.places.models import Located, Match, Place, Point, Provenance
from bearings.places.replies import precision, rounded
from bearings.places.replies.found import distance_m
from bearings.places.tables.columns import more_values
from bearings.untrusted import clean_line

Subject = str | tuple[float, float]
"""The question of a row: a text to search, or a point (lat, lon)."""

LONGEST_PAUSE_S = 120.0
"""How long a server that asks for a pause is waited for; after a longer one the table is to be gone on with later."""

_OF_THE_ROW = (InvalidInput, NotFound, Unsupported)
"""Errors that a row gets."""


class Answer(msgspec.Struct, array_like=True, frozen=True):
    """The values of columns.FOUND for a row, None where there is none; `more` are those of the further columns."""

    lat: float | None = None
    lon: float | None = None
    name: str | None = None
    country_code: str | None = None
    match: str | None = None
    confidence: float | None = None
    precision: str | None = None
    unused: str | None = None
    distance_m: float | None = None
    source: str | None = None
    error: str | None = None
    more: tuple[Any, ...] = ()

    def values(self, columns: Callable[["Answer"], tuple[Any, ...]], more: int) -> tuple[Any, ...]:
        """The values of some columns, as `operator.attrgetter` gets them, and those of the `more` further ones."""
        return columns(self) + (self.more or (None,) * more)


_NOTHING = Answer(error="nothing is at this point")

LEAST_BLOCK = 100
"""Points from which on a source is asked for all together: it first reads for seconds what single answers look up."""


@dataclass(frozen=True, slots=True)
class QuestionOptions:
    """The options of a table's questions; `columns` are the further ones.

    A place less sure than `min_confidence` is named, but gives no point.
    """

    country_codes: tuple[str, ...] = ()
    language: str | None = None
    layer: tuple[str, ...] = ()
    zoom: int = 18
    columns: tuple[str, ...] = ()
    min_confidence: float = advice.LEAST_CONFIDENCE


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers to the first questions; to all of them unless a source failed.

    `failure` is then its (code, error, hint): errors can't be pickled. `editions` are those of the embedded sources.
    """

    answers: tuple[Answer, ...]
    failure: tuple[str, str, str] | None = None
    editions: tuple[str, ...] = ()


class Asker:
    """Puts questions to a geocoder, at most `parallel` at once."""

    def __init__(self, geocoder: Geocoder, parallel: int = 1) -> None:
        self._geocoder = geocoder
        self._parallel = parallel
        self._editions: tuple[str, ...] | None = None

    async def answered(self, subjects: Sequence[Subject], options: QuestionOptions) -> Answered:
        """The answers, up to the first question that a source failed to answer."""
        batch = _Batch(self._geocoder, options)
        answers = await batch.together(subjects)
        failed = None
        if answers is None:
            answers, failed = await self._one_by_one(batch, subjects)
        if self._editions is None:
            self._editions = await self._geocoder.editions()
        failure = None if failed is None else (failed.code, failed.error, failed.hint)
        return Answered(tuple(answers), failure, self._editions)

    async def _one_by_one(
        self, batch: "_Batch", subjects: Sequence[Subject]
    ) -> tuple[list[Answer], BearingsError | None]:
        """The answers before the first error, and the error: the questions behind it were not asked, or are lost."""
        outcomes: list[Answer | BearingsError | None] = [None] * len(subjects)
        turns = iter(range(len(subjects)))

        async def ask() -> None:
            for turn in turns:
                outcomes[turn] = outcome = await batch.outcome(subjects[turn])
                if isinstance(outcome, BearingsError):
                    for _ in turns:  # nothing more is asked
                        pass

        async with anyio.create_task_group() as group:
            for _ in range(min(self._parallel, len(subjects))):
                group.start_soon(ask)
        answers: list[Answer] = []
        for outcome in outcomes:
            if not isinstance(outcome, Answer):
                break
            answers.append(outcome)
        return answers, next((each for each in outcomes if isinstance(each, BearingsError)), None)

    async def aclose(self) -> None:
        """Close the sources."""
        await self._geocoder.aclose()


class _Batch:
    """The questions of one batch."""

    def __init__(self, geocoder: Geocoder, options: QuestionOptions) -> None:
        self._geocoder = geocoder
        self._options = options
        self._template = replace(
            geocoder.template(advice.ALTERNATIVES, options.country_codes or None, options.language), layer=options.layer
        )
        self._chain = geocoder.source_chain(None, stand_ins=False)

    async def outcome(self, subject: Subject) -> Answer | BearingsError:
        """The answer, after the pauses that a server asks for, or the error of a source that failed."""
        while True:
            try:
                return await (self._found(subject) if isinstance(subject, str) else self._located(*subject))
            except _OF_THE_ROW as error:
                return Answer(error=clean_line(error.error))
            except RateLimited as error:
                pause = error.retry_after_s
                if pause is None or pause > LONGEST_PAUSE_S:
                    return error
                await self._geocoder.clock.sleep(pause)
                self._chain = self._geocoder.source_chain(None, stand_ins=False)  # the server is asked again
            except BearingsError as error:
                return error

    async def together(self, subjects: Sequence[Subject]) -> list[Answer] | None:
        """The answers to many points, by a source that answers them together; None for others."""
        pairs = [subject for subject in subjects if not isinstance(subject, str)]
        if not LEAST_BLOCK <= len(pairs) == len(subjects) or (source := await self._chain.block_source()) is None:
            return None
        faults: dict[tuple[float, float], Answer] = {}
        points = []
        for pair in pairs:
            try:
                points.append(arguments.point("lat, lon", *pair))
            except InvalidInput as error:
                faults[pair] = Answer(error=clean_line(error.error))
        options, language = self._options, self._template.language
        zones = "time_zone" in options.columns
        located = await source.reverse_all(
            points, zoom=options.zoom, language=language, layer=options.layer, time_zones=zones
        )
        told: dict[int, Answer] = {}
        answers = iter([self._told(point, each, told) for point, each in zip(points, located, strict=True)])
        return [faults[pair] if pair in faults else next(answers) for pair in pairs]

    def _told(self, point: Point, located: Located, told: dict[int, Answer]) -> Answer:
        """The answer to a point; of the same place it differs in the distance alone."""
        place = located.place
        if place is None:
            return _NOTHING
        known = told.get(id(place))
        if known is None:
            known = told[id(place)] = self._answer(place, located.provenance, asked=point)
        if place.match is Match.COORDINATE:
            return known
        return msgspec.structs.replace(known, distance_m=distance_m(point, place))

    async def _found(self, words: str) -> Answer:
        text = " ".join(arguments.text("query", words).split())
        query = replace(self._template, text=text, parsed=arguments.parsed("query", text))
        answer = await self._geocoder.find(self._chain, query)
        if not answer.places:
            advice.the_one(query, answer, "")  # raises NotFound
        place = answer.places[0]
        return self._answer(place, place.source or answer.provenance, unused="; ".join(answer.unused))

    async def _located(self, lat: float, lon: float) -> Answer:
        point = arguments.point("lat, lon", lat, lon)
        options, language = self._options, self._template.language
        located = await self._geocoder.locate(
            self._chain, point, zoom=options.zoom, language=language, layers=options.layer
        )
        if located.place is None:
            return _NOTHING
        return self._answer(located.place, located.provenance, asked=point)

    def _answer(self, place: Place, source: Provenance, unused: str = "", asked: Point | None = None) -> Answer:
        least, sure = self._options.min_confidence, place.confidence
        is_taken = sure is None or sure >= least
        return Answer(
            lat=rounded(place.point.lat) if is_taken else None,
            lon=rounded(place.point.lon) if is_taken else None,
            name=clean_line(place.display_name),
            country_code=place.address.get("country_code"),
            match=place.match.value if place.match else None,
            confidence=sure,
            precision=precision(place),
            unused=clean_line(unused) or None,
            distance_m=None if asked is None else distance_m(asked, place),
            source=source.backend.value,
            error=None if is_taken else f"confidence {sure:g} is below {least:g}",
            more=more_values(place, self._options.columns),
        )
