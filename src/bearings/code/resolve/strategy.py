"""The interfaces of what a language brings: a finder of modules, a resolver, a table of the whole project."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from bearings.code.models import FileFacts
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.referents import Thing

if TYPE_CHECKING:
    from bearings.code.resolve.modules import Modules

Entry = tuple[str, str, str]
"""A cell, the name of a declaration that it stands for, and what that says."""


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


class Completion(ABC):
    """Adds to the uses of files what only a table of the whole project tells."""

    @abstractmethod
    def added(self, file: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
        """What a file uses, with what is added; and the files and cells that were consulted for that."""


class ProjectTable(ABC):
    """Declarations that are found by name, in any file, without an import. A cell stands for all that have a name."""

    @abstractmethod
    def covers(self, path: str) -> bool:
        """Whether the table is about a file, by its path: facts may be packed."""

    @abstractmethod
    def update(self, paths: Iterable[str], facts: Mapping[str, FileFacts]) -> set[str]:
        """Reads files again: the cells for which there are other answers now."""

    @abstractmethod
    def entries(self) -> dict[str, list[Entry]]:
        """What each file declares, for another process to `take`."""

    @abstractmethod
    def take(self, entries: Mapping[str, Iterable[Entry]]) -> None:
        """Takes over what another process knew."""

    @abstractmethod
    def completion(self, facts: Mapping[str, FileFacts], modules: "Modules") -> Completion:
        """What completes the uses of files, by this table as it is now."""
