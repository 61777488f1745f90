"""Reads types from TypeScript's syntax nodes, and from JavaScript's comments."""

from collections.abc import Callable
from functools import lru_cache
from zlib import crc32

from tree_sitter import Node, Parser

from bearings.code.languages.ecmascript.names import literal
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.grammars import grammar
from bearings.code.languages.shared.node_text import PlainReading, Reading
from bearings.code.languages.shared.nodes import first
from bearings.code.models import Language
from bearings.code.type_expressions import (
    ArrayType,
    ConditionalType,
    FunctionType,
    ImportType,
    IndexedType,
    IntersectionType,
    LiteralType,
    ObjectType,
    OtherType,
    RestType,
    TupleType,
    TypedMember,
    TypedParameter,
    TypeExpression,
    TypePredicate,
    TypeQuery,
    TypeReference,
    union,
)

_LONGEST = 6_000
"""The most bytes of a type that is read. A longer one is a table of data."""
_DEEPEST = 60
"""The most levels of types within types that are read."""
_NAMES = frozenset({"type_identifier", "identifier", "predefined_type", "this_type", "this"})
_DOTTED = frozenset({"nested_type_identifier", "nested_identifier", "member_expression"})
_INSIDE = frozenset({
    "type_annotation", "opting_type_annotation", "omitting_type_annotation", "adding_type_annotation",
    "type_predicate_annotation", "asserts_annotation", "parenthesized_type", "readonly_type", "optional_type",
    "asserts", "constraint", "default_type",
})  # fmt: skip
"""Nodes around the type that they stand for."""
_ANNOTATIONS = frozenset({"type_annotation", "opting_type_annotation"})
_LITERALS = frozenset({"literal_type", "union_type"})
_FUNCTIONS = frozenset({"function_type", "constructor_type", "call_signature", "construct_signature"})
_RESULT = ("return_type", "type")


def type_of(node: Node, builder: Builder) -> TypeExpression:
    """Return the type that a node names; types that are written alike are one object."""
    if node.type in _NAMES:
        return builder.text(node)
    if node.end_byte - node.start_byte > _LONGEST:
        return OtherType()
    text = builder.type_text(node)
    known = builder.types.get(text)
    if known is None:
        known = builder.types[text] = _Reader(builder.reading).read(node)
    return known


def type_arguments(node: Node | None, builder: Builder) -> tuple[TypeExpression, ...]:
    """Return the types of a node `<A, B>`."""
    return tuple(type_of(child, builder) for child in node.named_children) if node is not None else ()


def function_of(node: Node, builder: Builder) -> FunctionType | None:
    """Return the type of a function's head; None if it names no type."""
    listed, result = node.child_by_field_name("parameters"), node.child_by_field_name("return_type")
    if result is None and (listed is None or builder.source.find(b":", *listed.byte_range) < 0):
        return None
    found = _Reader(builder.reading).function(node)
    is_typed = found.generics or found.result is not None or any(each.type is not None for each in found.parameters)
    return found if is_typed else None


def mapped_keys(node: Node, builder: Builder) -> IndexedType | None:
    """Return the type and the name of the keys of an index signature in a mapped type; None for another one."""
    clause = next((child for child in node.named_children if child.type == "mapped_type_clause"), None)
    return _Reader(builder.reading).mapped(clause) if clause is not None else None


@lru_cache(maxsize=1 << 14)
def type_in_comment(text: str) -> TypeExpression:
    """Return the type that a comment names, in TypeScript's syntax."""
    source = f"let _: {text}".encode()
    tree = Parser(grammar(Language.TYPESCRIPT)).parse(source)
    declarations = tree.root_node.named_children
    declarators = declarations[0].named_children if len(declarations) == 1 else []
    declarator = declarators[-1] if declarators else None
    type_ = declarator.child_by_field_name("type") if declarator is not None else None
    if type_ is None or tree.root_node.has_error:
        return OtherType()
    return _Reader(PlainReading(source)).read(type_)


