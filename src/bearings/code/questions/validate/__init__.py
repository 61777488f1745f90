"""Whether the references of a project point to something."""

from typing import Annotated, Literal

from msgspec import Meta, field

from bearings.code.question import Answer, Cursor, Limit, ToolQuestion
from bearings.code.replies.element import IndexInfo, rest_of
from bearings.code.replies.lines import InDetail, LinedReply
from bearings.code.replies.pages import end_page, within
from bearings.reply import Label, Part, SymbolName


class FindingPart(Part):
    """A fault of a reference. `fixable`: the first suggestion can replace the reference without review."""

    file: SymbolName
    line: int
    column: int
    reference: SymbolName
    severity: Literal["error", "warning"]
    code: str
    error: Label
    suggestions: list[SymbolName] = field(default_factory=list)
    fixable: bool = False

    def to_text(self) -> str:
        """One line."""
        instead = f" → {' | '.join(self.suggestions)}" if self.suggestions else ""
        return f"{self.file}:{self.line}:{self.column} {self.severity} {self.reference}: {self.error}{instead}"


class ValidateReply(LinedReply):
    """Counts of references: `valid` have no error. `invalid` and `warnings` list the faults by file and line."""

    files_checked: int
    references_found: int
    valid: int
    invalid_found: int
    warned_found: int
    invalid: list[FindingPart]
    warnings: list[FindingPart] = field(default_factory=list)
    next_cursor: str | None = None
    omitted: int = 0
    note: str | None = None
    index: IndexInfo

    _findings: list[FindingPart] = field(default_factory=list)
    _IN_HEADING = frozenset({"files_checked", "references_found", "valid", "invalid_found", "warned_found", "index"})

    @property
    def findings(self) -> list[FindingPart]:
        """The whole page of faults in an answer, by file and line, from which `invalid` and `warnings` are filled."""
        return self._findings

    def heading(self) -> str:
        """The counts."""
        return (
            f"{self.references_found} references in {self.files_checked} files: {self.valid} valid "
            f"({self.warned_found} with warnings), {self.invalid_found} invalid {self.index.to_text()}"
        )

    def full_text(self) -> str:
        """A head, then a line for each finding."""
        head = self.heading()
        faults = [finding.to_text() for finding in (*self.invalid, *self.warnings)]
        return "\n".join(filter(None, [head, *faults, *rest_of(self.omitted, self.next_cursor), self.note or ""]))


NO_REFERENCE = (
    "No reference was found. One looks like @Fn/src/auth.ts#login:24, in a comment of a source file or anywhere in "
    "other text; coderef_tag writes them."
)


class Validate(ToolQuestion[ValidateReply, ValidateReply], frozen=True, kw_only=True):
    """Check whether each CodeRef (@Fn/src/auth.ts#login:24) in comments and other text is valid.

    Reports each fault with suggestions; fixable references can be replaced as suggested.
    Example: {"pattern": "docs/**"}
    """

    title = "Check references"
    place = 130
    toolsets = frozenset({"seed"})
    answer = ValidateReply
    pattern: Annotated[
        str, Meta(min_length=1, max_length=1000, description="Files to check, as in .gitignore: docs/**/*.md.")
    ] = "**/*"
    limit: Limit = 200
    cursor: Cursor = None
    detail: InDetail = "lines"
    most: int = 200

    def reply(self, answer: Answer[ValidateReply]) -> ValidateReply:
        """The page within the budget. Raises what a scan raises."""
        reply = answer.as_reply().in_lines(self.detail)
        shown = within(reply, answer.value.findings)
        reply.invalid = [finding for finding in shown if finding.severity == "error"]
        reply.warnings = [finding for finding in shown if finding.severity == "warning"]
        end_page(reply, len(shown))
        return reply
