"""Places by name: exactly, then as the beginning of a name, then misspelt; always where the rest of the query says.

A query is read as a name and a context. Every word of the context must be spelt by the areas that contain the place
("Springfield, Illinois, USA"), or the place falls; so a query of which a part is unknown finds nothing. What nature
made may also reach into an area from another ("Lake Geneva, France"), where nothing of the name lies in it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bearings.places import geometry
from bearings.places.index import kinds, polity, ranking, text
from bearings.places.index.context import Contexts
from bearings.places.index.database import Index, Row
from bearings.places.index.matching import (
    Fit,
    Matcher,
    Reading,
    beginning,
    containing,
    exact,
    inflected,
    misspelt,
    sounding,
)
from bearings.places.models import BBox, Layer, Match, NameReading, ParsedQuery, Point
from bearings.places.query import parse

Fits = Callable[[Row, tuple[str, ...]], bool]
"""Whether a row fits a context."""

MOST_SUGGESTIONS = 5
_ABOUT_AS_LARGE = 15.0
"""A city and its county, estimated and exact, differ by less; New York and its state by more."""

_LEAST_SHARE = 0.01
"""A hit that is less likely is not compared with the others."""

_MOST_WORDS = 12
_CERTAIN = {Match.EXACT, Match.ALTERNATE}
_LEAST_PARTS = 3
_PASSED_OVER = 0.8
"""The factor on the confidence where a part of the query is not used."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which places count: those of the countries, in the box if `bounded`, of some layers, all if none."""

    country_codes: tuple[str, ...] = ()
    near: Point | None = None
    viewbox: BBox | None = None
    bounded: bool = False
    layers: frozenset[Layer] = frozenset()

    def admits(self, row: Row) -> bool:
        """Whether a row may be an answer."""
        if self.layers and row.layer not in self.layers:
            return False
        if self.country_codes and row.country_code not in self.country_codes:
            return False
        return not (self.bounded and self.viewbox is not None and not geometry.contains(self.viewbox, row.point))


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that fits, its rank among the others (greater first), and how likely it is what was meant."""

    row: Row
    score: float
    fit: Fit
    asked: str
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found, best first; `suggestions` are what may be meant where nothing fits well enough.

    `unused` are parts of the query that name nothing.
    """

    hits: tuple[Hit, ...] = ()
    suggestions: tuple[Hit, ...] = ()
    unused: tuple[str, ...] = ()


def search(index: Index, query: str | ParsedQuery, limit: int, only: Filter) -> Answer:
    """At most `limit` hits for a free-form query, best first; none for one that names no place."""
    parsed = parse(query) if isinstance(query, str) else query
    answer = find(index, _stages(parsed), limit, only)
    return answer if answer.hits else _passing_over_unknown_parts(index, parsed, limit, only) or answer


def _passing_over_unknown_parts(index: Index, parsed: ParsedQuery, limit: int, only: Filter) -> Answer | None:
    """The place of the first part in the area of the last, where no area is called as the parts between say.

    "Kruševac, Krusevacki okrug, Serbia" is in Serbia, whatever the district is called. What is an area elsewhere is
    not passed over: "Broadway, New York, USA" is no village of Virginia.
    """
    parts = [(part, text.normalise(part)) for part in parsed.parts]
    if len(parts) < _LEAST_PARTS or not all(key for _, key in parts):
        return None
    contexts = Contexts(index)
    (_, name), *between, (_, area) = parts
    unused = tuple(part for part, key in between if not contexts.is_known(key))
    around = tuple(key for part, key in between if part not in unused)
    if not unused:
        return None
    found = find(index, [[Reading(name, (*around, area), exactly=True)]], limit, only)
    sure = [hit for hit in found.hits if hit.fit.match in _CERTAIN]
    hits = tuple(replace(hit, confidence=round(_PASSED_OVER * hit.confidence, 3)) for hit in sure)
    return Answer(hits, found.suggestions, unused) if hits else None


