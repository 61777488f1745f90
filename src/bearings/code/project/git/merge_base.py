"""The best common ancestor of two commits, found in the commits' own data: only `cat-file` runs.

Commits are visited from the newest on. A commit that descends from both is a candidate, and its ancestors are none;
the search ends when only ancestors of candidates are left (git-merge-base, "best common ancestor").
"""

import heapq
import re
from contextlib import closing

from bearings.code.project.git.objects import Objects
from bearings.code.project.git.plumbing import GitFails
from bearings.code.project.git.repository import Repository

_TIMEOUT_S = 60.0
_MAX_COMMIT = 1_000_000
_MOST_COMMITS = 200_000
"""Commits that are read: some twenty seconds."""

_PARENT = re.compile(rb"^parent ([0-9a-f]{40,64})$", re.MULTILINE)
COMMITTED = re.compile(rb"^committer [^\n]*> (\d{1,12}) [+-]\d+$", re.MULTILINE)
"""The line of a commit with its time."""

_ONE, _OTHER, _STALE = 1, 2, 4


def merge_base(repository: Repository, one: str, other: str) -> str | None:
    """The newest common ancestor of two commits by full names, or None. Raises GitFails, GitHangs."""
    with closing(Objects(repository, _TIMEOUT_S)) as objects:
        return _Search(repository, objects).between(one, other)


class _Search:
    """One search. `_marks` says from which of the two commits each one was reached."""

    def __init__(self, repository: Repository, objects: Objects) -> None:
        self._repository = repository
        self._objects = objects
        self._known: dict[str, tuple[int, tuple[str, ...]]] = {}
        self._marks: dict[str, int] = {}
        self._queue: list[tuple[int, str]] = []
        self._queued: set[str] = set()
        self._fresh = 0
        """The queued commits that are not stale."""

    def between(self, one: str, other: str) -> str | None:
        """The best common ancestor."""
        self._mark(one, _ONE)
        self._mark(other, _OTHER)
        candidates: dict[str, int] = {}
        while self._fresh:
            age, name = heapq.heappop(self._queue)
            self._queued.discard(name)
            marks = self._marks[name]
            self._fresh -= not marks & _STALE
            if marks == _ONE | _OTHER:
                candidates[name] = age
                marks |= _STALE
            for parent in self._known[name][1]:
                self._mark(parent, marks)
        best = [(age, name) for name, age in candidates.items() if not self._marks[name] & _STALE]
        return min(best)[1] if best else None

    def _mark(self, name: str, marks: int) -> None:
        """Add marks to a commit, and queue it if it has gained any."""
        before = self._marks.get(name, 0)
        now = before | marks
        if now == before or not self._is_read(name):
            return
        self._marks[name] = now
        if name in self._queued:
            self._fresh -= bool(now & _STALE and not before & _STALE)
            return
        heapq.heappush(self._queue, (-self._known[name][0], name))
        self._queued.add(name)
        self._fresh += not now & _STALE

    def _is_read(self, name: str) -> bool:
        """Whether a commit's time and parents are known; not beyond the end of a shallow clone. Raises GitFails."""
        if name in self._known:
            return True
        data = self._objects.read(name, "commit", _MAX_COMMIT)
        if data is None:
            if self._repository.shallow:
                return False
            raise GitFails(f"the commit {name[:12]} is absent or damaged")
        if len(self._known) >= _MOST_COMMITS:
            raise GitFails("the history is too long to search")
        head = data.partition(b"\n\n")[0]
        when = COMMITTED.search(head)
        parents = tuple(parent.decode() for parent in _PARENT.findall(head))
        self._known[name] = int(when[1]) if when else 0, parents
        return True
