"""The reach of a change to an element, and its risk."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from bearings.budget import fitting
from bearings.code.question import Answer, Cursor, Depth, ElementQuestion, Limit
from bearings.code.replies.affected import Affected, Severity
from bearings.code.replies.element import IndexInfo, known, path_line, rest_of, title_of
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.lines import ElementReply, InDetail, Page, Place, brief, by_depth
from bearings.code.replies.pages import filled, following
from bearings.code.replies.sites import Site
from bearings.code.replies.tests import TestFile
from bearings.code.replies.tidying import all_tidied, joined, line_of, outdated_line, tidied
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
        return f"{self.name} {self.value:g} × {self.weight:g} = {self.points:g}"


class ImpactReply(ElementReply):
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
        fields = brief(self)
        fields["affected"] = by_depth((one.depth, one.placed()) for one in self.affected)
        fields["risk_terms"] = " + ".join(term.to_text() for term in self.risk_terms)
        fields.pop("ripple_effects")
        fields.pop("ripple_effects_total")
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


class Impact(Page, frozen=True, kw_only=True):
    """The reach of a change: a page of `affected` elements, nearest first, with the use of each.

    `hidden` sites of the name are unresolved: `sites` and more.

    `elsewhere` is the text search for further users, if none or few are known; None if nothing was searched.
    `partly_unknown`: there may be more, so the level is UNKNOWN and the score is None.
    `namesakes` tells of other elements of the given name.
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
    sites: tuple[Site, ...] = ()
    elsewhere: Elsewhere | None = None
    partly_unknown: bool = False
    namesakes: str = ""


_SHARES = 6
"""Each list beside the main one may take a sixth of the budget."""


class AskImpact(ElementQuestion[Impact, ImpactReply], frozen=True, kw_only=True):
    """What breaks if I change this: affected elements by depth, files, tests to run, and the risk with its sum.

    Example: {"project_path": "/home/me/app", "element": "AuthService.login", "operation": "refactor"}
    """

    title = "What a change reaches"
    place = 60
    toolsets = frozenset({"core", "seed"})
    view = "graph"
    answer = Impact
    operation: Annotated[
        Operation, Meta(description="modify: what it does; refactor: name, place or signature; delete.")
    ] = "modify"
    max_depth: Depth = 3
    limit: Limit = 200
    cursor: Cursor = None
    detail: InDetail = "lines"
    most: int = 200

    def reply(self, answer: Answer[Impact]) -> ImpactReply:
        """A page of it; each list beside the main one takes a share of the budget."""
        impact, share = answer.value, self.budget // _SHARES

        def total(items: Sequence[object]) -> int | None:
            return None if impact.partly_unknown else len(items)

        ripples = fitting(all_tidied(impact.ripple_effects), share)
        reply = ImpactReply(
            namesakes=line_of(impact.namesakes),
            element=path_line(impact.element),
            operation=impact.operation,
            risk_level=impact.risk_level,
            risk_score=impact.risk_score,
            risk_terms=all_tidied(impact.risk_terms),
            by_depth=impact.by_depth,
            affected_total=None if impact.partly_unknown else impact.total,
            affected=[],
            affected_files=[ripple.file for ripple in ripples],
            affected_files_total=total(impact.affected_files),
            affected_tests=fitting(all_tidied(impact.affected_tests), share),
            affected_tests_total=total(impact.affected_tests),
            ripple_effects=ripples,
            ripple_effects_total=total(impact.ripple_effects),
            unresolved_uses=impact.hidden,
            unresolved_sites=list(impact.sites),
            note=joined(line_of(impact.note), outdated_line(self.element, impact.element)),
            elsewhere=impact.elsewhere and tidied(impact.elsewhere),
            index=answer.index.info(),
        ).in_lines(self.detail)
        affected = all_tidied(impact.affected)
        reply.omitted = len(affected)  # a cut list is followed by its files: reserve space for them
        filled(reply, "affected", affected, self.budget)
        reply.omitted, reply.next_cursor = following(impact, len(reply.affected))
        return reply
