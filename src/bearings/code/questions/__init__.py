"""The questions that can be asked about a project, one folder for each; a folder is found by being in this package."""

from collections.abc import Callable
from functools import cache, reduce
from importlib import import_module
from operator import or_
from pkgutil import iter_modules
from typing import Any

import msgspec

from bearings.code.question import Question, ToolQuestion
from bearings.errors import Unsupported


@cache
def every_question() -> tuple[type[Question[Any]], ...]:
    """All questions."""
    return tuple(kind for module in iter_modules(__path__) for kind in _questions_of(module.name))


def _questions_of(name: str) -> list[type[Question[Any]]]:
    """The questions in the folder of this name."""
    module = import_module(f"{__name__}.{name}")
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Question) and kind.__module__ == module.__name__
    ]


def tool_questions() -> list[type[ToolQuestion[Any, Any]]]:
    """The questions that are tools, in the order of their `place`."""
    return sorted((kind for kind in every_question() if issubclass(kind, ToolQuestion)), key=lambda kind: kind.place)


def question_of_tool(tool: str) -> type[ToolQuestion[Any, Any]]:
    """The question that is the tool of this name. No other question is imported: a command asks one."""
    folder = tool.removeprefix("coderef_")
    return next(kind for kind in _questions_of(folder) if issubclass(kind, ToolQuestion))


def compute_of(question: Question[Any]) -> Callable[[Any, Any], Any]:
    """The function that computes a question's answer from a view: `compute` in the module of this name beside it.

    Only a worker imports that module, with the graph. Raises Unsupported if there is none.
    """
    name = f"{type(question).__module__}.compute"
    try:
        compute: Callable[[Any, Any], Any] = import_module(name).compute
    except ModuleNotFoundError as error:
        if not name.startswith(error.name or "?"):
            raise
        raise Unsupported(f"the native engine does not answer {type(question).__name__}", "Use another tool.") from None
    return compute


def decoded(message: msgspec.Raw) -> Question[Any]:
    """The question of a message. Raises MsgspecError."""
    question: Question[Any] = _decoder().decode(message)
    return question


@cache
def _decoder() -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(reduce(or_, every_question()))
