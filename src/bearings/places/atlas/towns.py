"""The town of an address, an affiliation or a remark: the settlement whose name and areas spell most of the words.

234 Barnum Road, Devens, MA 01433      Devens: its part is a name, and "MA" is a region around it
г. Череповец, ул. Ленина, д. 5         Cherepovets: "г" says that a town follows
茨城県取手市井野台                      Toride: its name stands in the text, behind that of its prefecture

Every run of words that is a name is looked up. A settlement's claim grows with the words that it and the areas around
it spell; the smallest place with the best claim answers, and the other words are unused.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bearings.places import geometry
from bearings.places.atlas import ranking
from bearings.places.atlas.context import Contexts
from bearings.places.atlas.index import Index, Row
from bearings.places.atlas.matching import Fit, Hit, Reading, exact
from bearings.places.engine import text
from bearings.places.engine.ranking import Filter, score_of
from bearings.places.models import Layer, Match, ParsedQuery
from bearings.places.query import postal
from bearings.places.query.tidy import fold

CONFIDENCE, UNCONFIRMED = 0.75, 0.6
"""The most that the town of an address is sure, with and without an area around it: the address itself is not found."""

UNADDRESSED = 0.45
"""The same for a text without a street, a number or a postcode, whose own place may be another: tools that need one
place refuse it."""

_LEAST_SHARE = 0.05
"""Less likely namesakes are left out: an address in London is in no London of Ontario."""

_LONGEST_RUN, _LONGEST_UNSPACED = 5, 8
_MOST_WORDS = 60
_MOST_NAMESAKES = 60
_LEAST_LETTERS = 3
_LONGEST_CODE = 3
_WELL_KNOWN = 0.55
"""The importance of a city of 110,000 people, which needs no area around it to be meant."""

_LEAST_OF_ADDRESS = 0.3
"""The least importance of a place that is all that an address has beside its street: a village of 600 people."""

_LEAST_OF_TOWN = 0.45
"""The importance of a town of 13,000 people."""

_SIGNS = frozenset("г гор город пос поселок пгт с село д дер деревня рп ст станица м місто с смт".split())
"""Words beside the name of a settlement."""

_PREPOSITIONS = frozenset("in near at to from around".split())
"""Words before the name of a well-known place: "hotels in Paris"."""

_INDOORS = frozenset("plot apt apartment suite ste unit flat floor room rm house box block tower no".split())
"""Words before the number of a part of a house: Apt is a town of France, but no flat."""

_LEVEL_SIGNS = frozenset("市县縣区區府都省町村镇鎮郡州盟旗시군구도읍면")
"""Last characters of names of settlements and areas in Chinese, Japanese and Korean."""

_SPELT_OUT = {"обл": "область", "респ": "республика", "р н": "район", "окр": "округ"}
_APART_M = 50_000.0
"""Two well-known places so far apart are not one."""

_SETTLED = frozenset({Layer.SETTLEMENT, Layer.COUNTY, Layer.REGION})
_LEVEL_COST = 0.15
_OTHER_NAME_COST = 0.2
"""The importance that a region and a place by another of its names lack beside a town: addresses name towns."""

_LEVELS = {Layer.SETTLEMENT: 0, Layer.COUNTY: 1, Layer.REGION: 2}
_PART = re.compile(r"[,;\n|]| [-–] |/(?=[A-Z]{2}\b)")
_WORD = re.compile(rf"[{text.UNSPACED}]|[^\s{text.UNSPACED}]+")
_HOUSE_BEHIND = re.compile(r"\D+ \d{1,4}[a-z]?(?:[-/]\d{1,4}[a-z]?)?")
_POSTCODE = re.compile(r"\d{5,6}")
_HOUSE_NUMBER = re.compile(r"\d{1,4}[a-z]?(?:[-/]\d{1,4}[a-z]?)?")


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one part of a text that may be a name, as a key: `start` and `end` count the words of the whole text.

    `is_whole`: the part has no other words but a street's. `is_named`: a word or character beside it says that it is a
    settlement's or area's name; `is_after`: a preposition stands before it; `is_code`: it is written as a code.
    """

    key: str
    start: int
    end: int
    is_whole: bool
    is_named: bool
    is_after: bool
    is_code: bool

    @property
    def is_short(self) -> bool:
        """Whether it may be a code of a country or region."""
        return self.key.isascii() and len(self.key) <= _LONGEST_CODE


