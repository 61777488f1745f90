"""All about one element."""

from collections.abc import Iterator
from typing import Annotated, Any, Self

from msgspec import Meta, field
from msgspec.structs import replace

from bearings.budget import ALL_ROWS, room
from bearings.code.models import Confidence, EdgeKind, Language
from bearings.code.question import Answer, ElementQuestion, Project
from bearings.code.replies.element import Element, IndexInfo, not_indexed, title_of
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.lines import (
    ElementReply,
    InDetail,
    Place,
    Row,
    brief,
    placed_element,
    site,
    unmarked,
    within_element,
)
from bearings.code.replies.pages import size_of
from bearings.code.replies.sites import Site, Unresolved
from bearings.reply import Part, Prose, SourceText, SymbolName

_COMPARED = 60
"""The characters of a signature or comment that are searched in the source, to omit it if they are there."""


class Use(Part):
    """The element at the other end of an edge, and the place of the use with its line (`text`)."""

    element: SymbolName
    type: EdgeKind
    file: SymbolName = ""
    line: int
    confidence: Confidence
    text: SymbolName | None = None

    def placed(self) -> Row:
        """The use, its enclosing element, its kind unless it is a call, its confidence unless it is exact."""
        inside = within_element(self.element, self.file)
        return self.file, site(self.line, [f"in {inside}" if inside else "", *self.remarks()], self.text)

    def remarks(self) -> list[str]:
        """Its kind unless it is a call, its confidence unless it is exact."""
        kind = [] if self.type is EdgeKind.CALL else [str(self.type)]
        return kind + ([] if self.confidence is Confidence.EXACT else [str(self.confidence)])

    def to_text(self) -> str:
        """One line."""
        return f"  {self.element} ({self.type}, line {self.line}, {self.confidence})"


class UseList(Part):
    """The first of `total` uses. Without a total their number is unknown: guesses, or some, as `note` says."""

    total: int | None = None
    items: list[Use] = field(default_factory=list)


class Reach(Part):
    """An element of a test file that reaches the element in `depth` steps."""

    element: SymbolName
    depth: int

    def placed(self) -> Row:
        """The test's place, its name, and the number of steps."""
        return placed_element(self.element, "", f" ({self.depth} steps)")


class ReachList(Part):
    """The first of `total` tests, nearest first; without a total their number is unknown."""

    total: int | None = None
    items: list[Reach] = field(default_factory=list)


class SymbolReply(ElementReply):
    """One element: its text (without `source_cut` lines), its users, its uses and its tests.

    `through_bases`: the first uses of what it overrides, each of which may mean it. `elsewhere`: other lines with its
    word, if users may be missing.
    """

    element: Element
    language: Language
    signature: SymbolName | None = None
    doc: Prose | None = None
    source: SourceText
    source_cut: int = 0
    callers: UseList
    callees: UseList
    references: UseList
    tests: ReachList
    unresolved: Unresolved
    unresolved_callers: int = 0
    unresolved_sites: list[Site] = field(default_factory=list)
    through_bases: list[Site] = field(default_factory=list)
    note: str | None = None
    elsewhere: Elsewhere | None = None
    index: IndexInfo = field(default_factory=not_indexed)

    _IN_HEADING = frozenset({"element", "index"})

    def brief(self) -> dict[str, Any]:
        """The lists as lines. The element is one line; callees are ids with the lines of their calls in its source."""
        fields = brief(self)
        source = unmarked(self.source)
        for name in ("signature", "doc"):
            if unmarked(getattr(self, name) or "")[:_COMPARED] in source:
                fields.pop(name, None)
        fields.pop("language")
        return fields | {"element": "".join(self.element.placed()), "callees": self._callees()}

    @property
    def is_cut(self) -> bool:
        """Whether a larger budget may show more of its source or its lists."""
        lists = (self.callers, self.callees, self.references, self.tests)
        return self.source_cut > 0 or any((uses.total or 0) > len(uses.items) for uses in lists)

    def _callees(self) -> dict[str, Any]:
        """Each callee with the lines of its calls."""
        lines: dict[tuple[str, str], list[str]] = {}
        for use in self.callees.items:
            lines.setdefault((use.element, ", ".join(use.remarks())), []).append(str(use.line))
        called = [
            f"{element} at {','.join(at)}{f' [{about}]' if about else ''}" for (element, about), at in lines.items()
        ]
        total = {} if self.callees.total is None else {"total": self.callees.total}
        return {**total, **({"items": called} if called else {})}

    def places(self) -> Iterator[Place]:
        """The places of its uses."""
        return ((use.file, use.line) for uses in (self.callers, self.references) for use in uses.items)

    def heading(self) -> str:
        """The element."""
        return f"{''.join(self.element.placed())} {self.index.to_text()}"

    def full_text(self) -> str:
        """The element, its source, its uses."""
        lines = [f"{self.element.to_text()} {self.index.to_text()}", self.element.ref]
        lines += [part for part in (self.signature, self.doc) if part]
        lines.append(self.source)
        if self.source_cut:
            lines.append(f"… {self.source_cut} more lines")
        for title, uses in (("callers", self.callers), ("callees", self.callees), ("references", self.references)):
            lines += [title_of(title, uses.total, len(uses.items)), *(use.to_text() for use in uses.items)]
        if self.unresolved_callers:
            lines.append(f"{self.unresolved_callers} unresolved call sites have this name")
            lines += [site.to_text() for site in self.unresolved_sites]
        lines += [site.to_text() for site in self.through_bases]
        lines.append(title_of("tests", self.tests.total, len(self.tests.items)))
        lines += [f"  {test.element} ({test.depth} steps)" for test in self.tests.items]
        lines += filter(None, [self.note, self.unresolved.to_text()])
        return "\n".join([*lines, *([self.elsewhere.to_text()] if self.elsewhere else [])])


_TRIES = (25, 12, 6, 3, 1, 0)
"""Lengths to which the lists of a symbol's reply are cut; the first that fits the budget is used."""


_SOURCE = 10_000
"""The most characters of an element's source; less with a small budget."""


class Describe(ElementQuestion[SymbolReply, SymbolReply], frozen=True, kw_only=True):
    """Everything about an element in one call: source, signature, doc, callers, callees, references, tests.

    Example: {"element": "src/auth.ts#login"}
    """

    title = "Explain an element"
    place = 50
    toolsets = frozenset({"core"})
    answer = SymbolReply
    on_demand = True
    element: Annotated[
        str, Meta(description="Name, Auth.login, src/auth.ts#login, src/auth.ts:24, a file, a line of a traceback.")
    ]
    detail: InDetail = "lines"
    max_source: int = 10_000
    limit: int = 25

    @property
    def may_be_part(self) -> bool:
        """Whether some users may be shown; a script, which asks for all rows, gets all."""
        return self.limit < ALL_ROWS

    def prepared(self, _: Project, /) -> Self:
        """With the limits that the caller has."""
        return replace(self, limit=room(_TRIES[0]), max_source=room(min(_SOURCE, self.budget // 2)))

    def reply(self, answer: Answer[SymbolReply]) -> SymbolReply:
        """The element, with lists that fit."""
        reply = answer.as_reply().in_lines(self.detail)
        for shown in _TRIES:
            if size_of(reply) <= self.budget:
                break
            for uses in (reply.callers, reply.callees, reply.references, reply.tests):
                del uses.items[shown:]
            del reply.unresolved_sites[shown:]
            del reply.through_bases[shown:]
        return reply
