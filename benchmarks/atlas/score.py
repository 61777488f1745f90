"""Asks a `Geocoder` as the tools do, and counts how often it is right."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bearings.errors import BearingsError, InvalidInput, NotFound
from bearings.places.geocoder import Geocoder
from bearings.reply import Reply
from benchmarks.atlas import points, shapes
from benchmarks.atlas.judges import SETTLED, folded
from benchmarks.atlas.points import Spot
from benchmarks.atlas.sets import Question

Dump = Mapping[str, Any]
OF_ADDRESS = 0.8
"""An address gives its town, less sure than this."""

SURE = 0.8

KNOWN, UNKNOWN = "found when rightly spelt", "not found when rightly spelt"


@dataclass
class Score:
    """How many were asked, right, answered at all, and ended in an error; misses and hits for a reader."""

    asked: int = 0
    right: int = 0
    answered: int = 0
    errors: int = 0
    sure: int = 0
    """Wrong, and surer than `SURE`."""
    level: int = 0
    """Answered at a right level."""
    groups: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    misses: list[str] = field(default_factory=list)
    hits: list[str] = field(default_factory=list)

    def add(self, right: bool, group: str, line: str) -> None:
        """One more; the line tells question and answer."""
        self.asked += 1
        self.right += right
        self.groups[group].append(right)
        (self.hits if right else self.misses).append(f"{group}\t{line}")


@dataclass
class Confidences:
    """Answers by their confidence, over all sets of names."""

    said: list[tuple[float, bool]] = field(default_factory=list)

    def add(self, result: Dump, right: bool) -> None:
        """One first result, where it says a confidence."""
        if isinstance(said := result.get("confidence"), int | float):
            self.said.append((float(said), right))

    def tenths(self) -> list[tuple[int, int, float, float]]:
        """Of each tenth: its number, how many, the mean said, the share right."""
        tenths: dict[int, list[tuple[float, bool]]] = defaultdict(list)
        for said, right in self.said:
            tenths[min(int(said * 10), 9)].append((said, right))
        return [
            (tenth, len(some), sum(said for said, _ in some) / len(some), sum(right for _, right in some) / len(some))
            for tenth, some in sorted(tenths.items())
        ]


class Asker:
    """A service under test; anything that is a Geocoder over any source."""

    def __init__(self, geocoder: Geocoder) -> None:
        self._geocoder = geocoder
        self.confidences = Confidences()

    async def _found(self, query: str, score: Score, *, silent: bool = False) -> Dump | None:
        """The reply of `geocode` to a query, at most five results. `silent`: a refusal is an empty answer."""
        reply = self._geocoder.geocode(query, limit=5)
        return await self._said(query, reply, score, (NotFound, InvalidInput) if silent else (NotFound,))

    async def _said(
        self,
        what: str,
        reply: Awaitable[Reply],
        score: Score,
        silent: tuple[type[BearingsError], ...] = (NotFound,),
    ) -> Dump | None:
        """The reply as it goes out; None: an error, which is counted unless it is one of `silent`."""
        try:
            return (await reply).structured()
        except silent:
            return None
        except Exception as error:  # noqa: BLE001 - what is no BearingsError reaches a caller as `internal`
            score.errors += 1
            score.misses.append(f"error\t{what}\t{type(error).__name__}: {error}")
        return None

    async def names(self, questions: Iterable[Question]) -> Score:
        """The first result of each question is right or not."""
        score = Score()
        for one in questions:
            reply = await self._found(one.query, score, silent=one.silent)
            first = reply["results"][0] if reply and reply["results"] else None
            score.answered += first is not None
            right = one.silent if first is None else one.right(first)
            said = ""
            if first is not None:
                self.confidences.add(first, right)
                score.sure += not right and first["confidence"] > SURE
                score.level += one.level is not None and one.level(first)
                said = f"{first['type']}\t{first['confidence']}"
            score.add(right, one.group, f"{one.query}\t{first and first['display_name']}\t{said}")
        return score

    async def silences(self, questions: Iterable[Question]) -> Score:
        """Right: no result, a refusal, only a true namesake, or the town of an address. `answered` counts the rest.

        A town says what it leaves unused, and is less sure than `OF_ADDRESS`.
        """
        score = Score()
        for one in questions:
            asked = self._geocoder.geocode(one.query, limit=5)
            reply = await self._said(one.query, asked, score, (NotFound, InvalidInput))
            results = reply["results"] if reply else []
            is_partial = bool(reply and reply.get("unused"))
            wrong = [found for found in results if not (one.right(found) or (is_partial and _is_less_sure(found)))]
            score.answered += bool(wrong)
            if wrong and wrong[0] is results[0]:
                self.confidences.add(wrong[0], False)
            score.add(not wrong, one.group, f"{one.query}\t{wrong and wrong[0]['display_name']}")
        return score

    async def suggested(self, questions: Iterable[Question]) -> Score:
        """Right: among five results or five suggestions. `answered` counts those right in the results.

        A question's group is the right spelling; the score's groups are `KNOWN` (that finds the place), `UNKNOWN`.
        """
        score = Score()
        for one in questions:
            reply = await self._found(one.query, score) or {"results": []}
            in_results = any(map(one.right, reply["results"]))
            score.answered += in_results
            hints = list(reply.get("suggestions") or ())[:5]
            right = in_results or any(_meant(hint, one) for hint in hints)
            spelt = await self._found(one.group, score) or {"results": []}
            known = KNOWN if any(map(one.right, spelt["results"])) else UNKNOWN
            said = [
                place.get("display_name") if isinstance(place, dict) else place for place in [*reply["results"], *hints]
            ]
            score.add(right, known, f"{one.query}\t{one.group}\t{said}")
        return score

    async def reverse(self, spots: Iterable[Spot], right: Callable[[Dump, Spot], bool]) -> Score:
        """Scores the places around points. An empty answer is wrong."""
        score = Score()
        for spot in spots:
            where = f"{spot.lat}, {spot.lon}"
            reply = await self._said(where, self._geocoder.reverse_geocode(spot.lat, spot.lon), score)
            score.answered += reply is not None
            found = reply is not None and right(reply, spot)
            score.add(found, spot.group, f"{where}\t{spot.wanted}\t{reply and reply['display_name']}")
        return score

    async def boxes(self, wanted: Sequence[tuple[str, Sequence[shapes.Box]]], least: float) -> Score:
        """Right: IoU of `least` with one of the reference's boxes."""
        score = Score()
        for query, boxes in wanted:
            reply = await self._said(query, self._geocoder.bbox_from_place(query), score)
            score.answered += reply is not None
            alike = max((shapes.iou(tuple(reply["bbox"]), box) for box in boxes), default=0) if reply else 0
            score.add(alike >= least, "", f"{query}\t{alike:.3f}\t{reply and reply['bbox']}\t{boxes[0]}")
        return score


