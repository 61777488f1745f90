"""A tool as plain data: a typed function, its arguments' model, its reply's model. This module knows no protocol.

The MCP servers and the command line are made from tools, so an argument's name, bounds and text have one home: the
function's signature.
"""

import difflib
import inspect
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from functools import cache, cached_property
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
)
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import ErrorDetails, core_schema, from_json

from bearings.errors import BearingsError, InvalidInput, ascii_controls
from bearings.forgiving import Habits, forgiven, mended
from bearings.progress import CleanProgress, NoProgress, Progress
from bearings.reply import Reply
from bearings.untrusted import is_safe_json

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
    `always_loaded`: a client that loads definitions on demand should keep this one loaded.
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
        fields["output_mode"] = (_OUTPUT_MODE, "json")
        return cls(
            name=name,
            title=title,
            description=inspect.getdoc(function) or "",
            function=function,
            arguments=create_model(f"{name}_arguments", __base__=Arguments, **fields),
            reply=reply,
            effects=effects or Effects(),
            takes_progress="progress" in hints,
            habits=(habits or Habits()).of(fields),
            always_loaded=always_loaded,
        )

    def forgiving(self, habits: Habits) -> "Tool":
        """The same tool for callers with these habits."""
        return replace(self, habits=habits.of(self.arguments.model_fields))

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments, without other spellings. Arguments with a filler are not required."""
        schema = self.arguments.model_json_schema(schema_generator=_TerseSchema)
        required = [name for name in schema.pop("required", ()) if name not in self.habits.fillers]
        closed = schema.pop("additionalProperties")
        return {**schema, **({"required": required} if required else {}), "additionalProperties": closed}

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """JSON Schema of the structured reply."""
        adapter: TypeAdapter[Any] = TypeAdapter(self.reply)  # type: ignore[arg-type]  # unions, too
        return adapter.json_schema(schema_generator=_TerseReplySchema, mode="serialization")

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
        fields = self.arguments.model_fields
        call = {name: value for name, value in given.items() if name not in self.habits.of_one_list} | error.instead
        if isinstance(error, InvalidInput) and not error.instead:
            call = mended(call, error.field.partition(".")[0], "", fields) or call
        for _ in range(_MOST_MENDED):
            call = {name: value for name, value in call.items() if value is not None}
            try:
                self.arguments.model_validate(call)
            except ValidationError as refused:
                problem = refused.errors(include_url=False)[0]
                name = str(problem["loc"][0]) if problem["loc"] else ""
                if (example := self.habits.examples.get(name)) and (value := await example(call)) is not None:
                    call = {**call, name: value}
                elif (better := mended(call, name, problem["type"], fields)) is None:
                    return {}
                else:
                    call = better
            else:
                return call if call != given and _may_be_told(call) else {}
        return {}

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

_LEAST, _MOST = -(2**63), 2**63 - 1
"""The integers that SQLite and the worker's messages can hold; most parameters have narrower bounds."""

_NO_CONTROL = "has a character that no text may have (NUL, or half of a surrogate pair)"


_TOO_LARGE = "an integer has more than 64 bits; pass a smaller one"


class Arguments(BaseModel):
    """The base of every tool's arguments: no unknown names, no infinite numbers; arrays may be JSON strings."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, defer_build=True)

    @field_validator("*", mode="before")
    @classmethod
    def _prepared(cls, value: Any, info: ValidationInfo) -> Any:
        """One raw argument: its parts checked, a JSON string of an array parsed, a boolean refused as a number."""
        _check_parts(value)
        kinds = _kinds_of(cls, str(info.field_name))
        if isinstance(value, str) and value.lstrip()[:1] in ("[", "{") and kinds & {list, tuple, dict}:
            try:
                value = from_json(value, allow_inf_nan=False)
            except ValueError:  # or brackets nested deeper than 200 levels
                return value
            _check_parts(value)
        if isinstance(value, bool) and bool not in kinds:
            raise ValueError("a boolean is neither a number nor text")
        return value


def _check_parts(value: Any) -> None:
    """Raise ValueError for a text or integer, at any depth of `value`, that the program can't handle."""
    open_values = [value]  # iterative: brackets may nest deeper than Python's stack
    while open_values:
        item = open_values.pop()
        if isinstance(item, str):
            if "\0" in item or any("\ud800" <= c <= "\udfff" for c in item):
                raise ValueError(_NO_CONTROL)
        elif isinstance(item, int):
            if not _LEAST <= item <= _MOST:
                raise ValueError(_TOO_LARGE)
        elif isinstance(item, dict):
            open_values += [*item, *item.values()]
        elif isinstance(item, list):
            open_values += item


