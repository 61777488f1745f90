"""Search for coverage reports in their usual places. git mostly ignores them, so listings lack them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.skipped import Skipped
from bearings.code.project.sources import Source, read_beneath, stamp_beneath

_FOLDERS = ("", "coverage", "reports", "build", "target/site/cobertura", "test-results")
_PASSED_OVER = frozenset({"node_modules", ".git", ".venv", "venv", "dist"})
_MAX_FOLDERS = 2_000
_MOST = 4
"""The most reports that are read; usually the newest is the right one. Reading a hostile one takes a second."""


class Report(NamedTuple):
    """A file with a report's name."""

    path: str
    data: bytes
    mtime_ns: int


def find_reports(root: Path, names: Iterable[str], max_bytes: int) -> Iterator[Report | Skipped]:
    """Files of these names at the root, in folders up to two levels below, and in tools' folders; newest first.

    One file at a time is in memory, and only a few are read. Unreadable files are skipped.
    """
    wanted = tuple(names)
    found: dict[str, int] = {}
    with SafeDirectory(root) as tree:
        for folder in _folders(tree):
            for place in _FOLDERS:
                base = "/".join(part for part in (folder, place) if part)
                if stamp_beneath(tree, base) is None:
                    continue
                for path in (f"{base}/{name}" if base else name for name in wanted):
                    stamp = stamp_beneath(tree, path)
                    if stamp is not None:
                        found[path] = stamp.mtime_ns
        for path in sorted(found, key=lambda path: (-found[path], path))[:_MOST]:
            source = read_beneath(tree, path, max_bytes, binary=True)
            if isinstance(source, Source):
                yield Report(path, source.data, source.stamp.mtime_ns)
            elif source is not None:
                yield source


def _folders(tree: SafeDirectory) -> Iterator[str]:
    """The root and the folders up to two levels below, up to a limit."""
    yield ""
    count = 0
    for first in _below(tree, ""):
        for folder in (first, *_below(tree, first)):
            count += 1
            if count > _MAX_FOLDERS:
                return
            yield folder


def _below(tree: SafeDirectory, folder: str) -> list[str]:
    try:
        with tree.scan(folder) as entries:
            names = sorted(
                entry.name
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and entry.name not in _PASSED_OVER and entry.name.isprintable()
            )
    except OSError:
        return []
    return [f"{folder}/{name}" if folder else name for name in names]
