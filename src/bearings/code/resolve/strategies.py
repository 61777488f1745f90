"""The implementation of each way of resolving, and the tables of whole projects.

Languages with declared types, whose classes differ by name, have no way of their own: the table of names asks
`nominal/` first what a use means (see rules/by_name/table.py).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from bearings.code.file_facts import FileFacts
from bearings.code.models import ProjectFiles
from bearings.code.resolve.edges.uses import Scoped
from bearings.code.resolve.endpoints.requests import RequestTable
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import attempt
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.rules.by_name.table import NameTable, NoUses
from bearings.code.resolve.rules.ecmascript.ambient import AmbientTable
from bearings.code.resolve.rules.go.implements import GoInterfaces
from bearings.code.resolve.rules.go.uses import ByPackages
from bearings.code.resolve.rules.semantics import ResolvedBy
from bearings.code.resolve.strategy import Completion, ProjectTable, Strategy

STRATEGIES: Final[dict[ResolvedBy, Callable[[Mapping[str, FileFacts], Modules], Strategy]]] = {
    ResolvedBy.SCOPES: Scoped,
    ResolvedBy.PACKAGES: ByPackages,
    ResolvedBy.NAMES: NoUses,
}

TABLES: Final[tuple[Callable[[], ProjectTable], ...]] = (AmbientTable, GoInterfaces, NameTable, RequestTable)
"""Tables of the whole project. The first has the names that files see without an import."""


def completed(completion: Completion, path: str, uses: FileUses) -> tuple[FileUses, frozenset[str]]:
    """A file's uses with those that a completion adds, and the files and cells that these depend on."""
    added = attempt(path, lambda: completion.added(path, uses), None)
    return (uses._replace(given_up=True), completion.give_up()) if added is None else added


def tables_with(project: ProjectFiles, entries: Mapping[str, Sequence[Entry]]) -> list[ProjectTable]:
    """The tables of a project with the entries of another process."""
    tables = [make() for make in TABLES]
    for table in tables:
        table.settle(project)
        table.take(
            {
                path: [entry for entry in entries_of_file if table.owns(entry[0])]
                for path, entries_of_file in entries.items()
                if table.covers(path)
            }
        )
    return tables


class Entries(Mapping[str, Sequence[Entry]]):
    """The entries of each file in all tables, made when they are asked for."""

    def __init__(self, tables: Iterable[ProjectTable]) -> None:
        self._tables = tuple(tables)
        self._paths = sorted(frozenset[str]().union(*(table.paths for table in self._tables)))

    def __getitem__(self, path: str) -> list[Entry]:
        return [entry for table in self._tables for entry in table.of_file(path)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)
