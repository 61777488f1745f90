"""The elements and lines that answer a question in words."""

from typing import Annotated, NamedTuple

from msgspec import Meta, field
from msgspec.structs import replace

from bearings.code.models import SymbolKind
from bearings.code.question import Answer, Budget, ToolQuestion
from bearings.code.questions.explore.answer import Excerpt, Explored, NextCall, Spot
from bearings.code.replies.element import IndexInfo, path_line, title_of
from bearings.code.replies.elsewhere import Mentioned, Unread, counted_lines
from bearings.code.replies.pages import size_of
from bearings.code.replies.tidying import all_tidied, shortened, tidied
from bearings.reply import Part, Prose, Reply, SourceText, SymbolName
from bearings.untrusted import clean_text, escape_line, escape_text


class Answering(Part):
    """An element that answers the question, and why.

    Every tool accepts `element`. `source` begins at `source_line` of the file (0: it lists single lines by number: the
    heads of members, or lines with the words); `source_cut` lines are left out. `used_by` and `tests` are the first of
    theirs, uses as `path:line [in element] source`. If `unknown` is set, uses are guesses, or some of all, and their
    total is unknown; without an index, tests are those that run it directly. `mentioned`: no use is known, but these
    lines contain the word.
    """

    element: SymbolName
    type: SymbolKind
    end_line: int
    exported: bool
    why: str | None = None
    signature: SymbolName | None = None
    doc: Prose | None = None
    source: SourceText | None = None
    source_line: int = 0
    source_cut: int = 0
    used_by: list[SymbolName] = field(default_factory=list)
    used_by_total: int | None = 0
    tests: list[SymbolName] = field(default_factory=list)
    tests_total: int | None = 0
    mentioned: Mentioned | None = None
    unknown: str | None = None

    def to_text(self) -> str:
        """The element, its text, its uses."""
        why = f" – {self.why}" if self.why else ""
        parts = [f"{self.type} {self.element} (to line {self.end_line}){' exported' if self.exported else ''}{why}"]
        parts += [part for part in (self.doc, self.signature, self.source) if part]
        parts += [f"… {self.source_cut} more lines"] if self.source_cut else []
        parts += [f"{title_of('used by', self.used_by_total, len(self.used_by))}{self._elsewhere()}"]
        parts += [f"  {use}" for use in self.used_by]
        parts += [f"  {self.unknown}"] if self.unknown else []
        if self.tests:
            parts += [title_of("tests", self.tests_total, len(self.tests)), *(f"  {test}" for test in self.tests)]
        return "\n".join(parts)

    def _elsewhere(self) -> str:
        """The lines with its word, if no use is known."""
        known = "" if self.used_by_total is None else " known"
        if self.mentioned is None:
            return "" if self.used_by_total else f"{known}; its word was not looked for"
        if not self.mentioned.places:
            return f"{known}; its word stands on no other line"
        first = f", first {self.mentioned.first.to_text().strip()}" if self.mentioned.first else ""
        return f"{known}; its word is on {counted_lines(self.mentioned.places, self.mentioned.files)}{first}"


class ExploreReply(Reply):
    """The interpretation of the question, and the elements and lines that answer it, the best first.

    Each of `lines` is `path:line [in element] source`. `elements_total` and `lines_total` count all matches. `near` are
    similar names in the project, if nothing was found.
    """

    understood_as: str
    elements: list[Answering] = field(default_factory=list)
    elements_total: int = 0
    lines: list[SymbolName] = field(default_factory=list)
    lines_total: int = 0
    files: int = 0
    near: list[SymbolName] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    next: list[NextCall] = field(default_factory=list)
    note: str | None = None
    index: IndexInfo

    def noting(self, note: str) -> "ExploreReply":
        """A copy with a note about the question."""
        return replace(self, note=" ".join(filter(None, (note, self.note))))

    def to_text(self) -> str:
        """The interpretation, the elements, the lines, and the next calls."""
        parts = [f"understood as {self.understood_as} {self.index.to_text()}"]
        if self.elements_total:
            parts.append(title_of("elements", self.elements_total, len(self.elements)))
        for number, element in enumerate(self.elements, 1):
            parts += ["", f"{number}. {element.to_text()}"]
        if self.lines_total:
            files = f" in {self.files} {'file' if self.files == 1 else 'files'}"
            parts += ["", title_of(f"lines{files}", self.lines_total, len(self.lines))]
            parts += [f"  {line}" for line in self.lines]
        parts += [self.note] if self.note else []
        parts += [f"spelled alike: {', '.join(self.near)}"] if self.near else []
        if self.unread:
            parts.append(f"not read, only searched: {', '.join(row.to_text() for row in self.unread)}")
        parts += ["", "next:", *(call.to_text() for call in self.next)] if self.next else []
        return "\n".join(parts)


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


