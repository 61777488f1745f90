"""Tags: references written as comments above declarations."""

from typing import Literal

import msgspec

from bearings.code.asking.question import Question
from bearings.code.models import Language

TagAction = Literal["added", "updated", "removed"]


class TagsOfFile(msgspec.Struct, frozen=True, kw_only=True):
    """The changes, made or proposed, to one file. `problem` explains why none were made."""

    path: str
    added: int
    updated: int
    removed: int
    kept: int
    refused: tuple[str, ...]
    problem: str


class TagLine(msgspec.Struct, frozen=True):
    """One tag: its line now (of a removed tag its former line), and what was done to it."""

    file: str
    line: int
    reference: str
    action: TagAction


class TagReport(msgspec.Struct, frozen=True, kw_only=True):
    """Files with changes or refusals, by path; `scanned` counts all files that were read.

    `diff` contains whole files only; `undrawn` counts the files that did not fit.
    """

    scanned: int
    files: tuple[TagsOfFile, ...]
    tags: tuple[TagLine, ...]
    diff: str
    undrawn: int


class Tag(Question[TagReport], frozen=True, kw_only=True):
    """Tags the file or directory `path` (relative; empty: the project), in files of `languages` (empty: all).

    Files that match one of `exclude` (.gitignore patterns) are skipped. `dry_run` writes nothing and returns the
    difference, in at most `max_chars`. See coderefs.tags for the rest.
    """

    answer = TagReport
    path: str = ""
    dry_run: bool = True
    remove: bool = False
    force: bool = False
    update_lineno: bool = False
    include_private: bool = False
    languages: tuple[Language, ...] = ()
    exclude: tuple[str, ...] = ()
    max_chars: int = 15_000
