"""The view of a project from which a question is computed, in the worker process."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of
from bearings.code.project.source_lines import Lines
from bearings.code.replies.tidying import shortened
from bearings.progress import Progress


@dataclass(frozen=True, slots=True)
class View:
    """A project at one moment: `snapshot` holds the facts and the graph of its files, `lines` their text in that state.

    `index` reads further: ignored files, hashes of contents, the snapshot with other contents of some files.
    """

    snapshot: Snapshot
    index: Index
    lines: Lines
    progress: Progress
    max_file_bytes: int


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
