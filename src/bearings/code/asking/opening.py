"""The steps that all questions share: open the project, ask the engine, fit the reply into its budget, page it."""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import anyio.to_thread

from bearings.budget import REPLY_BUDGET, Item, fitting
from bearings.caller import caller
from bearings.code.asking.engine import Answer, CodeEngine, IndexState
from bearings.code.asking.question import A_co, Page, Question
from bearings.code.asking.source_text import CommittedLines, Pointing, fill
from bearings.code.project.roots import ProjectRoots
from bearings.code.project.whole import settled, unfinished
from bearings.code.replies.element import SHORT_COMMIT, IndexInfo
from bearings.code.replies.lines import LinedReply
from bearings.errors import BearingsError, InvalidInput
from bearings.paging import decode, encode, fingerprint
from bearings.progress import Progress
from bearings.reply import Part, Reply

_CURSOR_ROOM = 100
OPERATORS_FLEET = "default"
"""The catalogue that BEARINGS_FLEET names."""

_SHORTEST = 10
"""The fewest characters of a list's item."""


@dataclass(frozen=True, slots=True)
class Asking:
    """One caller's question about a project: where to ask, and whom to tell of progress."""

    engine: CodeEngine
    roots: ProjectRoots
    project_path: str
    progress: Progress | None
    fleet: Path | None = None
    at: str | None = None

    async def answer(self, question: Question[A_co]) -> Answer[A_co]:
        """The engine's answer. Raises InvalidInput, PathNotAllowed, and the engine's errors.

        It says whether files are half-written since a command was stopped; a question that edits settles that first.
        """
        root = self.root
        earlier = await anyio.to_thread.run_sync(settled, root) if question.edits else ""
        try:
            answer = await self.engine.ask(root, question, self.progress)
        except BearingsError as error:
            error.hint = f"{error.hint} {earlier or unfinished(root)}".rstrip()
            raise
        return answer.beside(earlier or unfinished(root))

    def inside(self, path: str) -> tuple["Asking", str]:
        """The same for the project around a path, and the path relative to it. Raises InvalidInput, PathNotAllowed."""
        root, relative = self.roots.project_of(path, self.project_path)
        return replace(self, project_path=str(root)), relative

    def as_of(self, at: str | None) -> "Asking":
        """The same about a commit; None is the working tree."""
        return replace(self, at=at)

    def catalogue(self, given: str) -> tuple[Path, bool]:
        """The path of a catalogue of many repositories, and whether it is the operator's, which `default` means.

        A relative path starts from the project, of a command from the working directory; a `given` one lies inside
        the roots. Raises InvalidInput, PathNotAllowed.
        """
        if given != OPERATORS_FLEET:
            is_command = caller().is_command
            return self.roots.file(given, "" if is_command else self.project_path, "fleet"), is_command
        if self.fleet is None:
            remedy = "Pass the path of a catalogue, which bearings code fleet scan REPOS.txt OUT makes."
            raise InvalidInput("fleet", given, "is not known, as BEARINGS_FLEET is not set", remedy)
        return self.fleet, True

    async def workspace(self) -> str:
        """The absolute path of the caller's project, if the call names none. Raises InvalidInput."""
        return (await self.roots.of_caller(None))[0]

    async def add_text(self, *lists: Iterable[Pointing]) -> None:
        """Set the line of source of each part that has none, as of the commit that the question is about."""
        parts = [part for parts in lists for part in parts if part.file and not part.text]
        if parts and self.at is None:
            await anyio.to_thread.run_sync(fill, self.root, parts)
        elif parts:
            places = tuple((part.file, part.line) for part in parts)
            answer = await self.answer(CommittedLines(at=self.at, places=places))
            for part, line in zip(parts, answer.value, strict=True):
                part.text = line or None

    @property
    def root(self) -> Path:
        """The project's real path."""
        return self.roots.open(self.project_path)


def index_of(state: IndexState) -> IndexInfo:
    """The state of the index, as a part of replies."""
    return IndexInfo(
        files=state.files,
        elements=state.elements,
        revision=state.revision,
        fresh_at=IndexInfo.moment(state.fresh_at),
        took_ms=state.took_ms,
        engine=state.engine,
        commit=state.commit[:SHORT_COMMIT] or None,
        earlier=state.earlier or None,
    )


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
