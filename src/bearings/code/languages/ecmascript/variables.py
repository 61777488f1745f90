"""Visitor methods for variables, patterns and parameters: the names that they bind, and their symbols."""

from tree_sitter import Node

from bearings.code.languages.ecmascript.contexts import pattern_names
from bearings.code.languages.ecmascript.expressions import asserted, expression
from bearings.code.languages.ecmascript.guards import Guards
from bearings.code.languages.ecmascript.modules import inline_import
from bearings.code.languages.ecmascript.names import (
    FUNCTIONS,
    VALUES,
    comment_above,
    function_kind,
    last_assigned,
    makes_component,
    types_above,
    unwrapped,
    wrapped_functions,
)
from bearings.code.languages.shared.drafts import Expected, Local
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.models import SymbolKind

_MODIFIERS = frozenset({"accessibility_modifier", "readonly", "override_modifier"})


class Variables(Guards):
    """Visitor methods for variables and parameters."""

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
        into = self.into
        name, given = node.child_by_field_name("name"), node.child_by_field_name("value")
        value = unwrapped(given)
        shape = value.type if value is not None else ""
        if name is None or (shape == "call_expression" and inline_import(into, name, value)):
            return
        annotation = node.child_by_field_name("type")
        type_ = into.type_of(annotation) if annotation is not None else ""
        if not type_ and value is not None:
            type_ = asserted(given, into) if given is not value else ""
            type_ = type_ or types_above(into, start).type
        if name.type != "identifier":
            source = self.narrowed(expression(value, into), value.start_byte) if value is not None and not type_ else ""
            self._destructured(name, kind, Expected(type_=type_, value="" if source[:1] == "?" else source))
            return
        text, functions = into.text(name), wrapped_functions(value, into)
        frame = into.frames[-1]
        is_top = into.scopes[frame.scope][0] in (Scopes.MODULE, Scopes.CLASS)
        line = into.line(node)
        result = self._result(value, text) if value is not None else ""
        if type_ and value is not None:
            self.expect(value, Expected(type_=type_))
        if not (is_top or functions):
            into.locals.append(Local(len(into.bindings), kind, frame.prefix, frame.symbol, node))
            into.bind(text, Bindings.LOCAL, line, type_=type_, value=result)
            if shape == "object":
                into.push(end, frame.scope, frame.symbol, f"{frame.prefix}{text}.")
            return
        draft = into.declare(text, self._kind_of(text, value, shape, kind, is_top=is_top), node)
        index = into.index(draft)
        draft.type, draft.value, draft.doc = type_, result, comment_above(into.source, start)
        draft.signature = into.head(start, functions[0].child_by_field_name("body") if functions else None, end)
        into.bind(draft.name, Bindings.SYMBOL, draft.line, index)
        for function in functions:
            into.pending[function.byte_range] = index
        into.push(end, frame.scope, index, draft.qualified + ".")

    def _result(self, value: Node, name: str) -> str:
        """Return the value of a variable of that name as an expression; empty for a function or a class."""
        into, source = self.into, last_assigned(value)
        kind = source.type
        if kind in VALUES:
            return ""
        into.holder = name if kind == "object" else ""
        result = self.narrowed(expression(source, into), source.start_byte)
        into.holder = ""
        return result

    def _kind_of(self, name: str, value: Node | None, shape: str, kind: SymbolKind, *, is_top: bool) -> SymbolKind:
        if shape == "class":
            return Symbols.CLASS
        if shape in FUNCTIONS:
            return function_kind(name)
        if value is not None and shape == "call_expression":
            callee = value.child_by_field_name("function") if name[:1].isupper() else None
            if callee is not None and makes_component(expression(callee, self.into)):
                return Symbols.COMPONENT
            if is_top and function_kind(name) is Symbols.HOOK:
                return Symbols.HOOK
        return kind if is_top else Symbols.FUNCTION

    def _destructured(self, pattern: Node, kind: SymbolKind, expected: Expected) -> None:
        """Bind the names of a pattern: as symbols at the top level, else as local variables."""
        into = self.into
        is_top = into.frames[-1].scope == 0
        for name, wanted in pattern_names(pattern, expected, into):
            text, line, target = into.text(name), into.line(name), -1
            if is_top:
                draft = into.declare(text, kind, name)
                draft.type, draft.value, draft.signature = wanted.type, wanted.value, text
                target = into.index(draft)
            kind_of_binding = Bindings.SYMBOL if is_top else Bindings.LOCAL
            into.bind(text, kind_of_binding, line, target, type_=wanted.type, value=wanted.value)

    def on_bind(self, node: Node, _start: int, _end: int) -> None:
        """Bind any other name of a pattern or parameter list."""
        into = self.into
        name = into.text(node)
        if (into.frames[-1].scope, name) not in into.bound:
            type_, value = into.expected_of(name)
            into.bind(name, Bindings.PARAMETER, into.line(node), type_=type_, value=value)

    def on_parameter(self, node: Node, start: int, _end: int) -> None:
        """Bind a typed parameter; one with an accessibility modifier is also a property of the class."""
        into = self.into
        pattern, type_ = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        if pattern is None:
            return
        name = into.text(pattern)
        annotation, value = (into.type_of(type_), "") if type_ is not None else into.expected_of(name)
        into.bind(name, Bindings.PARAMETER, into.line(node), type_=annotation, value=value)
        if pattern.start_byte > start and _is_property(node):
            owner = into.drafts[into.frames[-1].symbol]
            if owner.kind is Symbols.CONSTRUCTOR:
                prefix = owner.qualified.removesuffix("constructor")
                draft = into.declare(name, Symbols.PROPERTY, node, prefix=prefix)
                draft.parent, draft.scope, draft.type = owner.parent, owner.scope, annotation
                draft.signature = into.line_of(node)
                into.members.setdefault((owner.parent, draft.name), into.index(draft))


def _is_property(parameter: Node) -> bool:
    """Whether a parameter has a modifier that makes it a property; decorators may stand before it."""
    return next(child.type for child in parameter.children if child.type != "decorator") in _MODIFIERS
