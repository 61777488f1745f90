"""The files of a project: by git where it can tell, else by a walk that obeys `.gitignore`.

Every rule is about paths relative to the root, so a project that lies below a directory called `tmp`, `dist` or
`node_modules` is read like any other.
"""

import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bearings.code.project.git import git_files
from bearings.code.project.ignore import IgnoreRules
from bearings.code.project.skipped import Skipped, SkipReason

EXCLUDED_DIRECTORIES = frozenset(
    {
        ".bzr", ".cache", ".eggs", ".git", ".gradle", ".hg", ".hypothesis", ".idea", ".jj", ".mypy_cache", ".next",
        ".nox", ".nuxt", ".output", ".parcel-cache", ".pnpm-store", ".pytest_cache", ".ruff_cache", ".svelte-kit",
        ".svn", ".tox", ".turbo", ".venv", ".vscode", ".yarn", "__pycache__", "__pypackages__", "bower_components",
        "build", "coverage", "dist", "htmlcov", "jspm_packages", "node_modules", "site-packages", "vendor", "venv",
    }
)  # fmt: skip
"""Names of directories, at any depth below the root, that hold what was installed or made, not written."""

_QUIET = frozenset({".git", ".hg", ".svn", ".bzr", ".jj"})
"""Left out without a word: nobody takes them for sources."""

_EXCLUDED_FILES = re.compile(r"\.min\.[cm]?js$")

_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec|e2e)/|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$|\.(?:test|spec)\.[cm]?[jt]sx?$"
)


@dataclass(frozen=True, slots=True)
class Listing:
    """The project's files, sorted; what was left out, sorted; and who listed them (git or walk)."""

    paths: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    by: str


def list_project(root: Path) -> Listing:
    """The files below `root`. A directory that can't be read is named among `skipped`."""
    listed = git_files(root)
    if not listed and not (listed is not None and (root / ".git").exists()):
        # No repository, or one further up that ignores this directory: then it is a project of its own.
        return _Walk(root).run()
    return _sifted(root, listed or [])


def is_test(path: str) -> bool:
    """Whether the file holds tests, by the naming customs of pytest, unittest, Jest and Vitest."""
    return _TEST.search(path) is not None


def _sifted(root: Path, paths: Iterable[bytes]) -> Listing:
    """What git listed, without what the rules exclude and what lies behind a symbolic link."""
    kept: set[str] = set()
    skipped: dict[str, SkipReason] = {}
    linked = _Linked(root)
    for raw in paths:
        path = os.fsdecode(raw)
        if not _is_inside(path):
            continue
        excluded = _excluded_at(path)
        if excluded is not None:
            if excluded.rstrip("/").rpartition("/")[2] not in _QUIET:
                skipped[excluded] = SkipReason.EXCLUDED
        elif not _is_utf8(path):
            skipped[_printable(path)] = SkipReason.BAD_NAME
        elif link := linked.parent_of(path):
            skipped[f"{link}/"] = SkipReason.SYMLINK
        else:
            kept.add(path)
    return Listing(tuple(sorted(kept)), _in_order(skipped), "git")


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
            found = self.parent_of(directory) or (directory if self._is_link(directory) else "")
            self._known[directory] = found
        return found

    def _is_link(self, directory: str) -> bool:
        try:
            return stat.S_ISLNK(os.lstat(f"{self._root}/{directory}").st_mode)
        except OSError:
            return False


class _Walk:
    """The tree without git: no link is followed, `.gitignore` files are obeyed, nested ones too."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._rules = IgnoreRules(root)
        self._paths: list[str] = []
        self._skipped: dict[str, SkipReason] = {}

    def run(self) -> Listing:
        """The listing; an unreadable root has no files."""
        pending = [""]
        while pending:
            pending.extend(self._directory(pending.pop()))
        return Listing(tuple(sorted(self._paths)), _in_order(self._skipped), "walk")

    def _directory(self, directory: str) -> list[str]:
        """Takes a directory's files; its subdirectories, each with a `/` at the end."""
        try:
            with os.scandir(f"{self._root}/{directory}") as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            self._skipped[directory or "./"] = SkipReason.UNREADABLE
            return []
        if any(entry.name == ".gitignore" for entry in entries):
            self._rules.enter(directory)
        return [below for entry in entries if (below := self._entry(directory + entry.name, entry))]

    def _entry(self, path: str, entry: os.DirEntry[str]) -> str | None:
        """Takes one entry; its path with `/` if it is a directory to go into."""
        if not _is_utf8(path):
            self._skipped[_printable(path)] = SkipReason.BAD_NAME
            return None
        is_directory = entry.is_dir(follow_symlinks=False)
        if is_directory and entry.name in EXCLUDED_DIRECTORIES:
            if entry.name not in _QUIET and not self._rules.ignores(f"{path}/"):
                self._skipped[f"{path}/"] = SkipReason.EXCLUDED
            return None
        if self._rules.ignores(f"{path}/" if is_directory else path):
            return None
        if is_directory:
            return f"{path}/"
        if entry.is_symlink() and _leads_to_directory(entry.path):
            self._skipped[f"{path}/"] = SkipReason.SYMLINK
        elif _EXCLUDED_FILES.search(entry.name):
            self._skipped[path] = SkipReason.EXCLUDED
        else:
            self._paths.append(path)
        return None


def _leads_to_directory(link: str) -> bool:
    """Whether a symbolic link's target is a directory; a target that can't be asked is none."""
    try:
        return stat.S_ISDIR(os.stat(link).st_mode)  # noqa: PTH116 - unlike Path.is_dir, one kind of error
    except (OSError, ValueError):
        return False


def _excluded_at(path: str) -> str | None:
    """The excluded directory (with `/`) that `path` lies in, or `path` itself if its name is excluded."""
    parts = path.split("/")
    for depth, part in enumerate(parts[:-1], 1):
        if part in EXCLUDED_DIRECTORIES:
            return "/".join(parts[:depth]) + "/"
    return path if _EXCLUDED_FILES.search(path) else None


def _is_inside(path: str) -> bool:
    return bool(path) and not path.startswith("/") and ".." not in path.split("/")


def _is_utf8(path: str) -> bool:
    return path.isascii() or not any("\udc80" <= c <= "\udcff" for c in path)


def _printable(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _in_order(skipped: dict[str, SkipReason]) -> tuple[Skipped, ...]:
    return tuple(Skipped(path, reason) for path, reason in sorted(skipped.items()))
