"""Visitor methods for Go's types: structs and fields, interfaces and methods, definitions and aliases."""

import re

from tree_sitter import Node

from bearings.code.expressions import Typed
from bearings.code.file_facts import Base, Trait
from bearings.code.languages.go.locals import Locals
from bearings.code.languages.go.names import comment_above, is_exported
from bearings.code.languages.go.type_nodes import base_name, function_type, named_as, result_type, type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.models import Detail
from bearings.code.type_expressions import TypeExpression

_KINDS = {"struct_type": Symbols.CLASS, "interface_type": Symbols.INTERFACE}
_TAG = re.compile(r"\b(json|db|bson|gorm|yaml|xml|toml|protobuf|msgpack|validate|sql|bun|dynamodbav):\"")
"""Keys of struct tags that describe how fields are stored or sent; a struct with one is a schema."""


class Types:
    """Visitor methods for types."""

    def __init__(self, builder: Builder, local_names: Locals) -> None:
        self.builder = builder
        self.local_names = local_names

    def on_type(self, node: Node, start: int, end: int) -> None:
        """Add a type: a struct is a CLASS, an interface an INTERFACE, any other a TYPE, which may have Trait.ALIAS."""
        builder = self.builder
        name_node, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        name = builder.text(name_node) if name_node is not None else "?"
        if name == "_" or type_ is None:
            return
        kind = _KINDS.get(type_.type, Symbols.TYPE) if node.type == "type_spec" else Symbols.TYPE
        draft = builder.declare(name, kind, node)
        index = builder.index(draft)
        frame = builder.frames[-1]
        draft.exported = is_exported(name) and frame.scope == 0
        draft.doc = comment_above(builder.source, start)
        builder.bind(name, Bindings.SYMBOL, draft.line, index)
        draft.inner = builder.add_scope(Scopes.CLASS, index)
        builder.push(end, draft.inner, index, draft.qualified + ".")
        self.generics(node.child_by_field_name("type_parameters"))
        if kind is Symbols.TYPE:
            draft.type = type_of(type_, builder)
            draft.traits |= Trait.ALIAS if node.type == "type_alias" else Trait.NONE
            draft.signature = "type " + builder.line_of(node)
        else:
            draft.signature = "type " + builder.head(
                start, type_.named_children[0] if type_.named_children else None, end
            )

    def generics(self, listed: Node | None) -> None:
        """Bind type parameters, with their constraints."""
        builder = self.builder
        for child in listed.named_children if listed is not None else ():
            limit = child.child_by_field_name("type")
            type_ = type_of(limit, builder) if limit is not None else None
            for name in named_as(child):
                builder.bind(builder.text(name), Bindings.TYPE_PARAMETER, builder.line(child), type_=type_)

    def on_field(self, node: Node, _start: int, end: int) -> None:
        """Add the fields of a struct.

        An embedded field has its type's name. Fields of a nested struct are members of the field that holds it.
        """
        builder = self.builder
        frame = builder.frames[-1]
        owner = builder.drafts[frame.symbol]
        type_ = node.child_by_field_name("type")
        if type_ is None or not self._is_part(owner, node):
            return
        field_type = type_of(type_, builder)
        names = [builder.text(name) for name in named_as(node)]
        tag = node.child_by_field_name("tag")
        found = _TAG.search(builder.text(tag)) if tag is not None else None
        if found is not None and owner.kind is Symbols.CLASS and owner.detail is None:
            owner.detail = Detail(Symbols.SCHEMA, found[1])
        if not names:
            self._embed(owner, node, field_type)
            names = [base_name(type_, builder)]
        for name in names:
            if name != "_":
                field = self._field(node, name, field_type)
                if type_.type == "struct_type":
                    builder.push(end, frame.scope, builder.index(field), field.qualified + ".")

    def _embed(self, owner: Draft, node: Node, type_: TypeExpression) -> None:
        owner.bases = (*owner.bases, Base(Typed(type_), below=self.builder.line(node) - owner.line))

    def _field(self, node: Node, name: str, type_: TypeExpression) -> Draft:
        builder = self.builder
        owner = builder.drafts[builder.frames[-1].symbol]
        draft = builder.declare(name, Symbols.PROPERTY, node)
        draft.exported = owner.exported and is_exported(name)
        draft.type, draft.signature = type_, builder.line_of(node)
        draft.doc = comment_above(builder.source, node.start_byte) if draft.line != owner.line else ""
        return draft

    def _is_part(self, owner: Draft, node: Node) -> bool:
        """Whether a field belongs to the declared struct, and not to a struct in a slice or function type inside it."""
        struct = node.parent.parent if node.parent is not None else None
        around = struct.parent if struct is not None else None
        if around is None or struct is None or struct.type != "struct_type":
            return False
        if owner.kind is Symbols.CLASS:
            return around.type == "type_spec"
        return owner.kind is Symbols.PROPERTY and around.type == "field_declaration"

    def on_member(self, node: Node, start: int, end: int) -> None:
        """Add a method of an interface."""
        builder = self.builder
        owner = builder.drafts[builder.frames[-1].symbol]
        name = node.child_by_field_name("name")
        if owner.kind is not Symbols.INTERFACE or name is None:
            return
        draft = builder.declare(builder.text(name), Symbols.METHOD, node)
        draft.exported = owner.exported and is_exported(draft.name)
        draft.signature, draft.doc = builder.head(start, None, end), comment_above(builder.source, start)
        draft.returns, draft.type = result_type(node, builder), function_type(node, builder)
        draft.traits |= Trait.ABSTRACT

    def on_embedded(self, node: Node, _start: int, _end: int) -> None:
        """Add an interface embedded in an interface, or the type set of a constraint, as a base."""
        owner = self.builder.drafts[self.builder.frames[-1].symbol]
        if owner.kind is Symbols.INTERFACE:
            self._embed(owner, node, type_of(node, self.builder))
