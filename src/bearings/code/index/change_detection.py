"""Change detection: which files of a tree changed, appeared or disappeared, without reading more than needed."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from bearings.caller import Roots
from bearings.code.languages import EXTRACTOR_VERSION
from bearings.code.project import (
    Lister,
    Listing,
    SafeDirectory,
    Skipped,
    Source,
    Stamp,
    digest_of,
    is_counted,
    is_settled,
    read_beneath,
    stamp_of,
)


class Known(NamedTuple):
    """What is known of a file that is read: its stamp (None: read it again next time), its content's digest."""

    stamp: Stamp | None
    digest: bytes


class Seen(NamedTuple):
    """All that a sweep knows: the listing, the files that were read, and those that were not, each by its path."""

    listing: Listing
    known: dict[str, Known]
    refused: dict[str, tuple[Stamp | None, Skipped]]


@dataclass(frozen=True, slots=True)
class Changes:
    """What a sweep found: files to read again, files that are gone, and whether anything else differs."""

    stale: tuple[str, ...]
    gone: frozenset[str]
    relisted: bool


class ChangeDetector:
    """Compares the tree with what was read of it."""

    def __init__(self, root: Path, max_bytes: int, roots: Roots = None) -> None:
        self.root = root
        self.listing = Listing((), (), "")
        self._lister = Lister(root, roots=roots)
        self._max_bytes = max_bytes
        self._counted: list[str] = []
        self._known: dict[str, Known] = {}
        self._refused: dict[str, tuple[Stamp | None, Skipped]] = {}
        self._tree = SafeDirectory(root)

    @property
    def seen(self) -> Seen:
        """All that it knows now."""
        return Seen(self.listing, dict(self._known), dict(self._refused))

    def resume(self, seen: Seen) -> None:
        """Goes on where another one was."""
        self.listing, self._known, self._refused = seen
        self._counted = [path for path in self.listing.paths if is_counted(path)]

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """All that is left out, sorted by path."""
        return tuple(sorted((*self.listing.skipped, *(skipped for _, skipped in self._refused.values()))))

    def ignored(self) -> tuple[Skipped, ...]:
        """What only ignore rules leave out, where asking for it takes longer than `look` may."""
        return self._lister.ignored()

    @property
    def revision(self) -> str:
        """Twelve digits that stand for the tree's contents, as read by this version of the extractor."""
        hashed = hashlib.blake2b(f"{EXTRACTOR_VERSION}\0".encode(), digest_size=6)
        for path in self.listing.paths:
            hashed.update(path.encode() + b"\0" + self.digest(path))
        return hashed.hexdigest()

    def digest(self, path: str) -> bytes:
        """The digest of a file's content; empty for one that was not read."""
        known = self._known.get(path)
        return known.digest if known else b""

    def close(self) -> None:
        """Let go of the tree's folders; the next file opens them again."""
        self._tree.close()

    def look(self) -> Changes:
        """Lists the tree and stats its files; reads none."""
        stamps: dict[str, Stamp | None] = {}
        listing = self._lister.list(lambda: stamps.update(self._stamps()))
        relisted = listing != self.listing
        if relisted:
            self.listing = listing
            self._counted = [path for path in listing.paths if is_counted(path)]
        gone = (self._known.keys() | self._refused.keys()) - set(self._counted)
        for path in gone:
            self._forget(path)
        stale = tuple(path for path in self._counted if self._is_stale(path, stamps))
        return Changes(stale, frozenset(gone), relisted)

    def read(self, path: str) -> tuple[Source | None, bool]:
        """Reads a stale file: its source, or None if it is gone or left out; and whether anything is new about it."""
        started, before = time.time_ns(), stamp_of(self.root, path)
        source = read_beneath(self._tree, path, self._max_bytes)
        known, refused = self._known.get(path), self._refused.get(path)
        if source is None:
            self._forget(path)
            return None, bool(known or refused)
        if isinstance(source, Skipped):
            self._forget(path)
            self._refused[path] = (before if before and is_settled(before, started) else None, source)
            return None, known is not None or refused is None or refused[1] != source
        self._refused.pop(path, None)
        digest = digest_of(source.data)
        self._known[path] = Known(source.stamp if source.settled else None, digest)
        return source, known is None or known.digest != digest

    def _stamps(self) -> dict[str, Stamp | None]:
        """The stamps that files have now, of those that may be what they were."""
        seen = chain(self._known.items(), self._refused.items())
        return {path: stamp_of(self.root, path) for path, (before, _) in seen if before is not None}

    def _is_stale(self, path: str, stamps: Mapping[str, Stamp | None]) -> bool:
        known = self._known.get(path)
        before = known.stamp if known else self._refused[path][0] if path in self._refused else None
        return before is None or (stamps[path] if path in stamps else stamp_of(self.root, path)) != before

    def _forget(self, path: str) -> None:
        self._known.pop(path, None)
        self._refused.pop(path, None)
