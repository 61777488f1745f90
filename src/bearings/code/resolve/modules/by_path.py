"""Finds the file that an import names by the end of its path alone, where no rule resolves the import."""

from collections.abc import Callable, Iterable, Mapping

from bearings.code.grouping import grouped
from bearings.code.resolve.referent import UNSURE, Referent
from bearings.code.resolve.referents import module_at

BY_PATH = "by its path alone"
"""The reason of edges through such an import."""
_MOST = 2
"""More files with the same end tell nothing."""


class Tails:
    """Files by the ends of their paths; `stems` has the path of each by its path as imports write it."""

    def __init__(self, stems: Mapping[str, str]) -> None:
        self._by_last = grouped((stem.rpartition("/")[2], (stem, path)) for stem, path in stems.items())

    def find(self, tails: Iterable[str], fits: Callable[[str], bool] = bool) -> Referent | None:
        """The file with the first of these ends that any has; with a second file, both are `files` of the referent.

        `fits` says of the path before the end, with a slash, whether it may be left out.
        """
        for tail in tails:
            named = self._by_last.get(tail.rpartition("/")[2], ())
            files = [
                path for stem, path in named if f"/{stem}".endswith(f"/{tail}") and fits(f"/{stem}".removesuffix(tail))
            ]
            if files:
                return module_at(files[0], files=(*UNSURE, *files)) if len(files) <= _MOST else None
        return None
