"""Opens projects, asks the engine once for each question, and gives the answer to the question for its reply."""

import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import anyio.to_thread
from msgspec.structs import replace

from bearings.budget import REPLY_BUDGET, room
from bearings.caller import caller
from bearings.code.engine.protocol import CodeEngine
from bearings.code.project.roots import ProjectRoots
from bearings.code.project.whole import settled, unfinished
from bearings.code.question import Answer, Project, R_co, ToolQuestion
from bearings.code.questions.query import Query
from bearings.code.questions.scan import Scan
from bearings.code.replies.element import path_line
from bearings.code.replies.lines import LinedReply
from bearings.code.replies.many import ManyReply, Refusal
from bearings.code.replies.pages import size_of
from bearings.errors import Ambiguous, BearingsError, DeadlineExceeded, ElementNotFound, InvalidInput
from bearings.progress import Progress
from bearings.reply import Part

_ELEMENT = ("element", "target")
"""Arguments that name elements; each element gets its own answer."""

_MOST_MEANT = 5
"""The most elements of one name that are answered at once."""

OPERATORS_FLEET = "default"
"""The catalogue that BEARINGS_FLEET names."""

AnyReply = TypeVar("AnyReply", bound=LinedReply)
AnyQuestion = TypeVar("AnyQuestion", bound=ToolQuestion[Any, Any])
Ask = Callable[[str, int], Awaitable[AnyReply]]
"""A function that asks about one element, for a reply within a budget."""


class CodeService:
    """The code tools without a protocol. `roots` are the directories that may contain projects; None allows any.

    `fleet` is the operator's catalogue of many repositories, if there is one.
    """

    def __init__(self, engine: CodeEngine, roots: Sequence[Path] | None = None, fleet: Path | None = None) -> None:
        self._engine = engine
        self._roots = ProjectRoots(roots)
        self._fleet = fleet

    async def project_named(self, given: str | None) -> tuple[str, str]:
        """The absolute path of the caller's project, and how it was found. Raises InvalidInput."""
        return await self._roots.of_caller(given)

    async def reply_to(
        self, project_path: str, question: ToolQuestion[Any, R_co], progress: Progress | None = None
    ) -> R_co:
        """The reply to a question. Raises InvalidInput, PathNotAllowed, and the engine's errors."""
        prepared = question.prepared(Project(project_path, self._roots))
        of_fleet = prepared if isinstance(prepared, Query) and prepared.fleet else None
        if of_fleet is not None:
            return prepared.reply(await self._asked_of_fleet(project_path, of_fleet))
        if question.default_project:
            root, prepared = await self._around(project_path, prepared)
        else:
            root = self._roots.open(project_path)
        return prepared.reply(await self._asked(root, prepared, progress))

    async def _asked(self, root: Path, question: ToolQuestion[Any, Any], progress: Progress | None) -> Answer[Any]:
        """The engine's answer.

        It says whether files are half-written since a command was stopped; a question that edits settles that first.
        """
        earlier = await anyio.to_thread.run_sync(settled, root) if question.edits else ""
        try:
            answer = await self._engine.ask(root, question, progress)
        except BearingsError as error:
            error.hint = f"{error.hint} {earlier or unfinished(root)}".rstrip()
            raise
        return Answer(answer.value, replace(answer.index, earlier=earlier or unfinished(root) or None))

    async def _around(self, project_path: str, question: AnyQuestion) -> tuple[Path, AnyQuestion]:
        """The project around the `path` of a question, and the question with the path inside it.

        A relative path starts from `project_path`, else from the caller's own project.
        """
        path: str = question.path  # type: ignore[attr-defined]  # so do questions with a `default_project`
        if not os.path.isabs(path):  # noqa: PTH117 - `project_of` handles invalid paths
            path = os.path.join(project_path or (await self._roots.of_caller(None))[0], path)  # noqa: PTH118
        root, relative = self._roots.project_of(path, project_path)
        return root, replace(question, path=relative)

    async def _asked_of_fleet(self, project_path: str, question: Query) -> Answer[Any]:
        """The answer of a catalogue of many repositories: the operator's, which `default` means, or one at a path.

        A relative path starts from the project, of a command from the working directory; it lies inside the roots.
        """
        from bearings.code.questions.query.fleet import users_in_fleet  # needs SQLite, which other questions don't

        is_own = caller().is_command
        if question.fleet != OPERATORS_FLEET:
            path = self._roots.file(question.fleet, "" if is_own else project_path, "fleet")
        elif self._fleet is not None:
            path, is_own = self._fleet, True
        else:
            remedy = "Pass the path of a catalogue, which bearings code fleet scan REPOS.txt OUT makes."
            raise InvalidInput("fleet", question.fleet, "is not known, as BEARINGS_FLEET is not set", remedy)
        return await anyio.to_thread.run_sync(lambda: users_in_fleet(question, path, mends=is_own))

    async def each(
        self, targets: str | Sequence[str], ask: Ask[AnyReply], cursor: str | None = None
    ) -> AnyReply | ManyReply:
        """The answer about one element, or the answers about several, which share one budget.

        Each gets an equal share first; unused characters then go to replies whose lists were cut. An element without an
        answer gets its error in that place. A name of several elements is answered for each of them, up to
        `_MOST_MEANT`. Raises errors of `ask` that are not about the element.
        """
        names = [targets] if isinstance(targets, str) else list(targets)
        if len(names) == 1:
            try:
                return await ask(names[0], room(REPLY_BUDGET))
            except Ambiguous as many:
                if cursor is not None or not many.candidates:
                    raise
                return await _answers_for_all(ask, many, room(REPLY_BUDGET))
        if cursor is not None:
            raise InvalidInput("cursor", cursor, "is for one element", "Pass it with that element only.")
        return ManyReply.of(await _answers(ask, names, room(REPLY_BUDGET)))

    async def any_element(self, project_path: str) -> str | None:
        """An element of a project, for an example; None if there is none."""
        answer = await self._engine.ask(self._roots.open(project_path), Scan(most=1))
        first = next(iter(answer.value.elements), None)
        return f"{first.file}#{first.qualified_name}:{first.line}" if first else None

    async def aclose(self) -> None:
        """Closes the engine."""
        await self._engine.aclose()


