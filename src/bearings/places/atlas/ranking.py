"""How well names fit and how well known places are, as numbers that the atlas is ranked by. Pure."""

import math

from bearings.places.engine.ranking import IMPORTANCE_WEIGHT
from bearings.places.models import Match

MAIN, ALTERNATE, CODE, BARE, LISTED = 0, 1, 2, 3, 4
"""The kinds of name, as the index stores them. `BARE` is a country's without words such as "republic" (polity.py),
`LISTED` its spelling in lists of statistics or trade."""

FIT = {MAIN: 1.0, ALTERNATE: 0.9, CODE: 0.7, BARE: 0.85, LISTED: 0.85}
"""How well an exact match of each kind fits. A code is what few people write: "LA" is a city before it is Laos."""

UNTOLD_FIT, UNTOLD_SURENESS = 0.8, 0.85
"""The fit of an alternate name in no known language ("Salisbury" of Harare), and how sure it is without a context."""

PREFIX_FIT = 0.8
"""How well a name fits of which the query is the beginning."""

PART_FIT = 0.7
"""How well a name fits of which the query is a word, but not the first."""

WELL_KNOWN = 0.55
"""The importance from which on a guess at a name may be an answer: a city of 110,000 people, a region of a million."""

LEAST_SHARE_OF_WORD = 0.6
"""The least share of the name that a query must spell which ends within a word: "Downing" is no Downingtonville."""

EDIT_COST = 0.15
"""The penalty of each edit to the fit of a misspelt name: two edits rank below a prefix."""

STEEPNESS = 120.0
"""How fast the likelihood falls with the score beside an area that is named: a city of twice the people is meant six
times as often. Set, as `sound.sureness`, after a look at the calibration of benchmarks/atlas."""

LONE_STEEPNESS = 60.0
"""The same for a name alone. Fitted with `_LONE`, by the likelihood of 545 settlements of GeoVirus and GeoWebNews, two
collections of news."""

_TRUST = {Match.EXACT: 0.99, Match.ALTERNATE: 0.97, Match.CODE: 0.95, Match.PREFIX: 0.85, Match.CORRECTED: 0.85}
_OBSCURE, _LEAST_TRUST = 0.35, 0.6

_LONE, _LONE_BY_IMPORTANCE = 0.65, 0.5
"""How often a settlement is meant by its name alone, without its region or country: .87 of a town of 11,000 people, for
places of the name that no source has, persons and words of languages are meant else."""

_LARGEST_LOG_POPULATION = math.log10(1.5e9)


def size(population: int) -> float:
    """0–1: log10(1 + population) / log10(1.5e9), the largest country's; a village of 1,000 is 0.33, Paris 0.69."""
    return min(1.0, math.log10(1 + max(0, population)) / _LARGEST_LOG_POPULATION)


def importance(population: int, place_rank: int) -> float:
    """0–1 from population and Nominatim's rank: countries above all cities, regions a little below theirs.

    Countries (rank 4): 0.6 + 0.4·size; regions (rank <= 8): 0.82·size of all their settlements; counties (rank <= 12):
    0.8·size; others: size. Chosen so that "New York" and "Tokyo" are the cities, "Georgia" and "Luxembourg" the
    countries.
    """
    if place_rank <= 4:
        return 0.6 + 0.4 * size(population)
    factor = 0.82 if place_rank <= 8 else 0.8 if place_rank <= 12 else 1.0
    return factor * size(population)


def likelihood(importance: float) -> float:
    """The likelihood, up to a factor, that a place of one name is meant, as `STEEPNESS` has it."""
    return math.exp(STEEPNESS * IMPORTANCE_WEIGHT * importance)


def begins(query: str, name: str) -> bool:
    """Whether a query is the beginning of a name: whole words of it, or most of its letters."""
    if not name.startswith(query):
        return False
    ends_a_word = len(name) == len(query) or name[len(query)] == " "
    return ends_a_word or len(query) >= LEAST_SHARE_OF_WORD * len(name)


def allowed_edits(key: str) -> int:
    """Edits that a query may differ by from a name: none below 4 letters, one for 4–8, two beyond."""
    letters = sum(not char.isspace() for char in key)
    return 0 if letters < 4 else 1 if letters <= 8 else 2


def trust(match: Match, importance: float, *, lone_settlement: bool = False) -> float:
    """How often a match of this kind is what was meant; below a village of 1,000 people, it is often something else."""
    known = min(1.0, importance / _OBSCURE)
    lone = _LONE + _LONE_BY_IMPORTANCE * importance if lone_settlement else 1.0
    return min(lone, _TRUST.get(match, 1.0)) * (_LEAST_TRUST + (1 - _LEAST_TRUST) * known)
