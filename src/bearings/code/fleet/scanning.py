"""Reads one repository, wherever the work runs: fetches it if it has a URL, then asks a worker process about it."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import anyio
import msgspec

from bearings.code.catalogue.rows import Contents
from bearings.code.engine.native import NativeEngine
from bearings.code.project.git.cloning import CloneFails, Limits, clone, commit_of
from bearings.code.questions.catalogued import Catalogued
from bearings.errors import BearingsError, DeadlineExceeded, NotFound


@dataclass(frozen=True, slots=True)
class Task:
    """A repository to read. `folder` holds its files: for a URL, where a clone is put.

    `fingerprint` and `commit` are those of the last scan, empty for a new one. A repository may take `seconds`, and its
    clone `bytes`. Facts are stored in `cache_dir`; None stores nothing.
    """

    name: str
    folder: str
    url: str
    fingerprint: str
    commit: str
    seconds: float
    bytes: int
    max_file_bytes: int
    cache_dir: str | None


@dataclass(frozen=True, slots=True)
class Scanned:
    """The result of a task: its contents, encoded, or why there are none. It took `seconds`."""

    name: str
    seconds: float
    contents: bytes = b""
    failure: str = ""

    def decoded(self) -> Contents:
        """The contents."""
        return msgspec.msgpack.decode(self.contents, type=Contents)


def scan(task: Task) -> Scanned:
    """Reads a repository. Raises nothing: a failure is a result."""
    started, contents, failure = time.perf_counter(), b"", ""
    try:
        contents = msgspec.msgpack.encode(_contents(task))
    except CloneFails as error:
        failure = f"it can't be fetched: {error}"
    except DeadlineExceeded:
        failure = f"it takes more than {task.seconds:g} s"
    except BearingsError as error:
        failure = error.error
    except Exception as error:  # noqa: BLE001 - one repository must not end the scan of the others
        failure = f"{type(error).__name__}: {error}"
    return Scanned(task.name, time.perf_counter() - started, contents, failure)


def _contents(task: Task) -> Contents:
    folder = Path(task.folder)
    if task.url:
        _fetch(task, folder)
    root = Path(os.path.realpath(folder))
    if not root.is_dir():
        raise NotFound("its path is no folder" if os.path.lexists(folder) else "its path does not exist")
    return anyio.run(_asked, task, root)


def _fetch(task: Task, folder: Path) -> None:
    """Makes the clone current. Raises CloneFails, OSError."""
    limits = Limits(task.seconds, task.bytes)
    if task.commit and folder.is_dir() and commit_of(task.url, limits) == task.commit:
        return
    clone(task.url, folder, limits)


async def _asked(task: Task, root: Path) -> Contents:
    """The answer of a worker process, which is killed if it takes too long."""
    engine = NativeEngine(
        timeout_s=task.seconds,
        cache_dir=Path(task.cache_dir) if task.cache_dir else None,
        max_file_bytes=task.max_file_bytes,
        roots=(root,) if task.url else None,
    )
    try:
        return (await engine.ask(root, Catalogued(known=task.fingerprint))).value
    finally:
        await engine.aclose()
