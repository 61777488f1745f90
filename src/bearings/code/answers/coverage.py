"""The coverage of a project by its tests."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Mentioned

CoverageSource = Literal["lcov", "istanbul", "coverage.py", "cobertura", "graph"]
"""A report's format, or the graph, which counts functions that a test reaches; no test is run."""


class FileCoverage(msgspec.Struct, frozen=True, kw_only=True):
    """Coverage of a file: lines by a report, functions by the graph. `stale`: the file changed since the report."""

    file: str
    covered: int
    total: int
    percent: float
    stale: bool
    missing: str


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The answer. `unit` is what `covered` and `total` count.

    `percent` is None if unknown. `named_in_tests`: files that are untested by the graph, although tests hold names of
    their elements.
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
