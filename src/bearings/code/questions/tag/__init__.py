"""Tags: references written as comments above declarations."""

from typing import Annotated, Literal, Self

from msgspec import Meta, field
from msgspec.structs import replace

from bearings.budget import REPLY_BUDGET, fitting, room
from bearings.code.question import Answer, Project, ToolQuestion
from bearings.code.replies.element import IndexInfo
from bearings.code.replies.pages import size_of, within
from bearings.code.search.language_names import languages_named
from bearings.reply import Label, Part, Reply, SourceText, SymbolName

TagAction = Literal["added", "updated", "removed"]


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
    action: TagAction

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


_DIFFERENCE = 15_000
"""Characters of the diff of a dry run."""


class Tag(ToolQuestion[TagReply, TagReply], frozen=True, kw_only=True):
    """Write a CodeRef as a comment line above each declaration. By default (dry_run) it only shows the diff.

    Tagging again changes nothing; remove restores the same bytes.
    Example: {"path": "/home/me/app/src", "dry_run": false}
    """

    title = "Tag declarations"
    place = 150
    toolsets = frozenset({"seed", "edit"})
    writes = True
    of_commits = False
    default_project = "Root of the paths in tags; default: its repository."
    answer = TagReply
    path: Annotated[str, Meta(min_length=1, max_length=4096, description="Absolute path of a file or directory.")]
    dry_run: Annotated[bool, Meta(description="Only show it.")] = True
    force: Annotated[bool, Meta(description="Rewrite existing tags.")] = False
    verbose: Annotated[bool, Meta(description="List each tag.")] = False
    update_lineno: Annotated[bool, Meta(description="Correct the lines in existing tags.")] = False
    include_private: Annotated[bool, Meta(description="Also private members, inner functions.")] = False
    remove: Annotated[bool, Meta(description="Remove every tag.")] = False
    lang: Annotated[list[str] | str | None, Meta(description="Such as ts,tsx; default: all.")] = None
    exclude: Annotated[list[str] | str | None, Meta(description="Files to skip, as in .gitignore.")] = None
    max_chars: int = _DIFFERENCE

    def prepared(self, project: Project, /) -> Self:
        """With the limits that the caller has. Raises Unsupported for a language."""
        languages_named(words(self.lang), "lang")
        return super().prepared(project)

    def reply(self, answer: Answer[TagReply]) -> TagReply:
        """The changes; `path` is relative to the project. Its lists fit: first the diff, then files, then tags."""
        whole = answer.value
        reply = replace(answer.as_reply(), files=[], tags=[])
        if size_of(reply) > room(REPLY_BUDGET):  # JSON escapes quotes and tabs, which doubles them
            reply.diff, reply.omitted_diffs = None, len(whole.files)
        reply.files = fitting(whole.files, (REPLY_BUDGET - size_of(reply)) // 2)
        reply.omitted_files = len(whole.files) - len(reply.files)
        if self.verbose:
            reply.tags = within(reply, whole.tags)
            reply.omitted_tags = len(whole.tags) - len(reply.tags)
        return reply


def words(given: list[str] | str | None) -> list[str]:
    """A list, or comma-separated words as a list."""
    parts = given.split(",") if isinstance(given, str) else given or []
    return [part.strip() for part in parts if part.strip()]
