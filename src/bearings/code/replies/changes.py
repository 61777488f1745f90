"""The reply of coderef_changes, and its parts."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import field

from bearings.code.models import SymbolKind
from bearings.code.replies.affected import Affected
from bearings.code.replies.element import IndexInfo, known, last_of, rest_of, title_of
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.replies.lines import LinedReply, Place, Row, parts_of_id, placed_element, site, within_element
from bearings.code.replies.tests import FEW, named_tests
from bearings.reply import Label, Part, SourceText, SymbolName

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
        facts = [*([] if self.status == "modified" else [self.status]), *self._facts(), f"{known(self.tests)} tests"]
        return placed_element(self.element, f"{self.type} ", f" ({', '.join(facts)})")

    def to_text(self) -> str:
        """One line."""
        facts = ", ".join([*self._facts(), f"{known(self.tests)} tests reach it"])
        return f"  {self.status} {self.type} {self.element} ({facts})"

    def _facts(self) -> list[str]:
        facts = [f"{self.lines} lines"] if self.lines else []
        facts += ["new signature"] if self.signature_changed else []
        return facts + ([f"was {self.was}"] if self.was else [])


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


class BrokenUse(Part):
    """A use that the change left as it was, and the element around it."""

    element: SymbolName
    file: SymbolName
    line: int
    text: SymbolName | None = None

    def placed(self) -> Row:
        """The use and its enclosing element."""
        inside = within_element(self.element, self.file)
        return self.file, site(self.line, [f"in {inside}" if inside else ""], self.text)

    def to_text(self) -> str:
        """One line."""
        return f"    {self.file}:{self.line} in {self.element}" + (f" {self.text}" if self.text else "")


class Breaking(Part):
    """An element whose change breaks `uses`: why, and the uses that were not adapted.

    `file` and `line` are its present place; of a removed element, the place of the first use. `was` is its former name.
    """

    element: SymbolName
    type: SymbolKind
    file: SymbolName
    line: int
    why: Label
    was: SymbolName | None = None
    uses: list[BrokenUse]
    uses_total: int

    def placed(self) -> Row:
        """The element, the reason, and the first uses."""
        named = f"{self.type} {last_of(self.was or self.element)}: {self.why}"
        places = ", ".join(f"{use.file}:{use.line}" for use in self.uses[:FEW])
        more = f" and {self.uses_total - FEW} more" if self.uses_total > FEW else ""
        return self.file, f":{self.line} {named}; not adapted: {places}{more}"

    def to_text(self) -> str:
        """A line for it, and one for each use."""
        was = f" (was {self.was})" if self.was else ""
        return "\n".join([f"  {self.type} {self.element}{was}: {self.why}", *(use.to_text() for use in self.uses)])


class FolderCycle(Part):
    """Folders that import each other in a circle since the change, and an import that closes it."""

    folders: list[SymbolName]
    file: SymbolName
    line: int

    def placed(self) -> Row:
        """The import, and the folders."""
        return self.file, f":{self.line} closes a circle: {', '.join(self.folders)}"

    def to_text(self) -> str:
        """One line."""
        return f"  {', '.join(self.folders)} (closed by the import in {self.file}:{self.line})"


class ChangesReply(LinedReply):
    """The differences from `base` to `head` (null: the files on disk): changed elements (of this page), tests in order.

    `breaking` are elements whose change breaks uses that were not adapted; `new_cycles` folders that import each other
    in a circle; `lost_users` and `lost_tests` elements whose last known user or test went. `further_tests` may run a
    change, less likely than `tests`: listed for a command, else counted. `untested` are changed functions that no test
    reaches; `other_files` are changed files without code. `elsewhere` are changed elements without a known user whose
    words occur on other lines; `named_in_tests` untested ones whose words occur in tests. With another `format` than
    json the lists are in `document`, and `left_out` of their rows did not fit.
    """

    base: SymbolName
    head: SymbolName | None = None
    commit: str
    files_changed: int
    changed_total: int
    changed: list[ChangedElement]
    next_cursor: str | None = None
    omitted: int = 0
    breaking: list[Breaking] = field(default_factory=list)
    breaking_total: int = 0
    new_cycles: list[FolderCycle] = field(default_factory=list)
    lost_users: list[SymbolName] = field(default_factory=list)
    lost_users_total: int = 0
    lost_tests: list[SymbolName] = field(default_factory=list)
    lost_tests_total: int = 0
    reached: list[Affected]
    reached_total: int
    tests: list[ProposedTests]
    tests_total: int
    further_tests: list[SymbolName] = field(default_factory=list)
    further_tests_total: int = 0
    run: list[SymbolName]
    untested: list[SymbolName]
    untested_total: int
    other_files: list[SymbolName]
    elsewhere: list[Mentioned] = field(default_factory=list)
    named_in_tests: list[Mentioned] = field(default_factory=list)
    document: SourceText | None = None
    left_out: int = 0
    note: str | None = None
    index: IndexInfo

    _IN_HEADING = frozenset({"base", "head", "commit", "files_changed", "changed_total", "index"})

    def places(self) -> Iterator[Place]:
        """The current place of each changed element."""
        for one in self.changed:
            parts = parts_of_id(one.element)
            if parts and one.status != "removed":
                yield parts[0], parts[2]

    def heading(self) -> str:
        """The commit, and the number of changes."""
        until = f" until {self.head}" if self.head else ""
        return (
            f"since {self.base} ({self.commit[:12]}){until}: "
            f"{self.changed_total} elements in {self.files_changed} files {self.index.to_text()}"
        )

    def full_text(self) -> str:
        """The changes, the tests to run, and the elements that the changes reach."""
        if self.document is not None:
            return self.document
        lines = [
            self.heading(),
            *(one.to_text() for one in self.changed),
            *rest_of(self.omitted, self.next_cursor),
            *self._broken(),
            title_of("tests to run, in this order", self.tests_total, len(self.tests)),
            *(test.to_text() for test in self.tests),
            *self.run,
            title_of("reached", self.reached_total, len(self.reached)),
            *(hit.to_text() for hit in self.reached),
        ]
        if self.untested:
            lines += [title_of("changed, and no test reaches it", self.untested_total, len(self.untested))]
            lines += [f"  {name}" for name in self.untested]
        for title, listed in (
            ("no user is known, but the word is on other lines", self.elsewhere),
            ("no test is known to reach it, but its word is in tests", self.named_in_tests),
        ):
            lines += [title, *(row.to_text() for row in listed)] if listed else []
        if self.other_files:
            lines.append(f"other files: {', '.join(self.other_files)}")
        return "\n".join([*lines, *([self.note] if self.note else [])])

    def _broken(self) -> list[str]:
        """The broken and lost elements, with headings."""
        lines = []
        if self.breaking:
            lines += [title_of("breaks callers", self.breaking_total, len(self.breaking))]
            lines += [one.to_text() for one in self.breaking]
        if self.new_cycles:
            lines += ["new circles of imports between folders", *(one.to_text() for one in self.new_cycles)]
        for title, names, total in (
            ("without a known user now", self.lost_users, self.lost_users_total),
            ("without a test now", self.lost_tests, self.lost_tests_total),
        ):
            lines += [title_of(title, total, len(names)), *(f"  {name}" for name in names)] if names else []
        return lines
