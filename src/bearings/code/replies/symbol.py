"""What coderef_symbol answers."""

from pydantic import Field

from bearings.code.models import Confidence, EdgeKind, Language
from bearings.code.replies.element import Element, IndexInfo, title_of
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.query import Site, Unresolved
from bearings.reply import Part, Prose, Reply, SourceText, SymbolName


class Use(Part):
    """The element at the other end of an edge, and the line of the use."""

    element: SymbolName
    type: EdgeKind
    line: int
    confidence: Confidence

    def to_text(self) -> str:
        """One line."""
        return f"  {self.element} ({self.type}, line {self.line}, {self.confidence})"


class UseList(Part):
    """The first of `total` uses."""

    total: int
    items: list[Use]


class Reach(Part):
    """An element of a test file that reaches the element in `depth` steps."""

    element: SymbolName
    depth: int


class ReachList(Part):
    """The first of `total` tests, nearest first."""

    total: int
    items: list[Reach]


class SymbolReply(Reply):
    """One element: its text (`source_cut` lines of it left out), and what it is bound to.

    `elsewhere`: where users may be missing, the other lines that hold its word.
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
    unresolved_sites: list[Site] = Field(default_factory=list)
    note: str | None = None
    elsewhere: Elsewhere | None = None
    index: IndexInfo

    def to_text(self) -> str:
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
        lines.append(title_of("tests", self.tests.total, len(self.tests.items)))
        lines += [f"  {test.element} ({test.depth} steps)" for test in self.tests.items]
        lines += filter(None, [self.note, self.unresolved.to_text()])
        return "\n".join([*lines, *([self.elsewhere.to_text()] if self.elsewhere else [])])
