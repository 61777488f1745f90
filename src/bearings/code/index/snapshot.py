"""A snapshot: the facts and the graph of a project at one moment, which every analysis reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bearings.caller import Roots
from bearings.code.file_facts import FileFacts
from bearings.code.graph.project_graph import Graph
from bearings.code.languages import lacks_grammar
from bearings.code.models import ProjectFiles, Resolution
from bearings.code.project.skipped import Skipped, SkipReason
from bearings.code.project.tree import Tree
from bearings.code.resolve.file_summary import counts_of


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A project at one moment. Equal contents have an equal `revision` on every machine."""

    tree: Tree
    revision: str
    facts: Mapping[str, FileFacts]
    project: ProjectFiles
    graph: Graph
    unread: tuple[Skipped, ...]

    @classmethod
    def without_uses(
        cls, tree: Tree, revision: str, facts: Mapping[str, FileFacts], unread: tuple[Skipped, ...] = ()
    ) -> "Snapshot":
        """A snapshot of elements alone."""
        return cls(tree, revision, facts, ProjectFiles(frozenset()), Graph.build(facts, Resolution((), ())), unread)

    @property
    def root(self) -> Path:
        """The project's directory."""
        return self.tree.root

    @property
    def roots(self) -> Roots:
        """The directories that may hold git directories."""
        return self.tree.roots

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The files that are left out, sorted by path: not read, without a grammar, or too expensive to parse."""
        lacking = [Skipped(path, SkipReason.NO_GRAMMAR) for path in self.project.paths if lacks_grammar(path)]
        given_up = [
            Skipped(path, SkipReason.GIVEN_UP if summary.given_up else SkipReason.UNRESOLVED)
            for path, summary in (counts_of(self.graph.summaries) if self.graph.is_whole else ())
            if summary.given_up or summary.unresolved
        ]
        return tuple(sorted((*self.unread, *lacking, *given_up))) if lacking or given_up else self.unread

    @property
    def elements(self) -> int:
        """The number of symbols, without modules, as a scan lists them; 0 before there is an index."""
        return self.graph.elements if self.graph.is_whole else 0
