"""The replies of the tools that ask about several places: batches, routes, matrices. An error stands in its place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Literal

from msgspec.structs import replace as changed

from bearings.errors import BearingsError
from bearings.places import geometry
from bearings.places.models import Found, Match, Place, Point, Provenance
from bearings.places.replies.parts import (
    Box,
    GeocodeResult,
    Line,
    Name,
    Sentence,
    Source,
    Sourced,
    degrees,
    distance,
    listed,
    metres,
    numbers,
    position,
    precision,
    provenance,
    same_fields,
    tidy,
)
from bearings.places.replies.words import CleanPart, OneLine
from bearings.reply import Part

ECHO = 500
"""Characters of a question that a reply repeats."""

Asked = Annotated[str, OneLine(ECHO)]
"""A question as the caller wrote it."""


class Failure(CleanPart):
    """An error in place of one answer: the body of a tool's error."""

    success: Literal[False] = False
    error: Sentence
    code: str
    hint: str
    retryable: bool
    retry_after_s: float | None = None

    @classmethod
    def of(cls, error: BearingsError) -> "Failure":
        """The error's body."""
        return cls(**error.body())

    def line(self) -> str:
        """`not_found: no place matches 'Atlantis'. Check the spelling.`."""
        return f"{self.code}: {self.error}. {self.hint}".rstrip()


class BatchItem(CleanPart):
    """One query, and its places or its error; `source` if it differs from the whole reply's.

    `unused` are the parts of the query that the first place does not spell.
    """

    query: Asked
    results: list[GeocodeResult] | None = None
    unused: list[Line] | None = None
    error: Failure | None = None
    source: Source | None = None

    def text(self) -> list[str]:
        """The query, then its places or its error."""
        if self.error:
            return [f"{self.query}: {self.error.line()}"]
        lines = [f"{self.query}:", *(f"   {line}" for line in listed(self.results or []))]
        if self.unused:
            lines.append(f"   not used: {'; '.join(self.unused)}")
        if self.source:
            degraded = f", degraded: {self.source.reason}" if self.source.degraded else ""
            lines.append(f"   source: {self.source.backend}{degraded}")
        return lines


class BatchReply(Sourced):
    """The reply of `batch_geocode`: an item for each query, in order; `remaining` were not asked."""

    items: list[BatchItem]
    total: int
    answered: int
    failed: int
    remaining: list[Asked]
    hint: str | None = None

    @classmethod
    def of(
        cls,
        answers: Iterable[tuple[str, Found | BearingsError]],
        remaining: Sequence[str],
        source: Provenance,
        hint: str | None,
    ) -> "BatchReply":
        """The answers in their order; `source` is their common provenance."""
        items = [_item(query, answer, source) for query, answer in answers]
        failed = sum(item.error is not None for item in items)
        return cls(
            items=items,
            total=len(items) + len(remaining),
            answered=len(items) - failed,
            failed=failed,
            remaining=list(remaining),
            hint=hint,
            **provenance(source),
        )

    @classmethod
    def joined(cls, replies: "Sequence[BatchReply]", items: Sequence[BatchItem]) -> "BatchReply":
        """One reply made of several, with all of their items in the given order."""
        first, failed = replies[0], sum(item.error is not None for item in items)
        sources = {
            item.query: reply.source for reply in replies for item in reply.items if reply.source != first.source
        }
        numbered = [
            changed(item, source=item.source or sources.get(item.query)) if item.results else item for item in items
        ]
        hint = next((reply.hint for reply in replies if reply.hint and not reply.remaining), None)
        counts = {"total": len(items), "answered": len(items) - failed, "failed": failed}
        return changed(first, items=numbered, remaining=[], hint=hint, **counts)

    def to_text(self) -> str:
        """Totals, then each query with its outcome; a repeated query refers to the first."""
        lines = [self.totals()]
        first: dict[str, int] = {}
        for number, item in enumerate(self.items, 1):
            if first.setdefault(item.query, number) == number:
                head, *more = item.text()
                lines += [f"{number}. {head}", *more]
            else:
                lines.append(f"{number}. {item.query}: as {first[item.query]}.")
        return self.sourced([*lines, *self.remarks()])

    def totals(self) -> str:
        """The numbers of queries by their outcome."""
        return f"{self.answered} of {self.total} answered, {self.failed} failed, {len(self.remaining)} not asked"

    def remarks(self) -> list[str]:
        """The lines below the answers."""
        return _left(self.remaining, self.hint)


class Stop(CleanPart):
    """One point of a route or matrix: its position, or the error.

    `name` is the query or the caller's label; `display_name` and `precision` describe the place found.
    """

    name: Asked | None = None
    display_name: Name | None = None
    precision: str | None = None
    lat: float | None = None
    lon: float | None = None
    match: Match | None = None
    confidence: float | None = None
    error: Failure | None = None

    @classmethod
    def at(cls, point: Point, name: str | None = None, place: Place | None = None) -> "Stop":
        """A known point, as given or by the place found."""
        if place is None:
            return cls(name=name, **position(point))
        confidence = None if place.confidence is None else round(place.confidence, 2)
        own = {"name": name, "precision": precision(place), "confidence": confidence}
        return cls(**same_fields(cls, place) | own | position(point))

    def line(self) -> str:
        """`Paris: Paris, Île-de-France, France (city) 48.8566, 2.3522`."""
        parts = [f"{self.name}:"] if self.name else []
        if self.error:
            return " ".join([*parts, self.error.line()])
        parts += [f"{self.display_name} ({self.precision})"] if self.display_name else []
        return " ".join([*parts, f"{degrees(self.lat or 0.0)}, {degrees(self.lon or 0.0)}"])


