"""The interfaces that a way of resolving implements: a resolver of files, a table of the whole project."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial

from bearings.code.facts.packed_map import PackedMap
from bearings.code.file_facts import FileFacts
from bearings.code.models import ProjectFiles
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import attempt
from bearings.code.resolve.modules.cells import Entry, Names
from bearings.code.resolve.modules.lookups import Modules

_FORGOTTEN = 600
"""Files of which a table may hold the unpacked facts while it reads them: some forty megabytes."""


class Strategy(ABC):
    """Resolves files one by one, for one set of facts."""

    @abstractmethod
    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """A file's uses, and the files and cells that they depend on. Independent of earlier calls."""

    def give_up(self) -> frozenset[str]:
        """Ends the resolution of a file that raised; the files and cells that it has consulted so far."""
        return frozenset()

    # Most strategies hold nothing that would outlive them, some nothing at all.
    def forget(self, but: Collection[str] = ()) -> None:  # noqa: B027
        """Drops the tables of all other files: they take more memory than the facts."""

    def shed(self) -> None:  # noqa: B027
        """Drops all cached answers if there are many."""

    def close(self) -> None:  # noqa: B027
        """Drops everything; nothing is resolved afterwards."""


class Completion(ABC):
    """Adds uses that only a table of the whole project can find."""

    @abstractmethod
    def added(self, file: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
        """A file's uses with the added ones, and the files and cells that these depend on."""

    def give_up(self) -> frozenset[str]:
        """Ends the completion of a file that raised; the files and cells that it has consulted so far."""
        return frozenset()

    def shed(self, but: Collection[str]) -> None:  # noqa: B027 - most hold little
        """Drops the tables of all other files, and all cached answers if there are many."""


class ProjectTable(ABC):
    """Declarations that are found by name, in any file, without an import. A cell stands for all with one name."""

    def __init__(self) -> None:
        self._of_file: dict[str, frozenset[Entry]] = {}
        self._in_cell: dict[str, set[tuple[str, Entry]]] = {}

    def settle(self, project: ProjectFiles) -> bool:
        """Takes the paths and manifests of the tree, and returns whether the table covers other files since."""
        del project
        return False

    @abstractmethod
    def covers(self, path: str) -> bool:
        """Whether the table covers a file, by its path: facts may be packed."""

    def completes(self, path: str) -> bool:
        """Whether the completion may add uses of a covered file."""
        return self.covers(path)

    @abstractmethod
    def owns(self, cell: str) -> bool:
        """Whether the entries of a cell are of this table: several tables may cover a file."""

    @abstractmethod
    def read(self, path: str, facts: Mapping[str, FileFacts]) -> Iterable[Entry]:
        """The declarations of a covered file."""

    def completion(self, facts: Mapping[str, FileFacts], modules: Modules) -> Completion | None:
        """The completion of files' uses by the table in its present state; None if it completes none."""
        del facts, modules
        return None

    def update(self, paths: Iterable[str], facts: Mapping[str, FileFacts]) -> set[str]:
        """Reads files again, and returns the cells with changed answers."""
        changed: set[str] = set()
        for cells in self.changes(paths, facts):
            changed |= cells
        return changed

    def changes(self, paths: Iterable[str], facts: Mapping[str, FileFacts]) -> Iterator[set[str]]:
        """The same for each file in turn: all cells of a project may take much memory."""
        for number, path in enumerate(paths, 1):
            if number % _FORGOTTEN == 0 and isinstance(facts, PackedMap):
                facts.forget()
            if path in self._of_file or self.covers(path):
                entries: frozenset[Entry] = frozenset()
                if path in facts:
                    entries = attempt(path, partial(self._read, path, facts), entries)
                yield self._put(path, entries)

    def _read(self, path: str, facts: Mapping[str, FileFacts]) -> frozenset[Entry]:
        return frozenset(self.read(path, facts))

    @property
    def size(self) -> int:
        """The number of declarations."""
        return sum(map(len, self._of_file.values()))

    @property
    def paths(self) -> Collection[str]:
        """The files that have declarations."""
        return self._of_file.keys()

    def of_file(self, path: str) -> Collection[Entry]:
        """The declarations of a file, for another process to `take`."""
        return self._of_file.get(path, frozenset())

    def take(self, entries: Mapping[str, Iterable[Entry]]) -> None:
        """Adds the entries of another process."""
        for path, of_file in entries.items():
            self._put(path, frozenset(of_file))

    def names(self) -> Names:
        """All cells, as they are at any time."""
        return self._in_cell

    def in_cell(self, cell: str) -> list[tuple[str, Entry]]:
        """The declarations in a cell, each with its file, in order."""
        return sorted(self._in_cell.get(cell, ()))

    def _put(self, path: str, now: frozenset[Entry]) -> set[str]:
        """Replaces the declarations of a file, and returns the cells with changed answers."""
        before = self._of_file.pop(path, frozenset())
        if now:
            self._of_file[path] = now
        for entry in before - now:
            self._in_cell[entry[0]].discard((path, entry))
        for entry in now - before:
            self._in_cell.setdefault(entry[0], set()).add((path, entry))
        return {cell for cell, _, _ in before ^ now}
