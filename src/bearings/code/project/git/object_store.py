"""Whether an object store may be read: regular files alone, no links, and no alternates outside the roots.

git opens by name what stands in a store: a link would lead it to another repository, and a FIFO lets it wait for ever.
"""

import os
import time
from contextlib import suppress
from itertools import count
from pathlib import Path

from bearings.caller import Roots
from bearings.code.project.git.repository import Refused, Repository, check_inside, read
from bearings.code.project.safe_directory import SafeDirectory
from bearings.untrusted import clean_line

_ALTERNATES = "info/alternates"
_MOST_STORES = 100
_MOST_FILES = 2_000_000
_DEEPEST = 3
"""Levels of folders in a store, such as pack/multi-pack-index.d."""

_SETTLED_NS = 3_000_000_000
"""After this time without a change, the next change gives a folder another time, on all file systems."""

_MOST_SETTLED = 50_000
_Times = tuple[int, int]
_settled: dict[tuple[int, int], _Times] = {}
"""Folders, by device and inode, that have held nothing but regular files since these times of change."""


def check_objects(repository: Repository, roots: Roots) -> None:
    """Check the object store, and its alternates, which lie inside `roots`. Raises Refused."""
    seen = {repository.common / "objects"}
    pending = list(seen)
    while pending:
        store = pending.pop()
        _check_files(store)
        others = _others(store)
        for place in others:
            check_inside(place, roots)
        pending += set(others) - seen
        seen.update(others)
        if len(seen) > _MOST_STORES:
            raise Refused(f"objects/{_ALTERNATES} leads to more than {_MOST_STORES} stores", "Run git repack -a -d.")


def _check_files(store: Path) -> None:
    """Check that a store has nothing but folders and regular files. Raises Refused."""
    counter = count(1)
    pending = [""]
    try:
        with SafeDirectory(store) as tree:
            while pending:
                with suppress(FileNotFoundError):  # an alternate that is gone, or git is repacking
                    pending += _folders(tree, pending.pop(), counter)
    except (OSError, ValueError):
        raise Refused("the objects of the git directory can't be read", "Run git fsck there to see why.") from None


def _folders(tree: SafeDirectory, folder: str, counter: "count[int]") -> list[str]:
    """The folders in a folder of a store, whose files are checked. Raises Refused, OSError."""
    status = tree.stat(folder)
    folder_id, changed = (status.st_dev, status.st_ino), (status.st_mtime_ns, status.st_ctime_ns)
    if _settled.get(folder_id) == changed:
        return []
    below = []
    with tree.scan(folder) as entries:
        for entry in entries:
            if next(counter) > _MOST_FILES:
                raise Refused(f"it has more than {_MOST_FILES:,} files of objects", "Run git gc.")
            if entry.is_file(follow_symlinks=False):
                continue
            path = f"{folder}/{entry.name}" if folder else entry.name
            shown = clean_line(f"objects/{path}", 200)
            if entry.is_symlink():
                raise Refused(f"{shown} of the git directory is a link", "Replace it by what it names.")
            if not entry.is_dir(follow_symlinks=False) or path.count("/") >= _DEEPEST:
                raise Refused(f"{shown} of the git directory is no regular file", "Remove it.")
            below.append(path)
    if not below and max(changed) + _SETTLED_NS < time.time_ns() and len(_settled) < _MOST_SETTLED:
        _settled[folder_id] = changed
    return below


def _others(store: Path) -> tuple[Path, ...]:
    """The stores in the file `alternates` of a store (gitrepository-layout). Raises Refused.

    Versions of git differ in whether `..` is resolved before links, so a line may name two places.
    """
    data = read(store, _ALTERNATES)
    if data is None and os.path.lexists(store / _ALTERNATES):
        raise Refused(f"objects/{_ALTERNATES} can't be read", "Write it as a small file.")
    stores: dict[Path, None] = {}
    for line in (data or b"").split(b"\n"):
        if line.startswith(b'"'):
            raise Refused(f"objects/{_ALTERNATES} has quotes", "Write its paths without quotes.")
        if line and not line.startswith(b"#"):
            place = os.path.join(store, os.fsdecode(line))  # noqa: PTH118 - Path would drop a "."
            try:
                stores |= dict.fromkeys(Path(os.path.realpath(way)) for way in (place, os.path.normpath(place)))
            except (OSError, ValueError):
                raise Refused(f"objects/{_ALTERNATES} names no path", "Mend or remove the file.") from None
    return tuple(stores)
