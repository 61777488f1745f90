"""The replies of coderef_patterns and coderef_coverage."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import field

from bearings.code.replies.element import IndexInfo, known, rest_of, title_of
from bearings.code.replies.elsewhere import Mention, Mentioned
from bearings.code.replies.lines import LinedReply, Row, brief, lines_of, placed_element, site, within_element
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

CoverageSource = Literal["lcov", "istanbul", "coverage.py", "cobertura", "graph"]
"""A report's format, or the graph: then functions that a test reaches count as covered, without running them."""


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
        said = f"  {self.element} ({self.users} users, cognitive complexity {known(self.cognitive_complexity)})"
        if not self.first:
            return said
        return f"{said}; its word on lines of tests: {self.mentions}, first {self.first.to_text().strip()}"


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


class FileCoverage(Part):
    """The coverage of a file; `missing` are lines or functions."""

    file: SymbolName
    covered: int
    total: int
    percent: float
    stale: bool = False
    missing: SymbolName

    def to_text(self) -> str:
        """One line."""
        stale = " (changed since)" if self.stale else ""
        missing = f", missing {self.missing}" if self.missing else ""
        return f"  {self.percent:g} % {self.file} {self.covered}/{self.total}{stale}{missing}"


class Overall(Part):
    """The coverage of the whole project; without `percent` it is unknown."""

    covered: int
    total: int
    percent: float | None = None


class CoverageReply(LinedReply):
    """The coverage by `source`: a `report`, `age_s` seconds old, or the graph. The least covered files come first.

    `named_in_tests`: untested files by the graph whose words occur in tests.
    """

    source: CoverageSource
    unit: Literal["lines", "functions"]
    report: SymbolName | None = None
    age_s: float | None = None
    overall: Overall
    by_file: list[FileCoverage] | None = None
    files: int
    next_cursor: str | None = None
    omitted: int = 0
    untested_files: list[SymbolName]
    untested_total: int
    named_in_tests: list[Mentioned] = field(default_factory=list)
    stale_files: list[SymbolName]
    note: str | None = None
    index: IndexInfo

    _IN_HEADING = frozenset({"source", "unit", "report", "age_s", "overall", "files", "index"})

    def heading(self) -> str:
        """The coverage of the whole project."""
        from_ = f"{self.source} {self.report}, {self.age_s:g} s old" if self.report else "the graph"
        overall = self.overall
        if overall.percent is None:
            return f"unknown, by {from_} {self.index.to_text()}"
        said = f"{overall.percent:g} % of {overall.total} {self.unit} in {self.files} files, by {from_}"
        return f"{said} {self.index.to_text()}"

    def full_text(self) -> str:
        """The whole project, then the files."""
        lines = [self.heading()]
        lines += [row.to_text() for row in self.by_file or ()]
        lines += rest_of(self.omitted, self.next_cursor)
        if self.untested_files:
            lines.append(title_of("files that no test runs", self.untested_total, len(self.untested_files)))
            lines += [f"  {name}" for name in self.untested_files]
        if self.named_in_tests:
            lines += ["of them, named in tests", *(row.to_text() for row in self.named_in_tests)]
        return "\n".join([*lines, *([self.note] if self.note else [])])
