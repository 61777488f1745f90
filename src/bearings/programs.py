"""Find other programs without running one of the project in question.

A project is untrusted: a `git` or `node` inside it must never run. `PATH` may lead there in two ways. An entry that is
not absolute (`.`, `node_modules/.bin`, an empty one) means the working directory; and `npm run` and direnv add absolute
entries inside the project. The search skips both.

`shutil.which` is unsuitable: on Windows it looks into the working directory first.
"""

import os
from collections.abc import Iterator

_WINDOWS = os.name == "nt"

_MAX_LINKS = 40
"""Linux follows as many links in one path."""

_Directory = tuple[int, int]
"""Device and inode: equal for two spellings of one directory, also on file systems that ignore case."""


def find_program(name: str, project: str | os.PathLike[str] | None, path: str | None = None) -> str | None:
    """The absolute path of the first program `name` on `path` (default: PATH) outside `project`; None if there is none.

    `belongs_to` defines "outside". With `project=None`, only entries that are not absolute are skipped.
    """
    top = _top(project)
    for directory in _absolute(_path(path)):
        for suffix in _suffixes(name):
            file = os.path.join(directory, name + suffix)
            if _is_program(file) and not _is_inside(file, top):
                return file
    return None


def search_path(project: str | os.PathLike[str] | None, path: str | None = None) -> str:
    """`path` (default: PATH) without the entries that `find_program` skips: a safe PATH for another program."""
    top = _top(project)
    return os.pathsep.join(entry for entry in _absolute(_path(path)) if not _is_inside(os.path.join(entry, ""), top))


def belongs_to(file: str | os.PathLike[str], project: str | os.PathLike[str] | None) -> bool:
    """Whether `file`, or any link on the way to it, lies inside `project` or inside the repository around it.

    The repository is the outermost directory above `project` with a `.git`, below the user's home directory. The home
    directory counts only as the project itself: people version their settings there.
    """
    return _is_inside(os.path.abspath(file), _top(project))


def forget_relative_entries() -> None:
    """Remove the relative entries from the PATH of this process and so of its children.

    On Windows, also stop searching the working directory.
    """
    if "PATH" in os.environ:
        os.environ["PATH"] = os.pathsep.join(_absolute(os.environ["PATH"]))
    if _WINDOWS:
        os.environ["NoDefaultCurrentDirectoryInExePath"] = "1"  # noqa: SIM112 - its name


def _path(given: str | None) -> str:
    return os.environ.get("PATH", os.defpath) if given is None else given


def _absolute(path: str) -> Iterator[str]:
    r"""The absolute entries, each once. On Windows `\bin` is not absolute: it lies on the current drive."""
    for entry in dict.fromkeys(path.split(os.pathsep)):
        drive, rest = os.path.splitdrive(entry)
        if os.path.isabs(rest) and (drive or not _WINDOWS):
            yield entry


def _suffixes(name: str) -> tuple[str, ...]:
    """The suffixes that a program's file may have."""
    if not _WINDOWS:
        return ("",)
    known = tuple(filter(None, os.environ.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").split(os.pathsep)))
    return ("",) if name.lower().endswith(tuple(suffix.lower() for suffix in known)) else known


def _is_program(file: str) -> bool:
    return os.path.isfile(file) and os.access(file, os.X_OK)


def _top(project: str | os.PathLike[str] | None) -> _Directory | None:
    """The directory from which nothing may run; None without a project, or for one that does not exist."""
    if project is None:
        return None
    try:
        top = here = os.path.realpath(project)
    except OSError:  # a relative path in a working directory that is gone
        return None
    home = os.path.realpath(os.path.expanduser("~"))
    while (above := os.path.dirname(here)) != here and not _is_below(home, above):
        here = above
        if os.path.lexists(os.path.join(here, ".git")):
            top = here
    return _directory(top)


def _is_below(path: str, directory: str) -> bool:
    """Whether `path` is `directory` or below it, both resolved."""
    return path == directory or path.startswith(os.path.join(directory, ""))


def _is_inside(file: str, top: _Directory | None) -> bool:
    """Whether the directory of `file`, or of a file that it links to, is `top` or below it."""
    if top is None:
        return False
    for _ in range(_MAX_LINKS):
        folder = os.path.realpath(os.path.dirname(file))
        if top in _with_parents(folder):
            return True
        file = os.path.join(folder, os.path.basename(file))
        if not os.path.islink(file):
            return False
        file = os.path.join(folder, os.readlink(file))
    return True


def _with_parents(folder: str) -> Iterator[_Directory | None]:
    yield _directory(folder)
    while (above := os.path.dirname(folder)) != folder:
        folder = above
        yield _directory(folder)


def _directory(path: str) -> _Directory | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
