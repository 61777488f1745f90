"""The reply of coderef_changes."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from bearings.code.models import SymbolKind
from bearings.code.replies.affected import Affected
from bearings.code.replies.element import known, last_of
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.replies.lines import Row, placed_element
from bearings.code.replies.tests import FEW, named_tests
from bearings.reply import Label, Part, SymbolName

ChangeStatus = Literal["added", "modified", "removed", "renamed", "moved"]


class ChangedElement(Part):
    """An element that differs in `lines` of its own lines; `was` is the former name of a renamed or moved one."""

    element: SymbolName
    type: SymbolKind
    status: ChangeStatus
    lines: int = 0
    was: SymbolName | None = None
    signature_changed: bool = False
    tests: int | None = None

    def placed(self) -> Row:
        """The element at its place with its status (unless `modified`); a removed element has no place."""
        facts = [] if self.status == "modified" else [str(self.status)]
        facts += [f"{self.lines} lines"] if self.lines else []
        facts += ["new signature"] if self.signature_changed else []
        facts += [f"was {self.was}"] if self.was else []
        return placed_element(self.element, f"{self.type} ", f" ({', '.join([*facts, f'{known(self.tests)} tests'])})")

    def to_text(self) -> str:
        """One line."""
        facts = [f"{self.lines} lines"] if self.lines else []
        facts += ["new signature"] if self.signature_changed else []
        facts += [f"was {self.was}"] if self.was else []
        facts += [f"{known(self.tests)} tests reach it"]
        return f"  {self.status} {self.type} {self.element} ({', '.join(facts)})"


class ProposedTests(Part):
    """Tests of one file to run, and the reason."""

    file: SymbolName
    tests: Sequence[SymbolName]
    total: int
    depth: int
    why: Label

    def placed(self) -> Row:
        """The file, the reason, and the first of its tests."""
        names = named_tests(self.tests[:FEW], self.total) if self.tests else ""
        return "", f"{self.file}: {self.why}" + (f": {names}" if names else "")

    def to_text(self) -> str:
        """One line."""
        names = ", ".join(last_of(test) for test in self.tests)
        return f"  {self.file}: {self.why}" + (f": {names}" if names else "")


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
