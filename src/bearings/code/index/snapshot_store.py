"""Snapshots on disk, so that the next process resumes from the last one's graph.

Each project has one file, which is replaced as a whole: a killed process leaves the previous file. Like the fact store
this is a cache: a fault in it costs time, never an answer. A snapshot names the version of all code that made it, and
no other version reads it. A resumed index compares its files with the tree as a live index does.
"""

import os
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import chain
from pathlib import Path
from sys import intern

import msgspec

from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.index.change_detection import FileState, TreeState
from bearings.code.index.snapshot_file import GRAPHS_FOLDER, SUFFIX, checksum, graph_path, head_of, makers, read_body
from bearings.code.index.write_lock import announced, await_writer
from bearings.code.models import Confidence, Edge, EdgeKind, Outside
from bearings.code.project.skipped import Listing, Skipped, SkipReason
from bearings.code.project.sources import Stamp
from bearings.code.resolve import FileUses, Memory
from bearings.code.resolve.file_summary import FileSummary
from bearings.code.resolve.modules import Lookup
from bearings.code.resolve.strategy import Entry

MAX_GRAPHS_BYTES = 256 * 2**20
"""Room for the graphs of some ten million lines, at about 25 bytes each."""

_TEMPORARY = ".part"
_LOCK = ".lock"
_ABANDONED_S = 600
"""A temporary file of this age belongs to a writer that was killed."""

_KINDS = tuple(EdgeKind)
_KIND_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}
_CONFIDENCES = tuple(Confidence)
_CONFIDENCE_NUMBER = {confidence: number for number, confidence in enumerate(_CONFIDENCES)}


class _Uses(msgspec.Struct, array_like=True):
    """The uses of a file as numbers.

    Indexes of `texts` stand for source, target and reason of an edge; for source, name and why of a use outside.
    """

    texts: list[str]
    edges: list[tuple[int, int, int, int, int, int]]
    outside: list[tuple[int, int, int, int, int]]


class _Row(msgspec.Struct, array_like=True):
    """A file with facts: its summary, its encoded _Uses, and the numbers of the names that were consulted for them."""

    summary: FileSummary
    uses: msgspec.Raw
    consulted: msgspec.Raw


class _State(msgspec.Struct, array_like=True):
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
    lookups: msgspec.Raw
    entries: msgspec.Raw


class StoredSnapshot:
    """The stored state of a project; most of it is decoded on first use."""

    def __init__(self, state: _State) -> None:
        self._state = state

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

    @property
    def summaries(self) -> dict[str, FileSummary]:
        """The summary of each file that has facts."""
        return {path: row.summary for path, row in self._state.rows.items()}

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
            lookups = msgspec.msgpack.decode(self._state.lookups, type=list[Lookup])
            entries = msgspec.msgpack.decode(self._state.entries, type=dict[str, list[Entry]])
            return Memory(consulted, lookups, entries)
        except (msgspec.MsgspecError, IndexError) as error:
            raise Lost(str(error)) from error

    def _uses(self, paths: Sequence[str]) -> dict[str, FileUses]:
        decoder = msgspec.msgpack.Decoder(_Uses)
        try:
            return {path: _unpacked(path, decoder.decode(self._state.rows[path].uses)) for path in paths}
        except (msgspec.MsgspecError, IndexError) as error:
            raise Lost(str(error)) from error


def pack(
    tree: TreeState,
    manifests: Mapping[str, bytes],
    summaries: Mapping[str, FileSummary],
    uses: Mapping[str, FileUses],
    memory: Memory | None,
    base: StoredSnapshot | None,
    touched: Collection[str],
) -> bytes:
    """Encodes a snapshot. Rows of files that are not in `touched`, and a missing `memory`, are copied from `base`."""
    before = base._state if base else None
    names: list[str] = list(before.names) if before else []
    numbers = {name: number for number, name in enumerate(names)}
    encode = msgspec.msgpack.encode
    rows: dict[str, _Row] = {}
    for path, summary in summaries.items():
        row = before.rows.get(path) if before and path not in touched else None
        if row is None:
            assert memory is not None, "a resolver that has resolved a file has a memory"
            files = memory.consulted[path]
            consulted = [numbers.setdefault(name, len(numbers)) for name in files]
            row = _Row(summary, msgspec.Raw(encode(_packed(uses[path]))), msgspec.Raw(encode(consulted)))
        rows[path] = row
    listing = tree.listing
    state = _State(
        list(listing.paths),
        [(skipped.path, skipped.reason) for skipped in listing.skipped],
        listing.by,
        {path: (known.stamp, known.digest) for path, known in tree.known.items()},
        {path: (stamp, skipped.path, skipped.reason) for path, (stamp, skipped) in tree.refused.items()},
        dict(manifests),
        rows,
        list(numbers),
        before.lookups if before and memory is None else msgspec.Raw(encode(memory.lookups if memory else [])),
        before.entries if before and memory is None else msgspec.Raw(encode(memory.entries if memory else {})),
    )
    return encode(state)


