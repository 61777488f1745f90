"""References: whether they point to something, and what became of what they pointed to."""

import msgspec

from bearings.code.engine.questions.base import Page, Question
from bearings.code.models import Language

INDEX_PATH = ".coderef-index.json"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with the reference at `file`:`line`:`column` (both from 1). `severity` is error or warning."""

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
    """Findings by file and line, of which there are `total`; the other counts are of files and references."""

    files: int
    references: int
    invalid: int
    warned: int
    findings: tuple[Finding, ...]


class Validate(Question[ValidatePage], frozen=True, kw_only=True):
    """The references in files that match `pattern` (a .gitignore pattern) that have errors or warnings."""

    answer = ValidatePage
    pattern: str = "**/*"
    limit: int = 200
    cursor: str | None = None


class Drift(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an element that was at `file`:`line`. `now` is the id of what it is now, or of what it may be."""

    reference: str
    status: str
    file: str
    line: int
    now: tuple[str, ...]
    confidence: float
    suggestion: str
    auto_fixable: bool
    modified: bool


class DriftPage(Page, frozen=True, kw_only=True):
    """Elements that are not as they were, the gravest first: `total` of them, `statuses` counts all of the index.

    `shifted` of the unchanged stand on other lines.

    `added` are ids that the index has not, `modified` those whose text differs (None: the index can't tell).
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
    """What became of the elements of the index at `index_path`, relative to the project or absolute inside it."""

    answer = DriftPage
    index_path: str = INDEX_PATH
    limit: int = 200
    cursor: str | None = None


class TagsOfFile(msgspec.Struct, frozen=True, kw_only=True):
    """What was, or would be, done to one file. `problem` says why nothing was."""

    path: str
    added: int
    updated: int
    removed: int
    kept: int
    refused: tuple[str, ...]
    problem: str


class TagLine(msgspec.Struct, frozen=True):
    """One tag: on which line it stands now (a removed one: stood), and what was done to it."""

    file: str
    line: int
    reference: str
    action: str


class TagReport(msgspec.Struct, frozen=True, kw_only=True):
    """Files with something done or refused, by path; `scanned` counts all that were looked at.

    `diff` has whole files only; `undrawn` counts those that it had no room for.
    """

    scanned: int
    files: tuple[TagsOfFile, ...]
    tags: tuple[TagLine, ...]
    diff: str
    undrawn: int


class Tag(Question[TagReport], frozen=True, kw_only=True):
    """Tags at, or in, `path` (relative to the project, empty for all of it), in files of `languages` (empty: all).

    Files that match one of `exclude` (.gitignore patterns) are left alone. `dry_run` writes nothing and draws the
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
