"""Resolves some files of a project in one process, perhaps while other processes resolve the rest.

The result of a file does not depend on which process resolves it, nor on what was resolved there before.
"""

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Packed
from bearings.code.file_facts import FileFacts
from bearings.code.models import ProjectFiles
from bearings.code.resolve.file_summary import FileSummary, summaries_for, summary_of
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import attempt
from bearings.code.resolve.memory import Lookup, consulted_for
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.resolve.rules.semantics import ResolvedBy
from bearings.code.resolve.stored_uses import pack_uses, packed_uses
from bearings.code.resolve.strategies import STRATEGIES, completed
from bearings.code.resolve.strategy import ProjectTable, Strategy

_KEPT_PART = 4
"""A quarter of all facts may stay unpacked for the files that are resolved next."""
_SELDOM = 0.1
"""Files that are consulted less often, by the count of `_needed_next`, are dropped."""


class ResolvedFile(msgspec.Struct, array_like=True):
    """The packed uses of a file, the files and cells that they depend on, and its summary."""

    path: str
    uses: bytes
    consulted: frozenset[str]
    summary: FileSummary


class ResolvedFiles(msgspec.Struct, array_like=True):
    """Resolved files, in the order of the request, and the modules that were looked up meanwhile."""

    files: list[ResolvedFile]
    lookups: list[Lookup]


class FileResolver:
    """Resolves files of a project one by one, completed by the tables of the project.

    `consulted` has the files and cells that the uses of each file depend on. `summaries` has those of files that
    `uses_sparingly` resolved, or other processes.
    """

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        project: ProjectFiles,
        modules: Modules | None = None,
        tables: Sequence[ProjectTable] = (),
    ) -> None:
        self.facts = facts
        self.project = project
        self.tables = tables
        self._modules = modules or Modules(project)
        completions = ((table, table.completion(facts, self._modules)) for table in tables)
        self._completions = [(table, completion) for table, completion in completions if completion is not None]
        self._strategies: dict[ResolvedBy, Strategy] = {}
        self.summaries = summaries_for(len(facts))
        self.consulted = consulted_for(len(facts))
        self._counts: dict[str, float] = {}
        self._room = 0

    def uses(self, paths: Iterable[str]) -> dict[str, FileUses]:
        """The uses of each file, for a few after an edit. Drops their tables, which take more memory than the facts."""
        uses = {path: self._uses(path) for path in paths}
        for strategy in self._strategies.values():
            strategy.forget()
        return uses

    def uses_sparingly(self, paths: Collection[str]) -> dict[str, FileUses]:
        """The same for one chunk of many: also makes summaries, drops unpacked facts, and all answers if they are many.

        Files that many others consulted, above all recently, stay unpacked as far as there is room.
        """
        uses = {path: self._uses(path) for path in paths}
        for path, uses_of_file in uses.items():
            self.summaries[path] = summary_of(self.facts[path], *uses_of_file)
        needed = self._needed_next(uses)
        for strategy in self._strategies.values():
            strategy.forget(needed)
            strategy.shed()
        for _, completion in self._completions:
            completion.shed(needed)
        if isinstance(self.facts, PackedMap):
            self.facts.forget(needed)
        return uses

    def uses_packed(self, paths: Collection[str]) -> dict[str, Packed[FileUses]]:
        """As `uses_sparingly`, but packed: for so many files that their uses take more memory than there may be."""
        return {path: packed_uses(path, pack_uses(uses)) for path, uses in self.uses_sparingly(paths).items()}

    def close(self) -> None:
        """Drops all tables and answers; nothing is resolved afterwards."""
        for strategy in self._strategies.values():
            strategy.close()

    def _needed_next(self, paths: Iterable[str]) -> set[str]:
        """The files to keep unpacked: those that were consulted most. A count halves with every call."""
        counts = {path: count / 2 for path, count in self._counts.items() if count > _SELDOM}
        for path in paths:
            for consulted in self.consulted[path]:
                counts[consulted] = counts.get(consulted, 0.0) + 1.0
        self._counts = counts
        needed: set[str] = set()
        facts = self.facts
        if isinstance(facts, PackedMap):
            if not self._room:
                self._room = sum(map(facts.weight, facts)) // _KEPT_PART
            room = self._room
            for path in sorted(counts.keys() & facts.keys(), key=lambda path: (-counts[path], path)):
                weight = facts.weight(path)
                if weight <= room:
                    room -= weight
                    needed.add(path)
        return needed

    def _uses(self, path: str) -> FileUses:
        """The uses of a file; notes in `consulted` what they depend on. A file that is given up has none."""
        by = semantics_of(self.facts[path].language).resolved_by
        strategy = self._strategies.get(by)
        if strategy is None:
            strategy = self._strategies[by] = STRATEGIES[by](self.facts, self._modules)
        resolve = strategy.uses
        result = attempt(path, lambda: resolve(path), None)
        if result is None:
            result = FileUses((), (), given_up=True), strategy.give_up()
        uses, consulted = result
        for table, completion in self._completions:
            if table.completes(path):
                uses, further = completed(completion, path, uses)
                consulted |= further
        self.consulted[path] = consulted
        return uses

    def resolved(self, paths: Collection[str]) -> ResolvedFiles:
        """The uses of each file, for `accept` in another process. Forgets what was consulted, summaries and lookups."""
        uses = self.uses_sparingly(paths)
        consulted, self.consulted = self.consulted, consulted_for(len(self.facts))
        summaries, self.summaries = self.summaries, summaries_for(len(self.facts))
        files = [ResolvedFile(path, pack_uses(uses[path]), consulted[path], summaries[path]) for path in uses]
        return ResolvedFiles(files, self._modules.drain())

    def accept(self, resolved: ResolvedFiles) -> dict[str, Packed[FileUses]]:
        """Adds the result of another process. The uses stay packed, as most are not needed soon."""
        self._modules.merge(resolved.lookups)
        uses: dict[str, Packed[FileUses]] = {}
        for file in resolved.files:
            path = sys.intern(file.path)
            self.summaries[path] = file.summary
            self.consulted[path] = frozenset(map(sys.intern, file.consulted))
            uses[path] = packed_uses(path, file.uses)
        return uses
