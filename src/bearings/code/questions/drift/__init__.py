"""The fate of the elements of an earlier index."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from msgspec import Meta, field

from bearings.code.formats.index_json import INDEX_PATH
from bearings.code.question import Answer, Cursor, Limit, ToolQuestion
from bearings.code.replies.element import IndexInfo, not_indexed, rest_of
from bearings.code.replies.lines import InDetail, LinedReply
from bearings.code.replies.pages import cut_to_fit
from bearings.reply import Label, Part, SymbolName


class DriftPart(Part):
    """The fate of an element that was at `file`:`line`. `now` is its current id, or the ids of candidates."""

    reference: SymbolName
    status: Literal["unchanged", "moved", "renamed", "missing", "ambiguous"]
    file: SymbolName
    line: int
    now: list[SymbolName] = field(default_factory=list)
    confidence: float
    suggestion: SymbolName | None = None
    auto_fixable: bool = False
    modified: bool = False

    def to_text(self) -> str:
        """One line."""
        now = f" → {self.suggestion or ' | '.join(self.now)}" if self.now else ""
        return f"{self.status} {self.reference}{now} ({self.confidence:g}{', modified' if self.modified else ''})"


class DriftReply(LinedReply):
    """The elements of an index that differ, the gravest first; unchanged elements are only counted."""

    index_path: SymbolName
    index_timestamp: Label | None = None
    unchanged: int
    moved: int
    renamed: int
    missing: int
    ambiguous: int
    drift_percent: float
    references: list[DriftPart]
    next_cursor: str | None = None
    omitted: int = 0
    added_elements: int
    removed_elements: int
    modified_elements: int | None = None
    added: list[SymbolName] = field(default_factory=list)
    modified: list[SymbolName] = field(default_factory=list)
    note: str | None = None
    index: IndexInfo

    _IN_HEADING = frozenset(
        {"index_path", "unchanged", "moved", "renamed", "missing", "ambiguous", "index"}
        | {"added_elements", "removed_elements", "modified_elements"}
    )

    @classmethod
    def counting(cls, statuses: Mapping[str, int], shifted: int, modified_total: int | None, **others: Any) -> Self:
        """A reply with the numbers of all elements by status; `shifted` unchanged ones are on other lines.

        `modified_total` is None if the index has no fingerprints.
        """
        total, unchanged = sum(statuses.values()), statuses["unchanged"]
        counts: dict[str, Any] = {**statuses}
        notes = ["This index has no fingerprints: it has only names and lines."] if modified_total is None else []
        if shifted:
            notes.append(
                f"{shifted} unchanged elements are on other lines, in the same order: "
                "coderef_tag with update_lineno corrects their tags, a new index its lines."
            )
        return cls(
            **counts,
            drift_percent=round(100 * (total - unchanged) / total, 1) if total else 0.0,
            removed_elements=statuses["missing"],
            modified_elements=modified_total,
            note=" ".join(notes) or None,
            index=not_indexed(),
            **others,
        )

    def heading(self) -> str:
        """The counts."""
        return (
            f"{self.index_path}: {self.unchanged} unchanged, {self.moved} moved, {self.renamed} renamed, "
            f"{self.missing} missing, {self.ambiguous} ambiguous; {self.added_elements} added, "
            f"{'unknown' if self.modified_elements is None else self.modified_elements} modified {self.index.to_text()}"
        )

    def full_text(self) -> str:
        """A head, then a line for each element."""
        lines = [self.heading(), *(one.to_text() for one in self.references), *rest_of(self.omitted, self.next_cursor)]
        lines += [f"added {name}" for name in self.added] + [f"modified {name}" for name in self.modified]
        return "\n".join(filter(None, [*lines, self.note or ""]))


class CompareIndex(ToolQuestion[DriftReply, DriftReply], frozen=True, kw_only=True):
    """Compare an earlier index with the project: elements moved, renamed, changed, added or removed.

    Make an index with coderef_export, format index.
    Example: {"index_path": ".coderef-index.json"}
    """

    title = "Compare with an earlier index"
    place = 140
    toolsets = frozenset({"seed"})
    answer = DriftReply
    index_path: Annotated[
        str, Meta(min_length=1, max_length=4096, description="Inside the project; made by coderef_export.")
    ] = INDEX_PATH
    limit: Limit = 200
    cursor: Cursor = None
    detail: InDetail = "lines"
    most: int = 200

    def reply(self, answer: Answer[DriftReply]) -> DriftReply:
        """The page within the budget. Raises InvalidInput if there is no index, and what a scan raises."""
        return cut_to_fit(answer.as_reply().in_lines(self.detail), "references")
