"""Names that are spelt nearly like a key: those that share its first or its second half are compared."""

from collections.abc import Iterator, Sequence

from bearings.places.osm.map import Map
from bearings.places.osm.words import SHORT, SUFFIXES

LEAST = 4
"""Letters of a misspelt key: five, one of them lost."""

_LEAST_RIGHT = 5
"""Letters of a right key."""

_LONG = 9
"""Letters from which on two edits are tried."""

_MOST_READ = 20_000
_LEAST_STEM = 3


def alike(osm: Map, key: str) -> list[tuple[int, str, int]]:
    """(spelling, key, edits) of the keys that a few edits turn into this one, nearest first.

    One edit (a letter more, less, another, two exchanged) leaves one of two halves as it was. Keys have the same
    digits: another number is another place.
    """
    if len(key) < LEAST or key.isdecimal():
        return []
    from rapidfuzz.distance import OSA

    most = 2 if len(key) >= _LONG else 1
    half = len(key) // 2
    start, end = key[: max(2, half - 1)], key[half:][::-1]
    lengths = (len(key) - most, len(key) + most, _MOST_READ)
    near = dict(
        osm.query(
            "SELECT id, key FROM spelling WHERE key >= ? AND key < ? AND length(key) BETWEEN ? AND ? LIMIT ?",
            (start, f"{start}\U0010ffff", *lengths),
        )
    )
    for spelling, backward in osm.query(
        "SELECT spelling, key FROM backward WHERE key >= ? AND key < ? AND length(key) BETWEEN ? AND ? LIMIT ?",
        (end, f"{end}\U0010ffff", *lengths),
    ):
        near[spelling] = backward[::-1]
    digits = _digits(key)
    found = []
    for spelling, other in near.items():
        edits = OSA.distance(key, other, score_cutoff=most)
        if 0 < edits <= most and len(other) >= _LEAST_RIGHT and _digits(other) == digits:
            found.append((spelling, other, edits))
    return sorted(found, key=lambda each: (each[2], each[1]))


def respelt(words: Sequence[str]) -> Iterator[str]:
    """Keys with one word, or its end, put right that is an edit away from what is abbreviated: "strsse", "bulevard"."""
    from rapidfuzz.distance import OSA

    def is_near(word: str, long: str) -> bool:
        return (
            len(long) >= _LEAST_RIGHT
            and abs(len(word) - len(long)) <= 1
            and OSA.distance(word, long, score_cutoff=1) == 1
        )

    for at, word in enumerate(words):
        found = {short for long, short in SHORT.items() if is_near(word, long)}
        for long, short in SUFFIXES:
            for length in (len(long) - 1, len(long), len(long) + 1):
                if len(word) - length >= _LEAST_STEM and is_near(word[-length:], long):
                    found.add(word[:-length] + short)
        for right in found:
            yield "".join((*words[:at], right, *words[at + 1 :]))


def _digits(key: str) -> str:
    return "".join(filter(str.isdigit, key))
