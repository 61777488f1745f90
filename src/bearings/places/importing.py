"""Makes maps in a process beside this one: an extract that crashes its reader, or takes too long, harms that alone.

`python -m bearings.places.importing` is the process. It gets a job on its standard input, and writes messages to its
standard output, one a line; other lines there are what libraries say before they end it. It ends with its parent.
"""

import bz2
import errno
import gc
import gzip
import logging
import os
import signal
import subprocess
import sys
import threading
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn, cast

import msgspec

from bearings.child import kill_all, launch
from bearings.errors import BearingsError, DeadlineExceeded, Internal, InvalidInput, WriteFailed
from bearings.messages import Advance, Failed, failed, raised
from bearings.places.osm import library
from bearings.places.osm.schema import Made
from bearings.progress import Progress

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from bearings.places.settings import PlacesSettings

_MB = 1 << 20
_LEAST_MEMORY_MB, _MEMORY_PER_BYTE = 3_072, 20
_LEAST_TIME_S, _TIME_PER_MB_S = 30.0, 30.0
"""An import takes 1 to 3 s a megabyte on two processors, and 7 MB of memory; looking for what ways lack, up to 2 GB."""

_MOST_EXPANSION, _SPARED = 200, 10 * _MB
"""How much longer than the file its content may be, beyond the first megabytes. Extracts are 10 to 30 times as long."""

_LONGEST_LINE = 1 << 16
_SELDOM = 100_000
_OUT_OF_MEMORY = 77
"""The exit status for a lack of memory."""

_SIGNS_OF_THAT = ("bad_alloc", "Cannot allocate memory", "Resource temporarily unavailable")

_SIGNS_OF_NO_ROOM = (os.strerror(errno.ENOSPC).encode(), os.strerror(errno.EFBIG).encode(), b"write to writer")
"""What osmium's writer says before it ends the process."""

_MOST_STATUS = 255
"""What is more, is what Windows says of a crash."""

_CRASHES = frozenset({"SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE"})
_ANOTHER = "Give another extract; the map of that name is as it was."
_LOG = logging.getLogger(__name__)


class Job(msgspec.Struct, frozen=True):
    """What to make, from what. `memory` is a number of bytes."""

    path: str
    files: tuple[str, ...]
    within: str | None
    atlas: str
    cache_dir: str
    memory: int


def make(path: Path, files: Sequence[Path], within: str | None, settings: "PlacesSettings", progress: Progress) -> Made:
    """Makes the map `path` from files, whole or not at all; nothing else is left of an import that fails.

    `within` is a rectangle, or a GeoJSON file. Raises InvalidInput for files or an area that can't be read, Busy while
    another import runs, DeadlineExceeded, and WriteFailed.
    """
    size = sum(map(_size, files))
    memory = settings.import_memory_mb * _MB or _LEAST_MEMORY_MB * _MB + _MEMORY_PER_BYTE * size
    patience = settings.import_timeout or _LEAST_TIME_S + _TIME_PER_MB_S * size / _MB
    paths = tuple(str(file.absolute()) for file in files)  # osmium takes "-" and "http:/…" for something else
    job = Job(str(path.absolute()), paths, within, settings.atlas, str(settings.cache_dir), memory)
    try:
        child = _Child(job, patience)
    except OSError as error:
        raise WriteFailed(f"no process can be started to import ({error.strerror})", "Free memory.") from error
    try:
        answer = child.answer(progress)
    finally:
        child.end()
        library.sweep(path.parent)
    if isinstance(answer, Made):
        return answer
    raise raised(answer) if answer else child.fault(path, files, job, patience)


def _size(file: Path) -> int:
    """The bytes of a file. Raises InvalidInput for what is no regular file."""
    if not file.is_file():
        raise InvalidInput("file", str(file), "is no file", "Give a path to an .osm.pbf file.")
    return file.stat().st_size


