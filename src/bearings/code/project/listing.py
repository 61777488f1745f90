"""The files of a project, listed by git, or by a walk that obeys `.gitignore`.

Every rule is about paths relative to the root, so a project that lies below a directory called `tmp`, `dist` or
`node_modules` is read like any other.
"""

import logging
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from bearings.caller import Roots
from bearings.code.project.git.files import TIMEOUT_S, GitListing, git_files, git_ignored
from bearings.code.project.git.plumbing import GitHangs
from bearings.code.project.names import excluded_at, is_cache, is_counted, printable
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.sieve import Sieve
from bearings.code.project.skipped import Listing, Skipped, SkipReason, in_order
from bearings.code.project.sources import Stamp, digest_of, is_settled, stamp_of
from bearings.code.project.walk import Walk

_Answer = TypeVar("_Answer")

_LOG = logging.getLogger(__name__)


class Lister:
    """Lists one project repeatedly. If git once timed out, it is not used again.

    Git directories outside `roots` are not read; None allows any.
    """

    def __init__(
        self,
        root: Path,
        git_timeout_s: float = TIMEOUT_S,
        roots: Roots = None,
        now_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._root = root
        self._roots = roots
        self._timeout_s = git_timeout_s
        self._git_hangs = False
        self._nested: tuple[bytes, ...] = ()
        self._packages: frozenset[str] = frozenset()
        self._specials = SpecialFiles(root, now_ns)
        self._sifted_before: tuple[bytes, Listing] | None = None
        """A digest of git's last listing, and that listing without the files that are left out."""

    def list(self, meanwhile: Callable[[], object] = lambda: None) -> Listing:
        """The present files; `skipped` names directories that can't be read. `meanwhile` is called while git works."""
        listed = self._answer(lambda: git_files(self._root, self._timeout_s, meanwhile, self._roots))
        if listed is None or not (listed.says_anything or (self._root / ".git").exists()):
            # No repository, or one further up that ignores this directory, which then is a project of its own.
            self._nested = ()
            return Walk(self._root).run()
        self._nested = (b"", *listed.nested)
        return self._sifted(listed)

    def ignored(self) -> tuple[Skipped, ...]:
        """Files that only git's ignore rules leave out of the last listing; a walk includes these in its listing."""
        nested = self._nested
        listed = self._answer(lambda: git_ignored(self._root, nested, self._timeout_s, self._roots)) or []
        skipped: dict[str, SkipReason] = {}
        for path in map(os.fsdecode, listed):
            excluded = excluded_at(path, self._packages)
            if excluded is None and (path.endswith("/") or is_counted(path)):
                skipped[printable(path)] = SkipReason.IGNORED
            elif excluded is not None and not is_cache(excluded):
                skipped[printable(excluded)] = SkipReason.EXCLUDED
        return in_order(skipped)

    def _answer(self, question: Callable[[], _Answer]) -> _Answer | None:
        if self._git_hangs:
            return None
        try:
            return question()
        except GitHangs:
            _LOG.warning(
                "git did not list %s (it hangs, or takes %g s); the tree is walked", self._root, self._timeout_s
            )
            self._git_hangs = True
            return None

    def _sifted(self, listed: GitListing) -> Listing:
        """Git's listing without excluded files and files behind a symbolic link.

        The same listing is not sifted again while no directory has changed, as one does that gets a link.
        """
        parts = (listed.files, listed.unreadable, listed.links, listed.absent, listed.nested)
        digest = digest_of(b"\0\0".join(map(b"\0".join, parts)))
        before = self._sifted_before
        if before is not None and before[0] == digest and not listed.broken and self._specials.are_unchanged():
            return before[1]
        listing = self._sift(listed)
        self._sifted_before = None if listed.broken else (digest, listing)
        return listing

    def _sift(self, listed: GitListing) -> Listing:
        paths = [os.fsdecode(path) for path in listed.files]
        sieve = Sieve(paths, self._is_link)
        for path in paths:
            sieve.take(path)
        for reason, left in (
            (SkipReason.UNREADABLE, listed.unreadable),
            (SkipReason.SYMLINK, listed.links),
            (SkipReason.SUBMODULE, listed.absent),
        ):
            for name in left:
                sieve.leave(os.fsdecode(name), reason)
        for name in listed.broken:
            walked = Walk(self._root).run(os.fsdecode(name))
            sieve.chosen.update(walked.paths)
            sieve.skipped.update((skipped.path, skipped.reason) for skipped in walked.skipped)
        for special in self._specials.besides(sieve.directories):
            sieve.leave(special, SkipReason.SPECIAL)
        self._packages = sieve.packages
        return Listing(tuple(sorted(sieve.chosen)), in_order(sieve.skipped), "git")

    def _is_link(self, directory: str) -> bool:
        try:
            return stat.S_ISLNK(os.lstat(f"{self._root}/{directory}").st_mode)
        except OSError:
            return False


class SpecialFiles:
    """Finds FIFOs, sockets and devices with the names of sources, which git leaves out silently.

    An unchanged directory is not read again.
    """

    def __init__(self, root: Path, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._root = root
        self._now_ns = now_ns
        self._tree = SafeDirectory(root)
        self._known: dict[str, tuple[Stamp, tuple[str, ...]]] = {}
        self._knows_all = False

    def are_unchanged(self) -> bool:
        """Whether no directory of the last `besides` has changed."""
        known = self._known.items()
        return self._knows_all and all(stamp_of(self._root, directory) == stamp for directory, (stamp, _) in known)

    def besides(self, directories: Iterable[str]) -> Iterator[str]:
        """The paths of special files in these directories with a source's name."""
        before, self._known, self._knows_all = self._known, {}, True
        with self._tree:
            for directory in directories:
                yield from self._in(f"{directory}/" if directory else "", before)

    def _in(self, directory: str, before: Mapping[str, tuple[Stamp, tuple[str, ...]]]) -> tuple[str, ...]:
        started = self._now_ns()
        stamp = stamp_of(self._root, directory)
        if stamp is None:
            self._knows_all = False
            return ()
        known = before.get(directory)
        if known is None or known[0] != stamp:
            known = (stamp, self._read(directory))
            if not is_settled(stamp, started):
                self._knows_all = False
                return known[1]
        self._known[directory] = known
        return known[1]

    def _read(self, directory: str) -> tuple[str, ...]:
        try:
            with self._tree.scan(directory.rstrip("/")) as scan:
                return tuple(directory + entry.name for entry in scan if _is_special(entry) and is_counted(entry.name))
        except OSError:
            return ()


def _is_special(entry: os.DirEntry[str]) -> bool:
    """Whether the entry is neither a file, nor a directory, nor a link."""
    return not (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False) or entry.is_symlink())