def _meant(hint: Any, one: Question) -> bool:
    """A suggestion is judged by its point where it has one, and by its name where it is text alone."""
    if isinstance(hint, Mapping):
        if one.near is not None and "lat" in hint:
            return one.near(hint)
        hint = hint.get("name") or hint.get("query") or hint.get("display_name") or ""
    return folded(str(hint).partition(",")[0]) == folded(one.group)


def in_country(reply: Dump, spot: Spot) -> bool:
    """The country's ISO code."""
    return bool(reply["address"].get("country_code") == spot.wanted)


def in_state(reply: Dump, spot: Spot) -> bool:
    """The state's name, in the United States."""
    address = reply["address"]
    return bool(address.get("country_code") == "us" and address.get("state") == spot.wanted)


def in_region(reply: Dump, spot: Spot) -> bool:
    """The region's ISO 3166-2 code, at whatever level the address has it, or the code of a part of the region."""
    codes = {value for key, value in reply["address"].items() if key.startswith("ISO3166-2")}
    return spot.wanted in codes | {points.outer().get(code) for code in codes}


def as_it_is(reply: Dump | None, wanted: str) -> bool:
    """The rule of `points.tsv`: "xx" that country; "xx+yy" both claims; "sea NAME" its name; "none" an empty answer."""
    kind, _, name = wanted.partition(" ")
    if reply is None:
        return kind in ("none", "ocean")
    said = folded(str({key: value for key, value in reply.items() if key not in ("source", "attribution")}))
    if kind in ("sea", "ocean"):
        return folded(name) in folded(reply["display_name"]) and reply["type"] not in SETTLED
    if kind == "claims":
        return all(folded(part) in said for part in name.split("+"))
    return bool(reply["address"].get("country_code") == kind)


def _is_less_sure(found: Dump) -> bool:
    return float(found["confidence"]) < OF_ADDRESS
