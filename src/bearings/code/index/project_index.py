"""Keeping an index true: what changed in the tree since it was last read, and the graph of what is there now."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from bearings.caller import Roots
from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.packing import Packed
from bearings.code.facts.store import FactStore, key_of
from bearings.code.graph.lookup_tables import Tables
from bearings.code.graph.project_graph import Graph
from bearings.code.index.change_detection import ChangeDetector, Seen
from bearings.code.index.jobs import Job
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.snapshot_store import GraphStore, Kept, pack
from bearings.code.index.work_queue import TwoEndedQueue
from bearings.code.index.worker_pool import WorkerPool
from bearings.code.languages import EXTRACTOR_VERSION, language_of
from bearings.code.models import FileFacts, Language, ProjectFiles
from bearings.code.project import Skipped, is_manifest
from bearings.code.resolve import FileUses, Resolver
from bearings.code.resolve.file_summary import FileSummary, summary_of
from bearings.progress import NoProgress, Progress

_MANY = 300
"""Stale files from which on helpers are worth starting."""

_BATCH_FILES = 256
_BATCH_BYTES = 1_000_000
"""Sources that are in memory at once, and whose facts are stored in one transaction: about a second's work.

Whoever is stopped loses no more than that, so that asking again always gets on.
"""


class Index:
    """One project's facts and graph, brought up to date by `refresh`. For one thread at a time.

    No git directory outside `roots` is read; None: any may be.
    """

    def __init__(
        self,
        root: Path,
        store: FactStore,
        max_file_bytes: int,
        helpers: WorkerPool | None = None,
        graphs: GraphStore | None = None,
        roots: Roots = None,
    ) -> None:
        self._helpers = helpers or WorkerPool()
        self._graphs = graphs
        self._root = root
        self._roots = roots
        self._store = store
        self._max_file_bytes = max_file_bytes
        self._forget()

    def _forget(self) -> None:
        self._sweep = ChangeDetector(self._root, self._max_file_bytes, self._roots)
        self._facts: PackedMap[FileFacts] = PackedMap()
        self._manifests: dict[str, bytes] = {}
        self._resolver = Resolver()
        self._snapshot: Snapshot | None = None
        self._changed: set[str] = set()
        self._differs = False
        self._touched: set[str] = set()
        self._base: Kept | None = None
        self._kept: tuple[Snapshot, Seen] | None = None

    def refresh(self, progress: Progress | None = None) -> Snapshot:
        """The project as it is now; the snapshot of last time itself, if nothing changed.

        What lies elsewhere may turn out to be Lost when it is looked for in a snapshot: then `begin_anew`, and refresh.
        """
        try:
            with collector_paused():
                if self._snapshot is None and self._graphs is not None:
                    self._resume(self._graphs)
                return self._refreshed(progress or NoProgress())
        except Lost:
            self.begin_anew()
            return self.refresh(progress)
        except BaseException:
            self._forget()  # what was half taken in must not pass for known
            raise
        finally:
            self._helpers.close()

    @property
    def snapshot(self) -> Snapshot | None:
        """The last snapshot, if there is one."""
        return self._snapshot

    def begin_anew(self) -> None:
        """Forgets all, also what was kept of it for other processes."""
        if self._graphs is not None:
            self._graphs.drop(self._root)
        self._forget()

    def keep(self) -> None:
        """Keeps the last snapshot for other processes, unless that is done already."""
        if self._graphs is None or self._snapshot is None:
            return
        seen = self._sweep.seen
        if self._kept is not None and self._kept[0] is self._snapshot and self._kept[1] == seen:
            return
        summaries, memory = self._snapshot.graph.summaries, self._resolver.memory()
        with self._graphs.announced(self._root):
            try:
                body = pack(seen, self._manifests, summaries, self._resolver.uses, memory, self._base, self._touched)
            except Lost:
                self.begin_anew()
                return
            self._graphs.save(self._root, self._max_file_bytes, body)
        self._kept = self._snapshot, seen

    def prepare(self, path: str) -> None:
        """Makes ready what may be asked of a file of the last snapshot, and what its next change may need. See Lost."""
        if self._snapshot is not None:
            self._snapshot.graph.prepare(path)
            self._resolver.prepare(path)

    def digest(self, path: str) -> bytes:
        """The digest of a file's content as the last snapshot has it; empty for one that it has not."""
        return self._sweep.digest(path)

    def ignored(self) -> tuple[Skipped, ...]:
        """What only ignore rules leave out of the last snapshot, beside what it names itself."""
        return self._sweep.ignored()

    def _resume(self, graphs: GraphStore) -> None:
        """Goes on where another process was, if it kept that."""
        kept = graphs.load(self._root, self._max_file_bytes)
        if kept is None:
            return
        self._sweep.resume(kept.seen)
        self._manifests = kept.manifests
        self._facts = PackedMap(self._fetching(kept.summaries), list(kept.summaries))
        self._base = kept
        facts, uses = self._facts.copy(), kept.uses()
        self._resolver = Resolver.resumed(facts, self._project(), uses, kept.memory)
        self._snapshot = self._shot(facts, Graph(Tables(facts, uses.copy(), kept.summaries)))
        self._kept = self._snapshot, self._sweep.seen

    def _fetching(self, paths: Iterable[str]) -> Callable[[Sequence[str]], dict[str, FileFacts]]:
        """Brings facts of files as they are known now, whatever becomes of them meanwhile, or raises Lost."""
        jobs = {path: (language_of(path), self._sweep.digest(path)) for path in paths}

        def fetch(wanted: Sequence[str]) -> dict[str, FileFacts]:
            keys = {}
            for path in wanted:
                language, digest = jobs[path]
                if language is None:
                    raise Lost(f"{path}: no language")
                keys[path] = key_of(path, language, digest, EXTRACTOR_VERSION)
            stored = self._store.get(list(keys.values()))
            if len(stored) < len(keys):
                raise Lost(next(path for path, key in keys.items() if key not in stored))
            return {path: stored[key] for path, key in keys.items()}

        return fetch

    def _refreshed(self, progress: Progress) -> Snapshot:
        changes = self._sweep.look()
        for path in changes.gone:
            self._drop(path)
        try:
            changed = self._take(changes.stale, progress)
        finally:
            self._sweep.close()
        if self._snapshot is None or changed or changes.gone or changes.relisted:
            self._snapshot = self._assembled(self._snapshot, progress)
        return self._snapshot

    def _take(self, stale: Sequence[str], progress: Progress) -> bool:
        """Takes the facts of stale files; whether any of them differs from what was known."""
        self._differs = False
        new: dict[bytes, Packed[FileFacts]] = {}
        size = 0
        paths = TwoEndedQueue(stale)

        def tell() -> None:
            progress.update(len(stale) - len(paths), len(stale), "reading files")

        jobs, behind = self._unknown(paths.front(), tell), self._unknown(paths.back(), tell)
        for job, facts in self._helpers.parse(jobs, behind, alone=len(stale) < _MANY):
            self._take_in(job.path, facts)
            new[self._key(job.path, job.language)] = facts
            size += len(job.source)
            if size > _BATCH_BYTES or len(new) >= _BATCH_FILES:
                self._store.put(new)
                new, size = {}, 0
        if new:
            self._store.put(new)
        return self._differs

    def _unknown(self, stale: Iterator[str], tell: Callable[[], None]) -> Iterator[Job]:
        """Reads stale files, some at a time: those whose facts the store has not."""
        sources: dict[str, bytes] = {}
        size = 0
        for path in stale:
            source, new = self._sweep.read(path)
            self._differs = self._differs or new
            if source is None:
                self._drop(path)
            elif new:
                sources[path] = source.data
                size += len(source.data)
            if size > _BATCH_BYTES or len(sources) >= _BATCH_FILES:
                tell()
                yield from self._not_stored(sources)
                sources, size = {}, 0
        if sources:
            tell()
            yield from self._not_stored(sources)

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
                self._take_in(path, stored[key])
            else:
                yield Job(path, language, sources[path])

    def _key(self, path: str, language: Language) -> bytes:
        return key_of(path, language, self._sweep.digest(path), EXTRACTOR_VERSION)

    def _take_in(self, path: str, facts: FileFacts | Packed[FileFacts]) -> None:
        self._facts.update({path: facts})
        self._changed.add(path)

    def _drop(self, path: str) -> None:
        if self._facts.pop(path):
            self._changed.add(path)
        self._manifests.pop(path, None)

    def _assembled(self, before: Snapshot | None, progress: Progress) -> Snapshot:
        """A snapshot of the facts as they are; it shares nothing with later ones that could change."""
        facts, changed = self._facts.copy(), self._changed
        progress.update(len(facts), len(facts), "resolving names")
        touched = self._resolver.update(facts, self._project(), self._helpers.resolve, changed)
        self._touched |= touched
        self._helpers.close()  # they hold a part of the facts, for which there will be better use
        uses, self._changed = self._resolver.uses.copy(), set()
        if before is not None:
            return self._shot(facts, before.graph.after(facts, uses, changed, touched))
        summaries = {path: self._summary(path, facts, uses) for path in facts}
        return self._shot(facts, Graph(Tables(facts, uses, summaries)))

    def _summary(self, path: str, facts: PackedMap[FileFacts], uses: PackedMap[FileUses]) -> FileSummary:
        """A file's summary, as who resolved it made it, if it did."""
        made = self._resolver.summaries.get(path)
        return summary_of(facts.glance(path), *uses[path]) if made is None else made

    def _project(self) -> ProjectFiles:
        return ProjectFiles(frozenset(self._sweep.listing.paths), dict(sorted(self._manifests.items())))

    def _shot(self, facts: Mapping[str, FileFacts], graph: Graph) -> Snapshot:
        return Snapshot(
            self._root, self._sweep.revision, facts, self._project(), graph, self._sweep.skipped, self._roots
        )


@contextmanager
def collector_paused() -> Iterator[None]:
    """Neither facts nor graphs hold cycles; to look for some among millions takes a third of a scan."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
