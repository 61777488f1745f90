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
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return tuple(
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Question) and kind.__module__ == module.__name__
    )


def tool_questions() -> list[type[ToolQuestion[Any, Any]]]:
    """The questions that are tools, in the order of their `place`."""
    return sorted((kind for kind in every_question() if issubclass(kind, ToolQuestion)), key=lambda kind: kind.place)


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
