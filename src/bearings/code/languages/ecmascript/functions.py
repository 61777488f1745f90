"""Functions and methods, with bodies or without."""

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
"""What a function is the value of, and a comment above speaks of both."""
_HANDING = frozenset({"arguments", "member_expression"})
"""Where a function stands that someone else calls: `this` in it is theirs to say."""
_MAPPING = frozenset({"map", "flatMap", "then"})


class Functions(Contexts):
    """The methods of the captures that this module is about."""

    this_starts: list[int]

    def on_function(self, node: Node, start: int, end: int) -> None:
        """Any function with a body: its symbol if something names it, its scope, and the body's frame."""
        into = self.into
        index = into.pending.pop((start, end), -1)
        what = node.type
        name = node.child_by_field_name("name") if what != "arrow_function" else None
        body, returns = node.child_by_field_name("body"), node.child_by_field_name("return_type")
        result = into.type_of(returns) if returns is not None else ""
        own = -1
        if index < 0 and name is not None:
            draft = self._named_function(node, into.text(name), start)
            index = into.index(draft)
            own = index if what in _NAMED else -1
        kind = Scopes.ARROW if what == "arrow_function" else Scopes.FUNCTION
        frame = into.frames[-1]
        scope = into.scope(kind, index if index >= 0 else into.scopes[frame.scope][2])
        prefix, symbol = frame.prefix, frame.symbol
        if index >= 0:
            draft = into.drafts[index]
            into.functions[start, end] = index
            if own < 0 and name is not None and what in _NAMED and self._is_own_name(name, draft, start):
                own = self._own_name(draft, index, node, body, result)
                into.scopes[scope] = kind, into.scopes[scope][1], own
            prefix, symbol, draft.inner = draft.qualified + ".", index, scope
            if own >= 0 and own != index:
                inner = into.drafts[own]
                prefix, symbol, inner.inner = inner.qualified + ".", own, scope
            self._signature(draft, start, body, end, result)
        if returns is not None:
            into.declared_returns[scope] = result
        said = self._documented(node, index, scope, start)
        called = into.invoked.pop((start, end), -1) if into.invoked else -1
        if called >= 0 and (result or into.source[start : start + 6] != b"async "):
            into.bind(f"^{called}:()", Bindings.LOCAL, into.line(node), scope, type_=result)
        context = into.expected.pop((start, end), None)
        self.parameters(node, scope, context)
        given = context.result() if context is not None else None
        if given is not None and (given.type or given.value):
            into.expected_returns[scope] = given
        for parameter, type_ in said.parameters:
            into.preset[scope, parameter] = type_, ""
        if context is not None and context.value[:1] == "^" and self._is_mapping(context.value, start):
            into.bind(context.value, Bindings.LOCAL, into.line(node), scope)
        if kind is Scopes.FUNCTION and self._holds_this(start, end):
            self._receiver(node, scope, context)
        into.push(end, scope, symbol, prefix)
        if body is not None and kind is Scopes.ARROW and body.type != "statement_block":
            self.returned(body, scope, scope)
        if own >= 0 and name is not None:
            into.bind(into.text(name), Bindings.SYMBOL, into.line(node), own)

    def _documented(self, node: Node, index: int, scope: int, start: int) -> Documented:
        """What a comment says of a function's types: above it, or above what holds it."""
        into = self.into
        if not into.is_untyped:
            return NOTHING
        parent = node.parent
        if parent is not None and parent.type in _HOLDERS:
            start = parent.start_byte
        said = types_above(into, start)
        if said.returns:
            into.declared_returns[scope] = said.returns
            if index >= 0 and not into.drafts[index].returns:
                into.drafts[index].returns = said.returns
        return said

    def _is_mapping(self, context: str, start: int) -> bool:
        """Whether what a function gives is what the call that takes it gives."""
        number, _, position = context[1:].partition(":")
        site = self.into.calls[int(number)] if position == "0" else None
        is_async = self.into.source[start : start + 6] == b"async "
        return site is not None and not is_async and site.callee.rpartition(".")[2] in _MAPPING

    def _is_own_name(self, name: Node, draft: Draft, start: int) -> bool:
        """Whether a function that is a value as it stands, in no wrapper, has a name other than its holder's."""
        is_bare = self.into.source[max(0, start - 40) : start].rstrip()[-1:] in (b":", b"=")
        return is_bare and self.into.text(name) != draft.name

    def _holds_this(self, start: int, end: int) -> bool:
        place = bisect_left(self.this_starts, start)
        return place < len(self.this_starts) and self.this_starts[place] + len(b"this") <= end

    def _receiver(self, node: Node, scope: int, context: Expected | None) -> None:
        """Binds `this` in a function of an object literal: to the literal, or to the type that is expected of it."""
        into, part = self.into, node
        is_method, whole = node.type == "method_definition", node.parent
        if not is_method and whole is not None and whole.type == "pair":
            part, whole = whole, whole.parent
        if whole is not None and whole.type in _HANDING and part is node:
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

    def _own_name(self, outer: Draft, index: int, node: Node, body: Node | None, result: str) -> int:
        """A function expression under a name of its own, inside what it is the value of."""
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
        """An overload, an ambient function, or a member of an interface: a symbol until a body takes its place."""
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
