"""The directories that may be opened as projects."""

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bearings.caller import Roots, caller
from bearings.errors import InvalidInput, PathNotAllowed, shown

_FIELD = "project_path"
_LONGEST = 4096
_EXAMPLE = "Pass the absolute path of a project's directory, such as /home/me/app."

_MARKS = (".git", ".coderef-index.json", "package.json", "pyproject.toml", "setup.py", "go.mod", "Cargo.toml")
"""Files that mark a project's directory. A repository's root wins over packages in it."""


class ProjectRoots:
    """Opens projects inside the `allowed` directories, or anywhere if it is None.

    A caller's own roots (see `caller`) apply too.
    """

    def __init__(self, allowed: Sequence[Path] | None = None) -> None:
        self._allowed: Roots = None if allowed is None else tuple(_resolved(path) for path in allowed)

    def open(self, project_path: str) -> Path:
        """The project's directory with symbolic links resolved.

        Raises InvalidInput if it is not an absolute path of a readable directory, and PathNotAllowed if it lies
        outside the allowed directories; that error does not reveal whether the path exists.
        """
        try:
            path = Path(project_path)
            if not path.is_absolute():
                raise InvalidInput(_FIELD, project_path, "is not an absolute path", _EXAMPLE)
            real = Path(os.path.realpath(path))
            self.check(project_path, real)
            self._check_directory(project_path, real)
        except (OSError, ValueError) as error:
            problem = (error.strerror if isinstance(error, OSError) else None) or "is no path"
            raise InvalidInput(_FIELD, project_path, f"can't be opened ({problem})", _EXAMPLE) from error
        return real

    def project_of(self, path: str, project_path: str = "") -> tuple[Path, str]:
        """The project that contains a file or directory, and the path relative to it.

        Without `project_path`, the project is the repository around it, else the nearest package, else its directory.
        Raises InvalidInput, PathNotAllowed.
        """
        given_path = Path(path)
        if not given_path.is_absolute():
            raise InvalidInput(
                "path", path, "is not an absolute path", "Pass the absolute path of a file or directory."
            )
        try:
            real = Path(os.path.realpath(given_path))
            self.check(path, real, "path")
            root = self.open(project_path) if project_path else None
            if root is not None and not real.is_relative_to(root):
                raise InvalidInput("path", path, f"is not inside {root}", "Pass a path inside project_path.")
            if not real.exists():
                raise InvalidInput("path", path, "does not exist", "Pass a file or a directory that does.")
            root = root or self._enclosing(real if real.is_dir() else real.parent)
        except (OSError, ValueError) as error:
            raise InvalidInput("path", path, "is no usable path", "Pass one that exists.") from error
        return root, real.relative_to(root).as_posix()

    def file(self, path_text: str, project_path: str, field: str) -> Path:
        """The real path of a file that need not lie in the project; a relative one starts there.

        Without `project_path` it starts from the working directory.

        Raises InvalidInput, PathNotAllowed; that error does not reveal whether the path exists.
        """
        try:
            path = Path(path_text)
            is_whole = path.is_absolute() or not project_path
            real = Path(os.path.realpath(path if is_whole else self.open(project_path) / path))
        except (OSError, ValueError) as error:
            raise InvalidInput(field, path_text, "is no usable path", "Pass the absolute path of a file.") from error
        self.check(path_text, real, field)
        return real

    def _enclosing(self, directory: Path) -> Path:
        """The repository around a directory, else the nearest package, else the directory; never above the roots."""
        opened = self.open(str(directory))
        nearest_package = None
        for parent in (opened, *opened.parents):
            try:
                self.open(str(parent))
            except (PathNotAllowed, InvalidInput):
                break
            if (parent / ".git").exists():
                return parent
            if nearest_package is None and any((parent / name).exists() for name in _MARKS):
                nearest_package = parent
        return nearest_package or opened

    async def of_caller(self, path_text: str | None) -> tuple[str, str]:
        """The absolute path of the project that a call names, or of the caller's own. See `locate`."""
        absolute = path_text is not None and (path_text.startswith(("/", "~")) or Path(path_text).is_absolute())
        return self.locate(path_text, () if absolute else await caller().workspace())

    def locate(self, path_text: str | None, workspace: Sequence[Path] = ()) -> tuple[str, str]:
        """The absolute path for `path_text` (None if the caller named none), and a note how it was found, or "".

        A relative path starts from a directory of the caller's `workspace`, else from the only allowed directory,
        else from the working directory unless that is a home; never from the root of the file system. Raises
        InvalidInput if no directory fits, or several do.
        """
        path = _plain(path_text, with_home=self._allowed is None)
        if path is not None and path.is_absolute():
            return str(path), ""
        for bases, origin in self._bases(workspace):
            fitting = _fitting(path, bases)
            if len(fitting) > 1:
                remedy = f"Pass one of {_listed(fitting)}."
                raise InvalidInput(_FIELD, path_text, f"may be any of {len(fitting)} directories", remedy)
            if fitting:
                given_path = (
                    "no project_path was passed" if path is None else f"project_path {shown(path_text)} is relative"
                )
                return str(fitting[0]), f"{given_path}: this is {shown(str(fitting[0]), _LONGEST)}, {origin}"
        if path_text is None:
            raise InvalidInput(_FIELD, None, "is required", _EXAMPLE)
        raise InvalidInput(_FIELD, path_text, "is not an absolute path, and no such directory is known", _EXAMPLE)

    def _bases(self, workspace: Sequence[Path]) -> list[tuple[list[Path], str]]:
        """The possible starts of a relative path with their descriptions, the likeliest first."""
        allowed = caller().roots or self._allowed or ()
        bases = (
            (workspace, "from the client's roots"),
            (allowed if len(allowed) == 1 else (), "the directory that may be read"),
            (_working_directory(), "from the working directory"),
        )
        return [([path for path in map(_resolved, paths) if self._may_be_meant(path)], to) for paths, to in bases]

    def _may_be_meant(self, real: Path) -> bool:
        return real != Path(real.anchor) and is_inside(real, caller().roots) and is_inside(real, self._allowed)

    def check(self, path_text: str, real: Path, field: str = _FIELD) -> None:
        """Raise PathNotAllowed for a real path outside the allowed directories; the caller spelled it `path_text`."""
        caller_roots = caller().roots
        if caller_roots is not None and not is_inside(real, caller_roots):
            raise PathNotAllowed(
                f"{field} = {shown(path_text)}: is outside the directories that your token may read",
                f"Allowed: {_listed(caller_roots)}. The server's operator can add more to the token.",
            )
        if self._allowed is None or is_inside(real, self._allowed):
            return
        raise PathNotAllowed(
            f"{field} = {shown(path_text)}: is outside the directories that this server may read",
            f"Allowed: {_listed(self._allowed)}. The server's --root option or BEARINGS_ROOTS adds more.",
        )

    @staticmethod
    def _check_directory(path_text: str, real: Path) -> None:
        try:
            os.stat(real)  # noqa: PTH116 - unlike Path.exists, it says why not
        except FileNotFoundError:
            raise InvalidInput(_FIELD, path_text, "does not exist", _EXAMPLE) from None
        if not real.is_dir():
            error = InvalidInput(_FIELD, path_text, "is a file, not a directory", f"Its directory is {real.parent}.")
            raise error.instead_of(_FIELD, str(real.parent))
        with os.scandir(real):
            return


