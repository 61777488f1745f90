"""What every topic of the service does first and last: open the project, ask, say what the answer was drawn from."""

from collections.abc import Callable, Sequence
from pathlib import Path

from bearings.budget import REPLY_BUDGET, Item, fitting, rows
from bearings.caller import caller
from bearings.code.engine.protocol import Answer, CodeEngine, IndexState
from bearings.code.engine.questions.base import A_co, Page, Question
from bearings.code.engine.questions.graph import Scan
from bearings.code.project import ProjectRoots
from bearings.code.replies.element import IndexInfo
from bearings.paging import decode, encode, fingerprint
from bearings.progress import Progress
from bearings.reply import Reply

_CURSOR_ROOM = 100


class Topic:
    """A part of the service. `roots` are the directories that projects may lie in; None: any."""

    def __init__(self, engine: CodeEngine, roots: Sequence[Path] | None = None) -> None:
        self._engine = engine
        self._roots = ProjectRoots(roots)

    async def project_named(self, given: str | None) -> tuple[str, str]:
        """The absolute path that a caller means; how it was found. Raises InvalidInput."""
        absolute = given is not None and (given.startswith(("/", "~")) or Path(given).is_absolute())
        return self._roots.locate(given, () if absolute else await caller().workspace())

    async def any_element(self, project_path: str) -> str | None:
        """An element of a project, for an example; None where there is none."""
        found = (await self._ask(project_path, Scan(limit=1), None)).value.symbols
        return found[0].id if found else None

    async def _ask(self, project_path: str, question: Question[A_co], progress: Progress | None) -> Answer[A_co]:
        """The engine's answer. Raises InvalidInput, PathNotAllowed, and what the engine raises."""
        return await self._engine.ask(self._roots.open(project_path), question, progress)


def index_of(state: IndexState) -> IndexInfo:
    """What an answer was drawn from, as replies say it."""
    return IndexInfo(
        files=state.files,
        elements=state.elements,
        revision=state.revision,
        fresh_at=IndexInfo.moment(state.fresh_at),
        took_ms=state.took_ms,
        engine=state.engine,
    )


def within(head: Reply, items: Sequence[Item]) -> list[Item]:
    """The first items that the budget has room for beside `head`; at least one, so that paging always gets on."""
    return fitting(items, REPLY_BUDGET - size_of(head) - _CURSOR_ROOM)


def size_of(reply: Reply) -> int:
    """Characters of a reply on the wire."""
    return len(reply.model_dump_json(exclude_none=True))


def following(page: Page, shown: int) -> tuple[int, str | None]:
    """How many items come after those that are shown, and the cursor that leads there."""
    end = page.offset + shown
    omitted = max(0, page.total - end)
    return omitted, encode(end, page.of) if omitted else None


def paged(
    head: Reply,
    parts: Callable[[int, int], list[Item]],
    total: int,
    of: Sequence[object],
    limit: int,
    cursor: str | None,
) -> tuple[list[Item], int, str | None]:
    """The page of a list of `total` items that a cursor leads to, how many come after it, and the next one's cursor.

    `parts` makes the items from one place up to another; `of` is what identifies the list.
    """
    identity = fingerprint(of)
    offset = decode(cursor, identity)
    items = within(head, parts(offset, offset + rows(limit)))
    omitted = max(0, total - offset - len(items))
    return items, omitted, encode(offset + len(items), identity) if omitted else None
