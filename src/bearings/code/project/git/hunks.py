"""Changed lines between two versions of a file, and similarity of files."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from rapidfuzz.distance import Indel

from bearings.code.grouping import grouped

_ROOM = 400_000_000
"""The most lines of one version times lines of the other: more would take over 50 MB and a second."""

_ROOM_IN_ALL = 2_000_000_000
"""The same for all files of an answer: some five seconds."""

_ALIKE = 0.5
"""The least share of a file's bytes in common lines for a rename; git's default."""

_MOST = 1_000
"""The most files on either side that are compared for similarity; git's default."""

_MOST_LINES = 2_000_000
"""Lines of all these files: counting them takes up to 300 MB."""

_MOST_LOOKUPS = 10_000_000
"""The most lookups of lines in other files: some four seconds."""


class Hunk(NamedTuple):
    """A changed range: `old_count` lines from `old_start` became `new_count` lines from `new_start`; 1-based."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


class Room:
    """The remaining budget of comparisons for one answer, in lines times lines. `refused` counts files beyond it."""

    def __init__(self, left: int = _ROOM_IN_ALL) -> None:
        self.refused = 0
        self._left = left

    def take(self, amount: int) -> bool:
        """Take from the budget; False if it is too small."""
        if amount > min(_ROOM, self._left):
            self.refused += 1
            return False
        self._left -= amount
        return True


def hunks(old: bytes, new: bytes, room: Room | None = None) -> tuple[Hunk, ...]:
    """The changed ranges in order, ignoring line endings (CRLF, LF).

    Beyond the budget, one hunk covers everything from the first to the last changed line.
    """
    before, after = lines(old), lines(new)
    start = _common(before, after)
    tail = _common(before[start:][::-1], after[start:][::-1])
    before, after = before[start : len(before) - tail], after[start : len(after) - tail]
    if not (before or after):
        return ()
    if before and after and (room or Room()).take(len(before) * len(after)):
        return _merged(before, after, start)
    return (Hunk(start + 1, len(before), start + 1, len(after)),)


def lines(data: bytes) -> list[bytes]:
    """The lines of a source, without their ends."""
    return data.replace(b"\r\n", b"\n").split(b"\n")


def _common(before: list[bytes], after: list[bytes]) -> int:
    """The number of common lines at the start."""
    for place, (one, other) in enumerate(zip(before, after, strict=False)):
        if one != other:
            return place
    return min(len(before), len(after))


def _merged(before: list[bytes], after: list[bytes], start: int) -> tuple[Hunk, ...]:
    """The hunks of lines that begin at `start`; a deletion and an insertion at one place are one hunk."""
    merged: list[Hunk] = []
    for step in Indel.opcodes(before, after):
        if step.tag == "equal":
            continue
        hunk = Hunk(
            start + step.src_start + 1,
            step.src_end - step.src_start,
            start + step.dest_start + 1,
            step.dest_end - step.dest_start,
        )
        last = merged[-1] if merged else None
        touches = last and last.old_start + last.old_count == hunk.old_start
        if last and touches and last.new_start + last.new_count == hunk.new_start:
            hunk = Hunk(
                last.old_start, last.old_count + hunk.old_count, last.new_start, last.new_count + hunk.new_count
            )
            merged.pop()
        merged.append(hunk)
    return tuple(merged)


class Renames(NamedTuple):
    """Old path by new path. `all`: whether similar files were searched, or only equal ones."""

    old_by_new: dict[str, str]
    all: bool


def renamed(deleted: Mapping[str, bytes], added: Mapping[str, bytes]) -> Renames:
    """Deleted files that are among the added ones with at least half of their bytes, the most similar first."""
    old_by_new = _unchanged(deleted, added)
    taken = set(old_by_new.values())
    before = {path: data for path, data in deleted.items() if data and path not in taken}
    after = {path: data for path, data in added.items() if data and path not in old_by_new}
    if not (before and after):
        return Renames(old_by_new, all=True)
    scored = _scored(before, after)
    for _, _, old, new in sorted(scored or (), key=lambda one: (-one[0], not one[1], one[2:])):
        if old not in taken and new not in old_by_new:
            taken.add(old)
            old_by_new[new] = old
    return Renames(old_by_new, all=scored is not None)


def _unchanged(deleted: Mapping[str, bytes], added: Mapping[str, bytes]) -> dict[str, str]:
    """Old path by new path of equal files, those of the same name first."""
    by_data = grouped((deleted[path], path) for path in sorted(deleted, reverse=True))
    old_by_new: dict[str, str] = {}
    pending = [path for path in sorted(added) if added[path] in by_data and added[path]]
    for path in pending:
        old = by_data[added[path]]
        same = next((one for one in reversed(old) if _name(one) == _name(path)), None)
        if same is not None:
            old.remove(same)
            old_by_new[path] = same
    for path in pending:
        if path not in old_by_new and by_data[added[path]]:
            old_by_new[path] = by_data[added[path]].pop()
    return old_by_new


def _scored(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[tuple[float, bool, str, str]] | None:
    """Similarity, equality of names, old and new path of each similar pair; None if the work exceeds the budget."""
    count = sum(data.count(b"\n") for data in (*before.values(), *after.values()))
    if max(len(before), len(after)) > _MOST or count > _MOST_LINES:
        return None
    weighed = [(path, weights, weights.total()) for path, data in before.items() if (weights := _weights(data))]
    scored = []
    lookups = 0
    for new, data in after.items():
        theirs = _weights(data)
        size = theirs.total()
        for old, ours, other in weighed:
            if min(size, other) < _ALIKE * max(size, other):
                continue
            lookups += min(len(ours), len(theirs))
            if lookups > _MOST_LOOKUPS:
                return None
            if (likeness := _shared(ours, theirs) / max(size, other)) >= _ALIKE:
                scored.append((likeness, _name(old) == _name(new), old, new))
    return scored


def _weights(data: bytes) -> Counter[bytes]:
    """The bytes of each distinct line of a source, over all its occurrences."""
    counted = Counter(lines(data))
    return Counter({line: (len(line) + 1) * count for line, count in counted.items()})


def _shared(one: Counter[bytes], other: Counter[bytes]) -> int:
    """The bytes in common lines."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return sum(min(weight, large[line]) for line, weight in small.items() if line in large)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
