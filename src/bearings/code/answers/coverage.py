"""The test coverage of a project."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Mentioned

CoverageSource = Literal["lcov", "istanbul", "coverage.py", "cobertura", "graph"]
"""A report's format, or the graph: then functions that a test reaches count as covered, without running them."""


class FileCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """The coverage of a file: lines by a report, functions by the graph. `stale`: changed since the report."""

    file: str
    covered: int
    total: int
    percent: float
    stale: bool
    missing: str


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
