"""Snapshots on disk, so that the next process resumes from the last one's graph.

Each project has one file, which is replaced as a whole: a killed process leaves the previous file. It names the rows
of the project's sources by their content; the rows stand beside the facts, once for all worktrees that agree on them.
A worktree or commit without a file begins with the file of another one in its repository, and compares each source.
Like the fact store this is a cache: a fault in it costs time, never an answer. A snapshot names the version of all
code that made it, and no other version reads it. A resumed index compares its files with the tree as a live index
does.
"""

import os
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import chain
from operator import itemgetter
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

import msgspec

from bearings.code.facts.blobs import SqliteBlobs
from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.index.change_detection import FileState, TreeState
from bearings.code.index.snapshot_file import (
    GRAPHS_FOLDER,
    SUFFIX,
    Label,
    checksum,
    framed,
    graph_path,
    makers,
    read_body,
    read_file,
    read_label,
)
from bearings.code.index.stored_uses import StoredUses, numbered_uses, uses_of
from bearings.code.index.write_lock import announced, await_writer
from bearings.code.project.skipped import Listing, Skipped, SkipReason
from bearings.code.project.sources import Stamp
from bearings.code.resolve import FileUses, Memory
from bearings.code.resolve.file_summary import FileSummary
from bearings.code.resolve.modules import Lookup
from bearings.code.resolve.strategy import Entry

MAX_GRAPHS_BYTES = 64 * 2**20
"""Room for the files of some hundred thousand sources, at about 300 bytes each, twice."""

_TEMPORARY = ".part"
_LOCK = ".lock"
_ABANDONED_S = 600
"""A temporary file of this age belongs to a writer that was killed."""

_PIECES = 64
"""The most rows for what was looked up in all files: an edit of one file replaces one of them."""

_MOST_TRIED = 3
"""Snapshots of a repository that are tried before a project is read anew: one may be damaged."""


class _Row(msgspec.Struct, array_like=True):
    """A file with facts: the keys of its summary and its StoredUses, the numbers of the names consulted for them."""

    summary: bytes
    uses: bytes
    consulted: msgspec.Raw


class StoredState(msgspec.Struct, array_like=True):
    """All that is stored for a project. `names` were consulted; `asked` and `entries` are as in Memory.

    snapshot_lookup.py decodes the first fields by their order.
    """

    paths: list[str]
    skipped: list[tuple[str, SkipReason]]
    by: str
    known: dict[str, tuple[Stamp | None, bytes]]
    refused: dict[str, tuple[Stamp | None, str, SkipReason]]
    manifests: dict[str, bytes]
    rows: dict[str, _Row]
    names: list[str]
    lookups: list[bytes]
    entries: list[bytes]
    """The keys of both, in pieces, of which an edit changes few."""


_V = TypeVar("_V")
_SUMMARY = msgspec.msgpack.Decoder(FileSummary)
_USES = msgspec.msgpack.Decoder(StoredUses)
_LOOKUPS = msgspec.msgpack.Decoder(list[Lookup])
_ENTRIES = msgspec.msgpack.Decoder(list[tuple[str, list[Entry]]])


class StoredSnapshot:
    """The stored state of a project; most of it is read on first use, and Lost is raised if it is gone."""

    def __init__(
        self, state: StoredState, summaries: dict[str, FileSummary], blobs: SqliteBlobs, path: Path | None = None
    ) -> None:
        self._state = state
        self.summaries = summaries
        """The summary of each file that has facts."""
        self._blobs = blobs
        self.path = path
        """The file that it was read from, if any."""

    @property
    def tree(self) -> TreeState:
        """The state of the tree."""
        state = self._state
        listing = Listing(tuple(state.paths), tuple(Skipped(*row) for row in state.skipped), state.by)
        known = {path: FileState(*row) for path, row in state.known.items()}
        refused = {path: (stamp, Skipped(name, why)) for path, (stamp, name, why) in state.refused.items()}
        return TreeState(listing, known, refused)

    @property
    def manifests(self) -> dict[str, bytes]:
        """The manifests, by path."""
        return dict(self._state.manifests)

    def without_stamps(self) -> "StoredSnapshot":
        """The same snapshot without stamps: every file is read again, because these stamps belong to other files."""
        known: dict[str, tuple[Stamp | None, bytes]] = {path: (None, row[1]) for path, row in self._state.known.items()}
        state = msgspec.structs.replace(self._state, known=known, refused={})
        return StoredSnapshot(state, self.summaries, self._blobs, self.path)

    def uses(self) -> PackedMap[FileUses]:
        """What each file with facts uses."""
        return PackedMap(self._uses, list(self._state.rows))

    def memory(self) -> Memory:
        """What the resolver remembers beside uses and summaries. Raises Lost."""
        decoder = msgspec.msgpack.Decoder(list[int])
        names = [intern(name) for name in self._state.names]
        try:
            consulted = {
                intern(path): frozenset([names[number] for number in decoder.decode(row.consulted)])
                for path, row in self._state.rows.items()
            }
        except (msgspec.MsgspecError, IndexError) as error:
            raise Lost(str(error)) from error
        lookups, entries = self._state.lookups, self._state.entries
        rows = _read(self._blobs, [*lookups, *entries])
        return Memory(
            consulted,
            [lookup for key in lookups for lookup in _decoded(rows[key], _LOOKUPS)],
            {path: found for key in entries for path, found in _decoded(rows[key], _ENTRIES)},
        )

    def _uses(self, paths: Sequence[str]) -> dict[str, FileUses]:
        keys = {path: self._state.rows[path].uses for path in paths}
        rows = _read(self._blobs, list(keys.values()))
        try:
            return {path: uses_of(path, _decoded(rows[key], _USES)) for path, key in keys.items()}
        except IndexError as error:
            raise Lost(str(error)) from error


