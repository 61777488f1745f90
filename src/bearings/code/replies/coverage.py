"""The coverage of files, by a report or by the graph."""

from typing import Literal

import msgspec

from bearings.code.replies.elsewhere import Mentioned
from bearings.reply import Part, SymbolName

CoverageSource = Literal["lcov", "istanbul", "coverage.py", "cobertura", "graph"]
"""A report's format, or the graph: then functions that a test reaches count as covered, without running them."""


class FileCoverage(Part):
    """The coverage of a file; `missing` are lines or functions."""

    file: SymbolName
    covered: int
    total: int
    percent: float
    stale: bool = False
    missing: SymbolName

    def to_text(self) -> str:
        """One line."""
        stale = " (changed since)" if self.stale else ""
        missing = f", missing {self.missing}" if self.missing else ""
        return f"  {self.percent:g} % {self.file} {self.covered}/{self.total}{stale}{missing}"


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The answer. `unit` is the unit of `covered` and `total`.

    `percent` is None if unknown. `named_in_tests` are files without tests by the graph whose words occur in tests.
    """

    source: CoverageSource
    unit: Literal["lines", "functions"]
    report: str
    age_s: float
    covered: int
    total: int
    percent: float | None
    by_file: tuple[FileCoverage, ...]
    untested_files: tuple[str, ...]
    stale_files: tuple[str, ...]
    note: str
    named_in_tests: tuple[Mentioned, ...] = ()
