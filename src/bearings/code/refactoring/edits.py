"""Edits of files: drawn as a unified diff, or written all together or not at all."""

import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.sources import Source, Stamp, read_source
from bearings.code.project.whole import Whole
from bearings.errors import WriteFailed, shown

_MOST_BYTES = 100_000_000
_CONTEXT = 3


class Edit(NamedTuple):
    """New bytes for a range of a file."""

    start: int
    end: int
    text: bytes


class Change(NamedTuple):
    """A file before and after its edits; None: there is no file."""

    path: str
    before: bytes | None
    after: bytes | None


def edited(path: str, data: bytes, edits: Iterable[Edit]) -> Change:
    """Apply edits that do not overlap."""
    parts, at = [], 0
    for edit in sorted(edits):
        parts += [data[at : edit.start], edit.text]
        at = edit.end
    return Change(path, data, b"".join([*parts, data[at:]]))


def difference(change: Change) -> str:
    """Return the unified diff of a file, as `git apply` reads it."""
    sides = ((change.before, "a"), (change.after, "b"))
    names = [f"{side}/{change.path}" if data is not None else "/dev/null" for data, side in sides]
    old, new = (
        [line.decode("utf-8", "replace") for line in (data or b"").splitlines(keepends=True)] for data, _ in sides
    )
    lines = difflib.unified_diff(old, new, *names, n=_CONTEXT)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def write_all(root: Path, changes: Sequence[Change], what: str) -> None:
    """Write all files, or none. Raises WriteFailed if one has changed since it was read or can't be written."""
    with Whole(root, what) as whole:
        for change in changes:
            whole.draft(change.path, change.before, change.after, _stamp(root, change))
        whole.commit()


def _stamp(root: Path, change: Change) -> Stamp | None:
    """The stamp of a file as it was read; None if there is to be none. Raises WriteFailed."""
    if change.before is None:
        if os.path.lexists(root / change.path):
            raise WriteFailed(f"{shown(change.path)} was made by somebody else meanwhile", "Ask again.")
        return None
    source = read_source(root, change.path, _MOST_BYTES)
    if not isinstance(source, Source) or source.data != change.before:
        raise WriteFailed(f"{shown(change.path)} was changed by somebody else meanwhile", "Ask again.")
    return source.stamp


def by_path(changes: Iterable[Change]) -> Mapping[str, bytes | None]:
    """The new bytes of the files; None for those that go."""
    return {change.path: change.after for change in changes}
