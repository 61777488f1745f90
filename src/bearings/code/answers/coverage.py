"""How much of a project its tests run."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Mentioned

CoverageSource = Literal["lcov", "istanbul", "coverage.py", "cobertura", "graph"]
"""A report's format, or the graph: then functions that a test reaches count, and none was run for it."""


class FileCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a file is covered: lines by a report, functions by the graph. `stale`: changed since the report."""

    file: str
    covered: int
    total: int
    percent: float
    stale: bool
    missing: str


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The answer. `unit` is what `covered` and `total` count.

    `percent` is None where nothing could be told. `named_in_tests`: of the untested files, where the graph says so,
    those whose words stand in tests.
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