def find(index: Index, stages: list[list[Reading]], limit: int, only: Filter) -> Answer:
    """As `search`, for queries already read: the first stage that any place fits answers, exact names before others.

    What only contains the words, begins with a part of them or is spelt otherwise is suggested, unless it is sure.
    """
    contexts = Contexts(index)
    guesses: dict[int, Hit] = {}
    for match in (exact, beginning, containing, misspelt, sounding, inflected):
        for readings in stages:
            hits = _ranked(index, _hits(index, contexts, readings, match, only))
            sure = [hit for hit in hits if _is_sure(hit, hits)]
            if sure:
                return Answer(tuple(sure[:limit]))
            for hit in hits:
                guesses.setdefault(hit.row.id, hit)
    likely = sorted(guesses.values(), key=lambda hit: (not _is_a_word(hit), -hit.score, hit.row.id))
    return Answer((), tuple(likely[:MOST_SUGGESTIONS]))


def _hits(index: Index, contexts: Contexts, readings: list[Reading], match: Matcher, only: Filter) -> dict[int, Hit]:
    """The best hit for each row that a reading fits; what only reaches into an area where nothing lies in it."""
    known = [each for each in readings if all(map(contexts.is_known, each.context))]
    matched = [(each, match(index, each)) for each in known]
    around = [(each, matches) for each, matches in matched if each.context]
    return _fitting_hits(index, contexts.fits, matched, only) or _fitting_hits(index, contexts.reaches, around, only)


def _fitting_hits(
    index: Index, fits: Fits, matched: Sequence[tuple[Reading, Mapping[int, Fit]]], only: Filter
) -> dict[int, Hit]:
    found: dict[int, Hit] = {}
    for reading, matches in matched:
        for fit, row in _fitting(index, fits, reading, matches, only):
            score = ranking.score(fit.value, row.importance, row.point, only.near, only.viewbox)
            if row.id not in found or score > found[row.id].score:
                found[row.id] = Hit(row, score, fit, reading.name)
    return found


def _ranked(index: Index, found: Mapping[int, Hit]) -> list[Hit]:
    """The hits best first, each with its confidence among the others.

    A city and the county of its name that holds it are one answer: they share what either is likely to be.
    """
    ordered = sorted(found.values(), key=lambda hit: (-hit.score, hit.row.id))
    shares = ranking.shares([hit.score for hit in ordered])
    likely = [number for number, share in enumerate(shares) if share >= _LEAST_SHARE]
    held = {number: {above.id for above in index.ancestors(ordered[number].row)} for number in likely}

    def is_one(number: int, other: int) -> bool:
        one, two = ordered[number], ordered[other]
        if number == other or one.fit.key != two.fit.key:
            return number == other
        least, most = sorted(geometry.area_km2(hit.row.bbox) for hit in (one, two))
        return (two.row.id in held[number] or one.row.id in held[other]) and most <= _ABOUT_AS_LARGE * least

    together = {number: sum(shares[other] for other in likely if is_one(number, other)) for number in likely}
    return [
        replace(hit, confidence=_confidence(hit, together.get(number, share)))
        for number, (hit, share) in enumerate(zip(ordered, shares, strict=True))
    ]


def _confidence(hit: Hit, share: float) -> float:
    """How likely a hit is what was meant, given how likely it is among the others."""
    return round(share * hit.fit.sureness * ranking.trust(hit.fit.match, hit.row.importance), 3)


def _is_a_word(hit: Hit) -> bool:
    """Whether the query is a word, or words, of the name."""
    return f" {hit.asked} " in f" {hit.fit.key} "


