"""JSON Schemas of tools: short ones, because a model reads those of arguments and a client checks replies by theirs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.json import schema_components
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from bearings.reply import Reply

_DEFINED = "#/$defs/"


class TerseSchema(GenerateJsonSchema):
    """JSON Schema without generated titles, which cost a model tokens and tell it nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - overrides
        """None has a title."""
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
        """A default of null is left out."""
        json_schema = super().default_schema(schema)
        if json_schema.get("default", ...) is None:
            json_schema.pop("default")
        return json_schema


def listed_schema(arguments: JsonSchemaValue) -> JsonSchemaValue:
    """The schema of a tool's arguments as `tools/list` sends it: short, while calls are checked by the whole schema.

    Lengths, bounds that nobody meets, defaults of false, that no other argument is taken, and the prose and default of
    `output_mode` cost a model more than they tell it.
    """
    short: JsonSchemaValue = _short(_with_definitions_inlined(arguments))
    if mode := short["properties"].get("output_mode"):
        del mode["description"], mode["default"]
    return short


def _short(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_short(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _short(part)
        for name, part in schema.items()
        if not (name in _LENGTHS and isinstance(part, int)) and (name, repr(part)) not in _PLAIN
    }


_LENGTHS = frozenset({"minLength", "maxLength", "minItems"})
_PLAIN = frozenset({("default", "False"), ("additionalProperties", "False"), ("minimum", "1"), ("maximum", "5000")})
"""Values that go without saying."""


def reply_schema(replies: Sequence[type[Reply]]) -> JsonSchemaValue:
    """The schema of one of some replies, without descriptions and defaults: a client has the reply itself.

    Definitions that are used once are inlined: the schema is shorter, and clients check a reply in two thirds of the
    time.
    """
    schemas, definitions = schema_components(replies, ref_template=_DEFINED + "{name}")
    terse = {name: _terse(definition) for name, definition in definitions.items()}
    for reply in replies:
        terse[reply.__name__]["properties"] = {"success": _SUCCESS, **terse[reply.__name__]["properties"]}
    top = {"anyOf": list(schemas)} if len(schemas) > 1 else schemas[0]
    return _with_definitions_inlined({**top, "$defs": terse})


def _terse(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without prose, defaults, private fields, and the null of a field that may be left out."""
    terse = {name: part for name, part in schema.items() if name not in _PROSE}
    if "properties" in terse:
        terse["properties"] = {
            name: _terse(_without_null(part)) for name, part in terse["properties"].items() if not name.startswith("_")
        }
        terse["required"] = [name for name in terse.pop("required", ()) if not _takes_null(schema["properties"][name])]
    for name in ("items", "additionalProperties"):
        if isinstance(terse.get(name), dict):
            terse[name] = _terse(terse[name])
    if "anyOf" in terse:
        terse["anyOf"] = [_terse(part) for part in terse["anyOf"]]
    return terse


_PROSE = frozenset({"title", "description", "default"})
_SUCCESS = {"const": True, "type": "boolean"}
_NULL = {"type": "null"}


def _takes_null(schema: dict[str, Any]) -> bool:
    return _NULL in schema.get("anyOf", ())


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a value that is left out if it is null."""
    if not _takes_null(schema):
        return schema
    parts = [part for part in schema["anyOf"] if part != _NULL]
    return parts[0] if len(parts) == 1 else {**schema, "anyOf": parts}


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

    remaining = {name: inlined(definition) for name, definition in definitions.items() if name not in once}
    whole: dict[str, Any] = inlined({key: value for key, value in schema.items() if key != "$defs"})
    return {**whole, **({"$defs": remaining} if remaining else {})}


def _references(part: Any) -> Iterator[str]:
    """Every `$ref` in a schema."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            yield from _references(item)
