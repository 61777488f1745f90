"""Parses Go's types as written to their outermost form. Pure, and cached: the same few types occur again and again."""

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from bearings.code.type_expressions import TypeExpression

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?$")
_OPENING, _CLOSING = "[({", "])}"
_WORD = re.compile(r"(?<![\w.\"])[^\W\d]\w*(?:\.[^\W\d]\w*)?")
_KEYWORDS = frozenset({"func", "struct", "interface", "map", "chan"})


class FormKind(Enum):
    """The kind of a type, outermost; a pointer has the form of its target. `parts` are types as written.

    NAME: `name` with `parts` as its arguments. SEQUENCE (slice, array): of `parts[0]`. MAP: key and value. CHANNEL: of
    `parts[0]`. FUNCTION: its parameters, and last its result (empty for none). STRUCT: fields called `names`, of
    `parts`; embedded ones have the name of their type. INTERFACE: methods called `names`, `parts` their types. TUPLE:
    several results.
    """

    NAME = 0
    SEQUENCE = 1
    MAP = 2
    CHANNEL = 3
    FUNCTION = 4
    STRUCT = 5
    INTERFACE = 6
    TUPLE = 7


class Form(NamedTuple):
    """A type's outermost form."""

    kind: FormKind
    name: str = ""
    parts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@lru_cache(maxsize=1 << 15)
def go_form(text: str) -> Form | None:
    """A type's form; None for types without one here: unions of a constraint, arithmetic."""
    text = text.strip().lstrip("*~ ")
    if text.startswith("("):
        end = _end(text, 0)
        if end != len(text):
            return None
        parts = split(text[1:-1])
        return go_form(parts[0]) if len(parts) == 1 else Form(FormKind.TUPLE, parts=tuple(parts))
    if text.startswith("["):
        end = _end(text, 0)
        return Form(FormKind.SEQUENCE, parts=(text[end:].strip(),)) if end > 0 else None
    if text.startswith("map["):
        end = _end(text, 3)
        return Form(FormKind.MAP, parts=(text[4 : end - 1], text[end:].strip())) if end > 0 else None
    if text.startswith(("<-chan ", "chan<- ", "chan ")):
        return Form(FormKind.CHANNEL, parts=(text.partition(" ")[2].strip(),))
    if re.match(r"func\s*\(", text):
        return _function(text)
    if re.match(r"struct\s*\{", text):
        return _struct(text)
    if re.match(r"interface\s*\{", text):
        return _interface(text)
    return _named(text)


def _named(text: str) -> Form | None:
    cut = text.find("[")
    name = text if cut < 0 else text[:cut]
    if not _NAME.match(name) or (cut >= 0 and _end(text, cut) != len(text)):
        return None
    return Form(FormKind.NAME, name, tuple(split(text[cut + 1 : -1])) if cut >= 0 else ())


def _function(text: str) -> Form | None:
    start = text.find("(")
    end = _end(text, start)
    if end < 0:
        return None
    return Form(FormKind.FUNCTION, parts=(*_types(split(text[start + 1 : end - 1])), _result(text[end:].strip())))


def _result(text: str) -> str:
    if not text.startswith("(") or _end(text, 0) != len(text):
        return text
    types = _types(split(text[1:-1]))
    return types[0] if len(types) == 1 else f"({', '.join(types)})" if types else ""


def _types(listed: list[str]) -> list[str]:
    """The types of parameters, with or without names: `a, b int` are two of `int`."""
    pairs = [_pair(part) for part in listed]
    if not any(name for name, _ in pairs):
        return [_spread(type_) for _, type_ in pairs]
    found: list[str] = []
    last = ""
    for name, type_ in reversed(pairs):
        last = type_ if name else last
        found.append(_spread(last))
    return found[::-1]


def _spread(type_: str) -> str:
    return f"[]{type_[3:]}" if type_.startswith("...") else type_


def _pair(part: str) -> tuple[str, str]:
    """Name and type of a parameter; an unnamed parameter has only a type."""
    match = re.match(r"([^\W\d]\w*)\s+(.+)$", part)
    if match is None or match[1] in _KEYWORDS:
        return "", part
    return match[1], match[2]


def _struct(text: str) -> Form | None:
    body = text[text.find("{") + 1 : text.rfind("}")]
    names, types = [], []
    for part in split(body, ";") if ";" in body else [body.strip()]:
        part = re.sub(r"\s*(?:`[^`]*`|\"[^\"]*\")$", "", part)
        listed = split(part)
        match = re.match(r"([^\W\d]\w*)\s+(.+)$", listed[-1]) if listed else None
        if match is not None:
            names += [*listed[:-1], match[1]]
            types += [match[2]] * len(listed)
        elif listed:
            names.append(re.sub(r"\[.*", "", part.lstrip("*")).rpartition(".")[2])
            types.append(part)
    return Form(FormKind.STRUCT, parts=tuple(types), names=tuple(names))


def _interface(text: str) -> Form | None:
    body = text[text.find("{") + 1 : text.rfind("}")].strip()
    if body.startswith("~") and "|" not in body and "(" not in body:
        return go_form(body)  # a constraint: the types that it permits
    names, types = [], []
    for part in split(body, ";"):
        match = re.match(r"([^\W\d]\w*)\s*(\(.*)$", part)
        if match is not None:
            names.append(match[1])
            types.append(f"func{match[2]}")
    return Form(FormKind.INTERFACE, parts=tuple(types), names=tuple(names))


def go_text(type_: TypeExpression | None) -> str:
    """A type as Go writes it; empty for none."""
    return type_ if isinstance(type_, str) else ""


def names_in(text: str) -> list[str]:
    """All type names in a type, `pkg.T` as one; the names of parameters and fields are among them."""
    return [name for name in dict.fromkeys(_WORD.findall(text)) if name not in _KEYWORDS]


def _end(text: str, start: int) -> int:
    """The end of the bracket at `start`; -1 if it is not closed."""
    depth = 0
    for position in range(start, len(text)):
        character = text[position]
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
            if depth == 0:
                return position + 1
    return -1


def split(text: str, separator: str = ",") -> list[str]:
    """The parts between separators outside brackets, stripped, without empty ones."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == separator and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return [part for part in [*parts, text[start:].strip()] if part]
