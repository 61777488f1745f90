"""How much of a project its tests run."""

from typing import Annotated, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from bearings.budget import room, rows
from bearings.code.question import Answer, Cursor, Limit, ToolQuestion
from bearings.code.replies.element import IndexInfo, path_line, rest_of, title_of
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.replies.lines import InDetail, LinedReply
from bearings.code.replies.pages import cut_to_fit, page_of
from bearings.code.replies.tidying import all_tidied
from bearings.reply import Part, SymbolName

CoverageSource = Literal["lcov", "istanbul", "coverage.py", "cobertura", "graph"]
"""A report's format, or the graph: then functions that a test reaches count as covered, without running them."""


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


CoverageFormat = Literal["summary", "detailed"]


class Overall(Part):
    """The coverage of the whole project; without `percent` it is unknown."""

    covered: int
    total: int
    percent: float | None = None


class CoverageReply(LinedReply):
    """The coverage by `source`: a `report`, `age_s` seconds old, or the graph. The least covered files come first.

    `unit` is the unit of the figures. `named_in_tests`: untested files by the graph whose words occur in tests.
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
        summary = f"{overall.percent:g} % of {overall.total} {self.unit} in {self.files} files, by {from_}"
        return f"{summary} {self.index.to_text()}"

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


_NAMED = 50
_MENTIONED = 15


class AskCoverage(ToolQuestion[CoverageReply, CoverageReply], frozen=True, kw_only=True):
    """Test coverage from lcov, Istanbul, coverage.py or Cobertura reports, else by the graph; names its source.

    Example: {"format": "detailed"}
    """

    title = "Test coverage"
    place = 120
    toolsets = frozenset({"seed"})
    answer = CoverageReply
    format: Annotated[CoverageFormat, Meta(description="detailed: by file, the least covered first.")] = "summary"
    limit: Limit = 200
    cursor: Cursor = None
    detail: InDetail = "lines"

    def reply(self, answer: Answer[CoverageReply]) -> CoverageReply:
        """The coverage, by file if wanted. Raises InvalidInput (a cursor), and what a scan raises."""
        whole = answer.as_reply()
        page = page_of(("coverage", whole.report or "", whole.index.revision), whole.files, self.cursor)
        reply = replace(
            whole,
            report=path_line(whole.report) if whole.report else None,
            by_file=None,
            untested_files=[path_line(name) for name in whole.untested_files[: room(_NAMED)]],
            named_in_tests=all_tidied(whole.named_in_tests[: room(_MENTIONED)]),
            stale_files=[path_line(name) for name in whole.stale_files[: room(_NAMED)]],
        ).in_lines(self.detail)
        if self.format == "summary":
            return reply
        shown = all_tidied((whole.by_file or [])[page.offset : page.offset + rows(self.limit)])
        return cut_to_fit(replace(reply, by_file=shown, _page=page), "by_file")
