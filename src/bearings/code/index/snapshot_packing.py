"""A snapshot in its stored form: a project's own file, which names the rows of its sources by their content.

The rows stand beside the facts, once for all worktrees that agree on them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from sys import intern
from typing import NamedTuple, TypeVar
from zlib import crc32

import msgspec

from bearings.code.facts.blobs import SqliteBlobs
from bearings.code.facts.encoded_map import MANY_FILES
from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.packing import Damaged, compressed, inflated, unpack
from bearings.code.grouping import grouped
from bearings.code.index.change_detection import FileState, TreeState
from bearings.code.index.snapshot_file import checksum
from bearings.code.project.skipped import Listing, Skipped, SkipReason
from bearings.code.project.sources import Stamp
from bearings.code.resolve.file_summary import EncodedSummaries, FileSummary
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.memory import Lookup, Memory
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.stored_uses import StoredUses, numbered_uses, uses_of

_PART_BYTES = 8 * 2**20
"""Rows that are in memory before they are stored: those of a project of a hundred thousand lines."""

_PIECES = 64
"""The most rows for what was looked up in all files: an edit of one file replaces one of them."""


class Row(msgspec.Struct, array_like=True):
    """A file with facts: the keys of its summary and its StoredUses, the numbers of the names consulted for them."""

    summary: bytes
    uses: bytes
    consulted: msgspec.Raw


class StoredState(msgspec.Struct, array_like=True):
    """All that is stored for a project. `names` were consulted; `asked` and `entries` are as in Memory.

    snapshot_lookup.py decodes the first fields by their order.
    """

    paths: tuple[str, ...]
    skipped: list[tuple[str, SkipReason]]
    by: str
    known: dict[str, FileState]
    refused: dict[str, tuple[Stamp | None, str, SkipReason]]
    manifests: dict[str, bytes]
    rows: dict[str, Row]
    names: msgspec.Raw
    """A list of texts, which only an edit needs."""
    lookups: list[bytes]
    entries: list[bytes]
    """The keys of both, in pieces, of which an edit changes few."""
    named: frozenset[str]

    @property
    def tree(self) -> TreeState:
        """The state of the tree."""
        listing = Listing(self.paths, tuple(Skipped(*row) for row in self.skipped), self.by)
        refused = {path: (stamp, Skipped(name, why)) for path, (stamp, name, why) in self.refused.items()}
        return TreeState(listing, dict(self.known), refused, self.named)


_V = TypeVar("_V")
_SUMMARY = msgspec.msgpack.Decoder(FileSummary)
_USES = msgspec.msgpack.Decoder(StoredUses)
_LOOKUPS = msgspec.msgpack.Decoder(list[Lookup])
_ENTRIES = msgspec.msgpack.Decoder(list[tuple[str, list[Entry]]])
_NUMBERS = msgspec.msgpack.Decoder(list[int])
_NAMES = msgspec.msgpack.Decoder(list[str])


class StoredSnapshot:
    """The stored state of a project; most of it is read on first use, and Lost is raised if it is gone.

    `summaries` has the summary of each file that has facts. `path` is the file that it was read from, if any.
    """

    def __init__(
        self, state: StoredState, summaries: Mapping[str, FileSummary], blobs: SqliteBlobs, path: Path | None = None
    ) -> None:
        self.state = state
        self.summaries = summaries
        self.path = path
        self._blobs = blobs

    @classmethod
    def unpacked(cls, body: bytes | memoryview, blobs: SqliteBlobs, path: Path) -> "StoredSnapshot":
        """The snapshot of a file's body. Raises MsgspecError, Lost."""
        state = msgspec.msgpack.decode(body, type=StoredState)
        rows = _read(blobs, [row.summary for row in state.rows.values()])
        encoded = {name: rows[row.summary] for name, row in state.rows.items()}
        if len(encoded) >= MANY_FILES:
            return cls(state, EncodedSummaries(encoded), blobs, path)
        summaries = {name: _decoded(row, _SUMMARY) for name, row in encoded.items()}
        return cls(state, summaries, blobs, path)

    def without_stamps(self) -> "StoredSnapshot":
        """The same snapshot without stamps: every file is read again, because these stamps belong to other files."""
        known = {path: known._replace(stamp=None) for path, known in self.state.known.items()}
        state = msgspec.structs.replace(self.state, known=known, refused={})
        return StoredSnapshot(state, self.summaries, self._blobs, self.path)

    def uses(self) -> PackedMap[FileUses]:
        """The uses of each file with facts."""
        return PackedMap(self._uses, list(self.state.rows))

    def memory(self) -> Memory:
        """The memory of the resolver, beside uses and summaries. Raises Lost."""
        try:
            names = [intern(name) for name in _names(self.state)]
            consulted = {
                intern(path): frozenset([names[number] for number in _NUMBERS.decode(row.consulted)])
                for path, row in self.state.rows.items()
            }
        except (msgspec.MsgspecError, IndexError) as error:
            raise Lost(str(error)) from error
        lookups, entries = self.state.lookups, self.state.entries
        rows = _read(self._blobs, [*lookups, *entries])
        return Memory(
            consulted,
            [lookup for key in lookups for lookup in _unpacked(rows[key], _LOOKUPS)],
            {path: cells for key in entries for path, cells in _unpacked(rows[key], _ENTRIES)},
        )

    def _uses(self, paths: Sequence[str]) -> dict[str, FileUses]:
        keys = {path: self.state.rows[path].uses for path in paths}
        rows = _read(self._blobs, list(keys.values()))
        try:
            return {path: uses_of(path, _decoded(rows[key], _USES)) for path, key in keys.items()}
        except IndexError as error:
            raise Lost(str(error)) from error


