"""One file of a user: read whole, replaced whole, deleted. Nothing is ever half-written.

Links are followed, because many people link to settings kept elsewhere: the target is replaced, and the link stays. If
the file belongs to a project, nothing outside the project is read or written, because a project is untrusted.
"""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bearings.errors import PathNotAllowed, WriteFailed
from bearings.untrusted import named

LIMIT = 64 * 1024 * 1024
"""Bytes. Claude Code keeps its history beside its servers, which takes a few megabytes."""


PROJECT_LIMIT = 128 * 1024
"""Bytes of a project's file, which a stranger may have written so that its parser takes long."""


def real_path(path: Path, project: Path | None) -> Path:
    """The target of `path`, links followed.

    If `project` is given, raises PathNotAllowed if it is outside, and WriteFailed if it is too large for a project's.
    """
    with _failing(path):
        real = Path(os.path.realpath(path))  # for a link to itself `resolve` raises an error that is no OSError
        if project is not None and not real.is_relative_to(project.resolve()):
            raise PathNotAllowed(
                f"{named(str(path))} leads out of the project, to {named(str(real))}",
                "Remove the link, or edit by hand.",
            )
        if project is not None and real.exists() and (size := real.stat().st_size) > PROJECT_LIMIT:
            raise WriteFailed(f"{named(str(path))} has {size:,} bytes, more than {PROJECT_LIMIT:,}", "Edit it by hand.")
    return real


def read(path: Path) -> str | None:
    """The text with its line ends and its byte order mark; None if there is no file.

    Raises WriteFailed for a file that can't be edited: not regular, too large, not UTF-8.
    """
    with _failing(path):
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(status.st_mode):
            raise WriteFailed(f"{named(str(path))} is no regular file", "Move it away.")
        if status.st_size > LIMIT:
            raise WriteFailed(f"{named(str(path))} has {status.st_size:,} bytes, at most {LIMIT:,} are read", "")
        try:
            return path.read_bytes().decode()
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise WriteFailed(f"{named(str(path))}, line {line}: not UTF-8", "Save the file as UTF-8.") from None


def replace(path: Path, before: str | None, after: str, *, private: bool) -> list[Path]:
    """Replace `before` by `after`; returns the directories made for it, outermost first.

    The mode stays; a new file is readable by its owner alone if `private`. Raises WriteFailed, also if the file differs
    from `before`.
    """
    if read(path) != before:
        raise WriteFailed(f"{named(str(path))} was changed meanwhile", "Run the command again.")
    with _failing(path):
        made = [folder for folder in reversed(path.parents) if not folder.exists()]
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            _write(draft, after.encode(), 0o600 if private or before is not None else 0o666)
            if before is not None:
                draft.chmod(stat.S_IMODE(path.stat().st_mode))
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    return made


def delete(path: Path, before: str | None, folders: list[Path]) -> None:
    """Remove the file, and those of `folders`, innermost first, that are then empty. Raises as `replace`."""
    if read(path) != before:
        raise WriteFailed(f"{named(str(path))} was changed meanwhile", "Run the command again.")
    with _failing(path):
        path.unlink()
    with suppress(OSError):
        for folder in reversed(folders):
            folder.rmdir()


def _write(path: Path, content: bytes, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _failing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or "a name in it is not UTF-8"
        raise WriteFailed(f"{named(str(path))}: {reason}", "Nothing was written there.") from None
