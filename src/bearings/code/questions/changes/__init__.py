"""The changes between a commit and the working tree or another commit, what they break, and which tests to run."""

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Self

from msgspec import Meta, field
from msgspec.structs import replace

from bearings.budget import REPLY_BUDGET, fitting, room, rows
from bearings.code.question import Answer, Cursor, Limit, Project, ToolQuestion
from bearings.code.replies.affected import Affected
from bearings.code.replies.changes import Breaking, ChangedElement, Changes, FolderCycle, ProposedTests
from bearings.code.replies.element import IndexInfo, path_line, rest_of, title_of
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.replies.lines import InDetail, LinedReply, Place, parts_of_id
from bearings.code.replies.pages import cut_to_fit, page_of, size_of
from bearings.code.replies.tidying import all_tidied, line_of
from bearings.errors import InvalidInput
from bearings.reply import SourceText, SymbolName


class ChangesReply(LinedReply):
    """The differences from `base` to `head` (null: the files on disk): changed elements (of this page), tests in order.

    `breaking` are elements whose change breaks uses that were not adapted; `new_cycles` folders that import each other
    in a circle; `lost_users` and `lost_tests` elements whose last known user or test went. `further_tests` may run a
    change, less likely than `tests`: listed for a command, else counted. `untested` are changed functions that no test
    reaches; `other_files` are changed files without code. `elsewhere` are changed elements without a known user whose
    words occur on other lines; `named_in_tests` untested ones whose words occur in tests. With another `format` than
    json the lists are in `document`, and `left_out` of their rows did not fit.
    """

    base: SymbolName
    head: SymbolName | None = None
    commit: str
    files_changed: int
    changed_total: int
    changed: list[ChangedElement]
    next_cursor: str | None = None
    omitted: int = 0
    breaking: list[Breaking] = field(default_factory=list)
    breaking_total: int = 0
    new_cycles: list[FolderCycle] = field(default_factory=list)
    lost_users: list[SymbolName] = field(default_factory=list)
    lost_users_total: int = 0
    lost_tests: list[SymbolName] = field(default_factory=list)
    lost_tests_total: int = 0
    reached: list[Affected]
    reached_total: int
    tests: list[ProposedTests]
    tests_total: int
    further_tests: list[SymbolName] = field(default_factory=list)
    further_tests_total: int = 0
    run: list[SymbolName]
    untested: list[SymbolName]
    untested_total: int
    other_files: list[SymbolName]
    elsewhere: list[Mentioned] = field(default_factory=list)
    named_in_tests: list[Mentioned] = field(default_factory=list)
    document: SourceText | None = None
    left_out: int = 0
    note: str | None = None
    index: IndexInfo

    _IN_HEADING = frozenset({"base", "head", "commit", "files_changed", "changed_total", "index"})

    def places(self) -> Iterator[Place]:
        """The current place of each changed element."""
        for one in self.changed:
            parts = parts_of_id(one.element)
            if parts and one.status != "removed":
                yield parts[0], parts[2]

    def heading(self) -> str:
        """The commit, and the number of changes."""
        until = f" until {self.head}" if self.head else ""
        return (
            f"since {self.base} ({self.commit[:12]}){until}: "
            f"{self.changed_total} elements in {self.files_changed} files {self.index.to_text()}"
        )

    def full_text(self) -> str:
        """The changes, the tests to run, and the elements that the changes reach."""
        if self.document is not None:
            return self.document
        lines = [
            self.heading(),
            *(one.to_text() for one in self.changed),
            *rest_of(self.omitted, self.next_cursor),
            *self._broken(),
            title_of("tests to run, in this order", self.tests_total, len(self.tests)),
            *(test.to_text() for test in self.tests),
            *self.run,
            title_of("reached", self.reached_total, len(self.reached)),
            *(hit.to_text() for hit in self.reached),
        ]
        if self.untested:
            lines += [title_of("changed, and no test reaches it", self.untested_total, len(self.untested))]
            lines += [f"  {name}" for name in self.untested]
        for title, listed in (
            ("no user is known, but the word is on other lines", self.elsewhere),
            ("no test is known to reach it, but its word is in tests", self.named_in_tests),
        ):
            lines += [title, *(row.to_text() for row in listed)] if listed else []
        if self.other_files:
            lines.append(f"other files: {', '.join(self.other_files)}")
        return "\n".join([*lines, *([self.note] if self.note else [])])

    def _broken(self) -> list[str]:
        """The broken and lost elements, with headings."""
        lines = []
        if self.breaking:
            lines += [title_of("breaks callers", self.breaking_total, len(self.breaking))]
            lines += [one.to_text() for one in self.breaking]
        if self.new_cycles:
            lines += ["new circles of imports between folders", *(one.to_text() for one in self.new_cycles)]
        for title, names, total in (
            ("without a known user now", self.lost_users, self.lost_users_total),
            ("without a test now", self.lost_tests, self.lost_tests_total),
        ):
            lines += [title_of(title, total, len(names)), *(f"  {name}" for name in names)] if names else []
        return lines


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