class PackedSnapshot(NamedTuple):
    """A snapshot as bytes: the project's file, and the rows that it names by key, without those that stand already."""

    body: bytes
    rows: dict[bytes, bytes]


def pack(
    tree: TreeState,
    manifests: Mapping[str, bytes],
    summaries: Mapping[str, FileSummary],
    uses: Mapping[str, FileUses],
    memory: Memory | None,
    base: StoredSnapshot | None,
    touched: Collection[str],
) -> PackedSnapshot:
    """Encodes a snapshot. Rows of files that are not in `touched`, and a missing `memory`, are copied from `base`."""
    before = base._state if base else None
    names: list[str] = list(before.names) if before else []
    numbers = {name: number for number, name in enumerate(names)}
    encode = msgspec.msgpack.encode
    made: dict[bytes, bytes] = {}

    def keyed(value: object) -> bytes:
        data = encode(value)
        key = checksum(data)
        made[key] = data
        return key

    def pieces(found: Iterable[tuple[Any, ...]], order: Callable[[tuple[Any, ...]], Any]) -> list[bytes]:
        """The keys of what was found for files: the same for the same findings, in whatever order they were made."""
        parts: dict[int, list[tuple[Any, ...]]] = {}
        for one in found:
            parts.setdefault(crc32(one[0].encode("utf-8", "surrogateescape")) % _PIECES, []).append(one)
        return [keyed(sorted(part, key=order)) for _, part in sorted(parts.items())]

    rows: dict[str, _Row] = {}
    for path, summary in summaries.items():
        row = before.rows.get(path) if before and path not in touched else None
        if row is None:
            assert memory is not None, "a resolver that has resolved a file has a memory"
            files = memory.consulted[path]
            consulted = [numbers.setdefault(name, len(numbers)) for name in files]
            row = _Row(keyed(summary), keyed(numbered_uses(uses[path])), msgspec.Raw(encode(consulted)))
        rows[path] = row
    lookups, entries = (before.lookups, before.entries) if before else ([], [])
    if memory is not None:
        lookups, entries = pieces(memory.lookups, itemgetter(0, 1, 2)), pieces(memory.entries.items(), itemgetter(0))
    listing = tree.listing
    state = StoredState(
        list(listing.paths),
        [(skipped.path, skipped.reason) for skipped in listing.skipped],
        listing.by,
        {path: (known.stamp, known.digest) for path, known in tree.known.items()},
        {path: (stamp, skipped.path, skipped.reason) for path, (stamp, skipped) in tree.refused.items()},
        dict(manifests),
        rows,
        list(numbers),
        lookups,
        entries,
    )
    for key in (*before.lookups, *before.entries) if before else ():
        made.pop(key, None)
    return PackedSnapshot(encode(state), made)


