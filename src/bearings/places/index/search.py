"""Places by name: exactly, then as the beginning of a name, then misspelt; always where the rest of the query says.

A query is read as a name and a context. Every word of the context must be spelt by the areas that contain the place
("Springfield, Illinois, USA"), or the place falls; so a query of which a part is unknown finds nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from bearings.places import geometry
from bearings.places.index import ranking, text
from bearings.places.index.context import Contexts
from bearings.places.index.database import Index, Row
from bearings.places.models import BBox, Point

_MOST_ROWS = 400
"""Rows read of one key: GeoNames has 600 San Josés; beyond, only the least important are lost."""

_MOST_SPELLINGS = 200
_MOST_WORDS = 12


@dataclass(frozen=True, slots=True)
class Filter:
    """Which places count: those of the countries, in the box if `bounded`, on a layer that the index has."""

    country_codes: tuple[str, ...] = ()
    near: Point | None = None
    viewbox: BBox | None = None
    bounded: bool = False

    def admits(self, row: Row) -> bool:
        """Whether a row may be an answer."""
        if self.country_codes and row.country_code not in self.country_codes:
            return False
        return not (self.bounded and self.viewbox is not None and not geometry.contains(self.viewbox, row.point))


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a query: the key of a name, and keys that its areas must spell."""

    name: str
    context: tuple[str, ...] = ()


def search(index: Index, query: str, limit: int, only: Filter) -> list[Row]:
    """At most `limit` rows for a free-form query, best first."""
    parts = text.parts(query)
    stages = _readings(parts)
    return find(index, stages, limit, only)


def find(index: Index, stages: list[list[Reading]], limit: int, only: Filter) -> list[Row]:
    """As `search`, for queries already read: the first stage that any place fits answers, exact names before others."""
    contexts = Contexts(index)
    for match in (_exact, _beginning, _misspelt):
        for readings in stages:
            scored: dict[int, tuple[float, Row]] = {}
            for reading in readings:
                if not all(contexts.is_known(part) for part in reading.context):
                    continue
                for fit, row in _fitting(index, contexts, reading, match(index, reading.name), only):
                    score = ranking.score(fit, row.importance, row.point, only.near, only.viewbox)
                    scored[row.id] = max(scored.get(row.id, (0.0, row)), (score, row), key=lambda each: each[0])
            if scored:
                best = sorted(scored.values(), key=lambda each: (-each[0], each[1].id))
                return [row for _, row in best[:limit]]
    return []


def _readings(parts: list[str]) -> list[list[Reading]]:
    """The ways to read a query, likeliest first, in stages."""
    if not parts:
        return []
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
    index: Index, contexts: Contexts, reading: Reading, fits: dict[int, float], only: Filter
) -> Iterator[tuple[float, Row]]:
    """The matches that the filter admits and the context fits."""
    for identifier, row in index.rows(fits).items():
        if only.admits(row) and contexts.fits(row, reading.context):
            yield fits[identifier], row


def _exact(index: Index, name: str) -> dict[int, float]:
    """Places of this name or a variant of it, with how well it fits. Codes name countries only."""
    found: dict[int, float] = {}
    for key in text.variants(name):
        rows = index.query(
            "SELECT place, kind FROM name WHERE key = ? AND (kind < 2 OR "
            "(SELECT place_rank FROM place WHERE id = name.place) <= 4) ORDER BY weight LIMIT ?",
            (key, _MOST_ROWS),
        )
        for place, kind in rows:
            found[place] = max(found.get(place, 0.0), ranking.FIT[kind])
    return found


def _beginning(index: Index, name: str) -> dict[int, float]:
    """Places whose name has all the words of this one, the last of them perhaps unfinished."""
    if not text.is_guessable(name):
        return {}
    quoted = [f'"{word}"' for word in name.split(" ")]
    keys = _spellings(index, "word_fts", " AND ".join(quoted) + "*")
    return _of_keys(index, [key for key in keys if ranking.begins(name, key)], ranking.PREFIX_FIT)


def _misspelt(index: Index, name: str) -> dict[int, float]:
    """Places whose name differs by as many edits as its length allows, but not in the first letter."""
    edits = ranking.allowed_edits(name)
    if not edits or not text.is_guessable(name):
        return {}
    from rapidfuzz.distance import OSA

    near: dict[int, list[str]] = {}
    for key in (*_alike(index, name, edits), *_transposed(index, name)):
        distance = OSA.distance(name, key, score_cutoff=edits)
        if distance <= edits and _word_by_word(name, key):
            near.setdefault(distance, []).append(key)
    if not near:
        return {}
    return _of_keys(index, near[min(near)], 1.0 - ranking.EDIT_COST * min(near))


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
        f"SELECT key FROM spelling WHERE id IN (SELECT rowid FROM {table} WHERE {table} MATCH ?) "  # noqa: S608
        "AND length(key) BETWEEN ? AND ? LIMIT 20000",
        (asked, shortest, longest),
    )
    return [key for (key,) in rows]


def _of_keys(index: Index, keys: list[str], fit: float) -> dict[int, float]:
    found: dict[int, float] = {}
    for key in keys[:_MOST_SPELLINGS]:
        rows = index.query(
            "SELECT place FROM name WHERE key = ? AND kind < 2 ORDER BY weight LIMIT ?", (key, _MOST_ROWS)
        )
        found.update((place, fit) for (place,) in rows)
    return found
