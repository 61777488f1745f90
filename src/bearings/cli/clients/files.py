"""Files of a user: read whole; replaced and deleted together, all or none.

Links are followed, because many people link to settings kept elsewhere: the target is replaced, and the link stays. If
the file belongs to a project, nothing outside the project is read or written, because a project is untrusted.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from bearings.code.project.sources import stamp_of
from bearings.code.project.whole import Whole
from bearings.errors import PathNotAllowed, WriteFailed
from bearings.regular import NoRegularFile, read_regular
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
            data, status = read_regular(path, LIMIT)
        except FileNotFoundError:
            return None
        except NoRegularFile:
            raise WriteFailed(f"{named(str(path))} is no regular file", "Move it away.") from None
        if len(data) > LIMIT:
            raise WriteFailed(f"{named(str(path))} has {status.st_size:,} bytes, at most {LIMIT:,} are read", "")
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise WriteFailed(f"{named(str(path))}, line {line}: not UTF-8", "Save the file as UTF-8.") from None


class Edit(NamedTuple):
    """The text of a file before and after; None for no file. A new file is readable by its owner alone if `private`."""

    path: Path
    before: str | None
    after: str | None
    private: bool


def make_folders_for(path: Path) -> list[Path]:
    """Make the missing directories above a file, all or none; returns them, outermost first. Raises WriteFailed."""
    with _failing(path):
        missing = [folder for folder in reversed(path.parents) if not folder.exists()]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except BaseException:
            remove_empty(missing)
            raise
    return missing


def write_all(edits: Iterable[Edit]) -> None:
    """Write all files, with the mode of those that they replace, or none.

    First finishes what an earlier command left. Raises WriteFailed, also if a file differs from `before`.
    """
    with ExitStack() as stack:
        wholes: dict[str, Whole] = {}
        for edit in edits:
            if edit.before == edit.after:
                continue
            path, root = Path(os.path.realpath(edit.path)), edit.path.anchor
            if root not in wholes:
                wholes[root] = stack.enter_context(Whole(Path(root), "the change of settings"))
            stamp = stamp_of(Path(root), path.relative_to(root).as_posix())
            if read(path) != edit.before:
                raise WriteFailed(f"{named(str(path))} was changed meanwhile", "Run the command again.")
            mode = 0o600 if edit.private else 0o666
            with _failing(path):
                before, after = (None if text is None else text.encode() for text in (edit.before, edit.after))
                wholes[root].draft(path.relative_to(root).as_posix(), before, after, stamp, mode)
        for whole in wholes.values():
            whole.commit()


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove directories as far as they are empty."""
    for folder in sorted(folders, key=lambda folder: len(folder.parts), reverse=True):
        with suppress(OSError):
            folder.rmdir()


@contextmanager
def _failing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or "a name in it is not UTF-8"
        raise WriteFailed(f"{named(str(path))}: {reason}", "Nothing was written there.") from None
