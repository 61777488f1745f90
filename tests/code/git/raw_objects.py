"""Loose objects written byte for byte, such as git itself would refuse to make."""

import hashlib
import zlib
from collections.abc import Sequence
from pathlib import Path


def put(repository: Path, kind: str, data: bytes, *, size: int | None = None, damaged: bool = False) -> str:
    """Store an object; its header may declare another `size`. Returns its name."""
    whole = f"{kind} {len(data)}\0".encode() + data
    name = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
    stored = zlib.compress(whole if size is None else f"{kind} {size}\0".encode() + data)
    path = repository / ".git/objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)  # git's own are read-only
    path.write_bytes(stored[: len(stored) // 2] + b"damaged" if damaged else stored)
    return name


def tree(repository: Path, entries: Sequence[tuple[str, bytes, str]]) -> str:
    """A tree of (mode, name, object), in the order given."""
    return put(repository, "tree", b"".join(b"%s %s\0" % (m.encode(), n) + bytes.fromhex(o) for m, n, o in entries))


def commit(
    repository: Path, top: str, parents: Sequence[str] = (), message: str = "raw", *, time: int = 1_700_000_000
) -> str:
    """A commit of a tree. Returns its name."""
    by = f"t <t@example.org> {time} +0000"
    lines = [f"tree {top}", *(f"parent {one}" for one in parents), f"author {by}", f"committer {by}", "", message]
    return put(repository, "commit", "\n".join(lines).encode())
