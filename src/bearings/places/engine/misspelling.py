"""Spellings that differ by a few edits: a letter more, less or another, or two neighbours exchanged.

Each source finds candidates by the tables that it has; they are compared here.
"""

from collections.abc import Iterable, Iterator


def within_edits(key: str, candidates: Iterable[str], most: int) -> Iterator[tuple[int, str]]:
    """(edits, candidate) of the candidates that are `most` edits from a key or fewer, in their order."""
    from rapidfuzz.distance import OSA

    for candidate in candidates:
        edits = OSA.distance(key, candidate, score_cutoff=most)
        if edits <= most:
            yield edits, candidate
