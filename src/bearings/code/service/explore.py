"""The topic of free-text questions, answered within a budget of characters."""

from collections.abc import Iterator
from typing import NamedTuple

from bearings.code.asking.engine import Answer
from bearings.code.asking.opening import Topic, index_of, size_of
from bearings.code.asking.source_text import shortened
from bearings.code.asking.tidying import all_tidied, tidied
from bearings.code.questions.explore import Explore
from bearings.code.replies.element import path_line
from bearings.code.replies.explore import Answering, ExploreReply, NextCall
from bearings.code.replies.found import Explored, Found, Spot
from bearings.progress import Progress
from bearings.untrusted import clean_text, escape_line, escape_text

_MAX_ELEMENTS = 10
_MAX_UNDERSTOOD = 400
_MAX_NOTE = 400
_ABOVE = 0.3
"""The share of a cut text above the line in question."""


class _Plan(NamedTuple):
    """The size of a reply: the share of characters for source, and the numbers of elements, uses and lines."""

    source: float
    elements: int
    uses: int
    lines: int


_PLANS = (
    _Plan(0.62, 10, 6, 16), _Plan(0.55, 10, 5, 12), _Plan(0.5, 8, 4, 10), _Plan(0.42, 7, 4, 8), _Plan(0.36, 6, 3, 8),
    _Plan(0.3, 6, 3, 6), _Plan(0.25, 5, 2, 5), _Plan(0.2, 4, 2, 4), _Plan(0.12, 3, 2, 3), _Plan(0.0, 3, 1, 3),
    _Plan(0.0, 2, 0, 1), _Plan(0.0, 1, 0, 0), _Plan(0.0, 0, 0, 0),
)  # fmt: skip
"""Plans from the largest to the smallest; the first whose reply fits the budget is used."""

_SHARES = (0.5, 0.22, 0.14, 0.08, 0.06)
"""Each element's share of the characters for source. The rest of an element's share goes to the next one."""


class ExploreTopic(Topic):
    """Explore."""

    async def explore(
        self, project_path: str, question: str, *, budget: int = 8_000, progress: Progress | None = None
    ) -> ExploreReply:
        """The elements and lines that answer a question, in at most `budget` characters of JSON or of text.

        Raises InvalidInput for a question without a word, and the errors of `scan`.
        """
        answer = await self._ask(project_path, Explore(question=question, most=_MAX_ELEMENTS), progress)
        replies = (_reply(answer, plan, budget) for plan in _plans(answer.value))
        fitting = (reply for reply in replies if _length(reply) <= budget)
        return next(fitting, None) or _smallest(answer)


def _plans(found: Explored) -> Iterator[_Plan]:
    """The plans for an answer; without elements they have more lines."""
    for plan in _PLANS:
        yield plan if found.found else plan._replace(lines=3 * plan.lines)


def _length(reply: ExploreReply) -> int:
    """The length of a reply in the longer of its two forms."""
    safe = reply.safe()
    return max(size_of(safe), len(safe.marked().to_text()))


def _reply(answer: Answer[Explored], plan: _Plan, budget: int) -> ExploreReply:
    found = answer.value
    room = [share * plan.source * budget for share in _SHARES]
    elements, spare = [], 0.0
    for place, one in enumerate(found.found[: plan.elements]):
        given = (room[place] if place < len(room) else 0.0) + spare
        element = _element(one, int(given), plan.uses)
        spare = given - len(element.source or "")
        elements.append(element)
    return ExploreReply(
        understood_as=clean_text(found.understood, _MAX_UNDERSTOOD),
        elements=elements,
        elements_total=found.total,
        lines=[_line(spot) for spot in found.lines[: plan.lines]],
        lines_total=found.lines_total,
        files=found.files,
        near=[path_line(name) for name in found.near[:10]],
        unread=all_tidied(found.unread),
        next=_next(found, shown=len(elements)) if plan.elements else [],
        note=clean_text(found.note, _MAX_NOTE) or None,
        index=index_of(answer.index),
    )


