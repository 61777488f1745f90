"""The reply of coderef_impact."""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import field

from bearings.code.models import SymbolKind
from bearings.code.replies.element import IndexInfo, known, rest_of, title_of
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.lines import LinedReply, Place, Row, brief, by_depth, parts_of_id, site, within_element
from bearings.code.replies.query import Site
from bearings.code.replies.tests import TestFile
from bearings.reply import Label, Part, SymbolName

Operation = Literal["modify", "delete", "refactor"]
"""Change an element's behaviour; delete it; change its name, place or signature."""

Severity = Literal["minor", "major", "breaking"]
RiskLevel = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL", "UNKNOWN"]


class Affected(Part):
    """An element that the change reaches in `depth` steps, through the use at `file`:`line` (`text`)."""

    element: SymbolName
    type: SymbolKind
    file: SymbolName
    line: int
    depth: int
    why: Label
    severity: Severity
    test: bool = False
    text: SymbolName | None = None

    def placed(self) -> Row:
        """The use, its enclosing element, and the reason unless the line shows it."""
        inside = within_element(self.element, self.file)
        why = "" if self.text and _last_word(self.why) in self.text else self.why
        about = [f"in {inside}" if inside else "", why]
        return self.file, site(self.line, about, self.text)

    def begins(self) -> Place | None:
        """The place of the element itself; None for a file."""
        found = parts_of_id(self.element)
        return (found[0], found[2]) if found else None

    def to_text(self) -> str:
        """One line."""
        return f"{self.depth} {self.severity} {self.element} {self.why} ({self.file}:{self.line})"


class Ripple(Part):
    """The impact of the change on a file."""

    file: SymbolName
    impact: Label
    severity: Severity

    def to_text(self) -> str:
        """One line."""
        return f"  {self.severity} {self.file}: {self.impact}"


class RiskTerm(Part):
    """A summand of the risk: `points` is `value` × `weight`, up to a bound."""

    name: str
    value: float
    weight: float
    points: float

    def to_text(self) -> str:
        """The summand in a sum."""
        return f"{self.name} {self.value:g} × {self.weight:g} = {self.points:g}"


def _last_word(why: str) -> str:
    """The last word of a reason, which is a name: `calls invoke`."""
    return why.rstrip("»").rpartition(" ")[2]


class ImpactReply(LinedReply):
    """The impact of an operation on an element: `affected_total` elements, with this page's nearest first.

    `risk_score` is the sum of `risk_terms`; below 10 it is LOW, below 25 MEDIUM, below 50 HIGH. `elsewhere`: other
    lines with the element's word, if few affected elements are known. Absent totals are unknown.
    """

    element: SymbolName
    operation: Operation
    risk_level: RiskLevel
    risk_score: float | None = None
    risk_terms: list[RiskTerm]
    affected_total: int | None = None
    by_depth: dict[str, int]
    affected: list[Affected]
    next_cursor: str | None = None
    omitted: int = 0
    affected_files: list[SymbolName]
    affected_files_total: int | None = None
    affected_tests: list[TestFile]
    affected_tests_total: int | None = None
    ripple_effects: list[Ripple]
    ripple_effects_total: int | None = None
    unresolved_uses: int = 0
    unresolved_sites: list[Site] = field(default_factory=list)
    note: str | None = None
    elsewhere: Elsewhere | None = None
    index: IndexInfo

    _IN_HEADING = frozenset({"element", "operation", "risk_level", "risk_score", "index"})

    def brief(self) -> dict[str, Any]:
        """The lists as lines. Files are listed only if some affected elements are on other pages."""
        said = brief(self)
        said["affected"] = by_depth((one.depth, one.placed()) for one in self.affected)
        said["risk_terms"] = " + ".join(term.to_text() for term in self.risk_terms)
        said.pop("ripple_effects")
        said.pop("ripple_effects_total")
        if not self.omitted:
            said.pop("affected_files")
        return said

    def places(self) -> Iterator[Place]:
        """The place of each use."""
        return ((one.file, one.line) for one in self.affected)

    def heading(self) -> str:
        """The operation and its risk."""
        score = "" if self.risk_score is None else f" ({self.risk_score:g})"
        return f"{self.operation} {self.element}: risk {self.risk_level}{score} {self.index.to_text()}"

    def full_text(self) -> str:
        """Risk, affected elements, files, tests."""
        depths = ", ".join(f"{count} at depth {depth}" for depth, count in self.by_depth.items())
        terms = " + ".join(term.to_text() for term in self.risk_terms)
        tests = title_of("test files that reach it", self.affected_tests_total, len(self.affected_tests))
        lines = [
            self.heading(),
            *([f"risk: {terms}"] if terms else []),
            f"affected: {known(self.affected_total)}{f' ({depths})' if depths else ''}",
            *(hit.to_text() for hit in self.affected),
            *rest_of(self.omitted, self.next_cursor),
            title_of("files", self.affected_files_total, len(self.ripple_effects)),
            *(ripple.to_text() for ripple in self.ripple_effects),
            tests,
            *(test.to_text() for test in self.affected_tests),
        ]
        lines += [*([self.note] if self.note else []), *(site.to_text() for site in self.unresolved_sites)]
        return "\n".join([*lines, *([self.elsewhere.to_text()] if self.elsewhere else [])])
