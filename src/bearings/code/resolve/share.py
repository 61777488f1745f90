"""A part of a project's files, resolved by one process while others resolve the rest."""

import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from bearings.code.models import Edge, FileFacts, Language, Outside, ProjectFiles
from bearings.code.resolve.evaluate import Evaluator
from bearings.code.resolve.go_evaluate import GoEvaluator
from bearings.code.resolve.go_uses import GoUses
from bearings.code.resolve.modules import Asked, Modules
from bearings.code.resolve.uses import Uses
from bearings.code.shelf import Shelf


class FileUses(NamedTuple):
    """What one file uses, and whose facts that was found out from (files, and cells of packages).

    The target of an edge is a key (see bearings.code.keys), as its line is no business of this file.
    """

    edges: tuple[Edge, ...]
    outside: tuple[Outside, ...]
    consulted: frozenset[str]


class Found(msgspec.Struct, array_like=True):
    """What files use, in the order in which that was asked for; and what modules were asked for meanwhile."""

    uses: list[tuple[str, FileUses]]
    asked: list[Asked]


class Share:
    """Resolves files of a project one by one; who does which of them makes no difference to the result."""

    def __init__(self, facts: Mapping[str, FileFacts], project: ProjectFiles, modules: Modules | None = None) -> None:
        self.facts = facts
        self.project = project
        self._modules = modules or Modules(project)
        self._evaluator = Evaluator(facts, self._modules)
        self._go = GoEvaluator(facts, self._modules)
        self._looked_into: frozenset[str] = frozenset()

    def uses(self, paths: Iterable[str]) -> dict[str, FileUses]:
        """What each file uses. The tables made for that are let go of: they take more room than the facts."""
        found = {path: self._uses(path) for path in paths}
        self._evaluator.views.clear()
        self._go.packages.views.clear()
        return found

    def sparing(self, paths: Iterable[str]) -> dict[str, FileUses]:
        """What each file uses. Facts that were unpacked for that are let go of, too, and so are answers beyond many.

        What was looked into for this and for what was resolved before stays: most likely it will be again.
        """
        found = {path: self._uses(path) for path in paths}
        again = {path for uses in found.values() for path in uses.consulted if path in self._looked_into}
        self._looked_into = frozenset(self._evaluator.views)
        self._evaluator.views.forget(again)
        self._evaluator.memo.shed()
        self._go.packages.views.clear()
        self._go.memo.shed()
        if isinstance(self.facts, Shelf):
            self.facts.forget(again)
        return found

    def _uses(self, path: str) -> FileUses:
        is_go = self.facts[path].language is Language.GO
        return go_uses(self._go, path) if is_go else file_uses(self._evaluator, path)

    def found(self, paths: Iterable[str]) -> Found:
        """What each file uses, to be accepted by another process."""
        return Found(list(self.sparing(paths).items()), self._modules.drain())

    def accept(self, found: Found) -> dict[str, FileUses]:
        """What another process found, with its strings shared with those of this one."""
        self._modules.merge(found.asked)
        return {sys.intern(path): _shared(uses) for path, uses in found.uses}


def file_uses(evaluator: Evaluator, path: str) -> FileUses:
    """What one file uses. The same whatever else the evaluator was asked before."""
    evaluator.begin()
    uses = Uses(evaluator)
    uses.of_file(path)
    return FileUses(tuple(uses.edges.values()), tuple(uses.outside), frozenset(evaluator.memo.consulted))


def go_uses(evaluator: GoEvaluator, path: str) -> FileUses:
    """What one file of Go uses. The same whatever else the evaluator was asked before."""
    evaluator.memo.consulted = set()
    uses = GoUses(evaluator)
    uses.of_file(path)
    return FileUses(tuple(uses.edges.values()), tuple(uses.outside), frozenset(evaluator.memo.consulted))


def _shared(uses: FileUses) -> FileUses:
    same = sys.intern
    edges = tuple(
        Edge(same(e.source), same(e.target), e.kind, same(e.file), e.line, e.confidence, same(e.reason))
        for e in uses.edges
    )
    outside = tuple(
        Outside(same(o.source), same(o.name), o.kind, same(o.file), o.line, same(o.why)) for o in uses.outside
    )
    return FileUses(edges, outside, frozenset(map(same, uses.consulted)))