def _read(blobs: SqliteBlobs, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    """The rows with these keys. Raises Lost if any is gone."""
    found = blobs.get(list(dict.fromkeys(keys)))
    missing = next((key for key in keys if key not in found), None)
    if missing is not None:
        raise Lost(f"a row of the snapshot is gone: {missing.hex()}")
    return found


def _decoded(data: bytes, decoder: "msgspec.msgpack.Decoder[_V]") -> _V:
    try:
        return decoder.decode(data)
    except msgspec.MsgspecError as error:
        raise Lost(str(error)) from error


class GraphStore:
    """One snapshot file for each project and commit in a folder of `directory`; `save` replaces a file atomically.

    No method raises. Beyond `max_bytes` the least recently used files are removed.
    """

    def __init__(self, directory: Path, max_bytes: int = MAX_GRAPHS_BYTES) -> None:
        self._blobs = SqliteBlobs(directory)
        self._folder = directory / GRAPHS_FOLDER
        self._max_bytes = max_bytes

    def load(self, root: Path, max_file_bytes: int, commit: str = "") -> StoredSnapshot | None:
        """The snapshot of a project, or of a commit of it, read with this limit.

        None if it is damaged or another version wrote it.
        """
        await_writer(self._path(root, commit).with_suffix(_LOCK))
        try:
            body = read_body(self._path(root, commit), root, max_file_bytes, commit)
            if body is None:
                return None
            os.utime(self._path(root, commit))
            return self._snapshot(body, self._path(root, commit))
        except (OSError, msgspec.MsgspecError, Lost):
            return None

    def load_similar(self, repository: bytes, max_file_bytes: int, commit: str = "") -> StoredSnapshot | None:
        """The snapshot of another worktree or commit of a repository, for a project that has none.

        `repository` is Tree.repository_key.

        Its files have no stamps, except that files of commits keep theirs for another commit. It is of a commit for a
        commit if there is one, otherwise of a worktree; of several the last used. None if there is none.
        """
        found = []
        for path, status in snapshot_files(self._folder.parent) if repository else ():
            with suppress(OSError):
                label, is_current = read_label(path) or (None, False)
                if label and is_current and (label.repository, label.max_file_bytes) == (repository, max_file_bytes):
                    found.append((bool(label.commit) == bool(commit), status.st_mtime_ns, path))
        for _, _, path in sorted(found, reverse=True)[:_MOST_TRIED]:
            with suppress(OSError, msgspec.MsgspecError, Lost):
                labelled = read_file(path)
                if labelled is not None:
                    snapshot = self._snapshot(labelled[1], path)
                    return snapshot if commit and labelled[0].commit else snapshot.without_stamps()
        return None

    def _snapshot(self, body: memoryview, path: Path) -> StoredSnapshot:
        """Raises MsgspecError, Lost."""
        state = msgspec.msgpack.decode(body, type=StoredState)
        rows = _read(self._blobs, [row.summary for row in state.rows.values()])
        summaries = {path: _decoded(rows[row.summary], _SUMMARY) for path, row in state.rows.items()}
        return StoredSnapshot(state, summaries, self._blobs, path)

    def has(self, root: Path, commit: str = "") -> bool:
        """Whether a snapshot is stored, which `load` may still refuse."""
        with suppress(OSError):
            return self._path(root, commit).exists()
        return False

    def announced(self, root: Path, commit: str = "") -> AbstractContextManager[None]:
        """A context in which other processes wait before they load the project, because a newer snapshot is coming."""
        return announced(self._path(root, commit).with_suffix(_LOCK))

    def kept(self, snapshot: PackedSnapshot, summaries: Mapping[str, FileSummary]) -> StoredSnapshot:
        """A snapshot that was saved, as the base of the next one."""
        return StoredSnapshot(msgspec.msgpack.decode(snapshot.body, type=StoredState), dict(summaries), self._blobs)

    def save(
        self,
        root: Path,
        max_file_bytes: int,
        snapshot: PackedSnapshot,
        commit: str = "",
        repository: bytes = b"",
    ) -> bool:
        """Replaces a project's snapshot; its rows are stored first. Returns whether it is stored."""
        if snapshot.rows and not self._blobs.put(snapshot.rows):
            return False
        body, temporary = snapshot.body, None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=_TEMPORARY, delete=False) as file:
                temporary = Path(file.name)
                file.writelines(framed(Label.of(root, max_file_bytes, commit, repository), body))
            temporary.replace(self._path(root, commit))
            self._evict()
        except OSError:
            if temporary is not None:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)
            return False
        return True

    def close(self) -> None:
        """Closes the database of rows."""
        self._blobs.close()

    def drop(self, root: Path, commit: str = "") -> None:
        """Removes a project's snapshot."""
        with suppress(OSError):
            self._path(root, commit).unlink(missing_ok=True)

    @staticmethod
    def drop_file(path: Path) -> None:
        """Removes a snapshot by its file, which may be another project's."""
        with suppress(OSError):
            path.unlink(missing_ok=True)

    def _path(self, root: Path, commit: str) -> Path:
        return graph_path(self._folder.parent, root, commit)

    def _evict(self) -> None:
        """Removes the oldest files until the rest fits, and the temporary files of writers that were killed."""
        now, free = time.time(), self._max_bytes
        for path, status in sorted(snapshot_files(self._folder.parent), key=lambda found: -found[1].st_mtime):
            is_temporary = path.suffix in (_TEMPORARY, _LOCK)
            free -= status.st_size
            if free < 0 or (is_temporary and status.st_mtime < now - _ABANDONED_S):
                path.unlink(missing_ok=True)


def warm_up() -> None:
    """Computes the code digest of the header ahead of the first load; it is cached."""
    with suppress(OSError):
        makers()


def graphs_bytes(directory: Path) -> int:
    """The size in bytes of all snapshots in a directory; 0 if there are none."""
    return sum(status.st_size for _, status in snapshot_files(directory))


def drop_graphs(directory: Path) -> None:
    """Removes all snapshots of a directory. Raises OSError if they can't be removed."""
    for path, _ in snapshot_files(directory):
        path.unlink(missing_ok=True)


def snapshot_files(directory: Path) -> list[tuple[Path, os.stat_result]]:
    """The files of a directory's snapshots, those that are being written, and locks."""
    found = []
    for path in chain.from_iterable((directory / GRAPHS_FOLDER).glob(f"*{end}") for end in (SUFFIX, _TEMPORARY, _LOCK)):
        with suppress(OSError):
            found.append((path, path.stat()))
    return found
