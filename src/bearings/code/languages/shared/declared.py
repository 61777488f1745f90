"""The visitor of all declared languages, which are described by a query (`symbols.scm`) and `Rules` alone.

The query captures nodes under the names below. A node belongs to the innermost captured node whose span encloses it.

- `@definition.<kind>`: a symbol of that SymbolKind, with its `@name` inside. A variable with several names is several
  symbols. A function in a type becomes a method, a variable in a type a property; local variables are no symbols.
- `@owner`: an `impl` or `extension` block. It is no symbol; its members belong to the type called `@name`.
- `@namespace`: a namespace. It is no symbol; its `@name` becomes a prefix of the names inside.
- `@receiver`: inside a definition, the type that it belongs to (`fun String.shout()`).
- `@body`: the end of a definition's signature, if the body is not in the field `body`.
- `@visibility`: the visibility of all later members of the same type (`private:`).
- `@package`: the package of the file. `@import`: a module as written. `@extends`, `@implements`: names of base types.
- `@call`, `@new`: the called name. Its qualifier is read from the source in front of it.
- `@local`: a local variable. Behind it, a `@call` of its name in the same definition is none.
- `@type`, `@reference`: other uses of a name. A `@reference` counts only if it starts with a capital letter.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from tree_sitter import Node

from bearings.code.expressions import Expression
from bearings.code.expressions import last_name as last_name_of
from bearings.code.file_facts import Base
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.declared_captures import CapturedNode, CapturedNodes
from bearings.code.languages.shared.declared_routes import routes_of
from bearings.code.languages.shared.declared_rules import Rules
from bearings.code.languages.shared.declared_text import Comments, callee_at, imported_modules, last_name, name_parts
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Edges, Scopes, Symbols
from bearings.code.models import EdgeKind, SymbolKind

_USES = {
    "extends": Edges.EXTENDS,
    "implements": Edges.IMPLEMENTS,
    "call": Edges.CALL,
    "new": Edges.NEW,
    "type": Edges.TYPE,
    "reference": Edges.REFERENCE,
}
TYPES = frozenset({Symbols.CLASS, Symbols.INTERFACE, Symbols.ENUM, Symbols.TYPE})
CALLABLE = frozenset({Symbols.FUNCTION, Symbols.METHOD, Symbols.CONSTRUCTOR})
_VALUES = frozenset({Symbols.CONSTANT, Symbols.PROPERTY, Symbols.VARIABLE})
_NUMBERED = frozenset({Edges.CALL, Edges.NEW})
_BASES = frozenset({Edges.EXTENDS, Edges.IMPLEMENTS})
_IN_TYPES = {Symbols.FUNCTION: Symbols.METHOD, Symbols.VARIABLE: Symbols.PROPERTY}
_INHERITING = frozenset({Symbols.INTERFACE, Symbols.ENUM})
_SHORTEST_NAME = 2
"""The fewest letters of a name that counts as a use, unless a base has it: others are type parameters."""
_HIDDEN = re.compile(r"private|protected|fileprivate")
_is_in_word = re.compile(r"\w").match
_MARKS = (b"@", b"[", b"#")
"""Starts of attributes."""
_ATTRIBUTES = frozenset(
    {"annotation", "marker_annotation", "attribute_list", "comment", "line_comment", "block_comment"}
)


class Enclosing:
    """A definition, owner or namespace around the current node, and what it means for its members.

    `owner_name` is the name of an `@owner`. `exports`: the type itself is exported. `shows`: the last `@visibility` is
    a public one. `inherits`: members are as visible as their type, without a modifier.
    """

    __slots__ = ("exports", "inherits", "is_code", "is_type", "kind", "owner_name", "shows")

    def __init__(self, kind: SymbolKind | None = None, owner_name: str = "", *, exports: bool = True) -> None:
        self.kind = kind
        self.owner_name = owner_name
        self.is_type = bool(owner_name) or kind in TYPES
        self.is_code = kind in CALLABLE or kind in _VALUES
        self.exports = exports
        self.inherits = kind in _INHERITING
        self.shows = True


class Declared:
    """The visitor. It collects all captures first, because a definition's name may come after other nodes inside it."""

    has_types: ClassVar[bool] = False
    """Whether types tell what names mean, also in lower case or of one letter: see nominal.py."""

    def __init__(self, builder: Builder, rules: Rules) -> None:
        self._builder = builder
        self._rules = rules
        self._captured = CapturedNodes(builder, rules, holds_lower=self.has_types)
        self._comments = Comments(builder.source, rules)
        patterns = (rules.public, rules.hidden, rules.hidden_at_top)
        self._public, self._hidden, self._hidden_at_top = (re.compile(text) if text else None for text in patterns)
        self._cases = re.compile(rules.case_attributes) if rules.case_attributes else None
        self._attributes = re.compile(rf"(?:(?:{rules.attributes})\s*)+") if rules.attributes else None
        self._routes = routes_of(builder, rules, self.whole_name)
        self._enclosing = [Enclosing()]
        self._owned: list[tuple[Draft, str]] = []
        self._owner_bases: list[tuple[str, str]] = []
        self._owner_scopes: list[tuple[int, str]] = []

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """See Visitor: every handler only collects the node."""
        return self._captured.captures, [partial(self._captured.add, capture) for capture in self._captured.captures]

    def whole_name(self, text: str) -> str:
        """The whole name of a class, as it is written in the file; empty if other files say what it means."""
        del text
        return ""

    def finish(self) -> None:
        """Visit the collected nodes, outermost first, with the builder's frames around them."""
        frames, enclosing = self._builder.frames, self._enclosing
        del frames[1:]
        for captured in self._captured.all:
            while frames[-1].end <= captured.start:
                frames.pop()
                enclosing.pop()
            kind = _USES.get(captured.capture)
            if kind is not None:
                if self._routes is not None and kind is Edges.CALL:
                    self._routes.call(captured.node, frames[-1].scope)
                self._use(captured, kind)
            else:
                getattr(self, _VISITS.get(captured.capture, "_definition"))(captured)
        self._assign_owners()
        if self._routes is not None:
            self._routes.read()

    def _push(self, captured: CapturedNode, enclosing: Enclosing, scope: int, symbol: int, prefix: str) -> None:
        self._builder.push(captured.end, scope, symbol, prefix)
        self._enclosing.append(enclosing)

    def _on_namespace(self, captured: CapturedNode) -> None:
        frame = self._builder.frames[-1]
        parts = self._name_parts(captured)
        if parts:
            enclosing = Enclosing(exports=self._enclosing[-1].exports)
            self._push(captured, enclosing, frame.scope, frame.symbol, f"{frame.prefix}{'.'.join(parts)}.")

    def _on_owner(self, captured: CapturedNode) -> None:
        """Open a block of members. Their type may be declared further down, or in another file."""
        frame = self._builder.frames[-1]
        parts = self._name_parts(captured)
        if parts:
            owner = frame.prefix + ".".join(parts)
            scope = self._builder.add_scope(Scopes.CLASS, frame.symbol)
            self._owner_scopes.append((scope, owner))
            self._push(captured, Enclosing(owner_name=owner), scope, frame.symbol, f"{owner}.")

    def _name_parts(self, captured: CapturedNode) -> list[str]:
        return name_parts(self._builder.text(captured.names[0])) if captured.names else []

    def _definition(self, captured: CapturedNode) -> None:
        """Declare the symbols of a node. If it has no name, its members belong to the enclosing definition."""
        kind, builder = SymbolKind(captured.kind), self._builder
        if self._enclosing[-1].is_code and kind in _VALUES:
            if kind is Symbols.PROPERTY:
                self._promoted(captured)
            return
        names = [parts for name in captured.names if (parts := name_parts(builder.text(name)))]
        drafts = [self._declare(captured, kind, parts) for parts in names]
        if len(drafts) == 1 and (drafts[0].kind not in _VALUES or self._body(captured) is not None):
            draft = drafts[0]
            index = builder.index(draft)
            draft.inner = builder.add_scope(Scopes.CLASS if draft.kind in TYPES else Scopes.FUNCTION, index)
            enclosing = Enclosing(draft.kind, exports=draft.exported)
            enclosing.shows = captured.node.type not in self._rules.private_in
            if draft.kind in _VALUES and self._enclosing[-1].kind is Symbols.ENUM:  # an enum member with a body
                enclosing.is_type = enclosing.inherits = True
                enclosing.is_code = False
            self._push(captured, enclosing, draft.inner, index, f"{draft.qualified}.")

    def _promoted(self, captured: CapturedNode) -> None:
        """Declare a constructor parameter that is also a property of the type."""
        frame, enclosing = self._builder.frames.pop(), self._enclosing.pop()
        if not self._enclosing[-1].is_code:
            self._definition(captured)
        self._builder.frames.append(frame)
        self._enclosing.append(enclosing)

    def _declare(self, captured: CapturedNode, kind: SymbolKind, parts: list[str]) -> Draft:
        builder, here = self._builder, self._enclosing[-1]
        if captured.receiver is not None:
            parts = [*name_parts(builder.text(captured.receiver)), parts[-1]]
        is_member = here.is_type or len(parts) > 1
        kind = _IN_TYPES.get(kind, kind) if is_member else kind
        prefix = builder.frames[-1].prefix + "".join(f"{part}." for part in parts[:-1])
        if kind is Symbols.METHOD and self._is_constructor(parts[-1], prefix):
            kind = Symbols.CONSTRUCTOR
        draft = builder.declare(parts[-1], kind, captured.node, prefix=prefix)
        owner = prefix[:-1] if len(parts) > 1 else here.owner_name
        if owner:
            self._owned.append((draft, owner))
        signature = self._signature(captured, kind)
        draft.signature = signature
        draft.exported = self._is_exported(modifiers(signature, parts[-1]), kind)
        draft.doc = self._comments.above(captured.start)
        if self._routes is not None:
            self._routes.declare(draft, captured.node)
        return draft

    def _is_constructor(self, name: str, prefix: str) -> bool:
        """Whether a method of that name is a constructor of its type."""
        type_name = prefix[:-1].rpartition(".")[2]
        return name in self._rules.constructors or ("=" in self._rules.constructors and name == type_name)

    def _signature(self, captured: CapturedNode, kind: SymbolKind) -> str:
        """Return a declaration on one line, without its body and attributes, but for one that makes it a test."""
        builder, start, end = self._builder, captured.start, captured.end
        body = self._body(captured)
        if captured.names[0].byte_range == (start, end):
            start, end = self._declaration_span(captured.node)
        elif builder.source.startswith(_MARKS, start):
            start = _behind_attributes(captured.node)
        if body is None:
            opening = builder.source.find(b"{", start, end)
            end = opening if opening > start else end
        if kind in _VALUES:
            line = builder.source.find(b"\n", max(start, captured.names[0].end_byte), end)
            end = line if line > 0 else end
        head = builder.head(start, body, end)
        found = self._attributes.match(head) if self._attributes is not None else None
        head = (head[found.end() :] if found is not None else head).rstrip(" ,;=")
        above = builder.source[captured.start : start] if self._cases is not None and kind is Symbols.METHOD else b""
        case = self._cases.search(above.decode("utf-8", "replace")) if self._cases is not None and above else None
        return f"[{case[0]}] {head}" if case is not None else head

    def _declaration_span(self, name: Node) -> tuple[int, int]:
        """Return the span of the declaration around a name that was captured as the whole definition."""
        whole = name.parent
        while whole is not None and whole.type.endswith("_declarator"):
            whole = whole.parent
        is_list = whole is None or self._builder.source.startswith(b"{", whole.start_byte)
        return name.byte_range if whole is None or is_list else whole.byte_range

    def _body(self, captured: CapturedNode) -> Node | None:
        return captured.body or captured.node.child_by_field_name("body")

    def _is_exported(self, modifiers: str, kind: SymbolKind) -> bool:
        """Whether a symbol is exported, by its enclosing definition and by the text before its name."""
        here = self._enclosing[-1]
        if not here.exports or not here.shows or here.is_code or _matches(self._hidden, modifiers):
            return False
        if not here.is_type and _matches(self._hidden_at_top, modifiers):
            return False
        inherits = here.inherits and (here.kind is not Symbols.ENUM or kind in _VALUES)
        return inherits or self._public is None or _matches(self._public, modifiers)

    def _use(self, captured: CapturedNode, kind: EdgeKind) -> None:
        builder = self._builder
        if self._captured.is_name(captured.start, captured.end):
            return
        if kind in _NUMBERED:
            self._call(captured, kind, callee_at(builder.source, captured.start, captured.end))
            return
        for name in captured.text.split(",") if captured.text else (builder.text(captured.node),):
            self._use_name(captured, kind, last_name(name.strip()))

    def _use_name(self, captured: CapturedNode, kind: EdgeKind, callee: Expression) -> None:
        builder, here, name = self._builder, self._enclosing[-1], last_name_of(callee)
        is_short = len(name) < _SHORTEST_NAME and kind not in _BASES and not self.has_types
        if not name or is_short or (kind is Edges.REFERENCE and not name[0].isupper()):
            return
        if kind in _BASES and here.is_type:
            here.inherits = here.inherits or (kind is Edges.IMPLEMENTS and not here.kind)
            if here.owner_name:
                self._owner_bases.append((here.owner_name, name))
            else:
                self._base(kind, name)
        builder.add_use(captured.node, kind, callee)

    def _call(self, captured: CapturedNode, kind: EdgeKind, callee: str) -> None:
        receiver, _, name = callee.rpartition(".")
        if name in self._rules.makers and receiver[:1].isupper():
            kind, callee = Edges.NEW, receiver
        if callee:
            self._builder.add_call(captured.node, kind, callee, (captured.start, captured.end))

    def _base(self, kind: EdgeKind, name: str) -> None:
        draft = self._builder.drafts[self._builder.frames[-1].symbol]
        if kind is Edges.EXTENDS:
            draft.bases = (*draft.bases, Base(name))
        else:
            draft.implements = (*draft.implements, name)

    def _on_row(self, captured: CapturedNode) -> None:
        """Adds the locals that a node declares: see nominal.py."""

    def _on_visibility(self, captured: CapturedNode) -> None:
        self._enclosing[-1].shows = _HIDDEN.match(self._builder.text(captured.node)) is None

    def _on_package(self, captured: CapturedNode) -> None:
        self._builder.package = ".".join(self._builder.text(captured.node).split())

    def _on_import(self, captured: CapturedNode) -> None:
        for module, local in imported_modules(captured.text or self._builder.text(captured.node)):
            self._builder.add_import(module, "", local if local.isidentifier() else "", captured.node)

    def _assign_owners(self) -> None:
        """Set the parent of members that are declared outside their type, if this file declares the type."""
        builder = self._builder
        types = {draft.qualified: index for index, draft in enumerate(builder.drafts) if draft.kind in TYPES}
        for owner, name in self._owner_bases:
            if owner in types:
                draft = builder.drafts[types[owner]]
                draft.implements = (*draft.implements, name)
        for draft, owner in self._owned:
            draft.parent = types.get(owner, draft.parent)
        for scope, owner in self._owner_scopes:
            kind, parent, symbol = builder.scopes[scope]
            builder.scopes[scope] = kind, parent, types.get(owner, symbol)


def modifiers(signature: str, name: str) -> str:
    """Return the text before a name; all of it without the name. A pattern for each name would have to be compiled."""
    at = signature.find(name)
    while at >= 0 and any(map(_is_in_word, (signature[at - 1 : at], signature[at + len(name) :][:1]))):
        at = signature.find(name, at + 1)
    return signature[:at] if at >= 0 else signature


def _behind_attributes(node: Node) -> int:
    """Return the start of a declaration behind the attributes above it, which may be of any length."""
    first, *others = node.children or [node]
    parts = [*first.children, *others] if first.type == "modifiers" else [first, *others]
    return next((part.start_byte for part in parts if part.type not in _ATTRIBUTES), node.start_byte)


def _matches(pattern: "re.Pattern[str] | None", text: str) -> bool:
    return pattern is not None and pattern.search(text) is not None


_VISITS = {name: f"_on_{name}" for name in ("owner", "namespace", "visibility", "package", "import", "row")}
