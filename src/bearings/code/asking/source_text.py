"""Adds lines of source to replies, read with the same safety as in the engine."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from bearings.code.asking.question import Question, Reading
from bearings.code.languages import language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.project.sources import Source
from bearings.code.project.tree import Tree
from bearings.code.project.working_tree import WorkingTree
from bearings.untrusted import escape_line

_LONGEST = 160
"""Characters of a line in a reply: most lines are shorter; a minified line is cut."""

_FILE_BYTES = 4_000_000
_ALL_BYTES = 64_000_000
"""Bytes that are read for one reply; lines of further files are shown without their text."""


class Pointing(Protocol):
    """A part of a reply that refers to a line."""

    file: str
    line: int
    text: str | None


class SourceLines:
    """Lines of a project's files. Each file is read once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._files: dict[str, list[bytes]] = {}
        self._left = _ALL_BYTES

    def line(self, file: str, number: int) -> str:
        """A line of a file without its end; empty if it can't be read."""
        if file not in self._files:
            self._files[file] = self._read(file)
        lines = self._files[file]
        return lines[number - 1].decode("utf-8", "replace").rstrip("\r") if 0 < number <= len(lines) else ""

    def _read(self, file: str) -> list[bytes]:
        language = language_of(file)
        if language is None or self._left <= 0:
            return []
        with self._tree.reading() as reader:
            source = reader.read(file, _FILE_BYTES)
        if not isinstance(source, Source):
            return []
        self._left -= len(source.data)
        return as_utf8(language, source.data).split(b"\n")


class CommittedLines(Question[tuple[str, ...]], frozen=True, kw_only=True):
    """Lines of files of a commit, in the form of a reply: a reply's process reads no objects of git."""

    answer = tuple[str, ...]
    places: tuple[tuple[str, int], ...]

    def compute(self, reading: Reading) -> tuple[str, ...]:
        """One line for each place; empty if it can't be read."""
        lines = SourceLines(reading.snapshot.tree)
        return tuple(shortened(lines.line(file, number)) for file, number in self.places)


def fill(root: Path, parts: Iterable[Pointing]) -> None:
    """Sets the text of some parts, from the files as they are on disk."""
    lines = SourceLines(WorkingTree(root))
    for part in parts:
        part.text = shortened(lines.line(part.file, part.line)) or None


def shortened(line: str) -> str:
    """A line of source in the form of a reply."""
    return escape_line(" ".join(line[: 4 * _LONGEST].split()), _LONGEST)
