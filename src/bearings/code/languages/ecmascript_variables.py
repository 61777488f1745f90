"""Declarators, patterns and parameters: what is bound, and what of it is a symbol."""

from tree_sitter import Node

from bearings.code.languages.drafts import Expected, Local
from bearings.code.languages.ecmascript_contexts import pattern_names
from bearings.code.languages.ecmascript_guards import Guards
from bearings.code.languages.ecmascript_modules import inline_import
from bearings.code.languages.ecmascript_names import (
    FUNCTIONS,
    VALUES,
    asserted,
    comment_above,
    expression,
    function_kind,
    last_assigned,
    makes_component,
    types_above,
    unwrapped,
    wrapped_functions,
)
from bearings.code.models import BindingKind, ScopeKind, SymbolKind


class Variables(Guards):
    """The methods of the captures that this module is about."""

    def on_const(self, node: Node, start: int, end: int) -> None:
        """One declarator of a `const`."""
        self._variable(node, start, end, SymbolKind.CONSTANT)

    def on_let(self, node: Node, start: int, end: int) -> None:
        """One declarator of a `let`."""
        self._variable(node, start, end, SymbolKind.VARIABLE)

    def on_var(self, node: Node, start: int, end: int) -> None:
        """One declarator of a `var`."""
        self._variable(node, start, end, SymbolKind.VARIABLE)

    def _variable(self, node: Node, start: int, end: int, kind: SymbolKind) -> None:
        into = self.into
        name = node.child_by_field_name("name")
        value = unwrapped(node.child_by_field_name("value"))
        if name is None or inline_import(into, name, value):
            return
        annotation = node.child_by_field_name("type")
        type_ = into.type_of(annotation) if annotation is not None else ""
        if not type_ and value is not None:
            type_ = asserted(node.child_by_field_name("value"), into) or types_above(into, start).type
        if name.type != "identifier":
            given = self.narrowed(expression(value, into), value.start_byte) if value is not None and not type_ else ""
            self._destructured(name, kind, Expected(type=type_, value="" if given[:1] == "?" else given))
            return
        functions = wrapped_functions(value)
        frame = into.frames[-1]
        is_top = into.scopes[frame.scope][0] in (ScopeKind.MODULE, ScopeKind.CLASS)
        line = node.start_point[0] + 1
        source = last_assigned(value) if value is not None else None
        into.holder = into.text(name) if source is not None and source.type == "object" else ""
        result = expression(source, into) if source is not None and source.type not in VALUES else ""
        result = self.narrowed(result, source.start_byte) if source is not None and result else ""
        into.holder = ""
        if type_ and value is not None:
            self.expect(value, Expected(type=type_))
        if not (is_top or functions):
            signature = into.head(start, None, end)
            into.locals.append(
                Local(len(into.bindings), kind, frame.prefix, frame.symbol, line, into.end_line(node), signature)
            )
            into.bind(into.text(name), BindingKind.LOCAL, line, type_=type_, value=result)
            if value is not None and value.type == "object":
                into.push(end, frame.scope, frame.symbol, f"{frame.prefix}{into.text(name)}.")
            return
        draft = into.declare(into.text(name), self._kind_of(into.text(name), value, kind, is_top=is_top), node)
        index = into.index(draft)
        draft.type, draft.value, draft.doc = type_, result, comment_above(into.source, start)
        draft.signature = into.head(start, functions[0].child_by_field_name("body") if functions else None, end)
        into.bind(draft.name, BindingKind.SYMBOL, draft.line, index)
        for function in functions:
            into.pending[function.byte_range] = index
        into.push(end, frame.scope, index, draft.qualified + ".")

    def _kind_of(self, name: str, value: Node | None, kind: SymbolKind, *, is_top: bool) -> SymbolKind:
        if value is not None and value.type == "class":
            return SymbolKind.CLASS
        if value is not None and value.type in FUNCTIONS:
            return function_kind(name)
        if value is not None and value.type == "call_expression" and name[:1].isupper():
            callee = value.child_by_field_name("function")
            if callee is not None and makes_component(expression(callee, self.into)):
                return SymbolKind.COMPONENT
        if value is not None and value.type == "call_expression" and is_top and function_kind(name) is SymbolKind.HOOK:
            return SymbolKind.HOOK
        return kind if is_top else SymbolKind.FUNCTION

    def _destructured(self, pattern: Node, kind: SymbolKind, expected: Expected) -> None:
        """The names of a pattern: locals, or symbols at the top level."""
        into = self.into
        is_top = into.frames[-1].scope == 0
        for name, what in pattern_names(pattern, expected, into):
            text, line, target = into.text(name), name.start_point[0] + 1, -1
            if is_top:
                draft = into.declare(text, kind, name)
                draft.type, draft.value, draft.signature = what.type, what.value, text
                target = into.index(draft)
            into.bind(
                text,
                BindingKind.SYMBOL if is_top else BindingKind.LOCAL,
                line,
                target,
                type_=what.type,
                value=what.value,
            )

    def on_bind(self, node: Node, _start: int, _end: int) -> None:
        """Any other name that a pattern or a parameter list binds."""
        into = self.into
        name = into.text(node)
        if (into.frames[-1].scope, name) not in into.bound:
            type_, value = into.expected_of(name)
            into.bind(name, BindingKind.PARAMETER, node.start_point[0] + 1, type_=type_, value=value)

    def on_parameter(self, node: Node, _start: int, _end: int) -> None:
        """A typed parameter; one with an accessibility is a property of the class too."""
        into = self.into
        name, type_ = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        if name is None:
            return
        annotation, value = (into.type_of(type_), "") if type_ is not None else into.expected_of(into.text(name))
        into.bind(into.text(name), BindingKind.PARAMETER, node.start_point[0] + 1, type_=annotation, value=value)
        if node.children[0].type in ("accessibility_modifier", "readonly", "override_modifier"):
            owner = into.drafts[into.frames[-1].symbol]
            if owner.kind is SymbolKind.CONSTRUCTOR:
                prefix = owner.qualified.removesuffix("constructor")
                draft = into.declare(into.text(name), SymbolKind.PROPERTY, node, prefix=prefix)
                draft.parent, draft.scope, draft.type = owner.parent, owner.scope, annotation
                draft.signature = into.line_of(node)
                into.members.setdefault((owner.parent, draft.name), into.index(draft))
