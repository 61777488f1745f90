"""The changes since a commit, their impact, and the tests to run."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Mentioned
from bearings.code.answers.risk import Affected
from bearings.code.models import SymbolKind

ChangeStatus = Literal["added", "modified", "removed", "renamed", "moved"]


class ChangedElement(msgspec.Struct, frozen=True, kw_only=True):
    """A changed element. `was` is its former name; `lines` is the number of its own lines that differ.

    `signature_changed`: its head differs, so that its users may have to change. `tests` is None if unknown.
    """

    element: str
    type: SymbolKind
    status: ChangeStatus
    lines: int
    was: str
    signature_changed: bool
    tests: int | None


class ProposedTests(msgspec.Struct, frozen=True, kw_only=True):
    """Tests of one file to run, and the reason: changed itself, reaches a change, or imports its file."""

    file: str
    tests: tuple[str, ...]
    total: int
    depth: int
    why: str


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """The answer: changed elements by file and line, reached elements nearest first, tests in the order to run them.

    `elsewhere` are the first changed elements without a known user whose words occur on other lines; `named_in_tests`
    are untested ones whose words occur in tests.
    """

    base: str
    commit: str
    files_changed: int
    other_files: tuple[str, ...]
    changed: tuple[ChangedElement, ...]
    reached: tuple[Affected, ...]
    tests: tuple[ProposedTests, ...]
    untested: tuple[str, ...]
    run: tuple[str, ...]
    note: str
    elsewhere: tuple[Mentioned, ...] = ()
    named_in_tests: tuple[Mentioned, ...] = ()
