"""Patterns that a project's code shows, each with its evidence."""

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
"""What is looked for, one detector each."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """A place that shows a pattern: `element` is the innermost element around it, `what` says what is there."""

    file: str
    line: int
    element: str
    what: str


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """One pattern under one name: how often, in which files, and the first places."""

    type: PatternType
    name: str
    count: int
    files: tuple[str, ...]
    evidence: tuple[Evidence, ...]


class TestGap(msgspec.Struct, frozen=True, kw_only=True):
    """A function that no test reaches, with what makes that a risk.

    `mentions` are the lines of tests that hold its word, `first` is the first of them; None: they were not counted.
    """

    element: str
    users: int
    cognitive_complexity: int | None
    mentions: int | None = None
    first: Mention | None = None


class Patterns(msgspec.Struct, frozen=True, kw_only=True):
    """The patterns, the most frequent first. `gaps_total` functions of `functions` are reached by no test.

    `note` says of which files this is unknown. Counts are None where nothing was found, and not all could be looked at.
    """

    patterns: tuple[Pattern, ...]
    patterns_total: int | None
    test_gaps: tuple[TestGap, ...]
    gaps_total: int | None
    functions: int | None
    note: str = ""
