"""The fate of the elements of an earlier index."""

from typing import Annotated, Literal

from msgspec import Meta, field

from bearings.code.formats.index_json import INDEX_PATH
from bearings.code.question import Answer, Cursor, Limit, ToolQuestion
from bearings.code.replies.element import IndexInfo, path_line, rest_of
from bearings.code.replies.lines import InDetail, LinedReply, Page
from bearings.code.replies.pages import filled, following
from bearings.code.replies.tidying import all_escaped
from bearings.reply import Label, Part, SymbolName
from bearings.untrusted import clean_line


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


class DriftPage(Page, frozen=True, kw_only=True):
    """A page of the `total` changed elements, the gravest first; `statuses` counts all elements of the index.

    `shifted` unchanged elements are on other lines. `added` are ids that the index lacks, `modified` ids whose text
    differs. `modified_total` is None if the index has no fingerprints.
    """

    index_path: str
    timestamp: str
    statuses: dict[str, int]
    shifted: int
    drifts: tuple[DriftPart, ...]
    added: tuple[str, ...]
    added_total: int
    modified: tuple[str, ...]
    modified_total: int | None


class CompareIndex(ToolQuestion[DriftPage, DriftReply], frozen=True, kw_only=True):
    """Compare an earlier index with the project: elements moved, renamed, changed, added or removed.

    Renamed elements are recognized by their text. Make an index with coderef_export, format index.
    Example: {"project_path": "/home/me/app", "index_path": ".coderef-index.json"}
    """

    title = "Compare with an earlier index"
    place = 140
    toolsets = frozenset({"seed"})
    answer = DriftPage
    index_path: Annotated[
        str, Meta(min_length=1, max_length=4096, description="Inside the project; made by coderef_export.")
    ] = INDEX_PATH
    limit: Limit = 200
    cursor: Cursor = None
    detail: InDetail = "lines"
    most: int = 200

    def reply(self, answer: Answer[DriftPage]) -> DriftReply:
        """The page within the budget. Raises InvalidInput if there is no index, and what a scan raises."""
        page = answer.value
        reply = _drift_head(page, answer.index.info()).in_lines(self.detail)
        filled(reply, "references", all_escaped(page.drifts))
        reply.omitted, reply.next_cursor = following(page, len(reply.references))
        return reply


def _drift_head(page: DriftPage, index: IndexInfo) -> DriftReply:
    counts = page.statuses
    total = sum(counts.values())
    return DriftReply(
        index_path=path_line(page.index_path),
        index_timestamp=clean_line(page.timestamp, 40) or None,
        unchanged=counts["unchanged"],
        moved=counts["moved"],
        renamed=counts["renamed"],
        missing=counts["missing"],
        ambiguous=counts["ambiguous"],
        drift_percent=round(100 * (total - counts["unchanged"]) / total, 1) if total else 0.0,
        references=[],
        added_elements=page.added_total,
        removed_elements=counts["missing"],
        modified_elements=page.modified_total,
        added=[path_line(name) for name in page.added],
        modified=[path_line(name) for name in page.modified],
        note=_drift_note(page),
        index=index,
    )


def _drift_note(page: DriftPage) -> str | None:
    notes = [] if page.modified_total is not None else ["This index has no fingerprints: it has only names and lines."]
    if page.shifted:
        notes.append(
            f"{page.shifted} unchanged elements are on other lines, in the same order: "
            "coderef_tag with update_lineno corrects their tags, a new index its lines."
        )
    return " ".join(notes) or None
