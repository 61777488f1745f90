"""Atomic replacement of a file's text: keeps the mode, and fails if the file changed since it was read."""

import os
import secrets
import stat
from contextlib import suppress
from io import BufferedWriter
from pathlib import Path

from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.sources import Stamp, stamp_beneath
from bearings.errors import WriteFailed, shown


def rewrite(root: Path, path: str, data: bytes, before: Stamp) -> None:
    """Replace the file that had the stamp `before` when it was read. Raises WriteFailed without any change.

    The file's folder stays open meanwhile, so a folder that is replaced by a link is not followed.
    """
    draft = draft_of(path)
    with SafeDirectory(root) as tree:
        try:
            _check_unchanged(tree, path, before)
            write_new(tree, draft, data, like=tree.stat(path))
            _check_unchanged(tree, path, before)
            tree.replace(draft, path)
        except OSError as error:
            raise WriteFailed(
                f"{shown(path)} can't be written ({error.strerror})", "Make the file and its directory writable."
            ) from error
        finally:
            with suppress(OSError):
                tree.unlink(draft)


def draft_of(path: str) -> str:
    """The name of a temporary file beside a file, for its new text."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}.{name[:100]}.{secrets.token_hex(6)}.tmp"


def write_new(tree: SafeDirectory, path: str, data: bytes, *, like: os.stat_result | None = None) -> None:
    """Create a file and flush it to disk, with the mode and, if permitted, the owner of another file."""
    with BufferedWriter(tree.create(path, 0o600 if like else 0o644)) as file:
        file.write(data)
        file.flush()
        if like is not None and hasattr(os, "fchown"):
            with suppress(OSError):
                os.fchown(file.fileno(), like.st_uid, like.st_gid)
        if like is not None and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
        os.fsync(file.fileno())


def _check_unchanged(tree: SafeDirectory, path: str, before: Stamp) -> None:
    if stamp_beneath(tree, path) != before:
        raise WriteFailed(f"{shown(path)} was changed by somebody else meanwhile", "Ask again.")
