"""The changes since a commit, their impact, and the tests to run."""

import msgspec

from bearings.code.replies.changes import ChangedElement, ProposedTests
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.replies.impact import Affected


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """The answer: changed elements by file and line, reached elements nearest first, tests in the order to run them.

    `elsewhere` are the first changed elements without a known user whose words occur on other lines; `named_in_tests`
    are untested ones whose words occur in tests.
    """

    base: str
    commit: str
    files_changed: int
    other_files: tuple[str, ...]
    changed: tuple[ChangedElement, ...]
    reached: tuple[Affected, ...]
    tests: tuple[ProposedTests, ...]
    untested: tuple[str, ...]
    run: tuple[str, ...]
    note: str
    elsewhere: tuple[Mentioned, ...] = ()
    named_in_tests: tuple[Mentioned, ...] = ()
