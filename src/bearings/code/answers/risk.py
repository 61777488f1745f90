"""The answers on impact and complexity. Elements are ids: `path#name:line`, or a path for a module."""

from typing import Literal

import msgspec

from bearings.code.answers.elsewhere import Elsewhere
from bearings.code.models import Outside, SymbolKind

Operation = Literal["modify", "delete", "refactor"]
"""Change an element's behaviour; delete it; change its name, place or signature."""

Severity = Literal["minor", "major", "breaking"]
RiskLevel = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL", "UNKNOWN"]


class Affected(msgspec.Struct, frozen=True, kw_only=True):
    """An element that a change reaches in `depth` steps, through the use at `file`:`line`; `why` names the use."""

    element: str
    type: SymbolKind
    file: str
    line: int
    depth: int
    why: str
    severity: Severity
    test: bool


class Ripple(msgspec.Struct, frozen=True, kw_only=True):
    """The impact of a change on one file."""

    file: str
    impact: str
    severity: Severity


class RiskTerm(msgspec.Struct, frozen=True, kw_only=True):
    """A summand of a risk: `value` × `weight`, up to a limit."""

    name: str
    value: float
    weight: float
    points: float


class TestFile(msgspec.Struct, frozen=True, kw_only=True):
    """A test file, its tests that reach an element, and the fewest steps."""

    file: str
    depth: int
    tests: tuple[str, ...]
    total: int


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


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The complexity of one function. Recursion adds 1 to the cognitive figure, as the figure's author defines it."""

    element: str
    lines_of_code: int
    cyclomatic_complexity: int
    cognitive_complexity: int
    nesting_depth: int
    parameters: int


class Rank(msgspec.Struct, frozen=True, kw_only=True):
    """The rank among the project's functions by cognitive, then cyclomatic complexity; 1 is the most complex."""

    place: int
    of: int


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
