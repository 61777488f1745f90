"""The kinds of text in replies about places; each is cleaned as it enters a reply."""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_args

from msgspec.structs import fields

from bearings.reply import Part
from bearings.untrusted import Kind, clean_line


@dataclass(frozen=True, slots=True)
class OneLine:
    """Marks text that becomes one clean line of at most `limit` characters."""

    limit: int = 300


Sentence = Annotated[str, OneLine()]
"""The program's own words, which may quote text from outside."""

Line = Annotated[Sentence, Kind.LABEL]
"""A word from a source."""

Name = Annotated[Sentence, Kind.NAME]
"""A place's name."""


class CleanPart(Part):
    """A part whose text is cleaned when it is made."""

    def __post_init__(self) -> None:
        for name, limit in _limits_of(type(self)).items():
            setattr(self, name, _in_one_line(getattr(self, name), limit))


@cache
def _limits_of(part: type[Part]) -> dict[str, int]:
    """The limits of the fields that hold one line, or several in a list or dictionary."""
    limits = {field.name: _limit(field.type) for field in fields(part)}
    return {name: limit for name, limit in limits.items() if limit}


def _limit(annotation: Any) -> int:
    """The limit that an annotation or one of its arguments declares; 0 for none."""
    if isinstance(annotation, OneLine):
        return annotation.limit
    return max(map(_limit, get_args(annotation)), default=0)


def _in_one_line(value: Any, limit: int) -> Any:
    if isinstance(value, str):
        return clean_line(value, limit)
    if isinstance(value, list):
        return [_in_one_line(item, limit) for item in value]
    if isinstance(value, dict):
        return {_in_one_line(key, limit): _in_one_line(item, limit) for key, item in value.items()}
    return value
