"""Snapshots on disk: the graph of a project at rest, so that the next process resumes from it.

Each project has one file, which is replaced as a whole: a process that is killed leaves the file before. Like the store
of facts this is a cache: a fault in it costs time, never an answer. A snapshot names the version of all code that made
it, and no other code reads it. Its files are compared with the tree as a live index compares them.
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
from bearings.code.index.change_detection import Known, Seen
from bearings.code.index.snapshot_file import GRAPHS_FOLDER, SUFFIX, checksum, graph_path, head_of, makers, read_body
from bearings.code.index.write_lock import announced, await_writer
from bearings.code.models import Confidence, Edge, EdgeKind, Outside
from bearings.code.project import Listing, Skipped, SkipReason, Stamp
from bearings.code.resolve import FileUses, Memory
from bearings.code.resolve.file_summary import FileSummary
from bearings.code.resolve.modules import Asked
from bearings.code.resolve.strategy import Entry

MAX_GRAPHS_BYTES = 256 * 2**20
"""Room for the graphs of some ten million lines, at about 25 bytes each."""

_PART = ".part"
_LOCK = ".lock"
_LEFT_BEHIND_S = 600
"""Age of what a writer left who was killed, surely."""

_KINDS = tuple(EdgeKind)
_KIND = {kind: number for number, kind in enumerate(_KINDS)}
_SURE = tuple(Confidence)
_SURENESS = {sure: number for number, sure in enumerate(_SURE)}


class _Uses(msgspec.Struct, array_like=True):
    """What a file uses, by numbers: of an edge source, target and reason, of others source, name and why as texts."""

    texts: list[str]
    edges: list[tuple[int, int, int, int, int, int]]
    outside: list[tuple[int, int, int, int, int]]


class _Row(msgspec.Struct, array_like=True):
    """A file that has facts: its summary, its _Uses, and the numbers of the names that were consulted for them."""

    summary: FileSummary
    uses: msgspec.Raw
    consulted: msgspec.Raw


class _State(msgspec.Struct, array_like=True):
    """All that is kept of a project. `names` are what was consulted, `asked` and `entries` as in Memory.

    `glimpse.py` reads some of it, by the order of the fields.
    """

    paths: list[str]
    skipped: list[tuple[str, SkipReason]]
    by: str
    known: dict[str, tuple[Stamp | None, bytes]]
    refused: dict[str, tuple[Stamp | None, str, SkipReason]]
    manifests: dict[str, bytes]
    rows: dict[str, _Row]
    names: list[str]
    asked: msgspec.Raw
    entries: msgspec.Raw


class Kept:
    """What was kept of a project; most of it is decoded when it is asked for."""

    def __init__(self, state: _State) -> None:
        self._state = state

    @property
    def seen(self) -> Seen:
        """What was seen of the tree."""
        state = self._state
        listing = Listing(tuple(state.paths), tuple(Skipped(*row) for row in state.skipped), state.by)
        known = {path: Known(*row) for path, row in state.known.items()}
        refused = {path: (stamp, Skipped(name, why)) for path, (stamp, name, why) in state.refused.items()}
        return Seen(listing, known, refused)

    @property
    def manifests(self) -> dict[str, bytes]:
        """The manifests, by path."""
        return dict(self._state.manifests)

    @property
    def summaries(self) -> dict[str, FileSummary]:
        """The summary of each file that has facts."""
        return {path: row.summary for path, row in self._state.rows.items()}

    def uses(self) -> PackedMap[FileUses]:
        """What each of those files uses."""
        return PackedMap(self._uses, list(self._state.rows))

    def memory(self) -> Memory:
        """What the resolver knew beside that."""
        decoder = msgspec.msgpack.Decoder(list[int])
        names = [intern(name) for name in self._state.names]
        try:
            consulted = {
                intern(path): frozenset([names[number] for number in decoder.decode(row.consulted)])
                for path, row in self._state.rows.items()
            }
            asked = msgspec.msgpack.decode(self._state.asked, type=list[Asked])
            entries = msgspec.msgpack.decode(self._state.entries, type=dict[str, list[Entry]])
            return Memory(consulted, asked, entries)
        except (msgspec.MsgspecError, IndexError) as error:
            raise Lost(str(error)) from error

    def _uses(self, paths: Sequence[str]) -> dict[str, FileUses]:
        decoder = msgspec.msgpack.Decoder(_Uses)
        try:
            return {path: _unpacked(path, decoder.decode(self._state.rows[path].uses)) for path in paths}
        except (msgspec.MsgspecError, IndexError) as error:
            raise Lost(str(error)) from error


def pack(
    seen: Seen,
    manifests: Mapping[str, bytes],
    summaries: Mapping[str, FileSummary],
    uses: Mapping[str, FileUses],
    memory: Memory | None,
    base: Kept | None,
    touched: Collection[str],
) -> bytes:
    """All of it as bytes. What is not `touched` is as `base` has it, and so is the memory where there is none."""
    before = base._state if base else None
    names: list[str] = list(before.names) if before else []
    numbers = {name: number for number, name in enumerate(names)}
    encode = msgspec.msgpack.encode
    rows: dict[str, _Row] = {}
    for path, summary in summaries.items():
        row = before.rows.get(path) if before and path not in touched else None
        if row is None:
            assert memory is not None, "whoever resolves a file knows what was consulted"
            files = memory.consulted[path]
            consulted = [numbers.setdefault(name, len(numbers)) for name in files]
            row = _Row(summary, msgspec.Raw(encode(_packed(uses[path]))), msgspec.Raw(encode(consulted)))
        rows[path] = row
    listing = seen.listing
    state = _State(
        list(listing.paths),
        [(skipped.path, skipped.reason) for skipped in listing.skipped],
        listing.by,
        {path: (known.stamp, known.digest) for path, known in seen.known.items()},
        {path: (stamp, skipped.path, skipped.reason) for path, (stamp, skipped) in seen.refused.items()},
        dict(manifests),
        rows,
        list(numbers),
        before.asked if before and memory is None else msgspec.Raw(encode(memory.asked if memory else [])),
        before.entries if before and memory is None else msgspec.Raw(encode(memory.entries if memory else {})),
    )
    return encode(state)


def _packed(uses: FileUses) -> _Uses:
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    edges = [
        (number(e.source), number(e.target), _KIND[e.kind], e.line, _SURENESS[e.confidence], number(e.reason))
        for e in uses.edges
    ]
    outside = [(number(o.source), number(o.name), _KIND[o.kind], o.line, number(o.why)) for o in uses.outside]
    return _Uses(list(texts), edges, outside)


def _unpacked(path: str, row: _Uses) -> FileUses:
    texts = [intern(text) for text in row.texts]
    edges = tuple(
        [
            Edge(texts[source], texts[target], _KINDS[kind], path, line, _SURE[sure], texts[reason])
            for source, target, kind, line, sure, reason in row.edges
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
    """A file for each project in a folder of `directory`, written whole and put in its place at once.

    Nothing here raises. Over `max_bytes` those that were used longest ago go.
    """

    def __init__(self, directory: Path, max_bytes: int = MAX_GRAPHS_BYTES) -> None:
        self._folder = directory / GRAPHS_FOLDER
        self._max_bytes = max_bytes

    def load(self, root: Path, max_file_bytes: int) -> Kept | None:
        """What is kept of a project that is read like this, if it is whole and this version's work."""
        await_writer(self._path(root).with_suffix(_LOCK))
        try:
            body = read_body(self._path(root), root, max_file_bytes)
            if body is None:
                return None
            os.utime(self._path(root))
            return Kept(msgspec.msgpack.decode(body, type=_State))
        except (OSError, msgspec.MsgspecError):
            return None

    def announced(self, root: Path) -> AbstractContextManager[None]:
        """Within, whoever loads the project waits: what will be saved is worth more than what there is."""
        return announced(self._path(root).with_suffix(_LOCK))

    def save(self, root: Path, max_file_bytes: int, body: bytes) -> None:
        """Keeps `pack`'s bytes for a project, instead of what was kept of it."""
        part = None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=_PART, delete=False) as file:
                part = Path(file.name)
                for piece in (head_of(root, max_file_bytes), checksum(body), body):
                    file.write(piece)
            part.replace(self._path(root))
            self._bound()
        except OSError:
            if part is not None:
                with suppress(OSError):
                    part.unlink(missing_ok=True)

    def drop(self, root: Path) -> None:
        """Forgets a project."""
        with suppress(OSError):
            self._path(root).unlink(missing_ok=True)

    def _path(self, root: Path) -> Path:
        return graph_path(self._folder.parent, root)

    def _bound(self) -> None:
        """Drops the oldest until what is left fits, and what others began to write and left."""
        now, room = time.time(), self._max_bytes
        for path, status in sorted(_files(self._folder.parent), key=lambda found: -found[1].st_mtime):
            is_part = path.suffix in (_PART, _LOCK)
            room -= status.st_size
            if room < 0 or (is_part and status.st_mtime < now - _LEFT_BEHIND_S):
                path.unlink(missing_ok=True)


def made_ready() -> None:
    """Works out what every graph's file begins with, for whoever has a moment before it is asked for one."""
    with suppress(OSError):
        makers()


def graphs_bytes(directory: Path) -> int:
    """How much the graphs kept in a directory take; 0 where there are none."""
    return sum(status.st_size for _, status in _files(directory))


def drop_graphs(directory: Path) -> None:
    """Forgets all of them. Raises OSError if they can't be removed."""
    for path, _ in _files(directory):
        path.unlink(missing_ok=True)


def _files(directory: Path) -> list[tuple[Path, os.stat_result]]:
    found = []
    for path in chain.from_iterable((directory / GRAPHS_FOLDER).glob(f"*{end}") for end in (SUFFIX, _PART, _LOCK)):
        with suppress(OSError):
            found.append((path, path.stat()))
    return found
