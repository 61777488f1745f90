"""Which lines differ between two versions of a file, and which of several files are alike."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rapidfuzz.distance import Indel

_ROOM = 400_000_000
"""Lines of one version times lines of the other: more would need over 50 MB and a second to compare."""

_ALIKE = 0.5
"""Share of a file's bytes in lines that both have, from which on one is the other renamed; git's own default."""

_MOST = 1_000
"""Files on either side that are compared for likeness; git's own default."""


class Hunk(NamedTuple):
    """Lines that differ: `old_count` from `old_start` became `new_count` from `new_start`; 1-based."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


def hunks(old: bytes, new: bytes) -> tuple[Hunk, ...]:
    """The lines that differ, in order. Ends of lines (CRLF, LF) make no difference."""
    before, after = lines(old), lines(new)
    start = _common(before, after)
    tail = _common(before[start:][::-1], after[start:][::-1])
    before, after = before[start : len(before) - tail], after[start : len(after) - tail]
    if len(before) * len(after) > _ROOM or not (before and after):
        return (Hunk(start + 1, len(before), start + 1, len(after)),) if before or after else ()
    return _merged(before, after, start)


def lines(data: bytes) -> list[bytes]:
    """The lines of a source, without their ends."""
    return data.replace(b"\r\n", b"\n").split(b"\n")


def _common(before: list[bytes], after: list[bytes]) -> int:
    """How many lines both begin with."""
    for place, (one, other) in enumerate(zip(before, after, strict=False)):
        if one != other:
            return place
    return min(len(before), len(after))


def _merged(before: list[bytes], after: list[bytes], start: int) -> tuple[Hunk, ...]:
    """The hunks of lines that begin at `start`; a deletion and an insertion at one place are one hunk."""
    found: list[Hunk] = []
    for step in Indel.opcodes(before, after):
        if step.tag == "equal":
            continue
        hunk = Hunk(
            start + step.src_start + 1,
            step.src_end - step.src_start,
            start + step.dest_start + 1,
            step.dest_end - step.dest_start,
        )
        last = found[-1] if found else None
        touches = last and last.old_start + last.old_count == hunk.old_start
        if last and touches and last.new_start + last.new_count == hunk.new_start:
            hunk = Hunk(
                last.old_start, last.old_count + hunk.old_count, last.new_start, last.new_count + hunk.new_count
            )
            found.pop()
        found.append(hunk)
    return tuple(found)


def renamed(gone: Mapping[str, bytes], come: Mapping[str, bytes]) -> dict[str, str]:
    """Old path by new path, of files that went and came with at least half of their lines: the most alike first."""
    before = {path: _weights(data) for path, data in list(gone.items())[:_MOST] if data}
    after = {path: _weights(data) for path, data in list(come.items())[:_MOST] if data}
    scored = [
        (likeness, _name(old) == _name(new), old, new)
        for new, theirs in after.items()
        for old, ours in before.items()
        if (likeness := _likeness(ours, theirs)) >= _ALIKE
    ]
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, _, old, new in sorted(scored, key=lambda one: (-one[0], not one[1], one[2:])):
        if old not in taken and new not in found:
            taken.add(old)
            found[new] = old
    return found


def _weights(data: bytes) -> Counter[bytes]:
    """How many bytes each line of a source stands for, all its occurrences together."""
    counted = Counter(lines(data))
    return Counter({line: (len(line) + 1) * count for line, count in counted.items()})


def _likeness(one: Counter[bytes], other: Counter[bytes]) -> float:
    """The bytes in lines that both have, as a share of the larger."""
    sizes = one.total(), other.total()
    if min(sizes) < _ALIKE * max(sizes):
        return 0.0
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return _shared(small.items(), large) / max(sizes)


def _shared(weights: Iterable[tuple[bytes, int]], other: Counter[bytes]) -> int:
    return sum(min(weight, other[line]) for line, weight in weights if line in other)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
