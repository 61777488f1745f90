"""Search a map: one run of the query's words names the place, the others what it lies in, in any order.

"Rewe Heidelberg", "heidelberg, rewe" and "Landstrasse 140, 9495 Triesen" are read alike: each run of words is looked up
as a name; a place answers if the areas around it spell all other words, but for a house number and words such as "in".
If no place does, these are tried in turn: objects whose street spells the others; places near what the query names, and
names that contain the words; misspelt names (a settlement whose name is misspelt comes before names that contain the
word); places that leave a part of the query unused; and the query without units such as "flat 2".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bearings.places import geometry
from bearings.places.engine.ranking import Filter, score_of, shares_of
from bearings.places.models import Match
from bearings.places.osm import tags, words
from bearings.places.osm.asked import FILLERS, Asked, Named, Span, overlap
from bearings.places.osm.crossings import at_streets, crossings
from bearings.places.osm.hits import Answer, Hit, admits
from bearings.places.osm.map import Map, Row
from bearings.places.osm.of_a_kind import of_a_kind
from bearings.places.osm.schema import CODE, CONTEXT, MAIN, OBJECT, OTHER

_Fitting = tuple[float, Named, Span, tuple[int, ...]]
"""How well a place fits, by which name, which run of words names it, and which words are left."""

MOST_SUGGESTIONS = 5
_MOST_ROWS = 400
_FIT = {MAIN: 1.0, OTHER: 0.9, CODE: 0.7}
_MATCH = {MAIN: Match.EXACT, OTHER: Match.ALTERNATE, CODE: Match.CODE}
_PART_FIT, _EDIT_COST, _UNUSED_COST, _SHARE = 0.7, 0.2, 0.3, 0.1
_NEAR_COST, _FAR_COST = 0.1, 0.3

_NEAR_M = {16: 15_000.0, 18: 8_000.0, 19: 5_000.0}
_NEAR_OTHER_M = 4_000.0
_PADDING = 0.1
"""How far from a settlement or area's point a place may be that is said to lie in it, by the area's rank."""

_TRUST = {Match.EXACT: 0.97, Match.ALTERNATE: 0.95, Match.CODE: 0.9, Match.PREFIX: 0.8, Match.CORRECTED: 0.85}
_LEAST_CROSSED = 2
_LESSER_COST, _GREATER_LEAD, _BESIDE_M, _MOST_BESIDE, _LEAST_LANGUAGES = 0.06, 0.1, 1_000.0, 20, 3
"""Halts and car parks come after what they are named after: at the same name, and if that has a longer one."""

_NEAR_BONUS, _NEAR_SCALE_M = 0.3, 5_000.0
"""Added for what lies at the point that a caller names; half of it 5 km away."""

_APART_M = 300.0
STEEPNESS = 25.0
"""How fast the likelihood of a hit falls with its score."""


def search(osm: Map, query: str, limit: int, only: Filter) -> Answer:
    """At most `limit` hits for a free-form query, best first; empty if it names no place of the map."""
    parts = words.parts(query)
    return _searched(osm, parts, limit, only, first=False) if parts else Answer()


def search_in_parts(osm: Map, parts: Sequence[str], limit: int, only: Filter) -> Answer:
    """As `search`, for a query in parts, of which the first names the place."""
    folded = words.of_parts(parts)
    return _searched(osm, folded, limit, only, first=True) if folded else Answer()


def _searched(osm: Map, parts: Sequence[Sequence[str]], limit: int, only: Filter, *, first: bool) -> Answer:
    """The answer; if there is none, that without the units of buildings, which are said to be unused."""
    answer = _Search(osm, parts, only, first=first).answer(limit)
    if answer.hits:
        return answer
    left, units = words.without_units(parts)
    if not left or not units:
        return answer
    less = _Search(osm, left, only, first=first).answer(limit)
    hits = tuple(replace(hit, unused=(*hit.unused, *units)) for hit in less.hits)
    return replace(less, hits=hits, suggestions=less.suggestions or answer.suggestions)


class _Search:
    """One query against one map."""

    def __init__(self, osm: Map, parts: Sequence[Sequence[str]], only: Filter, *, first: bool = False) -> None:
        self._asked = Asked(osm, parts, first=first)
        self._only = only

    def answer(self, limit: int) -> Answer:
        """The answer of the first reading that has one."""
        # "pharmacies in Valletta" asks for a kind plainly; "hotel adler" may be a name, so names are looked up first.
        of_kind = of_a_kind(self._asked, self._only, self._named, limit, plainly=True)
        if of_kind.hits:
            return of_kind
        hits = self._ranked(self._exact()) or self._ranked(self._crossings()) or self._ranked(self._at_streets())
        if hits:
            return Answer(self._greater_first(hits)[:limit])
        of_kind = of_a_kind(self._asked, self._only, self._named, limit, plainly=False)
        if of_kind.hits:
            return of_kind
        # "Rewe Eppelheim" for a shop just outside Eppelheim; "Apotheke Vaduz" for the "Schloss Apotheke" there.
        hits = self._ranked([*self._near(), *self._containing()])
        if hits and hits[0].match is not Match.PREFIX:
            return Answer(hits[:limit])
        guesses = self._ranked(self._misspelt())
        # "Heidelbrg" is the city before it is a part of a shop's name.
        if guesses and _is_sure(guesses) and (not hits or guesses[0].is_area):
            return Answer((*guesses, *hits)[:limit])
        hits = hits or self._ranked(self._partly())
        return Answer(hits[:limit], () if hits and hits[0].match is Match.PREFIX else guesses[:MOST_SUGGESTIONS])

    # The stages

    def _named(self, wanted: Sequence[str]) -> tuple[Hit, ...]:
        """The places that some words name, wherever they lie."""
        inner = _Search(self._asked.map, [wanted], Filter(near=self._only.near, viewbox=self._only.viewbox))
        return inner._ranked(inner._exact())

    def _crossings(self) -> list[Hit]:
        """Where two streets meet."""
        if len(self._asked.words) < _LEAST_CROSSED:
            return []
        rows = [row for row, _ in crossings(self._asked)]
        return [
            Hit(row, self._score(1.0, row), Match.EXACT) for row in rows if admits(self._only, self._asked.map, row)
        ]

    def _at_streets(self) -> list[Hit]:
        """Objects that the query names together with their street."""
        fittings: dict[int, _Fitting] = {}
        for named, span, left in at_streets(self._asked) if len(self._asked.words) > 1 else ():
            fit = _FIT[named.kind] - _UNUSED_COST * len(left)
            _keep_better(fittings, named.place, (fit, named, span, left))
        return self._hits(fittings)

    def _exact(self) -> list[Hit]:
        """Places whose name is a run of the words, and that leave none."""
        return self._fitting(self._asked.targeted(wholly=True), 0)

    def _fitting(self, candidates: Iterable[tuple[Span, Named]], most_left: int, cost: float = 0.0) -> list[Hit]:
        """The hits among candidates, and among the houses of the streets that they name."""
        fittings: dict[int, _Fitting] = {}
        spans: dict[tuple[Span, int], Named] = {}
        memo: dict[tuple[Span, int], tuple[int, ...]] = {}
        for span, named in candidates:
            spans.setdefault((span, named.spelling), named)
            if named.role == CONTEXT:
                continue
            key = span, named.around
            left = memo.get(key)
            if left is None:
                left = memo[key] = self._asked.left(span, named.around)
            if len(left) <= most_left:
                fit = _FIT[named.kind] - _EDIT_COST * named.edits - _UNUSED_COST * len(left) + self._share(span)
                _keep_better(fittings, named.place, (fit, named, span, left))
        # "Landstrasse 140": the street is named, and the house stands in the table of numbers by the street's spelling.
        if any(map(words.is_number, self._asked.words)):
            for span in self._asked.targets():
                if (spelling := self._asked.spelling.get(self._asked.keys[span])) is not None:
                    spans.setdefault((span, spelling), Named(spelling, 0, MAIN, 0, 0))
            for (span, _), named in spans.items():
                for place, around, house in self._houses(span, named):
                    left = self._asked.left(span, around, house)
                    if len(left) <= most_left:
                        fit = 1.0 - _EDIT_COST * named.edits - _UNUSED_COST * len(left)
                        _keep_better(fittings, place, (fit, named._replace(kind=MAIN), span, left))
        return self._hits(fittings, cost)

    def _share(self, span: Span) -> float:
        """More for a name of more of the words: "Zoo Heidelberg" is a name before it is a zoo in Heidelberg."""
        return _SHARE * (span[1] - span[0]) / len(self._asked.words)

    def _houses(self, span: Span, named: Named) -> Iterator[tuple[int, int, Span]]:
        """(place, what is around it, the words of the number) of the houses of a street that the query numbers."""
        for start in range(len(self._asked.words)):
            if span[0] <= start < span[1] or not words.is_number(self._asked.words[start]):
                continue
            for end in range(start + 1, min(start + 3, len(self._asked.words)) + 1):  # "12", "12 a", "12 a bis"
                if (start < span[0] < end) or span[0] <= end - 1 < span[1] or (start, end) not in self._asked.keys:
                    break
                number = "".join(self._asked.words[start:end])
                for place, around in self._asked.map.query(
                    "SELECT house.place, place.around FROM house JOIN place ON place.id = house.place "
                    "WHERE spelling = ? AND number = ? LIMIT 200", (named.spelling, number),
                ):  # fmt: skip
                    yield place, around, (start, end)

    def _hits(self, found: Mapping[int, _Fitting], cost: float = 0.0) -> list[Hit]:
        best = sorted(found, key=lambda place: -found[place][0])[:_MOST_ROWS]
        hits = []
        for row in self._asked.map.rows(best).values():
            if not admits(self._only, self._asked.map, row):
                continue
            fit, named, span, left = found[row.id]
            score = self._score(fit - cost, row)
            match = Match.CORRECTED if named.edits else _MATCH[named.kind]
            wrong, right = (" ".join(self._asked.words[slice(*span)]), named.key) if named.edits else (None, None)
            unused, is_area = self._asked.spoken(left), named.role != OBJECT
            hits.append(Hit(row, score, match, 0.0, unused, wrong, right, named.edits, is_area))
        return hits

    def _score(self, fit: float, row: Row) -> float:
        """The rank of a row: as in the whole world, but near is within a walk or a drive."""
        near = self._only.near
        bonus = 0.0 if near is None else _NEAR_BONUS / (1 + geometry.distance_m(row.point, near) / _NEAR_SCALE_M)
        cost = _LESSER_COST if row.type in tags.LESSER else 0.0
        return bonus - cost + score_of(fit, row.importance, row.point, near, self._only.viewbox)

    def _containing(self) -> list[Hit]:
        """Places whose name contains the words that no area spells."""
        candidates = []
        for span in self._asked.unknown_runs():
            wanted = [word for word in self._asked.words[slice(*span)] if word not in FILLERS]
            if not wanted or all(len(word) < 3 for word in wanted):
                continue
            query = " AND ".join(f'"{word}"' for word in wanted)
            rows = self._asked.map.query("SELECT rowid FROM word_fts WHERE word_fts MATCH ? LIMIT 200", (query,))
            for (spelling,) in rows:
                candidates += [(span, named) for named in self._asked.of_spelling(spelling)]
        hits = self._fitting(candidates, 0, 1.0 - _PART_FIT)
        return [replace(hit, match=Match.PREFIX) for hit in hits]

    def _greater_first(self, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        """The hits; if they are halts and car parks alone, first what is known beside them by a name with these words.

        "Schloss, Heidelberg" is the Heidelberger Schloss, not the halt "Schloss" below it.
        """
        if any(hit.row.type not in tags.LESSER for hit in hits):
            return hits
        greater = [
            hit for hit in self._containing()
            if hit.row.type not in tags.LESSER and _is_known(hit.row)
            and any(geometry.distance_m(hit.row.point, each.row.point) <= _BESIDE_M for each in hits[:_MOST_BESIDE])
        ]  # fmt: skip
        more = hits[0].score - max((hit.score for hit in greater), default=0.0) + _GREATER_LEAD
        return self._ranked([*(replace(hit, score=hit.score + more) for hit in greater), *hits])

    def _near(self) -> list[Hit]:
        """Places near an area that the query names, though outside."""
        fittings: dict[int, _Fitting] = {}
        areas = {
            span: list(self._asked.map.rows(list(self._asked.areas_of(span))[:20]).values())
            for span in self._asked.keys
            if self._asked.areas_of(span)
        }
        for span in self._asked.targets() if areas else ():
            named_near: dict[int, tuple[Named, list[Span]]] = {}
            for named in self._asked.of_span(span)[:_MOST_ROWS]:
                left = set(self._asked.left(span, named.around)) if named.role != CONTEXT else set()
                spans = [each for each in areas if left and left <= set(range(*each)) and not overlap(each, span)]
                if spans:
                    named_near[named.place] = named, spans
            for row in self._asked.map.rows(named_near).values():
                named, spans = named_near[row.id]
                cost = min(_apart(row, area) for each in spans for area in areas[each])
                if cost < 1:
                    fit = _FIT[named.kind] - _NEAR_COST - _FAR_COST * cost + self._share(span)
                    fittings[row.id] = (fit, named, span, ())
        return self._hits(fittings)

    def _misspelt(self) -> list[Hit]:
        """Places and areas whose names are an edit or two from a run of words."""
        runs = self._asked.unknown_runs()
        hits = self._fitting(((span, named) for span in runs for named in self._asked.alike(span)), 0)
        return hits or self._with_a_misspelt_area()

    def _with_a_misspelt_area(self) -> list[Hit]:
        """Places, and houses, whose area is misspelt."""
        hits: list[Hit] = []
        for span in self._asked.unknown_runs(beside_names=True):
            if self._asked.keys[span] in self._asked.spelling:
                continue
            areas = {named.place: named for named in self._asked.alike(span) if named.role != OBJECT}
            words_of = set(range(*span))
            for target in self._asked.targets() if areas else ():
                if overlap(target, span):
                    continue
                fittings: dict[int, _Fitting] = {}
                for place, named, around, house in self._with_houses(target):
                    meant = frozenset(self._asked.map.around(around).areas) & areas.keys()
                    if meant and set(self._asked.left(target, around, house)) <= words_of:
                        area = min((areas[each] for each in meant), key=lambda each: each.edits)
                        fit = _FIT[named.kind] - _EDIT_COST * area.edits
                        fittings[place] = (fit, named._replace(edits=area.edits, key=area.key), span, ())
                hits += self._hits(fittings, 0.0)
        return hits

    def _with_houses(self, target: Span) -> Iterator[tuple[int, Named, int, Span | None]]:
        """(place, its name, its surroundings, the number's words) of the places and houses that a run names."""
        for named in self._asked.of_span(target):
            if named.role != CONTEXT:
                yield named.place, named, named.around, None
        spelling = self._asked.spelling.get(self._asked.keys[target])
        if spelling is not None:
            street = Named(spelling, 0, MAIN, OBJECT, 0)
            for place, around, house in self._houses(target, street):
                yield place, street, around, house

    def _partly(self) -> list[Hit]:
        """Places that leave a house number."""
        hits = self._fitting(self._asked.targeted(wholly=False), 4)
        return [hit for hit in hits if self._is_much(hit)]

    def _is_much(self, hit: Hit) -> bool:
        """Whether a hit uses enough of the query: all but a number, or all but one part of several."""
        left = [word for run in hit.unused for word in run.split()]
        used = len(self._asked.words) - len(left)
        if hit.row.street and self._asked.is_first_of_three(left):  # "Herr Muster, Hauptstrasse 12, Vaduz"
            return True
        return used >= sum(len(word) > 1 for word in left) and all(map(words.may_lack, left))

    # The order

    def _ranked(self, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """The hits best first, each with its confidence among the others; near ones of a name count as one."""
        best: dict[int, Hit] = {}
        for hit in hits:
            if hit.row.id not in best or hit.score > best[hit.row.id].score:
                best[hit.row.id] = hit
        ordered = sorted(best.values(), key=lambda hit: (-hit.score, hit.row.id))
        if not ordered:
            return ()
        shares = shares_of([hit.score for hit in ordered], STEEPNESS)
        ranked = []
        for number, hit in enumerate(ordered):
            together = shares[number]
            for other, share in zip(ordered[:40], shares, strict=False):
                if other is not hit and _is_one(hit, other):
                    together += share
            trust = _TRUST.get(hit.match, 0.8) * (0.7 if hit.unused else 1.0)
            ranked.append(replace(hit, confidence=round(min(1.0, together) * trust, 3)))
        return tuple(ranked)


def _is_one(hit: Hit, other: Hit) -> bool:
    """Whether two hits are the same place to a person: near each other, or one around the other."""
    return geometry.distance_m(hit.row.point, other.row.point) <= _APART_M


def _is_known(row: Row) -> bool:
    """Whether an object is known beyond its town: by an article, or by names in other languages."""
    return row.importance >= tags.ARTICLE or (row.names or "").count('"name:') >= _LEAST_LANGUAGES


def _keep_better(found: dict[int, _Fitting], place: int, fitting: _Fitting) -> None:
    """Keeps the better of two ways in which a place fits."""
    if place not in found or found[place][0] < fitting[0]:
        found[place] = fitting


def _is_sure(hits: Sequence[Hit]) -> bool:
    """Whether a correction is an answer: one edit, and no other name is as near."""
    return hits[0].edits == 1 and len({hit.right for hit in hits if hit.edits == 1}) == 1


def _apart(row: Row, area: Row) -> float:
    """How far a place is from an area that it may be said to lie in, 0-1; 1 or more if it is too far."""
    if area.rank < tags.PLACE_RANKS["county"]:
        return 1.0
    if area.bbox is not None and geometry.contains(geometry.padded(area.bbox, _PADDING), row.point):
        return 0.0
    return geometry.distance_m(row.point, area.point) / _NEAR_M.get(area.rank, _NEAR_OTHER_M)
