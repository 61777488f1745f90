"""The interface of what finds modules: one implementation for each family of languages."""

from abc import ABC, abstractmethod
from collections.abc import Iterable

from bearings.code.resolve.referent import Referent


class ModuleFinder(ABC):
    """Finds modules by the names that a family of languages gives them, in one tree of files."""

    @abstractmethod
    def find(self, importer: str, specifier: str) -> Referent:
        """The module or outside referent that `specifier` names in `importer`: a file, or a cell (see cells.py).

        The `files` of a module that is not sure, or is for one platform, begin with UNSURE or FOR_PLATFORM.
        """

    def spellings(self, importer: str, target: str, like: str, meant: str) -> Iterable[str]:
        """The names that `importer` may give the file or folder `target`, best first.

        They are in the style of `like`, by which a file of the project names `meant`; both are empty for no style.
        """
        del importer, target, like, meant
        return ()

    def variants(self, path: str) -> tuple[str, ...]:
        """The files that stand for the one at `path` on other platforms, and that one; empty for most."""
        del path
        return ()

    def cells(self, importer: str, name: str, *, is_script: bool) -> Iterable[tuple[str, str]]:
        """The cells in which a name may be that `importer` does not declare, best first, and the reason for each.

        `is_script`: the file imports and exports nothing.
        """
        del importer, name, is_script
        return ()
