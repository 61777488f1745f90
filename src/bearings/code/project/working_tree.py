"""The working tree of a project, as it is on disk at each moment."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from bearings.caller import Roots
from bearings.code.project.git.repository import Refused, find
from bearings.code.project.listing import Lister
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.skipped import Listing, Skipped
from bearings.code.project.sources import Source, Stamp, read_any, stamp_beneath, stamp_of


class WorkingTree:
    """The files below `root`, a real path. See `Tree`."""

    commit = ""

    def __init__(self, root: Path, roots: Roots = None) -> None:
        self.root = root
        self.roots = roots
        self._lister = Lister(root, roots=roots)

    @cached_property
    def repository_key(self) -> bytes:
        """A hash of the repository and of the folder in it; empty without a repository that may be read."""
        try:
            repository = find(self.root, self.roots)
        except Refused:
            return b""
        return b"" if repository is None else repository.key_of(self.root)

    def listing(self, meanwhile: Callable[[], object] = lambda: None) -> Listing:
        """The present files."""
        return self._lister.list(meanwhile)

    def ignored(self) -> tuple[Skipped, ...]:
        """The files that only ignore rules leave out of the last listing."""
        return self._lister.ignored()

    def stamp(self, path: str) -> Stamp | None:
        """The stamp of a file; None if nothing is there."""
        return stamp_of(self.root, path)

    def inside(self, given: str) -> str | None:
        """The path in the tree of a path as given, its links followed."""
        real = Path(os.path.realpath(self.root / given))
        return real.relative_to(self.root).as_posix() if real.is_relative_to(self.root) else None

    @contextmanager
    def reading(self) -> Iterator["_Reader"]:
        """A context with a reader, which keeps the folder of the last file open."""
        with SafeDirectory(self.root) as directory:
            yield _Reader(directory)

    def close(self) -> None:
        """Do nothing: each reader closes what it has opened."""


class _Reader:
    """Reads files below a directory."""

    def __init__(self, directory: SafeDirectory) -> None:
        self._directory = directory

    def read(self, path: str, max_bytes: int) -> Source | Skipped | None:
        """A file's bytes."""
        return read_any(self._directory, path, max_bytes)

    def changed_ns(self, path: str) -> int | None:
        """The time of the last change of the content."""
        stamp = stamp_beneath(self._directory, path)
        return None if stamp is None else stamp.mtime_ns

    def folders(self, folder: str) -> list[str]:
        """The folders in a folder; a link is none."""
        try:
            with self._directory.scan(folder) as entries:
                return sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
        except OSError:
            return []