class PackedSnapshot(NamedTuple):
    """A snapshot as bytes: the project's file, and the rows that it names by key, without those that stand already.

    `is_whole`: these do stand.
    """

    body: bytes
    rows: dict[bytes, bytes]
    is_whole: bool = True


def pack(
    tree: TreeState,
    manifests: Mapping[str, bytes],
    summaries: Mapping[str, FileSummary],
    uses: Mapping[str, FileUses],
    memory: Memory | None,
    base: StoredSnapshot | None,
    touched: Collection[str],
    put: Callable[[dict[bytes, bytes]], bool],
) -> PackedSnapshot:
    """Encodes a snapshot. Rows of files that are not in `touched`, and a missing `memory`, are copied from `base`.

    `put` stores rows and returns whether they are stored: it gets parts of many rows as soon as they are encoded.
    """
    before = base.state if base is not None else _NOTHING
    packer = _Packer(_names(before), {*before.lookups, *before.entries}, put)
    rows: dict[str, Row] = {}
    for path, summary in summaries.items():
        row = before.rows.get(path) if path not in touched else None
        if row is None:
            assert memory is not None, "a resolver that has resolved a file has a memory"
            packed = uses.packed(path) if isinstance(uses, PackedMap) else None
            encoded = msgspec.msgpack.encode(numbered_uses(uses[path])) if packed is None else inflated(packed)
            row = packer.row(summary, encoded, memory.consulted[path])
        rows[path] = row
    lookups, entries = before.lookups, before.entries
    if memory is not None:
        found, entries_of = memory.lookups, memory.entries
        lookups = packer.pieces(found, itemgetter(0), lambda part: sorted(part, key=itemgetter(0, 1, 2)))
        entries = packer.pieces(
            entries_of, str, lambda part: [(path, sorted(entries_of[path])) for path in sorted(part)]
        )
    state = StoredState(
        tree.listing.paths,
        [(skipped.path, skipped.reason) for skipped in tree.listing.skipped],
        tree.listing.by,
        tree.known,
        {path: (stamp, skipped.path, skipped.reason) for path, (stamp, skipped) in tree.refused.items()},
        dict(manifests),
        rows,
        msgspec.Raw(msgspec.msgpack.encode(list(packer.numbers))),
        lookups,
        entries,
        tree.named,
    )
    return PackedSnapshot(msgspec.msgpack.encode(state), packer.rows, packer.is_whole)


_NOTHING = StoredState((), [], "", {}, {}, {}, {}, msgspec.Raw(msgspec.msgpack.encode([])), [], [], frozenset())


class _Packer:
    """Encodes rows. Each stands under the checksum of its bytes; the `numbers` of names grow with the rows.

    Rows with the keys `standing` are there already. `is_whole`: all of which `put` got a part are stored.
    """

    def __init__(
        self, names: Iterable[str], standing: Collection[bytes], put: Callable[[dict[bytes, bytes]], bool]
    ) -> None:
        self.rows: dict[bytes, bytes] = {}
        self.is_whole = True
        self.numbers = {name: number for number, name in enumerate(names)}
        self._standing = standing
        self._put = put
        self._size = 0

    def row(self, summary: FileSummary, uses: bytes, consulted: Iterable[str]) -> Row:
        """The row of a file with these encoded uses."""
        numbers = [self.numbers.setdefault(name, len(self.numbers)) for name in consulted]
        return Row(
            self._stored(msgspec.msgpack.encode(summary)),
            self._stored(uses),
            msgspec.Raw(msgspec.msgpack.encode(numbers)),
        )

    def pieces(
        self, found: Iterable[_V], asker: Callable[[_V], str], piece: Callable[[list[_V]], object]
    ) -> list[bytes]:
        """The keys of what was found for files: the same for the same findings, in whatever order they were made."""
        parts = grouped((crc32(asker(one).encode("utf-8", "surrogateescape")) % _PIECES, one) for one in found)
        return [self._stored(compressed(msgspec.msgpack.encode(piece(part)))) for _, part in sorted(parts.items())]

    def _stored(self, data: bytes) -> bytes:
        key = checksum(data)
        if key not in self._standing:
            self.rows[key] = data
            self._size += len(data)
        if self._size > _PART_BYTES:
            self.is_whole = self._put(self.rows) and self.is_whole
            self.rows, self._size = {}, 0
        return key


def _read(blobs: SqliteBlobs, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    """The rows with these keys. Raises Lost if any is gone."""
    rows = blobs.get(list(dict.fromkeys(keys)))
    missing = next((key for key in keys if key not in rows), None)
    if missing is not None:
        raise Lost(f"a row of the snapshot is gone: {missing.hex()}")
    return rows


def _decoded(data: bytes, decoder: "msgspec.msgpack.Decoder[_V]") -> _V:
    try:
        return decoder.decode(data)
    except msgspec.MsgspecError as error:
        raise Lost(str(error)) from error


def _unpacked(data: bytes, decoder: "msgspec.msgpack.Decoder[_V]") -> _V:
    """The same for a row that is compressed."""
    try:
        return unpack(data, decoder)
    except Damaged as error:
        raise Lost(str(error)) from error


def _names(state: StoredState) -> list[str]:
    return _NAMES.decode(state.names)
