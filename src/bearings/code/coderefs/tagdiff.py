"""The unified diff of tagging a file, in linear time: the changed lines are known to be tags."""

import difflib
from collections.abc import Iterable, Sequence

from bearings.code.coderefs.tags import Tagged

Opcode = tuple[str, int, int, int, int]


def difference(path: str, before: bytes, result: Tagged) -> Iterable[str]:
    """The lines of a unified diff from `before` to the tagged file, with their line breaks."""
    old, new = (
        [line.decode("utf-8", "replace") for line in data.splitlines(keepends=True)] for data in (before, result.data)
    )
    yield f"--- a/{path}\n"
    yield f"+++ b/{path}\n"
    for group in _Known(old, new, _opcodes(result, len(old), len(new))).get_grouped_opcodes():
        first, last = group[0], group[-1]
        yield f"@@ -{_span(first[1], last[2])} +{_span(first[3], last[4])} @@\n"
        for kind, low, high, start, end in group:
            if kind == "equal":
                yield from (_line(" ", line) for line in old[low:high])
            else:
                yield from (_line("-", line) for line in old[low:high])
                yield from (_line("+", line) for line in new[start:end])


class _Known(difflib.SequenceMatcher[str]):
    """A `SequenceMatcher` with known opcodes, used to group changes with context lines."""

    def __init__(self, old: Sequence[str], new: Sequence[str], opcodes: list[Opcode]) -> None:
        super().__init__(None, (), ())
        self.a, self.b = old, new
        self.opcodes = opcodes  # get_opcodes returns these, and get_grouped_opcodes groups them


def _opcodes(result: Tagged, old: int, new: int) -> list[Opcode]:
    """The opcodes: runs of equal, inserted, deleted or replaced lines."""
    opcodes: list[Opcode] = []
    here = there = 0

    def stay(until: int) -> None:
        nonlocal here, there
        if until > here:
            opcodes.append(("equal", here, until, there, there + until - here))
            here, there = until, there + until - here

    for row in sorted(line - 1 for line in result.removed):
        stay(row)
        opcodes.append(("delete", row, row + 1, there, there))
        here += 1
    for row in sorted(line - 1 for line in {*result.added, *result.updated}):
        stay(here + row - there)
        changes = row + 1 in result.updated
        opcodes.append(("replace" if changes else "insert", here, here + changes, row, row + 1))
        here, there = here + changes, row + 1
    stay(old)
    assert there == new
    return opcodes


def _span(start: int, end: int) -> str:
    """The range of a hunk in a unified diff's notation."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + bool(length)},{length}"


def _line(sign: str, line: str) -> str:
    return f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"
