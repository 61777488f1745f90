"""The topic of patterns and coverage."""

from typing import Literal

from bearings.budget import REPLY_BUDGET, fitting, room, rows
from bearings.code.engine.questions.quality import AskCoverage, AskPatterns
from bearings.code.replies.element import path_line
from bearings.code.replies.lines import Detail
from bearings.code.replies.quality import (
    CoverageReply,
    Overall,
    PatternsReply,
    PatternType,
)
from bearings.code.service.opening import Topic, filled, following, index_of, page_of
from bearings.code.service.reply_parts import all_tidied, line_of
from bearings.progress import Progress

CoverageFormat = Literal["summary", "detailed"]

_GAPS = REPLY_BUDGET // 4
_NAMED = 50
_MENTIONED = 15


class QualityTopic(Topic):
    """Patterns, coverage."""

    async def patterns(
        self,
        project_path: str,
        *,
        pattern_type: PatternType | None = None,
        limit: int = 10,
        detail: Detail = "full",
        progress: Progress | None = None,
    ) -> PatternsReply:
        """The project's patterns. Raises the errors of `scan`."""
        answer = await self._ask(project_path, AskPatterns(pattern_type=pattern_type, limit=rows(limit)), progress)
        found = answer.value
        gaps = fitting(all_tidied(found.test_gaps), _GAPS)
        shown = fitting(all_tidied(found.patterns), REPLY_BUDGET - _GAPS - 1_000)
        return PatternsReply(
            patterns=shown,
            patterns_total=found.patterns_total,
            test_gaps=gaps,
            gaps_total=found.gaps_total,
            functions=found.functions,
            note=line_of(found.note),
            index=index_of(answer.index),
        ).in_lines(detail)

    async def coverage(
        self,
        project_path: str,
        *,
        format: CoverageFormat = "summary",  # noqa: A002 - the tool's parameter
        limit: int = 200,
        cursor: str | None = None,
        detail: Detail = "full",
        progress: Progress | None = None,
    ) -> CoverageReply:
        """The coverage of the tests. Raises InvalidInput (a cursor), and what `scan` raises."""
        answer = await self._ask(project_path, AskCoverage(), progress)
        found = answer.value
        reply = CoverageReply(
            source=found.source,
            unit=found.unit,
            report=path_line(found.report) or None,
            age_s=found.age_s if found.report else None,
            overall=Overall(covered=found.covered, total=found.total, percent=found.percent),
            files=len(found.by_file),
            untested_files=[path_line(name) for name in found.untested_files[: room(_NAMED)]],
            untested_total=len(found.untested_files),
            named_in_tests=all_tidied(found.named_in_tests[: room(_MENTIONED)]),
            stale_files=[path_line(name) for name in found.stale_files[: room(_NAMED)]],
            note=found.note or None,
            index=index_of(answer.index),
        ).in_lines(detail)
        of = ("coverage", found.report, answer.index.revision)
        page = page_of(of, len(found.by_file), cursor)
        if format == "detailed":
            filled(reply, "by_file", all_tidied(found.by_file[page.offset : page.offset + rows(limit)]))
            reply.omitted, reply.next_cursor = following(page, len(reply.by_file or ()))
        return reply
