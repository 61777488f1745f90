"""Names that are spelt nearly like a key: those that share its first or its second half are compared."""

from collections.abc import Iterator, Sequence

from bearings.places.engine.misspelling import within_edits
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
    most = 2 if len(key) >= _LONG else 1
    # An edit in "heidelbrg" leaves "heid" or "elbrg" whole: keys that begin with the first half are read, and, from the
    # table of keys written backwards, those that end with the second.
    half = len(key) // 2
    start, end = key[: max(2, half - 1)], key[half:][::-1]
    lengths = (len(key) - most, len(key) + most, _MOST_READ)
    beginning = "WHERE key >= ? AND key < ? AND length(key) BETWEEN ? AND ? LIMIT ?"
    spelling_of: dict[str, int] = dict(
        osm.query(f"SELECT key, id FROM spelling {beginning}", (start, f"{start}\U0010ffff", *lengths))  # noqa: S608
    )
    backward = osm.query(f"SELECT key, spelling FROM backward {beginning}", (end, f"{end}\U0010ffff", *lengths))  # noqa: S608
    spelling_of |= {reverse[::-1]: spelling for reverse, spelling in backward}
    near = [
        (spelling_of[other], other, edits)
        for edits, other in within_edits(key, spelling_of, most)
        if edits and len(other) >= _LEAST_RIGHT and _digits(other) == _digits(key)
    ]
    return sorted(near, key=lambda each: (each[2], each[1]))


def respelt(words: Sequence[str]) -> Iterator[str]:
    """Keys with one word, or its end, put right that is an edit away from what is abbreviated: "strsse", "bulevard"."""

    def is_near(word: str, long: str) -> bool:
        may_be = len(long) >= _LEAST_RIGHT and abs(len(word) - len(long)) <= 1 and word != long
        return may_be and any(within_edits(word, (long,), 1))

    for at, word in enumerate(words):
        corrections = {short for long, short in SHORT.items() if is_near(word, long)}
        for long, short in SUFFIXES:
            for length in (len(long) - 1, len(long), len(long) + 1):
                if len(word) - length >= _LEAST_STEM and is_near(word[-length:], long):
                    corrections.add(word[:-length] + short)
        for right in corrections:
            yield "".join((*words[:at], right, *words[at + 1 :]))


def _digits(key: str) -> str:
    return "".join(filter(str.isdigit, key))
