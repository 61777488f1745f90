"""The files of a project: those of a working tree, or those of a commit. Nothing above knows which.

    tree = WorkingTree(root)                    # project/working_tree.py
    tree = CommitTree(root, roots, "v1.2")      # project/git/commit_tree.py
    tree.listing().paths                           # ("src/auth.ts", …)
    read_from(tree, "src/auth.ts", 1_000_000)   # Source, the reason to skip it, or None

A commit's tree is listed and read as a clean checkout of the commit would be, without one.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from bearings.caller import Roots
from bearings.code.project.skipped import Listing, Skipped
from bearings.code.project.sources import Source, Stamp, checked


class Reader(Protocol):
    """Reads files of a tree, without following links. For one thread at a time."""

    def read(self, path: str, max_bytes: int) -> Source | Skipped | None:
        """A file's bytes, whatever they are, or the reason to skip it, or None if there is no such file."""
        ...

    def changed_ns(self, path: str) -> int | None:
        """When a file or folder (`""` is the tree itself) last changed; None if nothing is there."""
        ...

    def folders(self, folder: str) -> list[str]:
        """The sorted names of the folders in a folder; empty if it can't be read."""
        ...


class Tree(Protocol):
    """The files of one project. `roots` are the directories that may hold git directories; None allows any."""

    root: Path
    roots: Roots
    commit: str
    """The full name of the commit; empty for the working tree."""

    @property
    def repository_key(self) -> bytes:
        """A hash of the repository and of the project's folder in it, the same for all worktrees and commits.

        Empty without a repository that may be read.
        """
        ...

    def listing(self, meanwhile: Callable[[], object] = ...) -> Listing:
        """The present files. `meanwhile` is called while git works."""
        ...

    def ignored(self) -> tuple[Skipped, ...]:
        """The files that only ignore rules leave out of the last listing."""
        ...

    def stamp(self, path: str) -> Stamp | None:
        """The stamp of a file; None if nothing is there."""
        ...

    def inside(self, given: str) -> str | None:
        """The path in the tree of a path that a caller gives; None if it lies outside. Raises OSError, ValueError."""
        ...

    def reading(self) -> AbstractContextManager[Reader]:
        """A context with a reader."""
        ...

    def close(self) -> None:
        """End what reading has left open. The tree can be read again afterwards."""
        ...


def read_from(tree: Tree, path: str, max_bytes: int, *, binary: bool = False) -> Source | Skipped | None:
    """A source's bytes, or the reason to skip it, or None if it is gone. `binary`: accept binary content."""
    with tree.reading() as reader:
        return read_with(reader, path, max_bytes, binary=binary)


def read_with(reader: Reader, path: str, max_bytes: int, *, binary: bool = False) -> Source | Skipped | None:
    """As `read_from`, for one file of many."""
    return checked(path, reader.read(path, max_bytes), binary=binary)
