"""The index of one project: it reads what changed in the tree and builds the graph of the current state.

`refresh` runs change detection, reads and parses stale files (facts come from the store if it has them), resolves
those that the change can affect, and returns an immutable snapshot.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bearings.caller import Roots
from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.packing import Packed
from bearings.code.facts.store import FactStore
from bearings.code.file_facts import FileFacts
from bearings.code.graph.lookup_tables import Tables
from bearings.code.graph.project_graph import Graph
from bearings.code.index.change_detection import TreeState
from bearings.code.index.collector import collector_paused
from bearings.code.index.project_facts import ProjectFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.snapshot_packing import StoredSnapshot, pack
from bearings.code.index.snapshot_store import GraphStore, Turn
from bearings.code.index.worker_pool import WorkerPool
from bearings.code.languages import language_of
from bearings.code.models import ProjectFiles
from bearings.code.project.names import is_manifest
from bearings.code.project.skipped import Skipped
from bearings.code.project.tree import Tree
from bearings.code.project.working_tree import WorkingTree
from bearings.code.resolve.file_summary import EncodedSummaries, FileSummary, counts_of, summaries_for, summary_of
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.memory import Memory
from bearings.errors import DeadlineExceeded
from bearings.progress import NoProgress, Progress

if TYPE_CHECKING:
    from bearings.code.resolve.file_resolver import FileResolver
    from bearings.code.resolve.resolver import Resolver

_LOG = logging.getLogger(__name__)
_REPORT_S = 1.0
_LONG_S = 30.0
"""An index that took longer is stored before it answers: the answer may take longer than the time that is left."""
PARTIAL = "partial "
"""Begins the name under which an index is stored whose last files were not resolved in time."""


class _MadeMeanwhile(Exception):
    """Another process had its turn, and has probably stored the index."""


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
        self._facts = ProjectFacts(tree or WorkingTree(root, roots), store, max_file_bytes, self._workers)
        self._max_file_bytes = max_file_bytes
        self._is_reset = False
        self._source: Path | None = None
        self._turn: Turn | None = None
        self._forget()

    def _forget(self) -> None:
        self._end_turn()
        self._facts.forget()
        self._made: Resolver | None = None
        self._make = _new_resolver
        self._snapshot: Snapshot | None = None
        self._has_moved = False
        self._touched: set[str] = set()
        self._stored: StoredSnapshot | None = None
        self._saved: tuple[Snapshot, TreeState] | None = None

    @property
    def _resolver(self) -> "Resolver":
        """The resolver, made at its first use: importing it takes longer than an answer from a stored snapshot."""
        if self._made is None:
            self._made = self._make()
        return self._made

    @property
    def _tree(self) -> Tree:
        return self._facts.tree

    def refresh(self, progress: Progress | None = None) -> Snapshot:
        """Returns a snapshot of the current state; the same object as last time if nothing changed.

        Reading a snapshot may raise Lost if stored facts have disappeared: call `reset` and `refresh` then.
        """
        try:
            with collector_paused():
                began = time.monotonic()
                self.resume()
                goes_on, snapshot = self._is_partial, self._refresh(progress or NoProgress())
                if goes_on or time.monotonic() - began > _LONG_S:
                    self.keep()
                return snapshot
        except _MadeMeanwhile:
            self._forget()
            return self.refresh(progress)
        except Lost:
            self.reset()
            return self.refresh(progress)
        except BaseException as error:
            if not (isinstance(error, DeadlineExceeded) and self._is_partial):
                self._forget()  # the facts are incomplete: change detection must not treat them as current
            raise
        finally:
            self._workers.close()

    @property
    def _is_partial(self) -> bool:
        """Whether all facts are read, but not all files are resolved."""
        return self._made is not None and bool(self._made.pending)

    def resume(self) -> bool:
        """Whether there is a snapshot: the last one, or one that another process has stored."""
        if self._snapshot is None and self._graphs is not None:
            self._resume(self._graphs)
        return self._snapshot is not None

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
        if not (self._facts.has_stored and self._facts.distrust()):
            return False
        if self._graphs is not None and self._source is not None:
            self._graphs.drop_file(self._source)
        self.reset()
        return True

    def move(self, tree: Tree) -> None:
        """Continues with the files of another tree: the next `refresh` reads and resolves what differs."""
        self._facts.move(tree)
        self._saved = None
        self._has_moved = True

    def publish(self) -> None:
        """Stores the first snapshot, for which other processes may wait."""
        if self._turn is not None:
            self.keep()

    def keep(self) -> None:
        """Stores the last snapshot for other processes, unless it is stored already."""
        try:
            self._keep()
        finally:
            self._end_turn()

    def _keep(self) -> None:
        if self._graphs is None or self._snapshot is None:
            self._keep_partial()
            return
        tree = self._facts.detector.tree
        if self._saved is not None and self._saved[0] is self._snapshot and self._saved[1] == tree:
            return
        summaries, memory = self._snapshot.graph.summaries, self._resolver.memory()
        with self._graphs.writing(self._tree.root, self._tree.commit):
            try:
                packed = pack(
                    tree,
                    self._facts.manifests,
                    summaries,
                    self._resolver.uses,
                    memory,
                    self._stored,
                    self._touched,
                    self._graphs.put,
                )
            except Lost:
                self.reset()
                return
            is_saved = self._graphs.save(
                self._tree.root, self._max_file_bytes, packed, self._tree.commit, self._tree.repository_key
            )
            if is_saved:
                self._graphs.drop(self._tree.root, f"{PARTIAL}{self._tree.commit}")
                self._stored, self._touched = self._graphs.kept(packed, summaries), set()
        self._saved = self._snapshot, tree

    def _keep_partial(self) -> None:
        """Stores what was resolved before the time was over, for the next process to go on with."""
        if self._graphs is None or not self._is_partial:
            return
        name = f"{PARTIAL}{self._tree.commit}"
        with self._graphs.writing(self._tree.root, name):
            facts, uses, memory = self._facts.by_path, self._resolver.uses, self._resolver.memory()
            summaries = self._summaries(uses, facts, uses)
            state, put = self._facts.detector.tree, self._graphs.put
            packed = pack(state, self._facts.manifests, summaries, uses, memory, None, summaries, put)
            self._graphs.save(self._tree.root, self._max_file_bytes, packed, name)

    def with_sources(self, sources: Mapping[str, bytes | None]) -> tuple[Snapshot, set[str]]:
        """The snapshot as it would be with other contents of some files, and the files that would be resolved again.

        A file with None would be absent. Nothing of the index changes. Raises Lost.
        """
        from bearings.code.parse import parse_file

        assert self._snapshot is not None
        memory = self._memory()
        was, project = self._facts.by_path.copy(), self._facts.project
        copied = Memory(dict(memory.consulted), list(memory.lookups), memory.entries)
        resolver = _resumed_resolver(was, project, self._resolver.uses.copy(), lambda: copied)
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
        project = ProjectFiles(frozenset(files), dict(sorted(manifests.items())), self._facts.installation.packages)
        touched = resolver.update(facts, project, None, set(sources))
        graph = self._snapshot.graph.after(facts, resolver.uses.copy(), set(sources), touched)
        return replace(self._snapshot, facts=facts, project=project, graph=graph), touched

    def resolution(self) -> tuple[Mapping[str, FileUses], Memory]:
        """The uses of each file of the last snapshot, and the memory of the resolver. Raises Lost."""
        return self._resolver.uses, self._memory()

    def _memory(self) -> Memory:
        """The memory of the resolver. Raises Lost."""
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
        return self._facts.detector.digest(path)

    def ignored(self) -> tuple[Skipped, ...]:
        """The files that only ignore rules leave out, beside those that the last snapshot lists as skipped."""
        return self._facts.detector.ignored()

    def _resume(self, graphs: GraphStore) -> None:
        """Continues from the stored snapshot, or from one of another worktree or commit, if there is one."""
        tree = self._tree
        own = graphs.load(tree.root, self._max_file_bytes, tree.commit)
        stored = own
        if own is None and not self._is_reset:
            stored = graphs.load_similar(tree.repository_key, self._max_file_bytes, tree.commit)
        if stored is None:
            if self._made is None and not self._is_reset:
                self._resume_partial(graphs)
            return
        self._source = stored.path
        self._facts.resume(stored.state.tree, stored.state.manifests, stored.summaries)
        self._stored = stored
        facts, uses = self._facts.by_path.copy(), stored.uses()
        self._make = partial(_resumed_resolver, facts, self._facts.project, uses, stored.memory)
        self._snapshot = self._snapshot_of(facts, Graph(Tables(facts, uses.copy(), stored.summaries)))
        self._saved = (self._snapshot, self._facts.detector.tree) if own else None

    def _resume_partial(self, graphs: GraphStore) -> None:
        """Continues with what an earlier process resolved before its time was over."""
        stored = graphs.load(self._tree.root, self._max_file_bytes, f"{PARTIAL}{self._tree.commit}")
        if stored is None:
            return
        self._source = stored.path
        read = [path for path in stored.state.known if language_of(path) is not None]
        self._facts.resume(stored.state.tree, stored.state.manifests, read)
        facts = self._facts.by_path.copy()
        self._made = _resumed_resolver(facts, self._facts.project, stored.uses(), stored.memory)
        self._made.pending, self._made.summaries = facts.keys() - stored.summaries.keys(), stored.summaries

    def _refresh(self, progress: Progress) -> Snapshot:
        changed = self._facts.refresh(progress, lambda: self._await_turn(progress))
        if changed or self._snapshot is None or self._has_moved:
            self._has_moved = False
            self._snapshot = self._assemble(self._snapshot, progress)
        return self._snapshot

    def _await_turn(self, progress: Progress) -> None:
        """Returns if no other process makes the first snapshot, else raises _MadeMeanwhile when that has ended."""
        if self._graphs is None or self._snapshot is not None or self._turn is not None:
            return
        turn = self._graphs.turn(self._tree.root, self._tree.commit)
        if turn.take():
            self._turn = turn
            return
        while not turn.take(_REPORT_S):
            progress.update(0, None, "waiting for another process, which indexes this project")
        turn.end()
        raise _MadeMeanwhile

    def _end_turn(self) -> None:
        turn, self._turn = self._turn, None
        if turn is not None:
            turn.end()

    def _assemble(self, before: Snapshot | None, progress: Progress) -> Snapshot:
        """A snapshot of the current facts. It shares no mutable state with later snapshots."""
        facts, changed = self._facts.by_path.copy(), self._facts.changed
        progress.update(0, len(facts), "resolving names")
        try:
            touched = self._resolver.update(facts, self._facts.project, partial(self._resolved, progress), changed)
        except DeadlineExceeded:
            self._facts.changed = set()  # the resolver has taken them
            raise
        self._touched |= touched
        self._workers.close()  # they hold a part of the facts: free that memory
        self._facts.installation.forget()
        uses, self._facts.changed = self._resolver.uses.copy(), set()
        if before is not None:
            graph = before.graph.after(facts, uses, changed, touched)
        else:
            graph = Graph(Tables(facts, uses, self._summaries(facts, facts, uses)))
        known = before.graph.summaries if before is not None else {}
        given_up = {path for path, one in counts_of(graph.summaries) if one.unresolved and path in touched}
        if any(path not in known or not known[path].unresolved for path in given_up) and self.distrust():
            _LOG.warning("what is stored of the project is dropped, and its sources are read again")
            raise Lost("a file was given up, perhaps because of what was stored")
        return self._snapshot_of(facts, graph)

    def _resolved(
        self, progress: Progress, files: "FileResolver", paths: Sequence[str]
    ) -> Iterator[Mapping[str, FileUses | Packed[FileUses]]]:
        done = 0
        for uses in self._workers.resolve(files, paths):
            yield uses
            done += len(uses)
            progress.update(done, len(paths), "resolving names")

    def _summaries(
        self, paths: Collection[str], facts: PackedMap[FileFacts], uses: PackedMap[FileUses]
    ) -> Mapping[str, FileSummary]:
        """The summary of each file: the one that the resolver made, if it made one."""
        made = self._resolver.summaries
        if isinstance(made, EncodedSummaries) and len(made) == len(paths):
            return made
        summaries = summaries_for(len(paths))
        summaries.update((path, made.get(path) or summary_of(facts.glance(path), *uses[path])) for path in paths)
        return summaries

    def _snapshot_of(self, facts: Mapping[str, FileFacts], graph: Graph) -> Snapshot:
        detector = self._facts.detector
        return Snapshot(self._tree, detector.revision, facts, self._facts.project, graph, detector.skipped)


def _new_resolver() -> "Resolver":
    from bearings.code.resolve.resolver import Resolver

    return Resolver()


def _resumed_resolver(
    facts: Mapping[str, FileFacts], project: ProjectFiles, uses: PackedMap[FileUses], memory: Callable[[], Memory]
) -> "Resolver":
    from bearings.code.resolve.resolver import Resolver

    return Resolver.resumed(facts, project, uses, memory)
