"""A part of a project's files, resolved by one process while others resolve the rest."""

import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from bearings.code.models import Edge, FileFacts, Language, Outside, ProjectFiles
from bearings.code.resolve.cards import Card, card_of
from bearings.code.resolve.evaluate import Evaluator
from bearings.code.resolve.go_evaluate import GoEvaluator
from bearings.code.resolve.go_uses import GoUses
from bearings.code.resolve.modules import Asked, Modules
from bearings.code.resolve.uses import Uses
from bearings.code.shelf import Shelf

_ROOM = 4
"""A file in so many may stay unpacked for what is resolved next."""

_SELDOM = 0.1
"""Less than a look is forgotten."""


class FileUses(NamedTuple):
    """What one file uses, and whose facts that was found out from (files, and cells of packages).

    The target of an edge is a key (see bearings.code.keys), as its line is no business of this file.
    """

    edges: tuple[Edge, ...]
    outside: tuple[Outside, ...]
    consulted: frozenset[str]


class Found(msgspec.Struct, array_like=True):
    """What files use, with their cards, in the order asked for; and what modules were asked for meanwhile."""

    uses: list[tuple[str, FileUses, Card]]
    asked: list[Asked]


class Share:
    """Resolves files of a project one by one; who does which of them makes no difference to the result.

    `cards` are those of the files that were resolved with many others.
    """

    def __init__(self, facts: Mapping[str, FileFacts], project: ProjectFiles, modules: Modules | None = None) -> None:
        self.facts = facts
        self.project = project
        self._modules = modules or Modules(project)
        self._evaluator = Evaluator(facts, self._modules)
        self._go = GoEvaluator(facts, self._modules)
        self.cards: dict[str, Card] = {}
        self._looks: dict[str, float] = {}
        self._room = 0

    def uses(self, paths: Iterable[str]) -> dict[str, FileUses]:
        """What each file uses. The tables made for that are let go of: they take more room than the facts."""
        found = {path: self._uses(path) for path in paths}
        self._evaluator.views.clear()
        self._go.packages.views.clear()
        return found

    def sparing(self, paths: Iterable[str]) -> dict[str, FileUses]:
        """What each file uses. Facts that were unpacked for that are let go of, too, and so are answers beyond many.

        What most files looked into, of late above all, stays as far as there is room: most likely others will.
        """
        found = {path: self._uses(path) for path in paths}
        for path, uses in found.items():
            self.cards[path] = card_of(self.facts[path], uses.edges, uses.outside)
        again = self._looked_into(found.values())
        self._evaluator.views.forget(again)
        self._evaluator.memo.shed()
        self._go.packages.views.clear()
        self._go.memo.shed()
        if isinstance(self.facts, Shelf):
            self.facts.forget(again)
        return found

    def _looked_into(self, found: Iterable[FileUses]) -> set[str]:
        """The files that are looked into most, as far as there is room. What was long ago counts less."""
        looks = {path: count / 2 for path, count in self._looks.items() if count > _SELDOM}
        for uses in found:
            for path in uses.consulted:
                looks[path] = looks.get(path, 0.0) + 1.0
        self._looks = looks
        kept: set[str] = set()
        facts = self.facts
        if isinstance(facts, Shelf):
            if not self._room:
                self._room = sum(map(facts.weight, facts)) // _ROOM
            room = self._room
            for path in sorted(looks.keys() & facts.keys(), key=lambda path: (-looks[path], path)):
                weight = facts.weight(path)
                if weight <= room:
                    room -= weight
                    kept.add(path)
        return kept

    def _uses(self, path: str) -> FileUses:
        is_go = self.facts[path].language is Language.GO
        return go_uses(self._go, path) if is_go else file_uses(self._evaluator, path)

    def found(self, paths: Iterable[str]) -> Found:
        """What each file uses, to be accepted by another process."""
        found = self.sparing(paths)
        cards, self.cards = self.cards, {}
        return Found([(path, uses, cards[path]) for path, uses in found.items()], self._modules.drain())

    def accept(self, found: Found) -> dict[str, FileUses]:
        """What another process found, with its strings shared with those of this one."""
        self._modules.merge(found.asked)
        self.cards.update((sys.intern(path), card) for path, _, card in found.uses)
        return {sys.intern(path): _shared(uses) for path, uses, _ in found.uses}


def file_uses(evaluator: Evaluator, path: str) -> FileUses:
    """What one file uses. The same whatever else the evaluator was asked before."""
    evaluator.begin()
    uses = Uses(evaluator, path)
    uses.of_file()
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