@dataclass(frozen=True, slots=True)
class Journey:
    """The stops of a route or matrix, and the point of each: None for one that was not found.

    `remaining` are the names that were not asked for, `source` is the common provenance of the others.
    """

    stops: Sequence[Stop]
    points: Sequence[Point | None]
    remaining: Sequence[str]
    source: Provenance
    hint: str | None


class Leg(Part):
    """From one waypoint to the next: their numbers, from 0, and the great-circle distance."""

    start: int
    end: int
    distance_m: float


class RouteReply(Sourced):
    """The reply of `route_waypoints`. Legs join neighbours that were both found; `complete`: all were found.

    The box is the smallest that holds every point found, whole and in pieces that never cross 180°.
    """

    points: list[Stop]
    legs: list[Leg]
    total_distance_m: float
    complete: bool
    bbox: Box
    bboxes: list[Box]
    remaining: list[Asked]
    hint: str | None = None

    @classmethod
    def of(cls, journey: Journey) -> "RouteReply":
        """The route over the points that were found, at least one."""
        points = journey.points
        pairs = enumerate(pairwise(points))
        legs = [
            Leg(start=number, end=number + 1, distance_m=metres(geometry.distance_m(a, b)))
            for number, (a, b) in pairs
            if a is not None and b is not None
        ]
        box = tidy(geometry.enclosing(point for point in points if point is not None))
        return cls(
            points=list(journey.stops),
            legs=legs,
            total_distance_m=metres(sum(leg.distance_m for leg in legs)),
            complete=None not in points,
            bbox=list(box),
            bboxes=[list(piece) for piece in geometry.split(box)],
            remaining=list(journey.remaining),
            hint=journey.hint,
            **provenance(journey.source),
        )

    def to_text(self) -> str:
        """The stops, each with the distance from the previous one; the total and the box."""
        from_before = {leg.end: f" (+{distance(leg.distance_m)})" for leg in self.legs}
        lines = [f"{number}. {stop.line()}{from_before.get(number, '')}" for number, stop in enumerate(self.points)]
        return self.sourced([*lines, *self.remarks()])

    def remarks(self) -> list[str]:
        """The lines below the stops: the total, the box, the queries that were not asked, the advice."""
        gaps = "" if self.complete else " (not complete: the legs of points not found are missing)"
        total = f"total {distance(self.total_distance_m)}, great circle{gaps}"
        box = f"bbox {' and '.join(numbers(piece) for piece in self.bboxes)}"
        return [total, box, *_left(self.remaining, self.hint)]


class MatrixReply(Sourced):
    """The reply of `distance_matrix`: metres between each pair of points, null if one of them was not found."""

    points: list[Stop]
    distances_m: list[list[float | None]]
    complete: bool
    remaining: list[Asked]
    hint: str | None = None

    @classmethod
    def of(cls, journey: Journey) -> "MatrixReply":
        """The matrix; each distance is computed once, so that it is symmetric to the last digit."""
        points = journey.points
        rows: list[list[float | None]] = [[None] * len(points) for _ in points]
        for number, start in enumerate(points):
            for other, end in enumerate(points[: number + 1]):
                if start is not None and end is not None:
                    rows[number][other] = rows[other][number] = metres(geometry.distance_m(start, end))
        return cls(
            points=list(journey.stops),
            distances_m=rows,
            complete=None not in points,
            remaining=list(journey.remaining),
            hint=journey.hint,
            **provenance(journey.source),
        )

    def to_text(self) -> str:
        """The points, then the lower triangle: row n has the metres from point n to points 0 … n-1."""
        lines = [f"{number}. {stop.line()}" for number, stop in enumerate(self.points)]
        lines.append("metres (great circle) from each point to those before it:")
        for number, row in enumerate(self.distances_m[1:], 1):
            lines.append(f"{number}: " + " ".join("-" if metres is None else f"{metres}" for metres in row[:number]))
        return self.sourced([*lines, *self.remarks()])

    def remarks(self) -> list[str]:
        """The lines below the distances."""
        return _left(self.remaining, self.hint)


def together(provenances: Sequence[Provenance], otherwise: Provenance) -> Provenance:
    """One provenance for several answers: the first's, with all attributions; `otherwise` if there are none.

    It is cached if all are, as old as the oldest, and degraded, with the reason, if any is.
    """
    if not provenances:
        return otherwise
    attributions = dict.fromkeys(one.attribution for one in provenances)
    degraded = next((one for one in provenances if one.degraded), None)
    ages = [one.age_s for one in provenances if one.age_s is not None]
    return replace(
        degraded or provenances[0],
        attribution="; ".join(attributions),
        cached=all(one.cached for one in provenances),
        age_s=max(ages, default=None),
    )


def _item(query: str, answer: Found | BearingsError, whole: Provenance) -> BatchItem:
    if isinstance(answer, BearingsError):
        return BatchItem(query=query, error=Failure.of(answer))
    mine = answer.provenance
    differs = (mine.backend, mine.degraded) != (whole.backend, whole.degraded)
    return BatchItem(
        query=query,
        results=[GeocodeResult.of(place) for place in answer.places],
        unused=list(answer.unused) or None,
        source=provenance(mine)["source"] if differs else None,
    )


def _left(remaining: Sequence[str], hint: str | None) -> list[str]:
    """The queries that were not asked, and the advice."""
    lines = [f"not asked: {'; '.join(remaining)}"] if remaining else []
    return [*lines, hint] if hint else lines
