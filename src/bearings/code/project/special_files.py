"""FIFOs, sockets and devices with names of sources, which git leaves out silently."""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from bearings.code.project.names import is_counted
from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.sources import Stamp, is_settled, stamp_of


class SpecialFiles:
    """Finds special files beside the listed files. An unchanged directory is not read again."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._tree = SafeDirectory(root)
        self._known: dict[str, tuple[Stamp, tuple[str, ...]]] = {}

    def besides(self, directories: Iterable[str]) -> Iterator[str]:
        """The paths of special files in these directories with a source's name."""
        with self._tree:
            for directory in directories:
                yield from self._in(f"{directory}/" if directory else "")

    def _in(self, directory: str) -> tuple[str, ...]:
        started = time.time_ns()
        stamp = stamp_of(self._root, directory)
        if stamp is None:
            return ()
        known = self._known.get(directory)
        if known is not None and known[0] == stamp:
            return known[1]
        found = self._read(directory)
        if is_settled(stamp, started):
            self._known[directory] = (stamp, found)
        return found

    def _read(self, directory: str) -> tuple[str, ...]:
        try:
            with self._tree.scan(directory.rstrip("/")) as scan:
                return tuple(directory + entry.name for entry in scan if is_counted(entry.name) and _is_special(entry))
        except OSError:
            return ()


def _is_special(entry: os.DirEntry[str]) -> bool:
    """Whether the entry is neither a file, nor a directory, nor a link."""
    return not (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False) or entry.is_symlink())
