"""Visitor methods for functions and methods, with or without a body."""

import re
from bisect import bisect_left
from typing import NamedTuple

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Function, Step, is_known, is_result, last_name, receiver
from bearings.code.file_facts import Trait
from bearings.code.languages.ecmascript.amd import bind_loaded
from bearings.code.languages.ecmascript.contexts import Contexts
from bearings.code.languages.ecmascript.expressions import NAMES, expression, object_scope
from bearings.code.languages.ecmascript.frameworks.zustand import store_type, taken
from bearings.code.languages.ecmascript.jsdoc import NOTHING, Documented, types_above
from bearings.code.languages.ecmascript.names import (
    comment_above,
    function_kind,
    literal,
    method_kind,
    modifiers,
)
from bearings.code.languages.ecmascript.type_nodes import function_of, type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft, Expected
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.type_expressions import FunctionType, IndexedType, ReturnedType, TypeExpression, TypePredicate

_NAMED = frozenset({"function_expression", "generator_function"})
_HOLDERS = frozenset({"variable_declarator", "assignment_expression", "pair", "field_definition"})
"""Nodes with a function as their value; a comment above one of them documents the function."""
_CALLBACK_PARENTS = frozenset({"arguments", "member_expression"})
"""Parents of a function that other code calls; that code decides what `this` is."""
_MAPPING = frozenset({"map", "flatMap", "then"})
"""Methods whose result is made of the results of their callback."""


class _Head(NamedTuple):
    """A function's node, its first and last byte, and what its head says; the name of an arrow function is None."""

    node: Node
    span: tuple[int, int]
    name: Node | None
    body: Node | None
    result: TypeExpression | None


