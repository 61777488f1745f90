"""The replies of coderef_validate, coderef_drift and coderef_tag."""

from typing import Literal

from msgspec import field

from bearings.code.replies.element import IndexInfo, rest_of
from bearings.code.replies.lines import LinedReply
from bearings.reply import Label, Part, Reply, SourceText, SymbolName


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

    _IN_HEADING = frozenset({"files_checked", "references_found", "valid", "invalid_found", "warned_found", "index"})

    def heading(self) -> str:
        """The counts."""
        return (
            f"{self.references_found} references in {self.files_checked} files: {self.valid} valid "
            f"({self.warned_found} with warnings), {self.invalid_found} invalid {self.index.to_text()}"
        )

    def full_text(self) -> str:
        """A head, then a line for each finding."""
        head = self.heading()
        found = [finding.to_text() for finding in (*self.invalid, *self.warnings)]
        return "\n".join(filter(None, [head, *found, *rest_of(self.omitted, self.next_cursor), self.note or ""]))


class DriftPart(Part):
    """What became of an element that was at `file`:`line`. `now` is its current id, or the ids of candidates."""

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


class TaggedFile(Part):
    """The changes, made or proposed, to a file. `refused` elements can't have a comment above them."""

    path: SymbolName
    added: int = 0
    updated: int = 0
    removed: int = 0
    refused: list[SymbolName] = field(default_factory=list)
    problem: Label | None = None

    def to_text(self) -> str:
        """One line."""
        done = ", ".join(
            f"{count} {name}" for name in ("added", "updated", "removed") if (count := getattr(self, name))
        )
        refused = f"; refused: {', '.join(self.refused)}" if self.refused else ""
        return f"{self.path}: {self.problem or done or 'nothing'}{refused}"


class TagPart(Part):
    """One tag with its current line (of a removed tag, its former line)."""

    file: SymbolName
    line: int
    reference: SymbolName
    action: Literal["added", "updated", "removed"]

    def to_text(self) -> str:
        """One line."""
        return f"{self.action} {self.file}:{self.line} {self.reference}"


class TagReply(Reply):
    """The tags that were written; on a dry run, those that would be, with a diff of whole files.

    `omitted_files` are not in `files`, `omitted_diffs` not in `diff`, `omitted_tags` not in `tags`.
    """

    project: SymbolName
    path: SymbolName
    dry_run: bool
    files_scanned: int
    files_changed: int
    files_failed: int = 0
    tags_added: int
    tags_updated: int
    tags_removed: int
    files: list[TaggedFile]
    omitted_files: int = 0
    tags: list[TagPart] = field(default_factory=list)
    omitted_tags: int = 0
    diff: SourceText | None = None
    omitted_diffs: int = 0
    note: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """A head, the files, the tags, the diff."""
        would = "would change" if self.dry_run else "changed"
        head = (
            f"{self.files_scanned} files scanned, {self.files_changed} {would}: {self.tags_added} tags added, "
            f"{self.tags_updated} updated, {self.tags_removed} removed {self.index.to_text()}"
        )
        lines = [head, *(file.to_text() for file in self.files)]
        lines += [f"… {self.omitted_files} more files"] if self.omitted_files else []
        lines += [tag.to_text() for tag in self.tags]
        lines += [f"… {self.omitted_tags} more tags"] if self.omitted_tags else []
        lines += [self.diff.rstrip("\n")] if self.diff else []
        lines += [f"… the differences of {self.omitted_diffs} more files"] if self.omitted_diffs else []
        return "\n".join(filter(None, [*lines, self.note or ""]))
