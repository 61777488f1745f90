"""Writes tags into files, or returns the difference that it would write."""

import errno
from collections.abc import Callable, Iterable, Mapping

from bearings.code.coderefs.tagdiff import difference
from bearings.code.coderefs.tags import Style, Tagged, tagged
from bearings.code.file_facts import FileFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.embedded import is_embedded
from bearings.code.notation.model import CodeRef
from bearings.code.project.file_pattern import Pattern
from bearings.code.project.sources import Source, digest_of, read_source
from bearings.code.project.whole import Whole
from bearings.code.questions.tag import Tag, TagAction, TaggedFile, TagPart, TagReply, words
from bearings.code.replies.element import not_indexed, path_line
from bearings.code.replies.tidying import all_escaped
from bearings.code.search.language_names import languages_named
from bearings.code.search.view import WholeGraph
from bearings.errors import InvalidInput, WriteFailed
from bearings.untrusted import escape_text

_ANY_SIZE = 100_000_000

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors of a disk that takes no more: then nothing is tagged."""


def compute(question: Tag, view: WholeGraph) -> TagReply:
    """Tags the files of `path`: writes a draft of each, and renames all drafts in the end.

    A file whose draft can't be written is reported and left out; a full disk leaves all files as they were. Raises
    InvalidInput for a path without sources, and for a bad pattern; WriteFailed if nothing could be written.
    """
    chosen = _chosen(view.snapshot, question)
    diff = _Diff(question.max_chars)
    if question.dry_run:
        return _tag_all(view, question, chosen, diff, diff.add)
    with Whole(view.snapshot.root, "the tagging") as whole:

        def draft(path: str, source: Source, result: Tagged) -> None:
            whole.draft(path, source.data, result.data, source.stamp)

        report = _tag_all(view, question, chosen, diff, draft)
        whole.commit()
    return report


def _tag_all(
    view: WholeGraph,
    question: Tag,
    chosen: list[FileFacts],
    diff: "_Diff",
    put: Callable[[str, Source, Tagged], None],
) -> TagReply:
    """Tags all files, and returns the reply. `put` takes each changed file; it raises WriteFailed if it can't."""
    root = view.snapshot.root
    style = Style(question.force, question.update_lineno, question.include_private, question.remove)
    files: list[TaggedFile] = []
    tags: list[TagPart] = []
    for number, facts in enumerate(chosen):
        view.progress.update(number, len(chosen), "tagging")
        source = read_source(root, facts.path, _ANY_SIZE)
        if not isinstance(source, Source):
            continue  # the file has been removed or replaced since the listing
        # Facts of the same content spare parsing the file again.
        known = facts if digest_of(source.data) == view.index.digest(facts.path) else None
        result = tagged(facts.path, facts.language, source.data, style, known)
        problem = ""
        if result.data != source.data:
            try:
                put(facts.path, source, result)
            except WriteFailed as error:
                if getattr(error.__cause__, "errno", None) in _DISK_FULL:
                    raise
                problem = f"{error.error}. {error.hint}"
        if problem or result.refused or result.data != source.data:
            files.append(_file_report(facts.path, result, problem))
        if not problem:
            tags += _tag_lines(facts.path, result)
    changed = [file for file in files if file.added or file.updated or file.removed]
    return TagReply(
        project=path_line(str(root)),
        path=path_line(question.path),
        dry_run=question.dry_run,
        files_scanned=len(chosen),
        files_changed=len(changed),
        files_failed=sum(bool(file.problem) for file in files),
        tags_added=sum(file.added for file in files),
        tags_updated=sum(file.updated for file in files),
        tags_removed=sum(file.removed for file in files),
        files=all_escaped(sorted(files, key=lambda file: (not file.problem, not file.refused, file.path))),
        tags=all_escaped(tags),
        diff=escape_text("".join(diff.parts)) or None,
        omitted_diffs=diff.left_out,
        note="Nothing was written. Pass dry_run false to write this." if question.dry_run and changed else None,
        index=not_indexed(),
    )


def _chosen(snapshot: Snapshot, question: Tag) -> list[FileFacts]:
    path = "" if question.path == "." else question.path.strip("/")
    excluded = [Pattern(pattern, "exclude") for pattern in words(question.exclude)]
    languages = languages_named(words(question.lang), "lang")
    inside = [
        facts for name, facts in snapshot.facts.items() if not path or name == path or name.startswith(f"{path}/")
    ]
    if not inside:
        skipped = next((file for file in snapshot.skipped if file.path.rstrip("/") == path), None)
        why = f"is not indexed ({skipped.reason})" if skipped else "is no source file and contains none"
        raise InvalidInput("path", question.path, why, "Pass a source file, or a directory with some.")
    programs = [facts for facts in inside if not is_embedded(facts.path)]
    if not programs:
        why = "contains only embedded programs, where no tags are written"
        raise InvalidInput("path", question.path, why, "Pass a source file, or a directory with some.")
    return [
        facts
        for facts in programs
        if (not languages or facts.language in languages)
        and not any(pattern.matches(facts.path) for pattern in excluded)
    ]


def _file_report(path: str, result: Tagged, problem: str) -> TaggedFile:
    return TaggedFile(
        path=path,
        added=0 if problem else len(result.added),
        updated=0 if problem else len(result.updated),
        removed=0 if problem else len(result.removed),
        refused=list(result.refused[:10]),
        problem=problem or None,
    )


def _tag_lines(path: str, result: Tagged) -> Iterable[TagPart]:
    done: tuple[tuple[TagAction, Mapping[int, CodeRef]], ...] = (
        ("added", result.added),
        ("updated", result.updated),
        ("removed", result.removed),
    )
    lines = [
        TagPart(file=path, line=line, reference=str(ref), action=action)
        for action, refs in done
        for line, ref in refs.items()
    ]
    return sorted(lines, key=lambda tag: tag.line)


class _Diff:
    """A unified diff of several files, up to a number of characters."""

    def __init__(self, room: int) -> None:
        self.parts: list[str] = []
        self.left_out = 0
        self._room = room

    def add(self, path: str, source: Source, result: Tagged) -> None:
        """Adds the difference of one file if it fits entirely; else counts it as left out.

        Once some are added, the first that doesn't fit ends the text, so that its files are the first ones.
        """
        if self._room <= 0:
            self.left_out += 1
            return
        text = "".join(difference(path, source.data, result))
        if len(text) > self._room:
            self.left_out += 1
            self._room = 0 if self.parts else self._room
            return
        self._room -= len(text)
        self.parts.append(text)
