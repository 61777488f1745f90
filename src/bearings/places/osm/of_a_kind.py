"""Objects of a kind: "cafes near Vaduz", "pharmacies in Valletta", "hotel" near a point."""

from collections.abc import Callable, Iterator, Sequence

from bearings.places import geometry
from bearings.places.engine.ranking import Filter
from bearings.places.models import Match, Point
from bearings.places.osm import nearby
from bearings.places.osm.asked import FILLERS, Asked, Span
from bearings.places.osm.hits import Answer, Hit, admits
from bearings.places.osm.phrases import IN, NEAR

_TRUST, _LESS_TRUST = 0.9, 0.7
_OF = frozenset({"of", "de", "du", "des", "di"})
"""Behind these the words are a name: "Church of St John"."""

_MOST = 400
"""Objects that are looked at: a filter may leave few of them."""

Where = Callable[[Sequence[str]], Sequence[Hit]]
"""The places that some words name, best first."""


def of_a_kind(asked: Asked, only: Filter, where: Where, limit: int, *, plainly: bool) -> Answer:
    """Objects of a kind in or near the place that the other words name, nearest first; no hits if there is none.

    `plainly`: only if a word such as "near" or "in" stands beside the kind, or nothing beside it and the caller says
    where, so that it is no name.
    """
    for span, kinds in _kinds(asked):
        rest = [number for number in range(len(asked.words)) if not span[0] <= number < span[1]]
        beside = {asked.words[number] for number in rest if number == span[1]}
        center, inside, within = _focus(only), None, None
        is_plain = asked.is_cut(span[0]) and bool(beside & (IN | NEAR) or (not rest and center is not None))
        if (plainly and not is_plain) or beside & _OF:
            continue
        words = [asked.words[number] for number in rest if asked.words[number] not in FILLERS | NEAR]
        if words:
            places = where(words)
            if not places:
                continue
            within = None if beside & NEAR else places[0]
            center, inside = places[0].row.point, within.row if within else None
        if center is None:
            continue
        objects = nearby.of_kinds(asked.map, center, kinds, inside, _MOST)
        trust = _TRUST if is_plain else _LESS_TRUST
        hits = [Hit(row, -distance, Match.NEAREST, trust) for distance, row in objects if admits(only, asked.map, row)]
        if hits:
            return Answer(
                tuple(hits[:limit]), kind=" ".join(asked.words[slice(*span)]), plainly=is_plain, within=within
            )
    return Answer()


def _kinds(asked: Asked) -> Iterator[tuple[Span, frozenset[int]]]:
    """The runs of words that name a kind of objects."""
    known = asked.map.phrases
    for span in asked.targets():
        if (kinds := known.get(asked.keys[span])) is not None:
            yield span, kinds


def _focus(only: Filter) -> Point | None:
    """The point that a query without a place is about."""
    if only.near is not None or only.viewbox is None:
        return only.near
    return geometry.center(only.viewbox)
