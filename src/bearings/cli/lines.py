"""Names from standard input, one a line, asked in batches as large as the tool allows."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from bearings.cli.wiring import Wing
from bearings.errors import InvalidInput, Unavailable, Unsupported
from bearings.progress import Progress

if TYPE_CHECKING:
    from bearings.places.replies.journeys import BatchItem, BatchReply
    from bearings.tool import Tool

STDIN = "-"
"""The word for standard input."""

MOST_TEXT = 16_000
"""The characters of standard input that are one question: the last ones, as an error comes at the end."""

BATCH = 50
"""The tool's limit for one call."""

MOST_FOR_THE_PUBLIC = 100
"""The limit of lines for the public Nominatim: its policy forbids bulk geocoding."""

_PUBLIC = "nominatim.openstreetmap.org"


def lines(field: str) -> list[str]:
    """The lines of standard input without blank ones. Raises InvalidInput if there are none."""
    stripped = [" ".join(line.split()) for line in sys.stdin.read().splitlines()]
    names = [line for line in stripped if line]
    if not names:
        raise InvalidInput(field, STDIN, "standard input has no line", "Pipe names into it, one a line.")
    return names


async def ask_lines(wing: Wing, tool: Tool, arguments: Mapping[str, Any], field: str, progress: Progress) -> BatchReply:
    """The answers to all lines in one reply, in order.

    Raises Unsupported for more lines than a public server allows, and Unavailable for a batch without any progress.
    """
    from bearings.places.replies import BatchReply

    names = list(arguments[field])
    await _check(wing, len(names))
    answers: dict[str, BatchItem] = {}
    replies: list[BatchReply] = []
    waiting = list({_key(name): name for name in names}.values())
    while waiting:
        shifted = _Shifted(progress, len(answers), len(answers) + len(waiting))
        reply, _ = await tool.run({**arguments, field: waiting[:BATCH]}, shifted)
        replies.append(cast("BatchReply", reply))
        new = {item.query: item for item in replies[-1].items}
        if not new:
            raise Unavailable(f"no answer after {len(answers)} lines", "Ask again for the lines that are left.")
        answers |= new
        waiting = [name for name in waiting if _key(name) not in answers]
    return BatchReply.joined(replies, [answers[_key(name)] for name in names])


def _key(name: str) -> str:
    """A query as an item of the reply spells it."""
    from bearings.places.replies.journeys import ECHO
    from bearings.untrusted import clean_line

    return clean_line(name, ECHO)


async def _check(wing: Wing, count: int) -> None:
    if count <= MOST_FOR_THE_PUBLIC:
        return
    status, _ = await next(tool for tool in wing.tools if tool.name == "geocoder_status").run({})
    if _PUBLIC in status.structured()["detail"]:
        raise Unsupported(
            f"{count} lines are bulk geocoding, which the policy of {_PUBLIC} forbids",
            f"Ask for {MOST_FOR_THE_PUBLIC} at most, set GEOCODER_BACKEND=gazetteer, or use a Nominatim of your own.",
        )


class _Shifted:
    """Turns one batch's progress into that of all lines."""

    def __init__(self, progress: Progress, before: int, total: int) -> None:
        self._progress, self._before, self._total = progress, before, total

    def update(self, done: float, total: float | None, message: str) -> None:  # noqa: ARG002 - those of one batch
        """Report it."""
        self._progress.update(self._before + done, self._total, f"geocoding {self._total} names")


def is_stdin(words: Sequence[Any]) -> bool:
    """Whether a list of words is the word for standard input."""
    return list(words) == [STDIN]
