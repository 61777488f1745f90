"""Snapshots on disk, so that the next process resumes from the last one's graph.

Each project has one snapshot, a file of the folder "graphs" (snapshot_file.py, snapshot_packing.py). The file is
replaced as a whole: a killed process leaves the previous one.
A worktree or commit without a file begins with the file of another one in its repository, and compares each source.
Like the fact store this is a cache: a fault in it costs time, never an answer. A snapshot names the version of all
code that made it, and no other version reads it. A resumed index compares its files with the tree as a live index
does.
"""

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from itertools import chain
from pathlib import Path

import msgspec

from bearings.code.facts.blobs import SqliteBlobs
from bearings.code.facts.packed_map import Lost
from bearings.code.index.snapshot_file import (
    GRAPHS_FOLDER,
    MAX_GRAPHS_BYTES,
    SUFFIX,
    Label,
    framed,
    graph_path,
    makers,
    read_body,
    read_file,
    read_label,
)
from bearings.code.index.snapshot_packing import PackedSnapshot, StoredSnapshot, StoredState
from bearings.code.resolve.file_summary import FileSummary
from bearings.private import private_folder, tell_unused

_TEMPORARY = ".part"
_LOCK = ".lock"
_ABANDONED_S = 600
"""A temporary file of this age belongs to a writer that was killed."""

_MOST_TRIED = 3
"""Snapshots of a repository that are tried before a project is read anew: one may be damaged."""


class GraphStore:
    """One snapshot file for each project and commit in a folder of `directory`; `save` replaces a file atomically.

    No method raises. Beyond `max_bytes` the least recently used files are removed.
    """

    def __init__(self, directory: Path, max_bytes: int = MAX_GRAPHS_BYTES) -> None:
        self._blobs = SqliteBlobs(directory)
        self._folder = directory / GRAPHS_FOLDER
        self._max_bytes = max_bytes

    def load(self, root: Path, max_file_bytes: int, commit: str = "") -> StoredSnapshot | None:
        """The snapshot of a project, or of a commit of it, read with this limit.

        None if it is damaged or another version wrote it.
        """
        path = self._path(root, commit)
        wait_for_writer(path.with_suffix(_LOCK))
        try:
            body = read_body(path, root, max_file_bytes, commit)
            if body is None:
                return None
            os.utime(path)
            return StoredSnapshot.unpacked(body, self._blobs, path)
        except OSError as error:
            tell_unused(error)
        except (msgspec.MsgspecError, Lost, RecursionError):
            pass
        return None

    def load_similar(self, repository: bytes, max_file_bytes: int, commit: str = "") -> StoredSnapshot | None:
        """The snapshot of another worktree or commit of a repository, for a project that has none; None for none.

        `repository` is Tree.repository_key. Prefers a snapshot of the same kind (commit or worktree), then the last
        used. Between two commits stamps stay valid, because they are blob names; else they are dropped, so that every
        file is read again.
        """
        similar = []
        for path, status in snapshot_files(self._folder.parent) if repository else ():
            with suppress(OSError):
                label, is_current = read_label(path) or (None, False)
                if label and is_current and (label.repository, label.max_file_bytes) == (repository, max_file_bytes):
                    is_same_kind = bool(label.commit) == bool(commit)
                    similar.append((is_same_kind, status.st_mtime_ns, path))
        for _, _, path in sorted(similar, reverse=True)[:_MOST_TRIED]:
            with suppress(OSError, msgspec.MsgspecError, Lost):
                labelled = read_file(path)
                if labelled is not None:
                    snapshot = StoredSnapshot.unpacked(labelled[1], self._blobs, path)
                    return snapshot if commit and labelled[0].commit else snapshot.without_stamps()
        return None

    def has(self, root: Path, commit: str = "") -> bool:
        """Whether a snapshot is stored, which `load` may still refuse."""
        with suppress(OSError):
            return self._path(root, commit).exists()
        return False

    def writing(self, root: Path, commit: str = "") -> AbstractContextManager[None]:
        """A context for making and saving a snapshot: other processes that load the project wait for it."""
        return writing(self._path(root, commit).with_suffix(_LOCK))

    def turn(self, root: Path, commit: str = "") -> "Turn":
        """The right to make a project's first snapshot, which one process has at a time."""
        return Turn(self._path(root, commit).with_suffix(f".first{_LOCK}"))

    def kept(self, snapshot: PackedSnapshot, summaries: Mapping[str, FileSummary]) -> StoredSnapshot:
        """A snapshot that was saved, as the base of the next one."""
        return StoredSnapshot(msgspec.msgpack.decode(snapshot.body, type=StoredState), summaries, self._blobs)

    def put(self, rows: dict[bytes, bytes]) -> bool:
        """Stores rows of a snapshot that is being made. Returns whether they are stored."""
        return not rows or self._blobs.put(rows)

    def save(
        self,
        root: Path,
        max_file_bytes: int,
        snapshot: PackedSnapshot,
        commit: str = "",
        repository: bytes = b"",
    ) -> bool:
        """Replaces a project's snapshot; its rows are stored first. Returns whether it is stored."""
        if not (snapshot.is_whole and self.put(snapshot.rows)):
            return False
        body, temporary = snapshot.body, None
        try:
            private_folder(self._folder)
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=_TEMPORARY, delete=False) as file:
                temporary = Path(file.name)
                file.writelines(framed(Label.of(root, max_file_bytes, commit, repository), body))
            temporary.replace(self._path(root, commit))
            self._evict()
        except OSError as error:
            tell_unused(error)
            if temporary is not None:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)
            return False
        return True

    def close(self) -> None:
        """Closes the database of rows."""
        self._blobs.close()

    def drop(self, root: Path, commit: str = "") -> None:
        """Removes a project's snapshot."""
        self.drop_file(self._path(root, commit))

    @staticmethod
    def drop_file(path: Path) -> None:
        """Removes a snapshot by its file, which may be another project's."""
        with suppress(OSError):
            path.unlink(missing_ok=True)

    def _path(self, root: Path, commit: str) -> Path:
        return graph_path(self._folder.parent, root, commit)

    def _evict(self) -> None:
        """Removes the least recently used files until the rest fits, and temporary files of writers that were killed.

        Walks newest first, so that the room goes to the files used last.
        """
        now, room_left = time.time(), self._max_bytes
        for path, status in sorted(snapshot_files(self._folder.parent), key=lambda found: -found[1].st_mtime):
            is_temporary = path.suffix in (_TEMPORARY, _LOCK)
            room_left -= status.st_size
            if room_left < 0 or (is_temporary and status.st_mtime < now - _ABANDONED_S):
                self.drop_file(path)


