"""Asks a `Geocoder` as the tools do, and counts how often it is right."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bearings.errors import BearingsError, NotFound
from bearings.places.geocoder import Geocoder
from benchmarks.atlas import shapes
from benchmarks.atlas.judges import SETTLED, folded
from benchmarks.atlas.points import Spot
from benchmarks.atlas.sets import Question

Dump = Mapping[str, Any]


@dataclass
class Score:
    """How many were asked, right, answered at all, and ended in an error; the misses for a reader."""

    asked: int = 0
    right: int = 0
    answered: int = 0
    errors: int = 0
    groups: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    misses: list[str] = field(default_factory=list)

    def add(self, right: bool, group: str, miss: str) -> None:
        """One more."""
        self.asked += 1
        self.right += right
        self.groups[group].append(right)
        if not right:
            self.misses.append(f"{group}\t{miss}")


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

    async def _found(self, query: str, score: Score, limit: int = 5) -> Dump | None:
        """The reply to a query as it goes out; None: an error, which is counted unless it is "not found"."""
        try:
            return (await self._geocoder.geocode(query, limit=limit)).model_dump(mode="json")
        except NotFound:
            return None
        except BearingsError:
            score.errors += 1
        except Exception as error:  # noqa: BLE001 - what a caller sees as `internal`
            score.errors += 1
            score.misses.append(f"error\t{query}\t{type(error).__name__}: {error}")
        return None

    async def names(self, questions: Iterable[Question]) -> Score:
        """The first result of each question is right or not."""
        score = Score()
        for one in questions:
            reply = await self._found(one.query, score)
            first = reply["results"][0] if reply and reply["results"] else None
            score.answered += first is not None
            right = first is not None and one.right(first)
            if first is not None:
                self.confidences.add(first, right)
            score.add(right, one.group, f"{one.query}\t{first and first['display_name']}\t{first and first['type']}")
        return score

    async def silences(self, questions: Iterable[Question]) -> Score:
        """Right: no result, or only a true namesake. `answered` counts the rest."""
        score = Score()
        for one in questions:
            reply = await self._found(one.query, score)
            results = reply["results"] if reply else []
            wrong = [found for found in results if not one.right(found)]
            score.answered += bool(wrong)
            if wrong and wrong[0] is results[0]:
                self.confidences.add(wrong[0], False)
            score.add(not wrong, one.group, f"{one.query}\t{wrong and wrong[0]['display_name']}")
        return score

    async def suggested(self, questions: Iterable[Question]) -> Score:
        """Right: among five results or five suggestions. `answered` counts those right in the results."""
        score = Score()
        for one in questions:
            reply = await self._found(one.query, score) or {"results": []}
            in_results = any(one.right(found) for found in reply["results"][:5])
            score.answered += in_results
            hints = list(reply.get("suggestions") or ())[:5]
            right = in_results or any(_meant(hint, one) for hint in hints)
            score.add(right, "", f"{one.query}\t{one.group}\t{[found['name'] for found in reply['results']]}")
        return score

    async def reverse(self, spots: Iterable[Spot], right: Callable[[Dump, Spot], bool]) -> Score:
        """What a point lies in; nothing there is wrong."""
        score = Score()
        for spot in spots:
            try:
                reply = (await self._geocoder.reverse_geocode(spot.lat, spot.lon)).model_dump(mode="json")
            except NotFound:
                reply = None
            except BearingsError:
                reply = None
                score.errors += 1
            score.answered += reply is not None
            found = reply is not None and right(reply, spot)
            score.add(found, spot.group, f"{spot.lat}, {spot.lon}\t{spot.wanted}\t{reply and reply['display_name']}")
        return score

    async def boxes(self, wanted: Sequence[tuple[str, Sequence[shapes.Box]]], least: float) -> Score:
        """Right: IoU of `least` with one of the reference's boxes."""
        score = Score()
        for query, boxes in wanted:
            try:
                reply = (await self._geocoder.bbox_from_place(query)).model_dump(mode="json")
            except NotFound:
                reply = None
            except BearingsError:
                reply = None
                score.errors += 1
            score.answered += reply is not None
            alike = max((shapes.iou(tuple(reply["bbox"]), box) for box in boxes), default=0) if reply else 0
            score.add(alike >= least, "", f"{query}\t{alike:.3f}\t{reply and reply['bbox']}\t{boxes[0]}")
        return score


def _meant(hint: Any, one: Question) -> bool:
    """A suggestion as a place or as words."""
    if isinstance(hint, Mapping):
        if "lat" in hint and "type" in hint and "address" in hint:
            return one.right(hint)
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
    """The region's ISO 3166-2 code, at whatever level the address has it."""
    return spot.wanted in {value for key, value in reply["address"].items() if key.startswith("ISO3166-2")}


def as_it_is(reply: Dump | None, wanted: str) -> bool:
    """What `points.tsv` wants: "xx" that country; "xx+yy" both claims said; "sea NAME" named; "none" nothing there."""
    kind, _, name = wanted.partition(" ")
    if reply is None:
        return kind in ("none", "ocean")
    said = folded(str({key: value for key, value in reply.items() if key not in ("source", "attribution")}))
    if kind in ("sea", "ocean"):
        return folded(name) in folded(reply["display_name"]) and reply["type"] not in SETTLED
    if kind == "claims":
        return all(folded(part) in said for part in name.split("+"))
    return bool(reply["address"].get("country_code") == kind)
