"""How a name matches those of an index: exactly, as a beginning, as a part, misspelt. Each says how well."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from bearings.places.index import kinds, ranking, sound, text
from bearings.places.index.database import Index, Row
from bearings.places.index.writer import LENGTH_BITS
from bearings.places.models import Kind, Layer, Match

_MOST_ROWS = 400
"""Rows read of one key: GeoNames has 600 San Josés; beyond, only the least important are lost."""

_LAST_CODED_RANK, _LAST_RANK = 4, 30
_MOST_SPELLINGS = 200

_MATCH = {
    ranking.MAIN: Match.EXACT,
    ranking.ALTERNATE: Match.ALTERNATE,
    ranking.CODE: Match.CODE,
    ranking.BARE: Match.ALTERNATE,
}
_SOUNDING = "SELECT letters, place, kind FROM sound WHERE skeleton = ? AND (kind < 3 OR ?)"
_SOUNDING_COUNTRIES = (
    "SELECT letters, place, kind FROM sound WHERE skeleton = ? AND (kind = 0 OR kind = 3 AND ?) "
    "AND (SELECT layer = 'country' FROM place WHERE id = sound.place)"
)
_LEAST_HEARD = 6
_LEAST_STEM, _LEAST_WORD, _LONGEST_ENDING = 4, 8, 2
_INFLECTED_FIT, _INFLECTED_SURENESS = 0.6, 0.9
_LEAST_MISSPELT = 4
"""Letters of a misspelt name: one that should have five may have lost one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a query: the key of a name, and keys that its areas must spell.

    A `kind` admits places of this kind alone; a `code` the one place that has it. `exactly`: neither the beginning of a
    name nor a misspelt one will do. `polity`: the name is a country's, bared of general words (polity.py), `formal`: of
    one for a form of state, beside which names are inflected.
    """

    name: str
    context: tuple[str, ...] = ()
    kind: Kind | None = None
    code: str | None = None
    exactly: bool = False
    polity: bool = False
    formal: bool = False

    def admits(self, row: Row) -> bool:
        """Whether a row is of the kind, and has the code, that were said."""
        if self.polity and row.layer is not Layer.COUNTRY:
            return False
        return (self.kind is None or kinds.is_of(row, self.kind)) and self.code in (None, row.code)


class Fit(NamedTuple):
    """How a name fits: 0-1, in which way, the key that it has in the index, and how sure that it is this name."""

    value: float
    match: Match
    key: str
    sureness: float = 1.0


Matcher = Callable[[Index, Reading], dict[int, Fit]]
"""Gives the places that a reading's name matches, by their id."""


def exact(index: Index, reading: Reading) -> dict[int, Fit]:
    """Places of this name or a variant, with how well it fits. Codes name countries, airports, or what a word tells."""
    found: dict[int, Fit] = {}
    last_rank = _LAST_CODED_RANK if reading.kind is None else _LAST_RANK
    for key in text.variants(reading.name):
        rows = index.query(
            "SELECT place, kind FROM name WHERE key = ? AND (kind < 2 OR kind = 3 AND ? OR kind = 2 AND "
            "(SELECT place_rank <= ? OR layer = 'airport' FROM place WHERE id = name.place)) ORDER BY weight LIMIT ?",
            (key, reading.polity, last_rank, _MOST_ROWS),
        )
        for place, kind in rows:
            fit = Fit(ranking.FIT[kind], _MATCH[kind], key)
            found[place] = max(found.get(place, fit), fit, key=lambda each: each.value)
    return found


def beginning(index: Index, reading: Reading) -> dict[int, Fit]:
    """Places whose name has all the words of this one, the last of them perhaps unfinished."""
    name = reading.name
    if reading.exactly or not text.is_guessable(name):
        return {}
    quoted = [f'"{word}"' for word in name.split(" ")]
    keys = _spellings(index, "word_fts", " AND ".join(quoted) + "*")
    near = [key for key in keys if ranking.begins(name, key)]
    return _of_keys(index, near, Match.PREFIX, ranking.PREFIX_FIT)


