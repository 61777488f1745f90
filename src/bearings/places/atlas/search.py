"""Search places by name: exactly, then as the beginning of a name, then misspelt; always with the query's context.

A query is read as a name and a context. The areas that contain the place must spell every word of the context
("Springfield, Illinois, USA"), so a query with an unknown part finds nothing. A natural feature may also reach into an
area from another one ("Lake Geneva, France"), if no place of the name lies in the area.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bearings.places import geometry
from bearings.places.atlas import precedence, ranking, towns
from bearings.places.atlas.context import Contexts
from bearings.places.atlas.index import Index, Row
from bearings.places.atlas.matching import (
    Fit,
    Hit,
    Matcher,
    Reading,
    beginning,
    containing,
    exact,
    inflected,
    respelt,
    sounding,
)
from bearings.places.atlas.misspelling import is_spaced, misspelt
from bearings.places.atlas.readings import partial_stages, stages
from bearings.places.engine import text
from bearings.places.engine.ranking import Filter, score_of, shares_of
from bearings.places.models import Layer, Match, ParsedQuery, Point
from bearings.places.query import parse

Fits = Callable[[Row, tuple[str, ...]], bool]
"""Whether a row fits a context."""

MOST_SUGGESTIONS = 5
_OF_ONE_NAME = 3
_FIRST_LETTER_COST = 0.05
"""The cost of a guess with another first letter: writers rarely miss that one."""

_FAMOUS = 0.65
"""The importance of a city of 920,000 people."""

_ABOUT_AS_LARGE = 15.0
"""The areas of a city and its county, estimated and exact, differ by less; those of New York and its state by more."""

_LEAST_SHARE = 0.01
"""Less likely hits are not compared with the others."""

_RIVAL = math.log(10) / ranking.LONE_STEEPNESS
"""A rival whose score is further below is a tenth as likely at most: "Barcelna" is no Bárcena de Cicero."""

_CERTAIN = {Match.EXACT, Match.ALTERNATE}
_LEAST_PARTS = 3
_LEAST_TOWN = 0.45
"""The least importance of a place outside the area that the query names: a town of 13,000 people."""

_PASSED_OVER = 0.93
"""The factor on the confidence if a part of the query is not used. Set after a look at the calibration of
benchmarks/atlas, where 28 of 28 such answers were right."""

_NEAR_M, _NEAR_BONUS = 100_000.0, 0.3
"""Between namesakes the one within this distance of `near` is meant: outweighs importance, as a viewbox does."""

_AROUND = 0.8
"""The factor on the confidence if the surroundings of a place are meant."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A search's results, best first; `suggestions` are places that may be meant if nothing fits well enough.

    `unused` are parts of the query that name nothing; `about`: they ask for the surroundings of the place.
    """

    hits: tuple[Hit, ...] = ()
    suggestions: tuple[Hit, ...] = ()
    unused: tuple[str, ...] = ()
    about: bool = False


def search(index: Index, query: str | ParsedQuery, limit: int, only: Filter) -> Answer:
    """At most `limit` hits for a free-form query, best first; empty if it names no place."""
    parsed = parse(query) if isinstance(query, str) else query
    whole: Answer | None = None
    for read in (parsed, *((parsed.plain,) if parsed.plain else ())):
        answer = find(index, stages(read), limit, only)
        answer = answer if answer.hits else _passing_over_parts(index, read, limit, only) or answer
        if not answer.hits:
            partly = find(index, partial_stages(read), limit, only)
            answer = partly if partly.hits else answer
        if answer.hits:
            return replace(answer, unused=(*answer.unused, *read.aside))
        whole = whole or answer
    hits, unused = towns.find(index, parsed, limit, only)
    return Answer(hits, (), unused) if hits else whole or Answer()


def _passing_over_parts(index: Index, parsed: ParsedQuery, limit: int, only: Filter) -> Answer | None:
    """The place of the first part in the area of the last, if no place lies in all areas that the parts between name.

    A part that names no area there is skipped: "Kruševac, Krusevacki okrug, Serbia" is in Serbia, under any name of the
    district. If the area has no such place, a nearby town will do: "Hamura, Saitama, Japan" is in Tokyo, at the border
    of Saitama. Other parts are not skipped: "Broadway, New York, USA" is not a village of Virginia.
    """
    parts = [(part, text.normalise(part)) for part in parsed.parts]
    if len(parts) < _LEAST_PARTS or not all(key for _, key in parts):
        return None
    contexts = Contexts(index)
    (_, name), *between, (_, area) = parts
    strange = {key for _, key in between if not contexts.is_known(key)}
    away = {key for _, key in between if key not in strange and not contexts.is_known_in(key, area)}
    around = tuple(key for _, key in between if key not in strange | away)
    # First without the parts that name nothing in the area, then near the parts that name something in it.
    for near in ((),) * bool(strange | away) + (around,) * bool(around):
        in_areas = (area,) if near else (*around, area)
        answer = find(index, [[Reading(name, in_areas, exactly=True, near=near)]], limit, only)
        sure = [hit for hit in answer.hits if hit.fit.match in _CERTAIN]
        if away or near:
            sure = [hit for hit in sure if hit.row.importance >= _LEAST_TOWN]
        if sure:
            amiss = strange | away | {key for key in near if not contexts.fits(sure[0].row, (key,))}
            unused = tuple(part for part, key in between if key in amiss)
            hits = tuple(replace(hit, confidence=round(_PASSED_OVER * hit.confidence, 3)) for hit in sure)
            return Answer(hits, answer.suggestions, unused) if unused else None
    return None


def find(index: Index, searched: list[list[Reading]], limit: int, only: Filter) -> Answer:
    """As `search`, for parsed queries: the first stage with a fitting place answers, exact names before others.

    Names that only contain the words, begin with a part of them or are spelt otherwise are suggestions, unless sure.
    """
    contexts = Contexts(index)
    guesses: dict[int, Hit] = {}
    for match in (exact, beginning, containing, respelt, misspelt, sounding, inflected):
        for readings in searched:
            hits = _ranked(index, _hits(index, contexts, readings, match, only))
            sure = [hit for hit in hits if _is_sure(hit, hits)]
            if sure and sure[0].fit.match is Match.CORRECTED:  # "Sprngfield" is sure, and all Springfields are meant
                return _corrected(sure[0].fit.key, hits, limit)
            if sure:
                return _answer(sure[:limit], _suggested(guesses.values(), sure))
            for hit in hits:
                guesses.setdefault(hit.row.id, hit)
    return Answer((), _suggested(guesses.values()))


def _answer(hits: Sequence[Hit], suggestions: tuple[Hit, ...]) -> Answer:
    """The hits with what the reading of the first leaves unused."""
    first = hits[0]
    if not first.unused:
        return Answer(tuple(hits), suggestions)
    factor = _AROUND if first.about else _PASSED_OVER
    less = tuple(replace(hit, confidence=round(factor * hit.confidence, 3)) for hit in hits)
    return Answer(less, suggestions, first.unused, first.about)


def _corrected(key: str, hits: list[Hit], limit: int) -> Answer:
    """All places with the name that a query certainly misspells; other guesses are suggestions."""
    of_name = [hit for hit in hits if hit.fit.key == key]
    return Answer(tuple(of_name[:limit]), _suggested(hit for hit in hits if hit.fit.key != key))


def _suggested(guesses: Iterable[Hit], answered: Iterable[Hit] = ()) -> tuple[Hit, ...]:
    """The likeliest guesses: names with the query as a word first; three of one name before the rest of them."""

    def likelihood(hit: Hit) -> float:
        is_other = hit.fit.match is Match.CORRECTED and hit.fit.key[0] != hit.searched[0]
        return hit.score - (_FIRST_LETTER_COST if is_other else 0.0)

    known = {hit.row.id for hit in answered}
    # Names of which the query is a whole word, or words, come first.
    likely = sorted(
        (hit for hit in guesses if hit.row.id not in known),
        key=lambda hit: (f" {hit.searched} " not in f" {hit.fit.key} ", -likelihood(hit), hit.row.id),
    )
    by_name: dict[str, list[Hit]] = {}
    for hit in likely:
        by_name.setdefault(hit.fit.key, []).append(hit)
    first = {hit.row.id for of_name in by_name.values() for hit in of_name[:_OF_ONE_NAME]}
    return tuple(sorted(likely, key=lambda hit: hit.row.id not in first)[:MOST_SUGGESTIONS])


def _hits(index: Index, contexts: Contexts, readings: list[Reading], match: Matcher, only: Filter) -> dict[int, Hit]:
    """The best hit for each row that fits a reading.

    Features that only reach into an area count if nothing lies in it; an area named as its own context, if these fail
    too.
    """
    known = [each for each in readings if all(map(contexts.may_hold, each.context))]
    matched = [(each, match(index, each)) for each in known]
    around = [(each, matches) for each, matches in matched if each.context and matches]
    # "Khammam, Andhra Pradesh, India" is not the peninsula of India that reaches into a district and a state.
    crossing = [(each, matches) for each, matches in around if not contexts.is_country(each.name)]
    return (
        _fitting_hits(index, contexts, contexts.fits, matched, only)
        or _fitting_hits(index, contexts, contexts.reaches, crossing, only)
        or _fitting_hits(index, contexts, partial(contexts.fits, itself=True), around, only)
    )


def _fitting_hits(
    index: Index, contexts: Contexts, fits: Fits, matched: Sequence[tuple[Reading, Mapping[int, Fit]]], only: Filter
) -> dict[int, Hit]:
    best: dict[int, Hit] = {}
    for reading, matches in matched:
        for row in index.rows(matches).values():
            is_admitted = only.admits(row.point, row.layer, row.country_code) and reading.admits(row)
            if is_admitted and fits(row, reading.context) and contexts.is_near(row, reading.near):
                fit = matches[row.id]
                score = score_of(fit.value, row.importance, row.point, only.near, only.viewbox)
                if only.near is not None and _is_near(row, only.near):
                    score += _NEAR_BONUS
                if row.id not in best or score > best[row.id].score:
                    lone = not (reading.context or only.narrows)
                    best[row.id] = Hit(
                        row, score, fit, reading.name, unused=reading.unused, about=reading.about, lone=lone
                    )
    return best


def _is_near(row: Row, near: Point) -> bool:
    """Whether a place, or the box of an area with an outline, is within `_NEAR_M`."""
    is_inside = row.bbox_kind == "exact" and geometry.contains(row.bbox, near)
    return is_inside or geometry.distance_m(near, row.point) <= _NEAR_M


def _ranked(index: Index, found: Mapping[int, Hit]) -> list[Hit]:
    """The hits best first, each with its confidence among the others.

    A city and the county with its name around it are one answer and share their likelihood.
    """
    ordered = sorted(_preceded(found), key=lambda hit: (-hit.score, hit.row.id))
    steepness = ranking.LONE_STEEPNESS if ordered and ordered[0].lone else ranking.STEEPNESS
    shares = shares_of([hit.score for hit in ordered], steepness)
    likely = [number for number, share in enumerate(shares) if share >= _LEAST_SHARE]
    areas_of = {number: {above.id for above in index.ancestors(ordered[number].row)} for number in likely}

    def is_one(number: int, other: int) -> bool:
        one, two = ordered[number], ordered[other]
        if number == other or one.fit.key != two.fit.key:
            return number == other
        least, most = sorted(geometry.area_km2(hit.row.bbox) for hit in (one, two))
        return (two.row.id in areas_of[number] or one.row.id in areas_of[other]) and most <= _ABOUT_AS_LARGE * least

    together = {number: sum(shares[other] for other in likely if is_one(number, other)) for number in likely}
    return [
        replace(hit, confidence=_confidence(hit, together.get(number, share)))
        for number, (hit, share) in enumerate(zip(ordered, shares, strict=True))
    ]


def _preceded(found: Mapping[int, Hit]) -> Iterable[Hit]:
    """The hits with their scores raised by precedence."""
    if len(found) == 1 or not any(precedence.may_yield(hit.fit.match, hit.row.layer) for hit in found.values()):
        return found.values()
    lifted = precedence.lifted(found.values())
    return [replace(hit, score=lifted[place]) if place in lifted else hit for place, hit in found.items()]


def _confidence(hit: Hit, share: float) -> float:
    """The probability that a hit is meant, given its likelihood among the others."""
    lone_settlement = hit.lone and hit.row.layer is Layer.SETTLEMENT
    trust = ranking.trust(hit.fit.match, hit.row.importance, lone_settlement=lone_settlement)
    return round(share * hit.fit.sureness * trust, 3)


def _is_sure(hit: Hit, hits: list[Hit]) -> bool:
    """Whether a hit is an answer instead of a guess.

    The beginning of a name is an answer if it ends with a word, or belongs to a well-known place's main name. A
    misspelt name is one if it is one edit away from a well-known place's main name, and no other name is as likely.
    """
    if hit.fit.match not in (Match.PREFIX, Match.CORRECTED):
        return True
    is_main = text.key_of(hit.row.name) == hit.fit.key
    is_country_elsewhere = hit.row.layer is Layer.COUNTRY and not hit.fit.key.isascii()
    well_known = hit.row.importance >= ranking.WELL_KNOWN and (is_main or is_country_elsewhere)
    if hit.fit.match is Match.PREFIX:
        return hit.fit.key.startswith(f"{hit.searched} ") or (well_known and ranking.begins(hit.searched, hit.fit.key))
    if is_spaced(hit.searched, hit.fit.key):
        return hit.row.importance >= ranking.WELL_KNOWN
    is_only = all(other.fit.key == hit.fit.key or not _rivals(other, hit) for other in hits)
    return well_known and is_only and text.is_guessable(hit.searched) and hit.fit.value >= 1.0 - ranking.EDIT_COST


def _rivals(other: Hit, hit: Hit) -> bool:
    """Whether another spelling may also be meant.

    It isn't if it is much less likely than a famous place, or has another first letter where that place keeps it.
    """
    if hit.row.importance >= _FAMOUS and other.score < hit.score - _RIVAL:
        return False
    return other.fit.key[0] == hit.searched[0] or hit.fit.key[0] != hit.searched[0]
