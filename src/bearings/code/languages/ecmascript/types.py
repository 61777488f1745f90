"""Visitor methods for classes, interfaces, type aliases, enums and namespaces."""

import re

from tree_sitter import Node

from bearings.code.expressions import Typed, is_result
from bearings.code.file_facts import Base, ScopeKind, Trait
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.jsdoc import types_above
from bearings.code.languages.ecmascript.modules import ambient_exports
from bearings.code.languages.ecmascript.names import comment_above, literal, string_of, unwrapped
from bearings.code.languages.ecmascript.type_nodes import type_arguments, type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.languages.shared.nodes import inside
from bearings.code.models import SymbolKind
from bearings.code.type_expressions import TypeExpression

_MIXED = frozenset({"identifier", "call_expression"})
is_class_name = re.compile(r"[A-Z]\w*[a-z]\w*").fullmatch
"""Matches the usual name of a class."""


class Types:
    """Visitor methods for types."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.ambient_modules: dict[int, str] = {}
        """Scope of `declare module "x"` → x."""

    def on_class(self, node: Node, start: int, end: int) -> None:
        """Add a class: a declaration, or an expression."""
        builder = self.builder
        index = builder.pending.pop((start, end), -1)
        name = node.child_by_field_name("name")
        if index < 0:
            draft = builder.declare(builder.text(name) if name is not None else "default", Symbols.CLASS, node)
            draft.doc = comment_above(builder.source, start)
            index = builder.index(draft)
            if name is not None and node.type != "class":
                builder.bind(draft.name, Bindings.SYMBOL, draft.line, index)
        if (start, end) in builder.expectations.returned:
            builder.bind("class", Bindings.SYMBOL, builder.line(node), index)
            builder.add_return(node, *builder.expectations.returned.pop((start, end)), "class")
        draft = builder.drafts[index]
        draft.kind = Symbols.CLASS
        draft.signature = builder.head(start, node.child_by_field_name("body"), end)
        draft.implements = types_above(builder, node).implements
        self._heritage(draft, node)
        self._open(draft, end, Scopes.CLASS)

    def _open(self, draft: Draft, end: int, kind: ScopeKind) -> None:
        index = self.builder.index(draft)
        draft.inner = self.builder.add_scope(kind, index)
        self.builder.push(end, draft.inner, index, draft.qualified + ".")

    def _heritage(self, draft: Draft, node: Node) -> None:
        builder = self.builder
        for child in node.children:
            if child.type != "class_heritage":
                continue
            for clause in child.named_children:
                if clause.type == "implements_clause":
                    draft.implements = tuple(type_of(type_, builder) for type_ in clause.named_children)
                elif clause.type == "extends_clause":
                    value = clause.child_by_field_name("value")
                    given = clause.child_by_field_name("type_arguments")
                    types = type_arguments(given, builder)
                    draft.bases = self._bases(value, types) if value is not None else ()
                else:
                    draft.bases = self._bases(clause)

    def _bases(self, value: Node, types: tuple[TypeExpression, ...] = ()) -> tuple[Base, ...]:
        """Return what a class extends: with `mixed(Base)`, the result and Base; none for a parameter without a type."""
        builder = self.builder
        base, scope = expression(value, builder), builder.frames[-1].scope
        scopes = [here for here in (scope, builder.scopes[scope][1]) if here > 0 and (here, base) in builder.bound]
        rows = (row for row in builder.bindings if row.name == base and row.scope in scopes) if scopes else ()
        if any(row.kind is Bindings.PARAMETER and row.type is None for row in rows):
            return ()
        given = inside(value, "arguments") if value.type == "call_expression" else []
        further: list[Base] = []
        for one in given:
            bare = unwrapped(one) or one
            if bare.type in _MIXED:  # also in `mixed(Base<Cart>)`
                typed = (type_of(type_, builder) for type_ in inside(one, "type_arguments"))
                further += self._bases(bare, tuple(typed) if bare is not one else ())
        return Base(base, types), *(base for base in further if is_result(base.value) or is_class_name(str(base.value)))

    def on_interface(self, node: Node, start: int, end: int) -> None:
        """Add an interface with its bases."""
        draft = self._type(node, Symbols.INTERFACE, start, end)
        for child in node.named_children:
            if child.type == "extends_type_clause":
                draft.bases = tuple(Base(Typed(type_of(type_, self.builder))) for type_ in child.named_children)

    def on_alias(self, node: Node, start: int, end: int) -> None:
        """Add a type alias. An alias of an object type has members instead of a type."""
        draft = self._type(node, Symbols.TYPE, start, end)
        value = node.child_by_field_name("value")
        if value is not None and value.type != "object_type":
            draft.type = type_of(value, self.builder)
            draft.signature = f"{self.builder.head(start, value, end)} = {self.builder.type_text(value)}"

    def _type(self, node: Node, kind: SymbolKind, start: int, end: int) -> Draft:
        builder = self.builder
        name = node.child_by_field_name("name")
        draft = builder.declare(builder.text(name) if name is not None else "?", kind, node)
        draft.signature = builder.head(start, node.child_by_field_name("body"), end)
        draft.doc = comment_above(builder.source, start)
        builder.bind(draft.name, Bindings.TYPE, draft.line, builder.index(draft))
        self._open(draft, end, Scopes.CLASS)
        return draft

    def on_enum(self, node: Node, start: int, end: int) -> None:
        """Add an enum and its members."""
        builder = self.builder
        draft = self._type(node, Symbols.ENUM, start, end)
        builder.bind(draft.name, Bindings.SYMBOL, draft.line, builder.index(draft), scope=builder.frames[-2].scope)
        for member in inside(node, "body"):
            name = member.child_by_field_name("name") if member.type == "enum_assignment" else member
            if name is not None and name.type in ("property_identifier", "string"):
                builder.declare(literal(builder.text(name)), Symbols.PROPERTY, member).traits |= Trait.STATIC

    def on_namespace(self, node: Node, start: int, end: int) -> None:
        """Add a namespace as a symbol with members, `A.B` as two; of an ambient `module "x"`, what it exports."""
        builder = self.builder
        name = node.child_by_field_name("name")
        if name is None or name.type == "string":
            frame = builder.frames[-1]
            scope = builder.add_scope(Scopes.CLASS, frame.symbol)
            module, body = string_of(name, builder), node.child_by_field_name("body")
            # A file has exports of its own; `*.svg` means one of many files, and none of them says more.
            if module and module[0] != "." and "*" not in module and body is not None:
                self.ambient_modules[scope] = module
                ambient_exports(builder, body, module, scope)
            builder.push(end, scope, frame.symbol, frame.prefix, exporting=True)
            return
        for part in builder.text(name).split("."):
            draft = builder.declare(part, Symbols.VARIABLE, node)
            draft.signature = builder.head(start, node.child_by_field_name("body"), end)
            draft.traits |= Trait.STATIC
            builder.bind(part, Bindings.SYMBOL, draft.line, builder.index(draft))
            self._open(draft, end, Scopes.CLASS)

    def on_typeparameter(self, node: Node, _start: int, _end: int) -> None:
        """Bind a type parameter, with its constraint; with its default if it has none, or the default is a function.

        The value is an object of the default, if the type is the constraint.
        """
        builder = self.builder
        name = node.child_by_field_name("name")
        limit, default = node.child_by_field_name("constraint"), node.child_by_field_name("value")
        if limit is None or (default is not None and builder.source.find(b"=>", *default.byte_range) >= 0):
            limit = default
        if name is not None:
            type_ = type_of(limit.named_children[0], builder) if limit is not None and limit.named_children else None
            has_both = limit is not default and default is not None and bool(default.named_children)
            value = Typed(type_of(default.named_children[0], builder)) if has_both and default is not None else None
            builder.bind(builder.text(name), Bindings.TYPE_PARAMETER, builder.line(node), type_=type_, value=value)
