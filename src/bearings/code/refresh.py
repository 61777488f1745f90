"""Keeping an index true: what changed in the tree since it was last read, and the graph of what is there now."""

import gc
import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bearings.code.facts import FactStore, key_of
from bearings.code.graph import Graph
from bearings.code.helpers import Helpers
from bearings.code.languages import language_of
from bearings.code.models import FileFacts, Language, ProjectFiles
from bearings.code.parse import EXTRACTOR_VERSION
from bearings.code.project import (
    Lister,
    Listing,
    Skipped,
    Source,
    Stamp,
    digest_of,
    is_counted,
    is_manifest,
    is_settled,
    read_source,
    stamp_of,
)
from bearings.code.resolve import Resolver
from bearings.code.tasks import Job
from bearings.progress import NoProgress, Progress

_MANY = 300
"""Stale files from which on helpers are worth starting."""

_BATCH_FILES = 256
_BATCH_BYTES = 1_000_000
_BATCH_LINES = 25_000
"""Sources that are in memory at once, and whose facts are stored in one transaction: about a second's work.

Whoever is stopped loses no more than that, so that asking again always gets on.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A project as it was at one moment. `revision` is the same for the same contents, on any machine."""

    root: Path
    revision: str
    facts: Mapping[str, FileFacts]
    project: ProjectFiles
    graph: Graph
    skipped: tuple[Skipped, ...]

    @property
    def elements(self) -> int:
        """How many symbols there are, modules aside."""
        return len(self.graph.symbols) - len(self.facts)


class _Known(NamedTuple):
    """What is known of a file that is read: its stamp (None: read it again next time), its content's digest."""

    stamp: Stamp | None
    digest: bytes


@dataclass(frozen=True, slots=True)
class Changes:
    """What a sweep found: files to read again, files that are gone, and whether anything else differs."""

    stale: tuple[str, ...]
    gone: frozenset[str]
    relisted: bool


class Sweep:
    """Compares the tree with what was read of it."""

    def __init__(self, root: Path, max_bytes: int) -> None:
        self.root = root
        self.listing = Listing((), (), "")
        self._lister = Lister(root)
        self._max_bytes = max_bytes
        self._counted: list[str] = []
        self._known: dict[str, _Known] = {}
        self._refused: dict[str, tuple[Stamp | None, Skipped]] = {}

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

    def look(self) -> Changes:
        """Lists the tree and stats its files; reads none."""
        listing = self._lister.list()
        relisted = listing != self.listing
        if relisted:
            self.listing = listing
            self._counted = [path for path in listing.paths if is_counted(path)]
        gone = (self._known.keys() | self._refused.keys()) - set(self._counted)
        for path in gone:
            self._forget(path)
        stale = tuple(path for path in self._counted if self._is_stale(path))
        return Changes(stale, frozenset(gone), relisted)

    def read(self, path: str) -> tuple[Source | None, bool]:
        """Reads a stale file: its source, or None if it is gone or left out; and whether anything is new about it."""
        started, before = time.time_ns(), stamp_of(self.root, path)
        source = read_source(self.root, path, self._max_bytes)
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
        self._known[path] = _Known(source.stamp if source.settled else None, digest)
        return source, known is None or known.digest != digest

    def _is_stale(self, path: str) -> bool:
        known = self._known.get(path)
        before = known.stamp if known else self._refused[path][0] if path in self._refused else None
        return before is None or stamp_of(self.root, path) != before

    def _forget(self, path: str) -> None:
        self._known.pop(path, None)
        self._refused.pop(path, None)