class _Child:
    """The process, as its parent sees it."""

    def __init__(self, job: Job, patience: float) -> None:
        self._process = launch(__name__, stderr=subprocess.STDOUT)
        self._said = b""
        self._overdue = False
        self._timer = threading.Timer(patience, self._stop)
        self._timer.daemon = True
        self._timer.start()
        with suppress(OSError):  # it has ended: the answer says how
            stdin = cast("BinaryIO", self._process.stdin)
            stdin.write(msgspec.json.encode(job) + b"\n")
            stdin.flush()

    def answer(self, progress: Progress) -> Made | Failed | None:
        """Waits for what it made, or its error; None if it ended without."""
        decoder: msgspec.json.Decoder[Advance | Made | Failed] = msgspec.json.Decoder(Advance | Made | Failed)
        stdout = cast("BinaryIO", self._process.stdout)
        while line := stdout.readline(_LONGEST_LINE):
            try:
                message = decoder.decode(line)
            except msgspec.MsgspecError:
                self._said = (self._said + line)[-_LONGEST_LINE:]
                continue
            if not isinstance(message, Advance):
                return message
            progress.update(message.done, message.total, message.message)
        return None

    def end(self) -> None:
        """Ends it at once, if it has not ended."""
        self._timer.cancel()
        self._timer.join()
        kill_all(self._process)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                cast("BinaryIO", pipe).close()

    def fault(self, path: Path, files: Sequence[Path], job: Job, patience: float) -> BearingsError:
        """Why it ended without an answer."""
        status, given = self._process.returncode, ", ".join(file.name for file in files)
        if self._overdue:
            remedy = "Give a smaller extract, or set GEOCODER_IMPORT_TIMEOUT to more seconds."
            return DeadlineExceeded(f"the import of {given} took longer than {patience:.0f} s", remedy)
        if status == _OUT_OF_MEMORY or b"bad_alloc" in self._said:
            remedy = "Give a smaller extract, or set GEOCODER_IMPORT_MEMORY_MB to more."
            return InvalidInput("file", given, f"needs more than {job.memory // _MB:,} MB of memory", remedy)
        if any(sign in self._said for sign in _SIGNS_OF_NO_ROOM):
            return WriteFailed(f"{path} can't be written: no room", "Free disk space, or set GEOCODER_INDEX_DIR.")
        _LOG.debug("the process that imports said %s", self._said)
        how = _name_of(status)
        if how in _CRASHES or status > _MOST_STATUS:
            return InvalidInput("file", given, f"crashes the library that reads it ({how}): it is damaged", _ANOTHER)
        return WriteFailed(f"{path} was not made: its process was ended ({how})", "Free memory, and import again.")

    def _stop(self) -> None:
        self._overdue = True
        kill_all(self._process)


def _name_of(status: int) -> str:
    """How a process ended: the name of a signal, or its status."""
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"status {status:#x}"


def main() -> NoReturn:
    """Does one job."""
    gc.set_threshold(_SELDOM)
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=Job)
    _end_with_parent()
    _bound(job.memory)
    answer: Made | Failed
    try:
        answer = _made(job)
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    except BearingsError as error:
        answer = failed(error)
    except Exception as error:  # noqa: BLE001 - the parent tells of it
        fault = f"the import failed: {type(error).__name__}: {error}"
        answer = failed(Internal(fault, "This is a fault of bearings; please report it."))
    if isinstance(answer, Failed) and any(sign in answer.error for sign in _SIGNS_OF_THAT):
        os._exit(_OUT_OF_MEMORY)
    _say(answer)
    os._exit(0)


def _made(job: Job) -> Made:
    from bearings.places.atlas.store import open_atlas
    from bearings.places.atlas.world import AtlasWorld
    from bearings.places.osm.making import make as make_here

    path, files = Path(job.path), list(map(Path, job.files))
    cut = None if job.within is None else _area(job.within)
    for file in files:
        _check_expansion(file)
    atlas, _ = open_atlas(job.atlas, Path(job.cache_dir))
    with library.importing(path.parent):
        return make_here(path, files, AtlasWorld(atlas), _Told(), cut)


def _area(within: str) -> "BaseGeometry":
    """A rectangle or the polygons of a GeoJSON file. Raises InvalidInput."""
    from bearings.places import coverage

    try:
        return coverage.shape(within)
    except ValueError as error:
        remedy = "Give west,south,east,north in degrees, or the path of a GeoJSON file with polygons."
        raise InvalidInput("within", within, str(error), remedy) from None


def _check_expansion(file: Path) -> None:
    """Raises InvalidInput for a compressed file that is mostly air. One that is damaged its reader refuses."""
    if file.suffix not in (".gz", ".bz2"):
        return
    most, length = file.stat().st_size * _MOST_EXPANSION + _SPARED, 0
    with (
        suppress(OSError, EOFError, zlib.error),
        gzip.open(file) if file.suffix == ".gz" else bz2.open(file) as content,
    ):
        while length <= most and (piece := content.read(_MB)):
            length += len(piece)
    if length > most:
        problem = f"is {_MOST_EXPANSION} times as long when it is unpacked, as no extract is"
        raise InvalidInput("file", file.name, problem, _ANOTHER)


class _Told:
    """Sends progress to the parent."""

    def update(self, done: float, total: float | None, message: str) -> None:
        """See Progress."""
        _say(Advance(done, total, message))


def _say(message: Advance | Made | Failed) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


def _end_with_parent() -> None:
    """Ends this process with its input: by a thread, on Linux by a signal too, should a library hold all threads."""
    threading.Thread(target=_await_end, daemon=True).start()
    if sys.platform == "linux":
        import fcntl

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)


def _await_end() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


def _bound(memory: int) -> None:
    """Bounds what this process may allocate, where the system can; and leaves no image of it after a crash."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (memory if most < 0 else min(memory, most), most))


if __name__ == "__main__":
    main()