@dataclass(frozen=True, slots=True)
class _Text:
    """The words of a text, whether each is free of digits and streets, its runs, longer ones first."""

    words: list[str]
    free: list[bool]
    runs: list[Run]
    has_street: bool

    def are_beside(self, one: Run, other: Run) -> bool:
        """Whether only numbers and streets stand between two runs."""
        first, second = sorted((one, other), key=lambda run: run.start)
        return first.end <= second.start and not any(self.free[first.end : second.start])


@dataclass(frozen=True, slots=True)
class _Claim:
    """A place, the run that names it, the words that it and the areas around it spell, and whether there are such.

    `is_allowed`: no part names an area that the place isn't in.
    """

    row: Row
    run: Run
    fit: Fit
    spelt: frozenset[int]
    is_confirmed: bool
    is_allowed: bool

    @property
    def order(self) -> tuple[float, float]:
        """Greater for a better claim: more words, then the better known place, a small one before its region."""
        words = len(self.spelt) + self.run.is_whole + 2 * self.run.is_named
        return (words, self.weight)

    @property
    def weight(self) -> float:
        """The importance, less for regions and for other names."""
        other_name = _OTHER_NAME_COST * (self.fit.match is not Match.EXACT)
        return self.row.importance - _LEVEL_COST * _LEVELS[self.row.layer] - other_name


def find(index: Index, parsed: ParsedQuery, limit: int, only: Filter) -> tuple[tuple[Hit, ...], tuple[str, ...]]:
    """The likeliest towns of a text, best first, and the words that are unused; both empty if none is likely."""
    read = _read(parsed.text, parsed.postcode)
    all_claims = _all_claims(index, read, only)
    if _are_far_apart(all_claims):
        return (), ()
    is_address = read.has_street or parsed.postcode is not None
    claims = [claim for claim in all_claims if _is_likely(claim, is_address)]
    best = max(claims, key=lambda claim: claim.order, default=None)
    if best is None:
        return (), ()
    alike = [claim for claim in claims if claim.order[0] == best.order[0] and claim.run == best.run]
    sure = (CONFIDENCE if best.is_confirmed else UNCONFIRMED) if is_address else UNADDRESSED
    hits = sorted((_hit(claim, alike, sure, only) for claim in alike), key=lambda hit: -hit.confidence)
    likely = tuple(hit for hit in hits[:limit] if hit.confidence >= _LEAST_SHARE * sure)
    return likely, _unused(read.words, best.spelt)


def _is_likely(claim: _Claim, is_address: bool) -> bool:
    """Whether a claim has evidence: an area around it, a sign of its level, a part or a preposition of its own.

    Without a street, a number or a postcode, areas and villages need a sign of their level: "Bell, Nowhere" is no Bell.
    """
    row, run = claim.row, claim.run
    if not claim.is_allowed:
        return False
    if not is_address and not run.is_named and (row.layer is not Layer.SETTLEMENT or row.importance < _LEAST_OF_TOWN):
        return False
    if claim.is_confirmed or run.is_named:
        return True
    least = _LEAST_OF_ADDRESS if is_address else _WELL_KNOWN
    return (run.is_whole and row.importance >= least) or (run.is_after and row.importance >= _WELL_KNOWN)


def _all_claims(index: Index, read: _Text, only: Filter) -> list[_Claim]:
    """The claims of all runs that no longer run with a meaning contains."""
    contexts = Contexts(index)
    areas = {run: named for run in read.runs if (named := contexts.named(run.key))}
    claims: list[_Claim] = []
    taken: list[Run] = []
    for run in read.runs:
        if not any(each.start <= run.start and run.end <= each.end for each in taken):
            of_run = list(_claims(index, read, run, areas, only))
            taken += [run] if of_run or run in areas else []
            claims += of_run
    return claims


