"""Folders and files that only their owner may read: caches, state and locks.

Those below the user's own folders are mended where an earlier version left them open; another folder that exists, such
as one that a setting names, keeps its mode. A link, what belongs to somebody else, and anything but a folder or a
regular file is refused: whoever put it there could read, or decide, what is stored.
"""

import errno
import logging
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_OF_OTHERS = 0o077
"""The permissions that only others need."""

_HAS_OWNERS = hasattr(os, "geteuid")
_XDG = {"XDG_CACHE_HOME": ".cache", "XDG_DATA_HOME": ".local/share", "XDG_STATE_HOME": ".local/state"}
_BASES = {**_XDG, "-": "Library/Caches", "--": "Library/Application Support"}
"""The user's folders as platformdirs finds them, whose import takes longer than all else here."""

_log = logging.getLogger(__name__)
_warned: set[str] = set()


class NotPrivate(OSError):
    """A folder or file that is not used; `strerror` is a clause that follows its name."""


def private_folder(path: Path) -> None:
    """Make a folder, or check it and those above it that are ours. Raises OSError (NotPrivate)."""
    ours = _ours()
    for folder in (*reversed(path.parents), path):
        is_ours = f"{folder}/".startswith(ours)
        if is_ours or folder == path:
            _make_or_check(folder, is_ours)
        elif not folder.exists():
            folder.mkdir(0o700, exist_ok=True)


def data_folder(path: Path) -> None:
    """Make a folder of public data: below the user's own folders a private one, also its files. Raises OSError."""
    if f"{path}/".startswith(_ours()):
        private_folder(path)
        _mend_files(path)
    else:
        path.mkdir(parents=True, exist_ok=True)


def private_database(path: Path) -> int:
    """Make an empty file for SQLite, or check it and those beside it; its size. Raises OSError (NotPrivate)."""
    for beside in ("-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            mend(Path(f"{path}{beside}"), stat.S_ISREG)
    try:
        return mend(path, stat.S_ISREG).st_size
    except FileNotFoundError:  # an existing one is never opened here: closing it would drop SQLite's locks
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
        return 0


def mend(path: Path, is_kind: Callable[[int], bool]) -> os.stat_result:
    """Check what is there, and take the permissions of others; its status. Raises OSError (NotPrivate)."""
    status = os.lstat(path)
    check(path, status, is_kind)
    if _HAS_OWNERS and status.st_mode & _OF_OTHERS and status.st_uid == os.geteuid():
        with suppress(OSError):  # a disk that is read-only
            path.chmod(stat.S_IMODE(status.st_mode) & ~_OF_OTHERS)
    return status


def check(path: Path, status: os.stat_result, is_kind: Callable[[int], bool] = stat.S_ISREG) -> None:
    """Raise NotPrivate for a status of another kind, or of another owner than this user and root."""
    if not is_kind(status.st_mode):
        kind = "folder" if is_kind is stat.S_ISDIR else "regular file"
        why = "is a link" if stat.S_ISLNK(status.st_mode) else f"is no {kind}"
    elif _HAS_OWNERS and status.st_uid not in (os.geteuid(), 0):
        why = "belongs to somebody else"
    else:
        return
    raise NotPrivate(errno.EACCES, why, str(path))


def tell_unused(error: OSError) -> None:
    """Log once that a cache stays unused, if that is because of NotPrivate."""
    if isinstance(error, NotPrivate) and str(error.filename) not in _warned:
        _warned.add(str(error.filename))
        _log.warning("%s %s: it is not used as a cache. Remove it.", error.filename, error.strerror)


def _make_or_check(folder: Path, is_ours: bool) -> None:
    try:
        status = os.lstat(folder)
    except FileNotFoundError:
        folder.mkdir(0o700, exist_ok=True)
        return
    check(folder, status, stat.S_ISDIR)
    if is_ours and _HAS_OWNERS and status.st_mode & _OF_OTHERS:
        mend(folder, stat.S_ISDIR)
        _mend_files(folder)


def _mend_files(folder: Path) -> None:
    for entry in folder.iterdir():
        with suppress(OSError):
            mend(entry, stat.S_ISREG)


def _ours() -> tuple[str, ...]:
    """How the paths of the user's own folders begin."""
    home = os.path.expanduser("~")  # noqa: PTH111 - raises nothing for a user without one
    return tuple(f"{Path(os.environ.get(name) or f'{home}/{below}', 'bearings')}/" for name, below in _BASES.items())
