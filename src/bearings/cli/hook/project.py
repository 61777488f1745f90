"""The stored graph of a search: for the searched directory or one above it. Reads names and stamps only.

The settings for the place of graphs and for readable roots come from the environment and from the file that
BEARINGS_ENV_FILE names, as in every command; never from a `.env`.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bearings.cli.hook.payload import Shown
from bearings.code import defaults
from bearings.code.index.snapshot_file import graph_path
from bearings.code.index.snapshot_lookup import SnapshotLookup

_ABOVE = 40
_FILE = "BEARINGS_ENV_FILE"


@dataclass(frozen=True, slots=True)
class StoredProject:
    """A graph, and the directory of the search, links resolved; the place of graphs, and the limits for files."""

    lookup: SnapshotLookup
    folder: str
    directory: Path
    max_file_bytes: int
    roots: tuple[Path, ...] | None

    def relative(self, shown: Shown) -> Shown:
        """The same result with paths relative to the project, without files outside it."""
        names = {path: self.inside(path) for path in {path for path, _ in shown.sites} | shown.whole}
        return Shown(
            frozenset((names[path], line) for path, line in shown.sites if names[path]),
            frozenset(names[path] for path in shown.whole if names[path]),
        )

    def inside(self, path: str) -> str:
        """A path from the directory of the search as the project has it; "" for one outside."""
        prefix = f"{str(self.lookup.root).rstrip(os.sep)}{os.sep}"
        full = os.path.normpath(os.path.join(self.folder, path))  # noqa: PTH118 - text, not looked up
        return full[len(prefix) :].replace(os.sep, "/") if full.startswith(prefix) else ""


def project_of(given_folder: str, path: str, environ: Mapping[str, str]) -> StoredProject | None:
    """The graph of a path in a directory; None if there is none, or if it may not be read."""
    given = _settings(environ)
    directory = (
        Path(given["CODEREF_CACHE_DIR"]).expanduser() if given.get("CODEREF_CACHE_DIR") else defaults.cache_path()
    )
    largest = given.get("CODEREF_MAX_FILE_BYTES") or str(defaults.MAX_FILE_BYTES)
    folder = os.path.realpath(os.path.expanduser(given_folder) or ".")  # noqa: PTH111 - raises nothing
    start = os.path.realpath(os.path.join(folder, path))  # noqa: PTH118
    roots = [
        os.path.realpath(Path(root).expanduser()) for root in given.get("BEARINGS_ROOTS", "").split(os.pathsep) if root
    ]
    readable = tuple(map(Path, roots)) or None
    for root in _upwards(Path(start)):
        graph = graph_path(directory, root)
        if graph.exists():
            allowed = not roots or any(root.is_relative_to(readable) for readable in roots)
            lookup = (
                SnapshotLookup.of(directory, graph, root, int(largest)) if allowed and largest.isdecimal() else None
            )
            return StoredProject(lookup, folder, directory, int(largest), readable) if lookup is not None else None
    return None


def _upwards(start: Path) -> Iterator[Path]:
    yield from (start, *start.parents[:_ABOVE])


def _settings(environ: Mapping[str, str]) -> dict[str, str]:
    """Variables by name in capitals; the environment wins over the named file."""
    given = {name.upper(): value for name, value in environ.items() if value}
    if _FILE not in given:
        return given
    from bearings.envfile import named_file

    return {**named_file(given[_FILE]).values, **given}
