"""What a family of languages implements: a finder of modules; and what a way of resolving implements."""

from abc import ABC, abstractmethod
from collections.abc import Collection

from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.things import Thing


class ModuleFinder(ABC):
    """Finds modules by the names that a family of languages gives them, in one tree of files."""

    @abstractmethod
    def find(self, importer: str, specifier: str) -> Thing:
        """The module or outside thing that `specifier` names in `importer`: a file, or a cell (see modules.py)."""


class Strategy(ABC):
    """Resolves files one by one, against one set of facts."""

    @abstractmethod
    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """What a file uses, and the files and cells that were consulted for that. No earlier question matters."""

    @abstractmethod
    def forget(self, but: Collection[str] = ()) -> None:
        """Drops the tables of all files but these: they take more room than the facts."""

    @abstractmethod
    def shed(self) -> None:
        """Drops kept answers beyond many."""
