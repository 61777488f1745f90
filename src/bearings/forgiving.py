"""Accept arguments as callers write them: other names, other words for a choice, a text for a list, too large numbers.

A tool's schema shows one spelling of everything. Other spellings are accepted here only if their meaning is certain;
validation refuses the rest. `forgiven` returns the arguments in the schema's spelling, and notes for the caller.
`mended` returns a correction of refused arguments.
"""

import difflib
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from bearings.errors import InvalidInput, shown

Filler = Callable[[Any], Awaitable[tuple[Any, str]]]
"""Takes the passed value (None: none); returns the argument's value and a note ("": none). May raise."""

Example = Callable[[Mapping[str, Any]], Awaitable[Any]]
"""A value for an argument that is missing or wrong, given what the caller passed; None: unknown."""


MOST_PARTS = 1_000
"""Values in one argument: a hundred points have four hundred. Each wrong one would cost an error of its own."""

Joiner = Callable[[Mapping[str, Any], Collection[str]], dict[str, Any]]
"""Joins several pieces into one argument; takes the passed arguments and the names of the tool's arguments."""


@dataclass(frozen=True)
class Habits:
    """Other spellings that callers use, beside those of a tool's schema.

    `names` maps other names of arguments to the schema's; for those in `silent` there is no note. `words` maps other
    words for an argument's choices to the schema's, or to several arguments that mean the same. `coerces`: fit values
    to their types (see `_fitted`) and cut numbers to their bounds. `joined` runs before all of these. `fillers` give
    values to arguments that were left out. `examples` suggest values for required arguments that were left out.
    `of_one_list`: arguments that make sense only beside the others of the list that they came with.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    silent: frozenset[str] = frozenset()
    words: Mapping[str, Mapping[str, str | Mapping[str, Any]]] = field(default_factory=dict)
    coerces: bool = False
    joined: Joiner | None = None
    fillers: Mapping[str, Filler] = field(default_factory=dict)
    examples: Mapping[str, Example] = field(default_factory=dict)
    of_one_list: frozenset[str] = frozenset()

    def of(self, fields: Mapping[str, Any]) -> "Habits":
        """The habits that concern a tool with these arguments."""
        return replace(
            self,
            names={old: ours for old, ours in self.names.items() if ours in fields and old not in fields},
            words={name: words for name, words in self.words.items() if name in fields},
            fillers={name: filler for name, filler in self.fillers.items() if name in fields},
            examples={name: example for name, example in self.examples.items() if name in fields},
        )


def forgiven(
    arguments: Mapping[str, Any], fields: Mapping[str, FieldInfo], habits: Habits
) -> tuple[dict[str, Any], list[str]]:
    """The arguments in the spelling of `fields`, and notes for the caller. Raises InvalidInput for one passed twice."""
    named, notes = _renamed(habits.joined(arguments, fields) if habits.joined else arguments, fields, habits)
    if not habits.coerces:
        return named, notes
    own: dict[str, Any] = {}
    for name, value in named.items():
        if name not in fields:
            own[name] = value
        elif not _is_nothing(value, fields[name]):
            meant = _fitted(name, value, fields, habits, notes)
            own.update({key: meaning for key, meaning in meant.items() if key == name or key not in named})
    return own, notes


def _renamed(
    arguments: Mapping[str, Any], fields: Mapping[str, FieldInfo], habits: Habits
) -> tuple[dict[str, Any], list[str]]:
    """The arguments under the schema's names, and the names that are unknown."""
    named: dict[str, Any] = {}
    notes = []
    for name, value in arguments.items():
        ours = _ours(name, fields, habits)
        if ours in named or (ours != name and ours in arguments):
            raise InvalidInput(name, value, f"is another name of {ours}, which is passed too", f"Pass {ours} alone.")
        if ours != name and name in habits.names and name not in habits.silent:
            notes.append(f"{name} is called {ours} here")
        named[ours] = value
    return named, notes


def _ours(name: str, fields: Mapping[str, FieldInfo], habits: Habits) -> str:
    if name in fields or not habits.coerces:
        return habits.names.get(name, name)
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()  # projectPath, max-depth
    return plain if plain in fields else habits.names.get(name, habits.names.get(plain, name))


def _is_nothing(value: Any, declared: FieldInfo) -> bool:
    """Whether the value is null or an empty text, and the argument optional."""
    return not declared.is_required() and (value is None or (value == "" and declared.default is None))


def _fitted(
    name: str, value: Any, fields: Mapping[str, FieldInfo], habits: Habits, notes: list[str]
) -> Mapping[str, Any]:
    """The argument fitted to its field: an item or text with commas as a list, a choice in the schema's word."""
    declared = fields[name]
    allowed = kinds(declared.annotation)
    listed = _item_of(declared.annotation)
    if isinstance(value, list) and len(value) == 1 and listed is None:
        value = value[0]
    if listed is not None and isinstance(value, str) and str not in allowed and value.lstrip()[:1] != "[":
        value = [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, str) and (meant := _word(name, value, fields, habits)) is not None:
        notes.append(f"{shown(value)} means {_meaning_text(name, meant)} here")
        return meant
    choices = _choices(declared.annotation) or (_choices(listed) if listed is not None else ())
    if choices:
        value = _in_our_words(value, choices, habits.words.get(name, {}), notes)
    if allowed & {int, float} and not allowed & {str, bool}:
        value = _bounded(name, value, declared, notes)
    return {name: value}