def containing(index: Index, reading: Reading) -> dict[int, Fit]:
    """Places of which this name is a part, word for word: "Mersea" is in West Mersea."""
    name = reading.name
    if reading.exactly or not text.is_guessable(name):
        return {}
    keys = _spellings(index, "word_fts", " AND ".join(f'"{word}"' for word in name.split(" ")))
    near = [key for key in keys if f" {name} " in f" {key} "]
    return _of_keys(index, near, Match.PREFIX, ranking.PART_FIT)


def misspelt(index: Index, reading: Reading) -> dict[int, Fit]:
    """Places whose name differs by as many edits as its length allows, but not in the first letter."""
    name = reading.name
    edits = ranking.allowed_edits(name)
    if reading.exactly or not edits or not text.is_guessable(name, _LEAST_MISSPELT):
        return {}
    from rapidfuzz.distance import OSA

    near: dict[int, list[str]] = {}
    for key in (*_alike(index, name, edits), *_transposed(index, name)):
        distance = OSA.distance(name, key, score_cutoff=edits)
        if distance <= edits and (distance == 1 or _word_by_word(name, key)):
            near.setdefault(distance, []).append(key)
    if not near:
        return {}
    return _of_keys(index, near[min(near)], Match.CORRECTED, 1.0 - ranking.EDIT_COST * min(near))


def sounding(index: Index, reading: Reading) -> dict[int, Fit]:
    """Well-known places whose name in Latin letters sounds as this one in another script does.

    In Latin letters too, countries by their main name: "Yndoneezje".
    """
    name = reading.name
    is_latin = not sound.is_heard(name)
    if is_latin and (not name.isascii() or len(name) < _LEAST_HEARD or reading.context):
        return {}
    if _has_number(name):
        return {}
    letters = sound.spelt(name)
    rows = index.query(_SOUNDING_COUNTRIES if is_latin else _SOUNDING, (sound.skeleton(letters), reading.polity))
    found: dict[int, Fit] = {}
    for spelling, place, kind in rows:
        alike = sound.likeness(letters, spelling)
        value = (3 * alike - 2) * ranking.FIT[kind]
        fit = Fit(value, Match.ALTERNATE, spelling, sound.sureness(alike))
        if alike >= sound.LEAST_LIKENESS and (place not in found or fit.value > found[place].value):
            found[place] = fit
    return found


def inflected(index: Index, reading: Reading) -> dict[int, Fit]:
    """The country of whose name this is a form: "Shqipëria" of Shqipëri; beside "republic" "française" of France.

    They share the longest stem: all but an ending, beside a form of state half of the name. Where two countries share
    it, none is meant.
    """
    name = reading.name
    if len(name) < (_LEAST_STEM if reading.formal else _LEAST_WORD) or reading.context or _has_number(name):
        return {}
    rows = index.query(
        "SELECT name.key, name.place FROM name JOIN place ON place.id = name.place "
        "WHERE name.key >= ? AND name.key < ? AND name.kind != 2 AND place.layer = 'country'",
        (name[:_LEAST_STEM], name[:_LEAST_STEM] + "\U0010ffff"),
    )
    shared = {(key, place): _stem(name, key) for key, place in rows}
    longest = max(shared.values(), default=0)
    ending = _LONGEST_ENDING if name.isascii() else _LONGEST_ENDING + 1  # vowel signs are characters of their own
    near = {
        place: key
        for (key, place), stem in shared.items()
        if stem == longest and (reading.formal or max(len(key), len(name)) - stem <= ending)
        if 2 * stem >= max(len(key), len(name))
    }
    if len(near) != 1:
        return {}
    return {place: Fit(_INFLECTED_FIT, Match.ALTERNATE, key, _INFLECTED_SURENESS) for place, key in near.items()}


