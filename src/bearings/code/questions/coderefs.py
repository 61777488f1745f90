"""Questions about references: whether they are valid, what became of indexed elements, and tags."""

from typing import Literal

import msgspec

from bearings.code.asking.question import Page, Question
from bearings.code.models import Language

INDEX_PATH = ".coderef-index.json"

DriftStatus = Literal["unchanged", "moved", "renamed", "missing", "ambiguous"]
TagAction = Literal["added", "updated", "removed"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of the reference at `file`:`line`:`column` (both from 1). `severity` is error or warning."""

    file: str
    line: int
    column: int
    reference: str
    severity: str
    code: str
    error: str
    suggestions: tuple[str, ...]
    fixable: bool


class ValidatePage(Page, frozen=True, kw_only=True):
    """A page of the `total` findings by file and line; the other counts are of files and references."""

    files: int
    references: int
    invalid: int
    warned: int
    findings: tuple[Finding, ...]


class Validate(Question[ValidatePage], frozen=True, kw_only=True):
    """Finds references with errors or warnings in files that match `pattern` (a .gitignore pattern)."""

    answer = ValidatePage
    pattern: str = "**/*"
    limit: int = 200
    cursor: str | None = None


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an element that was at `file`:`line`. `now` is its current id, or the ids of candidates."""

    reference: str
    status: DriftStatus
    file: str
    line: int
    now: tuple[str, ...]
    confidence: float
    suggestion: str
    auto_fixable: bool
    modified: bool


class DriftPage(Page, frozen=True, kw_only=True):
    """A page of the `total` changed elements, the gravest first; `statuses` counts all elements of the index.

    `shifted` unchanged elements are on other lines. `added` are ids that the index lacks, `modified` ids whose text
    differs. `modified_total` is None if the index has no fingerprints.
    """

    index_path: str
    timestamp: str
    statuses: dict[str, int]
    shifted: int
    drifts: tuple[Drift, ...]
    added: tuple[str, ...]
    added_total: int
    modified: tuple[str, ...]
    modified_total: int | None


class CompareIndex(Question[DriftPage], frozen=True, kw_only=True):
    """Compares the project with the index at `index_path`, relative to the project or absolute inside it."""

    answer = DriftPage
    index_path: str = INDEX_PATH
    limit: int = 200
    cursor: str | None = None


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
