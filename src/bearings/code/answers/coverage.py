"""The test coverage of a project."""

from typing import Literal

import msgspec

from bearings.code.replies.elsewhere import Mentioned
from bearings.code.replies.quality import CoverageSource, FileCoverage


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
