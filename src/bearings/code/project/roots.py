"""Which directories may be opened as projects."""

import os
from collections.abc import Sequence
from pathlib import Path

from bearings.caller import caller
from bearings.errors import InvalidInput, PathNotAllowed, shown

_FIELD = "project_path"
_EXAMPLE = "Pass the absolute path of a project's directory, such as /home/me/app."


class ProjectRoots:
    """Opens projects inside `allowed` directories, or anywhere where it is None.

    A caller with roots of its own (`caller`) is also held to those.
    """

    def __init__(self, allowed: Sequence[Path] | None = None) -> None:
        self._allowed = None if allowed is None else tuple(_resolved(path) for path in allowed)

    def open(self, project_path: str) -> Path:
        """The project's directory, symbolic links resolved.

        Raises InvalidInput if it is not an absolute path of a readable directory, and PathNotAllowed if it lies
        outside every allowed directory; of such a path nothing more is said, not even whether it exists.
        """
        try:
            path = Path(project_path)
            if not path.is_absolute():
                raise InvalidInput(_FIELD, project_path, "is not an absolute path", _EXAMPLE)
            real = Path(os.path.realpath(path))
            self._check_allowed(project_path, real)
            self._check_directory(project_path, real)
        except (OSError, ValueError) as error:
            problem = (error.strerror if isinstance(error, OSError) else None) or "is no path"
            raise InvalidInput(_FIELD, project_path, f"can't be opened ({problem})", _EXAMPLE) from error
        return real

    def _check_allowed(self, given: str, real: Path) -> None:
        own = caller().roots
        if own is not None and not _inside(real, own):
            raise PathNotAllowed(
                f"{_FIELD} = {shown(given)}: is outside the directories that your token may read",
                f"Allowed: {_listed(own)}. The server's operator can add more to the token.",
            )
        if self._allowed is None or _inside(real, self._allowed):
            return
        raise PathNotAllowed(
            f"{_FIELD} = {shown(given)}: is outside the directories that this server may read",
            f"Allowed: {_listed(self._allowed)}. The server's --root option or BEARINGS_ROOTS adds more.",
        )

    @staticmethod
    def _check_directory(given: str, real: Path) -> None:
        try:
            os.stat(real)  # noqa: PTH116 - unlike Path.exists, it says why not
        except FileNotFoundError:
            raise InvalidInput(_FIELD, given, "does not exist", _EXAMPLE) from None
        if not real.is_dir():
            raise InvalidInput(_FIELD, given, "is a file, not a directory", f"Its directory is {real.parent}.")
        with os.scandir(real):
            return


def _inside(path: Path, roots: Sequence[Path]) -> bool:
    return any(path.is_relative_to(root) for root in roots)


def _listed(roots: Sequence[Path]) -> str:
    return ", ".join(str(root) for root in roots) or "none"


def _resolved(path: Path) -> Path:
    return Path(os.path.realpath(path.expanduser()))
