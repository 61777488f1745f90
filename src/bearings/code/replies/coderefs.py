"""The reply of coderef_tag."""

from typing import Literal

from msgspec import field

from bearings.code.replies.element import IndexInfo
from bearings.reply import Label, Part, Reply, SourceText, SymbolName


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