def _is_sure(hit: Hit, hits: list[Hit]) -> bool:
    """Whether a hit is an answer, and not a guess only.

    The beginning of a name is one if it ends with a word, or is of the main name of a well-known place. A misspelt name
    is one if it is one edit away from the main name of a well-known place, and no other name is as near.
    """
    if hit.fit.match not in (Match.PREFIX, Match.CORRECTED):
        return True
    is_main = text.key_of(hit.row.name) == hit.fit.key
    is_country_elsewhere = hit.row.layer is Layer.COUNTRY and not hit.fit.key.isascii()
    well_known = hit.row.importance >= ranking.WELL_KNOWN and (is_main or is_country_elsewhere)
    if hit.fit.match is Match.PREFIX:
        return hit.fit.key.startswith(f"{hit.asked} ") or (well_known and ranking.begins(hit.asked, hit.fit.key))
    is_only = all(other.fit.key == hit.fit.key for other in hits)
    return well_known and is_only and text.is_guessable(hit.asked) and hit.fit.value >= 1.0 - ranking.EDIT_COST


def _stages(parsed: ParsedQuery) -> list[list[Reading]]:
    """The ways to read a query, likeliest first, in stages: as it stands; as its words tell; cut anywhere.

    Where no place is of the kind that a word tells ("city of"), the last stage leaves the kind out. What is
    left of a name of an area or settlement is neither completed nor corrected: "Mersea Island" is no misspelt Merced.
    """
    parts = [key for part in parsed.parts if (key := text.normalise(part))]
    if not parts or not parsed.readings:
        return []
    told = [_keyed(reading) for reading in parsed.readings[1:]]
    governed = (each for each in told if each.kind in kinds.GOVERNED and not each.code)
    loose = [Reading(each.name, each.context, exactly=True) for each in governed]
    whole, *cut = _readings(parts)
    last = [*(each for each in loose if each.name), *_polities(parts)]
    return [whole, [each for each in told if each.name], *cut, last]


def _polities(parts: list[str]) -> Iterator[Reading]:
    """A name that stands alone as a country's, without the words that its other names may not have."""
    if len(parts) == 1:
        bare = polity.bared(parts[0])
        if bare.key != parts[0] or " " in bare.key:
            yield Reading(bare.key, exactly=True, polity=True, formal=bare.formal)


def _keyed(reading: NameReading) -> Reading:
    """A reading in keys; a context of which nothing is left is left out."""
    context = (text.normalise(part) for part in reading.context)
    name, exactly = text.normalise(reading.name), reading.kind in kinds.GOVERNED
    return Reading(name, tuple(key for key in context if key), reading.kind, reading.code, exactly)


def _readings(parts: list[str]) -> list[list[Reading]]:
    """Parts as a name and its contexts, in any order."""
    if len(parts) == 1:
        return [[Reading(parts[0])], list(_splits(parts[0], ()))]
    first, *rest = parts
    *before, last = parts
    return [
        [Reading(first, tuple(rest))],
        [*_splits(first, tuple(rest)), Reading(last, tuple(before))],
        [*(_splits(last, tuple(before)))],
    ]


def _splits(part: str, context: tuple[str, ...]) -> Iterator[Reading]:
    """A part without commas as name then areas, or areas then name; Chinese and Japanese between any characters."""
    if text.is_unspaced(part):
        yield from (Reading(part[i:], (part[:i], *context)) for i in range(2, min(len(part), _MOST_WORDS)))
        return
    words = part.split(" ")
    if len(words) <= _MOST_WORDS:
        for i in range(len(words) - 1, 0, -1):
            yield Reading(" ".join(words[:i]), (" ".join(words[i:]), *context))
            yield Reading(" ".join(words[i:]), (" ".join(words[:i]), *context))


def _fitting(
    index: Index, fits: Fits, reading: Reading, matches: Mapping[int, Fit], only: Filter
) -> Iterator[tuple[Fit, Row]]:
    """The matches that the filter admits and the context fits."""
    for identifier, row in index.rows(matches).items():
        if only.admits(row) and reading.admits(row) and fits(row, reading.context):
            yield matches[identifier], row
