"""Resolution file by file, and again for no more files than a change can matter to."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec

from bearings.code.models import Edge, FileFacts, Outside, ProjectFiles
from bearings.code.resolve.evaluate import Evaluator
from bearings.code.resolve.interface import interface
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.uses import Uses


class FileUses(NamedTuple):
    """What one file uses, and whose facts that was found out from (files, and cells of packages)."""

    edges: tuple[Edge, ...]
    outside: tuple[Outside, ...]
    consulted: frozenset[str]


class Resolver:
    """Keeps what each file uses. `update` leaves it as it would be for those facts had there been no others before."""

    def __init__(self) -> None:
        self.uses: dict[str, FileUses] = {}
        self._facts: Mapping[str, FileFacts] = {}
        self._project = ProjectFiles(frozenset())
        self._modules = Modules(self._project)

    def update(self, facts: Mapping[str, FileFacts], project: ProjectFiles) -> set[str]:
        """Goes over to other facts, none of which change any more: the files whose uses were made anew, or are gone."""
        before, was = self._facts, self._project
        changed = {path for path in before.keys() | facts.keys() if before.get(path) is not facts.get(path)}
        self._facts, self._project = facts, project
        if was.manifests != project.manifests or not self.uses:
            self._modules = Modules(project)
            self.uses = {}
            self._resolve(facts)
            return changed | facts.keys()
        other = {path for path in changed if not _same_interface(before.get(path), facts.get(path))}
        for path in other:
            self._modules.forget(path)
        if was.paths != project.paths:
            other |= self._modules.update(project, facts)
        stale = {path for path, uses in self.uses.items() if not uses.consulted.isdisjoint(other)} | changed | other
        for path in stale - facts.keys():
            self.uses.pop(path, None)
        moved = self._move({path: _moves(before[path], facts[path]) for path in changed - other}, stale)
        self._resolve(sorted(stale & facts.keys()))
        return stale | moved

    def _resolve(self, paths: Iterable[str]) -> None:
        evaluator = Evaluator(self._facts, self._modules)
        for path in paths:
            self.uses[path] = file_uses(evaluator, path)

    def _move(self, moves: Mapping[str, Mapping[str, str]], stale: Collection[str]) -> set[str]:
        """Follows symbols that went to other lines, in the files that are not to be resolved again."""
        moves = {path: table for path, table in moves.items() if table}
        moved = set()
        for path, uses in self.uses.items() if moves else ():
            if path not in stale and not uses.consulted.isdisjoint(moves):
                ids = {old: new for target in uses.consulted & moves.keys() for old, new in moves[target].items()}
                edges = tuple(
                    msgspec.structs.replace(edge, target=ids[edge.target]) if edge.target in ids else edge
                    for edge in uses.edges
                )
                self.uses[path] = uses._replace(edges=edges)
                moved.add(path)
        return moved


def file_uses(evaluator: Evaluator, path: str) -> FileUses:
    """What one file uses. The same whatever else the evaluator was asked before."""
    evaluator.memo.consulted = set()
    uses = Uses(evaluator)
    uses.of_file(path)
    return FileUses(tuple(uses.edges.values()), tuple(uses.outside), frozenset(evaluator.memo.consulted))


def _same_interface(before: FileFacts | None, now: FileFacts | None) -> bool:
    return before is not None and now is not None and interface(before) == interface(now)


def _moves(before: FileFacts, now: FileFacts) -> dict[str, str]:
    """The ids that are others now, of facts with the same interface."""
    pairs = zip(before.symbols, now.symbols, strict=True)
    return {old.id: new.id for old, new in pairs if old.line != new.line}
