"""The file that stores a project's snapshot: its path, its label and its checksum.

A file is: magic, digest of the code that made it, checksum of all that follows, length of the label, label, body.
This module imports next to nothing, because a hook reads such a file within its half second.
"""

import hashlib
import os
import stat
from functools import cache
from pathlib import Path

import msgspec

from bearings.private import check
from bearings.regular import NO_LINK, read_regular

GRAPHS_FOLDER = "graphs"
SUFFIX = ".graph"

MAX_GRAPHS_BYTES = 256 * 2**20
"""Room for the files of some two hundred thousand sources, at about 600 bytes each (Linux's: 1,500), twice."""

_MAGIC = b"bearings graph 2\0"
_CHECK_BYTES = 16
_LENGTH_BYTES = 4
_LONGEST_LABEL = 20_000

_MAKERS = (
    "facts",
    "languages",
    "project",
    "resolve",
    "file_facts.py",
    "framework_facts.py",
    "graph/lookup_tables.py",
    "index/change_detection.py",
    "index/snapshot_file.py",
    "index/snapshot_packing.py",
    "index/snapshot_store.py",
    "models.py",
    "parse.py",
    "symbol_keys.py",
)
"""The code that decides what a snapshot contains."""


def graph_path(directory: Path, root: Path, commit: str = "") -> Path:
    """The path of the file of a project, or of a commit of it. It need not exist."""
    name = hashlib.blake2b(os.fsencode(f"{root}\0{commit}" if commit else root), digest_size=16).hexdigest()
    return directory / GRAPHS_FOLDER / f"{name}{SUFFIX}"


class Label(msgspec.Struct, frozen=True, array_like=True):
    """Whose snapshot a file has. `commit` is empty for the working tree, `repository` is Tree.repository_key."""

    root: bytes
    device: int
    commit: str
    max_file_bytes: int
    repository: bytes = b""

    @classmethod
    def of(cls, root: Path, max_file_bytes: int, commit: str = "", repository: bytes = b"") -> "Label":
        """The label of a project, or of a commit of it. Raises OSError if the root can't be read."""
        return cls(os.fsencode(root), root.stat().st_dev, commit, max_file_bytes, repository)

    def is_of(self, root: Path, max_file_bytes: int, commit: str) -> bool:
        """Whether a snapshot is of this project, or of this commit of it. Raises OSError if the root can't be read."""
        return self == Label.of(root, max_file_bytes, commit, self.repository)


def read_body(path: Path, root: Path, max_file_bytes: int, commit: str = "") -> memoryview | None:
    """The body of a project's file; None if it is damaged or another version wrote it. Raises OSError."""
    labelled = read_file(path)
    return labelled[1] if labelled is not None and labelled[0].is_of(root, max_file_bytes, commit) else None


def read_file(path: Path) -> tuple[Label, memoryview] | None:
    """The label and the body of a file; None if it is damaged or another version wrote it. Raises OSError."""
    data = memoryview(_start(path, MAX_GRAPHS_BYTES))
    start = len(_MAGIC) + len(makers())
    labelled = data[start + _CHECK_BYTES :]
    if data[:start] != _MAGIC + makers() or data[start : start + _CHECK_BYTES] != checksum(labelled):
        return None
    end = _LENGTH_BYTES + int.from_bytes(labelled[:_LENGTH_BYTES], "big")
    label = _label(labelled[_LENGTH_BYTES:end])
    return None if label is None else (label, labelled[end:])


def read_label(path: Path) -> tuple[Label, bool] | None:
    """The label of a file, unchecked, and whether this version wrote it; None if there is none. Raises OSError."""
    start = len(_MAGIC) + len(makers())
    data = _start(path, start + _CHECK_BYTES + _LENGTH_BYTES + _LONGEST_LABEL)
    labelled = data[start + _CHECK_BYTES :]
    end = _LENGTH_BYTES + int.from_bytes(labelled[:_LENGTH_BYTES], "big")
    label = _label(labelled[_LENGTH_BYTES:end]) if data.startswith(_MAGIC) else None
    return None if label is None else (label, data[:start] == _MAGIC + makers())


def _start(path: Path, most: int) -> bytes:
    """The first bytes of a file that is the user's own. Raises OSError."""
    check(path.parent, os.lstat(path.parent), stat.S_ISDIR)
    data, status = read_regular(path, most, NO_LINK)
    check(path, status)
    return data


def _label(data: bytes | memoryview) -> Label | None:
    try:
        return msgspec.msgpack.decode(data, type=Label)
    except msgspec.MsgspecError:
        return None


def framed(label: Label, body: bytes) -> tuple[bytes, ...]:
    """The parts of a file, in order."""
    encoded = msgspec.msgpack.encode(label)
    labelled = len(encoded).to_bytes(_LENGTH_BYTES, "big") + encoded
    return _MAGIC, makers(), checksum(labelled, body), labelled, body


@cache
def makers() -> bytes:
    """A digest of the code that decides what a snapshot contains, so that no other version reads it."""
    return _digest_of_makers((".py", ".so", ".pyd", ".scm"))


@cache
def makers_in_source() -> bytes:
    """The same of the sources alone: equal on all platforms, whether modules are compiled or not."""
    return _digest_of_makers((".py", ".scm"))


def _digest_of_makers(suffixes: tuple[str, ...]) -> bytes:
    folder = str(Path(__file__).parents[1]) + os.sep
    hashed = hashlib.blake2b(digest_size=16)
    walked = (entry for name in _MAKERS for entry in os.walk(folder + name))  # half the time of a Path's
    files = [f"{at}{os.sep}{name}" for at, _, names in walked for name in names]
    files += [folder + name for name in _MAKERS]  # of these, a folder has no suffix
    for name, path in sorted((path[len(folder) :].replace(os.sep, "/"), path) for path in files):
        if name.endswith(suffixes):
            data = Path(path).read_bytes()
            hashed.update(f"{name}\0{len(data)}\0".encode() + data)
    return hashed.digest()


def checksum(*parts: bytes | memoryview) -> bytes:
    """The checksum of some parts, one after another."""
    hashed = hashlib.blake2b(digest_size=_CHECK_BYTES)
    for part in parts:
        hashed.update(part)
    return hashed.digest()
