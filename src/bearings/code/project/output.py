"""Writing a file into a project: never outside it, never half, never over something that is not ours."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from bearings.errors import InvalidInput, PathNotAllowed, WriteFailed, shown

_INSIDE = "Pass a path inside the project, such as coderef-graph.json."
_HEAD_BYTES = 64


def write_inside(root: Path, output_path: str, data: bytes, ours: Callable[[bytes], bool]) -> str:
    """Writes `data` and returns its path relative to `root`.

    `output_path` is relative to `root`, or absolute inside it; its directory must exist. A file that is there is
    replaced only if `ours` says so of its first bytes. Raises PathNotAllowed, InvalidInput or WriteFailed; then the
    tree is as it was.
    """
    target = _target(root, output_path)
    _check_replaceable(target, output_path, ours)
    draft = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    try:
        _write_new(draft, data)
        draft.replace(target)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise WriteFailed(
            f"{shown(output_path)} can't be written ({error.strerror})", "Free the path, or pass another output_path."
        ) from error
    return target.relative_to(root).as_posix()


def _target(root: Path, output_path: str) -> Path:
    """The real path to write to, with every link on the way resolved, checked to be inside `root`."""
    if not output_path.strip() or output_path.endswith(("/", os.sep)):
        raise InvalidInput("output_path", output_path, "is no file's path", _INSIDE)
    try:
        given = root / output_path
        directory = Path(os.path.realpath(given.parent))
        target = directory / given.name
        if given.name in ("", ".", "..") or not target.is_relative_to(root) or target == root:
            raise PathNotAllowed(f"output_path = {shown(output_path)}: is outside the project", _INSIDE)
        if ".git" in target.relative_to(root).parts:
            raise PathNotAllowed(f"output_path = {shown(output_path)}: is inside .git", _INSIDE)
        if target.is_symlink():
            raise PathNotAllowed(f"output_path = {shown(output_path)}: is a symbolic link", _INSIDE)
        if not directory.is_dir():
            raise WriteFailed(f"the directory of {shown(output_path)} does not exist", "Create it, or pass another.")
    except (OSError, ValueError) as error:
        raise InvalidInput("output_path", output_path, "is no usable path", _INSIDE) from error
    return target


def _check_replaceable(target: Path, output_path: str, ours: Callable[[bytes], bool]) -> None:
    if not os.path.lexists(target):
        return
    remedy = "Pass another output_path, or remove the file."
    if not target.is_file():
        raise WriteFailed(f"{shown(output_path)} exists and is no file", remedy)
    try:
        with target.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise WriteFailed(f"{shown(output_path)} exists and can't be read ({error.strerror})", remedy) from error
    if head and not ours(head):
        raise WriteFailed(f"{shown(output_path)} exists and is no export, so it is not replaced", remedy)


def _write_new(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, 0o644), "wb") as file:  # noqa: PTH123 - a descriptor
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
