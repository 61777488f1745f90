"""The topic of changes since a commit."""

from bearings.budget import REPLY_BUDGET, fitting, room, rows
from bearings.code.engine.questions.changes import AskChanges
from bearings.code.replies.changes import ChangesReply
from bearings.code.replies.element import path_line
from bearings.code.replies.lines import Detail
from bearings.code.service.opening import Topic, filled, following, index_of, page_of
from bearings.code.service.reply_parts import all_tidied, line_of
from bearings.code.service.sources import with_text
from bearings.progress import Progress

_TESTS = REPLY_BUDGET // 3
_REACHED = REPLY_BUDGET // 5
_NOTED = REPLY_BUDGET // 10
_NAMED = 20
_OTHERS = 30


class ChangesTopic(Topic):
    """Changes."""

    async def changes(
        self,
        project_path: str,
        *,
        base: str = "HEAD",
        max_depth: int = 3,
        limit: int = 200,
        cursor: str | None = None,
        detail: Detail = "full",
        progress: Progress | None = None,
    ) -> ChangesReply:
        """The differences between the working tree and a commit. Raises InvalidInput, Unsupported, and as `scan`."""
        answer = await self._ask(project_path, AskChanges(base=base, max_depth=max_depth), progress)
        found = answer.value
        reached = all_tidied(found.reached[:200])
        await with_text(self._roots.open(project_path), reached)
        reply = ChangesReply(
            base=path_line(found.base),
            commit=found.commit,
            files_changed=found.files_changed,
            run=[path_line(command) for command in found.run],
            note=line_of(found.note),
            changed=[],
            changed_total=len(found.changed),
            reached=fitting(reached, _REACHED),
            reached_total=len(found.reached),
            tests=fitting(all_tidied(found.tests[: room(200)]), _TESTS),
            tests_total=len(found.tests),
            untested=[path_line(name) for name in found.untested[: room(_NAMED)]],
            untested_total=len(found.untested),
            other_files=[path_line(name) for name in found.other_files[: room(_OTHERS)]],
            elsewhere=fitting(all_tidied(found.elsewhere), _NOTED),
            named_in_tests=fitting(all_tidied(found.named_in_tests), _NOTED),
            index=index_of(answer.index),
        ).in_lines(detail)
        page = page_of((found.commit, max_depth, answer.index.revision), len(found.changed), cursor)
        filled(reply, "changed", all_tidied(found.changed[page.offset : page.offset + rows(limit)]))
        reply.omitted, reply.next_cursor = following(page, len(reply.changed))
        return reply
