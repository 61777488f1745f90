"""What containers and mediators connect by the name of a type: who gets an object of it, and who makes or handles it.

    @Service class Carts implements Store          Carts provides Store
    services.AddScoped<IStore, Carts>()            Carts provides IStore, by a registration
    class Add : IRequestHandler<AddCart, int>      Add.Handle provides AddCart
    Shop(Store store)                              the constructor is injected with Store
    mediator.Send(new AddCart())                   the function around sends AddCart

The facts are FrameworkCalls: see INJECTED, SENT and PROVIDED. Types are found by the project's table of names.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tree_sitter import Node

from bearings.code.expressions import Chain
from bearings.code.framework_facts import INJECTED, PROVIDED, SENT, FrameworkCall
from bearings.code.languages.shared.attributes import Literals, call_of, name_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.languages.shared.route_tables import Container

_CLASSES: Final = frozenset({Symbols.CLASS, Symbols.INTERFACE})
_BASES: Final = frozenset({"superclass", "super_interfaces", "base_list", "class_interface_clause", "base_clause"})
_ARGUMENTS: Final = frozenset({"type_argument_list", "type_arguments"})
_TYPE: Final = re.compile(r"[\w.\\]+")
_FINAL: Final = re.compile(r"\bfinal\b")
_MOST: Final = 500
"""Rows of a file."""


class Injections:
    """The injections of one file."""

    def __init__(self, builder: Builder, container: Container, literals: Literals) -> None:
        self._builder = builder
        self._container = container
        self._literals = literals
        self._rows: dict[tuple[str, int, str, str, int], FrameworkCall] = {}

    def read(self, declared: Sequence[tuple[Draft, Node]], called: Sequence[tuple[Node, int]]) -> None:
        """Add the facts."""
        container = self._container
        made = {
            self._builder.index(draft): self._class(draft, node) for draft, node in declared if draft.kind in _CLASSES
        }
        constructors: dict[int, list[tuple[Draft, Node]]] = {}
        for draft, node in declared:
            if draft.kind is Symbols.CONSTRUCTOR:
                constructors.setdefault(draft.parent, []).append((draft, node))
            elif draft.kind not in _CLASSES:
                self._member(draft, node, made.get(draft.parent, frozenset()))
        for owner, several in constructors.items():
            is_made = container.everywhere or container.components & made.get(owner, frozenset())
            for draft, node in several:
                if (is_made and len(several) == 1) or container.points & self._attributes(node):
                    self._take(draft, node)
        connecting = container.registering | container.senders
        for name, scope in called if connecting else ():
            text = self._builder.text(name)
            call = call_of(name) if text in connecting else None
            if call is not None:
                self._call(call, text, self._builder.scopes[scope][2])
        self._builder.framework_calls += list(self._rows.values())[:_MOST]

    def _add(self, source: int, line: int, by: str, name: str, made: str = "", target: int = -1) -> None:
        if name and name != made:
            callee = Chain(name, (made,)) if made else name
            row = FrameworkCall(source, line, by, callee=callee, target=target)
            self._rows.setdefault((by, source, name, made, target), row)

    def _attributes(self, node: Node) -> frozenset[str]:
        return frozenset(each.name for each in self._literals.attributes(node))

    def _class(self, draft: Draft, node: Node) -> frozenset[str]:
        """The attributes of a class; adds what it provides and, in its own head, gets."""
        attributes, container, index = self._attributes(node), self._container, self._builder.index(draft)
        is_made = not container.components.isdisjoint(attributes)
        for name, argument in self._bases(node) if is_made or container.handlers else ():
            if is_made:
                self._add(index, draft.line, PROVIDED, name, target=index)
            method = self._builder.members.get((index, container.handlers.get(name, "")))
            if method is not None and argument:
                whole = f"{draft.qualified.rpartition('.')[0]}.{argument}" if "." not in argument else argument
                self._add(method, draft.line, PROVIDED, whole.lstrip("."), target=method)
        if container.everywhere and node.child_by_field_name("parameters") is not None:
            self._take(draft, node)
        held = next((each for each in node.named_children if each.type == "parameter_list"), None)
        if container.everywhere and held is not None:  # `class Cart(IStore store)`
            self._take(draft, held)
        return attributes

    def _bases(self, node: Node) -> Iterator[tuple[str, str]]:
        """The types above a class, each with its first type argument."""
        for child in node.named_children:
            if child.type in _BASES:
                for each in child.named_children:
                    for type_ in each.named_children if each.type == "type_list" else (each,):
                        yield self._type(type_), self._argument(type_)

    def _type(self, node: Node | None) -> str:
        """The last part of the name of a type, without arguments; empty for none."""
        match = (
            _TYPE.match(self._builder.between(node.start_byte, min(node.end_byte, node.start_byte + 200)))
            if node
            else None
        )
        return re.split(r"[.\\]", match[0])[-1] if match is not None else ""

    def _argument(self, node: Node) -> str:
        """The first type argument of a type, with dots."""
        for child in node.named_children:
            if child.type in _ARGUMENTS and child.named_children:
                match = _TYPE.match(self._builder.text(child.named_children[0]))
                return match[0] if match is not None else ""
        return ""

    def _member(self, draft: Draft, node: Node, around: frozenset[str]) -> None:
        """Add what a field or a method gets, or what a method makes."""
        container = self._container
        if not (container.points or container.makers):
            return
        attributes, type_ = self._attributes(node), node.child_by_field_name("type")
        index = self._builder.index(draft)
        if container.makers & attributes and draft.inner >= 0:
            self._add(index, draft.line, PROVIDED, self._type(type_), target=index)
            self._take(draft, node)
        elif container.points & attributes and draft.inner >= 0:
            self._take(draft, node)
        elif container.points & attributes or (container.fields & around and _FINAL.search(draft.signature)):
            self._add(index, draft.line, INJECTED, self._type(type_))

    def _take(self, draft: Draft, node: Node) -> None:
        """Add the types of a function's parameters."""
        listed = node.child_by_field_name("parameters") or node
        for each in listed.named_children:
            type_ = each.child_by_field_name("type")
            name = self._type(type_) if type_ is not None else ""
            if name[:1].isupper():
                self._add(self._builder.index(draft), draft.line, INJECTED, name)

    def _call(self, call: Node, name: str, source: int) -> None:
        """Add a registration, `AddScoped<I, C>()`, `bind(I::class, C::class)`, or a message, `Send(new AddCart())`."""
        given, line = self._literals.arguments(call), self._builder.line(call)
        if name in self._container.senders:
            if given:
                self._add(source, line, SENT, self._sent(given[0].value, source))
            return
        named = name_of(call)
        listed = next((each for each in named.named_children if each.type in _ARGUMENTS), None)
        types = listed.named_children if listed is not None else [self._held(each.value) for each in given]
        if len(types) > 1:
            first, second = self._type(types[0]), self._type(types[1])
            self._add(source, line, PROVIDED, first, second if second != first else "")

    def _held(self, node: Node) -> Node:
        """The type in `typeof(I)` or `I::class`."""
        return node.child_by_field_name("type") or (node.named_children[0] if node.type.startswith("class_") else node)

    def _sent(self, value: Node, source: int) -> str:
        """The type of a message: that which is constructed, or a parameter's of the function around."""
        made = value.child_by_field_name("type") if value.type == "object_creation_expression" else None
        if made is not None:
            return self._builder.text(made).partition("<")[0]
        name = self._builder.text(value) if value.type == "identifier" else ""
        head = self._builder.drafts[source].signature
        match = re.search(rf"([\w.]+)\s+{name}\s*[,)=]", head) if name else None
        return match[1] if match is not None else ""
