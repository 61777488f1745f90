"""The steps that all topics share: open the project, ask the engine, fit the reply into its budget, page it."""

import json
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bearings.budget import REPLY_BUDGET, Item, fitting, room
from bearings.caller import caller
from bearings.code.asking.engine import Answer, CodeEngine, IndexState
from bearings.code.asking.question import A_co, Page, Question, R_co, ToolQuestion
from bearings.code.asking.source_text import Pointing, with_text
from bearings.code.project.roots import ProjectRoots
from bearings.code.replies.element import IndexInfo, path_line
from bearings.code.replies.lines import LinedReply
from bearings.code.replies.listed import Listed, list_once
from bearings.code.replies.many import ManyReply, Refusal
from bearings.errors import Ambiguous, DeadlineExceeded, ElementNotFound, InvalidInput
from bearings.paging import decode, encode, fingerprint
from bearings.progress import Progress
from bearings.reply import Part, Reply

_ELEMENT = ("element", "target")
"""Arguments that name elements; each element gets its own answer."""

_CURSOR_ROOM = 100
_SHORTEST = 10
"""The fewest characters of a list's item."""

AnyReply = TypeVar("AnyReply", bound=LinedReply)
Ask = Callable[[str, int], Awaitable[AnyReply]]
"""A function that asks about one element, for a reply within a budget."""


class Asking:
    """One caller's question about a project: where to ask, and whom to tell of progress."""

    def __init__(self, engine: CodeEngine, roots: ProjectRoots, project_path: str, progress: Progress | None) -> None:
        self._engine = engine
        self._roots = roots
        self.project_path = project_path
        self._progress = progress

    async def answer(self, question: Question[A_co]) -> Answer[A_co]:
        """The engine's answer. Raises InvalidInput, PathNotAllowed, and the engine's errors."""
        return await self._engine.ask(self.root, question, self._progress)

    async def add_text(self, *lists: Iterable[Pointing]) -> None:
        """Set the line of source of each part that has none."""
        await with_text(self.root, *lists)

    @property
    def root(self) -> Path:
        """The project's real path."""
        return self._roots.open(self.project_path)


class Topic:
    """A part of the service. `roots` are the directories that may contain projects; None allows any."""

    def __init__(self, engine: CodeEngine, roots: Sequence[Path] | None = None) -> None:
        self._engine = engine
        self._roots = ProjectRoots(roots)

    async def project_named(self, given: str | None) -> tuple[str, str]:
        """The absolute path of the caller's project, and how it was found. Raises InvalidInput."""
        absolute = given is not None and (given.startswith(("/", "~")) or Path(given).is_absolute())
        return self._roots.locate(given, () if absolute else await caller().workspace())

    async def each(
        self, targets: str | Sequence[str], ask: Ask[AnyReply], cursor: str | None = None
    ) -> AnyReply | ManyReply:
        """The answer about one element, or the answers about several, which share one budget.

        Each gets an equal share first; unused characters then go to replies whose lists were cut. An element without an
        answer gets its error in that place. Raises errors of `ask` that are not about the element.
        """
        names = [targets] if isinstance(targets, str) else list(targets)
        if len(names) == 1:
            return await ask(names[0], room(REPLY_BUDGET))
        if cursor is not None:
            raise InvalidInput("cursor", cursor, "is for one element", "Pass it with that element only.")
        share = room(REPLY_BUDGET) // len(names)
        answers = [await _answer_or_refusal(ask, one, share) for one in names]
        left = sum(max(0, share - size_of(answer)) for answer in answers)
        cut = [number for number, answer in enumerate(answers) if isinstance(answer, LinedReply) and answer.is_cut]
        if cut and left > share // 2:
            for number in cut:
                answers[number] = await _answer_or_refusal(ask, names[number], share + left // len(cut))
        listed: Listed = set()
        for answer in answers:
            if isinstance(answer, LinedReply) and answer.has_lines:
                list_once(answer, listed)
        indexes = [index for answer in answers if (index := getattr(answer, "index", None))]
        return ManyReply(answers=answers, index=indexes[-1] if indexes else None)

    async def reply_to(
        self, project_path: str, question: ToolQuestion[Any, R_co], progress: Progress | None = None
    ) -> R_co:
        """The reply to a question."""
        return await question.reply(Asking(self._engine, self._roots, project_path, progress))

    async def _ask(self, project_path: str, question: Question[A_co], progress: Progress | None) -> Answer[A_co]:
        """The engine's answer. Raises InvalidInput, PathNotAllowed, and the engine's errors."""
        return await self._engine.ask(self._roots.open(project_path), question, progress)


def index_of(state: IndexState) -> IndexInfo:
    """The state of the index, as a part of replies."""
    return IndexInfo(
        files=state.files,
        elements=state.elements,
        revision=state.revision,
        fresh_at=IndexInfo.moment(state.fresh_at),
        took_ms=state.took_ms,
        engine=state.engine,
    )


async def _answer_or_refusal(ask: Ask[AnyReply], element: str, budget: int) -> AnyReply | Refusal:
    """The answer about an element, or its error if the error is about this element."""
    try:
        return await ask(element, budget)
    except (ElementNotFound, Ambiguous, DeadlineExceeded) as error:
        return Refusal.of(path_line(element), error)
    except InvalidInput as error:
        if error.field not in _ELEMENT:
            raise
        return Refusal.of(path_line(element), error)


def within(head: Reply, items: Sequence[Item], budget: int = REPLY_BUDGET) -> list[Item]:
    """The first items that fit into the budget beside `head`; at least one, so that paging always advances."""
    return fitting(items, budget - size_of(head) - _CURSOR_ROOM)


def filled(reply: Reply, name: str, items: list[Item], budget: int = REPLY_BUDGET) -> None:
    """Sets a list of the reply to the first items that fit into the budget, as lines if the reply has lines."""
    if isinstance(reply, LinedReply) and reply.has_lines:
        as_many_as_fit(reply, lambda count: setattr(reply, name, items[:count]), len(items), budget)
    else:
        setattr(reply, name, within(reply, items, budget))


def as_many_as_fit(reply: LinedReply, put: Callable[[int], None], count: int, budget: int) -> int:
    """Puts as many of `count` items into the reply as fit into the budget, but at least one. Returns their number."""

    def is_too_large(some: int) -> bool:
        put(some)
        return size_of(reply) > budget - _CURSOR_ROOM

    most = min(count, budget // _SHORTEST)
    fits = max(min(1, count), bisect_left(range(1, most + 1), True, key=is_too_large))
    put(fits)
    return fits


def size_of(reply: Part) -> int:
    """The number of characters of a reply on the wire."""
    if isinstance(reply, LinedReply) and reply.has_lines:
        return len(json.dumps(reply.sent(), ensure_ascii=False, separators=(",", ":")))
    return len(reply.to_json())


def following(page: Page, shown: int) -> tuple[int, str | None]:
    """The number of items after this page, and the cursor of the next page."""
    end = page.offset + shown
    omitted = max(0, page.total - end)
    return omitted, encode(end, page.of) if omitted else None


def page_of(of: Sequence[object], total: int, cursor: str | None) -> Page:
    """The page of a cursor in a list of `total` items; `of` identifies the list."""
    identity = fingerprint(of)
    return Page(total=total, offset=decode(cursor, identity), of=identity)
