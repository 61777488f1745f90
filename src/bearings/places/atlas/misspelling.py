"""Misspelt names: candidates share trigrams with the query; for a short query, every single edit is tried."""

from bearings.places.atlas import ranking
from bearings.places.atlas.index import Index
from bearings.places.atlas.matching import Fit, Reading, of_keys, spellings
from bearings.places.engine import text
from bearings.places.engine.misspelling import within_edits
from bearings.places.models import Match

_LEAST = 4
"""The least length of a misspelt name (five letters, one of them lost) and of its correction: three are a code."""

_LONGEST_SHORT = 5
"""The length up to which every spelling one edit away is tried."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def misspelt(index: Index, reading: Reading) -> dict[int, Fit]:
    """Places whose name differs by as many edits as its length allows, those with the same first letter first."""
    name = reading.name
    edits = ranking.allowed_edits(name)
    if reading.exactly or not edits or not text.is_guessable(name, _LEAST):
        return {}
    # In a short word, half has no trigram: every spelling one edit away is tried instead.
    if len(name) <= _LONGEST_SHORT and name.isascii() and name.isalpha():
        alike = _known(index, _edited(name))
    else:
        alike = list(dict.fromkeys((*_sharing(index, name, edits), *_known(index, _transposed(name)))))
    near: dict[int, list[str]] = {}
    for distance, key in within_edits(name, alike, edits):
        if len(key) >= _LEAST and (distance == 1 or _word_by_word(name, key)):
            near.setdefault(distance, []).append(key)
    if not near:
        return {}
    near[min(near)].sort(key=lambda key: key[0] != name[0])
    return of_keys(index, near[min(near)], Match.CORRECTED, 1.0 - ranking.EDIT_COST * min(near))


def _word_by_word(name: str, key: str) -> bool:
    """Whether each word may be a misspelling of the other name's word: "Mersea Island" is not Mercer Island.

    Words keep their first letter, and a short word may have the name's single edit. If the numbers of words differ, a
    space is the only change.
    """
    from rapidfuzz.distance import OSA

    words, others = name.split(), key.split()
    if len(words) != len(others):
        return is_spaced(name, key)
    return all(
        word[0] == other[0] and OSA.distance(word, other) <= max(1, ranking.allowed_edits(word))
        for word, other in zip(words, others, strict=True)
    )


def is_spaced(name: str, key: str) -> bool:
    """Whether two spellings differ only in spaces: "eeuu" and "ee uu"."""
    return name.replace(" ", "") == key.replace(" ", "")


def _edited(name: str) -> list[str]:
    """All spellings one edit away."""
    cuts = [(name[:at], name[at:]) for at in range(len(name) + 1)]
    without = [head + tail[1:] for head, tail in cuts if tail]
    other = [head + letter + tail[1:] for head, tail in cuts if tail for letter in _LETTERS]
    more = [head + letter + tail for head, tail in cuts for letter in (*_LETTERS, " ")]
    return list(dict.fromkeys(each for each in (*without, *other, *more, *_transposed(name)) if each != name))


def _transposed(name: str) -> list[str]:
    """Spellings with two letters exchanged, also across the border of two pieces."""
    return [f"{name[:at]}{name[at + 1]}{name[at]}{name[at + 2 :]}" for at in range(len(name) - 1)]


def _known(index: Index, keys: list[str]) -> list[str]:
    """The keys that exist in the index."""
    return [key for (key,) in index.select_in("SELECT DISTINCT key FROM name WHERE kind < 2 AND key IN", keys)]


def _sharing(index: Index, name: str, edits: int) -> list[str]:
    """Keys of similar length that share trigrams with the name: those of a piece that the edits leave whole.

    Of edits + 1 pieces at least one is unchanged, so each piece is searched as a whole (pigeonhole).
    """
    size = len(name) // (edits + 1)
    pieces = [name[i * size : (i + 1) * size if i < edits else None] for i in range(edits + 1)]
    shortest, longest = len(name) - edits, len(name) + edits
    alike: list[str] = []
    if size < 3:  # the first piece is too short for trigrams, as in a word of five letters
        rows = index.query(
            "SELECT DISTINCT key FROM name WHERE key >= ? AND key < ? AND length(key) BETWEEN ? AND ? AND kind < 2",
            (pieces[0], pieces[0] + "\U0010ffff", shortest, longest),
        )
        alike += (key for (key,) in rows)
    for piece in pieces:
        if len(piece) >= 3:
            trigrams = {piece[i : i + 3] for i in range(len(piece) - 2)}
            match = " AND ".join(f'"{trigram}"' for trigram in sorted(trigrams))
            alike += spellings(index, "trigram_fts", match, shortest, longest)
    return alike