_PLANS_OF_WORDS = (
    _Plan(0.6, 10, 3, 8), _Plan(0.5, 10, 2, 6), _Plan(0.45, 10, 1, 4), _Plan(0.4, 10, 0, 3), _Plan(0.3, 10, 0, 3),
    _Plan(0.25, 8, 0, 3), _Plan(0.2, 6, 0, 3), _Plan(0.15, 4, 0, 3), *_PLANS[-5:],
)  # fmt: skip
"""Plans for a question in words: it wants many elements, and of each only the lines that hold the words."""
_WORDS = 0.75
"""The share of the budget that the answer to a question in words takes."""

_SHARES = (0.5, 0.22, 0.14, 0.08, 0.06)
_SHARES_OF_WORDS = (0.22, 0.16, 0.13, 0.11, 0.1, 0.07, 0.06, 0.05, 0.05, 0.05)
"""Each element's share of the characters for source. The rest of an element's share goes to the next one."""


class Explore(ToolQuestion[Explored, ExploreReply], frozen=True, kw_only=True):
    """Ask this first: the few elements that answer, with source, users, tests, and what to ask next.

    Finds text too: strings, comments, settings, files in any language. Paste a whole traceback or test output.
    Example: {"project_path": "/home/me/app", "question": "where are failed payments retried"}
    """

    title = "Find your way in a project"
    place = 10
    toolsets = frozenset({"core"})
    view = "graph"
    always_loaded = True
    on_demand = True
    answer = Explored
    question: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=16_000,
            description="Words, an element, path:line, a traceback or test output, an error text, a URL, a commit.",
        ),
    ]
    budget: Budget = 8_000
    most: int = _MAX_ELEMENTS

    @property
    def may_be_part(self) -> bool:
        """Whether some users may be shown: always, as no more than a few ever are."""
        return True

    def reply(self, answer: Answer[Explored]) -> ExploreReply:
        """As much as fits into `budget` characters, of JSON and of text.

        Raises InvalidInput for a question without a word, and the errors of a scan.
        """
        in_words = answer.value.form == "words" and not answer.value.calls
        budget = int(self.budget * _WORDS) if in_words else self.budget
        for plan in _PLANS_OF_WORDS if in_words else _PLANS:
            # Without elements there is room for more lines.
            reply = _reply(answer, plan if answer.value.elements else plan._replace(lines=3 * plan.lines), budget)
            safe = reply.safe()
            if max(size_of(safe), len(safe.marked().to_text())) <= budget:
                return reply
        return _smallest(answer)


def _reply(answer: Answer[Explored], plan: _Plan, budget: int) -> ExploreReply:
    explored = answer.value
    shares = _SHARES_OF_WORDS if explored.form == "words" else _SHARES
    room = [share * plan.source * budget for share in shares]
    elements, spare = [], 0.0
    for place, one in enumerate(explored.elements[: plan.elements]):
        given = (room[place] if place < len(room) else 0.0) + spare
        element = _element(one, int(given), plan.uses)
        spare = given - len(element.source or "")
        elements.append(element)
    return ExploreReply(
        understood_as=clean_text(explored.understood, _MAX_UNDERSTOOD),
        elements=elements,
        elements_total=explored.total,
        lines=[_line(spot) for spot in explored.lines[: plan.lines]],
        lines_total=explored.lines_total,
        files=explored.files,
        near=[path_line(name) for name in explored.near[:10]],
        unread=all_tidied(explored.unread),
        next=_next(explored, shown=len(elements)) if plan.elements else [],
        note=clean_text(explored.note, _MAX_NOTE) or None,
        index=answer.index,
    )


