"""Makes maps in a process beside this one: an extract that crashes its reader, or takes too long, harms that alone.

`python -m bearings.places.importing` is the process. It gets a job on its standard input, and writes messages to its
standard output, one a line; other lines there are what libraries say before they end it. It ends with its parent.
"""

import bz2
import errno
import faulthandler
import gc
import gzip
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import zlib
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn, cast

import msgspec

from bearings.child import kill_all, launch, limit_memory
from bearings.errors import BearingsError, DeadlineExceeded, Internal, InvalidInput, WriteFailed
from bearings.messages import Advance, Failed, failed, raised
from bearings.places.osm import library
from bearings.places.osm.schema import Made
from bearings.progress import Progress

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from bearings.places.settings import PlacesSettings

_MB = 1 << 20
_LEAST_MEMORY, _MEMORY_PER_BYTE = 3_072 * _MB, 20
_LEAST_TIME_S, _TIME_PER_MB_S = 30.0, 30.0
"""An import takes 1 to 3 s a megabyte on two processors, and 7 MB of memory; looking for what ways lack, up to 2 GB."""

_MOST_EXPANSION, _SPARED_MB = 200, 10
"""How much longer than the file its content may be, beyond the first megabytes. Extracts are 10 to 30 times as long."""

_LONGEST_LINE = 1 << 16
_SELDOM = (100_000, 20, 20)
"""When garbage is collected, as in a command: an import makes little of it."""
_OVERDUE = "Timeout ("
_NO_ROOM = (os.strerror(errno.ENOSPC), os.strerror(errno.EFBIG), "write to writer")
_NO_MEMORY = re.compile(
    r"bad_alloc|memory ?(?:error|allocation)|allocate memory|map segment|temporarily unavail", re.IGNORECASE
)
"""Words by which faulthandler, the loader and libraries tell why they end the process, or fail."""

_CRASHES = {getattr(signal, name, None) for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE")}
_MOST_STATUS = 255
"""Larger codes are those of Windows for a crash."""

_ANOTHER = "Give another extract; the map of that name is as it was."
_LOG = logging.getLogger(__name__)


class Job(msgspec.Struct, frozen=True):
    """The work for the child process: the map to make, its files, and the seconds that it may take."""

    path: str
    files: tuple[str, ...]
    within: str | None
    atlas: str
    cache_dir: str
    time_limit_s: float


def make(path: Path, files: Sequence[Path], within: str | None, settings: "PlacesSettings", progress: Progress) -> Made:
    """Makes the map `path` from files, whole or not at all; nothing else is left of an import that fails.

    `within` is a rectangle, or a GeoJSON file. Raises InvalidInput for files or an area that can't be read, Busy while
    another import runs, DeadlineExceeded, and WriteFailed.
    """
    size = sum(map(_size, files))
    memory = settings.import_memory_mb * _MB or _LEAST_MEMORY + _MEMORY_PER_BYTE * size
    time_limit_s = settings.import_timeout or _LEAST_TIME_S + _TIME_PER_MB_S * size / _MB
    paths = tuple(str(file.absolute()) for file in files)  # osmium takes "-" and "http:/…" for something else
    job = Job(str(path.absolute()), paths, within, settings.atlas, str(settings.cache_dir), time_limit_s)
    try:
        with launch(__name__, stderr=subprocess.STDOUT) as process:
            limit_memory(process.pid, memory)
            try:
                answer, output = _answer_of(process, job, progress)
            finally:
                kill_all(process)
    except OSError as error:
        raise WriteFailed(f"no process can be started to import ({error.strerror})", "Free memory.") from error
    finally:
        library.sweep(path.parent)
    if isinstance(answer, Made):
        return answer
    raise _error_of(answer, output, process.returncode, job, memory // _MB)


def _size(file: Path) -> int:
    """The bytes of a file. Raises InvalidInput for what is no regular file."""
    if not file.is_file():
        raise InvalidInput("file", str(file), "is no file", "Give a path to an .osm.pbf file.")
    return file.stat().st_size


def _answer_of(process: "subprocess.Popen[bytes]", job: Job, progress: Progress) -> tuple[Made | Failed | None, str]:
    """The process's answer, None if it ends without one, and its other output. Raises OSError if it can't be asked."""
    stdin, stdout = cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout)
    stdin.write(msgspec.json.encode(job) + b"\n")
    stdin.flush()
    output = b""
    decoder: msgspec.json.Decoder[Advance | Made | Failed] = msgspec.json.Decoder(Advance | Made | Failed)
    while line := stdout.readline(_LONGEST_LINE):
        try:
            message = decoder.decode(line)
        except msgspec.MsgspecError:
            output = (output + line)[-_LONGEST_LINE:]
            continue
        if not isinstance(message, Advance):
            return message, ""
        progress.update(message.done, message.total, message.message)
    return None, output.decode(errors="replace")


def _error_of(answer: Failed | None, said: str, status: int, job: Job, megabytes: int) -> BearingsError:
    """The error to raise: the process's own, or one by its other output and its exit status."""
    _LOG.debug("the process that imports ended with %s and said %s", status, said)
    given = ", ".join(Path(file).name for file in job.files)
    if _NO_MEMORY.search(answer.error if answer else said):
        remedy = "Give a smaller extract, or set GEOCODER_IMPORT_MEMORY_MB to more."
        return InvalidInput("file", given, f"needs more than {megabytes:,} MB of memory", remedy)
    if answer:
        return raised(answer)
    if _OVERDUE in said:
        remedy = "Give a smaller extract, or set GEOCODER_IMPORT_TIMEOUT to more seconds."
        return DeadlineExceeded(f"the import of {given} took longer than {job.time_limit_s:.0f} s", remedy)
    if any(sign in said for sign in _NO_ROOM):
        return WriteFailed(f"{job.path} can't be written: no room", "Free disk space, or set GEOCODER_INDEX_DIR.")
    how = signal.strsignal(-status) if status < 0 else f"status {status:#x}"
    if -status in _CRASHES or status > _MOST_STATUS:
        return InvalidInput("file", given, f"crashes the library that reads it ({how}): it is damaged", _ANOTHER)
    return WriteFailed(f"{job.path} was not made: its process was ended ({how})", "Free memory, and import again.")


def main() -> NoReturn:
    """Does one job."""
    gc.set_threshold(*_SELDOM)
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=Job)
    faulthandler.dump_traceback_later(job.time_limit_s, exit=True)  # a thread that no library can hold
    # Ends this process with its input: by a thread, on Linux by a signal too, should a library hold all threads.
    threading.Thread(target=_await_end, daemon=True).start()
    if sys.platform == "linux":
        import fcntl

        signal.signal(signal.SIGIO, signal.SIG_DFL)
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    answer: Made | Failed
    try:
        answer = _made(job)
    except BearingsError as error:
        answer = failed(error)
    except Exception as error:  # noqa: BLE001 - the parent tells of it
        fault = f"the import failed: {type(error).__name__}: {error}"
        answer = failed(Internal(fault, "This is a fault of bearings; please report it."))
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
    most = file.stat().st_size * _MOST_EXPANSION // _MB + _SPARED_MB
    opening = suppress(OSError, EOFError, zlib.error)
    with opening, gzip.open(file) if file.suffix == ".gz" else bz2.open(file) as content:
        if any(islice(iter(lambda: content.read(_MB), b""), most, None)):
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


def _await_end() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