@cache
def _kinds_of(model: type[BaseModel], field: str) -> set[Any]:
    return _kinds(model.model_fields[field].annotation)


def _kinds(annotation: Any) -> set[Any]:
    """The plain Python types that an annotation allows: containers by their origin, models and dataclasses as dict."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _kinds(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return set().union(*(_kinds(part) for part in get_args(annotation)))
    if isinstance(annotation, type) and (issubclass(annotation, BaseModel) or is_dataclass(annotation)):
        return {dict}
    return {origin or annotation}


class _TerseSchema(GenerateJsonSchema):
    """JSON Schema without generated titles, which cost a model tokens and tell it nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - overrides
        return False

    def generate(self, schema: core_schema.CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """The schema, without the classes' names and prose."""
        json_schema = super().generate(schema, mode)
        for described in (json_schema, *json_schema.get("$defs", {}).values()):
            described.pop("title", None)
            described.pop("description", None)
        return json_schema

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Alternatives, as for any other union: some clients don't know oneOf."""
        json_schema = super().tagged_union_schema(schema)
        return {"anyOf": json_schema["oneOf"]} if "oneOf" in json_schema else json_schema

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """An optional value may be left out; null is accepted too."""
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        json_schema = super().default_schema(schema)
        if json_schema.get("default", ...) is None:
            json_schema.pop("default")
        return json_schema


class _TerseReplySchema(_TerseSchema):
    """The same for replies, without descriptions: a client has the reply itself.

    Definitions that are used once are inlined: the schema is shorter, and clients check a reply in two thirds of the
    time.
    """

    def generate(self, schema: core_schema.CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """The schema, with definitions for parts that are used twice or contain themselves."""
        return _with_definitions_inlined(super().generate(schema, mode))

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        json_schema = super().default_schema(schema)
        json_schema.pop("default", None)
        return json_schema

    def field_is_required(self, field: Any, total: bool) -> bool:  # noqa: ARG002 - overrides
        """A field with a default may be left out of a reply (`Reply.sent` drops what has it)."""
        return bool(field["schema"]["type"] != "default")


_DEFINED = "#/$defs/"


def _with_definitions_inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """The same schema with the definitions inlined to which it refers only once."""
    definitions: dict[str, Any] = schema.get("$defs", {})
    times = Counter(_references(schema))
    once = {name for name in definitions if times[_DEFINED + name] == 1}

    def inlined(part: Any) -> Any:
        if isinstance(part, list):
            return [inlined(item) for item in part]
        if not isinstance(part, dict):
            return part
        name = str(part.get("$ref", "")).removeprefix(_DEFINED)
        beside = {key: inlined(value) for key, value in part.items() if name not in once or key != "$ref"}
        return {**inlined(definitions[name]), **beside} if name in once else beside

    kept = {name: inlined(definition) for name, definition in definitions.items() if name not in once}
    whole: dict[str, Any] = inlined({key: value for key, value in schema.items() if key != "$defs"})
    return {**whole, **({"$defs": kept} if kept else {})}


def _references(part: Any) -> Iterator[str]:
    """Every `$ref` in a schema."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            yield from _references(item)
