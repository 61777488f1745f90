"""Reads types from JavaScript's comments: `@type`, `@param`, `@returns`, `@typedef` (JSDoc, as TypeScript reads it)."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import Typed
from bearings.code.file_facts import CallSite, Import, ImportKind
from bearings.code.languages.ecmascript.names import raw_comment
from bearings.code.languages.ecmascript.type_nodes import type_in_comment
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Edges
from bearings.code.type_expressions import TypeExpression

_TAG = re.compile(r"@(type|param|arg|argument|returns?|typedef|property|prop|implements)\s*\{")
_NAME = re.compile(r"\s*\[?\s*([\w$]+(?:\.[\w$]+)?)(?![\w$.\[])")
_RECORD = re.compile(r"\b[Oo]bject\.?<")
_UNKNOWN = frozenset({"*", "?", "Object", "object", "Function", "function", "any", "unknown"})
_STARS = re.compile(r"\n[ \t]*\*?[ \t]*")
_KINDS = {"return": "returns", "arg": "param", "argument": "param", "prop": "property"}
_ANY = "any"
_BASIC = frozenset({_ANY, "string", "number", "boolean", "void", "null", "undefined", "bigint", "symbol", "never"})
_DEFINING = re.compile(r"@(?:typedef|callback)\b")
_IMPORT = re.compile(
    r"@import\s++(?:(?P<default>[\w$]++)\s*+,?\s*+)?(?:\*\s*+as\s++(?P<whole>[\w$]++)|\{(?P<names>[^{}@]*+)\})?\s*+"
    r"from\s*+[\"'](?P<module>[^\"'\n]+)"
)
_SPECIFIER = re.compile(r"([\w$]+)(?:\s+as\s+([\w$]+))?")
_CALLBACK = re.compile(r"@callback\s+([\w$]+)")


class Documented(NamedTuple):
    """The types in a comment; `any` for a type without information, None for none."""

    type: TypeExpression | None = None
    returns: TypeExpression | None = None
    parameters: tuple[tuple[str, TypeExpression], ...] = ()
    lines: tuple[tuple[TypeExpression, int], ...] = ()
    """The types that have a name, each with its line in the comment, from 0."""
    implements: tuple[TypeExpression, ...] = ()


NOTHING = Documented()


def documented(comment: str) -> Documented:
    """Return the types in a comment for the declaration below it."""
    if "@" not in comment:
        return NOTHING
    type_ = returns = None
    parameters: dict[str, TypeExpression] = {}
    parts: dict[str, list[str]] = {}
    implements, lines = [], []
    for kind, text, name, line in _tags(comment):
        found = type_in_comment(text)
        if kind == "type":
            type_ = found
        elif kind == "returns":
            returns = found
        elif kind == "implements":
            implements.append(found)
        elif kind == "param" and "." in name:  # `@param {Cart} options.cart`
            whole, _, part = name.partition(".")
            parts.setdefault(whole, []).append(f"{part}: {text}")
            parameters[whole] = type_in_comment("{ " + "; ".join(parts[whole]) + " }")
        elif kind == "param" and name:
            parameters[name] = found
        if found not in _BASIC:
            lines.append((found, line))
    return Documented(type_, returns, tuple(parameters.items()), tuple(lines), tuple(implements))


def types_above(builder: Builder, node: Node, scope: int = -1) -> Documented:
    """Return the types in a JSDoc comment right above a node, and add their uses in `scope`; none in TypeScript."""
    start = node.start_byte
    comment = raw_comment(builder.source, start) if builder.is_untyped else ""
    found = documented(comment)
    if found.lines:
        opening = builder.source.rfind(b"/**", 0, start)
        first = builder.line(node) - builder.source.count(b"\n", opening, start)
        add_lines(builder, found.lines, first, scope)
    return found


def add_lines(builder: Builder, types: Iterable[tuple[TypeExpression, int]], first: int, scope: int = -1) -> None:
    """Add the uses of types in a comment that starts on the line `first`."""
    scope = builder.frames[-1].scope if scope < 0 else scope
    for type_, line in types:
        use = CallSite(Edges.TYPE, Typed(type_), first + line, scope)
        builder.accesses[use.line, use.kind, use.callee] = use


def add_imports(builder: Builder, source: str) -> None:
    """Add the imports of a file's comments: `@import { Cart } from "./cart"`."""
    for start, end in _comments(source):
        for found in _IMPORT.finditer(source, start, end):
            names = [("default", found["default"]), ("*", found["whole"])]
            names += [(one[1], one[2] or one[1]) for one in _SPECIFIER.finditer(found["names"] or "")]
            line = source.count("\n", 0, found.start()) + 1
            for name, local in names:
                if local and (0, local) not in builder.bound:
                    builder.imports.append(Import(found["module"], name, local, line, 0, ImportKind.TYPE))
                    builder.bind(local, Bindings.IMPORT, line, len(builder.imports) - 1, scope=0)


def _comments(source: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each JSDoc comment."""
    start = source.find("/**")
    while start >= 0 and (end := source.find("*/", start + 3) + 2) > 1:
        yield start, end
        start = source.find("/**", end)


def typedefs(source: str) -> Iterator[tuple[str, str, int, Documented]]:
    """Yield the name, type and offset of each `@typedef` and `@callback` in a file's comments, and the types there."""
    for comment, offset in _definitions(source):
        callback = _CALLBACK.search(comment)
        if callback is not None:
            tags = list(_tags(comment))
            taken = [(name, type_) for kind, type_, name, _ in tags if kind == "param" and name and "." not in name]
            parameters = ", ".join(f"{name}: {type_}" for name, type_ in taken)
            result = next((type_ for kind, type_, *_ in tags if kind == "returns"), _ANY)
            yield callback[1], f"({parameters}) => {result}", offset, documented(comment)
            continue
        name, type_, properties = "", "", []
        for kind, text, tag_name, _ in _tags(comment):
            if kind == "typedef":
                name, type_ = tag_name, text
            elif kind == "property" and tag_name and "." not in tag_name:
                properties.append(f"{tag_name}: {text}")
        if name:
            is_record = properties and type_ == _ANY
            yield name, "{ " + "; ".join(properties) + " }" if is_record else type_, offset, documented(comment)


def _definitions(source: str) -> Iterator[tuple[str, int]]:
    """Yield the part of a comment for each type that it defines, with its offset; the first starts with the comment."""
    for opening, closing in _comments(source):
        tags = [tag.start() for tag in _DEFINING.finditer(source, opening, closing)]
        for start, end in pairwise([opening, *tags[1:], closing] if tags else ()):
            yield source[start:end], start


def _tags(comment: str) -> Iterator[tuple[str, str, str, int]]:
    """Yield the kind, type, name and line of each tag that has a type."""
    text = _STARS.sub("\n", comment)
    for tag in _TAG.finditer(text):
        end = _closing(text, tag.end())
        if end > 0:
            name = _NAME.match(text, end + 1)
            type_ = _as_typescript(text[tag.end() : end].replace("\n", " "))
            line = text.count("\n", 0, tag.start())
            yield _KINDS.get(tag[1], tag[1]), type_, name[1] if name is not None else "", line


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