class Index:
    """One project's facts and graph, brought up to date by `refresh`. For one thread at a time."""

    def __init__(self, root: Path, store: FactStore, max_file_bytes: int, helpers: Helpers | None = None) -> None:
        self._helpers = helpers or Helpers()
        self._root = root
        self._store = store
        self._max_file_bytes = max_file_bytes
        self._forget()

    def refresh(self, progress: Progress | None = None) -> Snapshot:
        """The project as it is now; the snapshot of last time itself, if nothing changed."""
        try:
            with _collector_paused():
                return self._refreshed(progress or NoProgress())
        except BaseException:
            self._forget()  # what was half taken in must not pass for known
            raise
        finally:
            self._helpers.close()

    def digest(self, path: str) -> bytes:
        """The digest of a file's content as the last snapshot has it; empty for one that it has not."""
        return self._sweep.digest(path)

    def ignored(self) -> tuple[Skipped, ...]:
        """What only ignore rules leave out of the last snapshot, beside what it names itself."""
        return self._sweep.ignored()

    def _forget(self) -> None:
        self._sweep = Sweep(self._root, self._max_file_bytes)
        self._facts: dict[str, FileFacts] = {}
        self._manifests: dict[str, bytes] = {}
        self._resolver = Resolver()
        self._snapshot: Snapshot | None = None
        self._changed = False

    def _refreshed(self, progress: Progress) -> Snapshot:
        changes = self._sweep.look()
        for path in changes.gone:
            self._drop(path)
        changed = self._take(changes.stale, progress)
        if self._snapshot is None or changed or changes.gone or changes.relisted:
            self._snapshot = self._assembled(progress)
        return self._snapshot

    def _take(self, stale: Sequence[str], progress: Progress) -> bool:
        """Takes the facts of stale files; whether any of them differs from what was known."""
        self._changed = False
        new: dict[bytes, FileFacts] = {}
        lines = 0
        for path, facts in self._helpers.parse(self._unknown(stale, progress), alone=len(stale) < _MANY):
            self._facts[path] = facts
            new[self._key(path, facts.language)] = facts
            lines += facts.lines
            if lines > _BATCH_LINES or len(new) >= _BATCH_FILES:
                self._store.put(new)
                new, lines = {}, 0
        if new:
            self._store.put(new)
        return self._changed

    def _unknown(self, stale: Sequence[str], progress: Progress) -> Iterator[Job]:
        """Reads stale files, some at a time: those whose facts the store has not."""
        sources: dict[str, bytes] = {}
        size = 0
        for done, path in enumerate(stale):
            source, new = self._sweep.read(path)
            self._changed = self._changed or new
            if source is None:
                self._drop(path)
            elif new:
                sources[path] = source.data
                size += len(source.data)
            if size > _BATCH_BYTES or len(sources) >= _BATCH_FILES or done == len(stale) - 1:
                progress.update(done, len(stale), "reading files")
                yield from self._not_stored(sources)
                sources, size = {}, 0

    def _not_stored(self, sources: Mapping[str, bytes]) -> Iterator[Job]:
        """Takes the facts of files from the store where it has them."""
        keys: dict[str, tuple[bytes, Language]] = {}
        for path, data in sources.items():
            if is_manifest(path):
                self._manifests[path] = data
            if language := language_of(path):
                keys[path] = self._key(path, language), language
        stored = self._store.get([key for key, _ in keys.values()]) if keys else {}
        for path, (key, language) in keys.items():
            if key in stored:
                self._facts[path] = stored[key]
            else:
                yield Job(path, language, sources[path])

    def _key(self, path: str, language: Language) -> bytes:
        return key_of(path, language, self._sweep.digest(path), EXTRACTOR_VERSION)

    def _drop(self, path: str) -> None:
        self._facts.pop(path, None)
        self._manifests.pop(path, None)

    def _assembled(self, progress: Progress) -> Snapshot:
        """A snapshot of the facts as they are; it shares nothing with later ones that could change."""
        facts = dict(sorted(self._facts.items()))
        project = ProjectFiles(frozenset(self._sweep.listing.paths), dict(sorted(self._manifests.items())))
        progress.update(len(facts), len(facts), "resolving names")
        self._resolver.update(facts, project, self._helpers.resolve)
        self._helpers.close()  # they hold a part of the facts, for which there will be better use
        graph = Graph.of(self._snapshot.graph if self._snapshot else None, facts, dict(self._resolver.uses))
        return Snapshot(self._sweep.root, self._sweep.revision, facts, project, graph, self._sweep.skipped)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Facts hold no cycles, and looking for some among millions takes a third of a scan."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
