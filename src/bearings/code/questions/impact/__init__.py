"""The reach of a change to an element, and its risk."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self

from msgspec import Meta, field
from msgspec.structs import replace

from bearings.budget import ALL_ROWS, fitting
from bearings.code.question import Answer, Cursor, Depth, ElementQuestion, Limit
from bearings.code.replies.affected import Affected, Severity
from bearings.code.replies.element import IndexInfo, known, path_line, rest_of, title_of
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.lines import ElementReply, InDetail, Place, brief, by_depth
from bearings.code.replies.pages import cut_to_fit, first_page
from bearings.code.replies.sites import Site
from bearings.code.replies.tests import TestFile
from bearings.code.replies.tidying import all_tidied, tidied
from bearings.reply import Label, Part, SymbolName

Operation = Literal["modify", "delete", "refactor"]
"""Change an element's behaviour; delete it; change its name, place or signature."""


RiskLevel = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL", "UNKNOWN"]


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
        is_capped = round(self.value * self.weight, 1) > self.points
        return f"{self.name} {self.value:g} × {self.weight:g} {'capped at' if is_capped else '='} {self.points:g}"


class ImpactReply(ElementReply):
    """The impact of an operation on an element: `affected_total` elements, with this page's nearest first.

    `risk_score` is the sum of `risk_terms`; below 10 it is LOW, below 25 MEDIUM, below 50 HIGH. `elsewhere`: other
    lines with the element's word, if few affected elements are known. Absent totals are unknown. `complete` is false if
    the whole reach would have taken an index: then this is some of it, and `next_cursor` waits for the whole.
    """

    element: SymbolName
    operation: Operation
    complete: bool | None = None
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

    def ready(self) -> Self:
        """The same with its parts, but the affected elements, ready to be sent."""
        return replace(
            self,
            element=path_line(self.element),
            risk_terms=all_tidied(self.risk_terms),
            affected_tests=all_tidied(self.affected_tests),
            ripple_effects=all_tidied(self.ripple_effects),
            elsewhere=self.elsewhere and tidied(self.elsewhere),
        )

    def brief(self) -> dict[str, Any]:
        """The lists as lines. Files are listed only if some affected elements are on other pages."""
        fields = brief(self)
        fields["affected"] = by_depth((one.depth, one.placed()) for one in self.affected)
        fields["risk_terms"] = " + ".join(term.to_text() for term in self.risk_terms)
        fields.pop("ripple_effects")
        fields.pop("ripple_effects_total", None)  # absent where it is unknown: a part of the languages has no edges
        if not self.omitted:
            fields.pop("affected_files")
        return fields

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


_SHARES = 6
"""Each list beside the main one may take a sixth of the budget."""


class AskImpact(ElementQuestion[ImpactReply, ImpactReply], frozen=True, kw_only=True):
    """What breaks if I change this: affected elements by depth, files, tests to run, and the risk with its sum.

    Example: {"element": "AuthService.login", "operation": "refactor"}
    """

    title = "What a change reaches"
    place = 60
    toolsets = frozenset({"core", "seed"})
    view = "graph"
    answer = ImpactReply
    on_demand = True
    on_demand_bytes = 10_000_000
    operation: Annotated[
        Operation, Meta(description="modify: what it does; refactor: name, place or signature; delete.")
    ] = "modify"
    max_depth: Depth = 3
    limit: Limit = 200
    cursor: Cursor = None
    detail: InDetail = "lines"
    most: int = 200

    @property
    def may_be_part(self) -> bool:
        """Whether the nearest part may come first. A script, which asks for all rows at once, gets all."""
        return self.cursor is None and self.most < ALL_ROWS

    def reply(self, answer: Answer[ImpactReply]) -> ImpactReply:
        """The page within the budget; summaries by file and tests get a share each. Raises what a scan raises."""
        reply, share = answer.as_reply().in_lines(self.detail), self.budget // _SHARES
        reply.ripple_effects = fitting(reply.ripple_effects, share)
        reply.affected_files = [ripple.file for ripple in reply.ripple_effects]
        reply.affected_tests = fitting(reply.affected_tests, share)
        reply.omitted = len(reply.affected)  # a cut list is followed by its files: reserve space for them
        cut_to_fit(reply, "affected", self.budget)
        if reply.complete is False:
            reply.next_cursor = first_page(reply)
        return reply
