"""A share of a project's files, resolved by one process while other processes resolve the rest."""

import sys
from collections.abc import Collection, Iterable, Mapping

import msgspec

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Packed, pack, unpack
from bearings.code.file_facts import FileFacts
from bearings.code.models import Edge, Outside, ProjectFiles
from bearings.code.resolve.file_summary import FileSummary, summary_of
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import attempt
from bearings.code.resolve.modules.cells import Names
from bearings.code.resolve.modules.lookups import Lookup, Modules
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.resolve.rules.semantics import ResolvedBy
from bearings.code.resolve.strategies import STRATEGIES
from bearings.code.resolve.strategy import Strategy

_ROOM = 4
"""A quarter of all facts may stay unpacked for the files that are resolved next."""

_SELDOM = 0.1
"""Files that are consulted less often are dropped."""


_USES = msgspec.msgpack.Decoder(FileUses)


class Resolved(msgspec.Struct, array_like=True):
    """The packed uses of a file, the files and cells that they depend on, and its summary."""

    path: str
    uses: bytes
    consulted: frozenset[str]
    summary: FileSummary


class Found(msgspec.Struct, array_like=True):
    """Resolved files, in the order of the request, and the modules that were looked up meanwhile."""

    files: list[Resolved]
    lookups: list[Lookup]


class Share:
    """Resolves files of a project one by one. The result does not depend on which process resolves which file.

    `consulted` has the files and cells that the uses of each file depend on. `summaries` has those of files that
    `sparing` resolved.
    """

    def __init__(self, facts: Mapping[str, FileFacts], project: ProjectFiles, modules: Modules | None = None) -> None:
        self.facts = facts
        self.project = project
        self._modules = modules or Modules(project)
        self._strategies: dict[ResolvedBy, Strategy] = {}
        self.summaries: dict[str, FileSummary] = {}
        self.consulted: dict[str, frozenset[str]] = {}
        self._looks: dict[str, float] = {}
        self._room = 0

    @property
    def names(self) -> Names:
        """The names that files see without an import."""
        return self._modules.names

    def uses(self, paths: Iterable[str]) -> dict[str, FileUses]:
        """The uses of each file. Drops the tables made for them: they take more memory than the facts."""
        found = {path: self._uses(path) for path in paths}
        for strategy in self._strategies.values():
            strategy.forget()
        return found

    def sparing(self, paths: Collection[str]) -> dict[str, FileUses]:
        """The uses of each file. Drops the tables made for them, unpacked facts, and most cached answers.

        Files that many others consulted, above all recently, stay unpacked as far as there is room.
        """
        found = {path: self._uses(path) for path in paths}
        for path, uses in found.items():
            self.summaries[path] = summary_of(self.facts[path], *uses)
        again = self._looked_into(found)
        for strategy in self._strategies.values():
            strategy.forget(again)
            strategy.shed()
        if isinstance(self.facts, PackedMap):
            self.facts.forget(again)
        return found

    def close(self) -> None:
        """Drops all tables and answers; nothing is resolved afterwards."""
        for strategy in self._strategies.values():
            strategy.close()

    def _looked_into(self, paths: Iterable[str]) -> set[str]:
        """The files that are consulted most, above all for these paths, as far as there is room."""
        looks = {path: count / 2 for path, count in self._looks.items() if count > _SELDOM}
        for path in paths:
            for consulted in self.consulted[path]:
                looks[consulted] = looks.get(consulted, 0.0) + 1.0
        self._looks = looks
        needed: set[str] = set()
        facts = self.facts
        if isinstance(facts, PackedMap):
            if not self._room:
                self._room = sum(map(facts.weight, facts)) // _ROOM
            room = self._room
            for path in sorted(looks.keys() & facts.keys(), key=lambda path: (-looks[path], path)):
                weight = facts.weight(path)
                if weight <= room:
                    room -= weight
                    needed.add(path)
        return needed

    def _uses(self, path: str) -> FileUses:
        by = semantics_of(self.facts[path].language).resolved_by
        strategy = self._strategies.get(by)
        if strategy is None:
            strategy = self._strategies[by] = STRATEGIES[by](self.facts, self._modules)
        of = strategy
        found = attempt(path, lambda: of.uses(path), None)
        uses, self.consulted[path] = (FileUses((), (), given_up=True), of.give_up()) if found is None else found
        return uses

    def found(self, paths: Collection[str]) -> Found:
        """The uses of each file, for `accept` in another process."""
        found = self.sparing(paths)
        consulted, self.consulted, summaries, self.summaries = self.consulted, {}, self.summaries, {}
        files = [Resolved(path, pack(uses), consulted[path], summaries[path]) for path, uses in found.items()]
        return Found(files, self._modules.drain())

    def accept(self, found: Found) -> dict[str, Packed[FileUses]]:
        """Adds the result of another process. The uses stay packed, as most are not needed soon."""
        self._modules.merge(found.lookups)
        uses: dict[str, Packed[FileUses]] = {}
        for file in found.files:
            path = sys.intern(file.path)
            self.summaries[path] = file.summary
            self.consulted[path] = frozenset(map(sys.intern, file.consulted))
            uses[path] = Packed(file.uses, unpack_uses)
        return uses


def unpack_uses(data: bytes) -> FileUses:
    """Unpacks a file's uses; equal strings of several files are shared. Raises Damaged."""
    uses = unpack(data, _USES)
    same = sys.intern
    edges = [
        Edge(same(e.source), same(e.target), e.kind, same(e.file), e.line, e.confidence, same(e.reason))
        for e in uses.edges
    ]
    outside = [Outside(same(o.source), same(o.name), o.kind, same(o.file), o.line, same(o.why)) for o in uses.outside]
    return FileUses(tuple(edges), tuple(outside), uses.given_up)