def _smallest(answer: Answer[Explored]) -> ExploreReply:
    """The reply if no element fits."""
    found = answer.value
    return ExploreReply(
        understood_as=clean_text(found.understood, _MAX_UNDERSTOOD // 2),
        elements_total=found.total,
        lines_total=found.lines_total,
        note="The budget is too small for more: pass a larger one.",
        index=index_of(answer.index),
    )


def _element(found: Found, room: int, uses: int) -> Answering:
    """An element with the text that fits into `room` characters."""
    symbol = found.symbol
    shown, first = _excerpt(found, room)
    source = "\n".join(shown)
    has_head = bool(source) and first in (0, symbol.line)
    return Answering(
        element=path_line(symbol.id),
        type=symbol.type,
        end_line=symbol.end_line,
        exported=symbol.exported,
        why=clean_text(found.why, 200) or None,
        signature=None if has_head else escape_line(" ".join(symbol.signature.split()), 200) or None,
        doc=clean_text(symbol.doc, 200) or None if not source else None,
        source=source or None,
        source_line=first if source else 0,
        source_cut=_cut(found, len(shown)) if source else 0,
        used_by=[_line(spot) for spot in found.used_by[:uses]],
        used_by_total=found.used_by_total,
        tests=[path_line(test) for test in found.tests[: (uses + 1) // 2]],
        tests_total=found.tests_total,
        mentioned=found.mentioned and tidied(found.mentioned),
        unknown=found.unknown or None,
    )


def _excerpt(found: Found, room: int) -> tuple[list[str], int]:
    """The lines that fit, around the line in question, and the number of the first."""
    lines = [escape_text(line) for line in found.source]
    start = max(found.focus, 0)
    if sum(len(line) + 1 for line in lines[: start + 1]) <= room * (1 - _ABOVE):
        start = 0
    end, left = start, room
    if start > 0:
        above = int(room * _ABOVE)
        while start > 0 and above >= len(lines[start - 1]) + 1:
            start -= 1
            above -= len(lines[start]) + 1
            left -= len(lines[start]) + 1
    while end < len(lines) and left >= len(lines[end]) + 1:
        left -= len(lines[end]) + 1
        end += 1
    return (lines[start:end], found.first and found.first + start) if end > max(found.focus, 0) else ([], 0)


def _cut(found: Found, shown: int) -> int:
    """The number of lines that are not shown: of the element, or of its members' heads."""
    whole = found.symbol.end_line - found.symbol.line + 1 if found.first else len(found.source)
    return max(0, whole - shown)


def _line(spot: Spot) -> str:
    """`path:line [in element] source`, in grep's format."""
    inside = f" [in {path_line(spot.inside)}]" if spot.inside else ""
    return f"{path_line(spot.file)}:{spot.line}{inside} {shortened(spot.text)}".rstrip()


def _next(found: Explored, shown: int) -> list[NextCall]:
    """Suggested calls: all users of the first element, the impact of changing it, details of the second."""
    calls: list[NextCall] = []
    if found.base:
        calls.append(
            NextCall(tool="coderef_changes", arguments={"base": found.base}, why="what it reaches, tests to run")
        )
    for one in found.found[:1] if shown else ():
        element = path_line(one.symbol.id)
        if one.used_by_total:
            arguments = {"query_type": "depends-on-me", "element": element}
            calls.append(NextCall(tool="coderef_query", arguments=arguments, why="all its users"))
        calls.append(NextCall(tool="coderef_impact", arguments={"element": element}, why="what a change reaches"))
    second = found.found[1:2] if shown > 1 else ()
    calls += [
        NextCall(tool="coderef_symbol", arguments={"element": path_line(one.symbol.id)}, why="all about the second")
        for one in second
    ]
    if found.near:
        calls.append(
            NextCall(tool="coderef_explore", arguments={"question": path_line(found.near[0])}, why="spelled alike")
        )
    return calls