def _has_number(name: str) -> bool:
    """Numbers are never guessed."""
    return any(char.isdigit() for char in name)


def _stem(name: str, key: str) -> int:
    """How many letters two words begin with in common."""
    pairs = enumerate(zip(name, key, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(name), len(key)))


def _word_by_word(name: str, key: str) -> bool:
    """Whether each word alone may be a misspelling of the other's: "Mersea Island" is not Mercer Island.

    Words keep their first letter, and a short one may have the name's one edit; a space too many or too few is the only
    change where their numbers differ.
    """
    from rapidfuzz.distance import OSA

    words, others = name.split(), key.split()
    if len(words) != len(others):
        return name.replace(" ", "") == key.replace(" ", "")
    return all(
        word[0] == other[0] and OSA.distance(word, other) <= max(1, ranking.allowed_edits(word))
        for word, other in zip(words, others, strict=True)
    )


def _alike(index: Index, name: str, edits: int) -> list[str]:
    """Keys of about the same length that share trigrams: those of one piece of the name that edits leave whole.

    Of edits + 1 pieces at least one is untouched, so that each piece is asked for as a whole (pigeonhole).
    """
    size = len(name) // (edits + 1)
    pieces = [name[i * size : (i + 1) * size if i < edits else None] for i in range(edits + 1)]
    alike = _starting(index, pieces[0], len(name) - edits, len(name) + edits) if size < 3 else []
    for piece in pieces:
        if len(piece) >= 3:
            trigrams = {piece[i : i + 3] for i in range(len(piece) - 2)}
            asked = " AND ".join(f'"{trigram}"' for trigram in sorted(trigrams))
            alike += _spellings(index, "trigram_fts", asked, len(name) - edits, len(name) + edits)
    return list(dict.fromkeys(alike))


def _starting(index: Index, piece: str, shortest: int, longest: int) -> list[str]:
    """Keys that begin with a piece too short for trigrams: that of a word of five letters, which has no other."""
    rows = index.query(
        "SELECT DISTINCT key FROM name WHERE key >= ? AND key < ? AND length(key) BETWEEN ? AND ? AND kind < 2",
        (piece, piece + "\U0010ffff", shortest, longest),
    )
    return [key for (key,) in rows]


def _transposed(index: Index, name: str) -> list[str]:
    """Keys that differ by two letters exchanged, which may straddle two pieces."""
    swapped = [f"{name[:i]}{name[i + 1]}{name[i]}{name[i + 2 :]}" for i in range(1, len(name) - 1)]
    marks = ",".join("?" * len(swapped))
    rows = index.query(f"SELECT DISTINCT key FROM name WHERE kind < 2 AND key IN ({marks})", swapped)  # noqa: S608
    return [key for (key,) in rows]


def _spellings(index: Index, table: str, asked: str, shortest: int = 0, longest: int = 1000) -> list[str]:
    rows = index.query(
        f"SELECT spelling.key FROM {table} JOIN spelling ON spelling.id = {table}.rowid "  # noqa: S608
        f"WHERE {table} MATCH ? AND {table}.rowid BETWEEN ? AND ? LIMIT 20000",
        (asked, shortest << LENGTH_BITS, (longest + 1) << LENGTH_BITS),
    )
    return sorted(key for (key,) in rows)


def _of_keys(index: Index, keys: list[str], match: Match, fit: float) -> dict[int, Fit]:
    found: dict[int, Fit] = {}
    for key in keys[:_MOST_SPELLINGS]:
        rows = index.query(
            "SELECT place, kind FROM name WHERE key = ? AND kind < 2 ORDER BY weight LIMIT ?", (key, _MOST_ROWS)
        )
        for place, kind in rows:
            one = Fit(fit * ranking.FIT[kind], match, key)
            found[place] = max(found.get(place, one), one)
    return found
