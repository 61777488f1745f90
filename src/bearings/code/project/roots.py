"""Which directories may be opened as projects."""

import os
from collections.abc import Sequence
from pathlib import Path

from bearings.caller import Roots, caller
from bearings.errors import InvalidInput, PathNotAllowed, shown

_FIELD = "project_path"
_EXAMPLE = "Pass the absolute path of a project's directory, such as /home/me/app."


class ProjectRoots:
    """Opens projects inside `allowed` directories, or anywhere where it is None.

    A caller with roots of its own (`caller`) is also held to those.
    """

    def __init__(self, allowed: Sequence[Path] | None = None) -> None:
        self._allowed: Roots = None if allowed is None else tuple(_resolved(path) for path in allowed)

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
            self.check(project_path, real)
            self._check_directory(project_path, real)
        except (OSError, ValueError) as error:
            problem = (error.strerror if isinstance(error, OSError) else None) or "is no path"
            raise InvalidInput(_FIELD, project_path, f"can't be opened ({problem})", _EXAMPLE) from error
        return real

    def check(self, given: str, real: Path, field: str = _FIELD) -> None:
        """Raises PathNotAllowed for a real path outside every allowed directory; `given` is how the caller named it."""
        own = caller().roots
        if own is not None and not is_inside(real, own):
            raise PathNotAllowed(
                f"{field} = {shown(given)}: is outside the directories that your token may read",
                f"Allowed: {_listed(own)}. The server's operator can add more to the token.",
            )
        if self._allowed is None or is_inside(real, self._allowed):
            return
        raise PathNotAllowed(
            f"{field} = {shown(given)}: is outside the directories that this server may read",
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


def is_inside(path: Path, roots: Roots) -> bool:
    """Whether a real path is one of the directories or below one."""
    return roots is None or any(path.is_relative_to(root) for root in roots)


def shared(one: Roots, other: Roots) -> Roots:
    """The directories that are inside both, in order."""
    if one is None or other is None:
        return other if one is None else one
    inside = [root for root in one if is_inside(root, other)] + [root for root in other if is_inside(root, one)]
    return tuple(sorted(set(inside)))


def _listed(roots: Sequence[Path]) -> str:
    return ", ".join(str(root) for root in roots) or "none"


def _resolved(path: Path) -> Path:
    return Path(os.path.realpath(path.expanduser()))
