"""The topic of impact and complexity."""

from collections.abc import Sized

from bearings.budget import REPLY_BUDGET, fitting, room, rows
from bearings.code.answers.risk import Complexity, Impact
from bearings.code.engine.protocol import Answer
from bearings.code.engine.questions.risk import AskComplexity, AskImpact
from bearings.code.replies.complexity import ComplexityReply
from bearings.code.replies.element import path_line
from bearings.code.replies.impact import ImpactReply, Operation
from bearings.code.replies.lines import Detail
from bearings.code.service.opening import Topic, filled, following, index_of, page_of
from bearings.code.service.reply_parts import all_tidied, joined, line_of, outdated_line, site_of, tidied
from bearings.code.service.sources import with_text
from bearings.progress import Progress

_SHOWN = 20
"""Rows of each list in a complexity reply."""

_SHARES = 6
"""Each list beside the main one may take a sixth of the budget."""


class RiskTopic(Topic):
    """Impact, complexity."""

    async def impact(
        self,
        project_path: str,
        element: str,
        *,
        operation: Operation = "modify",
        max_depth: int = 3,
        limit: int = 200,
        cursor: str | None = None,
        detail: Detail = "full",
        budget: int = REPLY_BUDGET,
        progress: Progress | None = None,
    ) -> ImpactReply:
        """The impact of an operation on an element. Raises ElementNotFound, Ambiguous, and what `scan` raises."""
        question = AskImpact(element=element, operation=operation, max_depth=max_depth)
        answer = await self._ask(project_path, question, progress)
        found = answer.value
        share = budget // _SHARES
        ripples = fitting(all_tidied(found.ripple_effects), share)
        reply = ImpactReply(
            element=path_line(found.element),
            operation=found.operation,
            risk_level=found.risk_level,
            risk_score=found.risk_score,
            risk_terms=all_tidied(found.risk_terms),
            by_depth=found.by_depth,
            note=line_of(found.note),
            affected_total=_total(found, found.affected),
            affected=[],
            affected_files=[ripple.file for ripple in ripples],
            affected_files_total=_total(found, found.affected_files),
            affected_tests=fitting(all_tidied(found.affected_tests), share),
            affected_tests_total=_total(found, found.affected_tests),
            ripple_effects=ripples,
            ripple_effects_total=_total(found, found.ripple_effects),
            unresolved_uses=found.hidden,
            unresolved_sites=[site_of(site) for site in found.sites],
            elsewhere=found.elsewhere and tidied(found.elsewhere),
            index=index_of(answer.index),
        ).in_lines(detail)
        reply.note = joined(reply.note, outdated_line(element, found.element))
        page = page_of((found.element, operation, max_depth, answer.index.revision), len(found.affected), cursor)
        affected = all_tidied(found.affected[page.offset : page.offset + rows(limit)])
        await with_text(self._roots.open(project_path), affected, reply.unresolved_sites)
        reply.omitted = len(affected)  # a cut list is followed by its files: reserve space for them
        filled(reply, "affected", affected, budget)
        reply.omitted, reply.next_cursor = following(page, len(reply.affected))
        return reply

    async def complexity(
        self, project_path: str, element: str, *, detail: Detail = "full", progress: Progress | None = None
    ) -> ComplexityReply:
        """The complexity of an element. Raises ElementNotFound, Ambiguous, and what `scan` raises."""
        answer = await self._ask(project_path, AskComplexity(element=element, shown=room(_SHOWN)), progress)
        reply = _complexity(answer).in_lines(detail)
        reply.note = joined(reply.note, outdated_line(element, answer.value.element))
        return reply


def _complexity(answer: Answer[Complexity]) -> ComplexityReply:
    found = answer.value
    return ComplexityReply(
        element=path_line(found.element),
        type=found.type,
        lines_of_code=found.lines_of_code,
        cyclomatic_complexity=found.cyclomatic_complexity,
        cognitive_complexity=found.cognitive_complexity,
        nesting_depth=found.nesting_depth,
        parameters=found.parameters,
        nameless=found.nameless,
        recursive=found.recursive,
        rank=found.rank,
        dependencies=[path_line(name) for name in found.dependencies],
        dependencies_total=found.dependencies_total,
        external=[path_line(name) for name in found.external],
        tests=all_tidied(found.tests),
        tests_total=found.tests_total,
        members=all_tidied(found.members),
        members_total=found.members_total,
        note=line_of(found.note),
        index=index_of(answer.index),
    )


def _total(found: Impact, items: Sized) -> int | None:
    """The number of items; None if there may be more."""
    return None if found.partly_unknown else len(items)
