"""A snapshot: the facts and the graph of a project at one moment, which every analysis reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bearings.caller import Roots
from bearings.code.graph.project_graph import Graph
from bearings.code.languages import lacks_grammar
from bearings.code.models import FileFacts, ProjectFiles, Resolution
from bearings.code.project.skipped import Skipped, SkipReason


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A project at one moment. Equal contents have an equal `revision` on every machine."""

    root: Path
    revision: str
    facts: Mapping[str, FileFacts]
    project: ProjectFiles
    graph: Graph
    unread: tuple[Skipped, ...]
    roots: Roots = None

    @classmethod
    def without_uses(
        cls, root: Path, revision: str, facts: Mapping[str, FileFacts], unread: tuple[Skipped, ...] = ()
    ) -> "Snapshot":
        """A snapshot of elements alone."""
        return cls(root, revision, facts, ProjectFiles(frozenset()), Graph.build(facts, Resolution((), ())), unread)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The files that are left out, sorted by path: not read, without a grammar, or too expensive to parse."""
        lacking = [Skipped(path, SkipReason.NO_GRAMMAR) for path in self.project.paths if lacks_grammar(path)]
        given_up = [
            Skipped(path, SkipReason.GIVEN_UP) for path, summary in self.graph.summaries.items() if summary.given_up
        ]
        return tuple(sorted((*self.unread, *lacking, *given_up))) if lacking or given_up else self.unread

    @property
    def elements(self) -> int:
        """The number of symbols, without modules."""
        return len(self.graph.symbols) - len(self.facts)
