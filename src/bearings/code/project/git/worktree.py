"""Entries of a project's index, and the present content of its files."""

import hashlib
import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.git.plumbing import PIECE, GitFails, ls_files
from bearings.code.project.git.repository import Repository
from bearings.code.project.safe_directory import SafeDirectory

_ENTRY = re.compile(
    rb"(?:\? |[A-Z] (\d{6}) ([0-9a-f]{40,64}) (\d)\t)([^\0]+)\0"
    rb"(?:  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: (\d+)\n  uid: \d+\tgid: \d+\n"
    rb"  size: (\d+)\tflags: ([0-9a-f]+)\n)?"
)
"""One file in the output of `git ls-files -t --stage --debug -z`: tag, mode, object, stage, path; status, flags."""

_SKIPPED = 0x40000000
"""The flag of a file that a sparse checkout leaves out (gitformat-index, skip-worktree)."""

_NOTHING = frozenset(
    {
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)
"""The names of the empty file's object, by SHA-1 and SHA-256."""

_32_BITS = 0xFFFFFFFF

SUBMODULE = "160000"
LINK = "120000"


class Entry(NamedTuple):
    """A file of the index with its recorded status: seconds and nanoseconds, and 32 bits of inode and size."""

    mode: str
    object: str
    stage: bytes
    changed_s: bytes
    changed_ns: bytes
    modified_s: bytes
    modified_ns: bytes
    inode: bytes
    size: bytes
    flags: bytes

    @property
    def skipped(self) -> bool:
        """Whether a sparse checkout leaves it out."""
        return bool(int(self.flags, 16) & _SKIPPED)


@dataclass(frozen=True, slots=True)
class Index:
    """The tracked files by path, and the paths of untracked files that are not ignored.

    `written` is the time of its last change in nanoseconds.
    """

    tracked: dict[str, Entry]
    new: tuple[str, ...]
    written: int

    def is_clean(self, entry: Entry, file: str) -> bool:
        """Whether a file has the status recorded in the index, and therefore the recorded content.

        Raises OSError. A file with a modification time not before that of the index may have changed again within one
        tick of the clock. Git then records the size 0.
        """
        try:
            status = os.lstat(file)
        except (FileNotFoundError, NotADirectoryError):
            return False
        if entry.object in _NOTHING:
            return status.st_size == 0 and stat.S_ISREG(status.st_mode)
        modified = int(entry.modified_s) * 1_000_000_000 + int(entry.modified_ns)
        return (
            status.st_mtime_ns == modified < self.written
            and status.st_ctime_ns == int(entry.changed_s) * 1_000_000_000 + int(entry.changed_ns)
            and (status.st_size & _32_BITS) == int(entry.size)
            and (status.st_ino & _32_BITS) == int(entry.inode)
            and stat.S_ISLNK(status.st_mode) == (entry.mode == LINK)
            and entry.stage == b"0"
        )


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a file. `data` is None if it exceeds the requested size."""

    object: str
    """The name of its object; empty if not requested."""

    size: int
    data: bytes | None
    is_link: bool
    digest: str = ""
    """The SHA-256 of content that was hashed and not kept; else empty."""

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes themselves."""
        return self.digest or hashlib.sha256(self.data or b"").hexdigest()


def read_index(repository: Repository, root: Path, timeout_s: float) -> Index:
    """The index of the files below `root`, paths relative to it. Raises GitHangs, GitFails."""
    written = _written(repository)
    listed = ls_files(repository, root, ["--cached", "--others", "--stage", "--debug", "-t", "-z"], timeout_s).out
    entries = _ENTRY.findall(listed)
    tracked = {
        path.decode("utf-8", "surrogateescape"): Entry(mode.decode(), name.decode(), stage, *status)
        for mode, name, stage, path, *status in entries
        if mode
    }
    new = tuple(entry[3].decode("utf-8", "surrogateescape") for entry in entries if not entry[0])
    if len(entries) != listed.count(b"\0") or any(not entry.flags for entry in tracked.values()):
        raise GitFails("git lists its index in a form that is not known here")
    return Index(tracked, new, written)


def _written(repository: Repository) -> int:
    """The time of the index's last change in nanoseconds."""
    try:
        return os.lstat(repository.directory / "index").st_mtime_ns
    except OSError:
        return 0


class TooLarge(OSError):
    """A file exceeds the limit for reading."""


def content(tree: SafeDirectory, path: str, form: str, most: int, most_hashed: int) -> Content | None:
    """The present content of a file or link; None if there is neither. Raises OSError if it can't be read.

    Above `most` bytes the content is hashed but not kept; above `most_hashed` bytes `TooLarge` is raised. Without
    `form`, the object format, no object name is computed, and a file above `most` is not read.
    """
    try:
        status = tree.stat(path)
        if stat.S_ISLNK(status.st_mode):
            target = os.fsencode(tree.link(path))
            return Content(_named(form, target), len(target), target, is_link=True)
        return _content(tree, path, form, most, most_hashed) if stat.S_ISREG(status.st_mode) else None
    except (FileNotFoundError, NotADirectoryError):
        return None


def _content(tree: SafeDirectory, path: str, form: str, most: int, most_hashed: int) -> Content:
    with tree.file(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size <= most:
            data = file.read(size + 1) or b""
            return Content(_named(form, data), len(data), data, is_link=False)
        if not form:
            return Content("", size, None, is_link=False)
        if size > most_hashed:
            raise TooLarge(f"{path!r} has {size} bytes")
        whole, plain = _hasher(form, size), hashlib.sha256()
        left = size + 1  # stops at the size at the start, if the file grows
        while left > 0 and (piece := file.read(min(PIECE, left))):
            whole.update(piece)
            plain.update(piece)
            left -= len(piece)
        return Content(whole.hexdigest(), size, None, is_link=False, digest=plain.hexdigest())


def _named(form: str, data: bytes) -> str:
    """The object name of a file's bytes (gitformat-pack, "blob"); "" without a format."""
    if not form:
        return ""
    hasher = _hasher(form, len(data))
    hasher.update(data)
    return hasher.hexdigest()


def _hasher(form: str, size: int) -> "hashlib._Hash":
    return hashlib.new(form, b"blob %d\0" % size, usedforsecurity=False)


def filtered(repository: Repository, root: Path, paths: Sequence[str], timeout_s: float) -> set[str]:
    """The paths with a filter, an encoding or `$Id$` by attribute. Raises GitHangs, GitFails."""
    if not paths:
        return set()
    without_attributes = ":(exclude,attr:!filter !working-tree-encoding !ident)."
    listed = ls_files(repository, root, ["--cached", "--others", "-z", "--", ".", without_attributes], timeout_s).out
    return set(paths) & set(map(os.fsdecode, listed.split(b"\0")))
