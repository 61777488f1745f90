"""The answer of coderef_changes, and the parts of its reply; questions/changes makes ChangesReply of it."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from bearings.code.models import SymbolKind
from bearings.code.replies.affected import Affected
from bearings.code.replies.element import known, last_of
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.replies.lines import Row, placed_element, site, within_element
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


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """The answer: changed elements by file and line, reached elements nearest first, tests in the order to run them.

    `further_tests` are files that may run a change, too, less likely. `elsewhere` are the first changed elements
    without a known user whose words occur on other lines; `named_in_tests` are untested ones whose words occur in
    tests. `lost_users` and `lost_tests` had a known user, or a test that reached them, and have none now.
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
    breaking: tuple[Breaking, ...] = ()
    new_cycles: tuple[FolderCycle, ...] = ()
    lost_users: tuple[str, ...] = ()
    lost_tests: tuple[str, ...] = ()
    further_tests: tuple[str, ...] = ()
