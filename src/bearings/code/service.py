"""Opens projects, asks the engine, and turns its answers into replies within a budget."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bearings.budget import REPLY_BUDGET, room
from bearings.code.asking.engine import CodeEngine
from bearings.code.asking.opening import Asking, size_of
from bearings.code.asking.question import R_co, ToolQuestion
from bearings.code.project.roots import ProjectRoots
from bearings.code.questions.scan import Scan
from bearings.code.replies.element import path_line
from bearings.code.replies.lines import LinedReply
from bearings.code.replies.many import ManyReply, Refusal
from bearings.errors import Ambiguous, DeadlineExceeded, ElementNotFound, InvalidInput
from bearings.progress import Progress
from bearings.reply import Part
from bearings.untrusted import named

_ELEMENT = ("element", "target")
"""Arguments that name elements; each element gets its own answer."""

_MOST_MEANT = 5
"""The most elements of one name that are answered at once."""

AnyReply = TypeVar("AnyReply", bound=LinedReply)
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
        """The reply to a question."""
        return await question.reply(Asking(self._engine, self._roots, project_path, progress, self._fleet, question.at))

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
        found = answer.value.symbols
        return found[0].id if found else None

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
    asked, rest = many.candidates[:_MOST_MEANT], many.candidates[_MOST_MEANT:]
    told = f"{many.error}; {len(asked)} are answered, the most used first."
    if rest:
        told += f" Ask for another by its own name: {', '.join(map(named, rest[:_MOST_MEANT]))}."
    return ManyReply.of(await _answers(ask, asked, budget), told)


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
