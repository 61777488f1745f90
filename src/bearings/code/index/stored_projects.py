"""What the cache holds for each project and commit, as `bearings code cache info` shows it."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bearings.code.facts.blobs import SqliteBlobs, stored_bytes
from bearings.code.facts.store import key_of
from bearings.code.index.snapshot_file import Label, read_file, read_label
from bearings.code.index.snapshot_packing import StoredState
from bearings.code.index.snapshot_store import snapshot_files
from bearings.code.languages import EXTRACTOR_VERSION, language_of


@dataclass(frozen=True, slots=True)
class StoredProject:
    """A stored snapshot. `own_bytes` of its `room_bytes` are used by no other one.

    `commit` is empty for the working tree. `is_current`: this version of bearings can read it; otherwise its sources
    and room are not known. `is_there`: its folder exists.
    """

    root: Path
    commit: str
    repository: bytes
    used_at: float
    sources: int
    room_bytes: int
    own_bytes: int
    is_current: bool
    is_there: bool


@dataclass(frozen=True, slots=True)
class StoredProjects:
    """All that a cache holds, in bytes. `unnamed_bytes` belong to no snapshot; they go when room is needed."""

    projects: tuple[StoredProject, ...]
    facts_bytes: int
    graphs_bytes: int
    unnamed_bytes: int


def stored_projects(directory: Path) -> StoredProjects:
    """The content of a cache: the projects of one repository together, those used last first."""
    files = dict(snapshot_files(directory))
    labels: dict[Path, tuple[Label, bool]] = {}
    for path in files:
        with suppress(OSError):
            if labelled := read_label(path):
                labels[path] = labelled
    keys = {path: _keys_of(path) for path, (_, is_current) in labels.items() if is_current}
    users = Counter(key for named in keys.values() for key in named.all)
    sizes = _sizes(directory, list(users)) if users else {}
    projects = []
    for path, (label, _) in labels.items():
        named = keys.get(path)
        room = sum(sizes.get(key, 0) for key in named.all) if named else 0
        own = sum(sizes.get(key, 0) for key in named.all if users[key] == 1) if named else 0
        size = files[path].st_size
        projects.append(
            StoredProject(
                root=Path(os.fsdecode(label.root)),
                commit=label.commit,
                repository=label.repository,
                used_at=files[path].st_mtime,
                sources=named.sources if named else 0,
                room_bytes=size + room,
                own_bytes=size + own,
                is_current=named is not None,
                is_there=Path(os.fsdecode(label.root)).is_dir(),
            )
        )
    facts = stored_bytes(directory)
    graphs = sum(status.st_size for status in files.values())
    return StoredProjects(tuple(_together(projects)), facts, graphs, max(0, facts - sum(sizes.values())))


def _sizes(directory: Path, keys: Sequence[bytes]) -> dict[bytes, int]:
    with closing(SqliteBlobs(directory)) as blobs:
        return blobs.sizes(keys)


class _Named(msgspec.Struct):
    sources: int
    all: frozenset[bytes]


def _keys_of(path: Path) -> _Named:
    """The keys of everything that a snapshot names; none if it is damaged."""
    with suppress(OSError, msgspec.MsgspecError):
        labelled = read_file(path)
        if labelled is not None:
            state = msgspec.msgpack.decode(labelled[1], type=StoredState)
            keys = {*state.lookups, *state.entries}
            for source, row in state.rows.items():
                language = language_of(source)
                keys |= {row.summary, row.uses}
                if language is not None and source in state.known:
                    keys.add(key_of(source, language, state.known[source].digest, EXTRACTOR_VERSION))
            return _Named(len(state.rows), frozenset(keys))
    return _Named(0, frozenset())


def _together(projects: list[StoredProject]) -> Iterator[StoredProject]:
    """The projects by repository, then by their last use."""
    last: dict[object, float] = {}
    for project in projects:
        group = project.repository or project.root
        last[group] = max(last.get(group, 0.0), project.used_at)
    yield from sorted(
        projects, key=lambda one: (-last[one.repository or one.root], str(one.repository or one.root), -one.used_at)
    )
