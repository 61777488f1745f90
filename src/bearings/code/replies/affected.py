"""An element that a change reaches."""

from typing import Literal

from bearings.code.models import SymbolKind
from bearings.code.replies.lines import Place, Row, parts_of_id, site, within_element
from bearings.reply import Label, Part, SymbolName

Severity = Literal["minor", "major", "breaking"]


class Affected(Part):
    """An element that the change reaches in `depth` steps, through the use at `file`:`line` (`text`)."""

    element: SymbolName
    type: SymbolKind
    file: SymbolName
    line: int
    depth: int
    why: Label
    severity: Severity
    test: bool = False
    text: SymbolName | None = None
    _is_case: bool = False

    def placed(self) -> Row:
        """The use, its enclosing element, and the reason unless the line shows it."""
        inside = within_element(self.element, self.file)
        why = "" if self.text and _last_word(self.why) in self.text else self.why
        about = [f"in {inside}" if inside else "", why]
        return self.file, site(self.line, about, self.text)

    def begins(self) -> Place | None:
        """The place of the element itself; None for a file."""
        parts = parts_of_id(self.element)
        return (parts[0], parts[2]) if parts else None

    def is_case(self) -> bool:
        """Whether the element is a test, and no helper of tests."""
        return self.test and self._is_case

    def to_text(self) -> str:
        """One line."""
        return f"{self.depth} {self.severity} {self.element} {self.why} ({self.file}:{self.line})"


def _last_word(why: str) -> str:
    """The last word of a reason, which is a name: `calls invoke`."""
    return why.rstrip("»").rpartition(" ")[2]