async def _answers(ask: Ask[AnyReply], names: Sequence[str], budget: int) -> list[Part]:
    """The answers about several elements within one budget."""
    share = budget // len(names)
    answers = [await _answer_or_refusal(ask, one, share) for one in names]
    left = sum(max(0, share - size_of(answer)) for answer in answers)
    cut = [number for number, answer in enumerate(answers) if getattr(answer, "is_cut", False)]
    if cut and left > share // 2:
        for number in cut:
            answers[number] = await _answer_or_refusal(ask, names[number], share + left // len(cut))
    return answers


async def _answers_for_all(ask: Ask[AnyReply], many: Ambiguous, budget: int) -> ManyReply:
    """The answers about the first candidates of a name, with a sentence on the further ones."""
    asked = many.candidates[:_MOST_MEANT]
    rest = many.hint.split("\n")[1 + _MOST_MEANT :]  # with counts of uses
    note = f"{many.error}; {len(asked)} are answered, the most used first."
    if rest:
        note = "\n".join([f"{note} Ask for another by its own name:", *rest])
    return ManyReply.of(await _answers(ask, asked, budget), note)


async def _answer_or_refusal(ask: Ask[AnyReply], element: str, budget: int) -> Part:
    """The answer about an element, or its error if the error is about this element."""
    try:
        return await ask(element, budget)
    except Ambiguous as many:
        return await _answers_for_all(ask, many, budget) if many.candidates else Refusal.of(path_line(element), many)
    except (ElementNotFound, DeadlineExceeded) as error:
        return Refusal.of(path_line(element), error)
    except InvalidInput as error:
        if error.field not in _ELEMENT:
            raise
        return Refusal.of(path_line(element), error)
