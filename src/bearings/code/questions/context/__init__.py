"""The overview that a newcomer to a project should read first."""

from typing import Annotated, Literal, Self

import msgspec
from msgspec import Meta

from bearings.code.question import Answer, Budget, Project, ToolQuestion
from bearings.code.questions.context.answer import Sections
from bearings.code.replies.element import IndexInfo
from bearings.code.replies.pages import size_of
from bearings.code.replies.tidying import tidied
from bearings.code.search.language_names import languages_named
from bearings.reply import Reply, SourceText

ContextFormat = Literal["json", "markdown", "both"]

_SHARES = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02, 0.0)
"""Shares of each list to show; the first with which the reply fits is used."""

_LAST = ("test_patterns", "conventions", "languages", "not_understood", "unread", "own_imports")
"""Lists that stay whole until the share is 0."""


class ContextReply(Reply):
    """A project's overview, as `context`, as `markdown`, or both. `left_out` rows did not fit into the budget."""

    context: Sections | None = None
    markdown: SourceText | None = None
    left_out: int = 0
    note: str | None = None
    index: IndexInfo

    def to_text(self) -> str:
        """The page."""
        page = self.markdown or (self.context.to_markdown() if self.context else "")
        more = f"\n({self.left_out} rows left out: raise budget for more)" if self.left_out else ""
        note = f"\n{self.note}" if self.note else ""
        return f"{page}{more}{note}\n{self.index.to_text()}"


class AskContext(ToolQuestion[Sections, ContextReply], frozen=True, kw_only=True):
    """Read this first: packages, architecture by folder, entry points, key elements, test patterns, conventions.

    Example: {"output_format": "markdown"}
    """

    title = "Explain a project"
    place = 90
    toolsets = frozenset({"core", "seed"})
    answer = Sections
    languages: Annotated[list[str] | None, Meta(description='Such as ["ts"]; default: all found.')] = None
    output_format: Annotated[ContextFormat, Meta(description="json, markdown, or both.")] = "json"
    budget: Budget = 12_000

    def prepared(self, _: Project, /) -> Self:
        """The question itself. Raises Unsupported for a language."""
        languages_named(self.languages or ())
        return self

    def reply(self, answer: Answer[Sections]) -> ContextReply:
        """The sections, cut to the budget. Raises Unsupported (a language), and what a scan raises."""
        whole = _size(answer.value)
        reply = ContextReply(index=answer.index)
        for share in _SHARES:
            sections = tidied(_cut(answer.value, share))
            reply = ContextReply(
                context=None if self.output_format == "markdown" else sections,
                markdown=None if self.output_format == "json" else sections.to_markdown(),
                left_out=whole - _size(sections),
                index=answer.index,
            )
            if size_of(reply) <= self.budget:
                break
        return reply


def _size(sections: Sections) -> int:
    """The number of rows in all lists."""
    return sum(len(rows) for rows in msgspec.structs.asdict(sections).values())


def _cut(sections: Sections, share: float) -> Sections:
    """The first `share` of each list; the lists of _LAST stay whole until the share is 0."""
    return Sections(
        **{
            name: rows[: round(len(rows) * share)] if name not in _LAST or not share else rows
            for name, rows in msgspec.structs.asdict(sections).items()
        }
    )
