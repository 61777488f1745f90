"""Writing a file into a project: never outside it, never partially, never over a file of another program."""

import os
from collections.abc import Callable
from pathlib import Path

from bearings.code.project.safe_directory import SafeDirectory
from bearings.code.project.whole import write_alone
from bearings.errors import InvalidInput, PathNotAllowed, WriteFailed, shown
from bearings.regular import NoRegularFile

_INSIDE = "Pass a path inside the project, such as coderef-graph.json."
_HEAD_BYTES = 64


def write_inside(root: Path, output_path: str, data: bytes, ours: Callable[[bytes], bool]) -> str:
    """Write `data` and return its path relative to `root`.

    `output_path` is relative to `root`, or absolute inside it; its directory must exist. An existing file is replaced
    only if it is empty, or if `ours` accepts its first bytes. Raises PathNotAllowed, InvalidInput or
    WriteFailed, and leaves the tree unchanged then.
    """
    path = _target(root, output_path)
    with SafeDirectory(root) as tree:
        _check_replaceable(tree, path, output_path, ours)
    write_alone(root, path, data)
    return path


def _target(root: Path, output_path: str) -> str:
    """The path to write to, relative to `root`, with all links resolved, and checked to be inside."""
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
    return target.relative_to(root).as_posix()


def _check_replaceable(tree: SafeDirectory, path: str, output_path: str, ours: Callable[[bytes], bool]) -> None:
    remedy = "Pass another output_path, or remove the file."
    try:
        with tree.file(path) as file:
            head = file.read(_HEAD_BYTES)
    except FileNotFoundError:
        return
    except NoRegularFile:
        raise WriteFailed(f"{shown(output_path)} exists and is no file", remedy) from None
    except OSError as error:
        reason = error.strerror or error
        raise WriteFailed(f"{shown(output_path)} exists and can't be read ({reason})", remedy) from error
    if head and not ours(head):
        raise WriteFailed(f"{shown(output_path)} exists and is no export, so it is not replaced", remedy)