def _are_far_apart(claims: Iterable[_Claim]) -> bool:
    """Whether parts name several well-known places: "New York; London; Tokyo" has no town."""
    known = [claim for claim in claims if claim.run.is_whole and claim.row.importance >= _WELL_KNOWN]
    largest: dict[Run, _Claim] = {}
    for claim in known:
        if claim.run not in largest or claim.row.importance > largest[claim.run].row.importance:
            largest[claim.run] = claim
    points = [claim.row.point for claim in largest.values() if not claim.is_confirmed]
    return any(geometry.distance_m(points[0], point) > _APART_M for point in points[1:])


def _hit(claim: _Claim, alike: Sequence[_Claim], sure: float, only: Filter) -> Hit:
    score = score_of(claim.fit.value, claim.row.importance, claim.row.point, only.near, only.viewbox)
    share = ranking.likelihood(claim.weight) / sum(ranking.likelihood(each.weight) for each in alike)
    return Hit(claim.row, score, claim.fit, claim.run.key, round(sure * share, 3))


def _claims(index: Index, read: _Text, run: Run, areas: Mapping[Run, frozenset[int]], only: Filter) -> Iterator[_Claim]:
    """The claims of the settlements, counties and regions that a run names."""
    if len(run.key) < _LEAST_LETTERS and run.key.isascii():
        return
    if any(_is_country(index, area) for area in areas.get(run, ())):
        return
    behind = [named for other, named in areas.items() if other.is_whole and other.start > run.start]
    fits = {
        place: fit for place, fit in exact(index, Reading(run.key, exactly=True)).items() if fit.match is not Match.CODE
    }
    rows = sorted(index.rows(fits).values(), key=lambda row: -row.importance)[:_MOST_NAMESAKES]
    for row in rows:
        if row.layer in _SETTLED and only.admits(row.point, row.layer, row.country_code):
            around = {row.id, *(each.id for each in index.ancestors(row))}
            spelt, is_confirmed = _spelt(read, run, areas, around - {row.id})
            is_allowed = not any(_excludes(index, named, row, around) for named in behind)
            yield _Claim(row, run, fits[row.id], spelt, is_confirmed, is_allowed)


def _spelt(
    read: _Text, run: Run, areas: Mapping[Run, frozenset[int]], around: Collection[int]
) -> tuple[frozenset[int], bool]:
    """The numbers of the words that spell a place and the areas around it, and whether there are such areas.

    An area's name counts if it is a part of its own, is named as a level, or stands beside the place's name or the last
    area's; a code only in capitals.
    """
    spelt, last, is_confirmed = set(range(run.start, run.end)), run, False
    for other, named in areas.items():
        is_beside = read.are_beside(last, other) or read.are_beside(run, other)
        counts_beside = is_beside and (other.is_code or not other.is_short)
        numbers = set(range(other.start, other.end))
        is_other = other.key != run.key and not numbers & spelt
        if is_other and (other.is_whole or other.is_named or counts_beside) and not named.isdisjoint(around):
            spelt |= numbers
            last, is_confirmed = other, True
    return frozenset(spelt), is_confirmed


def _excludes(index: Index, named: frozenset[int], row: Row, around: Collection[int]) -> bool:
    """Whether a part names a country or region, or a county of the place's own country, that the place isn't in."""
    if not named.isdisjoint(around):
        return False
    return any(
        area.layer is not Layer.COUNTY or area.country_code == row.country_code
        for area in map(index.area, named)
        if area is not None
    )


def _is_country(index: Index, area: int) -> bool:
    row = index.area(area)
    return row is not None and row.layer is Layer.COUNTRY


