"""Opening files below a directory without following links in any component of their path.

A path is opened one component at a time, each relative to the descriptor of its parent, with `O_NOFOLLOW`. Therefore a
folder that is replaced by a link during reading is refused at any moment. On systems without such calls (Windows), the
real path is compared before each open; a replacement between the two is not detected.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from types import TracebackType

from bearings.regular import NoRegularFile

_HAS_DIR_FD = os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether the system opens files relative to a descriptor."""

_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
"""Flags for every open: a link as the last component is refused, and no descriptor is passed to other programs."""

_FOLDER_TO_LIST = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_LINK
_FOLDER = _FOLDER_TO_LIST | getattr(os, "O_PATH", 0)
"""Flags for a folder: `O_PATH` is enough to open files below, and needs no permission to list it."""

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
"""Flags for reading; opening a FIFO never blocks."""

_NO_NAMES = ("", ".", "..")
"""Components that name no file or folder below."""


class SafeDirectory:
    """A directory whose files are opened without following links. `root` is a real path.

    The folder of the last file stays open, so that each file of one folder costs one call. Paths are relative and use
    `/`; a path with `..`, an empty component or a link on the way raises OSError. Not thread-safe.
    """

    def __init__(self, root: Path, *, pins: bool = _HAS_DIR_FD) -> None:
        """`pins`: whether to open relative to descriptors; False compares real paths, as systems without them must."""
        self._root = root
        self._pins = pins
        self._top = -1
        """The descriptor of the root; -1 while closed."""
        self._folder = -1
        """The descriptor of the folder of the last file, which is at `_folder_path`."""
        self._folder_path = ""

    def __enter__(self) -> "SafeDirectory":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the folders. A later call opens them again."""
        for descriptor in {self._folder, self._top} - {-1}:
            os.close(descriptor)
        self._top = self._folder = -1
        self._folder_path = ""

    def file(self, path: str) -> FileIO:
        """Open a regular file for reading, unbuffered. Never blocks. Raises OSError (see NoRegularFile)."""
        return FileIO(self.open_regular(path)[0])

    def open_regular(self, path: str) -> tuple[int, os.stat_result]:
        """As `file`: the descriptor, which the caller closes, and the status of the file."""
        descriptor = self._open(path, _READ)
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode):
            return descriptor, status
        os.close(descriptor)
        raise NoRegularFile(f"{path!r} is no regular file")

    def create(self, path: str, mode: int) -> FileIO:
        """Create a file for writing, unbuffered. Raises OSError, FileExistsError if the path exists."""
        return FileIO(self._open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w")

    def stat(self, path: str) -> os.stat_result:
        """The status of the file, or of a link itself. `""` is the directory. Raises OSError."""
        if not path:
            return os.fstat(self._at("")) if self._pins else os.lstat(self._checked(""))
        name, folder = self._place(path)
        return os.stat(name, dir_fd=folder, follow_symlinks=False)

    def link(self, path: str) -> str:
        """The text of a symbolic link. Raises OSError."""
        name, folder = self._place(path)
        return os.readlink(name, dir_fd=folder)

    def replace(self, draft: str, path: str) -> None:
        """Rename `draft` to `path`; both are in one folder. Raises OSError."""
        (source, folder), (name, _) = self._place(draft), self._place(path)
        os.replace(source, name, src_dir_fd=folder, dst_dir_fd=folder)

    def unlink(self, path: str) -> None:
        """Remove the file. Raises OSError."""
        name, folder = self._place(path)
        os.unlink(name, dir_fd=folder)

    def make_folder(self, path: str) -> None:
        """Create a folder in one that is there. Raises OSError, FileExistsError if the path exists."""
        name, folder = self._place(path)
        os.mkdir(name, dir_fd=folder)

    def remove_folder(self, path: str) -> None:
        """Remove an empty folder. Raises OSError."""
        name, folder = self._place(path)
        os.rmdir(name, dir_fd=folder)

    @contextmanager
    def scan(self, folder: str) -> "Iterator[Iterator[os.DirEntry[str]]]":
        """A context with the entries of a folder, `""` for the directory itself. Raises OSError."""
        if not self._pins:
            with os.scandir(self._checked(folder)) as entries:
                yield entries
            return
        # The folder that stays open can't be listed (O_PATH): open it once more.
        descriptor = os.open(".", _FOLDER_TO_LIST, dir_fd=self._at(folder))
        try:
            with os.scandir(descriptor) as entries:
                yield entries
        finally:
            os.close(descriptor)

    def _open(self, path: str, flags: int, mode: int = 0) -> int:
        """A descriptor of the file. Raises OSError."""
        flags |= _NO_LINK | getattr(os, "O_BINARY", 0)
        name, folder = self._place(path)
        if not self._pins:
            self._checked(path)  # a system without descriptors of folders has no O_NOFOLLOW either
        return os.open(name, flags, mode, dir_fd=folder)

    def _place(self, path: str) -> tuple[str, int | None]:
        """A path as system calls take it: a name and its folder's descriptor, or the absolute path and None."""
        folder, _, last = path.rpartition("/")
        name = _plain(last)
        return (name, self._at(folder)) if self._pins else (f"{self._checked(folder)}/{name}", None)

    def _at(self, folder: str) -> int:
        """The descriptor of a folder; it stays open until another folder is requested."""
        if self._top < 0:
            self._top = self._folder = _descended(os.open(os.sep, _FOLDER), self._root.parts[1:])
            self._folder_path = ""
        if folder == self._folder_path:
            return self._folder
        if self._folder_path and folder.startswith(f"{self._folder_path}/"):  # descend from the open folder
            start, rest = self._folder, folder[len(self._folder_path) + 1 :]
        else:
            start, rest = self._top, folder
        parts = [_plain(part) for part in rest.split("/")] if folder else []
        opened = _descended(os.dup(start), parts)  # a copy, because `_descended` closes where it starts
        if self._folder != self._top:
            os.close(self._folder)
        self._folder, self._folder_path = opened, folder
        return opened

    def _checked(self, path: str) -> str:
        """The absolute path of a file or folder. Raises OSError if it is a link or a link leads there."""
        absolute = os.path.join(self._root, *(_plain(part) for part in path.split("/") if path))  # noqa: PTH118
        if os.path.normcase(os.path.realpath(absolute)) != os.path.normcase(absolute):
            raise OSError(f"a link leads to {path!r}")
        return absolute


def _descended(at: int, parts: Sequence[str]) -> int:
    """The descriptor of the folder at `parts` below `at`; closes `at`. Raises OSError."""
    for part in parts:
        try:
            below = os.open(part, _FOLDER, dir_fd=at)
        finally:
            os.close(at)
        at = below
    return at


def _plain(name: str) -> str:
    """The component. Raises OSError for one that leads elsewhere, such as `..`."""
    if name in _NO_NAMES or "\0" in name or os.sep in name:
        raise OSError(f"{name!r} is no file's name")
    return name
