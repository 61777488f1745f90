"""The same engine without a process of its own: for short-lived programs and tests. It can't be stopped midway."""

import threading
import time
from pathlib import Path

import anyio.to_thread

from bearings.code.engine.protocol import ENGINE_NAME, Answer
from bearings.code.engine.questions.base import A_co, Question
from bearings.code.engine.session import Session
from bearings.code.facts.store import FactStore
from bearings.progress import NoProgress, Progress


class InProcessEngine:
    """Answers in threads of this process, one question at a time for each project. There is no deadline."""

    def __init__(self, *, store: FactStore, max_file_bytes: int) -> None:
        self._store = store
        self._max_file_bytes = max_file_bytes
        self._rooms: dict[Path, tuple[threading.Lock, Session]] = {}

    @property
    def name(self) -> str:
        """What replies call it."""
        return ENGINE_NAME

    async def ask(self, root: Path, question: Question[A_co], progress: Progress | None = None) -> Answer[A_co]:
        """See CodeEngine. A caller that gives up waits no longer, but the work goes on to its end."""
        started = time.perf_counter()
        if root not in self._rooms:
            self._rooms[root] = (threading.Lock(), Session(root, self._store, self._max_file_bytes))
        lock, session = self._rooms[root]

        def answered() -> Answer[A_co]:
            with lock:
                return session.answer(question, progress or NoProgress())

        answer = await anyio.to_thread.run_sync(answered, abandon_on_cancel=True)
        return answer.after(time.perf_counter() - started)

    async def aclose(self) -> None:
        """Forgets every project."""
        self._rooms.clear()
        self._store.close()
