"""Makes a tool of a question: its arguments are the question's fields that have a description."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial, reduce
from inspect import getdoc
from operator import or_
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Meta
from msgspec.structs import FieldInfo, fields
from pydantic import Discriminator, Field, Tag

from bearings.code.question import ElementQuestion, ToolQuestion
from bearings.code.replies.many import ManyReply
from bearings.code.service import CodeService
from bearings.progress import Progress
from bearings.reply import Reply
from bearings.tool import Effects, Tool

ProjectPath = Annotated[str, Field(max_length=4096, description="Default: the root.")]
_ONE = Annotated[str, Field(min_length=1, max_length=4096), Tag("str")]
_MANY = Annotated[list[Annotated[str, Field(min_length=1, max_length=4096)]], Field(min_length=1, max_length=10)]
Targets = Annotated[
    _ONE | Annotated[_MANY, Tag("list")],
    Discriminator(lambda given: "list" if isinstance(given, list) else "str"),
]


def tool_of(kind: type[ToolQuestion[Any, Any]], service: CodeService) -> Tool:
    """The tool of a question."""
    ask: Callable[..., Awaitable[Reply]] = partial(_ask, service, kind)
    reply = get_type_hints(kind.reply)["return"]
    reply = kind.answer if isinstance(reply, TypeVar) else reply
    if issubclass(kind, ElementQuestion):
        ask, reply = partial(_ask_about_elements, service, kind), reply | ManyReply
    return Tool.of_fields(
        ask,
        name=kind.tool_name(),
        title=kind.title,
        description=getdoc(kind) or "",
        fields={"project_path": _project(kind)}
        | dict(filter(None, (_argument(kind, field) for field in _ordered(kind)))),
        reply=reply,
        takes_progress=True,
        effects=Effects(read_only=not kind.writes),
        always_loaded=kind.always_loaded,
        toolsets=kind.toolsets,
        view=kind.view,
    )


async def _ask(
    service: CodeService, kind: type[ToolQuestion[Any, Any]], project_path: str | None, progress: Progress, **given: Any
) -> Reply:
    reply: Reply = await service.reply_to(project_path or "", kind(**given), progress)
    return reply


async def _ask_about_elements(
    service: CodeService,
    kind: type[ElementQuestion[Any, Any]],
    project_path: str,
    progress: Progress,
    element: str | Sequence[str],
    **given: Any,
) -> Reply:
    async def ask(one: str, budget: int) -> Any:
        return await service.reply_to(project_path, kind(element=one, budget=budget, **given), progress)

    reply: Reply = await service.each(element, ask, given.get("cursor"))
    return reply


def _project(kind: type[ToolQuestion[Any, Any]]) -> tuple[Any, Any]:
    """The type and default of project_path."""
    if not kind.default_project:
        return ProjectPath, ...
    return Annotated[str | None, Field(max_length=4096, description=kind.default_project)], None


def _ordered(kind: type[ToolQuestion[Any, Any]]) -> list[FieldInfo]:
    """The fields, those without a default first, and the one that all questions have last."""
    return sorted(fields(kind), key=lambda field: (not field.required, field.name == "at"))


def _argument(kind: type[ToolQuestion[Any, Any]], field: FieldInfo) -> tuple[str, tuple[Any, Any]] | None:
    """The name, type and default of an argument, for pydantic; None for a field that is no argument."""
    if field.name == "at" and not kind.of_commits:
        return None
    marks = get_args(field.type) if get_origin(field.type) is Annotated else ()
    prose = [mark.description for mark in marks if isinstance(mark, Meta) and mark.description]
    if not prose:
        return None
    if field.name == "element" and issubclass(kind, ElementQuestion):
        return field.name, (Annotated[Targets, Field(description=prose[-1])], ...)
    default = ... if field.default is NODEFAULT else field.default
    return field.name, (_for_pydantic(field.type), default)


def _for_pydantic(kind: Any) -> Any:
    """A field's type with its bounds and descriptions in pydantic's words."""
    if get_origin(kind) is Annotated:
        inner, *marks = get_args(kind)
        return Annotated[_for_pydantic(inner), *(_bounds(mark) for mark in marks)]
    if isinstance(kind, UnionType) or get_origin(kind) is Union:
        return reduce(or_, map(_for_pydantic, get_args(kind)))
    return kind


def _bounds(meta: Meta) -> Any:
    """Bounds and description as a field of pydantic's."""
    return Field(
        ge=meta.ge, le=meta.le, min_length=meta.min_length, max_length=meta.max_length, description=meta.description
    )
