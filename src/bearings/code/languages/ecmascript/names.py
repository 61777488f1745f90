"""Reads names, string literals, comments and wrapped values from ECMAScript's syntax nodes."""

import re

from tree_sitter import Node

from bearings.code.expressions import Expression, last_name
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.models import SymbolKind

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
FUNCTION_NODES = FUNCTIONS | {"method_definition"}
VALUES = FUNCTIONS | {"class"}
"""Expressions that turn the variable or property that holds them into a symbol."""
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_HOOK = re.compile(r"use[A-Z]")
_COMPONENTS = frozenset({"memo", "forwardRef", "lazy"})
_WRAPPED = 2
"""The most nested wrappers around a function that still gets the variable's name."""
_CHAINED = 4
"""The most names in `a = b = … = value` that are followed to the value."""
CLEAR = frozenset(
    {"parenthesized_expression", "non_null_expression", "satisfies_expression", "instantiation_expression"}
)
ASSERTIONS = frozenset({"as_expression", "type_assertion"})
_WRAPPERS = CLEAR | ASSERTIONS
_PREFIX = re.compile(rb"(?:\b(?:export|default|declare|abstract|async|const|let|var|public|static|readonly)\b\s*)*$")
_DOC_NEAR = 200
"""The most bytes between the end of a comment and its declaration: modifiers may stand there."""
_DOC_REACH = 4000
"""The most bytes between the start of a comment and its declaration."""


_AWAIT = re.compile(rb"await\b")
_BEFORE_CALLEE = frozenset({"await_expression", "unary_expression", "binary_expression"})


def unwrapped(node: Node | None) -> Node | None:
    """Return a value without the parentheses and type assertions around it."""
    while node is not None:
        kind = node.type
        if kind not in _WRAPPERS:
            break
        parts = node.named_children
        node = parts[-1 if kind == "type_assertion" else 0] if parts else None
    return node


def callee_of(call: Node) -> Node | None:
    """Return the callee of a call. The grammar reads `await load<Cart>()` as a call of `await load`, `!` likewise."""
    function = call.child_by_field_name("function")
    while function is not None and function.type in _BEFORE_CALLEE:
        function = function.named_children[-1] if function.named_children else None
    return function


def is_awaited(call: Node, builder: Builder) -> bool:
    """Whether a call's node begins with the `await` of `await load<Cart>()`: see callee_of."""
    return _AWAIT.match(builder.source, call.start_byte) is not None


def decorated_class(call: Node | None) -> Node | None:
    """Return the class that the call of a decorator decorates, `@name(…) export class A`; None for another call."""
    decorator = call.parent if call is not None else None
    owner = decorator.parent if decorator is not None and decorator.type == "decorator" else None
    if owner is not None and owner.type == "export_statement":
        owner = owner.child_by_field_name("declaration") or owner.child_by_field_name("value")
    return owner if owner is not None and owner.type in _CLASSES else None


def literal(text: str) -> str:
    """Return a property's name without quotes."""
    return text[1:-1] if text[:1] in ("'", '"') and text[:1] == text[-1:] and len(text) > 2 else text


def string_of(node: Node | None, builder: Builder) -> str:
    """Return the content of a string literal; empty for anything else."""
    if node is None or node.type not in ("string", "template_string"):
        return ""
    text = builder.text(node)[1:-1]
    return "" if "${" in text else text


def raw_comment(source: bytes, start: int) -> str:
    """Return the text of the JSDoc comment that ends right above `start`, without delimiters; empty for none."""
    end = source.rfind(b"*/", max(0, start - _DOC_NEAR), start)
    between = source[end + 2 : start].strip() if end >= 0 else b""
    if end < 0 or (between and not _PREFIX.match(between)):
        return ""
    opening = source.rfind(b"/**", max(0, start - _DOC_REACH), end)
    if opening < 0 or b"*/" in source[opening + 3 : end]:  # the `/**` starts an earlier comment; this one is no JSDoc
        return ""
    return source[opening + 3 : end].decode("utf-8", "replace")


def comment_above(source: bytes, start: int) -> str:
    """Return the first paragraph of the JSDoc comment right above `start`, on one line; empty for none."""
    comment = raw_comment(source, start)
    lines = [line.strip().lstrip("*").strip() for line in comment.split("\n")] if comment else []
    paragraph: list[str] = []
    for line in lines:
        if line.startswith("@") or (not line and paragraph):
            break
        if line:
            paragraph.append(line)
    return " ".join(paragraph)


def is_exported_name(draft: Draft) -> bool:
    """Whether a member of an exported class is visible outside: neither `#private` nor declared private."""
    return not draft.name.startswith("#") and not draft.signature.startswith(("private ", "protected "))


def method_kind(name: str) -> SymbolKind:
    """Return a class member's kind by its name."""
    return Symbols.CONSTRUCTOR if name == "constructor" else Symbols.METHOD


def modifiers(member: Node, start: int) -> list[Node]:
    """Return the nodes that may be modifiers of a member that starts at `start`; most members have none."""
    name = member.child_by_field_name("name")
    return member.children[:5] if name is None or name.start_byte > start else []


def function_kind(name: str) -> SymbolKind:
    """Return a function's kind by its name."""
    return Symbols.HOOK if _HOOK.match(name) else Symbols.FUNCTION


def makes_component(callee: Expression) -> bool:
    """Whether a call of this function returns a React component: `memo`, `React.forwardRef`, `lazy`."""
    return last_name(callee) in _COMPONENTS


def wrapped_functions(value: Node | None, builder: Builder, depth: int = 0) -> list[Node]:
    """Return the functions that get the name of a variable: its value, or the function arguments of a wrapper call.

    Nested wrappers count only for components: `memo(forwardRef(…))`.
    """
    kind = value.type if value is not None else ""
    if value is None or kind != "call_expression" or is_awaited(value, builder):
        return [value] if value is not None and kind in VALUES else []
    arguments = value.child_by_field_name("arguments")
    if arguments is None or arguments.type != "arguments":
        return []
    given = arguments.named_children
    found = [argument for argument in given if argument.type in VALUES]
    if not found and given and depth < _WRAPPED and _is_component_wrapper(value, builder):
        return wrapped_functions(given[0], builder, depth + 1)
    return found


def _is_component_wrapper(call: Node, builder: Builder) -> bool:
    callee = call.child_by_field_name("function")
    return callee is not None and makes_component(builder.text(callee))


def last_assigned(value: Node) -> Node:
    """Return the value of a chained assignment: `value` of `a = b = value`."""
    for _ in range(_CHAINED):
        right = unwrapped(value.child_by_field_name("right")) if value.type == "assignment_expression" else None
        if right is None:
            break
        value = right
    return value
