"""Change detection: which files of a tree changed, appeared or disappeared, without reading more than needed."""

import hashlib
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from bearings.code.languages import EXTRACTOR_VERSION
from bearings.code.project.names import is_counted
from bearings.code.project.skipped import Listing, Skipped
from bearings.code.project.sources import Source, Stamp, digest_of, is_settled
from bearings.code.project.tree import Reader, Tree, read_with


class FileState(NamedTuple):
    """A file that was read: its stamp (None: read it again next time) and the digest of its content."""

    stamp: Stamp | None
    digest: bytes


class TreeState(NamedTuple):
    """All that a detector knows: the listing, the files that were read, and those that were refused, by path.

    `named` are as in ChangeDetector.
    """

    listing: Listing
    known: dict[str, FileState]
    refused: dict[str, tuple[Stamp | None, Skipped]]
    named: frozenset[str]


@dataclass(frozen=True, slots=True)
class Changes:
    """The result of `detect`: files to read again, files that are gone, and whether the listing differs."""

    stale: tuple[str, ...]
    gone: frozenset[str]
    relisted: bool


class ChangeDetector:
    """Compares the tree with the state in which it was last read.

    `named` are paths beside the listing that manifests name; there may be no such files.
    """

    def __init__(self, tree: Tree, max_bytes: int) -> None:
        self.listing = Listing((), (), "")
        self.named: frozenset[str] = frozenset()
        self._max_bytes = max_bytes
        self._candidates: list[str] = []
        self._known: dict[str, FileState] = {}
        self._refused: dict[str, tuple[Stamp | None, Skipped]] = {}
        self._tree = tree
        self._open = ExitStack()
        self._reader: Reader | None = None

    @property
    def tree(self) -> TreeState:
        """The state of the tree as of the last `detect` and `read`."""
        return TreeState(self.listing, dict(self._known), dict(self._refused), self.named)

    def move(self, tree: Tree) -> None:
        """Continues with another tree: the next `detect` finds the files that differ by their stamps."""
        self.close()
        self._tree = tree

    def resume(self, tree: TreeState) -> None:
        """Continues from the state of another detector."""
        self.listing, self._known, self._refused, self.named = tree
        self._candidates = [path for path in self.listing.paths if is_counted(path)]

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The files that are left out, sorted by path."""
        return tuple(sorted((*self.listing.skipped, *(skipped for _, skipped in self._refused.values()))))

    def ignored(self) -> tuple[Skipped, ...]:
        """The files that only ignore rules leave out. Finding them takes longer than `detect` may."""
        return self._tree.ignored()

    @property
    def revision(self) -> str:
        """Twelve hexadecimal digits: a hash of the tree's contents and of the extractor's version."""
        hashed = hashlib.blake2b(f"{EXTRACTOR_VERSION}\0".encode(), digest_size=6)
        for path in self.listing.paths:
            hashed.update(path.encode() + b"\0" + self.digest(path))
        return hashed.hexdigest()

    def digest(self, path: str) -> bytes:
        """The digest of a file's content; empty if the file was not read."""
        known = self._known.get(path)
        return known.digest if known else b""

    def close(self) -> None:
        """Closes what reading has opened; reading the next file opens it again."""
        self._open.close()
        self._reader = None
        self._tree.close()

    def detect(self) -> Changes:
        """Lists the tree and stats its files; reads none."""
        stamps: dict[str, Stamp | None] = {}
        listing = self._tree.listing(lambda: stamps.update(self._stamps()))
        relisted = listing != self.listing
        if relisted:
            self.listing = listing
            self._candidates = [path for path in listing.paths if is_counted(path)]
        gone = (self._known.keys() | self._refused.keys()) - set(self._candidates) - self.named
        for path in gone:
            self._forget(path)
        stale = tuple(path for path in (*self._candidates, *sorted(self.named)) if self._is_stale(path, stamps))
        return Changes(stale, frozenset(gone), relisted)

    def read(self, path: str) -> tuple[Source | None, bool]:
        """Reads a stale file. Returns its source (None if it is gone or left out), and whether anything differs."""
        started, stamp = time.time_ns(), self._tree.stamp(path)
        source = read_with(self._opened(), path, self._max_bytes)
        known, refused = self._known.get(path), self._refused.get(path)
        if source is None:
            self._forget(path)
            return None, bool(known or refused)
        if isinstance(source, Skipped):
            self._forget(path)
            self._refused[path] = (stamp if stamp and is_settled(stamp, started) else None, source)
            return None, known is not None or refused is None or refused[1] != source
        self._refused.pop(path, None)
        digest = digest_of(source.data)
        self._known[path] = FileState(source.stamp if source.settled else None, digest)
        return source, known is None or known.digest != digest

    def _opened(self) -> Reader:
        if self._reader is None:
            self._reader = self._open.enter_context(self._tree.reading())
        return self._reader

    def _stamps(self) -> dict[str, Stamp | None]:
        """The current stamps of the files that have a stamp to compare."""
        states = chain(self._known.items(), self._refused.items())
        return {path: self._tree.stamp(path) for path, (stamp, _) in states if stamp is not None}

    def _is_stale(self, path: str, stamps: Mapping[str, Stamp | None]) -> bool:
        known = self._known.get(path)
        stamp = known.stamp if known else self._refused[path][0] if path in self._refused else None
        return stamp is None or (stamps[path] if path in stamps else self._tree.stamp(path)) != stamp

    def _forget(self, path: str) -> None:
        self._known.pop(path, None)
        self._refused.pop(path, None)
