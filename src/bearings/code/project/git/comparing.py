"""Comparison of a work tree with a commit, within a budget of bytes."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.git.hunks import lines
from bearings.code.project.git.worktree import LINK, SUBMODULE, Content, Entry, Index, TooLarge, content
from bearings.code.project.safe_directory import SafeDirectory
from bearings.untrusted import escape_line, labelled

MAX_LOADED = 192 * 1024 * 1024
"""The most bytes of old versions in memory, and of new ones. For changes beyond that, only the path is known."""

_MAX_HASHED = 1024 * 1024 * 1024
"""The most bytes of files that are read for their hash alone: some two seconds."""

_NAMED = 5
_MAX_NAME = 200

_LARGE_FILE = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n"
)
"""A pointer of Git LFS (its docs/spec.md)."""


class CommitFile(NamedTuple):
    """A file of a commit."""

    mode: str
    object: str


class WorkTree:
    """A work tree and the files of a commit. `now` has the content of the differing files."""

    def __init__(
        self,
        root: Path,
        format: str,  # noqa: A002 - of objects, as git calls it
        before: Mapping[str, CommitFile],
        index: Index,
        max_bytes: int,
        *,
        max_loaded: int = MAX_LOADED,
        max_hashed: int = _MAX_HASHED,
    ) -> None:
        self.now: dict[str, Content] = {}
        self._root = root
        self._format = format
        self._before = before
        self._index = index
        self._max_bytes = max_bytes
        self._room = max_loaded
        self._hashed = max_hashed
        self._absent: list[str] = []
        self._unreadable: list[str] = []
        self._too_large: list[str] = []

    def old(self, path: str) -> CommitFile | None:
        """The commit's version of a file; None if the commit lacks it."""
        return self._before.get(path)

    @property
    def has_attributes(self) -> bool:
        """Whether there are attributes, which could give a file a filter."""
        return any(path.rpartition("/")[2] == ".gitattributes" for path in (*self._index.tracked, *self._index.new))

    def differing(self) -> list[str]:
        """The sorted paths of files whose bytes differ from the commit's."""
        changed = set()
        present: set[str] = set()
        with SafeDirectory(self._root) as tree:
            for path, entry in self._index.tracked.items():
                if entry.mode != SUBMODULE and self._differs(tree, path, entry, present):
                    changed.add(path)
            for path in self._index.new:
                if not path.endswith("/") and self._differs(tree, path, None, present):
                    changed.add(path)
        changed |= self._before.keys() - present - set(self._absent)
        return sorted(changed)

    def _differs(self, tree: SafeDirectory, path: str, entry: Entry | None, present: set[str]) -> bool:
        """Whether the content of a tracked or new file differs from the commit's."""
        old = self._before.get(path)
        try:
            if entry and old and entry.object == old.object and self._index.is_clean(entry, f"{self._root}/{path}"):
                present.add(path)
                return False
            now = self._content(tree, path, known=old is not None)
        except OSError as error:
            (self._too_large if isinstance(error, TooLarge) else self._unreadable).append(path)
            present.add(path)
            return False
        if now is None:
            if entry and entry.skipped:
                self._absent.append(path)
            return False
        present.add(path)
        if old and now.object == old.object and now.is_link == (old.mode == LINK):
            return False
        self._room -= len(now.data or b"")
        self.now[path] = now
        return True

    def _content(self, tree: SafeDirectory, path: str, *, known: bool) -> Content | None:
        """The content of a file. A file that the commit lacks needs no hash. Raises OSError, TooLarge."""
        now = content(tree, path, self._format if known else "", min(self._max_bytes, self._room), self._hashed)
        if now is not None and now.data is None and known:
            self._hashed -= now.size
        return now

    def same(self, path: str, before: bytes | None) -> bool:
        """Whether a file with different bytes is unchanged: by line endings, or as a pointer to a large file."""
        now, old = self.now.get(path), self.old(path)
        pointer = _LARGE_FILE.fullmatch(before) if before is not None else None
        if pointer and now is not None and old is not None and not (now.is_link or old.mode == LINK):
            return pointer[1].decode() == now.sha256 and int(pointer[2]) == now.size
        return _has_same_lines(now, old, before)

    def notes(self, unrun: set[str]) -> tuple[str, ...]:
        """Notes about differences from git's comparison; `unrun` are the files with a filter attribute."""
        sentences = []
        if unrun:
            sentences.append(f"A filter was not run, so its files are compared as they stand: {_some(unrun)}.")
        if self._absent:
            sentences.append(f"{len(self._absent)} files are not checked out (sparse checkout) and were not compared.")
        if self._unreadable:
            sentences.append(f"These files can't be read and were not compared: {_some(self._unreadable)}.")
        if self._too_large:
            sentences.append(f"These files are too large and were not compared: {_some(self._too_large)}.")
        return tuple(sentences)


class TwoTrees:
    """The files of two commits. `now` has the content of the differing files of the second, after `load`."""

    def __init__(self, before: Mapping[str, CommitFile], after: Mapping[str, CommitFile]) -> None:
        self.now: dict[str, Content] = {}
        self._before = before
        self._after = after

    def old(self, path: str) -> CommitFile | None:
        """The first commit's version of a file."""
        return self._before.get(path)

    def new(self, path: str) -> CommitFile | None:
        """The second commit's version of a file."""
        return self._after.get(path)

    def differing(self) -> list[str]:
        """The sorted paths of files whose bytes differ, or that are a link in one commit alone."""
        return sorted(
            path
            for path in self._before.keys() | self._after.keys()
            if _kind_and_bytes(self._before.get(path)) != _kind_and_bytes(self._after.get(path))
        )

    def load(self, paths: Iterable[str], data: Mapping[str, bytes]) -> None:
        """Take the content of differing files of the second commit; large ones have no `data`."""
        for path in paths:
            file = self._after.get(path)
            if file is not None:
                loaded = data.get(path)
                self.now[path] = Content(file.object, len(loaded or b""), loaded, is_link=file.mode == LINK)

    def same(self, path: str, before: bytes | None) -> bool:
        """Whether a file with different bytes is unchanged but for line endings."""
        return _has_same_lines(self.now.get(path), self.old(path), before)


def _has_same_lines(now: Content | None, old: CommitFile | None, before: bytes | None) -> bool:
    """Whether a file, in neither version a link, differs in line endings alone."""
    if now is None or now.data is None or now.is_link or old is None or old.mode == LINK or before is None:
        return False
    return b"\0" not in before and lines(now.data) == lines(before)


def _kind_and_bytes(file: CommitFile | None) -> tuple[bool, str] | None:
    return None if file is None else (file.mode == LINK, file.object)


def _some(paths: Iterable[str]) -> str:
    ordered = sorted(paths)
    names = ", ".join(labelled(escape_line(path, _MAX_NAME)) for path in ordered[:_NAMED])
    return names + (f" and {len(ordered) - _NAMED} more" if len(ordered) > _NAMED else "")
