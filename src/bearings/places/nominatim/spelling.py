"""Matches the words of a query with a place that a Nominatim returned: with its names and parts of its address.

A Nominatim returns only places that match every word of the query, except numbers: if it lacks a house number or a
postcode, it returns the street or town without saying so. It searches names in all languages of all areas around a
place, but the answer has the address in one language. So a word of letters that is in no name is in another language
or abbreviated, and a number that is in no name was not used. If no word of the query is in the answer, none was used.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from bearings.places.engine import text
from bearings.places.models import Match, Place, SearchQuery
from bearings.places.query import parse

_CODES = frozenset({"ref", "iata", "icao", "pcode", "postcode"})
_LONGEST_RUN = 10
_SHORTEST_FOREIGN = 4
"""The least length of a word that counts as foreign; shorter ones may be articles, prepositions or codes."""

_STREET_RANK = 26
"""Rank of streets; houses have more. A number beside a street's name is not a postcode ("Hauptstrasse 1234")."""

_LEAST_RESPELT = 5
_LONGEST_ABBREVIATION = 5
_APART = re.compile(r"[;,/]")
_LINKED = "_place_"

_BETTER = (Match.EXACT, Match.ALTERNATE, Match.CODE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: its key, its spelling, its part, and whether it looks like part of a postcode."""

    key: str
    written: str
    part: int = 0
    in_postcode: bool = False

    @property
    def has_digit(self) -> bool:
        """Whether it is or holds a number."""
        return any(char.isdigit() for char in self.key)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a place fits a question.

    `match` is None if no name of the place is in the question, as in questions by kind. `unused` are the words that
    were not used; `foreign` counts the words of letters that neither names nor address spell. `is_whole`: nothing but a
    postcode was left out.
    """

    match: Match | None
    unused: tuple[str, ...] = ()
    foreign: int = 0
    is_whole: bool = True


def words_of(search_query: SearchQuery) -> tuple[Word, ...]:
    """The words of a question in order; for a question in parts, those of the smallest part first."""
    if search_query.structured is not None:
        parts = tuple(part for part in astuple(search_query.structured) if part)
        postcode = search_query.structured.postalcode
    else:
        parsed = search_query.parsed or parse(search_query.text or "")
        parts, postcode = parsed.parts, parsed.postcode
    posted = set((postcode or "").split())
    written = [(number, word) for number, part in enumerate(parts) for word in part.split()]
    return tuple(Word(key, word, at, word in posted) for at, word in written for key in text.normalise(word).split())


def read(words: Sequence[Word], place: Place, names: Mapping[str, str], language: str) -> Reading:
    """How the place, with all its names by their tags, explains the words."""
    known = _Known(place, names, language)
    spelt = known.spells(words)
    if not any(spelt):
        return Reading(None, tuple(dict.fromkeys(word.written for word in words)), is_whole=False)
    left = [word for word, is_spelt in zip(words, spelt, strict=True) if not is_spelt]
    unused = tuple(dict.fromkeys(word.written for word in left if word.has_digit))
    foreign = sum(len(word.key) >= _SHORTEST_FOREIGN and not word.has_digit for word in left)
    is_street = place.place_rank >= _STREET_RANK
    is_whole = all(word.in_postcode and (word.part or not is_street) for word in left if word.has_digit)
    match = known.match(words, foreign=bool(foreign))
    if match is None and place.importance is None:  # a place of a category search, which has a distance instead
        return Reading(None)
    return Reading(match, unused, foreign, is_whole)


class _Known:
    """The place's names, and the words of its names and its address."""

    def __init__(self, place: Place, names: Mapping[str, str], language: str) -> None:
        self._names: dict[str, Match] = {}
        self._keys: dict[str, Match] = {}
        self._name_words: set[str] = set()
        self._place = place
        for name, match in _names(place, names, language):
            key = text.key_of(name)
            self._keys.setdefault(key, match)
            self._name_words.update(key.split())
            for variant in text.variants(key):
                solid = _solid(variant)
                if solid and (solid not in self._names or _BETTER.index(match) < _BETTER.index(self._names[solid])):
                    self._names[solid] = match
        self._numbers = set(map(_solid, _number_keys(place)))
        around = [text.key_of(part) for part in _around(place)]
        self._solid = {*self._names, *self._numbers, *map(_solid, around)} - {""}
        self._words = {word for key in (*around, *_number_keys(place)) for word in key.split()} | self._name_words
        self._kinds = {word for key in (place.category, place.type) for word in text.key_of(key).split()}

    def match(self, words: Sequence[Word], *, foreign: bool) -> Match | None:
        """How the question has the place's own name."""
        runs = list(_runs(words))
        if self._numbers and any(run in self._numbers for *_, run in runs):
            return Match.ALTERNATE if foreign else Match.EXACT
        named = [(end - start, self._names[run]) for start, end, run in runs if run in self._names]
        named += [(1, match) for word in words for match in self._inside(word.key)]
        if named:
            longest = max(length for length, _ in named)
            return min((match for length, match in named if length == longest), key=_BETTER.index)
        if shortened := self._shortened(words):
            return shortened
        if foreign:
            return Match.ALTERNATE
        return Match.PREFIX if any(self._is_of_name(word.key) for word in words) else None

    def spells(self, words: Sequence[Word]) -> list[bool]:
        """For each word, whether a name, a part of the address, the kind or an abbreviation of these explains it."""
        spelt = [self._spells(word) for word in words]
        for start, end, run in _runs(words):
            if run in self._solid:
                spelt[start:end] = [True] * (end - start)
        return spelt

    def _spells(self, word: Word) -> bool:
        key = word.key
        if key in self._words or (word.has_digit and key in self._solid):
            return True
        if word.has_digit:
            return False
        if text.is_unspaced(key):
            return any(name in key for name in self._solid)
        return any(is_kind(key, kind) for kind in self._kinds) or any(
            abbreviates(key, known) or abbreviates(known, key) or _is_respelt(key, known) for known in self._words
        )

    def _shortened(self, words: Sequence[Word]) -> Match | None:
        """The match of a name that the question has word for word, with some words abbreviated: "High St."."""
        matches = (
            match
            for name, match in self._keys.items()
            for start in range(len(words) - name.count(" "))
            if _stands_for(words[start : start + name.count(" ") + 1], name.split(" "))
        )
        return min(matches, key=_BETTER.index, default=None)

    def _is_of_name(self, key: str) -> bool:
        return key in self._name_words or any(abbreviates(key, word) for word in self._name_words)

    def _inside(self, key: str) -> Iterator[Match]:
        """The matches of names within a run of Chinese or Japanese, which has no spaces."""
        if text.is_unspaced(key):
            yield from (match for name, match in self._names.items() if name in key)


def abbreviates(short: str, long: str) -> bool:
    """Whether a word of letters may abbreviate a longer one: by its beginning ("hauptstr"), or some letters in order.

    Such letters begin like the word, and are at most five: "st", "blvd", "pkwy". This covers all suffixes of the United
    States' Postal Service (Publication 28, appendix C1) except "xing".
    """
    if not (2 <= len(short) < len(long) and short[0] == long[0] and short.isalpha()):
        return False
    if long.startswith(short):
        return len(short) > 2 or len(long) < 8
    rest = iter(long)
    return len(short) <= _LONGEST_ABBREVIATION and all(letter in rest for letter in short)


def _stands_for(words: Sequence[Word], name: Sequence[str]) -> bool:
    """Whether words are a name's or abbreviate them; a single one abbreviates with a full stop: "Hauptstr."."""
    if len(name) == 1:
        return words[0].written.endswith(".") and abbreviates(words[0].key, name[0])
    pairs = list(zip(words, name, strict=True))
    is_any_whole = any(word.key == other for word, other in pairs)
    return is_any_whole and all(word.key == other or abbreviates(word.key, other) for word, other in pairs)


def is_kind(key: str, kind: str) -> bool:
    """Whether a word is the kind itself, or its English plural."""
    return key in (kind, f"{kind}s", f"{kind}es")


def _names(place: Place, names: Mapping[str, str], language: str) -> Iterator[tuple[str, Match]]:
    """Every name with its match. Tags: https://nominatim.org/release-docs/latest/api/Output/#namedetails."""
    yield place.name, Match.CODE if place.type == "postcode" else Match.EXACT
    own = {"name", f"name:{language}", f"name:{language.partition('-')[0]}", "addr:housename"}
    for tag, value in names.items():
        tag = tag.removeprefix(_LINKED)
        base = tag.partition(":")[0]
        is_code = base in _CODES or base.endswith("_ref") or base.startswith("ISO3166")
        match = Match.EXACT if tag in own else Match.CODE if is_code else Match.ALTERNATE
        yield from ((part, match) for part in value.split(";"))
    if place.place_rank == 4 and "country_code" in place.address:
        yield place.address["country_code"], Match.CODE


def _number_keys(place: Place) -> list[str]:
    """The house numbers: "5;7" are two."""
    return [key for number in _APART.split(place.address.get("house_number", "")) if (key := text.normalise(number))]


def _around(place: Place) -> Iterator[str]:
    """The parts of the address, and of the full name; an ISO 3166-2 code is also the region's alone."""
    for key, value in place.address.items():
        yield value
        if key.startswith("ISO3166-2"):
            yield value.partition("-")[2]
    if place.address.get("country_code") == "gb":
        yield "uk"
    yield from place.display_name.split(",")


def _runs(words: Sequence[Word]) -> Iterator[tuple[int, int, str]]:
    """Runs of neighbouring words, joined, with their begin and end."""
    for start in range(len(words)):
        run = ""
        for end in range(start + 1, min(len(words), start + _LONGEST_RUN) + 1):
            run += words[end - 1].key
            yield start, end, run


def _solid(key: str) -> str:
    """A key without spaces: keys of "Haupt Strasse" and "Hauptstraße" are equal then."""
    return key.replace(" ", "")


def _is_respelt(key: str, other: str) -> bool:
    """Whether two words are spelling variants: "muenchen", "munchen"."""
    if min(len(key), len(other)) < _LEAST_RESPELT or abs(len(key) - len(other)) > 1 or key[0] != other[0]:
        return False
    from rapidfuzz.distance import OSA

    return OSA.distance(key, other, score_cutoff=1) <= 1
