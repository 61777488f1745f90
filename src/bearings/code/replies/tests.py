"""Tests, as several replies name them."""

from bearings.code.replies.element import last_of
from bearings.reply import Part, SymbolName


class TestFile(Part):
    """A file of tests: the first `tests` of the `total` in it that reach an element, the nearest in `depth` steps."""

    __test__ = False

    file: SymbolName
    depth: int
    tests: list[SymbolName]
    total: int

    def to_text(self) -> str:
        """One line."""
        names = ", ".join(last_of(test) for test in self.tests)
        more = f" and {self.total - len(self.tests)} more" if self.total > len(self.tests) else ""
        return f"  {self.file} ({self.depth} steps): {names}{more}"