class _Reader:
    """Reads the types of one source."""

    def __init__(self, reading: Reading) -> None:
        self._text = reading.text
        self._line = reading.one_line
        self._depth = 0
        self._inferred: list[str] = []

    def read(self, node: Node) -> TypeExpression:
        """Return the type that a node names."""
        if self._depth > _DEEPEST:
            return OtherType()
        self._depth += 1
        found = self._read(node)
        self._depth -= 1
        return found

    def _read(self, node: Node) -> TypeExpression:
        kind = node.type
        if kind in _NAMES:
            return self._text(node)
        if kind in _INSIDE:
            inner = node.named_children[-1] if node.named_child_count else None
            if inner is None:
                return OtherType()
            is_literal = kind in _ANNOTATIONS and inner.type in _LITERALS
            values = self._values(inner) if is_literal else ()
            return LiteralType(values) if values else self.read(inner)
        if kind in _DOTTED:
            return self._dotted(node)
        if kind in _FUNCTIONS:
            return self.function(node)
        method = _METHODS.get(kind)
        return method(self, node) if method is not None else self._other(node)

    def _all(self, nodes: list[Node]) -> tuple[TypeExpression, ...]:
        return tuple(self.read(node) for node in nodes if node.type != "comment")

    def _other(self, node: Node) -> TypeExpression:
        return OtherType(self._all(node.named_children))

    def _dotted(self, node: Node) -> TypeExpression:
        call = node
        names: list[str] = []
        while call.type in _DOTTED:
            # Of `import("a").B.C`, child_by_field_name gives the property of the node inside; this gives the own one.
            name = call.children_by_field_name("property") or call.children_by_field_name("name")
            names.insert(0, self._text(name[-1]) if name else "?")
            inner = call.child_by_field_name("object") or call.child_by_field_name("module")
            if inner is None:
                return OtherType()
            call = inner
        if call.type == "call_expression":
            return self._imported(call, tuple(names))
        return ".".join([self._text(call), *names])

    def _imported(self, call: Node, names: tuple[str, ...] = (), *, is_value: bool = False) -> TypeExpression:
        """Return the type of `import("module").names`."""
        callee, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        module = first(given)
        if callee is None or callee.type != "import" or module is None or module.type != "string":
            return self._other(call)
        return ImportType(self._text(module)[1:-1], names, (), is_value)

    def _generic(self, node: Node) -> TypeExpression:
        name, given = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
        arguments = self._all(given.named_children) if given is not None else ()
        base = self.read(name) if name is not None else OtherType()
        if isinstance(base, ImportType):
            return ImportType(base.module, base.names, arguments)
        return TypeReference(base, arguments) if isinstance(base, str) else OtherType(arguments)

    def _operands(self, node: Node) -> list[TypeExpression]:
        return [self.read(operand) for operand in _operands(node)]

    def _values(self, node: Node) -> tuple[str, ...]:
        """Return the values of a literal type, or of a union of such types; none for another type."""
        values: list[str] = []
        for operand in _operands(node) if node.type == "union_type" else [node]:
            inner = operand.named_children[0] if operand.type == "literal_type" and operand.named_child_count else None
            if inner is None:
                return ()
            text = self._text(inner)
            if inner.type not in ("null", "undefined"):
                values.append(f'"{text[1:-1]}"' if inner.type == "string" else text)
        return tuple(values)

    def _union(self, node: Node) -> TypeExpression:
        values = self._values(node)
        return LiteralType(values) if values else union(self._operands(node))

    def _intersection(self, node: Node) -> TypeExpression:
        parts: list[TypeExpression] = []
        for part in self._operands(node):
            parts += part.parts if isinstance(part, IntersectionType) else (part,)
        return IntersectionType(tuple(parts)) if len(parts) > 1 else parts[0] if parts else OtherType()

    def _array(self, node: Node) -> TypeExpression:
        return ArrayType(self.read(node.named_children[0])) if node.named_child_count else OtherType()

    def _tuple(self, node: Node) -> TypeExpression:
        parts: list[TypeExpression] = []
        for child in node.named_children:
            if child.type == "comment":
                continue
            type_ = child.child_by_field_name("type") if child.type.endswith("_parameter") else None
            name = child.child_by_field_name("name") if type_ is not None else None
            found = self.read(type_ if type_ is not None else child)
            parts.append(RestType(found) if name is not None and name.type == "rest_pattern" else found)
        return TupleType(tuple(parts))

    def _rest(self, node: Node) -> TypeExpression:
        return RestType(self.read(node.named_children[-1])) if node.named_child_count else OtherType()

    def function(self, node: Node) -> FunctionType:
        """Return the type of a function: of a type, a signature, or a declaration's head."""
        listed, generics = node.child_by_field_name("parameters"), node.child_by_field_name("type_parameters")
        result = next(filter(None, map(node.child_by_field_name, _RESULT)), None)
        single = node.child_by_field_name("parameter")
        parameters = [self._parameter(child) for child in listed.named_children] if listed is not None else []
        if single is not None:
            parameters = [TypedParameter(self._text(single))]
        declared = generics.named_children if generics is not None else []
        names = [child.child_by_field_name("name") for child in declared]
        limits = tuple(self._limit(child) for child in declared if child.type != "comment")
        this = next((child for child in listed.named_children if _is_this(child)), None) if listed is not None else None
        receiver = this.child_by_field_name("type") if this is not None else None
        return FunctionType(
            tuple(parameter for parameter in parameters if parameter is not None),
            self.read(result) if result is not None else None,
            tuple(self._text(name) for name in names if name is not None),
            node.type in ("constructor_type", "construct_signature"),
            limits if any(limit != OtherType() for limit in limits) else (),
            self.read(receiver) if receiver is not None else None,
        )

    def _limit(self, node: Node) -> TypeExpression:
        """Return what a type parameter is where no argument tells it: of its default or constraint, or of either."""
        fields = [node.child_by_field_name(field) for field in ("value", "constraint")]
        return union([self.read(each) for each in fields if each is not None])

    def _parameter(self, node: Node) -> TypedParameter | None:
        """Return a parameter; None for `this` and comments."""
        pattern = node.child_by_field_name("pattern") or node
        if pattern.type in ("this", "comment", "decorator"):
            return None
        if pattern.type == "assignment_pattern":
            pattern = pattern.child_by_field_name("left") or pattern
        type_ = node.child_by_field_name("type")
        is_rest = pattern.type == "rest_pattern"
        inner = pattern.named_children[0] if is_rest and pattern.named_child_count else pattern
        name = self._text(inner) if inner.type == "identifier" else ""
        return TypedParameter(name, self.read(type_) if type_ is not None else None, is_rest)

    def _object(self, node: Node) -> TypeExpression:
        members = [member for child in node.named_children for member in self._members(child)]
        key = crc32(self._line(node.start_byte, node.end_byte).encode())
        if not any(member.name for member in members):
            return OtherType(tuple(member.type for member in members if member.type is not None))
        return ObjectType(tuple(members), key)

    def _members(self, node: Node) -> list[TypedMember]:
        name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        if node.type == "property_signature" and name is not None:
            return [TypedMember(self._key(name), self.read(type_) if type_ is not None else None)]
        if node.type == "method_signature" and name is not None:
            is_getter = any(child.type == "get" for child in node.children[:3])
            function = self.function(node)
            return [TypedMember(self._key(name), function.result if is_getter else function)]
        if node.type == "index_signature":
            mapped = next((child for child in node.named_children if child.type == "mapped_type_clause"), None)
            value = self.read(type_) if type_ is not None else None
            if mapped is None:
                return [TypedMember("[]", value)]
            keys = self.mapped(mapped)
            is_same = isinstance(value, IndexedType)  # such as `A[K]`, which says no more than the type of the keys
            if keys is None:
                return [TypedMember("" if is_same else "[]", value), TypedMember("", self._other(mapped))]
            return [TypedMember("[of]" if is_same else "[]", value), TypedMember("[in]", keys)]
        if node.type in _FUNCTIONS:
            return [TypedMember("", self.function(node))]
        return []

    def mapped(self, clause: Node) -> IndexedType | None:
        """Return the type and the name of the keys in `K in keyof T`, as `T[K]`; None for other keys."""
        name, keys = clause.child_by_field_name("name"), clause.child_by_field_name("type")
        is_keyof = keys is not None and keys.type == "index_type_query" and clause.child_by_field_name("alias") is None
        if name is None or keys is None or not is_keyof or not keys.named_child_count:
            return None
        return IndexedType(self.read(keys.named_children[0]), None, self._text(name))

    def _key(self, name: Node) -> str:
        return literal(self._text(name)) if name.type in ("property_identifier", "string") else ""

    def _query(self, node: Node) -> TypeExpression:
        inner = first(node)
        if inner is None:
            return OtherType()
        if inner.type == "call_expression":
            return self._imported(inner, is_value=True)
        if inner.type == "instantiation_expression" and inner.named_child_count:
            inner = inner.named_children[0]
        if inner.type not in _DOTTED and inner.type not in _NAMES:
            return OtherType()
        found = self.read(inner)
        if isinstance(found, ImportType):
            return ImportType(found.module, found.names, (), is_value=True)
        return TypeQuery(found) if isinstance(found, str) else OtherType()

    def _lookup(self, node: Node) -> TypeExpression:
        base, index = node.named_children[0], node.named_children[-1]
        inner = index.named_children[0] if index.type == "literal_type" and index.named_child_count else None
        if inner is not None and inner.type == "string":
            return IndexedType(self.read(base), self._text(inner)[1:-1])
        if inner is not None and inner.type == "number" and self._text(inner).isdecimal():
            return IndexedType(self.read(base), int(self._text(inner)))
        return IndexedType(self.read(base), None, self.read(index))

    def _conditional(self, node: Node) -> TypeExpression:
        fields = [node.child_by_field_name(name) for name in ("left", "right", "consequence", "alternative")]
        around, self._inferred = self._inferred, []
        checked, extends = (self.read(field) if field is not None else OtherType() for field in fields[:2])
        inferred, self._inferred = tuple(dict.fromkeys(self._inferred)), around
        then, otherwise = (self.read(field) if field is not None else OtherType() for field in fields[2:])
        return ConditionalType(checked, extends, then, otherwise, inferred)

    def _literal(self, node: Node) -> TypeExpression:
        inner = first(node)
        values = self._values(node)
        return LiteralType(values) if values else self._text(inner) if inner is not None else OtherType()

    def _predicate(self, node: Node) -> TypeExpression:
        name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        return (
            TypePredicate(self._text(name), self.read(type_)) if name is not None and type_ is not None else OtherType()
        )

    def _inferring(self, node: Node) -> TypeExpression:
        name, *limits = node.named_children
        self._inferred.append(self._text(name))
        parts = (self._text(name), *self._all(limits))
        return IntersectionType(parts) if limits else parts[0]


def _operands(node: Node) -> list[Node]:
    """Return the operands of `A | B | …` or `A & B & …`, whose tree is as deep as it has operands."""
    kind, operands = node.type, [node]
    while operands and operands[0].type == kind:
        operands[:1] = [child for child in operands[0].named_children if child.type != "comment"]
    return operands


def _is_this(parameter: Node) -> bool:
    pattern = parameter.child_by_field_name("pattern")
    return pattern is not None and pattern.type == "this"


_METHODS: dict[str, Callable[[_Reader, Node], TypeExpression]] = {
    "call_expression": _Reader._imported,
    "generic_type": _Reader._generic,
    "union_type": _Reader._union,
    "intersection_type": _Reader._intersection,
    "array_type": _Reader._array,
    "tuple_type": _Reader._tuple,
    "rest_type": _Reader._rest,
    "object_type": _Reader._object,
    "type_query": _Reader._query,
    "lookup_type": _Reader._lookup,
    "conditional_type": _Reader._conditional,
    "literal_type": _Reader._literal,
    "type_predicate": _Reader._predicate,
    "infer_type": _Reader._inferring,
}
"""Kinds of nodes → the method that reads them."""
