"""Reads types from Python's annotations, and from the strings in them."""

import ast
from functools import lru_cache

from tree_sitter import Node

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import beyond, first
from bearings.code.type_expressions import (
    FunctionType,
    OtherType,
    TupleType,
    TypedParameter,
    TypeExpression,
    TypeReference,
    union,
)

_LONGEST = 2_000
"""The most bytes of an annotation that is read."""
_DEEPEST = 60
"""The most levels of types within types that are read."""
_UNIONS = frozenset({"Union", "Optional"})
_NAMES = frozenset({"identifier", "none", "ellipsis"})
_DOTTED = frozenset({"attribute", "member_type"})
_GENERIC = frozenset({"generic_type", "subscript"})
_LISTS = frozenset({"list", "tuple"})
_RECEIVERS = frozenset({"self", "cls"})
_QUALIFIERS = frozenset({"Final", "ClassVar"})


def type_of(node: Node, builder: Builder) -> TypeExpression:
    """Return the type of an annotation; types that are written alike are one object."""
    if node.end_byte - node.start_byte > _LONGEST:
        return OtherType()
    text = builder.type_text(node)
    known = builder.types.get(text)
    if known is None:
        known = builder.types[text] = _read(node, builder, 0)
    return known


def is_bare_qualifier(annotation: TypeExpression | None) -> bool:
    """Whether an annotation leaves the type to the value: `limit: Final = 3`."""
    return isinstance(annotation, str) and annotation.rpartition(".")[2] in _QUALIFIERS


def function_of(node: Node, builder: Builder) -> FunctionType | None:
    """Return the type of a function's head, without its result; None if no parameter has an annotation."""
    listed = node.child_by_field_name("parameters")
    if listed is None or builder.source.find(b":", *listed.byte_range) < 0:
        return None
    parameters = _parameters(node, listed, builder)
    return FunctionType(parameters) if any(each.type is not None for each in parameters) else None


def overload_of(node: Node, builder: Builder) -> FunctionType:
    """Return the type of an overload."""
    listed, result = node.child_by_field_name("parameters"), node.child_by_field_name("return_type")
    parameters = _parameters(node, listed, builder) if listed is not None else ()
    return FunctionType(parameters, type_of(result, builder) if result is not None else None)


def _parameters(function: Node, listed: Node, builder: Builder) -> tuple[TypedParameter, ...]:
    """Return the parameters of a function, without a method's own object."""
    parameters: list[TypedParameter] = []
    for place, child in enumerate(listed.named_children):
        name = child if child.type == "identifier" else child.child_by_field_name("name") or first(child)
        type_ = child.child_by_field_name("type")
        text = builder.text(name) if name is not None else ""
        is_receiver = text in _RECEIVERS and (type_ is None or (place == 0 and _is_in_class(function)))
        if not is_receiver and "separator" not in child.type:
            parameters.append(TypedParameter(text, type_of(type_, builder) if type_ is not None else None))
    return tuple(parameters)


def _is_in_class(function: Node) -> bool:
    """Whether a function stands directly in a class."""
    here = beyond(function, ("decorated_definition", "block"))
    return here is not None and here.type == "class_definition"


def _read(node: Node, builder: Builder, depth: int) -> TypeExpression:
    kind = node.type
    if depth > _DEEPEST:
        return OtherType()
    if kind in _NAMES:
        return builder.text(node)
    if kind in ("type", "parenthesized_expression", "constrained_type", "splat_type"):
        return _read(node.named_children[0], builder, depth + 1) if node.named_child_count else OtherType()
    if kind in _DOTTED:
        text = builder.text(node)
        return text if text.replace(".", "").isidentifier() else _other(node, builder, depth)
    if kind in _GENERIC:
        return _generic(node, builder, depth)
    if kind == "union_type" or (kind == "binary_operator" and node.children[1].type == "|"):
        return union([_read(part, builder, depth + 1) for part in node.named_children])
    if kind in _LISTS:
        return TupleType(tuple(_read(part, builder, depth + 1) for part in node.named_children))
    if kind == "string":
        return _quoted("".join(builder.text(part) for part in node.named_children if part.type == "string_content"))
    return _other(node, builder, depth)


def _other(node: Node, builder: Builder, depth: int) -> TypeExpression:
    """Return the names in an expression that is no type, such as a call in `Annotated`."""
    inside = (part for part in node.named_children if part.type not in ("string", "integer", "float", "comment"))
    return OtherType(tuple(_read(part, builder, depth + 1) for part in inside))


def _generic(node: Node, builder: Builder, depth: int) -> TypeExpression:
    """Return the type of `name[arguments]`."""
    first, *rest = node.named_children
    if node.type == "generic_type" and rest:
        rest = rest[0].named_children
    name = _read(first, builder, depth + 1)
    if not isinstance(name, str):
        return _other(node, builder, depth)
    is_literal = name.rpartition(".")[2] == "Literal"
    return _applied(
        name, () if is_literal else tuple(_read(part, builder, depth + 1) for part in rest if part.type != "comment")
    )


def _applied(name: str, arguments: tuple[TypeExpression, ...]) -> TypeExpression:
    if name.rpartition(".")[2] in _UNIONS and arguments:
        return union(list(arguments))
    return TypeReference(name, arguments)


@lru_cache(maxsize=1 << 14)
def _quoted(text: str) -> TypeExpression:
    """Return the type in a string, a reference to a class that is defined later."""
    try:
        return _of_tree(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return OtherType()


def _of_tree(node: ast.expr) -> TypeExpression:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            owner = _of_tree(node.value)
            return f"{owner}.{node.attr}" if isinstance(owner, str) else OtherType((owner,))
        case ast.Constant(value=None):
            return "None"
        case ast.Constant(value=str()):
            return _quoted(str(node.value))
        case ast.Constant() if node.value is ...:
            return "..."
        case ast.BinOp(op=ast.BitOr()):
            return union([_of_tree(node.left), _of_tree(node.right)])
        case ast.List() | ast.Tuple():
            return TupleType(tuple(map(_of_tree, node.elts)))
        case ast.Subscript():
            name, inside = _of_tree(node.value), node.slice
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            is_literal = isinstance(name, str) and name.rpartition(".")[2] == "Literal"
            arguments = () if is_literal else tuple(map(_of_tree, parts))
            return _applied(name, arguments) if isinstance(name, str) else OtherType((name, *arguments))
    return OtherType(tuple(_of_tree(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)))