class AskChanges(ToolQuestion[Changes, ChangesReply], frozen=True, kw_only=True):
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
    answer = Changes
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

    def reply(self, answer: Answer[Changes]) -> ChangesReply:
        """A page of them, or a document. Raises InvalidInput for a cursor."""
        if self.format != "json":
            return self._document(answer)
        changes = answer.value
        reached = all_tidied(changes.reached[: self.quoted[0]])
        broken = all_tidied(changes.breaking[: self.quoted[1]])
        reply = _head(answer, reached, broken, self.at).in_lines(self.detail)
        page = page_of((changes.commit, self.max_depth, answer.index.revision), len(changes.changed), self.cursor)
        shown = all_tidied(changes.changed[page.offset : page.offset + rows(self.limit)])
        return cut_to_fit(replace(reply, changed=shown, _page=page), "changed")

    def _document(self, answer: Answer[Changes]) -> ChangesReply:
        """The changes as a document, cut to the budget."""
        from bearings.code.formats.review import document

        assert self.format != "json"
        changes, head = answer.value, self.at or "the files on disk"
        empty: dict[str, Any] = {name: [] for name in ("changed", "reached", "tests", "run", "untested", "other_files")}
        for share in _SHARES:
            cut = _cut(changes, share)
            reply = ChangesReply(
                **_counts(answer, self.at),
                **empty,
                document=document(cut, self.format, changes.base, head),
                left_out=_rows_in(changes) - _rows_in(cut),
            )
            if size_of(reply) <= room(REPLY_BUDGET):
                break
        return reply


_CUT = ("changed", "breaking", "new_cycles", "tests")
_CUT_NAMES = ("lost_users", "lost_tests", "untested", "other_files")


def _cut(changes: Changes, share: float) -> Changes:
    """The first `share` of each list, tidied."""

    def first(name: str) -> Any:
        listed = getattr(changes, name)
        return listed[: round(len(listed) * share)]

    return replace(
        changes,
        **{name: tuple(all_tidied(first(name))) for name in _CUT},
        **{name: tuple(map(path_line, first(name))) for name in _CUT_NAMES},
        run=tuple(map(path_line, changes.run)),
        note=line_of(changes.note) or "",
    )


def _rows_in(changes: Changes) -> int:
    return sum(len(getattr(changes, name)) for name in (*_CUT, *_CUT_NAMES))


def _counts(answer: Answer[Changes], head: str | None) -> dict[str, Any]:
    """The fields of the reply that are no lists."""
    changes = answer.value
    return {
        "base": path_line(changes.base),
        "head": None if head is None else path_line(head),
        "commit": changes.commit,
        "files_changed": changes.files_changed,
        "changed_total": len(changes.changed),
        "reached_total": len(changes.reached),
        "tests_total": len(changes.tests),
        "further_tests_total": len(changes.further_tests),
        "untested_total": len(changes.untested),
        "index": answer.index,
    }


def _head(
    answer: Answer[Changes], reached: Sequence[Affected], broken: Sequence[Breaking], head: str | None
) -> ChangesReply:
    """The reply without its changed elements."""
    changes = answer.value
    return ChangesReply(
        **_counts(answer, head),
        breaking=fitting(broken, _REACHED),
        breaking_total=len(changes.breaking),
        new_cycles=fitting(all_tidied(changes.new_cycles), _NOTED),
        lost_users=[path_line(name) for name in changes.lost_users[: room(_NAMED)]],
        lost_users_total=len(changes.lost_users),
        lost_tests=[path_line(name) for name in changes.lost_tests[: room(_NAMED)]],
        lost_tests_total=len(changes.lost_tests),
        changed=[],
        reached=fitting(reached, _REACHED),
        tests=fitting(all_tidied(changes.tests[: room(_MOST)]), _TESTS),
        further_tests=[path_line(name) for name in changes.further_tests[: room(0)]],
        run=[path_line(command) for command in changes.run],
        untested=[path_line(name) for name in changes.untested[: room(_NAMED)]],
        other_files=[path_line(name) for name in changes.other_files[: room(_OTHERS)]],
        elsewhere=fitting(all_tidied(changes.elsewhere), _NOTED),
        named_in_tests=fitting(all_tidied(changes.named_in_tests), _NOTED),
        note=line_of(changes.note),
    )
