"""What changed since a commit, and which tests to run."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta, field

from bearings.budget import REPLY_BUDGET, fitting, room, rows
from bearings.code.asking.engine import Answer
from bearings.code.asking.opening import Asking, filled, following, index_of, page_of
from bearings.code.asking.question import Cursor, Limit, Reading, ToolQuestion
from bearings.code.asking.tidying import all_tidied, line_of
from bearings.code.replies.affected import Affected
from bearings.code.replies.changes import ChangedElement, Changes, ProposedTests
from bearings.code.replies.element import IndexInfo, path_line, rest_of, title_of
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.replies.lines import (
    InDetail,
    LinedReply,
    Place,
    parts_of_id,
)
from bearings.reply import SymbolName


class ChangesReply(LinedReply):
    """The differences from `base`: changed elements (of this page), elements that they reach, tests in order.

    `untested` are changed functions that no test reaches; `other_files` are changed files without code. `elsewhere`
    are changed elements without a known user whose words occur on other lines; `named_in_tests` untested ones whose
    words occur in tests.
    """

    base: SymbolName
    commit: str
    files_changed: int
    changed_total: int
    changed: list[ChangedElement]
    next_cursor: str | None = None
    omitted: int = 0
    reached: list[Affected]
    reached_total: int
    tests: list[ProposedTests]
    tests_total: int
    run: list[SymbolName]
    untested: list[SymbolName]
    untested_total: int
    other_files: list[SymbolName]
    elsewhere: list[Mentioned] = field(default_factory=list)
    named_in_tests: list[Mentioned] = field(default_factory=list)
    note: str | None = None
    index: IndexInfo

    _IN_HEADING = frozenset({"base", "commit", "files_changed", "changed_total", "index"})

    def places(self) -> Iterator[Place]:
        """The current place of each changed element."""
        for one in self.changed:
            found = parts_of_id(one.element)
            if found and one.status != "removed":
                yield found[0], found[2]

    def heading(self) -> str:
        """The commit, and the number of changes."""
        return (
            f"since {self.base} ({self.commit[:12]}): {self.changed_total} elements in {self.files_changed} files "
            + self.index.to_text()
        )

    def full_text(self) -> str:
        """The changes, the tests to run, and the elements that the changes reach."""
        lines = [
            self.heading(),
            *(one.to_text() for one in self.changed),
            *rest_of(self.omitted, self.next_cursor),
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


_TESTS = REPLY_BUDGET // 3
_REACHED = REPLY_BUDGET // 5
_NOTED = REPLY_BUDGET // 10
_NAMED = 20
_OTHERS = 30
_MOST = 200
"""The rows of each list beside the main one."""


class AskChanges(ToolQuestion[Changes, ChangesReply], frozen=True, kw_only=True):
    """What changed since a git commit: elements added, modified, renamed, removed; what they reach; tests to run.

    Tests come in the order to run them. Files as they are now are compared, uncommitted ones too.
    Example: {"project_path": "/home/me/app", "base": "main"}
    """

    title = "What changed, and what to test"
    place = 80
    toolsets = frozenset({"core"})
    of_commits = False
    answer = Changes
    base: Annotated[
        str, Meta(min_length=1, max_length=300, description="Commit, branch or tag to compare the files with.")
    ] = "HEAD"
    max_depth: Annotated[int, Meta(ge=1, le=10, description="Steps to follow from each change.")] = 3
    limit: Limit = 200
    cursor: Cursor = None
    detail: InDetail = "lines"

    def compute(self, reading: Reading) -> Changes:
        """The differences between the working tree and the commit `base`, and what they reach."""
        from bearings.code.analyses.changes import changes

        return changes(reading.snapshot, self.base, self.max_depth, reading.max_file_bytes)

    async def reply(self, asking: Asking) -> ChangesReply:
        """A page of them. Raises InvalidInput, Unsupported, and what a scan raises."""
        answer = await asking.answer(self)
        found = answer.value
        reached = all_tidied(found.reached[:_MOST])
        await asking.add_text(reached)
        reply = _head(answer, reached).in_lines(self.detail)
        page = page_of((found.commit, self.max_depth, answer.index.revision), len(found.changed), self.cursor)
        filled(reply, "changed", all_tidied(found.changed[page.offset : page.offset + rows(self.limit)]))
        reply.omitted, reply.next_cursor = following(page, len(reply.changed))
        return reply


def _head(answer: Answer[Changes], reached: Sequence[Affected]) -> ChangesReply:
    """The reply without its changed elements."""
    found = answer.value
    return ChangesReply(
        base=path_line(found.base),
        commit=found.commit,
        files_changed=found.files_changed,
        changed=[],
        changed_total=len(found.changed),
        reached=fitting(reached, _REACHED),
        reached_total=len(found.reached),
        tests=fitting(all_tidied(found.tests[: room(_MOST)]), _TESTS),
        tests_total=len(found.tests),
        run=[path_line(command) for command in found.run],
        untested=[path_line(name) for name in found.untested[: room(_NAMED)]],
        untested_total=len(found.untested),
        other_files=[path_line(name) for name in found.other_files[: room(_OTHERS)]],
        elsewhere=fitting(all_tidied(found.elsewhere), _NOTED),
        named_in_tests=fitting(all_tidied(found.named_in_tests), _NOTED),
        note=line_of(found.note),
        index=index_of(answer.index),
    )
