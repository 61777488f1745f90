"""Ways to match a name with an index: exactly, as a beginning, as a part, by sound. Each returns how well it fits."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from bearings.places import geometry
from bearings.places.atlas import kinds, ranking, sound
from bearings.places.atlas.index import Index, Row
from bearings.places.atlas.writer import LENGTH_BITS, UNTOLD
from bearings.places.engine import text
from bearings.places.models import Kind, Layer, Match

_MOST_ROWS = 400
"""Rows read for one key: GeoNames has 600 San Josés; only the least important are lost."""

_LAST_CODED_RANK, _LAST_RANK = 4, 30
_MOST_SPELLINGS = 200

_MATCH = {
    ranking.MAIN: Match.EXACT,
    ranking.ALTERNATE: Match.ALTERNATE,
    ranking.CODE: Match.CODE,
    ranking.BARE: Match.ALTERNATE,
    ranking.LISTED: Match.ALTERNATE,
}
_SOUNDING = "SELECT letters, place, kind FROM sound WHERE skeleton = ? AND (kind < 3 OR ?)"
_SOUNDING_COUNTRIES = (
    "SELECT letters, place, kind FROM sound WHERE skeleton = ? AND (kind = 0 OR kind = 3 AND ?) "
    "AND (SELECT layer = 'country' FROM place WHERE id = sound.place)"
)
_ONLY_ADJECTIVES = frozenset(
    """
    greater lesser north northern south southern east eastern west western central upper lower inner outer great little
    metro metropolitan downtown
    """.split()
)
"""Words that are no beginning of a name: "Western Canada" is no Western River in Canada."""

_LEAST_PEOPLE = 100_000
_MOST_SERVED = 5
_SERVING_M = 60_000.0
"""The largest distance of an airport from the town that it serves; chosen: Oslo is 38 km from its
airport, Brussels 46 km from Charleroi's."""

_COST_AT_LIMIT, _OF_OTHER_NAME = 0.1, 0.8
_NAMED_SURENESS, _SERVING_SURENESS = 0.8, 0.6
"""How sure it is that the airport near a town is meant: one with the town's name or near a large town, and another. The
farther, the less; of 7,184 airports of geocoder-tester, .04 were the one of another town 30 to 60 km away."""
_WITHOUT_ARTICLE = 0.1
_LEAST_HEARD = 6
_LEAST_STEM, _LEAST_WORD, _LONGEST_ENDING = 4, 8, 2
_INFLECTED_FIT, _INFLECTED_SURENESS = 0.6, 0.9
_OF_ITZ = ("ice", "iec")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a query: the key of a name, and keys that its areas must spell.

    `kind` admits places of that kind only; `code` only the place with that code. `exactly` excludes beginnings of names
    and misspelt ones. `polity`: the name is a country's without general words (polity.py); `listed`: as lists spell it.
    `no_airport_code`: the name isn't written as a code. `formal`: it stands beside a
    form of state, where names are inflected. `near`: keys of areas in or near which the place lies. `is_code`: the name
    is a code. `last_rank`: the last rank that is admitted. `unused` and `about` are those of
    NameReading.
    """

    name: str
    context: tuple[str, ...] = ()
    kind: Kind | None = None
    code: str | None = None
    exactly: bool = False
    polity: bool = False
    listed: bool = False
    no_airport_code: bool = False
    formal: bool = False
    near: tuple[str, ...] = ()
    is_code: bool = False
    last_rank: int = _LAST_RANK
    unused: tuple[str, ...] = ()
    about: bool = False

    def admits(self, row: Row) -> bool:
        """Whether a row has the reading's kind and code."""
        if ((self.polity or self.listed) and row.layer is not Layer.COUNTRY) or row.place_rank > self.last_rank:
            return False
        return (self.kind is None or kinds.is_of(row, self.kind)) and self.code in (None, row.code)


class Fit(NamedTuple):
    """How a name fits: 0-1, its match, its key in the index, and how sure the name is."""

    value: float
    match: Match
    key: str
    sureness: float = 1.0


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that fits, its rank among the others (greater first), and the probability that it is meant.

    `lone`: nothing but its name was asked, without an area, a country or a point.
    """

    row: Row
    score: float
    fit: Fit
    searched: str
    confidence: float = 0.0
    unused: tuple[str, ...] = ()
    about: bool = False
    lone: bool = False


Matcher = Callable[[Index, Reading], dict[int, Fit]]
"""Returns the places that a reading's name matches, by their id."""


