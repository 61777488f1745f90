"""The topic of a project's overview, within a budget."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from bearings.code.engine.questions.overview import AskContext, AskMap
from bearings.code.replies.element import path_line
from bearings.code.replies.overview import ContextReply, MapReply, Sections
from bearings.code.service.languages import languages_named
from bearings.code.service.opening import Topic, index_of, size_of
from bearings.code.service.reply_parts import tidied
from bearings.progress import Progress
from bearings.untrusted import escape_text

ContextFormat = Literal["json", "markdown", "both"]

_SHARES = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02, 0.0)
"""Shares of each list to show; the first with which the reply fits is used."""

_LAST = ("test_patterns", "conventions", "languages", "not_understood", "unread")


class OverviewTopic(Topic):
    """Sections, map."""

    async def context(
        self,
        project_path: str,
        *,
        languages: Sequence[str] = (),
        output_format: ContextFormat = "json",
        budget: int = 12_000,
        progress: Progress | None = None,
    ) -> ContextReply:
        """The context that a newcomer needs first. Raises Unsupported (a language), and what `scan` raises."""
        answer = await self._ask(project_path, AskContext(languages=languages_named(languages)), progress)
        whole = sum(len(rows) for rows in msgspec.structs.asdict(answer.value).values())
        reply = ContextReply(index=index_of(answer.index))
        for share in _SHARES:
            cut = _cut(answer.value, share)
            shown = sum(len(rows) for rows in msgspec.structs.asdict(cut).values())
            sections = tidied(cut)
            reply = ContextReply(
                context=None if output_format == "markdown" else sections,
                markdown=None if output_format == "json" else sections.to_markdown(),
                left_out=whole - shown,
                index=index_of(answer.index),
            )
            if size_of(reply) <= budget:
                break
        return reply

    async def map(
        self, project_path: str, *, budget: int = 8_000, focus: str | None = None, progress: Progress | None = None
    ) -> MapReply:
        """A ranked skeleton. Raises ElementNotFound and Ambiguous for a focus, and the errors of `scan`."""
        answer = await self._ask(project_path, AskMap(budget=budget, focus=focus), progress)
        found = answer.value
        return MapReply(
            skeleton=escape_text(found.skeleton),
            focus=path_line(found.focus) or None,
            files_shown=found.files_shown,
            files=found.files,
            elements_shown=found.elements_shown,
            elements=found.elements,
            index=index_of(answer.index),
        )


def _cut(context: Sections, share: float) -> Sections:
    """The first `share` of each list; the lists of _LAST stay whole until the share is 0."""
    cut = {
        name: rows[: round(len(rows) * share)] if name not in _LAST or not share else rows
        for name, rows in msgspec.structs.asdict(context).items()
    }
    return Sections(**cut)
