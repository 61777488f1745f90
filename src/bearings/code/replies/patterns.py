"""Patterns in code, and functions that no test reaches."""

from collections.abc import Sequence
from typing import Literal

from bearings.code.replies.element import known
from bearings.code.replies.elsewhere import Mention
from bearings.code.replies.lines import Row, placed_element, site, within_element
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
