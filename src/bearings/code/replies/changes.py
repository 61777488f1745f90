"""The reply of coderef_changes."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import field

from bearings.code.models import SymbolKind
from bearings.code.replies.element import IndexInfo, known, last_of, rest_of, title_of
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.replies.impact import Affected
from bearings.code.replies.lines import LinedReply, Place, Row, parts_of_id, placed_element
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
        said = [] if self.status == "modified" else [str(self.status)]
        said += [f"{self.lines} lines"] if self.lines else []
        said += ["new signature"] if self.signature_changed else []
        said += [f"was {self.was}"] if self.was else []
        return placed_element(self.element, f"{self.type} ", f" ({', '.join([*said, f'{known(self.tests)} tests'])})")

    def to_text(self) -> str:
        """One line."""
        said = [f"{self.lines} lines"] if self.lines else []
        said += ["new signature"] if self.signature_changed else []
        said += [f"was {self.was}"] if self.was else []
        said += [f"{known(self.tests)} tests reach it"]
        return f"  {self.status} {self.type} {self.element} ({', '.join(said)})"


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


class ChangesReply(LinedReply):
    """The differences from `base`: changed elements (of this page), elements that they reach, tests in order.

    `untested` are changed functions that no test reaches; `other_files` are changed files without code. `elsewhere`
    are changed elements without a known user whose words occur on other lines; `named_in_tests` untested ones whose
    words occur in tests.
    """

    base: SymbolName
    commit: str
    files_changed: int
    changed_total: int
    changed: list[ChangedElement]
    next_cursor: str | None = None
    omitted: int = 0
    reached: list[Affected]
    reached_total: int
    tests: list[ProposedTests]
    tests_total: int
    run: list[SymbolName]
    untested: list[SymbolName]
    untested_total: int
    other_files: list[SymbolName]
    elsewhere: list[Mentioned] = field(default_factory=list)
    named_in_tests: list[Mentioned] = field(default_factory=list)
    note: str | None = None
    index: IndexInfo

    _IN_HEADING = frozenset({"base", "commit", "files_changed", "changed_total", "index"})

    def places(self) -> Iterator[Place]:
        """The current place of each changed element."""
        for one in self.changed:
            found = parts_of_id(one.element)
            if found and one.status != "removed":
                yield found[0], found[2]

    def heading(self) -> str:
        """The commit, and the number of changes."""
        return (
            f"since {self.base} ({self.commit[:12]}): {self.changed_total} elements in {self.files_changed} files "
            + self.index.to_text()
        )

    def full_text(self) -> str:
        """The changes, the tests to run, and the elements that the changes reach."""
        lines = [
            self.heading(),
            *(one.to_text() for one in self.changed),
            *rest_of(self.omitted, self.next_cursor),
            title_of("tests to run, in this order", self.tests_total, len(self.tests)),
            *(test.to_text() for test in self.tests),
            *self.run,
            title_of("reached", self.reached_total, len(self.reached)),
            *(hit.to_text() for hit in self.reached),
        ]
        if self.untested:
            lines += [title_of("changed, and no test reaches it", self.untested_total, len(self.untested))]
            lines += [f"  {name}" for name in self.untested]
        for title, rows in (
            ("no user is known, but the word is on other lines", self.elsewhere),
            ("no test is known to reach it, but its word is in tests", self.named_in_tests),
        ):
            lines += [title, *(row.to_text() for row in rows)] if rows else []
        if self.other_files:
            lines.append(f"other files: {', '.join(self.other_files)}")
        return "\n".join([*lines, *([self.note] if self.note else [])])
