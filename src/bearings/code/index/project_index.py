"""The index of one project: it reads what changed in the tree and builds the graph of the current state.

`refresh` runs change detection, reads and parses stale files (facts come from the store if it has them), resolves
those that the change can affect, and returns an immutable snapshot.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from bearings.caller import Roots
from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.packing import Packed
from bearings.code.facts.store import FactStore, ReplacedFacts, key_of
from bearings.code.file_facts import FileFacts
from bearings.code.graph.lookup_tables import Tables
from bearings.code.graph.project_graph import Graph
from bearings.code.index.change_detection import ChangeDetector, TreeState
from bearings.code.index.jobs import Job
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.snapshot_store import GraphStore, StoredSnapshot, pack
from bearings.code.index.work_queue import TwoEndedQueue
from bearings.code.index.worker_pool import WorkerPool
from bearings.code.languages import EXTRACTOR_VERSION, language_of
from bearings.code.models import Language, ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.project.names import is_manifest
from bearings.code.project.skipped import Skipped
from bearings.code.project.tree import Tree
from bearings.code.project.working_tree import WorkingTree
from bearings.code.resolve import FileUses, Resolver
from bearings.code.resolve.file_summary import FileSummary, summary_of
from bearings.code.resolve.incremental import Memory
from bearings.progress import NoProgress, Progress

_MANY = 300
"""Starting workers pays off from this number of stale files."""

_BATCH_FILES = 256
_BATCH_BYTES = 1_000_000
"""Sources that are in memory at once, and whose facts are stored in one transaction: about a second's work.

