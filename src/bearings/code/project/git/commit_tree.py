"""The files of a commit, listed and read from git's objects as a clean checkout of the commit would have them.

All files of a commit are tracked, so no ignore rule leaves one out. Links are followed inside the commit alone: one
that leads out of it leads nowhere. Submodules are not checked out. Attributes that convert a file at checkout (line
ends, encodings, filters) are not applied.
"""

import os
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from bearings.caller import Roots
from bearings.code.project.git.commits import TIMEOUT_S, commit_named, entries_of, folder_in, git_errors, repository_of
from bearings.code.project.git.merge_base import COMMITTED
from bearings.code.project.git.objects import Objects
from bearings.code.project.git.plumbing import objects
from bearings.code.project.git.worktree import LINK, SUBMODULE
from bearings.code.project.sieve import Sieve
from bearings.code.project.skipped import Listing, Skipped, SkipReason, in_order
from bearings.code.project.sources import Source, Stamp
from bearings.errors import InvalidInput

_FILE = "10"
"""How the modes of files begin."""

_UNSAFE = frozenset({"", ".", ".."})
"""Components of paths that git never checks out."""

_TREE = re.compile(rb"[0-9a-f]{40,64} tree \d+\n")
_ELSEWHERE = re.compile(rb"(?:dangling|loop|notdir|symlink) (\d+)\n")
_LINE = re.compile(rb"[^\n]*\n")
_MAX_TARGET = 4_096
_MOST_STEPS = 1_000
"""Components of paths and of the links on their way that are followed."""

_MAX_LINKS = 100_000

_MAX_COMMIT = 1_000_000

_KEPT_BYTES = 16_000_000
"""Bytes of blobs that were read last, for answers that read a file several times."""


class Blob(NamedTuple):
    """A file or link of a commit. `size` is -1 for an object that is absent or damaged."""

    mode: str
    object: str
    size: int


