"""Edits of files: drawn as a unified diff, or written all together or not at all."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.sources import Source, Stamp, read_any, stamp_beneath
from bearings.code.project.whole import Whole
from bearings.errors import WriteFailed, shown
from bearings.untrusted import escape_text

_MOST_BYTES = 100_000_000
_CONTEXT = 3


class Edit(NamedTuple):
    """New bytes for a range of a file."""

    start: int
    end: int
    text: bytes


class Change(NamedTuple):
    """A file before and after its edits; None: there is no file. `was` is its path before, if that is another."""

    path: str
    before: bytes | None
    after: bytes | None
    was: str = ""


def edited(path: str, data: bytes, edits: Iterable[Edit], shift: int = 0) -> Change:
    """Apply edits that do not overlap to the text of a file, which begins behind the first `shift` bytes."""
    parts, at = [], 0
    for edit in sorted(edits):
        parts += [data[at : edit.start + shift], edit.text]
        at = edit.end + shift
    return Change(path, data, b"".join([*parts, data[at:]]))


def difference(change: Change, context: int = _CONTEXT) -> str:
    """Return the unified diff of a file, as `git apply` reads it.

    Fewer lines stand around changes if these have hidden characters, which a reply escapes.
    """
    was = change.was or change.path
    sides = ((change.before, f"a/{was}"), (change.after, f"b/{change.path}"))
    old_name, new_name = (name if data is not None else "/dev/null" for data, name in sides)
    old, new = (
        [line.decode("utf-8", "replace") for line in re.findall(rb"[^\n]*\n|[^\n]+", data or b"")] for data, _ in sides
    )
    head = f"diff --git a/{was} b/{change.path}\n"
    if change.was:
        same = "similarity index 100%\n" if change.before == change.after else ""
        head += f"{same}rename from {was}\nrename to {change.path}\n"
    elif change.before is None or change.after is None:
        head += f"{'new' if change.before is None else 'deleted'} file mode 100644\n"
    else:
        head = ""
    # Of a file that moves as it is, not one line is decoded or compared.
    lines = difflib.unified_diff(old, new, old_name, new_name, n=context) if change.before != change.after else ()
    diff = head + "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    return difference(change, context - 1) if context > 1 and is_escaped(diff) else diff


def is_escaped(diff: str) -> bool:
    """Whether a reply has escapes for characters of a diff."""
    plain = diff.replace("\r\n", "\n")
    return escape_text(plain) != plain


def write_all(root: Path, changes: Sequence[Change], what: str) -> None:
    """Write all files, or none. Raises WriteFailed if one has changed since it was read or can't be written.

    Folders that a file leaves empty go, as in git.
    """
    leaving = [Change(change.was, change.before, None) for change in changes if change.was]
    with SafeDirectory(root) as tree, Whole(root, what) as whole:
        for change in (*changes, *leaving):
            before = None if change.was else change.before
            whole.draft(change.path, before, change.after, _stamp(tree, change), like=change.was)
        whole.commit()
    with SafeDirectory(root) as tree:
        folders = {str(around) for change in leaving for around in PurePosixPath(change.path).parents[:-1]}
        for folder in sorted(folders, reverse=True):
            with suppress(OSError):
                tree.remove_folder(folder)


def _stamp(tree: SafeDirectory, change: Change) -> Stamp | None:
    """The stamp of a file as it was read; None if there is to be none. Raises WriteFailed."""
    if change.before is None or change.was:
        if stamp_beneath(tree, change.path) is not None:
            raise WriteFailed(f"{shown(change.path)} was made by somebody else meanwhile", "Ask again.")
        return None
    source = read_any(tree, change.path, _MOST_BYTES)
    if not isinstance(source, Source) or source.data != change.before:
        raise WriteFailed(f"{shown(change.path)} was changed by somebody else meanwhile", "Ask again.")
    return source.stamp


def by_path(changes: Iterable[Change]) -> Mapping[str, bytes | None]:
    """The new bytes of the files; None for those that go."""
    changes = list(changes)
    return {change.was: None for change in changes if change.was} | {change.path: change.after for change in changes}
