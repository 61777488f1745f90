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
"""The types of patterns, each with its own detector."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """A place with a pattern: `element` is the innermost element around it, `what` describes the place."""

    file: str
    line: int
    element: str
    what: str


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """One pattern with a name: its count, its files, and the first places."""

    type: PatternType
    name: str
    count: int
    files: tuple[str, ...]
    evidence: tuple[Evidence, ...]


class TestGap(msgspec.Struct, frozen=True, kw_only=True):
    """A function that no test reaches, with its risk.

    `mentions` counts the lines of tests that contain its word (None: not counted), `first` is the first of them.
    """

    element: str
    users: int
    cognitive_complexity: int | None
    mentions: int | None = None
    first: Mention | None = None


class Patterns(msgspec.Struct, frozen=True, kw_only=True):
    """The patterns, the most frequent first. No test reaches `gaps_total` of `functions` functions.

    `note` names the files for which this is unknown. Counts are None if nothing was found and some files are unknown.
    """

    patterns: tuple[Pattern, ...]
    patterns_total: int | None
    test_gaps: tuple[TestGap, ...]
    gaps_total: int | None
    functions: int | None
    note: str = ""
