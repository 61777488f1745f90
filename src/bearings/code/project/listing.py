"""The files of a project: by git where it can tell, else by a walk that obeys `.gitignore`.

Every rule is about paths relative to the root, so a project that lies below a directory called `tmp`, `dist` or
`node_modules` is read like any other.
"""

import logging
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bearings.code.project.git import TIMEOUT_S, GitHangs, GitListing, git_files, git_ignored
from bearings.code.project.names import QUIET, excluded_at, is_cache, is_counted, is_good_name, printable
from bearings.code.project.skipped import Listing, Skipped, SkipReason, in_order
from bearings.code.project.specials import Specials
from bearings.code.project.walk import Walk

_Answer = TypeVar("_Answer")

_LOG = logging.getLogger(__name__)


def list_project(root: Path) -> Listing:
    """The files below `root`. A directory that can't be read is named among `skipped`."""
    return Lister(root).list()


class Lister:
    """Lists one project again and again. Where git hung once, it is not asked again."""

    def __init__(self, root: Path, git_timeout_s: float = TIMEOUT_S) -> None:
        self._root = root
        self._timeout_s = git_timeout_s
        self._git_hangs = False
        self._nested: tuple[bytes, ...] = ()
        self._specials = Specials(root)

    def list(self) -> Listing:
        """The files now; see `list_project`."""
        listed = self._asked(lambda: git_files(self._root, self._timeout_s))
        if listed is None or not (listed.says_anything or (self._root / ".git").exists()):
            # No repository, or one further up that ignores this directory: then it is a project of its own.
            self._nested = ()
            return Walk(self._root).run()
        self._nested = (b"", *listed.nested)
        return self._sifted(listed)

    def ignored(self) -> tuple[Skipped, ...]:
        """What only the ignore rules of git leave out of the last listing; a walk names that in its listing."""
        nested = self._nested
        listed = self._asked(lambda: git_ignored(self._root, nested, self._timeout_s)) or []
        skipped: dict[str, SkipReason] = {}
        for path in map(os.fsdecode, listed):
            excluded = excluded_at(path)
            if excluded is None and (path.endswith("/") or is_counted(path)):
                skipped[printable(path)] = SkipReason.IGNORED
            elif excluded is not None and not is_cache(excluded):
                skipped[printable(excluded)] = SkipReason.EXCLUDED
        return in_order(skipped)

    def _asked(self, question: Callable[[], _Answer]) -> _Answer | None:
        if self._git_hangs:
            return None
        try:
            return question()
        except GitHangs:
            _LOG.warning("git did not list %s within %g s; the tree is walked instead", self._root, self._timeout_s)
            self._git_hangs = True
            return None

    def _sifted(self, listed: GitListing) -> Listing:
        """What git listed, without what the rules exclude and what lies behind a symbolic link."""
        sieve = _Sieve(self._root)
        for path in listed.files:
            sieve.take(os.fsdecode(path))
        for reason, paths in (
            (SkipReason.UNREADABLE, listed.unreadable),
            (SkipReason.SYMLINK, listed.links),
            (SkipReason.SUBMODULE, listed.absent),
        ):
            for path in paths:
                sieve.leave(os.fsdecode(path), reason)
        for path in listed.broken:
            walked = Walk(self._root).run(os.fsdecode(path))
            sieve.kept.update(walked.paths)
            sieve.skipped.update((left.path, left.reason) for left in walked.skipped)
        for special in self._specials.besides(sieve.kept):
            sieve.leave(special, SkipReason.SPECIAL)
        return Listing(tuple(sorted(sieve.kept)), in_order(sieve.skipped), "git")


class _Sieve:
    """Takes paths one by one: what is kept, and what is left out and why."""

    def __init__(self, root: Path) -> None:
        self.kept: set[str] = set()
        self.skipped: dict[str, SkipReason] = {}
        self._linked = _Linked(root)

    def take(self, path: str) -> None:
        """Keeps a listed file, unless there is a reason not to."""
        if not _is_inside(path):
            return
        excluded = excluded_at(path)
        if excluded is not None:
            self._exclude(excluded)
        elif not is_good_name(path):
            self.skipped[printable(path)] = SkipReason.BAD_NAME
        elif link := self._linked.parent_of(path):
            self.skipped[f"{link}/"] = SkipReason.SYMLINK
        else:
            self.kept.add(path)

    def leave(self, path: str, reason: SkipReason) -> None:
        """Names what is left out, unless it lies in what is left out anyway."""
        excluded = excluded_at(path)
        if excluded is not None:
            self._exclude(excluded)
        else:
            self.skipped[printable(path)] = reason

    def _exclude(self, excluded: str) -> None:
        if excluded.rstrip("/").rpartition("/")[2] not in QUIET:
            self.skipped[printable(excluded)] = SkipReason.EXCLUDED


class _Linked:
    """Tells which directories of listed paths are symbolic links by now."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, str] = {"": ""}

    def parent_of(self, path: str) -> str:
        """The outermost directory on the way to `path` that is a symbolic link, or nothing."""
        directory = path.rpartition("/")[0]
        found = self._known.get(directory)
        if found is None:
            found = ""
            parts = directory.split("/")
            for end in range(1, len(parts) + 1):
                above = "/".join(parts[:end])
                if above not in self._known:
                    self._known[above] = found or (above if self._is_link(above) else "")
                found = self._known[above]
        return found

    def _is_link(self, directory: str) -> bool:
        try:
            return stat.S_ISLNK(os.lstat(f"{self._root}/{directory}").st_mode)
        except OSError:
            return False


def _is_inside(path: str) -> bool:
    return bool(path) and not path.startswith("/") and ".." not in path.split("/")
