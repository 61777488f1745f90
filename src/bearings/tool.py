"""A tool as plain data: a typed function, its arguments' model, its reply's model. This module knows no protocol.

The MCP servers and the command line are made from tools, so an argument's name, bounds and text have one home: the
function's signature.
"""

import difflib
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import UnionType
from typing import Annotated, Any, Literal, get_args, get_type_hints

from pydantic import BaseModel, Field, ValidationError, create_model
from pydantic_core import ErrorDetails

from bearings.errors import BearingsError, InvalidInput, ascii_controls
from bearings.forgiving import Habits, forgiven, mended, part_of
from bearings.progress import CleanProgress, NoProgress, Progress
from bearings.reply import Reply
from bearings.tool_arguments import Arguments
from bearings.tool_schema import TerseSchema, reply_schema
from bearings.untrusted import is_safe_json
from bearings.view import View

OutputMode = Literal["json", "text"]
"""The form of a reply: JSON values, or text for reading."""

AnyReply = type[Reply] | UnionType
"""A reply's model; several if the arguments choose among them."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The possible effects of calling a tool, named as MCP's annotations."""

    read_only: bool = True
    idempotent: bool = True
    open_world: bool = False
    destructive: bool = False


@dataclass(frozen=True)
class Tool:
    """One tool. `function` is async, takes the fields of `arguments` by keyword, and returns a `reply` or raises.

    `habits` are other spellings of arguments that callers use: they are accepted, and the reply tells their meaning.
    `always_loaded`: a client that loads definitions on demand should keep this one loaded. `toolsets`: the sets that it
    declares itself a member of. `view`: how people may look at its replies; None: as text.
    """

    name: str
    title: str
    description: str
    function: Callable[..., Awaitable[Reply]]
    arguments: type[BaseModel]
    reply: AnyReply
    effects: Effects
    takes_progress: bool
    habits: Habits = field(default_factory=Habits)
    always_loaded: bool = False
    toolsets: frozenset[str] = frozenset()
    view: View | None = None

    @classmethod
    def of(
        cls,
        function: Callable[..., Awaitable[Reply]],
        *,
        title: str,
        name: str | None = None,
        effects: Effects | None = None,
        habits: Habits | None = None,
        always_loaded: bool = False,
        view: View | None = None,
    ) -> "Tool":
        """A tool from a typed async function or bound method.

        Models read its docstring. The return annotation is the reply. A parameter named `progress` is not an argument.
        """
        name = name or function.__name__
        hints = get_type_hints(function, include_extras=True)
        reply = hints.pop("return")
        fields: dict[str, Any] = {
            parameter.name: (
                hints[parameter.name],
                ... if parameter.default is inspect.Parameter.empty else parameter.default,
            )
            for parameter in inspect.signature(function).parameters.values()
            if parameter.name != "progress"
        }
        return cls.of_fields(
            function,
            name=name,
            title=title,
            description=inspect.getdoc(function) or "",
            fields=fields,
            reply=reply,
            takes_progress="progress" in hints,
            effects=effects,
            habits=habits,
            always_loaded=always_loaded,
            view=view,
        )

    @classmethod
    def of_fields(
        cls,
        function: Callable[..., Awaitable[Reply]],
        *,
        name: str,
        title: str,
        description: str,
        fields: Mapping[str, tuple[Any, Any]],
        reply: AnyReply,
        takes_progress: bool,
        effects: Effects | None = None,
        habits: Habits | None = None,
        always_loaded: bool = False,
        toolsets: frozenset[str] = frozenset(),
        view: View | None = None,
    ) -> "Tool":
        """A tool from a function and its arguments: the type and default (`...` for none) of each."""
        every: dict[str, Any] = {**fields, "output_mode": (_OUTPUT_MODE, "json")}
        return cls(
            name=name,
            title=title,
            description=description,
            function=function,
            arguments=create_model(f"{name}_arguments", __base__=Arguments, **every),
            reply=reply,
            effects=effects or Effects(),
            takes_progress=takes_progress,
            habits=(habits or Habits()).of(every),
            always_loaded=always_loaded,
            toolsets=toolsets,
            view=view,
        )

    def forgiving(self, habits: Habits) -> "Tool":
        """The same tool for callers with these habits."""
        return replace(self, habits=habits.of(self.arguments.model_fields))

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments, without other spellings. Arguments with a filler are not required."""
        schema = self.arguments.model_json_schema(schema_generator=TerseSchema)
        required = [name for name in schema.pop("required", ()) if name not in self.habits.fillers]
        closed = schema.pop("additionalProperties")
        return {**schema, **({"required": required} if required else {}), "additionalProperties": closed}

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """JSON Schema of the structured reply."""
        return reply_schema(get_args(self.reply) or (self.reply,))

    async def run(self, arguments: Mapping[str, Any], progress: Progress | None = None) -> tuple[Reply, OutputMode]:
        """Validate `arguments` and call the function. Returns the reply, safe to show, and its mode.

        Raises InvalidInput for arguments that break the schema, and any error of the function; the error has the `call`
        that would have worked, if it is known.
        """
        given = dict(arguments)
        try:
            given, notes = forgiven(arguments, self.arguments.model_fields, self.habits)
            for name, filler in self.habits.fillers.items():
                if name in given or self.arguments.model_fields[name].is_required():
                    given[name], note = await filler(given.get(name))
                    notes += [note] if note else []
            values = self._validated(given)
            mode = values.pop("output_mode")
            if self.takes_progress:
                values["progress"] = CleanProgress(progress) if progress else NoProgress()
            reply = await self.function(**values)
        except BearingsError as error:
            error.call = await self._instead(given, error)
            raise
        return (reply.noting("; ".join(notes) + ".") if notes else reply).safe(), mode

    def parse(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The validated arguments with defaults filled in. Raises InvalidInput."""
        return self._validated(forgiven(arguments, self.arguments.model_fields, self.habits)[0])

    def _validated(self, given: Mapping[str, Any]) -> dict[str, Any]:
        try:
            parsed = self.arguments.model_validate(given)
        except ValidationError as error:
            raise self._refusal(error.errors(include_url=False)) from None
        return {name: getattr(parsed, name) for name in type(parsed).model_fields}

    async def _instead(self, given: Mapping[str, Any], error: BearingsError) -> dict[str, Any]:
        """The arguments with which a refused call would have worked; empty if they are unknown."""
        if not self.habits.coerces or not (error.instead or isinstance(error, InvalidInput)):
            return {}
        call = {name: value for name, value in given.items() if name not in self.habits.of_one_list} | error.instead
        if isinstance(error, InvalidInput) and not error.instead:
            call = await self._corrected(given, call, error.field.partition(".")[0], "", 0) or call
        for _ in range(_MOST_MENDED):
            call = {name: value for name, value in call.items() if value is not None}
            try:
                self.arguments.model_validate(call)
            except ValidationError as refused:
                problem = refused.errors(include_url=False)[0]
                name = str(problem["loc"][0]) if problem["loc"] else ""
                most = problem.get("ctx", {}).get("max_length", 0)
                better = await self._corrected(given, call, name, problem["type"], most)
                if better is None:
                    return {}
                call = better
            else:
                return call if call != given and _may_be_told(call) else {}
        return {}

    async def _corrected(
        self, given: Mapping[str, Any], call: Mapping[str, Any], name: str, kind: str, most: int
    ) -> dict[str, Any] | None:
        """The call with one argument corrected: by a part of its own value, else an example, else the schema."""
        fields = self.arguments.model_fields
        if (own := part_of(call, name, kind, most, fields)) is not None:
            return {**call, name: own}
        example = self.habits.examples.get(name)
        if example and (value := await example({**given, **call})) is not None:
            return {**call, name: value}
        return mended(call, name, kind, fields)

    def _refusal(self, problems: list[ErrorDetails]) -> InvalidInput:
        """The error for the first problem, with the number of further ones."""
        first = min(problems, key=lambda problem: problem["type"] != "extra_forbidden")
        path = [part for part in first["loc"] if isinstance(part, int) or not _is_branch(str(part))]
        field = ascii_controls(".".join(str(part) for part in path)[:_NAME_LIMIT])
        names = list(self.arguments.model_fields)
        if first["type"] == "extra_forbidden" and len(path) == 1:
            near = difflib.get_close_matches(field, names, 1)
            remedy = (f"Did you mean {near[0]}? " if near else "") + f"{self.name} takes: {', '.join(names)}."
            return InvalidInput(field, first["input"], "is no argument of this tool", remedy)
        if first["type"] == "missing":
            return InvalidInput(field, None, "is required", f"Pass {field}. {self._about(path)}".strip())
        more = f" ({len(problems) - 1} more like it)" if len(problems) > 1 else ""
        message = first["msg"].removeprefix("Value error, ")
        return InvalidInput(field or "arguments", first["input"], message + more, self._about(path))

    def _about(self, path: list[int | str]) -> str:
        field = self.arguments.model_fields.get(str(path[0])) if path else None
        return (field.description or "") if field else ""


def _may_be_told(call: Mapping[str, Any]) -> bool:
    """Whether an error may hold the call: it is short, and has no hidden character of the caller's."""
    text = json.dumps(call, ensure_ascii=False, default=str)
    return len(text) <= _LONGEST_CALL and is_safe_json(text)


def _is_branch(part: str) -> bool:
    """Whether a step of pydantic's path names a branch of a union instead of a place in the input."""
    return "[" in part or "(" in part or part in {"str", "int", "float", "bool", "list", "dict"}


_OUTPUT_MODE = Annotated[OutputMode, Field(description="json, or text for reading.")]

_MOST_MENDED = 20
"""Problems of one call that a correction covers at most."""

_LONGEST_CALL = 1_500
"""Characters of the call that an error suggests."""

_NAME_LIMIT = 80
"""Characters of a field's name in a message: the caller chooses the name of an unknown field."""
