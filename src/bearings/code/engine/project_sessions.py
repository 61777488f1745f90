"""The sessions of one project: one for its working tree, one for each of the last commits asked about.

A commit's session never looks at the working tree. When there is no room for a further commit, the least recently
used session moves to it: it reads and resolves only the files that differ between the two commits.
"""

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bearings.caller import Roots
from bearings.code.engine.session import Session
from bearings.code.facts.store import FactStore
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.project.git.commit_tree import CommitTree
from bearings.code.question import Answer, Question
from bearings.progress import Progress

MAX_COMMITS = 2
"""Commits whose graphs stay in memory: two that are compared are asked about in turn."""


class ProjectSessions:
    """Answers questions about a project and its commits, one at a time."""

    def __init__(
        self,
        root: Path,
        store: FactStore,
        max_file_bytes: int,
        graphs: GraphStore | None = None,
        roots: Roots = None,
    ) -> None:
        self._root = root
        self._store = store
        self._max_file_bytes = max_file_bytes
        self._graphs = graphs
        self._roots = roots
        self._current = Session(root, store, max_file_bytes, graphs, roots)
        self._commits: OrderedDict[str, Session] = OrderedDict()
        self._last = self._current

    def answer(self, question: Question[Any], progress: Progress) -> Answer[Any]:
        """The answer, or one of the errors that `CodeEngine.ask` names."""
        try:
            self._last = (
                self._current if question.at is None else self._of_commit(question.at, question.commit_argument)
            )
            return self._last.answer(question, progress)
        finally:
            for session in self._every():
                session.close()

    def preload(self, progress: Progress) -> None:
        """Reads the working tree for the first question."""
        self._current.preload(progress)

    def index(self) -> None:
        """Indexes the working tree for other processes."""
        self._current.index()

    def prepare(self) -> bool:
        """Fills the caches for one more file of what was asked about last. Returns whether there are more."""
        return self._last.prepare()

    def keep(self, *, if_awaited: bool = False) -> None:
        """Stores the snapshots for the next process; see Session."""
        for session in self._every():
            session.keep(if_awaited=if_awaited)

    def _every(self) -> Iterator[Session]:
        yield self._current
        yield from self._commits.values()

    def _of_commit(self, name: str, field: str) -> Session:
        """The session of a commit by its name. Raises InvalidInput for the argument `field`, Unsupported."""
        tree = CommitTree(self._root, self._roots, name, field)
        session = self._commits.pop(tree.commit, None)
        if session is None and (len(self._commits) < MAX_COMMITS or self._is_stored(tree)):
            session = Session(self._root, self._store, self._max_file_bytes, self._graphs, self._roots, tree)
        elif session is None:
            _, session = self._commits.popitem(last=False)
            session.keep()
            session.move(tree)
        self._commits[tree.commit] = session
        while len(self._commits) > MAX_COMMITS:
            _, oldest = self._commits.popitem(last=False)
            oldest.keep()
        return session

    def _is_stored(self, tree: CommitTree) -> bool:
        """Whether another process, or a session that had to go, has stored the commit's snapshot."""
        return self._graphs is not None and self._graphs.has(tree.root, tree.commit)
