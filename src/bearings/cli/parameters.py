"""A tool's arguments as parameters of a command, from the JSON Schema that models read, so the two can't differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bearings.tool import Tool


LEFT_OUT = frozenset({"output_mode", "detail"})
"""Arguments without an option: `--json` and `--lines` choose the form of an answer."""


class Shape(Enum):
    """The way to type an argument."""

    TEXT = "TEXT"
    NUMBER = "NUMBER"
    FLAG = "FLAG"
    LIST = "LIST"
    OBJECT = "OBJECT"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument. `default` is None if the description explains its absence.

    `may_be_text`: a single word may replace the list.
    """

    name: str
    shape: Shape
    required: bool
    description: str
    metavar: str
    default: Any = None
    choices: tuple[str, ...] = ()
    bounds: str = ""
    keys: tuple[str, ...] = ()
    may_be_text: bool = False

    @property
    def option(self) -> str:
        """Its option: the name with dashes."""
        return "--" + self.name.replace("_", "-")

    @property
    def help(self) -> str:
        """The description, with the choices of a list, the default and the bounds unless it has them."""
        text = self.description
        if self.shape is Shape.LIST and self.choices:
            text = f"{text} Any of {', '.join(self.choices)}."
        notes = [] if self.default in (None, "") else [f"default: {_shown(self.default)}"]
        if self.bounds and not all(bound in self.description for bound in self.bounds.split("–")):
            notes.append(self.bounds)
        return text + (f"  [{'; '.join(notes)}]" if notes else "")


def parameters_of(tool: Tool) -> tuple[Parameter, ...]:
    """The arguments of `tool`, in its own order."""
    schema = tool.input_schema
    required = schema.get("required", ())
    return tuple(
        _parameter(name, field, schema.get("$defs", {}), name in required)
        for name, field in schema["properties"].items()
        if name not in LEFT_OUT
    )


def _parameter(name: str, field: Mapping[str, Any], definitions: Mapping[str, Any], required: bool) -> Parameter:
    branches = _branches(field, definitions)
    kinds = {branch.get("type") for branch in branches}
    items = [item for branch in branches for item in _branches(branch.get("items", {}), definitions)]
    choices = tuple(str(choice) for branch in [*branches, *items] for choice in _choices(branch))
    shape = _shape(kinds)
    keys = tuple(key for branch in branches for key in branch.get("properties", ()))
    return Parameter(
        name=name,
        shape=shape,
        required=required,
        description=str(field.get("description", "")),
        metavar=_metavar(shape, kinds, choices, keys, items),
        default=field.get("default"),
        choices=choices,
        bounds=next((bounds for branch in branches if (bounds := _bounds(branch))), ""),
        keys=keys,
        may_be_text="string" in kinds,
    )


def _branches(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The schema's alternatives with references resolved, each with its siblings."""
    if "$ref" in schema:
        return _branches(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            return [found for part in schema[union] for found in _branches(part, definitions)]
    return [schema]


def _choices(schema: Mapping[str, Any]) -> list[Any]:
    return [schema["const"]] if "const" in schema else list(schema.get("enum", ()))


def _shape(kinds: set[Any]) -> Shape:
    """The richest shape among the alternatives: a list that may also be a text is typed as a list."""
    if "array" in kinds:
        return Shape.LIST
    if "object" in kinds:
        return Shape.OBJECT
    if "string" in kinds:
        return Shape.TEXT
    if kinds & {"integer", "number"}:
        return Shape.NUMBER
    return Shape.FLAG if "boolean" in kinds else Shape.TEXT


def _metavar(
    shape: Shape, kinds: set[Any], choices: tuple[str, ...], keys: tuple[str, ...], items: list[Mapping[str, Any]]
) -> str:
    if shape is Shape.LIST:
        numbers = any(item.get("type") in ("number", "integer") for item in items)
        return "N,N…" if numbers else "A,B…"
    if shape is Shape.OBJECT:
        return "LAT,LON" if keys == ("lat", "lon") else "KEY=VALUE"
    if choices and shape is Shape.TEXT:
        short = "|".join(choices)
        return f"[{short}]" if len(short) <= 72 else "CHOICE"
    if shape is Shape.NUMBER:
        return "N" if "number" not in kinds else "X"
    return "TEXT"


def _bounds(schema: Mapping[str, Any]) -> str:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is None or high is None:
        return ""
    return f"{_shown(low)}–{_shown(high)}"


def _shown(value: Any) -> str:
    """A default or a bound as typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ",".join(map(_shown, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
