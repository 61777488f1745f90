"""Listing of a tree without git: follows no link, and obeys `.gitignore` files, including nested ones."""

import os
from pathlib import Path

from bearings.code.project.ignore import IgnoreRules
from bearings.code.project.names import (
    EXCLUDED_DIRECTORIES,
    QUIET,
    has_minified_name,
    is_cache,
    is_counted,
    is_manifest,
    is_package,
    printable,
)
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.skipped import Listing, SkipReason, in_order
from bearings.untrusted import is_clean


class Walk:
    """One walk through a tree."""

    def __init__(self, root: Path) -> None:
        self._tree = SafeDirectory(root)
        self._rules = IgnoreRules(self._tree)
        self._paths: list[str] = []
        self._skipped: dict[str, SkipReason] = {}

    def run(self, start: str = "") -> Listing:
        """Walk below `start` (a directory with `/` at its end, or the root); an unreadable directory has no files."""
        with self._tree:
            pending = [start]
            while pending:
                pending.extend(self._directory(pending.pop()))
        return Listing(tuple(sorted(self._paths)), in_order(self._skipped), "walk")

    def _directory(self, directory: str) -> list[str]:
        """Take a directory's files; return its subdirectories, each with a `/` at the end."""
        try:
            with self._tree.scan(directory.rstrip("/")) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
                if any(entry.name == ".gitignore" for entry in entries):
                    self._rules.enter(directory)
                return [below for entry in entries if (below := self._entry(directory + entry.name, entry))]
        except OSError:
            self._skipped[directory or "./"] = SkipReason.UNREADABLE
            return []

    def _entry(self, path: str, entry: os.DirEntry[str]) -> str | None:
        """Take one entry; return its path with `/` if it is a directory to walk."""
        is_directory = entry.is_dir(follow_symlinks=False)
        shown = path + "/" * is_directory
        if is_directory and entry.name in EXCLUDED_DIRECTORIES and not self._is_package(path):
            self._leave_excluded(shown)
        elif not is_clean(path):
            self._skipped[printable(shown)] = SkipReason.BAD_NAME
        elif self._rules.ignores(shown) and not is_manifest(shown):
            # Manifests are read anyway: without git, it is unknown whether they are tracked.
            if is_directory or is_counted(path):
                self._skipped[shown] = SkipReason.IGNORED
        elif is_directory:
            return shown
        elif entry.is_symlink() and _leads_to_directory(entry):
            self._skipped[f"{path}/"] = SkipReason.SYMLINK
        elif has_minified_name(path):
            self._skipped[path] = SkipReason.EXCLUDED
        else:
            self._paths.append(path)
        return None

    def _is_package(self, directory: str) -> bool:
        try:
            with self._tree.scan(directory) as scan:
                return is_package(directory, (entry.name for entry in scan))
        except OSError:
            return False

    def _leave_excluded(self, directory: str) -> None:
        """Record an excluded directory, unless it is one that never holds sources."""
        is_quiet = directory.rstrip("/").rpartition("/")[2] in QUIET
        if not is_quiet and not (is_cache(directory) and self._rules.ignores(directory)):
            self._skipped[directory] = SkipReason.EXCLUDED


def _leads_to_directory(link: os.DirEntry[str]) -> bool:
    """Whether a symbolic link's target is a directory; False for an unreadable target."""
    try:
        return link.is_dir()
    except (OSError, ValueError):
        return False
