"""Visitor methods that infer types from context: of patterns, callbacks, loops, return values, call signatures."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.expressions import Item, Listed, Take, Typed, extended, is_known, root_of
from bearings.code.file_facts import CallSite, Trait
from bearings.code.languages.ecmascript.expressions import CHOICES, TYPED_ARGUMENTS, expression, store_arguments
from bearings.code.languages.ecmascript.names import FUNCTION_NODES, literal, unwrapped
from bearings.code.languages.ecmascript.type_nodes import mapped_keys, type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Expected
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.nodes import first

_RETURNS = 4
"""The most return values that are stored for a function: with a fifth, the types repeat or are too mixed to help."""
_DEEPEST, _ELEMENTS = 12, 50
"""The levels of nested literals, and the elements of an array, to which expected types are passed on."""
_PATTERN = re.compile(rb"[{\[]")
"""The start of a pattern."""
EXPECTING = FUNCTION_NODES | CHOICES | {"object", "array"}


def pattern_names(
    pattern: Node, expected: Expected, builder: Builder, scope: int = -1
) -> Iterator[tuple[Node, Expected]]:
    """Yield every name that a pattern binds, and its expected type; add the properties that it reads, in `scope`."""
    kind = pattern.type
    if kind in ("identifier", "shorthand_property_identifier_pattern"):
        yield pattern, expected
    elif kind == "object_pattern":
        for part in pattern.named_children:
            yield from _property_names(part, expected, builder, scope)
    elif kind == "array_pattern":
        value = expected.whole()
        if value is not None and type(root_of(value)) is not Listed:
            builder.add_access(pattern, Edges.CALL, extended(value, "[Symbol.iterator]"), scope)
        for position, part in elements_of(pattern):
            rest = first(part) if part.type == "rest_pattern" else None  # `const [one, ...others] = carts`
            taken = Item(Take.ELEMENT, position) if rest is None else Item(Take.SAME, key="slice")
            yield from pattern_names(rest or part, expected.step(taken), builder, scope)
    elif kind in ("assignment_pattern", "object_assignment_pattern"):
        left = pattern.child_by_field_name("left")
        if left is not None:
            yield from pattern_names(left, expected, builder, scope)
    elif kind == "rest_pattern":
        inner = first(pattern)
        if inner is not None:
            yield from pattern_names(inner, Expected(), builder, scope)


def elements_of(pattern: Node) -> Iterator[tuple[int, Node]]:
    """Yield the elements of an array pattern with their positions; an element may be left out."""
    position = 0
    for part in pattern.children:
        if part.type == ",":
            position += 1
        elif part.is_named:
            yield position, part


def _property_names(part: Node, expected: Expected, builder: Builder, scope: int) -> Iterator[tuple[Node, Expected]]:
    if part.type == "pair_pattern":
        key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
        if key is not None and value is not None:
            known = key.type in ("property_identifier", "string")
            name = literal(builder.text(key)) if known else ""
            builder.add_access(key, Edges.READ, expected.member(name), scope)
            yield from pattern_names(value, expected.step(name) if name else Expected(), builder, scope)
        return
    bound = part.child_by_field_name("left") if part.type == "object_assignment_pattern" else part
    if bound is not None and bound.type == "shorthand_property_identifier_pattern":
        name = builder.text(bound)
        builder.add_access(bound, Edges.READ, expected.member(name), scope)
        yield bound, expected.step(name)
    elif part.type == "rest_pattern" and (rest := first(part)) is not None:
        yield rest, expected
    else:
        yield from pattern_names(part, Expected(), builder, scope)


class Contexts:
    """Visitor methods that pass expected types on to functions and names."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def expect(self, node: Node, expected: Expected, depth: int = 0) -> None:
        """Record the expected type of a function, or of the functions in an object or array literal."""
        if node.type in FUNCTION_NODES:
            self.builder.expectations.functions[node.byte_range] = expected
        elif depth >= _DEEPEST:
            return
        elif node.type == "array" and self._expects(*node.byte_range):
            for position, element in enumerate(node.named_children[:_ELEMENTS]):
                self.expect(unwrapped(element) or element, expected.step(Item(Take.ELEMENT, position)), depth + 1)
        elif node.type == "ternary_expression":
            for branch in node.named_children[1:]:
                self.expect(unwrapped(branch) or branch, expected, depth + 1)
        elif node.type == "binary_expression" and node.children[1].type in ("??", "||", "&&"):
            right = unwrapped(node.children[-1])
            if right is not None:
                self.expect(right, expected, depth + 1)
        elif node.type == "object":
            for part in node.named_children:
                self._expect_property(part, expected, depth)

    def expect_alternative(self, node: Node) -> None:
        """Expect of the object in `cart || { price: 0 }` what the value before it is."""
        if node.type == "binary_expression" and node.children[1].type in ("??", "||"):
            right = unwrapped(node.children[-1])
            if right is not None and right.type == "object":
                self.expect(right, Expected(value=expression(node.children[0], self.builder)))

    def _expect_property(self, part: Node, expected: Expected, depth: int) -> None:
        """Add a property of an object literal as a write of the expected type's property, and expect its value."""
        builder = self.builder
        if part.type == "spread_element":  # `...(isFree && { price: 0 })`
            if (spread := unwrapped(first(part))) is not None and spread.type in CHOICES:
                self.expect(spread, expected, depth + 1)
            return
        key = part.child_by_field_name("key") or part.child_by_field_name("name")
        if part.type == "shorthand_property_identifier":
            key = part
        elif key is not None and key.type in ("number", "computed_property_name"):  # `{ 1: { price: 0 } }`
            if (value := unwrapped(part.child_by_field_name("value"))) is not None:
                self.expect(value, expected.step(Item(Take.ELEMENT)), depth + 1)
            return
        elif key is None or key.type not in ("property_identifier", "string"):
            return
        name = literal(builder.text(key))
        if not builder.is_untyped:
            builder.add_access(key, Edges.WRITE, expected.member(name))
        value = part if part.type == "method_definition" else unwrapped(part.child_by_field_name("value"))
        if value is not None:
            self.expect(value, expected.step(name), depth + 1)

    def on_asserted(self, node: Node, _start: int, _end: int) -> None:
        """Expect the type of an assertion of its literal: `{ … } satisfies Cart`, `<Cart>{ … }`; both name the type."""
        value, parts = unwrapped(node), node.named_children
        type_ = first(parts[0]) if node.type == "type_assertion" else parts[-1]
        if value is None or type_ is None or len(parts) == 1:
            return  # `as const`
        declared = type_of(type_, self.builder)
        self.builder.typed(type_, declared)
        if value.type in EXPECTING:
            self.expect(value, Expected(type=declared))

    def arguments(self, node: Node, number: int, start: int, end: int) -> None:
        """Record what the callee expects of the functions among a call's arguments."""
        if not self._expects(start, end):
            return
        arguments = node.child_by_field_name("arguments")
        if arguments is None or arguments.type != "arguments":
            return
        is_given = not self.builder.is_untyped and any(
            part.type == "string" or (part.type in TYPED_ARGUMENTS and part.type != "array")
            for part in arguments.named_children
        )
        for position, argument in enumerate(arguments.named_children):
            value = unwrapped(argument)
            if value is not None and value.type in EXPECTING:
                self.expect(value, Expected(context=(number, position, ())))
                if is_given and value.type != "array":
                    store_arguments(node, number, self.builder)

    def _expects(self, start: int, end: int) -> bool:
        """Whether code may hold a function or an object, whose types may be expected."""
        builder = self.builder
        has_object = not builder.is_untyped and builder.source.find(b"{", start, end) >= 0
        return has_object or builder.holds_function(start, end)

    def invoked(self, node: Node, number: int) -> None:
        """Record a function that is called where it is written: `(() => value)()`."""
        called = unwrapped(node.child_by_field_name("function"))
        if called is not None and called.type in ("arrow_function", "function_expression"):
            self.builder.expectations.invoked[called.byte_range] = number

    def parameters(self, node: Node, scope: int, expected: Expected | None) -> None:
        """Preset the types of parameters that have no annotation of their own.

        The type comes from the annotation of a pattern around the name, or from the type expected of the function.
        """
        builder = self.builder
        single = node.child_by_field_name("parameter")
        if single is not None:
            if expected is not None:
                given = expected.parameter(0)
                builder.expectations.names[scope, builder.text(single)] = given.type, given.value
            return
        parameters = node.child_by_field_name("parameters")
        if parameters is None or (expected is None and not _PATTERN.search(builder.source, *parameters.byte_range)):
            return
        position = -1
        for parameter in parameters.named_children:
            pattern = parameter.child_by_field_name("pattern") or parameter
            position += pattern.type not in ("this", "comment")
            annotation = parameter.child_by_field_name("type")
            if annotation is not None and pattern.type == "identifier":
                continue
            given = expected.parameter(position) if expected is not None else Expected()
            default = parameter.child_by_field_name("value")
            if annotation is not None:
                given = Expected(type=type_of(annotation, builder))
            elif default is not None and not given:  # `({ size } = {} as Options) => …`
                value = expression(default, builder)
                given = Expected(value=value if is_known(value) else None)
            for name, wanted in pattern_names(pattern, given, builder, scope):
                if wanted:
                    builder.expectations.names[scope, builder.text(name)] = wanted.type, wanted.value

    def returned(self, node: Node, scope: int, here: int) -> None:
        """Bind a return value of the function that owns `scope`; `here` is the scope of the value's expression."""
        builder = self.builder
        if scope in builder.declared_returns:
            bare, type_ = unwrapped(node) or node, builder.declared_returns[scope]
            self.expect(bare, Expected(type=type_))
            if bare.type == "object":
                builder.uses.append(CallSite(Edges.IMPLEMENTS, Typed(type_), builder.line(bare), here))
            return
        if scope in builder.expectations.results:
            self.expect(unwrapped(node) or node, builder.expectations.results[scope])
        if builder.return_counts.get(scope, 0) >= _RETURNS:
            return
        bare = unwrapped(node) or node
        if bare.type in FUNCTION_NODES or bare.type == "class":
            builder.expectations.returned[bare.byte_range] = scope, here
            return
        value = expression(node, builder)
        if is_known(value):
            builder.add_return(node, scope, here, value)

    def on_return(self, node: Node, _start: int, _end: int) -> None:
        """Bind the value of a return statement to the innermost function."""
        scope = self.builder.scope_of(Scopes.FUNCTION, Scopes.ARROW)
        if scope >= 0:
            self.returned(node, scope, self.builder.frames[-1].scope)

    def on_yield(self, node: Node, _start: int, _end: int) -> None:
        """Bind a value that a generator yields as an element of its result, unless its annotation says more."""
        builder = self.builder
        here, scope = builder.frames[-1].scope, builder.scope_of(Scopes.FUNCTION, Scopes.ARROW)
        if scope < 0:
            return
        whole = node.parent
        is_from = whole is not None and whole.children[1].type == "*"
        if scope in builder.declared_returns:
            expected = Expected(type=builder.declared_returns[scope])
            self.expect(unwrapped(node) or node, expected if is_from else expected.step(Item(Take.ELEMENT)))
            return
        draft = builder.drafts[builder.scopes[scope][2]]
        if draft.inner == scope and not draft.traits & Trait.GENERATOR:
            draft.traits |= Trait.GENERATOR
            builder.returns = [row for row in builder.returns if row.scope != scope]
        value = expression(node, builder)
        if is_known(value) and builder.return_counts.get(scope, 0) < _RETURNS:
            builder.add_return(node, scope, here, Listed(extended(value, Item(Take.EACH)) if is_from else value))

    def on_loop(self, node: Node, _start: int, _end: int) -> None:
        """Preset the names of a `for … of` loop as elements of the iterated value."""
        builder = self.builder
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None or operator.type != "of":
            return
        value = expression(right, builder)
        if not is_known(value):
            return
        steps = [Item(Take.EACH), *(Item(Take.AWAITED) for child in node.children[:2] if child.type == "await")]
        for name, wanted in pattern_names(left, Expected(value=extended(value, *steps)), builder):
            builder.expectations.names[builder.frames[-1].scope, builder.text(name)] = wanted.type, wanted.value

    def on_functiontype(self, node: Node, _start: int, end: int) -> None:
        """Open the scope of a function type, and bind the call, construct or index signature of an interface."""
        builder = self.builder
        frame = builder.frames[-1]
        draft = builder.drafts[frame.symbol]
        names = {"call_signature": "()", "construct_signature": "new()", "index_signature": "[]"}
        name = names.get(node.type)
        own = draft.kind in (Symbols.INTERFACE, Symbols.TYPE) and draft.inner == frame.scope
        if name and own and frame.prefix == draft.qualified + ".":
            declared = node.child_by_field_name("type") if node.type == "index_signature" else node
            type_ = type_of(declared, builder) if declared is not None else None
            builder.bind(name, Bindings.TYPE, builder.line(node), type_=type_)
            keys = mapped_keys(node, builder) if node.type == "index_signature" else None
            if keys is not None:
                builder.bind("[in]", Bindings.TYPE, builder.line(node), type_=keys)
        if node.type != "index_signature":
            builder.push(end, builder.add_scope(Scopes.FUNCTION, frame.symbol), frame.symbol, frame.prefix)
