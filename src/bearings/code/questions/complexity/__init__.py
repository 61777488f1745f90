"""How complex an element is."""

from collections.abc import Sequence
from typing import Self

from msgspec import field
from msgspec.structs import replace

from bearings.budget import room
from bearings.code.models import SymbolKind
from bearings.code.question import Answer, ElementQuestion, Project
from bearings.code.replies.element import IndexInfo, known, not_indexed, title_of
from bearings.code.replies.lines import ElementReply, InDetail, Row, placed_element
from bearings.code.replies.tests import TestFile
from bearings.code.replies.tidying import joined, line_of, outdated_line, tidied
from bearings.reply import Part, SymbolName


class Figures(Part):
    """The complexity of one function."""

    element: SymbolName
    lines_of_code: int
    cyclomatic_complexity: int
    cognitive_complexity: int
    nesting_depth: int
    parameters: int

    def placed(self) -> Row:
        """The place of the function, and its figures."""
        figures = self.to_text().strip().removeprefix(self.element)
        return placed_element(self.element, "", figures)

    def to_text(self) -> str:
        """One line."""
        return (
            f"  {self.element}: cognitive {self.cognitive_complexity}, cyclomatic {self.cyclomatic_complexity}, "
            f"{self.lines_of_code} lines, nesting {self.nesting_depth}, {self.parameters} parameters"
        )


class Rank(Part):
    """The rank among the project's functions, the most complex first."""

    place: int
    of: int


class ComplexityReply(ElementReply):
    """The complexity of a function; of a class, file or folder the sums over its functions, with the worst.

    `nameless` counts decisions in unnamed callbacks, which only the cognitive figure includes. An absent figure is
    unknown: `note` says why.
    """

    element: SymbolName
    type: SymbolKind
    lines_of_code: int
    cyclomatic_complexity: int | None = None
    cognitive_complexity: int | None = None
    nesting_depth: int | None = None
    parameters: int | None = None
    nameless: int = 0
    recursive: bool | None = False
    rank: Rank | None = None
    dependencies: Sequence[SymbolName]
    dependencies_total: int | None = None
    external: Sequence[SymbolName] = field(default_factory=list)
    tests: Sequence[TestFile] = field(default_factory=list)
    tests_total: int | None = None
    members: Sequence[Figures] = field(default_factory=list)
    members_total: int | None = None
    note: str | None = None
    index: IndexInfo = field(default_factory=not_indexed)

    _IN_HEADING = frozenset({"element", "type", "index"})

    def heading(self) -> str:
        """The element."""
        return f"{self.type} {self.element} {self.index.to_text()}"

    def full_text(self) -> str:
        """The figures, then dependencies and tests."""
        rank = f", place {self.rank.place} of {self.rank.of} in the project" if self.rank else ""
        lines = [
            self.heading(),
            f"cognitive {known(self.cognitive_complexity)}, cyclomatic {known(self.cyclomatic_complexity)}{rank}",
            f"{self.lines_of_code} lines of code, nesting {known(self.nesting_depth)}, "
            f"{known(self.parameters)} parameters"
            + (f", {self.nameless} decisions in nameless callbacks" if self.nameless else "")
            + (", recursive" if self.recursive else ""),
        ]
        if not self.element.endswith("/"):
            lines += [
                title_of("uses", self.dependencies_total, len(self.dependencies)),
                *(f"  {name}" for name in self.dependencies),
                *([f"external: {', '.join(self.external)}"] if self.external else []),
                f"tests that reach it: {known(self.tests_total)}",
                *(test.to_text() for test in self.tests),
            ]
        if self.members:
            lines += [title_of("functions", self.members_total, len(self.members))]
            lines += [member.to_text() for member in self.members]
        return "\n".join([*lines, *([self.note] if self.note else [])])


_SHOWN = 20
"""Rows of each list in a reply."""


class AskComplexity(ElementQuestion[ComplexityReply, ComplexityReply], frozen=True, kw_only=True):
    """Cyclomatic and cognitive complexity, size, dependencies, tests and rank of a function, class, file or folder.

    Example: {"element": "src/auth.ts"}
    """

    title = "How complex an element is"
    place = 70
    toolsets = frozenset({"core", "seed"})
    answer = ComplexityReply
    detail: InDetail = "lines"
    shown: int = _SHOWN

    def prepared(self, _: Project, /) -> Self:
        """With the limits that the caller has."""
        return replace(self, shown=room(_SHOWN))

    def reply(self, answer: Answer[ComplexityReply]) -> ComplexityReply:
        """The figures. Raises ElementNotFound, Ambiguous, and what a scan raises."""
        figures = answer.value
        note = joined(line_of(figures.note or ""), outdated_line(self.element, figures.element))
        return replace(tidied(figures), note=note, index=answer.index).in_lines(self.detail)