def _smallest(answer: Answer[Explored]) -> ExploreReply:
    """The reply if no element fits."""
    explored = answer.value
    return ExploreReply(
        understood_as=clean_text(explored.understood, _MAX_UNDERSTOOD // 2),
        elements_total=explored.total,
        lines_total=explored.lines_total,
        note="The budget is too small for more: pass a larger one.",
        index=answer.index,
    )


def _element(chosen: Excerpt, room: int, uses: int) -> Answering:
    """An element with the text that fits into `room` characters."""
    symbol = chosen.symbol
    shown, first = _excerpt(chosen, room)
    source = "\n".join(shown)
    whole = symbol.end_line - symbol.line + 1 if chosen.first else len(chosen.source)
    has_head = bool(source) and first in (0, symbol.line)
    return Answering(
        element=path_line(symbol.id),
        type=symbol.type,
        end_line=symbol.end_line,
        exported=symbol.exported,
        why=clean_text(chosen.why, 200) or None,
        signature=None if has_head else escape_line(" ".join(symbol.signature.split()), 200) or None,
        doc=clean_text(symbol.doc, 200) or None if not source else None,
        source=source or None,
        source_line=first if source else 0,
        source_cut=max(0, whole - len(shown)) if source else 0,
        used_by=[_line(spot) for spot in chosen.used_by[:uses]],
        used_by_total=chosen.used_by_total,
        tests=[path_line(test) for test in chosen.tests[: (uses + 1) // 2]],
        tests_total=chosen.tests_total,
        mentioned=chosen.mentioned and tidied(chosen.mentioned),
        unknown=chosen.unknown or None,
    )


def _excerpt(chosen: Excerpt, room: int) -> tuple[list[str], int]:
    """The lines that fit, around the line in question, and the number of the first."""
    lines = [escape_text(line) for line in chosen.source]
    start = max(chosen.focus, 0)
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
    return (lines[start:end], chosen.first and chosen.first + start) if end > max(chosen.focus, 0) else ([], 0)


def _line(spot: Spot) -> str:
    """`path:line [in element, guessed] source`, in grep's format."""
    notes = [f"in {path_line(spot.inside)}" if spot.inside else "", "guessed" if spot.guessed else ""]
    marks = ", ".join(filter(None, notes))
    return f"{path_line(spot.file)}:{spot.line}{f' [{marks}]' if marks else ''} {shortened(spot.text)}".rstrip()


def _next(explored: Explored, shown: int) -> list[NextCall]:
    """Suggested calls: all users of the first element, the impact of changing it, details of the second."""
    calls = [
        replace(one, arguments={name: path_line(text) for name, text in one.arguments.items()})
        for one in explored.calls
    ]
    asked = {one.tool for one in calls}
    if explored.base:
        calls.append(
            NextCall(tool="coderef_changes", arguments={"base": explored.base}, why="what it reaches, tests to run")
        )
    for one in explored.elements[:1] if shown and not (asked and explored.form == "words") else ():
        element = path_line(one.symbol.id)
        if one.used_by_total and "coderef_query" not in asked:
            arguments = {"query_type": "depends-on-me", "element": element}
            calls.append(NextCall(tool="coderef_query", arguments=arguments, why="all its users"))
        if "coderef_impact" not in asked:
            calls.append(NextCall(tool="coderef_impact", arguments={"element": element}, why="what a change reaches"))
    second = explored.elements[1:2] if shown > 1 else ()
    calls += [
        NextCall(tool="coderef_symbol", arguments={"element": path_line(one.symbol.id)}, why="all about the second")
        for one in second
    ]
    if explored.near:
        calls.append(
            NextCall(tool="coderef_explore", arguments={"question": path_line(explored.near[0])}, why="spelled alike")
        )
    return calls
