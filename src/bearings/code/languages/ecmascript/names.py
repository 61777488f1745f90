"""How ECMAScript writes names: expressions as chains, literals, comments, wrappers that change nothing."""

import re

from tree_sitter import Node

from bearings.code.languages.ecmascript.jsdoc import NOTHING, Documented, documented
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.models import SymbolKind

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
FUNCTION_NODES = FUNCTIONS | {"method_definition"}
VALUES = FUNCTIONS | {"class"}
"""Expressions that make a symbol of whatever names them."""
_HOOK = re.compile(r"use[A-Z]")
_COMPONENTS = frozenset({"memo", "forwardRef", "lazy"})
_WRAPPED = 2
"""Wrappers around a wrapper whose function still has the variable's name."""
_CHAINED = 4
"""Names that one value is assigned to beyond which it is taken for unknown."""
CLEAR = frozenset(
    {"parenthesized_expression", "non_null_expression", "satisfies_expression", "instantiation_expression"}
)
_WRAPPERS = CLEAR | {"as_expression", "type_assertion"}
_PREFIX = re.compile(rb"(?:\b(?:export|default|declare|abstract|async|const|let|var|public|static|readonly)\b\s*)*$")
_DOC_NEAR = 200
"""How far above a declaration its comment may end, in bytes: there is room for modifiers."""
_DOC_REACH = 4000
"""How far above a declaration its comment may begin, in bytes."""


def unwrapped(node: Node | None) -> Node | None:
    """A value without the parentheses and type assertions around it."""
    while node is not None:
        kind = node.type
        if kind not in _WRAPPERS:
            break
        parts = node.named_children
        node = parts[-1 if kind == "type_assertion" else 0] if parts else None
    return node


def literal(text: str) -> str:
    """A property's name as written, without quotes."""
    return text[1:-1] if text[:1] in ("'", '"') and text[:1] == text[-1:] and len(text) > 2 else text


def string_of(node: Node | None, into: Builder) -> str:
    """The content of a string literal; empty for anything else."""
    if node is None or node.type not in ("string", "template_string"):
        return ""
    text = into.text(node)[1:-1]
    return "" if "${" in text else text


def raw_comment(source: bytes, start: int) -> str:
    """The JSDoc comment that ends right above `start`, without its ends; empty for none."""
    end = source.rfind(b"*/", max(0, start - _DOC_NEAR), start)
    between = source[end + 2 : start].strip() if end >= 0 else b""
    if end < 0 or (between and not _PREFIX.match(between)):
        return ""
    opening = source.rfind(b"/**", max(0, start - _DOC_REACH), end)
    if opening < 0 or b"*/" in source[opening + 3 : end]:  # that is another's comment, this one is none of JSDoc's
        return ""
    return source[opening + 3 : end].decode("utf-8", "replace")


def comment_above(source: bytes, start: int) -> str:
    """The first paragraph of the JSDoc comment that ends right above `start`, on one line; empty for none."""
    comment = raw_comment(source, start)
    lines = [line.strip().lstrip("*").strip() for line in comment.split("\n")] if comment else []
    paragraph: list[str] = []
    for line in lines:
        if line.startswith("@") or (not line and paragraph):
            break
        if line:
            paragraph.append(line)
    return " ".join(paragraph)


def types_above(into: Builder, start: int) -> Documented:
    """The types that a comment right above `start` gives, in JavaScript."""
    return documented(raw_comment(into.source, start)) if into.is_untyped else NOTHING


def is_exported_name(draft: Draft) -> bool:
    """Whether a member of an exported class is seen outside: neither `#private` nor declared private."""
    return not draft.name.startswith("#") and not draft.signature.startswith(("private ", "protected "))


def method_kind(name: str) -> SymbolKind:
    """A class member's kind by its name alone."""
    return Symbols.CONSTRUCTOR if name == "constructor" else Symbols.METHOD


def modifiers(member: Node, start: int) -> list[Node]:
    """What may stand before the name of a member that begins at `start`: nothing does in most."""
    name = member.child_by_field_name("name")
    return member.children[:5] if name is None or name.start_byte > start else []


def function_kind(name: str) -> SymbolKind:
    """A function's kind by its name alone."""
    return Symbols.HOOK if _HOOK.match(name) else Symbols.FUNCTION


def makes_component(callee: str) -> bool:
    """Whether a call of this gives a React component: `memo`, `React.forwardRef`, `lazy`."""
    return callee[callee.rfind(".") + 1 :] in _COMPONENTS


def wrapped_functions(value: Node | None, into: Builder, depth: int = 0) -> list[Node]:
    """The functions that a name stands for: the value itself, or those that it hands to a wrapper.

    Only of components wrappers may stand in another: `memo(forwardRef(…))`.
    """
    kind = value.type if value is not None else ""
    if value is None or kind != "call_expression":
        return [value] if value is not None and kind in VALUES else []
    arguments = value.child_by_field_name("arguments")
    if arguments is None or arguments.type != "arguments":
        return []
    given = arguments.named_children
    found = [argument for argument in given if argument.type in VALUES]
    if not found and given and depth < _WRAPPED and _is_component_wrapper(value, into):
        return wrapped_functions(given[0], into, depth + 1)
    return found


def _is_component_wrapper(call: Node, into: Builder) -> bool:
    callee = call.child_by_field_name("function")
    return callee is not None and makes_component(into.text(callee))


def last_assigned(value: Node) -> Node:
    """What `a = b = value` gives to both."""
    for _ in range(_CHAINED):
        right = unwrapped(value.child_by_field_name("right")) if value.type == "assignment_expression" else None
        if right is None:
            break
        value = right
    return value
