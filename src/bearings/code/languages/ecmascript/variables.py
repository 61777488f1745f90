"""Visitor methods for variables, patterns and parameters: the names that they bind, and their symbols."""

from tree_sitter import Node

from bearings.code.expressions import Expression, is_known
from bearings.code.languages.ecmascript.contexts import Contexts, elements_of, pattern_names
from bearings.code.languages.ecmascript.expressions import asserted, awaited_values, expression
from bearings.code.languages.ecmascript.guards import Guards
from bearings.code.languages.ecmascript.jsdoc import types_above
from bearings.code.languages.ecmascript.modules import inline_import
from bearings.code.languages.ecmascript.names import (
    FUNCTIONS,
    VALUES,
    comment_above,
    function_kind,
    last_assigned,
    makes_component,
    unwrapped,
    wrapped_functions,
)
from bearings.code.languages.ecmascript.type_nodes import type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Expected, Local
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.models import SymbolKind

_MODIFIERS = frozenset({"accessibility_modifier", "readonly", "override_modifier"})


class Variables:
    """Visitor methods for variables and parameters."""

    def __init__(self, builder: Builder, guards: Guards, contexts: Contexts) -> None:
        self.builder = builder
        self.guards = guards
        self.contexts = contexts

    def on_const(self, node: Node, start: int, end: int) -> None:
        """Add a declarator of a `const`."""
        self._variable(node, start, end, Symbols.CONSTANT)

    def on_let(self, node: Node, start: int, end: int) -> None:
        """Add a declarator of a `let`."""
        self._variable(node, start, end, Symbols.VARIABLE)

    def on_var(self, node: Node, start: int, end: int) -> None:
        """Add a declarator of a `var`."""
        self._variable(node, start, end, Symbols.VARIABLE)

    def _variable(self, node: Node, start: int, end: int, kind: SymbolKind) -> None:
        builder = self.builder
        name, given = node.child_by_field_name("name"), node.child_by_field_name("value")
        value = unwrapped(given)
        shape = value.type if value is not None else ""
        if name is None or (shape == "call_expression" and inline_import(builder, name, value)):
            return
        annotation = node.child_by_field_name("type")
        type_ = type_of(annotation, builder) if annotation is not None else None
        if type_ is None and value is not None:
            type_ = asserted(given, builder) if given is not value else None
            type_ = types_above(builder, start).type if type_ is None else type_
        if name.type != "identifier":
            source = None
            if value is not None and type_ is None:
                source = self.guards.narrowed(expression(value, builder), value.start_byte)
            given_values = awaited_values(value, builder) if name.type == "array_pattern" and type_ is None else []
            if given_values:
                for position, part in elements_of(name):
                    known = given_values[position] if position < len(given_values) else None
                    self._destructured(part, kind, Expected(value=known))
            else:
                self._destructured(name, kind, Expected(type_=type_, value=source if is_known(source) else None))
            return
        text, functions = builder.text(name), wrapped_functions(value, builder)
        frame = builder.frames[-1]
        is_top = builder.scopes[frame.scope][0] in (Scopes.MODULE, Scopes.CLASS)
        line = builder.line(node)
        result = self._result(value, text) if value is not None else None
        if type_ is not None and value is not None:
            self.contexts.expect(value, Expected(type_=type_))
        if not (is_top or functions):
            builder.locals.append(Local(len(builder.bindings), kind, frame.prefix, frame.symbol, node))
            builder.bind(text, Bindings.LOCAL, line, type_=type_, value=result)
            if shape == "object":
                builder.push(end, frame.scope, frame.symbol, f"{frame.prefix}{text}.")
            return
        draft = builder.declare(text, self._kind_of(text, value, shape, kind, is_top=is_top), node)
        index = builder.index(draft)
        draft.type, draft.value, draft.doc = type_, result, comment_above(builder.source, start)
        draft.signature = builder.head(start, functions[0].child_by_field_name("body") if functions else None, end)
        builder.bind(draft.name, Bindings.SYMBOL, draft.line, index)
        for function in functions:
            builder.pending[function.byte_range] = index
        builder.push(end, frame.scope, index, draft.qualified + ".")

    def _result(self, value: Node, name: str) -> Expression | None:
        """Return the value of a variable of that name; None for a function or a class."""
        builder, source = self.builder, last_assigned(value)
        kind = source.type
        if kind in VALUES:
            return None
        builder.holder = name if kind == "object" else ""
        result = self.guards.narrowed(expression(source, builder), source.start_byte)
        builder.holder = ""
        return result

    def _kind_of(self, name: str, value: Node | None, shape: str, kind: SymbolKind, *, is_top: bool) -> SymbolKind:
        if shape == "class":
            return Symbols.CLASS
        if shape in FUNCTIONS:
            return function_kind(name)
        if value is not None and shape == "call_expression":
            callee = value.child_by_field_name("function") if name[:1].isupper() else None
            if callee is not None and makes_component(expression(callee, self.builder)):
                return Symbols.COMPONENT
            if is_top and function_kind(name) is Symbols.HOOK:
                return Symbols.HOOK
        return kind if is_top else Symbols.FUNCTION

    def _destructured(self, pattern: Node, kind: SymbolKind, expected: Expected) -> None:
        """Bind the names of a pattern: as symbols at the top level, else as local variables."""
        builder = self.builder
        is_top = builder.frames[-1].scope == 0
        for name, wanted in pattern_names(pattern, expected, builder):
            text, line, target = builder.text(name), builder.line(name), -1
            if is_top:
                draft = builder.declare(text, kind, name)
                draft.type, draft.value, draft.signature = wanted.type, wanted.value, text
                target = builder.index(draft)
            kind_of_binding = Bindings.SYMBOL if is_top else Bindings.LOCAL
            builder.bind(text, kind_of_binding, line, target, type_=wanted.type, value=wanted.value)

    def on_bind(self, node: Node, _start: int, _end: int) -> None:
        """Bind any other name of a pattern or parameter list."""
        builder = self.builder
        name = builder.text(node)
        if (builder.frames[-1].scope, name) not in builder.bound:
            type_, value = builder.expected_of(name)
            builder.bind(name, Bindings.PARAMETER, builder.line(node), type_=type_, value=value)

    def on_parameter(self, node: Node, start: int, _end: int) -> None:
        """Bind a typed parameter; one with an accessibility modifier is also a property of the class."""
        builder = self.builder
        pattern, type_ = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        if pattern is None:
            return
        name = builder.text(pattern)
        annotation, value = (type_of(type_, builder), None) if type_ is not None else builder.expected_of(name)
        builder.bind(name, Bindings.PARAMETER, builder.line(node), type_=annotation, value=value)
        if pattern.start_byte > start and _is_property(node):
            owner = builder.drafts[builder.frames[-1].symbol]
            if owner.kind is Symbols.CONSTRUCTOR:
                prefix = owner.qualified.removesuffix("constructor")
                draft = builder.declare(name, Symbols.PROPERTY, node, prefix=prefix)
                draft.parent, draft.scope, draft.type = owner.parent, owner.scope, annotation
                draft.signature = builder.line_of(node)
                builder.members.setdefault((owner.parent, draft.name), builder.index(draft))


def _is_property(parameter: Node) -> bool:
    """Whether a parameter has a modifier that makes it a property; decorators may stand before it."""
    return next(child.type for child in parameter.children if child.type != "decorator") in _MODIFIERS
