"""The answers on impact and complexity. Elements are ids: `path#name:line`, or a path for a module."""

import msgspec

from bearings.code.models import Outside, SymbolKind
from bearings.code.replies.complexity import Figures, Rank
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.impact import Affected, Operation, Ripple, RiskLevel, RiskTerm
from bearings.code.replies.tests import TestFile


class Impact(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a change reaches, nearest first. `hidden` sites of the name are unresolved: `sites` and more.

    `elsewhere` is the text search for further users, if none or few are known; None if nothing was searched.
    `partly_unknown`: there may be more, so the level is UNKNOWN and the score is None.
    """

    element: str
    operation: Operation
    affected: tuple[Affected, ...]
    by_depth: dict[str, int]
    affected_files: tuple[str, ...]
    affected_tests: tuple[TestFile, ...]
    risk_level: RiskLevel
    risk_score: float | None
    risk_terms: tuple[RiskTerm, ...]
    ripple_effects: tuple[Ripple, ...]
    hidden: int
    note: str
    sites: tuple[Outside, ...] = ()
    elsewhere: Elsewhere | None = None
    partly_unknown: bool = False


class Complexity(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of a function; of a class or file the sums, the deepest nesting, the most parameters.

    `members` are the most complex functions in it. `nameless` counts decisions in its inner functions without a name.
    None means unknown, as `note` explains.
    """

    element: str
    type: SymbolKind
    lines_of_code: int
    cyclomatic_complexity: int | None
    cognitive_complexity: int | None
    nesting_depth: int | None
    parameters: int | None
    nameless: int
    recursive: bool | None
    dependencies: tuple[str, ...]
    dependencies_total: int | None
    external: tuple[str, ...]
    tests: tuple[TestFile, ...]
    tests_total: int | None
    rank: Rank | None
    members: tuple[Figures, ...]
    members_total: int | None
    note: str
