"""Test files and names of tests, shared by several replies."""

from collections.abc import Sequence

from bearings.code.replies.element import last_of
from bearings.code.replies.lines import Row
from bearings.reply import Part, SymbolName

FEW = 5
"""The number of tests that a line names."""


class TestFile(Part):
    """A test file: the first `tests` of `total` that reach an element, the nearest in `depth` steps."""

    __test__ = False

    file: SymbolName
    depth: int
    tests: Sequence[SymbolName]
    total: int

    def placed(self) -> Row:
        """The file and the first of its tests, to keep the line short."""
        names = named_tests(self.tests[:FEW], self.total)
        return "", f"{self.file} ({self.depth} steps)" + (f": {names}" if names else "")

    def to_text(self) -> str:
        """One line."""
        names = named_tests(self.tests, self.total)
        return f"  {self.file} ({self.depth} steps)" + (f": {names}" if names else "")


def named_tests(tests: Sequence[str], total: int) -> str:
    """The names of tests, and the number of further ones."""
    more = f" and {total - len(tests)} more" if total > len(tests) else ""
    return ", ".join(last_of(test) for test in tests) + more
