"""An engine in the test's own process, where a question can't be stopped midway, and a store of facts in its memory."""

import threading
import time
from pathlib import Path

import anyio.to_thread

from bearings.code.engine.project_sessions import ProjectSessions
from bearings.code.facts.store import FactStore, LateFacts, NoFacts
from bearings.code.question import ENGINE_NAME, A_co, Answer, Question
from bearings.progress import NoProgress, Progress


class MemoryFacts(LateFacts):
    """Facts in memory: they wait to be written for good."""

    def __init__(self) -> None:
        super().__init__(NoFacts())

    def settle(self) -> None:
        """Writes nothing."""


class InProcessEngine:
    """Answers in threads of this process, one question at a time for each project. There is no deadline."""

    def __init__(self, *, store: FactStore, max_file_bytes: int) -> None:
        self._store = store
        self._max_file_bytes = max_file_bytes
        self._sessions: dict[Path, tuple[threading.Lock, ProjectSessions]] = {}

    @property
    def name(self) -> str:
        """The engine's name in replies."""
        return ENGINE_NAME

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """See CodeEngine. When a caller cancels, the work continues to its end."""
        started = time.perf_counter()
        if root not in self._sessions:
            self._sessions[root] = (threading.Lock(), ProjectSessions(root, self._store, self._max_file_bytes))
        lock, session = self._sessions[root]

        def answer_locked() -> Answer[A_co]:
            with lock:
                return session.answer(question, progress or NoProgress())

        answer = await anyio.to_thread.run_sync(answer_locked, abandon_on_cancel=True)
        return answer.after(time.perf_counter() - started)

    async def aclose(self) -> None:
        """Drops every project."""
        self._sessions.clear()
        self._store.close()
