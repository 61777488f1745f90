"""Answering a batch of questions in any process: this one, or a worker on another machine.

The settings travel with the questions. A process opens its sources for them once, and keeps them.
"""

import asyncio
import hashlib
import threading
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import bearings
from bearings.errors import BearingsError, InvalidInput, Unavailable, Unsupported
from bearings.places.models import Backend
from bearings.places.nominatim.settings import NominatimSettings
from bearings.places.opening import geocoder_of
from bearings.places.remote.server import DEFAULT_PARALLEL
from bearings.places.settings import PlacesSettings
from bearings.places.tables.answering import Answered, Asker, QuestionOptions, Subject
from bearings.private import private_folder

Result = TypeVar("Result")

_PATIENCE_S = 600
"""How long one process waits for another one's copy of an atlas or a map."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The settings of the sources, as pairs of a field and its value. Plain data."""

    places: tuple[tuple[str, Any], ...]
    server: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, places: PlacesSettings, server: NominatimSettings, *, elsewhere: bool) -> "Sources":
        """The settings for this machine, or for workers `elsewhere`, whose cache directories are their own."""
        values = places.model_dump(exclude={"cache_dir"} if elsewhere else None)
        # Set fields only: naming a server is consent to ask it (NominatimSettings.own_url).
        named = server.model_dump(include=server.model_fields_set)
        return cls(tuple(values.items()), tuple(named.items()))

    def open(self) -> Asker:
        """The sources. Files at URLs are copied to this machine first. Raises BearingsError."""
        places, server = PlacesSettings(**dict(self.places)), NominatimSettings(**dict(self.server))
        files = {name: local_copy(getattr(places, name), places.cache_dir) for name in ("atlas", "index")}
        geocoder = geocoder_of(places.model_copy(update=files), server)
        has_no_pace = geocoder.backend is Backend.NOMINATIM and not server.interval_s
        return Asker(geocoder, DEFAULT_PARALLEL if has_no_pace else 1)


@dataclass(frozen=True, slots=True)
class QuestionBatch:
    """Distinct questions, and all that a process needs to answer them as any other would. Plain data."""

    subjects: tuple[Subject, ...]
    options: QuestionOptions
    sources: Sources
    version: str = bearings.__version__


class _Process:
    """The sources that this process has opened, and the event loop that they live in.

    The loop runs in a daemon thread: a worker that is told to stop must not wait for it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._askers: dict[Sources, Asker] = {}

    def answered(self, batch: QuestionBatch) -> Answered:
        """The answers. Raises BearingsError for sources that can't be opened."""
        with self._lock:
            if batch.sources not in self._askers:
                self._askers[batch.sources] = batch.sources.open()
        return self._call(self._askers[batch.sources].answered(batch.subjects, batch.options))

    def close(self, sources: Sources) -> None:
        """Close the sources, if they are open."""
        with self._lock:
            asker = self._askers.pop(sources, None)
        if asker is not None:
            self._call(asker.aclose())

    def _call(self, work: Coroutine[Any, Any, Result]) -> Result:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="tables", daemon=True).start()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


_PROCESS = _Process()


def answered(batch: QuestionBatch) -> Answered:
    """The answers of this process. Raises nothing of ours: errors can't be pickled."""
    if batch.version != bearings.__version__:
        differs = f"a worker has bearings {bearings.__version__}, and this program is {batch.version}"
        return Answered((), ("unsupported", differs, "Install the same version on all machines."))
    try:
        return _PROCESS.answered(batch)
    except BearingsError as error:
        return Answered((), (error.code, error.error, error.hint))


def close(sources: Sources) -> None:
    """Close what this process has opened for these settings."""
    _PROCESS.close(sources)


def local_copy(location: str, cache_dir: Path) -> str:
    """The path of a copy in the cache directory, made now unless an equal one is there; a path is given back as it is.

    `location` is any URL that fsspec reads ("s3://bucket/malta.sqlite"). The name of a copy holds what the storage says
    of the file's state, so that a new edition is copied anew. Raises Unsupported, InvalidInput, Unavailable.
    """
    if "://" not in location:
        return location
    try:
        import fsspec
    except ImportError as error:
        hint = "Install it: pip install '.[dask]' in a checkout. Or give a path."
        raise Unsupported(f"{location}: reading a URL needs fsspec, which is not installed", hint) from error
    try:
        system, path = fsspec.core.url_to_fs(location)
        state = hashlib.sha256(f"{location} {system.ukey(path)}".encode()).hexdigest()[:20]
        return str(_copied(system, path, cache_dir / "copies" / f"{state}-{PurePosixPath(path).name}"))
    except FileNotFoundError as error:
        raise InvalidInput("location", location, "is no file", "Give a URL that the workers can read.") from error
    except (ValueError, ImportError) as error:  # an unknown protocol, one whose library is missing
        raise InvalidInput("location", location, f"can't be read: {error}", "Give a path, or another URL.") from error
    except OSError as error:
        raise Unavailable(f"{location} can't be read: {error}", "Check that this machine may read it.") from error


def _copied(system: Any, path: str, copy: Path) -> Path:
    """The copy, whole or not at all; one process makes it."""
    import filelock

    if not copy.exists():
        private_folder(copy.parent)
        with filelock.FileLock(copy.with_name(f"{copy.name}.lock"), timeout=_PATIENCE_S, mode=0o600):
            if not copy.exists():
                draft = copy.with_name(f"{copy.name}.part")
                system.get_file(path, str(draft))
                draft.replace(copy)
    return copy
