"""Visitor methods for functions and methods, with or without a body."""

from bisect import bisect_left

from tree_sitter import Node

from bearings.code.languages.ecmascript.contexts import Contexts
from bearings.code.languages.ecmascript.expressions import object_scope
from bearings.code.languages.ecmascript.jsdoc import NOTHING, Documented
from bearings.code.languages.ecmascript.names import (
    comment_above,
    function_kind,
    literal,
    method_kind,
    modifiers,
    types_above,
)
from bearings.code.languages.shared.drafts import Draft, Expected
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.models import Trait

_NAMED = frozenset({"function_expression", "generator_function"})
_HOLDERS = frozenset({"variable_declarator", "assignment_expression", "pair", "field_definition"})
"""Nodes with a function as their value; a comment above one of them documents the function."""
_CALLBACK_PARENTS = frozenset({"arguments", "member_expression"})
"""Parents of a function that other code calls; that code decides what `this` is."""
_MAPPING = frozenset({"map", "flatMap", "then"})
"""Methods whose result is made of the results of their callback."""


class Functions(Contexts):
    """Visitor methods for functions."""

    this_starts: list[int]
    """The start bytes of the word `this`, in order."""

    def on_function(self, node: Node, start: int, end: int) -> None:
        """Add a function with a body: its symbol if it has a name, its scope, and a frame for the body.

        A function expression under a name of its own, `const a = function b() {}`, is two symbols: `a` and `a.b`.
        """
        into = self.into
        index = into.pending.pop((start, end), -1)
        node_type = node.type
        name = node.child_by_field_name("name") if node_type != "arrow_function" else None
        body, returns = node.child_by_field_name("body"), node.child_by_field_name("return_type")
        result = into.type_of(returns) if returns is not None else ""
        own = -1
        if index < 0 and name is not None:
            draft = self._named_function(node, into.text(name), start)
            index = into.index(draft)
            own = index if node_type in _NAMED else -1
        kind = Scopes.ARROW if node_type == "arrow_function" else Scopes.FUNCTION
        frame = into.frames[-1]
        scope = into.scope(kind, index if index >= 0 else into.scopes[frame.scope][2])
        prefix, symbol = frame.prefix, frame.symbol
        if index >= 0:
            draft = into.drafts[index]
            into.functions[start, end] = index
            if own < 0 and name is not None and node_type in _NAMED and self._has_own_name(name, draft, start):
                own = self._declare_own_name(draft, index, node, body, result)
                into.scopes[scope] = kind, into.scopes[scope][1], own
            prefix, symbol, draft.inner = draft.qualified + ".", index, scope
            if own >= 0 and own != index:
                inner = into.drafts[own]
                prefix, symbol, inner.inner = inner.qualified + ".", own, scope
            self._signature(draft, start, body, end, result)
        if returns is not None:
            into.declared_returns[scope] = result
        self._apply_context(node, index, scope, (start, end), result)
        into.push(end, scope, symbol, prefix)
        if body is not None and kind is Scopes.ARROW and body.type != "statement_block":
            self.returned(body, scope, scope)
        if own >= 0 and name is not None:
            into.bind(into.text(name), Bindings.SYMBOL, into.line(node), own)

    def _apply_context(self, node: Node, index: int, scope: int, span: tuple[int, int], result: str) -> None:
        """Preset types of parameters, results and `this` by the function's comment and by the code around it."""
        into, start = self.into, span[0]
        documented = self._documented(node, index, scope, start)
        called = into.invoked.pop(span, -1) if into.invoked else -1
        if called >= 0 and (result or into.source[start : start + 6] != b"async "):
            into.bind(f"^{called}:()", Bindings.LOCAL, into.line(node), scope, type_=result)
        context = into.expected.pop(span, None)
        self.parameters(node, scope, context)
        expected = context.result() if context is not None else None
        if expected is not None and (expected.type or expected.value):
            into.expected_returns[scope] = expected
        for parameter, type_ in documented.parameters:
            into.preset[scope, parameter] = type_, ""
        if context is not None and context.value[:1] == "^" and self._is_mapping(context.value, start):
            into.bind(context.value, Bindings.LOCAL, into.line(node), scope)
        if node.type != "arrow_function" and self._holds_this(*span):
            self._receiver(node, scope, context)

    def _documented(self, node: Node, index: int, scope: int, start: int) -> Documented:
        """Return the types in the comment above a function, or above the node that holds it."""
        into = self.into
        if not into.is_untyped:
            return NOTHING
        parent = node.parent
        if parent is not None and parent.type in _HOLDERS:
            start = parent.start_byte
        documented = types_above(into, start)
        if documented.returns:
            into.declared_returns[scope] = documented.returns
            if index >= 0 and not into.drafts[index].returns:
                into.drafts[index].returns = documented.returns
        return documented

    def _is_mapping(self, context: str, start: int) -> bool:
        """Whether a function is the callback of `map` or its like, whose result is made of the callback's result."""
        number, _, position = context[1:].partition(":")
        site = self.into.calls[int(number)] if position == "0" else None
        is_async = self.into.source[start : start + 6] == b"async "
        return site is not None and not is_async and site.callee.rpartition(".")[2] in _MAPPING

    def _has_own_name(self, name: Node, draft: Draft, start: int) -> bool:
        """Whether a function that is a value without a wrapper has another name than the variable or property."""
        is_bare = self.into.source[max(0, start - 40) : start].rstrip()[-1:] in (b":", b"=")
        return is_bare and self.into.text(name) != draft.name

    def _holds_this(self, start: int, end: int) -> bool:
        place = bisect_left(self.this_starts, start)
        return place < len(self.this_starts) and self.this_starts[place] + len(b"this") <= end

    def _receiver(self, node: Node, scope: int, context: Expected | None) -> None:
        """Bind `this` in a function of an object literal to the literal, or to the type that is expected of it."""
        into, part = self.into, node
        is_method, whole = node.type == "method_definition", node.parent
        if not is_method and whole is not None and whole.type == "pair":
            part, whole = whole, whole.parent
        if whole is not None and whole.type in _CALLBACK_PARENTS and part is node:
            into.bind("this", Bindings.LOCAL, into.line(node), value="?", scope=scope)
        if whole is None or whole.type != "object" or (part is node and not is_method):
            return
        type_, value = "", ""
        if context is None:
            value = object_scope(whole, into)
        elif context.type.endswith('"]'):
            type_ = context.type[: context.type.rindex('["')]
        if type_ or value:
            into.bind("this", Bindings.LOCAL, into.line(node), type_=type_, value=value, scope=scope)

    def _declare_own_name(self, outer: Draft, index: int, node: Node, body: Node | None, result: str) -> int:
        """Declare a function expression under its own name, inside the symbol that holds it."""
        into = self.into
        name = node.child_by_field_name("name")
        draft = into.declare(
            into.text(name) if name is not None else "?", Symbols.FUNCTION, node, prefix=outer.qualified + "."
        )
        draft.parent, draft.exported = index, False
        self._signature(draft, node.start_byte, body, node.end_byte, result)
        return into.index(draft)

    def _named_function(self, node: Node, name: str, start: int) -> Draft:
        into = self.into
        if node.type == "method_definition":
            return self._method(node, literal(name), start)
        draft = into.declare(name, function_kind(name), node)
        draft.doc = comment_above(into.source, start)
        if node.type.endswith("declaration"):
            into.bind(name, Bindings.SYMBOL, draft.line, into.index(draft))
        return draft

    def _method(self, node: Node, name: str, start: int) -> Draft:
        draft = self.into.declare(name, method_kind(name), node)
        draft.doc = comment_above(self.into.source, start)
        for child in modifiers(node, start):
            if child.type == "static":
                draft.traits |= Trait.STATIC
            elif child.type in ("get", "set"):
                draft.traits |= Trait.ACCESSOR
        return draft

    def _signature(self, draft: Draft, start: int, body: Node | None, end: int, result: str) -> None:
        into = self.into
        if draft.signature == "":
            draft.signature = into.head(start, body, end)
        if result and not draft.returns and not draft.value.startswith("#"):
            draft.returns = result
        if into.source[start : start + 6] == b"async ":
            draft.traits |= Trait.ASYNC

    def on_signature(self, node: Node, start: int, end: int) -> None:
        """Add an overload, an ambient function or a member of an interface. A later body takes over its symbol."""
        into = self.into
        name = node.child_by_field_name("name")
        if name is None:
            return
        is_function = node.type == "function_signature"
        kind = Symbols.FUNCTION if is_function else method_kind(into.text(name))
        known = into.members.get((into.frames[-1].symbol, literal(into.text(name))), -1)
        if known >= 0 and into.drafts[known].is_overload:
            draft = into.drafts[known]
        else:
            draft = into.declare(literal(into.text(name)), kind, node)
            draft.is_overload = True
            draft.doc = comment_above(into.source, start)
            if is_function:
                into.bind(draft.name, Bindings.SYMBOL, draft.line, into.index(draft))
            elif any(child.type == "static" for child in modifiers(node, start)):
                draft.traits |= Trait.STATIC
        returns = node.child_by_field_name("return_type")
        if returns is not None and not draft.returns:
            draft.returns = into.type_of(returns)
        draft.signature = draft.signature or into.head(start, None, end)
        whole = node.parent
        if whole is not None and whole.type == "object_type":
            into.of_type(whole, draft)
        scope = into.scope(Scopes.FUNCTION, into.index(draft))
        draft.inner = scope if draft.inner < 0 else draft.inner
        into.push(end, scope, into.index(draft), draft.qualified + ".")
