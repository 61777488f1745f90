"""The file that stores a project's snapshot: its path, its header and its checksum.

A file is: magic, digest of its key (project, read limit, version of the code), checksum of the body, body.
This module imports next to nothing, because a hook reads such a file within its half second.
"""

import hashlib
import os
from functools import cache
from itertools import chain
from pathlib import Path

GRAPHS_FOLDER = "graphs"
SUFFIX = ".graph"

_MAGIC = b"bearings graph\0"
_CHECK_BYTES = 16

_MAKERS = (
    "facts",
    "languages",
    "project",
    "resolve",
    "graph/lookup_tables.py",
    "index/change_detection.py",
    "index/snapshot_file.py",
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


def read_body(path: Path, root: Path, max_file_bytes: int, commit: str = "") -> memoryview | None:
    """The body of a project's file; None if it is damaged or another version wrote it. Raises OSError."""
    head = head_of(root, max_file_bytes, commit)
    data = memoryview(path.read_bytes())
    body = data[len(head) + _CHECK_BYTES :]
    if data[: len(head)] != head or data[len(head) : len(head) + _CHECK_BYTES] != checksum(body):
        return None
    return body


def head_of(root: Path, max_file_bytes: int, commit: str = "") -> bytes:
    """The header of a project's file: it names the project, the commit, the read limit and the version of the code.

    Raises OSError if the root can't be read.
    """
    device = root.stat().st_dev
    named = f"{root}\0{device}\0{max_file_bytes}\0{commit}\0".encode("utf-8", "surrogateescape") + makers()
    return _MAGIC + hashlib.blake2b(named, digest_size=16).digest()


@cache
def makers() -> bytes:
    """A digest of the code that decides what a snapshot contains, so that no other version reads it."""
    folder = Path(__file__).parents[1]
    hashed = hashlib.blake2b(digest_size=16)
    files = chain.from_iterable((folder / name).rglob("*") if "." not in name else [folder / name] for name in _MAKERS)
    for path in sorted(path for path in files if path.suffix in (".py", ".so", ".pyd", ".scm")):
        data = path.read_bytes()
        hashed.update(f"{path.relative_to(folder)}\0{len(data)}\0".encode() + data)
    return hashed.digest()


def checksum(body: bytes | memoryview) -> bytes:
    """The checksum that stands before a body."""
    return hashlib.blake2b(body, digest_size=_CHECK_BYTES).digest()
