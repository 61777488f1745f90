"""Sorts the files that git lists into kept and skipped ones, by their names and the folders on their way."""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

from bearings.code.project.names import (
    EXCLUDED_DIRECTORIES,
    QUIET,
    excluded_at,
    has_minified_name,
    packages_in,
    printable,
)
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.untrusted import is_clean

_NOWHERE = ("", "..")
"""Components that git never lists; a path with one is not below the root."""


class Sieve:
    """Sorts paths into `chosen` and `skipped` ones with reasons. Each directory is examined once, by `is_link`."""

    def __init__(self, listed: Sequence[str], is_link: Callable[[str], bool]) -> None:
        self.chosen: set[str] = set()
        self.skipped: dict[str, SkipReason] = {}
        self._listed = listed
        self._is_link = is_link
        self._fates: dict[str, Skipped | None] = {"": None}

    @cached_property
    def packages(self) -> frozenset[str]:
        """The directories that are not excluded despite their name."""
        return packages_in(self._listed)

    @property
    def directories(self) -> Collection[str]:
        """The directories of all files, with their parents."""
        return self._fates

    def take(self, path: str) -> None:
        """Keep a listed file unless there is a reason to skip it."""
        directory, _, name = path.rpartition("/")
        if directory not in self._fates:
            self._look_at(directory)
        fate = self._fates[directory]
        if fate is not None:
            self._skip(fate)
        elif has_minified_name(name):
            self.skipped[printable(path)] = SkipReason.EXCLUDED
        elif not is_clean(name):
            self.skipped[printable(path)] = SkipReason.BAD_NAME
        elif name not in _NOWHERE and not path.startswith("/"):
            self.chosen.add(path)

    def leave(self, path: str, reason: SkipReason) -> None:
        """Record a skipped path, unless it lies in a skipped directory."""
        excluded = excluded_at(path, self.packages)
        self._skip(Skipped(excluded, SkipReason.EXCLUDED) if excluded is not None else Skipped(path, reason))

    def _look_at(self, directory: str) -> None:
        """Find the reason why files in a directory are skipped, from it or a parent, if there is one."""
        fate = None
        parts = directory.split("/")
        for end in range(1, len(parts) + 1):
            above = "/".join(parts[:end])
            if above not in self._fates:
                self._fates[above] = fate or self._fate(above, parts[end - 1])
            fate = self._fates[above]

    def _fate(self, directory: str, name: str) -> Skipped | None:
        if name in _NOWHERE:
            return Skipped("", SkipReason.EXCLUDED)
        if name in EXCLUDED_DIRECTORIES and directory not in self.packages:
            return Skipped(f"{directory}/", SkipReason.EXCLUDED)
        if not is_clean(name):
            return Skipped(f"{directory}/", SkipReason.BAD_NAME)
        return Skipped(f"{directory}/", SkipReason.SYMLINK) if self._is_link(directory) else None

    def _skip(self, left: Skipped) -> None:
        if left.path and not (left.reason is SkipReason.EXCLUDED and left.path.split("/")[-2:][0] in QUIET):
            self.skipped[printable(left.path)] = left.reason