class CommitTree:
    """The files of one commit below the project's folder. See `Tree`. For one thread at a time."""

    def __init__(self, root: Path, roots: Roots, name: str, field: str = "at") -> None:
        """Raises InvalidInput for a `name` (the argument `field`) that means no commit, Unsupported."""
        self.root = root
        self.roots = roots
        self.repository = repository_of(root, roots)
        self.commit = commit_named(self.repository, name, field)
        self._name, self._field = name, field
        self._objects = Objects(self.repository, TIMEOUT_S)
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._kept_bytes = 0

    @property
    def repository_key(self) -> bytes:
        """A hash of the repository and of the folder in it."""
        return self.repository.key_of(self.root)

    @cached_property
    def files(self) -> dict[str, Blob]:
        """The files and links by path; no submodules. Raises InvalidInput if the commit lacks the folder."""
        return {path: blob for path, blob in self._entries.items() if blob.mode != SUBMODULE}

    def listing(self, meanwhile: Callable[[], object] = lambda: None) -> Listing:
        """The files of the commit, sifted as a checkout of it would be."""
        meanwhile()
        return self._sifted

    @cached_property
    def _sifted(self) -> Listing:
        links = {path for path, blob in self._entries.items() if blob.mode == LINK}
        to_folders = self._leading_to_folders(sorted(links))
        safe = [path for path in self._entries if _UNSAFE.isdisjoint(path.split("/"))]
        taken = [path for path in safe if self._entries[path].mode[:2] == _FILE or path in links - to_folders]
        sieve = Sieve(taken, links.__contains__)
        for path in taken:
            sieve.take(path)
        for path in safe:
            if path in to_folders:
                sieve.leave(f"{path}/", SkipReason.SYMLINK)
            elif self._entries[path].mode == SUBMODULE:
                sieve.leave(f"{path}/", SkipReason.SUBMODULE)
            elif path not in links and self._entries[path].mode[:2] != _FILE:
                sieve.leave(path, SkipReason.SPECIAL)
        for path in self._entries.keys() - set(safe):
            sieve.leave(path, SkipReason.UNSAFE)
        return Listing(tuple(sorted(sieve.chosen)), in_order(sieve.skipped), "git")

    def ignored(self) -> tuple[Skipped, ...]:
        """None: a commit has no untracked files."""
        return ()

    def stamp(self, path: str) -> Stamp | None:
        """The name of a file's blob."""
        blob = self.files.get(path)
        return None if blob is None else Stamp.of_blob(blob.object, blob.size)

    def inside(self, given: str) -> str | None:
        """The path in the tree of a path as given."""
        path = Path(os.path.normpath(self.root / given))
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else None

    @contextmanager
    def reading(self) -> Iterator["_Reader"]:
        """A context with a reader. What it starts ends with `close`."""
        yield _Reader(self)

    def close(self) -> None:
        """End git, and forget the blobs that were read last."""
        self._objects.close()
        self._kept.clear()
        self._kept_bytes = 0

    def data(self, blob: Blob) -> bytes | None:
        """The bytes of a blob; None if it is damaged. Raises Unsupported."""
        if blob.object in self._kept:
            self._kept.move_to_end(blob.object)
            return self._kept[blob.object]
        with git_errors(self.repository):
            data = self._objects.read(blob.object, "blob", blob.size)
        if data is not None:
            self._keep(blob.object, data)
        return data

    def _keep(self, name: str, data: bytes) -> None:
        self._kept[name] = data
        self._kept_bytes += len(data)
        while self._kept_bytes > _KEPT_BYTES:
            self._kept_bytes -= len(self._kept.popitem(last=False)[1])

    @cached_property
    def time_ns(self) -> int:
        """When the commit was made; 0 if it doesn't say so."""
        with git_errors(self.repository):
            committed = COMMITTED.search(self._objects.read(self.commit, "commit", _MAX_COMMIT) or b"")
        return int(committed[1]) * 1_000_000_000 if committed else 0

    @cached_property
    def folders(self) -> dict[str, set[str]]:
        """The names of the folders in each folder."""
        below: dict[str, set[str]] = {"": set()}
        for path in self.files:
            parts = path.split("/")[:-1]
            for depth, name in enumerate(parts):
                below.setdefault("/".join(parts[:depth]), set()).add(name)
                below.setdefault("/".join(parts[: depth + 1]), set())
        return below

    @cached_property
    def _entries(self) -> dict[str, Blob]:
        """Files, links and submodules below the project, by path. Raises InvalidInput, Unsupported."""
        with git_errors(self.repository):
            tree = folder_in(self.repository, self.commit, self.root)
            if tree is None:
                remedy = "Pass a commit with this folder, or the repository's own folder as project_path."
                raise InvalidInput(self._field, self._name, "is a commit without the project's folder", remedy)
            entries = entries_of(self.repository, tree, "-l")
        return {path: Blob(mode, name, int(size) if size.isdigit() else -1) for mode, name, size, path in entries}

    def _leading_to_folders(self, links: list[str]) -> set[str]:
        """The links that lead to a folder of the commit, through other links."""
        below = self.repository.below(self.root)
        named = [path for path in links if "\n" not in path][:_MAX_LINKS]
        asked = [f"{self.commit}:{below}/{path}" if below else f"{self.commit}:{path}" for path in named]
        if not asked:
            return set()
        with git_errors(self.repository):
            output = objects(self.repository, ["cat-file", "--batch-check", "--follow-symlinks"], TIMEOUT_S, asked)
        leading = set()
        place = 0
        for path in named:
            line = _LINE.match(output, place)
            place = line.end() if line else len(output)
            if line and _TREE.fullmatch(line[0]):
                leading.add(path)
            elif line and (other := _ELSEWHERE.fullmatch(line[0])):
                place += int(other[1]) + 1
                if self._leads_to_submodule(path):
                    leading.add(path)
        return leading

    def _leads_to_submodule(self, path: str) -> bool:
        """Whether a link leads to a submodule, which git takes for nothing: its folder is checked out, but empty."""
        if not self._has_submodules:
            return False
        done: list[str] = []
        parts = path.split("/")[::-1]
        for _ in range(_MOST_STEPS):
            if not parts:
                break
            part = parts.pop()
            if part == "..":
                if not done:
                    return False
                done.pop()
            elif part not in ("", "."):
                done.append(part)
                target = self._target("/".join(done))
                if target is not None:
                    done.pop()
                    parts += target.split("/")[::-1]
                    if target.startswith("/"):
                        return False
        blob = self._entries.get("/".join(done))
        return not parts and blob is not None and blob.mode == SUBMODULE

    def _target(self, path: str) -> str | None:
        """The target of a link; None if the path is no link."""
        blob = self._entries.get(path)
        if blob is None or blob.mode != LINK or not 0 <= blob.size <= _MAX_TARGET:
            return None
        return os.fsdecode(self.data(blob) or b"")

    @cached_property
    def _has_submodules(self) -> bool:
        return any(blob.mode == SUBMODULE for blob in self._entries.values())


class _Reader:
    """Reads files of a commit."""

    def __init__(self, tree: CommitTree) -> None:
        self._tree = tree

    def read(self, path: str, max_bytes: int) -> Source | Skipped | None:
        """A file's bytes, which no later change affects."""
        blob = self._tree.files.get(path)
        if blob is None:
            return None
        if blob.mode == LINK:
            return Skipped(path, SkipReason.SYMLINK)
        if blob.size > max_bytes:
            return Skipped(path, SkipReason.TOO_LARGE)
        data = self._tree.data(blob) if blob.size >= 0 else None
        if data is None:
            return Skipped(path, SkipReason.UNREADABLE)
        return Source(data, Stamp.of_blob(blob.object, blob.size), settled=True)

    def changed_ns(self, path: str) -> int | None:
        """The time of the commit, which has no times of its files."""
        return self._tree.time_ns if path in self._tree.files or path in self._tree.folders else None

    def folders(self, folder: str) -> list[str]:
        """The folders in a folder."""
        return sorted(self._tree.folders.get(folder, ()))
