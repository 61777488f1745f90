"""Reading of single files: bytes, reasons for refusal, and a stamp that changes with the file."""

import codecs
import hashlib
import os
import re
import stat
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.regular import NoRegularFile

_SETTLED_NS = 2_000_000_000
"""A file touched more recently before it was read may change again within one tick of the file system's clock.

The coarsest in use is FAT's, 2 s."""

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
"""Byte order marks of UTF-16 and UTF-32; little-endian UTF-32 starts like UTF-16."""

_SNIFFED = 8_000
"""The bytes at the start that are searched for a NUL to detect a binary file, as in git."""


_SCRIPT = re.compile(r"\.[cm]?jsx?$", re.IGNORECASE)
_LONG_LINE = 1_000
_MEAN_LINE = 200
"""The mean line length from which minified code is checked for; hand-written code has 20 to 60 bytes."""

_CODE = b";,(){}="
_DENSITY = 0.05
"""The least share of such bytes in minified code, which has 15 to 25 %; data such as base64 has none."""


class Stamp(NamedTuple):
    """A file's status, compared to detect changes without reading it."""

    mtime_ns: int
    ctime_ns: int
    size: int
    inode: int

    @classmethod
    def of_blob(cls, name: str, size: int) -> "Stamp":
        """The stamp of a blob of git: its name in place of times. It is settled, as the times are before 2007."""
        return cls(int(name[:15], 16), int(name[15:30], 16), size, int(name[30:45], 16))


@dataclass(frozen=True, slots=True)
class Source:
    """A file's bytes. `settled`: any later change is certain to change `stamp`."""

    data: bytes
    stamp: Stamp
    settled: bool


def is_settled(stamp: Stamp, at_ns: int) -> bool:
    """Whether any change after `at_ns` is certain to change the stamp."""
    return max(stamp.mtime_ns, stamp.ctime_ns) < at_ns - _SETTLED_NS


def digest_of(data: bytes) -> bytes:
    """The content's hash, 16 bytes."""
    return hashlib.sha256(data, usedforsecurity=False).digest()[:16]  # a third of blake2b's time, by SHA instructions


def stamp_of(root: Path, path: str) -> Stamp | None:
    """The stamp of `path`; None if nothing is there."""
    try:
        return _stamp(os.lstat(f"{root}/{path}"))
    except (OSError, ValueError):
        return None


def stamp_beneath(tree: SafeDirectory, path: str) -> Stamp | None:
    """As `stamp_of`, without following links."""
    try:
        return _stamp(tree.stat(path))
    except (OSError, ValueError):
        return None


def read_source(root: Path, path: str, max_bytes: int, *, binary: bool = False) -> Source | Skipped | None:
    """The file's bytes, or the reason to skip it, or None if it is gone. `binary`: accept binary content."""
    with SafeDirectory(root) as tree:
        return read_beneath(tree, path, max_bytes, binary=binary)


def read_beneath(tree: SafeDirectory, path: str, max_bytes: int, *, binary: bool = False) -> Source | Skipped | None:
    """As `read_source`, for one file of many."""
    return checked(path, read_any(tree, path, max_bytes), binary=binary)


def checked(path: str, source: Source | Skipped | None, *, binary: bool = False) -> Source | Skipped | None:
    """A file that was read, or the reason to skip it by its content. `binary`: accept binary content."""
    if not isinstance(source, Source):
        return source
    if not binary and is_binary(source.data):
        return Skipped(path, SkipReason.ENCODING if source.data.startswith(_WIDE) else SkipReason.BINARY)
    if _SCRIPT.search(path) and is_minified(source.data):
        return Skipped(path, SkipReason.MINIFIED)
    return source


def read_any(tree: SafeDirectory, path: str, max_bytes: int) -> Source | Skipped | None:
    """As `read_beneath`, with any content."""
    started = time.time_ns()
    try:
        descriptor, status = tree.open_regular(path)
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
    """Whether a file is binary by git's rule: a NUL near its start."""
    return b"\0" in data[:_SNIFFED]


def as_narrow(data: bytes) -> bytes:
    """UTF-16 and UTF-32 with a byte order mark, converted to UTF-8; other bytes unchanged."""
    if not data.startswith(_WIDE):
        return data
    wide = "utf-32" if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)) else "utf-16"
    return data.decode(wide, "replace").encode("utf-8", "replace")


def _read(descriptor: int, size: int, max_bytes: int) -> bytes:
    """The bytes of a file, at most one more than the limit; empty if its size exceeds the limit."""
    data = b""
    if size <= max_bytes:
        room = size + 1  # a read allocates this much; a file that has grown takes another read
        while len(data) <= max_bytes and (more := os.read(descriptor, min(room, max_bytes + 1 - len(data)))):
            data += more
    return data


def is_minified(data: bytes) -> bool:
    """Whether at least half of a script is in lines of over 1,000 bytes that hold code and not data."""
    if len(data) < _MEAN_LINE * (data.count(b"\n") + 1):
        return False
    long = b"".join(line for line in data.splitlines() if len(line) > _LONG_LINE)
    return 2 * len(long) >= len(data) and len(long) - len(long.translate(None, _CODE)) > _DENSITY * len(long)


def _refused(tree: SafeDirectory, path: str, error: Exception) -> Skipped | None:
    """Why an existing file can't be opened."""
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
    """Whether a parent folder is a link."""
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