def _packed(uses: FileUses) -> _Uses:
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    kind, sure = _KIND_NUMBER, _CONFIDENCE_NUMBER
    edges = [
        (number(e.source), number(e.target), kind[e.kind], e.line, sure[e.confidence], number(e.reason))
        for e in uses.edges
    ]
    outside = [(number(o.source), number(o.name), kind[o.kind], o.line, number(o.why)) for o in uses.outside]
    return _Uses(list(texts), edges, outside)


def _unpacked(path: str, row: _Uses) -> FileUses:
    texts = [intern(text) for text in row.texts]
    edges = tuple(
        [
            Edge(texts[source], texts[target], _KINDS[kind], path, line, _CONFIDENCES[confidence], texts[reason])
            for source, target, kind, line, confidence, reason in row.edges
        ]
    )
    outside = tuple(
        [
            Outside(texts[source], texts[name], _KINDS[kind], path, line, texts[why])
            for source, name, kind, line, why in row.outside
        ]
    )
    return FileUses(edges, outside)


class GraphStore:
    """One snapshot file for each project in a folder of `directory`; `save` replaces a file atomically.

    No method raises. Beyond `max_bytes` the least recently used files are removed.
    """

    def __init__(self, directory: Path, max_bytes: int = MAX_GRAPHS_BYTES) -> None:
        self._folder = directory / GRAPHS_FOLDER
        self._max_bytes = max_bytes

    def load(self, root: Path, max_file_bytes: int) -> StoredSnapshot | None:
        """The snapshot of a project that is read with this limit; None if it is damaged or another version wrote it."""
        await_writer(self._path(root).with_suffix(_LOCK))
        try:
            body = read_body(self._path(root), root, max_file_bytes)
            if body is None:
                return None
            os.utime(self._path(root))
            return StoredSnapshot(msgspec.msgpack.decode(body, type=_State))
        except (OSError, msgspec.MsgspecError):
            return None

    def announced(self, root: Path) -> AbstractContextManager[None]:
        """A context in which other processes wait before they load the project, because a newer snapshot is coming."""
        return announced(self._path(root).with_suffix(_LOCK))

    def save(self, root: Path, max_file_bytes: int, body: bytes) -> None:
        """Replaces a project's snapshot with the bytes of `pack`."""
        temporary = None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=_TEMPORARY, delete=False) as file:
                temporary = Path(file.name)
                for piece in (head_of(root, max_file_bytes), checksum(body), body):
                    file.write(piece)
            temporary.replace(self._path(root))
            self._evict()
        except OSError:
            if temporary is not None:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)

    def drop(self, root: Path) -> None:
        """Removes a project's snapshot."""
        with suppress(OSError):
            self._path(root).unlink(missing_ok=True)

    def _path(self, root: Path) -> Path:
        return graph_path(self._folder.parent, root)

    def _evict(self) -> None:
        """Removes the oldest files until the rest fits, and the temporary files of writers that were killed."""
        now, free = time.time(), self._max_bytes
        for path, status in sorted(_files(self._folder.parent), key=lambda found: -found[1].st_mtime):
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
    return sum(status.st_size for _, status in _files(directory))


def drop_graphs(directory: Path) -> None:
    """Removes all snapshots of a directory. Raises OSError if they can't be removed."""
    for path, _ in _files(directory):
        path.unlink(missing_ok=True)


def _files(directory: Path) -> list[tuple[Path, os.stat_result]]:
    found = []
    for path in chain.from_iterable((directory / GRAPHS_FOLDER).glob(f"*{end}") for end in (SUFFIX, _TEMPORARY, _LOCK)):
        with suppress(OSError):
            found.append((path, path.stat()))
    return found
