"""Reads types from JavaScript's comments: `@type`, `@param`, `@returns`, `@typedef` (JSDoc, as TypeScript reads it)."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from bearings.code.languages.ecmascript.names import raw_comment
from bearings.code.languages.ecmascript.type_nodes import type_in_comment
from bearings.code.languages.shared.builder import Builder
from bearings.code.type_expressions import TypeExpression

_TAG = re.compile(r"@(type|param|arg|argument|returns?|typedef|property|prop)\s*\{")
_NAME = re.compile(r"\s*\[?\s*([\w$]+)(?![\w$.\[])")
_RECORD = re.compile(r"\b[Oo]bject\.?<")
_UNKNOWN = frozenset({"*", "?", "Object", "object", "Function", "function", "any", "unknown"})
_STARS = re.compile(r"\n[ \t]*\*?[ \t]*")
_KINDS = {"return": "returns", "arg": "param", "argument": "param", "prop": "property"}
_ANY = "any"
_COMMENT = re.compile(r"/\*\*(?:(?!\*/).)*?@(?:typedef|callback)\b(?:(?!\*/).)*\*/", re.DOTALL)
_DEFINING = re.compile(r"@(?:typedef|callback)\b")
_CALLBACK = re.compile(r"@callback\s+([\w$]+)")


class Documented(NamedTuple):
    """The types in a comment; `any` for a type without information, None for none."""

    type: TypeExpression | None = None
    returns: TypeExpression | None = None
    parameters: tuple[tuple[str, TypeExpression], ...] = ()


NOTHING = Documented()


def documented(comment: str) -> Documented:
    """Return the types in a comment for the declaration below it."""
    if "@" not in comment:
        return NOTHING
    type_ = returns = None
    parameters = []
    for kind, text, name in _tags(comment):
        if kind == "type":
            type_ = type_in_comment(text)
        elif kind == "returns":
            returns = type_in_comment(text)
        elif kind == "param" and name:
            parameters.append((name, type_in_comment(text)))
    return Documented(type_, returns, tuple(parameters))


def types_above(builder: Builder, start: int) -> Documented:
    """Return the types in a JSDoc comment right above `start`; none in TypeScript."""
    return documented(raw_comment(builder.source, start)) if builder.is_untyped else NOTHING


def typedefs(source: str) -> Iterator[tuple[str, str, int]]:
    """Yield the name, type and offset of each `@typedef` and `@callback` in a file's comments."""
    for comment, offset in _definitions(source):
        callback = _CALLBACK.search(comment)
        if callback is not None:
            tags = list(_tags(comment))
            parameters = ", ".join(f"{name}: {type_}" for kind, type_, name in tags if kind == "param" and name)
            result = next((type_ for kind, type_, _ in tags if kind == "returns"), _ANY)
            yield callback[1], f"({parameters}) => {result}", offset
            continue
        name, type_, properties = "", "", []
        for kind, text, tag_name in _tags(comment):
            if kind == "typedef":
                name, type_ = tag_name, text
            elif kind == "property" and tag_name:
                properties.append(f"{tag_name}: {text}")
        if name:
            is_record = properties and type_ == _ANY
            yield name, "{ " + "; ".join(properties) + " }" if is_record else type_, offset


def _definitions(source: str) -> Iterator[tuple[str, int]]:
    """Yield the part of a comment for each type that it defines, with its offset; the first starts with the comment."""
    for found in _COMMENT.finditer(source):
        starts = [tag.start() for tag in _DEFINING.finditer(source, *found.span())]
        starts[0] = found.start()
        for start, end in pairwise([*starts, found.end()]):
            yield source[start:end], start


def _tags(comment: str) -> Iterator[tuple[str, str, str]]:
    """Yield the kind, type and name of each tag that has a type."""
    text = _STARS.sub(" ", comment)
    for tag in _TAG.finditer(text):
        end = _closing(text, tag.end())
        if end > 0:
            name = _NAME.match(text, end + 1)
            type_ = _as_typescript(text[tag.end() : end])
            yield _KINDS.get(tag[1], tag[1]), type_, name[1] if name is not None else ""


def _closing(text: str, start: int) -> int:
    """Return the offset of the brace that closes the one before `start`; -1 for none."""
    depth = 1
    for position in range(start, len(text)):
        depth += (text[position] == "{") - (text[position] == "}")
        if depth == 0:
            return position
    return -1


def _as_typescript(text: str) -> str:
    """Return a JSDoc type in TypeScript's syntax."""
    text = text.strip().lstrip("?!").rstrip("=?! ").strip()
    if text.startswith("..."):
        text = f"({text[3:].strip()})[]"
    if text in _UNKNOWN or not text:
        return _ANY
    return _RECORD.sub("Record<", text).replace(".<", "<")
