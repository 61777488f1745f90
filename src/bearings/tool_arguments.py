"""The base of every tool's arguments: what pydantic lets through and no tool can handle is refused here."""

import sys
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator
from pydantic_core import from_json

from bearings.forgiving import MOST_PARTS, kinds

_LEAST, _MOST = -(2**63), 2**63 - 1
"""The integers that SQLite and the worker's messages can hold; most parameters have narrower bounds."""

_NO_CONTROL = "has a character that no text may have (NUL, or half of a surrogate pair)"

_TOO_LARGE = "an integer has more than 64 bits; pass a smaller one"


_TOO_SMALL = "a number is too close to 0; pass 0"


class Arguments(BaseModel):
    """The base of every tool's arguments: no unknown names, no infinite numbers; arrays may be JSON strings."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, defer_build=True)

    @field_validator("*", mode="before")
    @classmethod
    def _prepared(cls, value: Any, info: ValidationInfo) -> Any:
        """One raw argument: its parts checked, a JSON string of an array parsed, a boolean refused as a number."""
        _check_parts(value)
        allowed = _kinds_of(cls, str(info.field_name))
        if isinstance(value, str) and value.lstrip()[:1] in ("[", "{") and allowed & {list, tuple, dict}:
            try:
                value = from_json(value, allow_inf_nan=False)
            except ValueError:  # or brackets nested deeper than 200 levels
                return value
            _check_parts(value)
        if isinstance(value, bool) and bool not in allowed:
            raise ValueError("a boolean is neither a number nor text")
        return value


def _check_parts(value: Any) -> None:
    """Raise ValueError for a text or number, at any depth of `value`, that no tool can handle, or for too many."""
    open_values, left = [value], MOST_PARTS  # iterative: brackets may nest deeper than Python's stack
    while open_values:
        item, left = open_values.pop(), left - 1
        if len(open_values) > left:
            raise ValueError(f"has more than {MOST_PARTS:,} values; pass fewer")
        if isinstance(item, str):
            if "\0" in item or any("\ud800" <= c <= "\udfff" for c in item):
                raise ValueError(_NO_CONTROL)
        elif isinstance(item, int):
            if not _LEAST <= item <= _MOST:
                raise ValueError(_TOO_LARGE)
        elif isinstance(item, float):
            if 0 < abs(item) < sys.float_info.min:
                raise ValueError(_TOO_SMALL)
        elif isinstance(item, dict):
            open_values += [*item, *item.values()]
        elif isinstance(item, list):
            open_values += item


@cache
def _kinds_of(model: type[BaseModel], field: str) -> set[Any]:
    """The plain Python types that a field allows: containers by their origin, models and dataclasses as dict."""
    return {dict if _has_fields(kind) else kind for kind in kinds(model.model_fields[field].annotation)}


def _has_fields(kind: Any) -> bool:
    return isinstance(kind, type) and (issubclass(kind, BaseModel) or is_dataclass(kind))