class Turn:
    """Makes one process after the other index a project. The system takes it from a process that is killed."""

    def __init__(self, lock: Path) -> None:
        from filelock import FileLock

        self._path = lock
        self._lock = FileLock(lock, mode=0o600, thread_local=False)

    def take(self, seconds: float = 0) -> bool:
        """Whether it is this process' turn within some seconds; it always is where no file can be locked."""
        from filelock import Timeout

        try:
            private_folder(self._path.parent)
            self._lock.acquire(seconds)
        except Timeout:
            return False
        except OSError as error:
            tell_unused(error)
        return True

    def end(self) -> None:
        """Lets the next process have its turn."""
        if self._lock.is_locked:
            _remove(self._path)
            self._lock.release()


def warm_up() -> None:
    """Computes the code digest of the header ahead of the first load; it is cached."""
    with suppress(OSError):
        makers()


def graphs_bytes(directory: Path) -> int:
    """The size in bytes of all snapshots in a directory; 0 if there are none."""
    return sum(status.st_size for _, status in snapshot_files(directory))


def drop_graphs(directory: Path) -> None:
    """Removes all snapshots of a directory. Raises OSError if they can't be removed."""
    for path, _ in snapshot_files(directory):
        path.unlink(missing_ok=True)


def snapshot_files(directory: Path) -> list[tuple[Path, os.stat_result]]:
    """The files of a directory's snapshots, those that are being written, and locks."""
    files = []
    for path in chain.from_iterable((directory / GRAPHS_FOLDER).glob(f"*{end}") for end in (SUFFIX, _TEMPORARY, _LOCK)):
        with suppress(OSError):
            files.append((path, path.lstat()))
    return files


_PATIENCE_S = 5.0
"""How long a reader waits for a writer: computing the result anew takes longer."""

_POLL_S = 0.01


@contextmanager
def writing(lock: Path) -> Iterator[None]:
    """A context in which other processes' `wait_for_writer` waits.

    Nothing is excluded: writers replace whole files, so a second writer goes on without the lock. Readers wait because
    reading the new snapshot is quicker than computing it. The system releases the lock of a writer that is killed.
    """
    from filelock import FileLock, Timeout

    with ExitStack() as lock_held:
        with suppress(OSError, Timeout):
            private_folder(lock.parent)
            lock_held.enter_context(FileLock(lock, timeout=0, mode=0o600))
            lock_held.callback(_remove, lock)
        yield


def wait_for_writer(lock: Path) -> None:
    """Waits while another process writes. Costs one `stat` if none does, which is nearly always."""
    with suppress(OSError):
        if not lock.exists():
            return
        from filelock import FileLock, Timeout

        with suppress(Timeout), FileLock(lock, timeout=_PATIENCE_S, mode=0o600, poll_interval=_POLL_S):
            _remove(lock)


def _remove(lock: Path) -> None:
    with suppress(OSError):
        lock.unlink(missing_ok=True)