class Functions:
    """Visitor methods for functions."""

    def __init__(self, builder: Builder, contexts: Contexts) -> None:
        self.builder = builder
        self.contexts = contexts
        self.this_starts = [found.start() for found in re.finditer(b"this", builder.source)]
        """The start bytes of the word `this`, in order."""

    def on_function(self, node: Node, start: int, end: int) -> None:
        """Add a function with a body: its symbol if it has a name, its scope, and a frame for the body.

        A function expression under a name of its own, `const a = function b() {}`, is two symbols: `a` and `a.b`.
        """
        builder, is_arrow = self.builder, node.type == "arrow_function"
        name = node.child_by_field_name("name") if not is_arrow else None
        body, returns = node.child_by_field_name("body"), node.child_by_field_name("return_type")
        result = type_of(returns, builder) if returns is not None else None
        if is_arrow and body is not None and body.type == "binary_expression" and result is None:
            result = self._predicate(body)
        head = _Head(node, (start, end), name, body, result)
        index, own = self._declared(head)
        frame = builder.frames[-1]
        kind, around = Scopes.ARROW if is_arrow else Scopes.FUNCTION, builder.scopes[frame.scope][2]
        scope = builder.add_scope(kind, index if index >= 0 else around)
        prefix, symbol = frame.prefix, frame.symbol
        if index >= 0:
            own = self._hold(head, index, own, scope)
            symbol = own if own >= 0 else index
            prefix = builder.drafts[symbol].qualified + "."
        if result is not None:
            builder.declared_returns[scope] = result
        self._apply_context(head, index, scope)
        builder.push(end, scope, symbol, prefix)
        if body is not None and is_arrow and body.type != "statement_block":
            self.contexts.returned(body, scope, scope)
        if own >= 0 and name is not None:
            builder.bind(builder.text(name), Bindings.SYMBOL, builder.line(node), own)

    def _predicate(self, body: Node) -> TypePredicate | None:
        """Return the result of `(cart) => cart instanceof Cart` as a predicate; None for another body."""
        left, operator, right = body.children[0], body.children[1], body.children[-1]
        if operator.type != "instanceof" or left.type != "identifier" or right.type not in NAMES:
            return None
        return TypePredicate(self.builder.text(left), self.builder.text(right))

    def _declared(self, head: _Head) -> tuple[int, int]:
        """Return the symbol of a function and, if that is one of an expression with a name of its own, it again.

        Both are -1 for none.
        """
        index = self.builder.pending.pop(head.span, -1)
        if index >= 0 or head.name is None:
            return index, -1
        index = self.builder.index(self._named_function(head.node, self.builder.text(head.name), head.span[0]))
        return index, index if head.node.type in _NAMED else -1

    def _hold(self, head: _Head, index: int, own: int, scope: int) -> int:
        """Make a function the value of a symbol; return the symbol of its own name, -1 for none."""
        builder, draft = self.builder, self.builder.drafts[index]
        builder.functions[head.span] = index
        if draft.inner >= 0:  # of the signatures before
            self._bind_overloads(draft)
        if own < 0 and head.name is not None and head.node.type in _NAMED and self._has_own_name(head, draft):
            own = self._declare_own_name(head, draft, index)
            kind, around, _ = builder.scopes[scope]
            builder.scopes[scope] = kind, around, own
            builder.drafts[own].inner = scope
        draft.inner = scope
        self._signature(draft, head)
        return own

    def _apply_context(self, head: _Head, index: int, scope: int) -> None:
        """Preset types of parameters, results and `this` by the function's comment and by the code around it."""
        builder, node, span, result = self.builder, head.node, head.span, head.result
        documented = self._documented(node, index, scope)
        called = builder.expectations.invoked.pop(span, -1) if builder.expectations.invoked else -1
        site = builder.calls[called] if called >= 0 else None
        is_async = builder.source.startswith(b"async ", span[0])
        if site is not None and (result is not None or not is_async):
            builder.calls[called] = replace(site, callee=Function(scope, result))
        if builder.expectations.loaded and span in builder.expectations.loaded:
            bind_loaded(builder, node, builder.expectations.loaded.pop(span), scope)
        if span in builder.expectations.returned:
            returned = builder.expectations.returned.pop(span)
            builder.add_return(node, *returned, Function(scope, result, is_async))
        context = builder.expectations.functions.pop(span, None)
        if span in builder.expectations.stores:
            store, named = builder.expectations.stores.pop(span)
            state = named if named is not None else ReturnedType(scope)
            store.type, context = store_type(state), Expected(type=taken(state))
            store.implements = (named,) if named is not None else ()
        self.contexts.parameters(node, scope, context)
        expected = context.result() if context is not None else None
        if expected:
            builder.expectations.results[scope] = expected
        for parameter, type_ in documented.parameters:
            builder.expectations.names[scope, parameter] = type_, None
        if context is not None and context.context is not None and self._decides(*context.context):
            self._given(*context.context[:2], Function(scope, result, is_async))
        if node.type != "arrow_function" and self._holds_this(*span):
            self._receiver(node, scope, context)

    def _documented(self, node: Node, index: int, scope: int) -> Documented:
        """Return the types in the comment above a function, or above the node that holds it."""
        builder = self.builder
        if not builder.is_untyped:
            return NOTHING
        parent = node.parent
        documented = types_above(builder, parent if parent is not None and parent.type in _HOLDERS else node, scope)
        if documented.returns is not None:
            builder.declared_returns[scope] = documented.returns
            if index >= 0 and builder.drafts[index].returns is None:
                builder.drafts[index].returns = documented.returns
        return documented

    def _decides(self, number: int, position: int, path: tuple[Step, ...]) -> bool:
        """Whether the result of a call may depend on a function that is its argument."""
        site = self.builder.calls[number] if not path else None
        is_mapping = site is not None and position == 0 and last_name(site.callee) in _MAPPING
        return is_mapping or (site is not None and number in self.builder.arguments)

    def _given(self, number: int, position: int, function: Function) -> None:
        """Store a function as an argument of a call."""
        arguments = self.builder.arguments.setdefault(number, [])
        arguments += [None] * (position + 1 - len(arguments))
        arguments[position] = function

    def _has_own_name(self, head: _Head, draft: Draft) -> bool:
        """Whether a function that is a value without a wrapper has another name than the variable or property."""
        start = head.span[0]
        is_bare = self.builder.source[max(0, start - 40) : start].rstrip()[-1:] in (b":", b"=")
        return is_bare and head.name is not None and self.builder.text(head.name) != draft.name

    def _holds_this(self, start: int, end: int) -> bool:
        place = bisect_left(self.this_starts, start)
        return place < len(self.this_starts) and self.this_starts[place] + len(b"this") <= end

    def _receiver(self, node: Node, scope: int, context: Expected | None) -> None:
        """Bind `this` in a function of an object literal to the literal, or to the type that is expected of it."""
        builder, part = self.builder, node
        is_method, whole = node.type == "method_definition", node.parent
        if not is_method and whole is not None and whole.type == "pair":
            part, whole = whole, whole.parent
        if whole is not None and whole.type in _CALLBACK_PARENTS and part is node:
            builder.bind("this", Bindings.LOCAL, builder.line(node), value=UNKNOWN, scope=scope)
        if whole is not None and whole.type == "assignment_expression":
            self._bind_computed(node, whole.child_by_field_name("left"), scope)
        if whole is None or whole.type != "object" or (part is node and not is_method):
            return
        type_, value = None, None
        if context is None:
            value = object_scope(whole, builder)
        elif isinstance(context.type, IndexedType) and isinstance(context.type.key, str):
            type_ = context.type.base
        if type_ is not None or value is not None:
            builder.bind("this", Bindings.LOCAL, builder.line(node), type_=type_, value=value, scope=scope)

    def _bind_computed(self, node: Node, left: Node | None, scope: int) -> None:
        """Bind `this` in the function of `a[key] = function …` to `a`, of `A.prototype[key]` to an object of A."""
        builder = self.builder
        owner = left.child_by_field_name("object") if left is not None and left.type == "subscript_expression" else None
        value = expression(owner, builder) if owner is not None else UNKNOWN
        of = receiver(value) if last_name(value) == "prototype" else None
        if isinstance(of, str):
            builder.bind("this", Bindings.LOCAL, builder.line(node), type_=of, scope=scope)
        elif is_known(value):
            builder.bind("this", Bindings.LOCAL, builder.line(node), value=value, scope=scope)

    def _declare_own_name(self, head: _Head, outer: Draft, index: int) -> int:
        """Declare a function expression under its own name, inside the symbol that holds it."""
        builder = self.builder
        name = builder.text(head.name) if head.name is not None else "?"
        draft = builder.declare(name, Symbols.FUNCTION, head.node, prefix=outer.qualified + ".")
        draft.parent, draft.exported = index, False
        self._signature(draft, head)
        return builder.index(draft)

    def _named_function(self, node: Node, name: str, start: int) -> Draft:
        builder = self.builder
        if node.type == "method_definition":
            return self._method(node, literal(name), start)
        draft = builder.declare(name, function_kind(name), node)
        draft.doc = comment_above(builder.source, start)
        if node.type.endswith("declaration"):
            builder.bind(name, Bindings.SYMBOL, draft.line, builder.index(draft))
        return draft

    def _method(self, node: Node, name: str, start: int) -> Draft:
        draft = self.builder.declare(name, method_kind(name), node)
        draft.doc = comment_above(self.builder.source, start)
        for child in modifiers(node, start):
            if child.type == "static":
                draft.traits |= Trait.STATIC
            elif child.type in ("get", "set"):
                draft.traits |= Trait.ACCESSOR | (Trait.SETTER if child.type == "set" else 0)
        return draft

    def _signature(self, draft: Draft, head: _Head) -> None:
        builder, (start, end) = self.builder, head.span
        if draft.signature == "":
            draft.signature = builder.head(start, head.body, end)
        if draft.head is None:
            draft.head = function_of(head.node, builder)
        if head.result is not None and draft.returns is None and not is_result(draft.value):
            draft.returns = head.result
        if builder.source.startswith(b"async ", start):
            draft.traits |= Trait.ASYNC

    def on_signature(self, node: Node, start: int, end: int) -> None:
        """Add an overload, an ambient function or a member of an interface. A later body takes over its symbol."""
        builder = self.builder
        name = node.child_by_field_name("name")
        if name is None:
            return
        is_function = node.type == "function_signature"
        kind = Symbols.FUNCTION if is_function else method_kind(builder.text(name))
        known = builder.members.get((builder.frames[-1].symbol, literal(builder.text(name))), -1)
        is_further = known >= 0 and builder.drafts[known].is_overload
        if is_further:
            draft = builder.drafts[known]
        else:
            draft = builder.declare(literal(builder.text(name)), kind, node)
            draft.is_overload = True
            draft.doc = comment_above(builder.source, start)
            if is_function:
                builder.bind(draft.name, Bindings.SYMBOL, draft.line, builder.index(draft))
            else:
                words = {child.type for child in modifiers(node, start)}
                draft.traits |= Trait.STATIC if "static" in words else 0
                draft.traits |= Trait.ACCESSOR if words & {"get", "set"} else 0
        returns = node.child_by_field_name("return_type")
        if returns is not None and draft.returns is None:
            draft.returns = type_of(returns, builder)
        draft.signature = draft.signature or builder.head(start, None, end)
        if draft.head is None:
            draft.head = function_of(node, builder)
        whole = node.parent
        if whole is not None and whole.type == "object_type":
            builder.bind_member(whole, draft)
        scope = builder.add_scope(Scopes.FUNCTION, builder.index(draft))
        if is_further and not draft.traits & Trait.ACCESSOR:
            self._bind_overloads(draft, (scope, function_of(node, builder)))
        draft.inner = scope if draft.inner < 0 else draft.inner
        builder.push(end, scope, builder.index(draft), draft.qualified + ".")

    def _bind_overloads(self, draft: Draft, *heads: tuple[int, FunctionType | None]) -> None:
        """Bind the heads of overloads in their own scopes; at the first call also that of the first overload."""
        for scope, head in heads if draft.has_overloads else ((draft.inner, draft.head), *heads):
            if head is not None:
                self.builder.bind("()", Bindings.TYPE, draft.line, type_=head, scope=scope)
        draft.has_overloads = True
