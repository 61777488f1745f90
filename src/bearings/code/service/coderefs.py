"""The topic of tags."""

import os
from collections.abc import Sequence
from pathlib import Path

from bearings.budget import REPLY_BUDGET, fitting, room
from bearings.code.asking.languages import languages_named
from bearings.code.asking.opening import Topic, index_of, size_of, within
from bearings.code.questions.tag import Tag, TagReport
from bearings.code.replies.coderefs import TaggedFile, TagPart, TagReply
from bearings.code.replies.element import IndexInfo, path_line
from bearings.errors import InvalidInput, PathNotAllowed
from bearings.progress import Progress
from bearings.untrusted import clean_line, escape_text

_PROJECT = (".git", ".coderef-index.json", "package.json", "pyproject.toml", "setup.py", "go.mod", "Cargo.toml")
"""Files that mark a project's directory. A repository's root wins over packages in it."""

_DIFFERENCE = 15_000
"""Characters of the diff of a dry run."""


class CoderefsTopic(Topic):
    """Tag."""

    async def tag(
        self,
        path: str,
        *,
        project_path: str | None = None,
        dry_run: bool = True,
        remove: bool = False,
        force: bool = False,
        verbose: bool = False,
        update_lineno: bool = False,
        include_private: bool = False,
        lang: Sequence[str] = (),
        exclude: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> TagReply:
        """Writes tags. Raises PathNotAllowed, InvalidInput for a path without sources, and what `scan` raises."""
        if not os.path.isabs(path):  # noqa: PTH117 - the check below handles invalid paths
            path = os.path.join(project_path or (await self.project_named(None))[0], path)  # noqa: PTH118
        root, relative = self._project_of(path, project_path)
        question = Tag(
            path=relative,
            dry_run=dry_run,
            remove=remove,
            force=force,
            update_lineno=update_lineno,
            include_private=include_private,
            languages=languages_named(lang, "lang"),
            exclude=tuple(exclude),
            max_chars=room(_DIFFERENCE),
        )
        answer = await self._ask(str(root), question, progress)
        reply = _tag_head(answer.value, question, root, index_of(answer.index))
        return _fill(reply, answer.value, verbose=verbose)

    def _project_of(self, path: str, project_path: str | None) -> tuple[Path, str]:
        """The project that contains a path, and the path relative to it."""
        given = Path(path)
        if not given.is_absolute():
            raise InvalidInput(
                "path", path, "is not an absolute path", "Pass the absolute path of a file or directory."
            )
        try:
            real = Path(os.path.realpath(given))
            self._roots.check(path, real, "path")
            root = self._roots.open(project_path) if project_path else None
            if root is not None and not real.is_relative_to(root):
                raise InvalidInput("path", path, f"is not inside {root}", "Pass a path inside project_path.")
            if not real.exists():
                raise InvalidInput("path", path, "does not exist", "Pass a file or a directory that does.")
            root = root or self._enclosing(real if real.is_dir() else real.parent)
        except (OSError, ValueError) as error:
            raise InvalidInput("path", path, "is no usable path", "Pass one that exists.") from error
        relative = real.relative_to(root).as_posix()
        return root, "" if relative == "." else relative

    def _enclosing(self, directory: Path) -> Path:
        """The repository around a directory, else the nearest package, else the directory; never above the roots."""
        opened = self._roots.open(str(directory))
        found = opened
        named = False
        for parent in (opened, *opened.parents):
            try:
                self._roots.open(str(parent))
            except (PathNotAllowed, InvalidInput):
                break
            if (parent / ".git").exists():
                return parent
            if not named and any((parent / name).exists() for name in _PROJECT):
                found, named = parent, True
        return found


def _tag_head(report: TagReport, question: Tag, root: Path, index: IndexInfo) -> TagReply:
    """The reply with its counts, before its lists."""
    changed = [file for file in report.files if file.added or file.updated or file.removed]
    return TagReply(
        project=path_line(str(root)),
        path=path_line(question.path or "."),
        dry_run=question.dry_run,
        files_scanned=report.scanned,
        files_changed=len(changed),
        files_failed=sum(bool(file.problem) for file in report.files),
        tags_added=sum(file.added for file in report.files),
        tags_updated=sum(file.updated for file in report.files),
        tags_removed=sum(file.removed for file in report.files),
        files=[],
        note="Nothing was written. Pass dry_run false to write this." if question.dry_run and changed else None,
        index=index,
    )


def _fill(reply: TagReply, report: TagReport, *, verbose: bool) -> TagReply:
    """Fills the reply up to the budget: first the diff, then files, then tags."""
    reply.diff = escape_text(report.diff) or None
    reply.omitted_diffs = report.undrawn
    if size_of(reply) > room(REPLY_BUDGET):  # JSON escapes quotes and tabs, which doubles them
        reply.diff, reply.omitted_diffs = None, len(report.files)
    files = [
        TaggedFile(
            path=path_line(file.path),
            added=file.added,
            updated=file.updated,
            removed=file.removed,
            refused=[path_line(name) for name in file.refused],
            problem=clean_line(file.problem) or None,
        )
        for file in sorted(report.files, key=lambda file: (not file.problem, not file.refused, file.path))
    ]
    reply.files = fitting(files, (REPLY_BUDGET - size_of(reply)) // 2)
    reply.omitted_files = len(files) - len(reply.files)
    if verbose:
        tags = [
            TagPart(file=path_line(tag.file), line=tag.line, reference=path_line(tag.reference), action=tag.action)
            for tag in report.tags
        ]
        reply.tags = within(reply, tags)
        reply.omitted_tags = len(tags) - len(reply.tags)
    return reply
