"""Tests, as several replies name them."""

from collections.abc import Sequence

from bearings.code.replies.element import last_of
from bearings.code.replies.lines import Row
from bearings.reply import Part, SymbolName

FEW = 5
"""Tests of a file that a line names."""


class TestFile(Part):
    """A file of tests: the first `tests` of the `total` in it that reach an element, the nearest in `depth` steps."""

    __test__ = False

    file: SymbolName
    depth: int
    tests: list[SymbolName]
    total: int

    def placed(self) -> Row:
        """The file and the first of its tests: as a line, more of them would be long."""
        return "", f"{self.file} ({self.depth} steps): {named_tests(self.tests[:FEW], self.total)}"

    def to_text(self) -> str:
        """One line."""
        return f"  {self.file} ({self.depth} steps): {named_tests(self.tests, self.total)}"


def named_tests(tests: Sequence[str], total: int) -> str:
    """The names of tests, and how many more there are."""
    more = f" and {total - len(tests)} more" if total > len(tests) else ""
    return ", ".join(last_of(test) for test in tests) + more
