"""Patterns in a project's code, each with its evidence."""

import msgspec

from bearings.code.replies.quality import Pattern, TestGap


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