def exact(index: Index, reading: Reading) -> dict[int, Fit]:
    """Places with this name or a variant, and their fit. Codes find countries, airports, or the named kind."""
    fits: dict[int, Fit] = {}
    last_rank = _LAST_CODED_RANK if reading.kind is None and reading.code is None else _LAST_RANK
    for key in text.variants(reading.name):
        rows = index.query(
            "SELECT place, kind, weight FROM name WHERE key = ? AND (kind < 2 OR kind = 3 AND ? OR kind = 4 AND ? "
            "OR kind = 2 AND (SELECT place_rank <= ? OR layer = 'airport' AND ? FROM place WHERE id = name.place)) "
            "ORDER BY weight LIMIT ?",
            (key, reading.polity, reading.listed, last_rank, not reading.no_airport_code, _MOST_ROWS),
        )
        for place, kind, weight in rows:
            if reading.is_code and kind != ranking.CODE:
                continue
            fit = Fit(ranking.FIT[kind], _MATCH[kind], key)
            if weight >= UNTOLD:
                fit = Fit(ranking.UNTOLD_FIT, Match.ALTERNATE, key, 1.0 if reading.context else ranking.UNTOLD_SURENESS)
            if reading.name == f"the {key}":  # "The Woodlands" has a namesake without the article
                fit = fit._replace(value=fit.value - _WITHOUT_ARTICLE)
            fits[place] = max(fits.get(place, fit), fit, key=lambda each: each.value)
    if reading.kind is Kind.AIRPORT and not reading.is_code:
        for place, fit in (*_serving(index, reading).items(), *_called(index, reading).items()):
            fits.setdefault(place, fit)
    return fits


def beginning(index: Index, reading: Reading) -> dict[int, Fit]:
    """Places whose name has all the words of this one; the last one may be unfinished."""
    return _of_words(index, reading, "*", ranking.begins, ranking.PREFIX_FIT)


def containing(index: Index, reading: Reading) -> dict[int, Fit]:
    """Places whose name contains this one, word for word: "Mersea" is in West Mersea."""
    return _of_words(index, reading, "", lambda name, key: f" {name} " in f" {key} ", ranking.PART_FIT)


def _serving(index: Index, reading: Reading) -> dict[int, Fit]:
    """The airports near a town, for a name with "airport": "Flughafen München" is Munich International Airport.

    The better known a town of the name, the nearer the airport, the better it fits; best if it has the town's name.
    """
    named = exact(index, Reading(reading.name, exactly=True))
    towns = sorted(
        (row for row in index.rows(named).values() if row.layer is Layer.SETTLEMENT), key=lambda row: -row.importance
    )
    # Some call Hong Kong "Victoria", but that is another city's own name.
    own = [town for town in towns if named[town.id].match is Match.EXACT]
    if own and own[0].population >= _LEAST_PEOPLE:
        towns = own
    fits: dict[int, Fit] = {}
    for town in towns[:_MOST_SERVED]:
        names = {f" {reading.name} ", f" {text.normalise(town.name)} "}
        for airport in index.airports():
            if abs(airport.point.lat - town.point.lat) > 1:
                continue
            away_m = geometry.distance_m(airport.point, town.point)
            if away_m <= _SERVING_M:
                is_named = any(name in f" {text.normalise(airport.name)} " for name in names)
                value = (1.0 if is_named else _OF_OTHER_NAME) - _COST_AT_LIMIT * away_m / _SERVING_M
                value -= towns[0].importance - town.importance
                if airport.id not in fits or value > fits[airport.id].value:
                    is_its = is_named or town.population >= _LEAST_PEOPLE
                    sureness = _NAMED_SURENESS if is_its else _SERVING_SURENESS * (1 - away_m / _SERVING_M)
                    fits[airport.id] = Fit(value, Match.ALTERNATE, reading.name, sureness)
    return fits


def _called(index: Index, reading: Reading) -> dict[int, Fit]:
    """The places with "airport" and these words in their name, in this order: "Reagan National" has others between."""

    def in_order(name: str, key: str) -> bool:
        words = iter(key.split(" "))
        return all(word in words for word in name.split(" "))

    found = _of_words(index, replace(reading, name=f"{reading.name} airport"), "", in_order, ranking.PREFIX_FIT)
    return {place: fit._replace(match=Match.ALTERNATE, sureness=_NAMED_SURENESS) for place, fit in found.items()}


def _of_words(
    index: Index, reading: Reading, ending: str, admits: Callable[[str, str], bool], fit: float
) -> dict[int, Fit]:
    """Places whose name has all the words of this one, the last one with an ending, if (name, key) are admitted."""
    if reading.exactly or not text.is_guessable(reading.name) or reading.name in _ONLY_ADJECTIVES:
        return {}
    words = " AND ".join(f'"{word}"' for word in reading.name.split(" "))
    keys = spellings(index, "word_fts", words + ending)
    return of_keys(index, [key for key in keys if admits(reading.name, key)], Match.PREFIX, fit)


