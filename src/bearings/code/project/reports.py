"""Search for coverage reports in their usual places. git mostly ignores them, so listings lack them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bearings.code.project.skipped import Skipped
from bearings.code.project.sources import Source
from bearings.code.project.tree import Reader, Tree, read_with

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


def find_reports(tree: Tree, names: Iterable[str], max_bytes: int) -> Iterator[Report | Skipped]:
    """Files of these names at the root, in folders up to two levels below, and in tools' folders; newest first.

    One file at a time is in memory, and only a few are read. Unreadable files are skipped.
    """
    wanted = tuple(names)
    changed_at: dict[str, int] = {}
    with tree.reading() as reader:
        for folder in _folders(reader):
            for place in _FOLDERS:
                base = "/".join(part for part in (folder, place) if part)
                if reader.changed_ns(base) is None:
                    continue
                for path in (f"{base}/{name}" if base else name for name in wanted):
                    changed_ns = reader.changed_ns(path)
                    if changed_ns is not None:
                        changed_at[path] = changed_ns
        for path in sorted(changed_at, key=lambda path: (-changed_at[path], path))[:_MOST]:
            source = read_with(reader, path, max_bytes, binary=True)
            if isinstance(source, Source):
                yield Report(path, source.data, changed_at[path])
            elif source is not None:
                yield source


def _folders(reader: Reader) -> Iterator[str]:
    """The root and the folders up to two levels below, up to a limit."""
    yield ""
    count = 0
    for first in _below(reader, ""):
        for folder in (first, *_below(reader, first)):
            count += 1
            if count > _MAX_FOLDERS:
                return
            yield folder


def _below(reader: Reader, folder: str) -> list[str]:
    names = (name for name in reader.folders(folder) if name not in _PASSED_OVER and name.isprintable())
    return [f"{folder}/{name}" if folder else name for name in names]
