"""Reading one file of a project: what it is, what it holds, and a stamp that changes when it does."""

import codecs
import hashlib
import os
import re
import stat
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.safe_directory import NoRegularFile, SafeDirectory
from bearings.code.project.skipped import Skipped, SkipReason

_SETTLED_NS = 2_000_000_000
"""A file touched less than this before it was read may change again within one tick of its file system's clock.

The coarsest in use is FAT's, 2 s."""

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
"""How UTF-16 and UTF-32 begin; little-endian UTF-32 begins as UTF-16 does."""

_SNIFFED = 8_000
"""Bytes in which a NUL tells a binary file from text, as git does it."""


_SCRIPT = re.compile(r"\.[cm]?jsx?$", re.IGNORECASE)
_LONG_LINE = 1_000
_MEAN_LINE = 200
"""Bytes a line from which on a look for minified code is worth the time; people's own code has 20 to 60."""

_CODE = b";,(){}="
_DENSITY = 0.05
"""Share of those among the bytes of minified code, where it is 15 to 25 %; in data such as base64 it is nothing."""


class Stamp(NamedTuple):
    """What tells that a file was touched, without reading it."""

    mtime_ns: int
    ctime_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class Source:
    """A file's bytes. `settled`: whether any later change is bound to change `stamp`."""

    data: bytes
    stamp: Stamp
    settled: bool


def is_settled(stamp: Stamp, at_ns: int) -> bool:
    """Whether whatever changes after the moment `at_ns` is bound to change the stamp."""
    return max(stamp.mtime_ns, stamp.ctime_ns) < at_ns - _SETTLED_NS


def digest_of(data: bytes) -> bytes:
    """The content's hash, 16 bytes."""
    return hashlib.blake2b(data, digest_size=16).digest()


def stamp_of(root: Path, path: str) -> Stamp | None:
    """The stamp of whatever is at `path`; None where there is nothing."""
    try:
        return _stamp(os.lstat(f"{root}/{path}"))
    except (OSError, ValueError):
        return None


def stamp_beneath(tree: SafeDirectory, path: str) -> Stamp | None:
    """As `stamp_of`, through no link."""
    try:
        return _stamp(tree.stat(path))
    except (OSError, ValueError):
        return None


def read_source(root: Path, path: str, max_bytes: int, *, binary: bool = False) -> Source | Skipped | None:
    """The file's bytes, or why it is left out, or None if it has gone. `binary`: whatever they are."""
    with SafeDirectory(root) as tree:
        return read_beneath(tree, path, max_bytes, binary=binary)


def read_beneath(tree: SafeDirectory, path: str, max_bytes: int, *, binary: bool = False) -> Source | Skipped | None:
    """As `read_source`, for one file of many."""
    source = read_any(tree, path, max_bytes)
    if not isinstance(source, Source):
        return source
    if not binary and is_binary(source.data):
        return Skipped(path, SkipReason.ENCODING if source.data.startswith(_WIDE) else SkipReason.BINARY)
    if _SCRIPT.search(path) and is_minified(source.data):
        return Skipped(path, SkipReason.MINIFIED)
    return source


def read_any(tree: SafeDirectory, path: str, max_bytes: int) -> Source | Skipped | None:
    """As `read_beneath`, whatever the bytes are."""
    started = time.time_ns()
    try:
        descriptor, status = tree.regular(path)
    except FileNotFoundError:
        return None
    except NoRegularFile:
        return Skipped(path, SkipReason.SPECIAL)
    except (OSError, ValueError) as error:
        return _refused(tree, path, error)
    try:
        data = _read(descriptor, status.st_size, max_bytes)
    except OSError:
        return Skipped(path, SkipReason.UNREADABLE)
    finally:
        os.close(descriptor)
    if max(status.st_size, len(data)) > max_bytes:
        return Skipped(path, SkipReason.TOO_LARGE)
    stamp = _stamp(status)
    return Source(data, stamp, is_settled(stamp, started))


def is_binary(data: bytes) -> bool:
    """Whether a file is no text, by git's rule: a NUL near its start."""
    return b"\0" in data[:_SNIFFED]


def as_narrow(data: bytes) -> bytes:
    """UTF-16 and UTF-32 with a byte order mark as UTF-8; anything else as it is."""
    if not data.startswith(_WIDE):
        return data
    wide = "utf-32" if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)) else "utf-16"
    return data.decode(wide, "replace").encode("utf-8", "replace")


def _read(descriptor: int, size: int, max_bytes: int) -> bytes:
    """The bytes of a file, a byte more than is allowed at most; none of a file whose size is too large."""
    data = b""
    if size <= max_bytes:
        room = size + 1  # as much is set aside for a read: a file that has grown takes another
        while len(data) <= max_bytes and (more := os.read(descriptor, min(room, max_bytes + 1 - len(data)))):
            data += more
    return data


def is_minified(data: bytes) -> bool:
    """Whether at least half of a script stands in lines of over 1,000 bytes, and these hold code, not data."""
    if len(data) < _MEAN_LINE * (data.count(b"\n") + 1):
        return False
    long = b"".join(line for line in data.splitlines() if len(line) > _LONG_LINE)
    return 2 * len(long) >= len(data) and len(long) - len(long.translate(None, _CODE)) > _DENSITY * len(long)


def _refused(tree: SafeDirectory, path: str, error: Exception) -> Skipped | None:
    """Why a file that is there can't be opened."""
    try:
        mode = tree.stat(path).st_mode
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return Skipped(path, SkipReason.SYMLINK if _leads_away(tree, path) else SkipReason.UNREADABLE)
    if stat.S_ISLNK(mode):
        return Skipped(path, SkipReason.SYMLINK)
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or isinstance(error, PermissionError):
        return Skipped(path, SkipReason.UNREADABLE)
    return Skipped(path, SkipReason.SPECIAL)


def _leads_away(tree: SafeDirectory, path: str) -> bool:
    """Whether a folder on the way is a link."""
    folder = ""
    for part in path.split("/")[:-1]:
        folder = f"{folder}/{part}" if folder else part
        try:
            if stat.S_ISLNK(tree.stat(folder).st_mode):
                return True
        except (OSError, ValueError):
            return False
    return False


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
