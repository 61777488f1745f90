"""A session with one project: refreshes its index, then answers. The worker process of the native engine runs it."""

import logging
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearings.caller import Roots
from bearings.code.engine.wire import Closed
from bearings.code.facts.packed_map import Lost
from bearings.code.facts.store import FactStore
from bearings.code.index.collector import collector_paused
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.project.source_lines import Changed, Lines
from bearings.code.project.tree import Tree
from bearings.code.project.working_tree import WorkingTree
from bearings.code.question import ENGINE_NAME, Answer, Question
from bearings.code.questions import compute_of
from bearings.code.replies.element import IndexInfo
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.view import WholeGraph
from bearings.errors import BearingsError, Internal
from bearings.progress import NoProgress, Progress

if TYPE_CHECKING:
    from bearings.code.engine.lexical import LexicalIndex
    from bearings.code.index.demand import UnindexedProject

_LOG = logging.getLogger(__name__)
_ATTEMPTS = 5
_SHORT_COMMIT = 12
"""Digits of a commit's name in replies."""

_AHEAD_S = 1.0
"""How long before the first question a preload may have begun to serve it: a command's imports take less."""


class Session:
    """Answers one question at a time, from the state of the tree at the time of the question.

    `tree` has the project's files, by default those on disk.
    """

    def __init__(
        self,
        root: Path,
        store: FactStore,
        max_file_bytes: int,
        graphs: GraphStore | None = None,
        roots: Roots = None,
        tree: Tree | None = None,
    ) -> None:
        self._tree = tree or WorkingTree(root, roots)
        self._max_file_bytes = max_file_bytes
        self._index = Index(root, store, max_file_bytes, graphs=graphs, roots=roots, tree=self._tree)
        self._store = store
        self._demand: UnindexedProject | None = None
        self._is_indexed = False
        self._preloaded_at = 0.0
        self._lexical: LexicalIndex | None = None
        self._to_prepare: tuple[Snapshot, Iterator[str]] | None = None

    def answer(self, question: Question[Any], progress: Progress) -> Answer[Any]:
        """The answer, or one of the errors that `CodeEngine.ask` names."""
        started = time.perf_counter()
        preloaded_at, self._preloaded_at = self._preloaded_at, 0.0
        fresh_at = time.time()
        is_fresh = not question.edits and 0 <= fresh_at - preloaded_at < _AHEAD_S
        with collector_paused():
            if question.reads_lines_only:
                snapshot = self._lexical_index.refresh()
                value = compute_of(question)(question, self._view(snapshot, progress))
            else:
                snapshot, value = self._answer_current(question, progress, is_fresh=is_fresh)
        is_whole = snapshot.graph.is_whole
        state = IndexInfo(
            files=len(snapshot.facts),
            elements=snapshot.elements if is_whole else None,
            revision=snapshot.revision,
            fresh_at=IndexInfo.moment(preloaded_at if is_fresh else fresh_at),
            took_ms=round((time.perf_counter() - started) * 1000, 1),
            engine=ENGINE_NAME,
            commit=self._tree.commit[:_SHORT_COMMIT] or None,
            read=None if is_whole else self._demand.files_read if self._demand is not None else 0,
        )
        return Answer(value, state)

    def move(self, tree: Tree) -> None:
        """Continues with the files of another tree; reads and resolves only what differs."""
        self._tree = tree
        self._index.move(tree)
        self._end_demand()
        self._lexical = None
        self._to_prepare = None

    def preload(self, progress: Progress) -> None:
        """Reads the project for the first question, which does not compare the tree again if it comes soon."""
        started = time.time()
        if (demand := self._unindexed()) is not None:
            with suppress(NeedsIndex):
                demand.refresh(progress)
                self._preloaded_at = started
                return
        self._index.refresh(progress)
        self._preloaded_at = started

    def index(self) -> None:
        """Indexes the project, for the next question and for other processes."""
        self._index.refresh(NoProgress())
        self._index.keep()

    def prepare(self) -> bool:
        """Fills the caches for one more file. Returns whether there are more."""
        snapshot = self._index.snapshot
        if snapshot is None:
            return False
        if self._to_prepare is None or self._to_prepare[0] is not snapshot:
            self._to_prepare = snapshot, iter(list(snapshot.facts))
        try:
            path = next(self._to_prepare[1], None)
            if path is not None:
                self._index.prepare(path)
        except Lost:
            self._index.reset()
            return False
        except Exception as error:
            if not self._distrusts(error):
                raise
            return False
        return path is not None

    def keep(self, *, if_awaited: bool = False) -> None:
        """Stores the snapshot for the next process, unless it is stored already, or no process may wait for it."""
        try:
            if if_awaited:
                self._index.publish()
            else:
                self._index.keep()
        except Exception as error:
            if not self._distrusts(error):
                raise

    def close(self) -> None:
        """Ends what reading has left open."""
        self._tree.close()

    def _answer_current(
        self, question: Question[Any], progress: Progress, *, is_fresh: bool
    ) -> tuple[Snapshot, object]:
        """The current snapshot and its answer; lines of source come from the same state of the files.

        Retries with a new index if stored facts are lost, or if they may be why no answer could be computed; with a
        refreshed one if a file has changed meanwhile.
        """
        if question.on_demand and (demand := self._unindexed()) is not None:
            try:
                return self._answer_on_demand(demand, question, progress, is_fresh=is_fresh)
            except NeedsIndex:
                pass
        self._end_demand()
        for _ in range(_ATTEMPTS):
            current = self._index.snapshot if is_fresh else None
            is_fresh = False
            try:
                snapshot = current or self._index.refresh(progress)
                return snapshot, compute_of(question)(question, self._view(snapshot, progress))
            except Lost:
                self._index.reset()
            except Changed:
                continue
            except (BearingsError, Closed):
                raise
            except Exception as error:
                if not self._distrusts(error):
                    raise
        raise Internal("the project's files change faster than they can be read", "Ask again when they change less.")

    def _end_demand(self) -> None:
        """From now on all answers are the index's."""
        demand, self._demand, self._is_indexed = self._demand, None, True
        if demand is not None:
            demand.close()

    def _unindexed(self) -> "UnindexedProject | None":
        """The project before there is an index; None afterwards. Its modules are imported if they are needed."""
        if self._is_indexed or self._index.resume():
            return None
        if self._demand is None:
            from bearings.code.index.demand import UnindexedProject

            self._demand = UnindexedProject(self._tree, self._store, self._max_file_bytes)
        return self._demand

    def _answer_on_demand(
        self, demand: "UnindexedProject", question: Question[Any], progress: Progress, *, is_fresh: bool
    ) -> tuple[Snapshot, object]:
        """The answer from the files that may hold it, before there is an index. Raises NeedsIndex."""
        for attempt in range(_ATTEMPTS):
            snapshot = demand.begin(question, progress, is_fresh=is_fresh and not attempt)
            lines = Lines(self._tree, demand.digest, self._max_file_bytes)
            view = WholeGraph(snapshot, self._index, lines, progress, self._max_file_bytes, demand.with_sources)
            try:
                return snapshot, compute_of(question)(question, view)
            except Changed:
                continue
        raise NeedsIndex("the project's files change")

    def _distrusts(self, error: Exception) -> bool:
        """Drops all that was stored if it may be the cause of an error, which is logged. Returns whether it may."""
        if not self._index.distrust():
            return False
        _LOG.warning("what is stored of the project is dropped, and its sources are read again", exc_info=error)
        return True

    def _view(self, snapshot: Snapshot, progress: Progress) -> WholeGraph:
        lines = Lines(self._tree, self._index.digest, self._max_file_bytes)
        return WholeGraph(snapshot, self._index, lines, progress, self._max_file_bytes)

    @property
    def _lexical_index(self) -> "LexicalIndex":
        from bearings.code.engine.lexical import LexicalIndex

        if self._lexical is None:
            self._lexical = LexicalIndex(self._tree, self._max_file_bytes)
        return self._lexical
