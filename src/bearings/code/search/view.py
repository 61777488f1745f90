"""The view of a project from which a question is computed, in the worker process."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bearings.code.graph.project_graph import ALL_KINDS
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of
from bearings.code.models import Edge, EdgeKind, Outside, Symbol
from bearings.code.project.source_lines import Lines
from bearings.code.replies.tidying import shortened
from bearings.progress import Progress

Edited = Callable[[Mapping[str, bytes | None]], tuple[Snapshot, set[str]]]
"""Gives a snapshot with other contents of some files, and the files that are resolved again."""


class View(Protocol):
    """Declarations and uses of a project at one moment, and its `lines` in the same state.

    `is_complete`: all files were read. Otherwise a use that is not found may be in a file that was not.
    """

    @property
    def is_complete(self) -> bool:
        """Whether the view is of all files."""
        ...

    @property
    def lines(self) -> Lines:
        """The project's lines of source."""
        ...

    def declarations(self, name: str) -> Sequence[Symbol]:
        """The elements of a name: `login`, `AuthService.login`, `src/auth.ts#login`, with or without `:24`."""
        ...

    def sites(self, symbol: Symbol) -> Collection[Outside]:
        """The uses that lead to no element and may mean this one, by their name."""
        ...

    def edges_from(self, element: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> Sequence[Edge]:
        """The uses of these kinds in the own code of an element, by its id."""
        ...

    def edges_to(self, element: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> Sequence[Edge]:
        """The uses of an element of these kinds, by its id."""
        ...


@dataclass(frozen=True, slots=True)
class WholeGraph:
    """The view of a project whose files were all read and resolved; `snapshot` holds its facts and its graph.

    `index` reads further: ignored files, hashes of contents, the snapshot with other contents of some files; without an
    index, `edited` gives that.
    """

    snapshot: Snapshot
    index: Index
    lines: Lines
    progress: Progress
    max_file_bytes: int
    edited: Edited | None = None

    @property
    def is_complete(self) -> bool:
        """See View."""
        return True

    def with_sources(self, sources: Mapping[str, bytes | None]) -> tuple[Snapshot, set[str]]:
        """See Index; without one, no file is known to be resolved again. Raises Lost, NeedsIndex."""
        return (self.edited or self.index.with_sources)(sources)

    def declarations(self, name: str) -> Sequence[Symbol]:
        """See View."""
        return self.snapshot.graph.find(name)

    def sites(self, symbol: Symbol) -> Collection[Outside]:
        """See View."""
        return self.snapshot.graph.unresolved(symbol)

    def edges_from(self, element: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> Sequence[Edge]:
        """See View."""
        return self.snapshot.graph.edges_from(element, kinds)

    def edges_to(self, element: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> Sequence[Edge]:
        """See View."""
        return self.snapshot.graph.edges_to(element, kinds)


class Pointing(Protocol):
    """A part of a reply that refers to a line."""

    file: str
    line: int
    text: str | None


def quote(lines: Lines, parts: Iterable[Pointing]) -> None:
    """Sets the line of source of each part; None in a file that is no source. Raises Changed."""
    for part in parts:
        is_source = language_of(part.file) is not None  # an external coderef may name any file
        part.text = (shortened(lines.at(part.file, part.line)) if is_source else "") or None
