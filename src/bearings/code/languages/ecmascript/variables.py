"""Visitor methods for variables, patterns and parameters: the names that they bind, and their symbols."""

from tree_sitter import Node

from bearings.code.expressions import Expression, is_known
from bearings.code.languages.ecmascript.contexts import Contexts, elements_of, pattern_names
from bearings.code.languages.ecmascript.expressions import asserted, awaited_values, expression
from bearings.code.languages.ecmascript.filled import Filled
from bearings.code.languages.ecmascript.frameworks.vue_props import PROPS, option_props, props_type
from bearings.code.languages.ecmascript.frameworks.zustand import initializer
from bearings.code.languages.ecmascript.guards import Guards
from bearings.code.languages.ecmascript.jsdoc import types_above
from bearings.code.languages.ecmascript.modules import inline_import, loaded_export
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
from bearings.code.languages.embedded.names import OPTIONS_NAME
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft, Expected, Local
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.models import SymbolKind
from bearings.code.type_expressions import TypeExpression

_ASSERTED = ("as_expression", "satisfies_expression")
_MOST_PAIRS = 500
"""A literal with more colons is a table of data, such as all texts of a language, however it is nested."""
_TOP = (Scopes.MODULE, Scopes.CLASS)
_DEFAULTED = frozenset({"assignment_pattern", "object_assignment_pattern"})
_TELLING = frozenset({"identifier", "member_expression", "new_expression", "call_expression"})
"""Values whose type a parameter may have."""
_MODIFIERS = frozenset({"accessibility_modifier", "readonly", "override_modifier"})