def _read(whole: str, postcode: str | None) -> _Text:
    """The words and runs of a text. No run has a digit, a word of a street or of the postcode."""
    has_street = any(_street(_words(part)) or _HOUSE_BEHIND.fullmatch(part) for part in _PART.split(whole)[:-1])
    read = _Text([], [], [], has_street or bool(_street(_words(whole))))
    coded = (postcode or "").split()
    whole = whole.replace(f"-{postcode}", f" {postcode}")
    for part in _PART.split(whole):
        first = len(read.words)
        words = _words(part)[: max(0, _MOST_WORDS - first)]
        keys = [_SPELT_OUT.get(key, key) for key in map(text.normalise, words)]
        street = _street(words)
        free = [
            bool(key) and not any(map(str.isdigit, key)) and at not in street and words[at] not in coded
            for at, key in enumerate(keys)
        ]
        read.words.extend(words)
        read.free.extend(free)
        read.runs.extend(_runs(words, keys, free, first))
    # Longer runs first, so that their parts are no names of their own; then from the end, as areas follow their town.
    read.runs.sort(key=lambda run: (run.start - run.end, -run.start))
    return read


def _runs(words: Sequence[str], keys: Sequence[str], free: Sequence[bool], first: int) -> Iterator[Run]:
    """The runs of a part's words, by their keys."""
    signs = [key in _SIGNS for key in keys]
    count = sum(free) - sum(signs)
    for start in range(len(keys)):
        longest = _LONGEST_UNSPACED if text.is_unspaced(keys[start]) else _LONGEST_RUN
        for end in range(start + 1, min(len(keys), start + longest) + 1):
            if not free[end - 1]:
                break
            is_named = keys[end - 1][-1] in _LEVEL_SIGNS or any(signs[start - 1 : start]) or any(signs[end : end + 1])
            is_after = start > 0 and keys[start - 1] in _PREPOSITIONS
            is_code = end - start == 1 and len(keys[start]) <= _LONGEST_CODE and words[start].isupper()
            key, is_whole = _joined(keys[start:end]), end - start == count
            yield Run(key, first + start, first + end, is_whole, is_named, is_after, is_code)


def _words(part: str) -> list[str]:
    """The words of a part; each character of Chinese and Japanese is one."""
    return _WORD.findall(part)


def _joined(keys: Iterable[str]) -> str:
    """Keys as one; characters of Chinese and Japanese without spaces."""
    joined = ""
    for key in keys:
        is_tight = joined and (text.is_unspaced(joined[-1]) or text.is_unspaced(key[0]))
        joined += key if is_tight or not joined else f" {key}"
    return joined


def _street(words: Sequence[str]) -> set[int]:
    """The numbers of the words of a street.

    51 Bourke Rd …          from the house number to the street word
    Landshamer Straße 33    the word before the street word, and the number behind it
    rue de la Paix 12, …    from the street word at the beginning to the number, or to the end
    łąkowa 2 …              the words before a number in the middle
    … Apt 7B                the words for a part of a house
    """
    folded = [fold(word) for word in words]
    houses = [at for at, word in enumerate(folded) if _HOUSE_NUMBER.fullmatch(word)]
    street: set[int] = set()
    for at, word in enumerate(folded):
        if not postal.is_street_word(word):
            continue
        before = [house for house in houses if house < at]
        behind = next((house for house in houses if house > at), None)
        if postal.is_compound(word):
            street |= {at}
        elif (at == 0 and word == "st") or (at == 1 == len(words) - 1 and _POSTCODE.fullmatch(folded[0])):
            continue  # "St Albans", "29400 Ronda"
        elif before:
            street |= set(range(before[-1], at + 1))
        elif at == 0:
            street |= set(range(len(words) if behind is None else behind + 1))
        else:
            street |= {at - 1, at}
    for at, (word, following) in enumerate(pairwise(folded)):
        if word in _INDOORS and (following in _INDOORS or _HOUSE_NUMBER.fullmatch(following)):
            street |= {at, at + 1}
    is_spaced = not any(map(text.is_unspaced, folded))
    if not street and is_spaced and houses and 0 < houses[0] < len(words) - 1:
        street = set(range(houses[0] + 1))
    return street


def _unused(words: Sequence[str], spelt: Collection[int]) -> tuple[str, ...]:
    """The words that spell nothing, those beside each other as one."""
    unused: list[list[str]] = [[]]
    for number, word in enumerate(words):
        if number in spelt:
            unused.append([])
        else:
            unused[-1].append(word)
    return tuple(_joined(run) for run in unused if run)
