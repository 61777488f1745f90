"""Putting new text into a file of a project: whole or not at all, with its mode, and only if nobody else did."""

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from bearings.code.project.sources import Stamp, stamp_of
from bearings.errors import WriteFailed, shown


def rewrite(root: Path, path: str, data: bytes, before: Stamp) -> None:
    """Replaces the file that had the stamp `before` when it was read. Raises WriteFailed; then nothing has changed."""
    target = root / path
    draft = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        _check_unchanged(root, path, before)
        _write_beside(draft, data, os.lstat(target))
        _check_unchanged(root, path, before)
        draft.replace(target)
    except OSError as error:
        raise WriteFailed(
            f"{shown(path)} can't be written ({error.strerror})", "Make the file and its directory writable."
        ) from error
    finally:
        with suppress(OSError):
            draft.unlink()


def _check_unchanged(root: Path, path: str, before: Stamp) -> None:
    if stamp_of(root, path) != before:
        raise WriteFailed(f"{shown(path)} was changed by somebody else meanwhile", "Ask again.")


def _write_beside(draft: Path, data: bytes, like: os.stat_result) -> None:
    """A new file with the mode, and as far as that is allowed the owner, of another."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(draft, flags, 0o600), "wb") as file:  # noqa: PTH123 - a descriptor
        file.write(data)
        file.flush()
        if hasattr(os, "fchown"):
            with suppress(OSError):
                os.fchown(file.fileno(), like.st_uid, like.st_gid)
        os.chmod(draft, stat.S_IMODE(like.st_mode))  # noqa: PTH101 - beside its siblings of os
        os.fsync(file.fileno())