def sounding(index: Index, reading: Reading) -> dict[int, Fit]:
    """Well-known places whose name in Latin letters sounds like this name in another script.

    For names in Latin letters, countries by their main name: "Yndoneezje".
    """
    name = reading.name
    is_latin = not sound.is_heard(name)
    if is_latin and (not name.isascii() or len(name) < _LEAST_HEARD or reading.context):
        return {}
    if _has_number(name) or len(name) > text.LONGEST_NAME:
        return {}
    letters = sound.spelt(name)
    rows = index.query(_SOUNDING_COUNTRIES if is_latin else _SOUNDING, (sound.skeleton(letters), reading.polity))
    fits: dict[int, Fit] = {}
    for spelling, place, kind in rows:
        alike = sound.likeness(letters, spelling)
        value = (3 * alike - 2) * ranking.FIT[kind]
        fit = Fit(value, Match.ALTERNATE, spelling, sound.sureness(alike))
        if alike >= sound.LEAST_LIKENESS and (place not in fits or fit.value > fits[place].value):
            fits[place] = fit
    return fits


def inflected(index: Index, reading: Reading) -> dict[int, Fit]:
    """The country whose name has this inflected form: "Shqipëria" of Shqipëri; with "republic", "française" of France.

    Form and name share the longest stem: all but an ending, or half of the name beside a form of state. If two
    countries share the stem, none matches.
    """
    name = reading.name
    least = _LEAST_STEM if reading.formal else _LEAST_WORD
    if not least <= len(name) <= text.LONGEST_NAME or reading.context or _has_number(name):
        return {}
    rows = index.query(
        "SELECT name.key, name.place FROM name JOIN place ON place.id = name.place "
        "WHERE name.key >= ? AND name.key < ? AND name.kind != 2 AND place.layer = 'country'",
        (name[:_LEAST_STEM], name[:_LEAST_STEM] + "\U0010ffff"),
    )
    # "Shqipëria" and "Shqipëri" share all but an ending; beside "republic", "française" and "France" half of the word.
    shared = {(key, place): _stem(name, key) for key, place in rows}
    longest = max(shared.values(), default=0)
    ending = _LONGEST_ENDING if name.isascii() else _LONGEST_ENDING + 1  # vowel signs are separate characters
    near = {
        place: key
        for (key, place), stem in shared.items()
        if stem == longest and (reading.formal or max(len(key), len(name)) - stem <= ending)
        if 2 * stem >= max(len(key), len(name))
    }
    if len(near) != 1:
        return {}
    return {place: Fit(_INFLECTED_FIT, Match.ALTERNATE, key, _INFLECTED_SURENESS) for place, key in near.items()}


def respelt(index: Index, reading: Reading) -> dict[int, Fit]:
    """Places in Poland and Czechia by the ending that German gave their name: "Myslowitz" is Mysłowice."""
    stem = reading.name.removesuffix("itz")
    keys = [f"{stem}{ending}" for ending in _OF_ITZ] if len(reading.name) - 3 == len(stem) >= _LEAST_STEM else []
    return of_keys(index, keys, Match.ALTERNATE, _INFLECTED_FIT)


def _has_number(name: str) -> bool:
    """Whether the name has a number, which is never guessed."""
    return any(char.isdigit() for char in name)


def _stem(name: str, key: str) -> int:
    """The length of the words' common prefix."""
    pairs = enumerate(zip(name, key, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(name), len(key)))


def spellings(index: Index, table: str, expression: str, shortest: int = 0, longest: int = 1000) -> list[str]:
    """Keys from a full-text table, within a range of lengths."""
    rows = index.query(
        f"SELECT spelling.key FROM {table} JOIN spelling ON spelling.id = {table}.rowid "  # noqa: S608
        f"WHERE {table} MATCH ? AND {table}.rowid BETWEEN ? AND ? LIMIT 20000",
        (expression, shortest << LENGTH_BITS, (longest + 1) << LENGTH_BITS),
    )
    return sorted(key for (key,) in rows)


def of_keys(index: Index, keys: list[str], match: Match, fit: float) -> dict[int, Fit]:
    """The places of the first keys, up to the limit of rows."""
    fits: dict[int, Fit] = {}
    for key in keys[:_MOST_SPELLINGS]:
        rows = index.query(
            "SELECT place, kind FROM name WHERE key = ? AND kind < 2 ORDER BY weight LIMIT ?", (key, _MOST_ROWS)
        )
        for place, kind in rows:
            candidate = Fit(fit * ranking.FIT[kind], match, key)
            fits[place] = max(fits.get(place, candidate), candidate)
    return fits
