"""Resolves any files of a project from scratch, to compare the result with what another process stored."""

from collections.abc import Iterable, Mapping, Sequence

from bearings.code.file_facts import FileFacts
from bearings.code.models import ProjectFiles
from bearings.code.resolve.file_resolver import FileResolver
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.modules.lookups import Lookup, Modules
from bearings.code.resolve.strategies import TABLES, completions, entries_of

LookupKey = tuple[str, str, str]
"""A Lookup without its answer: the asking file or cell, the specifier, the family of languages."""


class FreshResolution:
    """The facts of a whole project, from which everything else follows. Trusts nothing else."""

    def __init__(self, facts: Mapping[str, FileFacts], project: ProjectFiles) -> None:
        self._facts = facts
        self._project = project
        self._tables = [make() for make in TABLES]
        for table in self._tables:
            table.update(facts, facts)

    def entries(self) -> dict[str, list[Entry]]:
        """The entries of each file in the tables of the project."""
        return entries_of(self._tables)

    def answers(self, keys: Iterable[LookupKey]) -> list[Lookup]:
        """Lookups with their answers. Raises KeyError for a family that is none."""
        modules = Modules(self._project)
        return [(asker, specifier, family, modules.find(asker, specifier, family)) for asker, specifier, family in keys]

    def uses(self, paths: Sequence[str]) -> tuple[dict[str, tuple[FileUses, frozenset[str]]], set[LookupKey]]:
        """The uses of some files with the files and cells that they depend on, and all lookups made for them."""
        modules = Modules(self._project)
        files = FileResolver(self._facts, self._project, modules)
        uses = files.uses(paths)
        for path, complete in completions(self._tables, self._facts, modules, paths):
            uses[path], consulted = complete(uses[path])
            files.consulted[path] |= consulted
        files.close()
        with_consulted = {path: (uses[path], files.consulted[path]) for path in paths}
        return with_consulted, {lookup[:3] for lookup in modules.lookups()}