A process that is stopped loses no more than that, so each attempt gets further.
"""


class Index:
    """One project's facts and graph, brought up to date by `refresh`. For one thread at a time.

    `tree` has the files of the project: those of a commit, or by default those on disk below `root`. Git directories
    outside `roots` are not read, unless `roots` is None.
    """

    def __init__(
        self,
        root: Path,
        store: FactStore,
        max_file_bytes: int,
        workers: WorkerPool | None = None,
        graphs: GraphStore | None = None,
        roots: Roots = None,
        tree: Tree | None = None,
    ) -> None:
        self._workers = workers or WorkerPool()
        self._graphs = graphs
        self._tree = tree or WorkingTree(root, roots)
        self._store = store
        self._max_file_bytes = max_file_bytes
        self._is_reset = False
        self._has_stored = False
        self._source: Path | None = None
        self._forget()

    def _forget(self) -> None:
        self._detector = ChangeDetector(self._tree, self._max_file_bytes)
        self._facts: PackedMap[FileFacts] = PackedMap()
        self._manifests: dict[str, bytes] = {}
        self._resolver = Resolver()
        self._snapshot: Snapshot | None = None
        self._changed: set[str] = set()
        self._differs = False
        self._has_moved = False
        self._touched: set[str] = set()
        self._stored: StoredSnapshot | None = None
        self._saved: tuple[Snapshot, TreeState] | None = None

    def refresh(self, progress: Progress | None = None) -> Snapshot:
        """Returns a snapshot of the current state; the same object as last time if nothing changed.

        Reading a snapshot may raise Lost if stored facts have disappeared: call `reset` and `refresh` then.
        """
        try:
            with collector_paused():
                if self._snapshot is None and self._graphs is not None:
                    self._resume(self._graphs)
                return self._refresh(progress or NoProgress())
        except Lost:
            self.reset()
            return self.refresh(progress)
        except BaseException:
            self._forget()  # the facts are incomplete: change detection must not treat them as current
            raise
        finally:
            self._workers.close()

    @property
    def snapshot(self) -> Snapshot | None:
        """The last snapshot; None before the first refresh."""
        return self._snapshot

    def reset(self) -> None:
        """Drops all state, including the snapshot that is stored for other processes; the next is read anew."""
        self._is_reset = True
        if self._graphs is not None:
            self._graphs.drop(self._tree.root, self._tree.commit)
        self._forget()

    def distrust(self) -> bool:
        """Drops all that was stored, so that the next `refresh` parses and resolves each file anew.

        Returns whether anything stored was in use; if not, or the second time, nothing changes.
        """
        if not self._has_stored or isinstance(self._store, ReplacedFacts):
            return False
        if self._graphs is not None and self._source is not None:
            self._graphs.drop_file(self._source)
        self._store = ReplacedFacts(self._store)
        self.reset()
        return True

    def move(self, tree: Tree) -> None:
        """Continues with the files of another tree: the next `refresh` reads and resolves what differs."""
        self._tree = tree
        self._detector.move(tree)
        self._saved = None
        self._has_moved = True

    def keep(self) -> None:
        """Stores the last snapshot for other processes, unless it is stored already."""
        if self._graphs is None or self._snapshot is None:
            return
        tree = self._detector.tree
        if self._saved is not None and self._saved[0] is self._snapshot and self._saved[1] == tree:
            return
        summaries, memory = self._snapshot.graph.summaries, self._resolver.memory()
        with self._graphs.announced(self._tree.root, self._tree.commit):
            try:
                packed = pack(
                    tree, self._manifests, summaries, self._resolver.uses, memory, self._stored, self._touched
                )
            except Lost:
                self.reset()
                return
            is_saved = self._graphs.save(
                self._tree.root, self._max_file_bytes, packed, self._tree.commit, self._tree.repository_key
            )
            if is_saved:
                self._stored, self._touched = self._graphs.kept(packed, summaries), set()
        self._saved = self._snapshot, tree

    def with_sources(self, sources: Mapping[str, bytes | None]) -> tuple[Snapshot, set[str]]:
        """The snapshot as it would be with other contents of some files, and the files that would be resolved again.

        A file with None would be absent. Nothing of the index changes. Raises Lost.
        """
        assert self._snapshot is not None
        memory = self._memory()
        was, project = self._facts.copy(), self._project()
        kept = Memory(dict(memory.consulted), list(memory.lookups), dict(memory.entries))
        resolver = Resolver.resumed(was, project, self._resolver.uses.copy(), lambda: kept)
        facts, files, manifests = was.copy(), set(project.paths), dict(project.manifests)
        for path, data in sources.items():
            language = language_of(path)
            if data is None:
                facts.pop(path)
                files.discard(path)
                manifests.pop(path, None)
                continue
            files.add(path)
            if is_manifest(path):
                manifests[path] = data
            if language is not None:
                facts.update({path: parse_file(path, language, data)})
        project = ProjectFiles(frozenset(files), dict(sorted(manifests.items())))
        touched = resolver.update(facts, project, None, set(sources))
        graph = self._snapshot.graph.after(facts, resolver.uses.copy(), set(sources), touched)
        return Snapshot(self._tree, self._snapshot.revision, facts, project, graph, self._detector.skipped), touched

    def resolution(self) -> tuple[Mapping[str, FileUses], Memory]:
        """What each file of the last snapshot uses, and what the resolver remembers. Raises Lost."""
        return self._resolver.uses, self._memory()

    def _memory(self) -> Memory:
        """What the resolver remembers. Raises Lost."""
        memory = self._resolver.memory() or (self._stored.memory() if self._stored is not None else None)
        assert memory is not None, "a resolver without a memory of its own was resumed from a stored one"
        return memory

    def prepare(self, path: str) -> None:
        """Fills the caches for questions about a file and for its next change. Raises Lost."""
        if self._snapshot is not None:
            self._snapshot.graph.prepare(path)
            self._resolver.prepare(path)

    def digest(self, path: str) -> bytes:
        """The digest of a file's content in the last snapshot; empty for other files."""
        return self._detector.digest(path)

    def ignored(self) -> tuple[Skipped, ...]:
        """The files that only ignore rules leave out, beside those that the last snapshot lists as skipped."""
        return self._detector.ignored()

    def _resume(self, graphs: GraphStore) -> None:
        """Continues from the stored snapshot, or from one of another worktree or commit, if there is one."""
        tree = self._tree
        own = graphs.load(tree.root, self._max_file_bytes, tree.commit)
        stored = own
        if own is None and not self._is_reset:
            stored = graphs.load_similar(tree.repository_key, self._max_file_bytes, tree.commit)
        if stored is None:
            return
        self._has_stored, self._source = True, stored.path
        self._detector.resume(stored.tree)
        self._manifests = stored.manifests
        self._facts = PackedMap(self._fact_loader(stored.summaries), list(stored.summaries))
        self._stored = stored
        facts, uses = self._facts.copy(), stored.uses()
        self._resolver = Resolver.resumed(facts, self._project(), uses, stored.memory)
        self._snapshot = self._snapshot_of(facts, Graph(Tables(facts, uses.copy(), stored.summaries)))
        self._saved = (self._snapshot, self._detector.tree) if own else None

    def _fact_loader(self, paths: Iterable[str]) -> Callable[[Sequence[str]], dict[str, FileFacts]]:
        """A function that loads the facts of the files as of now, even if the files change later. It raises Lost."""
        jobs = {path: (language_of(path), self._detector.digest(path)) for path in paths}

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

    def _refresh(self, progress: Progress) -> Snapshot:
        changes = self._detector.detect()
        for path in changes.gone:
            self._drop(path)
        try:
            changed = self._read(changes.stale, progress)
        finally:
            self._detector.close()
        if self._snapshot is None or self._has_moved or changed or changes.gone or changes.relisted:
            self._has_moved = False
            self._snapshot = self._assemble(self._snapshot, progress)
        return self._snapshot

    def _read(self, stale: Sequence[str], progress: Progress) -> bool:
        """Reads the facts of stale files. Returns whether any file differs from its last state."""
        self._differs = False
        new: dict[bytes, Packed[FileFacts]] = {}
        size = 0
        paths = TwoEndedQueue(stale)

        def report() -> None:
            progress.update(len(stale) - len(paths), len(stale), "reading files")

        jobs, behind = self._jobs(paths.front(), report), self._jobs(paths.back(), report)
        for job, facts in self._workers.parse(jobs, behind, alone=len(stale) < _MANY):
            self._add(job.path, facts)
            new[self._key(job.path, job.language)] = facts
            size += len(job.source)
            if size > _BATCH_BYTES or len(new) >= _BATCH_FILES:
                self._store.put(new)
                new, size = {}, 0
        if new:
            self._store.put(new)
        return self._differs

    def _jobs(self, stale: Iterator[str], report: Callable[[], None]) -> Iterator[Job]:
        """Reads stale files in batches and yields those whose facts are not in the store."""
        sources: dict[str, bytes] = {}
        size = 0
        for path in stale:
            source, new = self._detector.read(path)
            self._differs = self._differs or new
            if source is None:
                self._drop(path)
            elif new:
                sources[path] = source.data
                size += len(source.data)
            if size > _BATCH_BYTES or len(sources) >= _BATCH_FILES:
                report()
                yield from self._missing(sources)
                sources, size = {}, 0
        if sources:
            report()
            yield from self._missing(sources)

    def _missing(self, sources: Mapping[str, bytes]) -> Iterator[Job]:
        """Loads the facts that the store has, and yields a job for each file that it lacks."""
        keys: dict[str, tuple[bytes, Language]] = {}
        for path, data in sources.items():
            if is_manifest(path):
                self._manifests[path] = data
            if language := language_of(path):
                keys[path] = self._key(path, language), language
        stored = self._store.get([key for key, _ in keys.values()]) if keys else {}
        self._has_stored = self._has_stored or bool(stored)
        for path, (key, language) in keys.items():
            if key in stored:
                self._add(path, stored[key])
            else:
                yield Job(path, language, sources[path])

    def _key(self, path: str, language: Language) -> bytes:
        return key_of(path, language, self._detector.digest(path), EXTRACTOR_VERSION)

    def _add(self, path: str, facts: FileFacts | Packed[FileFacts]) -> None:
        self._facts.update({path: facts})
        self._changed.add(path)

    def _drop(self, path: str) -> None:
        if self._facts.pop(path):
            self._changed.add(path)
        self._manifests.pop(path, None)

    def _assemble(self, before: Snapshot | None, progress: Progress) -> Snapshot:
        """A snapshot of the current facts. It shares no mutable state with later snapshots."""
        facts, changed = self._facts.copy(), self._changed
        progress.update(len(facts), len(facts), "resolving names")
        touched = self._resolver.update(facts, self._project(), self._workers.resolve, changed)
        self._touched |= touched
        self._workers.close()  # they hold a part of the facts: free that memory
        uses, self._changed = self._resolver.uses.copy(), set()
        if before is not None:
            return self._snapshot_of(facts, before.graph.after(facts, uses, changed, touched))
        summaries = {path: self._summary(path, facts, uses) for path in facts}
        return self._snapshot_of(facts, Graph(Tables(facts, uses, summaries)))

    def _summary(self, path: str, facts: PackedMap[FileFacts], uses: PackedMap[FileUses]) -> FileSummary:
        """A file's summary: the one that the resolver made, if it made one."""
        own = self._resolver.summaries.get(path)
        return summary_of(facts.glance(path), *uses[path]) if own is None else own

    def _project(self) -> ProjectFiles:
        return ProjectFiles(frozenset(self._detector.listing.paths), dict(sorted(self._manifests.items())))

    def _snapshot_of(self, facts: Mapping[str, FileFacts], graph: Graph) -> Snapshot:
        return Snapshot(self._tree, self._detector.revision, facts, self._project(), graph, self._detector.skipped)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pauses the garbage collector: facts and graphs hold no cycles, and searching them takes a third of a scan."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