class Variables:
    """Visitor methods for variables and parameters."""

    def __init__(self, builder: Builder, guards: Guards, contexts: Contexts, filled: Filled) -> None:
        self.builder = builder
        self.filled = filled
        self.guards = guards
        self.contexts = contexts
        self.in_vue = builder.path.endswith(".vue")

    def on_const(self, node: Node, start: int, end: int) -> None:
        """Add a declarator of a `const`."""
        self._variable(node, start, end, Symbols.CONSTANT)

    def on_let(self, node: Node, start: int, end: int) -> None:
        """Add a declarator of a `let` or a `var`."""
        self._variable(node, start, end, Symbols.VARIABLE)

    def _variable(self, node: Node, start: int, end: int, kind: SymbolKind) -> None:
        builder = self.builder
        name, given = node.child_by_field_name("name"), node.child_by_field_name("value")
        value = unwrapped(given)
        is_call = value is not None and value.type == "call_expression"
        if name is None or (is_call and inline_import(builder, name, value)):
            return
        annotation = node.child_by_field_name("type")
        type_ = type_of(annotation, builder) if annotation is not None else None
        if type_ is None:
            type_ = asserted(given, builder) if given is not value else None
            type_ = types_above(builder, node).type if type_ is None else type_
        if type_ is None and self.in_vue and is_call and value is not None:
            type_ = props_type(value, builder)
        if name.type != "identifier":
            self._pattern(name, value, kind, type_)
            return
        text = builder.text(name)
        is_top = builder.frames[-1].scope == 0
        if self.in_vue and text == OPTIONS_NAME and value is not None:
            option_props(builder, value)
        builder.declares_values = is_top and type_ is None and _is_table(node, text, given) and self._is_small(node)
        result = self._result(value, text) if value is not None else None
        builder.declares_values = False
        is_cast = annotation is not None and given is not value and asserted(given, builder) is not None
        if type_ is not None and value is not None and not is_cast:
            self.contexts.expect(value, Expected(type=type_))
        elif value is not None and not builder.is_untyped:
            self.contexts.expect_alternative(value)
        functions = wrapped_functions(value, builder)
        if functions or builder.scopes[builder.frames[-1].scope][0] in _TOP:
            scope = builder.frames[-1].scope
            draft = self._symbol(node, end, text, value, kind, functions)
            if type_ is None:
                self.filled.made(value, scope, text, draft)
            draft.type, draft.value, draft.doc = type_, result, comment_above(builder.source, start)
            if is_call and value is not None and (made := initializer(value, builder)) is not None:
                builder.expectations.stores[made[0].byte_range] = draft, made[1]
            if given is not None and given.type == "satisfies_expression" and value is not None:
                draft.implements = (type_of(given.named_children[-1], builder),) if value.type == "object" else ()
            body = functions[0].child_by_field_name("body") if functions and functions[0] is not value else None
            draft.value = (loaded_export(body, builder) if body is not None else None) or draft.value
            draft.signature = builder.head(start, functions[0].child_by_field_name("body") if functions else None, end)
        else:
            if type_ is None:
                self.filled.made(value, builder.frames[-1].scope, text, len(builder.bindings))
            if annotation is None and type_ is not None and given is not None and given is not value:
                result, type_ = builder.typed(given, type_), None  # by an assertion, nothing narrows it
            self._local(node, text, kind, type_, result)
            if value is not None and value.type == "object":
                frame = builder.frames[-1]
                builder.push(end, frame.scope, frame.symbol, f"{frame.prefix}{text}.")

    def _is_small(self, declarator: Node) -> bool:
        return self.builder.source.count(b":", declarator.start_byte, declarator.end_byte) <= _MOST_PAIRS

    def _pattern(self, pattern: Node, value: Node | None, kind: SymbolKind, type_: TypeExpression | None) -> None:
        """Bind the names of a pattern to parts of the value."""
        source, values = None, []
        if value is not None and type_ is None:
            source = self.guards.narrowed(expression(value, self.builder), value.start_byte)
            values = awaited_values(value, self.builder) if pattern.type == "array_pattern" else []
        if not values:
            expected = Expected(type=type_, value=source if is_known(source) else None)
            self._destructured(pattern, kind, expected)
        for position, part in elements_of(pattern) if values else ():
            self._destructured(part, kind, Expected(value=values[position] if position < len(values) else None))

    def _local(
        self, node: Node, name: str, kind: SymbolKind, type_: TypeExpression | None, value: Expression | None
    ) -> None:
        """Bind a local variable, which is a symbol only if it is called."""
        builder, frame = self.builder, self.builder.frames[-1]
        builder.locals.append(Local(len(builder.bindings), kind, frame.prefix, frame.symbol, node))
        builder.bind(name, Bindings.LOCAL, builder.line(node), type_=type_, value=value)

    def _symbol(
        self, node: Node, end: int, name: str, value: Node | None, kind: SymbolKind, functions: list[Node]
    ) -> Draft:
        """Declare a variable as a symbol that holds functions, or one at the top level or in a class."""
        builder, frame = self.builder, self.builder.frames[-1]
        is_top = builder.scopes[frame.scope][0] in _TOP
        draft = builder.declare(name, self._kind_of(name, value, kind, is_top=is_top), node)
        index = builder.index(draft)
        builder.bind(draft.name, Bindings.SYMBOL, draft.line, index)
        for function in functions:
            builder.pending[function.byte_range] = index
        builder.push(end, frame.scope, index, draft.qualified + ".")
        return draft

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

    def _kind_of(self, name: str, value: Node | None, kind: SymbolKind, *, is_top: bool) -> SymbolKind:
        shape = value.type if value is not None else ""
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
            type_, value = builder.expectations.of_name(builder.frames[-1].scope, name)
            if type_ is None and node.parent is not None and node.parent.type in _DEFAULTED:
                value = self._default(node.parent.child_by_field_name("right")) or value
            builder.bind(name, Bindings.PARAMETER, builder.line(node), type_=type_, value=value)

    def on_parameter(self, node: Node, start: int, _end: int) -> None:
        """Bind a typed parameter; one with an accessibility modifier is also a property of the class."""
        builder = self.builder
        pattern, type_ = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        if pattern is None:
            return
        name = builder.text(pattern)
        annotation, value = (
            (type_of(type_, builder), None)
            if type_ is not None
            else builder.expectations.of_name(builder.frames[-1].scope, name)
        )
        default = node.child_by_field_name("value")
        if default is not None and annotation is not None:
            self.contexts.expect(unwrapped(default) or default, Expected(type=annotation))
        elif value is None:
            value = self._default(default)
        builder.bind(name, Bindings.PARAMETER, builder.line(node), type_=annotation, value=value)
        if self.in_vue and name == PROPS:
            builder.template_scope = builder.frames[-1].scope
        if pattern.start_byte > start and _is_property(node):
            owner = builder.drafts[builder.frames[-1].symbol]
            if owner.kind is Symbols.CONSTRUCTOR:
                prefix = owner.qualified.removesuffix("constructor")
                draft = builder.declare(name, Symbols.PROPERTY, node, prefix=prefix)
                draft.parent, draft.scope, draft.type = owner.parent, owner.scope, annotation
                draft.value = value if annotation is None else None
                draft.signature = builder.line_of(node)
                builder.members.setdefault((owner.parent, draft.name), builder.index(draft))

    def _default(self, node: Node | None) -> Expression | None:
        """Return the value that a parameter without a type has by default, which tells its type; None for another."""
        value = expression(node, self.builder) if node is not None and node.type in _TELLING else None
        return value if is_known(value) else None


def _is_property(parameter: Node) -> bool:
    """Whether a parameter has a modifier that makes it a property; decorators may stand before it."""
    return next(child.type for child in parameter.children if child.type != "decorator") in _MODIFIERS


def _is_table(declarator: Node, name: str, value: Node | None) -> bool:
    """Whether a variable of a module is a table of constants: by its name, its export, or `as const`."""
    statement = declarator.parent.parent if declarator.parent is not None else None
    is_exported = statement is not None and statement.type == "export_statement"
    return is_exported or name[:1].isupper() or (value is not None and value.type in _ASSERTED)
