"""Changes since a commit, their effects, and the tests to run."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Mentioned
from bearings.code.answers.risk import Affected
from bearings.code.models import SymbolKind

ChangeStatus = Literal["added", "modified", "removed", "renamed", "moved"]


class ChangedElement(msgspec.Struct, frozen=True, kw_only=True):
    """A changed element. `was` is its former id; `lines` counts its changed lines.

    `signature_changed`: its head changed, so its users may have to change. `tests` is None if unknown.
    """

    element: str
    type: SymbolKind
    status: ChangeStatus
    lines: int
    was: str
    signature_changed: bool
    tests: int | None


class ProposedTests(msgspec.Struct, frozen=True, kw_only=True):
    """Tests of one file to run, and why: the file changed, reaches a change, or imports a changed file."""

    file: str
    tests: tuple[str, ...]
    total: int
    depth: int
    why: str


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """The answer: changed elements by file and line, reached elements nearest first, tests in the order to run them.

    `elsewhere`: the first changed elements without a known user whose name is on other lines. `named_in_tests`: the
    first untested elements whose name is in test files.
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
