"""Reads types from Go's syntax nodes."""

from tree_sitter import Node

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.nodes import first
from bearings.code.type_expressions import (
    ArrayType,
    ChannelType,
    FunctionType,
    MapType,
    ObjectType,
    OtherType,
    PointerType,
    TupleType,
    TypedMember,
    TypedParameter,
    TypeExpression,
    TypeReference,
)

_LONGEST = 8_000
"""The most bytes of a type that is read."""
_DEEPEST = 60
"""The most levels of types within types that are read."""
_NAMES = frozenset({"type_identifier", "identifier"})
_INSIDE = frozenset({"parenthesized_type", "negated_type", "type_constraint", "type_elem"})
"""Nodes that stand for the one type in them; with several, they are a constraint's type set."""
_ANY = "any"


def type_of(node: Node, builder: Builder) -> TypeExpression:
    """Return the type that a node names; types that are written alike are one object."""
    if node.type in _NAMES:
        return builder.text(node)
    if node.end_byte - node.start_byte > _LONGEST:
        return OtherType()
    text = builder.between(node.start_byte, node.end_byte)
    known = builder.types.get(text)
    if known is None:
        known = builder.types[text] = _read(node, builder, 0)
    return known


def type_arguments(node: Node | None, builder: Builder) -> tuple[TypeExpression, ...]:
    """Return the types of a node `[A, B]`."""
    return tuple(type_of(child, builder) for child in node.named_children) if node is not None else ()


def function_type(node: Node, builder: Builder, depth: int = 0) -> FunctionType:
    """Return the type of a function or method."""
    return FunctionType(
        tuple(_parameters(node.child_by_field_name("parameters"), builder, depth)), result_type(node, builder, depth)
    )


def result_type(node: Node, builder: Builder, depth: int = 0) -> TypeExpression | None:
    """Return a function's result type, several as a tuple; None for none."""
    result = node.child_by_field_name("result")
    if result is None:
        return None
    if result.type != "parameter_list":
        return _read(result, builder, depth + 1)
    types = tuple(each.type for each in _parameters(result, builder, depth) if each.type is not None)
    return types[0] if len(types) == 1 else TupleType(types) if types else None


def named_as(node: Node) -> list[Node]:
    """Return the names of a declaration, without the commas in its field `name`."""
    return [name for name in node.children_by_field_name("name") if name.is_named]


def base_name(node: Node | None, builder: Builder) -> str:
    """Return the type name of an embedded field or a receiver: `T` of `*pkg.T[K]`; empty for none."""
    while node is not None:
        if node.type == "type_identifier":
            return builder.text(node)
        if node.type == "qualified_type":
            node = node.child_by_field_name("name")
        elif node.type == "generic_type":
            node = node.child_by_field_name("type")
        else:
            node = first(node)
    return ""


def _read(node: Node, builder: Builder, depth: int) -> TypeExpression:
    kind = node.type
    if kind in _NAMES:
        return builder.text(node)
    if kind == "qualified_type":
        return "".join(builder.text(node).split())
    if depth > _DEEPEST:
        return OtherType()
    if kind in _INSIDE and node.named_child_count == 1:
        return _read(node.named_children[0], builder, depth + 1)
    if kind == "pointer_type" and node.named_child_count:
        return PointerType(_read(node.named_children[0], builder, depth + 1))
    if kind == "function_type":
        return function_type(node, builder, depth)
    if kind == "struct_type":
        return _members(node, builder, depth)
    if kind == "interface_type":
        return _interface(node, builder, depth)
    parts = {field: node.child_by_field_name(field) for field in ("element", "key", "value", "type", "type_arguments")}
    found = {field: _read(part, builder, depth + 1) for field, part in parts.items() if part is not None}
    if kind in ("slice_type", "array_type", "implicit_length_array_type") and "element" in found:
        length = node.child_by_field_name("length")
        return ArrayType(found["element"], builder.text(length) if length is not None else "")
    if kind == "map_type" and "key" in found and "value" in found:
        return MapType(found["key"], found["value"])
    if kind == "channel_type" and "value" in found:
        return ChannelType(found["value"])
    if kind == "generic_type" and isinstance(name := found.get("type"), str):
        given = parts["type_arguments"]
        arguments = tuple(_read(part, builder, depth + 1) for part in given.named_children) if given is not None else ()
        return TypeReference(name, arguments)
    return OtherType(tuple(_read(part, builder, depth + 1) for part in node.named_children))


def _parameters(listed: Node | None, builder: Builder, depth: int) -> list[TypedParameter]:
    """Return each parameter or result; those without a name have an empty one."""
    found: list[TypedParameter] = []
    for child in listed.named_children if listed is not None else ():
        type_ = child.child_by_field_name("type")
        if type_ is not None:
            is_rest = child.type == "variadic_parameter_declaration"
            names = [builder.text(name) for name in named_as(child)] or [""]
            found += [TypedParameter(name, _read(type_, builder, depth + 1), is_rest) for name in names]
    return found


def _members(node: Node, builder: Builder, depth: int) -> TypeExpression:
    """Return a struct; an embedded field has the name of its type."""
    fields = [part for child in node.named_children for part in child.named_children]
    members: list[TypedMember] = []
    for field in fields:
        type_ = field.child_by_field_name("type")
        if type_ is not None:
            names = [builder.text(name) for name in named_as(field)] or [base_name(type_, builder)]
            members += [TypedMember(name, _read(type_, builder, depth + 1)) for name in names]
    return ObjectType(tuple(members))


def _interface(node: Node, builder: Builder, depth: int) -> TypeExpression:
    """Return an interface; of a type set, the only type in it."""
    children = [child for child in node.named_children if child.type != "comment"]
    if not children:
        return _ANY
    if len(children) == 1 and children[0].type == "type_elem":
        return _read(children[0], builder, depth + 1)
    members: list[TypedMember] = []
    for child in children:
        name = child.child_by_field_name("name")
        if child.type == "method_elem" and name is not None:
            members.append(TypedMember(builder.text(name), function_type(child, builder, depth + 1)))
        else:
            members.append(TypedMember("", _read(child, builder, depth + 1)))
    return ObjectType(tuple(members))
