"""Patterns in a project, and functions that no test reaches."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from bearings.budget import REPLY_BUDGET, fitting
from bearings.code.question import Answer, ToolQuestion
from bearings.code.replies.element import IndexInfo, known, title_of
from bearings.code.replies.elsewhere import Mention
from bearings.code.replies.lines import InDetail, LinedReply, Row, brief, lines_of, placed_element, site, within_element
from bearings.code.replies.tidying import all_tidied, line_of
from bearings.reply import Part, SymbolName

PatternType = Literal[
    "async",
    "context-manager",
    "decorators",
    "dependency-injection",
    "error-handling",
    "events",
    "hooks",
    "middleware",
    "singleton",
    "test-gaps",
]
"""The types of patterns, each with its own detector."""


class Evidence(Part):
    """A place with a pattern."""

    file: SymbolName
    line: int
    element: SymbolName
    what: SymbolName

    def placed(self) -> Row:
        """The line, its enclosing element, and a description."""
        inside = within_element(self.element, self.file)
        return self.file, site(self.line, [f"in {inside}" if inside else ""], self.what)

    def to_text(self) -> str:
        """One line."""
        return f"    {self.file}:{self.line} {self.what} (in {self.element})"


class Pattern(Part):
    """One pattern with a name, and the first of its files and places."""

    type: PatternType
    name: SymbolName
    count: int
    files: Sequence[SymbolName]
    evidence: Sequence[Evidence]

    def to_text(self) -> str:
        """A line for the pattern, and one for each place."""
        return "\n".join([f"{self.type}: {self.name}, {self.count} times", *(row.to_text() for row in self.evidence)])


class TestGap(Part):
    """A function that no test reaches; `mentions` lines of tests contain its word, `first` is the first."""

    __test__ = False

    element: SymbolName
    users: int
    cognitive_complexity: int | None = None
    mentions: int | None = None
    first: Mention | None = None

    def placed(self) -> Row:
        """The place of the function, and the rest of its text."""
        return placed_element(self.element, "", self.to_text().strip().removeprefix(self.element))

    def to_text(self) -> str:
        """One line."""
        summary = f"  {self.element} ({self.users} users, cognitive complexity {known(self.cognitive_complexity)})"
        if not self.first:
            return summary
        return f"{summary}; its word on lines of tests: {self.mentions}, first {self.first.to_text().strip()}"


class PatternsReply(LinedReply):
    """Patterns, the most frequent first; functions that no test reaches, the riskiest first.

    Absent counts are unknown, as `note` explains.
    """

    patterns: list[Pattern]
    patterns_total: int | None = None
    test_gaps: list[TestGap] = field(default_factory=list)
    gaps_total: int | None = 0
    functions: int | None = 0
    note: str | None = None
    index: IndexInfo

    _IN_HEADING = frozenset({"patterns_total", "index"})

    def brief(self) -> dict[str, Any]:
        """The lists as lines: each pattern, then its places."""
        patterns = [
            line
            for pattern in self.patterns
            for line in (f"{pattern.type}: {pattern.name}, {pattern.count} times", *lines_of(pattern.evidence))
        ]
        return {**brief(self), "patterns": patterns}

    def heading(self) -> str:
        """The number of patterns."""
        return f"{title_of('patterns', self.patterns_total, len(self.patterns))} {self.index.to_text()}"

    def full_text(self) -> str:
        """The patterns with their places, then the gaps."""
        lines = [self.heading()]
        lines += [pattern.to_text() for pattern in self.patterns]
        if self.functions:
            lines.append(f"no test reaches {self.gaps_total} of {self.functions} functions")
            lines += [gap.to_text() for gap in self.test_gaps]
        return "\n".join([*lines, *([self.note] if self.note else [])])


_GAPS = REPLY_BUDGET // 4
"""Characters for the test gaps."""


class AskPatterns(ToolQuestion[PatternsReply, PatternsReply], frozen=True, kw_only=True):
    """Patterns in the code outside tests, with example lines; functions that no test reaches.

    Example: {"pattern_type": "error-handling"}
    """

    title = "Find patterns"
    place = 110
    toolsets = frozenset({"seed"})
    answer = PatternsReply
    pattern_type: Annotated[PatternType | None, Meta(description="Default: all.")] = None
    limit: Annotated[int, Meta(ge=1, le=100, description="Patterns, and test gaps, to show.")] = 10
    detail: InDetail = "lines"
    most: int = 10

    def reply(self, answer: Answer[PatternsReply]) -> PatternsReply:
        """The patterns within the budget. Raises the errors of a scan."""
        patterns = answer.value
        return replace(
            patterns,
            patterns=fitting(all_tidied(patterns.patterns), REPLY_BUDGET - _GAPS - 1_000),
            test_gaps=fitting(all_tidied(patterns.test_gaps), _GAPS),
            note=line_of(patterns.note or ""),
            index=answer.index,
        ).in_lines(self.detail)
