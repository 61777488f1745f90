"""What changed since a commit, what that reaches, and which tests to run."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Mentioned
from bearings.code.answers.risk import Affected
from bearings.code.models import SymbolKind

ChangeStatus = Literal["added", "modified", "removed", "renamed", "moved"]


class ChangedElement(msgspec.Struct, frozen=True, kw_only=True):
    """An element that differs. `was` is what it was called; `lines` are those of its own that differ.

    `signature_changed`: its head differs, so that whoever names it may have to. `tests` is None where it is unknown.
    """

    element: str
    type: SymbolKind
    status: ChangeStatus
    lines: int
    was: str
    signature_changed: bool
    tests: int | None


class ProposedTests(msgspec.Struct, frozen=True, kw_only=True):
    """Tests of one file that are worth running, and why: changed itself, reaches a change, or imports its file."""

    file: str
    tests: tuple[str, ...]
    total: int
    depth: int
    why: str


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """The answer: elements by file and line, reached ones nearest first, tests in the order to run them.

    `elsewhere`: of changed elements without a known user, the first whose words stand on other lines;
    `named_in_tests`: the same of untested ones, in files of tests.
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
