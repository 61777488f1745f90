"""The changes between a commit and the working tree or another commit, what they break, and which tests to run."""

import re
from typing import Annotated, Any, Literal, NamedTuple, Self

from msgspec import Meta
from msgspec.structs import replace

from bearings.budget import REPLY_BUDGET, fitting, room, rows
from bearings.code.question import Answer, Cursor, Limit, Project, ToolQuestion
from bearings.code.replies.changes import ChangesReply
from bearings.code.replies.element import path_line
from bearings.code.replies.lines import InDetail
from bearings.code.replies.pages import cut_to_fit, page_of, size_of
from bearings.code.replies.tidying import all_tidied, line_of
from bearings.errors import InvalidInput


class Span(NamedTuple):
    """The commits of a comparison. Without `head` it ends with the files on disk.

    `from_merge_base`: it starts from their common ancestor, as `A...B` does.
    """

    base: str
    head: str | None
    from_merge_base: bool = False

    @classmethod
    def of(cls, base: str, head: str | None) -> "Span":
        """The span of a base, which may be a range. An empty end is HEAD, as in git. Raises InvalidInput."""
        parts = _RANGE.fullmatch(base)
        if parts is None:
            return cls(base, head)
        if head is not None:
            raise InvalidInput("head", head, f"stands beside the range {base!r}", "Pass a range as base, or head.")
        return cls(parts[1] or "HEAD", parts[3] or "HEAD", parts[2] == "...")


_RANGE = re.compile(r"((?:(?!\.\.).)*)(\.\.\.?)((?:(?!\.\.).)*)", re.DOTALL)
_SHARES = (1.0, 0.5, 0.25, 0.1, 0.03, 0.0)
"""Shares of each list of a document; the first with which the reply fits is used."""

_TESTS = REPLY_BUDGET // 3
_REACHED = REPLY_BUDGET // 5
_NOTED = REPLY_BUDGET // 10
_NAMED = 20
_OTHERS = 30
_MOST = 200
"""The rows of each list beside the main one."""


class AskChanges(ToolQuestion[ChangesReply, ChangesReply], frozen=True, kw_only=True):
    """What changed since a git commit: elements added, modified, renamed, removed; broken callers; tests to run.

    Tests come in the order to run them. Without `head`, files as they are now are compared, uncommitted ones too.
    Example: {"base": "main...feature"}
    """

    title = "What changed, and what to test"
    place = 80
    toolsets = frozenset({"core"})
    view = "graph"
    of_commits = False
    commit_argument = "head"
    answer = ChangesReply
    base: Annotated[
        str, Meta(min_length=1, max_length=300, description="Commit, branch or tag to compare with; A..B or A...B.")
    ] = "HEAD"
    head: Annotated[
        Annotated[str, Meta(min_length=1, max_length=300)] | None,
        Meta(description="Commit to compare instead of the files on disk."),
    ] = None
    max_depth: Annotated[int, Meta(ge=1, le=10, description="Steps to follow from each change.")] = 3
    limit: Limit = 200
    cursor: Cursor = None
    detail: InDetail = "lines"
    format: Annotated[
        Literal["json", "markdown", "sarif", "github"],
        Meta(description="json, or a document: a review, SARIF 2.1.0, annotations for GitHub."),
    ] = "json"
    from_merge_base: bool = False
    quoted: tuple[int, int] = (_MOST, _MOST)
    """The rows of `reached` and of `breaking` that come with their lines of source."""

    def prepared(self, _: Project, /) -> Self:
        """About the commits of a range, with the limits that the caller has. Raises InvalidInput for a bad range."""
        span = Span.of(self.base, self.head)
        limit = min(room(_MOST), max(_MOST, rows(self.limit)))
        return replace(
            self,
            base=span.base,
            head=None,
            at=span.head,
            from_merge_base=span.from_merge_base,
            quoted=(limit, room(_MOST)) if self.format == "json" else (0, 0),
        )

    def reply(self, answer: Answer[ChangesReply]) -> ChangesReply:
        """A page of them, or a document. Raises InvalidInput for a cursor."""
        whole = answer.as_reply()
        whole.head = None if self.at is None else path_line(self.at)
        if self.format != "json":
            return self._document(whole)
        page = page_of((whole.commit, self.max_depth, answer.index.revision), whole.changed_total, self.cursor)
        shown = all_tidied(whole.changed[page.offset : page.offset + rows(self.limit)])
        reply = _head(whole, *self.quoted).in_lines(self.detail)
        return cut_to_fit(replace(reply, changed=shown, _page=page), "changed")

    def _document(self, whole: ChangesReply) -> ChangesReply:
        """The changes as a document, cut to the budget."""
        from bearings.code.formats.review import document

        assert self.format != "json"
        empty: dict[str, Any] = {name: [] for name in ("changed", "reached", "tests", "run", "untested", "other_files")}
        counts = {name: getattr(whole, name) for name in _COUNTS}
        for share in _SHARES:
            cut = _cut(whole, share)
            reply = ChangesReply(
                base=path_line(whole.base),
                **counts,
                **empty,
                document=document(cut, self.format, whole.base, self.at or "the files on disk"),
                left_out=_rows_in(whole) - _rows_in(cut),
            )
            if size_of(reply) <= room(REPLY_BUDGET):
                break
        return reply


_COUNTS = """head commit files_changed changed_total reached_total tests_total further_tests_total untested_total
    index""".split()
"""Fields of a document, beside its text."""
_CUT = ("changed", "breaking", "new_cycles", "tests")
_CUT_NAMES = ("lost_users", "lost_tests", "untested", "other_files")


def _cut(changes: ChangesReply, share: float) -> ChangesReply:
    """The first `share` of each list, tidied."""

    def first(name: str) -> Any:
        listed = getattr(changes, name)
        return listed[: round(len(listed) * share)]

    return replace(
        changes,
        **{name: all_tidied(first(name)) for name in _CUT},
        **{name: list(map(path_line, first(name))) for name in _CUT_NAMES},
        run=list(map(path_line, changes.run)),
        note=line_of(changes.note or ""),
    )


def _rows_in(changes: ChangesReply) -> int:
    return sum(len(getattr(changes, name)) for name in (*_CUT, *_CUT_NAMES))


def _head(whole: ChangesReply, reached: int, broken: int) -> ChangesReply:
    """The reply without its changed elements, with the first of those that are reached, and that are broken."""
    return replace(
        whole,
        base=path_line(whole.base),
        breaking=fitting(all_tidied(whole.breaking[:broken]), _REACHED),
        new_cycles=fitting(all_tidied(whole.new_cycles), _NOTED),
        lost_users=[path_line(name) for name in whole.lost_users[: room(_NAMED)]],
        lost_tests=[path_line(name) for name in whole.lost_tests[: room(_NAMED)]],
        changed=[],
        reached=fitting(all_tidied(whole.reached[:reached]), _REACHED),
        tests=fitting(all_tidied(whole.tests[: room(_MOST)]), _TESTS),
        further_tests=[path_line(name) for name in whole.further_tests[: room(0)]],
        run=[path_line(command) for command in whole.run],
        untested=[path_line(name) for name in whole.untested[: room(_NAMED)]],
        other_files=[path_line(name) for name in whole.other_files[: room(_OTHERS)]],
        elsewhere=fitting(all_tidied(whole.elsewhere), _NOTED),
        named_in_tests=fitting(all_tidied(whole.named_in_tests), _NOTED),
        note=line_of(whole.note or ""),
    )