def _word(name: str, value: str, fields: Mapping[str, FieldInfo], habits: Habits) -> dict[str, Any] | None:
    """The arguments that another word means; None for the schema's own words and for unknown ones."""
    words = habits.words.get(name, {})
    key = _key(value)
    if key not in words or _choice(value, _choices(fields[name].annotation)) is not None:
        return None
    meant = words[key]
    return {name: meant} if isinstance(meant, str) else {one: to for one, to in meant.items() if one in fields}


def _meaning_text(name: str, meant: Mapping[str, Any]) -> str:
    others = [
        f"{field} {', '.join(meaning) if isinstance(meaning, list) else meaning}"
        for field, meaning in meant.items()
        if field != name
    ]
    return " with ".join([str(meant[name]), *others])


def _in_our_words(
    value: Any, choices: Sequence[str], words: Mapping[str, str | Mapping[str, Any]], notes: list[str]
) -> Any:
    """A choice, or a list of choices, in the schema's spelling; adds a note for other words."""
    if isinstance(value, list) and len(value) <= MOST_PARTS:
        return [_in_our_words(item, choices, words, notes) if isinstance(item, str) else item for item in value]
    if not isinstance(value, str):
        return value
    known = words.get(_key(value))
    if (ours := _choice(value, choices)) or not isinstance(known, str):
        return ours or value
    notes.append(f"{shown(value)} means {known} here")
    return known


def _choice(value: str, choices: Sequence[str]) -> str | None:
    """The choice that matches a word apart from case, dashes and plural."""
    plain = {_key(choice): choice for choice in choices}
    key = _key(value)
    singular = (key, key.removesuffix("s"), key.removesuffix("es"), re.sub("ies$", "y", key))
    return next((plain[form] for form in singular if form in plain), None)


def _key(word: str) -> str:
    return re.sub(r"[\s_-]+", "-", re.sub(r"(?<=[a-z])(?=[A-Z])", "-", word.strip())).lower()


def _bounded(name: str, value: Any, declared: FieldInfo, notes: list[str]) -> Any:
    """The number, also given as text, cut to its upper bound."""
    most = next((part.le for part in _metadata(declared) if isinstance(part, Le)), None)
    number = _number(value)
    if most is None or number is None or number <= most:  # type: ignore[operator]  # bounds are numbers
        return value
    notes.append(f"{name} is at most {most}, so that was taken")
    return most


def _number(value: Any) -> float | None:
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,300}(\.\d+)?\s*", value):
        return float(value)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def part_of(
    arguments: Mapping[str, Any], name: str, kind: str, most: int, fields: Mapping[str, FieldInfo]
) -> Any | None:
    """The part of a list that an argument may be: its first text for a text, its first `most` items for a list."""
    value = arguments.get(name)
    if name not in fields or not isinstance(value, list):
        return None
    if _item_of(fields[name].annotation) is None:
        return next((item for item in value if isinstance(item, str) and item.strip()), None)
    return value[:most] if kind == "too_long" and 0 < most < len(value) else None


def mended(
    arguments: Mapping[str, Any], field: str, kind: str, fields: Mapping[str, FieldInfo]
) -> dict[str, Any] | None:
    """The arguments with the problem in `field` corrected, by pydantic's name of it; None if no correction is known."""
    rest = {name: value for name, value in arguments.items() if name != field}
    if field not in fields:
        near = difflib.get_close_matches(field, [name for name in fields if name not in arguments], 1)
        return {**rest, near[0]: arguments[field]} if near and field in arguments else rest
    declared = fields[field]
    if kind in ("literal_error", "enum") and (choices := _choices(declared.annotation)):
        near = difflib.get_close_matches(str(arguments.get(field)), choices, 1, 0.0)
        return {**rest, field: near[0] if near else choices[0]} if declared.is_required() or near else rest
    if kind == "greater_than_equal":
        return {**rest, field: next(part.ge for part in _metadata(declared) if isinstance(part, Ge))}
    if declared.is_required():
        choices = _choices(declared.annotation)
        return {**rest, field: choices[0]} if choices else None
    return rest if field in arguments else None


def _metadata(declared: FieldInfo) -> list[Any]:
    """A field's annotations, also those inside an optional type."""
    metadata = list(declared.metadata)
    for part in get_args(declared.annotation):
        if get_origin(part) is Annotated:
            for extra in get_args(part)[1:]:
                metadata += extra.metadata if isinstance(extra, FieldInfo) else [extra]
    return metadata


def _parts(annotation: Any) -> list[Any]:
    """The alternatives of an annotation, without None and without their own annotations."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _parts(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return [found for part in get_args(annotation) for found in _parts(part)]
    return [] if annotation is type(None) else [annotation]


def kinds(annotation: Any) -> set[Any]:
    """The types that an annotation allows, containers by their origin."""
    return {get_origin(part) or part for part in _parts(annotation)}


def _item_of(annotation: Any) -> Any:
    """The item type of a list; None for other types."""
    return next((get_args(part)[0] for part in _parts(annotation) if get_origin(part) is list), None)


def _choices(annotation: Any) -> tuple[str, ...]:
    """The words that an annotation allows."""
    for part in _parts(annotation):
        if get_origin(part) is Literal:
            return tuple(map(str, get_args(part)))
        if isinstance(part, type) and issubclass(part, Enum):
            return tuple(str(member.value) for member in part)
    return ()
