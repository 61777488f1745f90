"""Tests, as several replies name them."""

from bearings.reply import Part


class TestFile(Part):
    """A file of tests: the first `tests` of the `total` in it that reach an element, the nearest in `depth` steps."""

    __test__ = False

    file: str
    depth: int
    tests: list[str]
    total: int

    def to_text(self) -> str:
        """One line."""
        names = ", ".join(test.rpartition("#")[2] for test in self.tests)
        more = f" and {self.total - len(self.tests)} more" if self.total > len(self.tests) else ""
        return f"  {self.file} ({self.depth} steps): {names}{more}"
