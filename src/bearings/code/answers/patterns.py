"""Patterns in a project's code, each with its evidence."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Mention

PatternType = Literal[
    "async",
    "context-manager",
    "decorators",
    "dependency-injection",
    "error-handling",
    "events",
    "hooks",
    "middleware",
    "singleton",
    "test-gaps",
]
"""The kinds of patterns; each has one detector."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """A place that shows a pattern: `element` is the innermost element around it, `what` describes the place."""

    file: str
    line: int
    element: str
    what: str


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """One pattern under one name: its count, its files, and the first places."""

    type: PatternType
    name: str
    count: int
    files: tuple[str, ...]
    evidence: tuple[Evidence, ...]


class TestGap(msgspec.Struct, frozen=True, kw_only=True):
    """A function that no test reaches, with the figures that make it a risk.

    `mentions` counts the lines of tests with its name, `first` is the first of them; None if they were not counted.
    """

    element: str
    users: int
    cognitive_complexity: int | None
    mentions: int | None = None
    first: Mention | None = None


class Patterns(msgspec.Struct, frozen=True, kw_only=True):
    """The patterns, the most frequent first. No test reaches `gaps_total` of `functions` functions.

    `note` names files for which this is unknown. A count is None if nothing was found and some files were not analysed.
    """

    patterns: tuple[Pattern, ...]
    patterns_total: int | None
    test_gaps: tuple[TestGap, ...]
    gaps_total: int | None
    functions: int | None
    note: str = ""
