"""What the index says of a project's files, and what these hold now."""

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.beneath import Beneath
from bearings.code.project.git.plumbing import GitFails, ls_files
from bearings.code.project.git.repository import Repository

_ENTRY = re.compile(
    rb"(?:\? |[A-Z] (\d{6}) ([0-9a-f]{40,64}) (\d)\t)([^\0]+)\0"
    rb"(?:  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: (\d+)\n  uid: \d+\tgid: \d+\n"
    rb"  size: (\d+)\tflags: ([0-9a-f]+)\n)?"
)
"""One file as `git ls-files -t --stage --debug -z` tells it: tag, mode, object, stage, path; status, flags."""

_SKIPPED = 0x40000000
"""The flag of a file that a sparse checkout leaves out (gitformat-index, skip-worktree)."""

_NOTHING = frozenset(
    {
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)
"""The names of the empty file's object, by SHA-1 and SHA-256."""

_PIECE = 1 << 20
_32_BITS = 0xFFFFFFFF
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)

SUBMODULE = "160000"
LINK = "120000"


class Entry(NamedTuple):
    """A file of the index, with its status as it was then: seconds and nanoseconds, and 32 bits of inode and size."""

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
    """The files that are tracked, by path, and the paths of those that are new and not ignored.

    `written` is when, in nanoseconds.
    """

    tracked: dict[str, Entry]
    new: tuple[str, ...]
    written: int

    def is_clean(self, entry: Entry, file: str) -> bool:
        """Whether a file's status is the one that the index has, so that it holds what the index says.

        Raises OSError. A file that was touched in the moment in which the index was written may have changed again
        within that moment; git marks such a file with a size of 0.
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
    """What a file holds. `data` is None for more than was asked for."""

    object: str
    size: int
    data: bytes | None
    is_link: bool
    digest: str = ""
    """The SHA-256 of bytes that are not in `data`."""

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes themselves."""
        return self.digest or hashlib.sha256(self.data or b"").hexdigest()


def read_index(repository: Repository, root: Path, timeout_s: float) -> Index:
    """The index of the files below `root`, paths relative to it. Raises GitHangs, GitFails."""
    written = _written(repository)
    said = ls_files(repository, root, ["--cached", "--others", "--stage", "--debug", "-t", "-z"], timeout_s).out
    found = _ENTRY.findall(said)
    tracked = {
        path.decode("utf-8", "surrogateescape"): Entry(mode.decode(), name.decode(), stage, *status)
        for mode, name, stage, path, *status in found
        if mode
    }
    new = tuple(entry[3].decode("utf-8", "surrogateescape") for entry in found if not entry[0])
    if len(found) != said.count(b"\0") or any(not entry.flags for entry in tracked.values()):
        raise GitFails("git lists its index in a form that is not known here")
    return Index(tracked, new, written)


def _written(repository: Repository) -> int:
    """When the index was written, in nanoseconds."""
    try:
        return os.lstat(repository.directory / "index").st_mtime_ns
    except OSError:
        return 0


def content(tree: Beneath, path: str, form: str, most: int) -> Content | None:
    """What a file or link holds now; None where there is neither. Raises OSError for one that can't be read."""
    try:
        status = tree.stat(path)
        if stat.S_ISLNK(status.st_mode):
            target = os.fsencode(tree.link(path))
            return Content(_named(form, len(target), [target]), len(target), target, is_link=True)
        if not stat.S_ISREG(status.st_mode):
            return None
        return _content(tree.open(path, _READ), form, most)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _content(descriptor: int, form: str, most: int) -> Content:
    with open(descriptor, "rb", buffering=0) as file:
        size = os.fstat(descriptor).st_size
        if size <= most:
            data = file.read(size + 1) or b""
            return Content(_named(form, len(data), [data]), len(data), data, is_link=False)
        whole, plain = _hasher(form, size), hashlib.sha256()
        while piece := file.read(_PIECE):
            whole.update(piece)
            plain.update(piece)
        return Content(whole.hexdigest(), size, None, is_link=False, digest=plain.hexdigest())


def _named(form: str, size: int, pieces: Iterable[bytes]) -> str:
    """The name of the object that git would make of a file's bytes (gitformat-pack, "blob")."""
    hasher = _hasher(form, size)
    for piece in pieces:
        hasher.update(piece)
    return hasher.hexdigest()


def _hasher(form: str, size: int) -> "hashlib._Hash":
    return hashlib.new(form, b"blob %d\0" % size, usedforsecurity=False)


def filtered(repository: Repository, root: Path, paths: Sequence[str], timeout_s: float) -> set[str]:
    """Those of the paths to which an attribute gives a filter, an encoding or an `$Id$`. Raises GitHangs, GitFails."""
    if not paths:
        return set()
    wanted = ":(exclude,attr:!filter !working-tree-encoding !ident)."
    said = ls_files(repository, root, ["--cached", "--others", "-z", "--", ".", wanted], timeout_s).out
    return set(paths) & set(map(os.fsdecode, said.split(b"\0")))