def is_inside(path: Path, roots: Roots) -> bool:
    """Whether a real path is one of the directories or below one."""
    return roots is None or any(path.is_relative_to(root) for root in roots)


def shared(first: Roots, second: Roots) -> Roots:
    """The directories inside both, in order."""
    if first is None or second is None:
        return second if first is None else first
    inside = [root for root in first if is_inside(root, second)] + [root for root in second if is_inside(root, first)]
    return tuple(sorted(set(inside)))


def _plain(path_text: str | None, *, with_home: bool) -> Path | None:
    """The path of a text or file URI with `~` expanded; None for the base itself."""
    if path_text is None or path_text.strip() in ("", ".", "./"):
        return None
    if path_text.strip().lower().startswith("file:"):
        return Path(unquote(urlsplit(path_text.strip()).path))
    try:
        return Path(path_text).expanduser() if with_home else Path(path_text)
    except RuntimeError:  # no such user
        return Path(path_text)


def _fitting(path: Path | None, bases: Sequence[Path]) -> list[Path]:
    """The directories that a relative path leads to; if there is none, the bases of that name."""
    if path is None:
        return list(dict.fromkeys(bases))
    try:
        below = [_resolved(base / path) for base in bases if (base / path).is_dir()]
    except (OSError, ValueError):
        return []
    return list(dict.fromkeys(below or [base for base in bases if base.name == path.name == str(path)]))


def _working_directory() -> tuple[Path, ...]:
    """The working directory, unless it is meaningless: a client may start the server anywhere."""
    try:
        directory = Path.cwd()
        return () if directory == Path.home() else (directory,)
    except (OSError, RuntimeError):
        return ()


def _listed(roots: Sequence[Path]) -> str:
    return ", ".join(str(root) for root in roots) or "none"


def _resolved(path: Path) -> Path:
    return Path(os.path.realpath(path.expanduser()))
