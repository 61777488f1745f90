"""The visitor of every language by declaration: the language's `symbols.scm` and its Rules are all that it goes by.

A query captures nodes by what they are; which belong together is told by their extents, the innermost around:

- `@definition.<kind>`: an element of that SymbolKind, with `@name` inside it; of a variable several names are several
  elements. A function in a type is a method, a variable there a property; variables in functions are no elements.
- `@owner`: no element, but what is inside belongs to the type of that `@name` (`impl`, `extension`).
- `@namespace`: no element either; what is inside is known by that `@name` and its own.
- `@receiver`: inside a definition, the type that it belongs to (`fun String.shout()`).
- `@body`: where a definition's head ends, if not at its field `body`.
- `@visibility`: what follows in the same type is as visible as this says (`private:`).
- `@package`: what the file belongs to. `@import`: a module as written. `@extends`, `@implements`: names of types above.
- `@call`, `@new`: the name that is called; what qualifies it is read off the source before it.
- `@type`, `@reference`: other names that are used; a `@reference` counts if it begins with a capital letter.
"""

import re
from collections.abc import Callable
from functools import partial

from tree_sitter import Node

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.declared_captures import NAMED, Note, Notes
from bearings.code.languages.shared.declared_rules import Rules
from bearings.code.languages.shared.declared_text import Comments, callee_at, expanded, last_name, name_parts
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
_TYPES = frozenset({Symbols.CLASS, Symbols.INTERFACE, Symbols.ENUM, Symbols.TYPE})
_CALLABLE = frozenset({Symbols.FUNCTION, Symbols.METHOD, Symbols.CONSTRUCTOR})
_VALUES = frozenset({Symbols.CONSTANT, Symbols.PROPERTY, Symbols.VARIABLE})
_NUMBERED = frozenset({Edges.CALL, Edges.NEW})
_BASES = frozenset({Edges.EXTENDS, Edges.IMPLEMENTS})
_IN_TYPES = {Symbols.FUNCTION: Symbols.METHOD, Symbols.VARIABLE: Symbols.PROPERTY}
_INHERITING = frozenset({Symbols.INTERFACE, Symbols.ENUM})
_SHORTEST = 2
"""Letters of a name that counts as a use: those of one letter are type parameters."""
_HIDDEN = re.compile(r"private|protected|fileprivate")


class _Around:
    """A definition or an owner that is open. `own`: the name that its members are told by, where it is no element."""

    __slots__ = ("exports", "inherits", "is_code", "is_type", "kind", "own", "shows")

    def __init__(self, kind: SymbolKind | None = None, own: str = "", *, exports: bool = True) -> None:
        self.kind = kind
        self.own = own
        self.is_type = bool(own) or kind in _TYPES
        self.is_code = kind in _CALLABLE or kind in _VALUES
        self.exports = exports
        self.inherits = kind in _INHERITING
        self.shows = True


class Declared:
    """The visitor. Captures are noted first, as a name may stand behind what belongs to it."""

    def __init__(self, into: Builder, rules: Rules) -> None:
        self._into = into
        self._rules = rules
        self._notes = Notes(into, rules)
        self._comments = Comments(into.source, rules)
        patterns = (rules.public, rules.hidden, rules.hidden_at_top)
        self._public, self._hidden, self._hidden_at_top = (re.compile(text) if text else None for text in patterns)
        self._attributes = re.compile(rf"(?:(?:{rules.attributes})\s*)+") if rules.attributes else None
        self._around = [_Around()]
        self._owned: list[tuple[Draft, str]] = []
        self._scopes: list[tuple[int, str]] = []

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """The captures, and for each what notes it."""
        return self._notes.captures, [partial(_noted, capture=capture) for capture in self._notes.captures]

    def note(self, capture: str, node: Node, start: int, end: int) -> None:
        """Takes note of a captured node."""
        self._notes.take(capture, node, start, end)

    def finish(self) -> None:
        """Goes over what was noted, outermost first, with the builder's frames around it."""
        frames, around = self._into.frames, self._around
        del frames[1:]
        for note in self._notes.all:
            while frames[-1].end <= note.start:
                frames.pop()
                around.pop()
            if note.capture in _USES:
                self._use(note, _USES[note.capture])
            elif note.capture in NAMED:
                _OPENING.get(note.capture, Declared._definition)(self, note)
            else:
                _OTHERS[note.capture](self, note)
        self._settle()

    def _push(self, note: Note, around: _Around, scope: int, symbol: int, prefix: str) -> None:
        self._into.push(note.end, scope, symbol, prefix)
        self._around.append(around)

    def _on_namespace(self, note: Note) -> None:
        frame = self._into.frames[-1]
        parts = self._parts(note)
        if parts:
            around = _Around(exports=self._around[-1].exports)
            self._push(note, around, frame.scope, frame.symbol, f"{frame.prefix}{'.'.join(parts)}.")

    def _on_owner(self, note: Note) -> None:
        """What is inside belongs to a type, which may be declared further down, or in another file."""
        frame = self._into.frames[-1]
        parts = self._parts(note)
        if parts:
            own = frame.prefix + ".".join(parts)
            scope = self._into.scope(Scopes.CLASS, frame.symbol)
            self._scopes.append((scope, own))
            self._push(note, _Around(own=own), scope, frame.symbol, f"{own}.")

    def _parts(self, note: Note) -> list[str]:
        return name_parts(self._into.text(note.names[0])) if note.names else []

    def _definition(self, note: Note) -> None:
        """The elements that a node declares; without a name, what is inside belongs to what is around."""
        kind, into = SymbolKind(note.kind), self._into
        if self._around[-1].is_code and kind in _VALUES:
            if kind is Symbols.PROPERTY:
                self._promoted(note)
            return
        drafts = [self._declared(note, kind, parts) for name in note.names if (parts := name_parts(into.text(name)))]
        if len(drafts) == 1 and (drafts[0].kind not in _VALUES or self._body(note) is not None):
            draft = drafts[0]
            index = into.index(draft)
            draft.inner = into.scope(Scopes.CLASS if draft.kind in _TYPES else Scopes.FUNCTION, index)
            around = _Around(draft.kind, exports=draft.exported)
            around.shows = note.node.type not in self._rules.private_in
            if draft.kind in _VALUES and self._around[-1].kind is Symbols.ENUM:  # a member of it that has members
                around.is_type = around.inherits = True
                around.is_code = False
            self._push(note, around, draft.inner, index, f"{draft.qualified}.")

    def _promoted(self, note: Note) -> None:
        """A parameter that is a property of the type as well."""
        frame, around = self._into.frames.pop(), self._around.pop()
        if not self._around[-1].is_code:
            self._definition(note)
        self._into.frames.append(frame)
        self._around.append(around)

    def _declared(self, note: Note, kind: SymbolKind, parts: list[str]) -> Draft:
        into, here = self._into, self._around[-1]
        if note.receiver is not None:
            parts = [*name_parts(into.text(note.receiver)), parts[-1]]
        is_member = here.is_type or len(parts) > 1
        kind = _IN_TYPES.get(kind, kind) if is_member else kind
        prefix = into.frames[-1].prefix + "".join(f"{part}." for part in parts[:-1])
        if kind is Symbols.METHOD and self._makes(parts[-1], prefix):
            kind = Symbols.CONSTRUCTOR
        draft = into.declare(parts[-1], kind, note.node, prefix=prefix)
        owner = prefix[:-1] if len(parts) > 1 else here.own
        if owner:
            self._owned.append((draft, owner))
        head = self._head(note, kind)
        name = re.search(rf"(?<!\w){re.escape(parts[-1])}(?!\w)", head)
        draft.signature, draft.exported = head, self._is_exported(head[: name.start()] if name else head, kind)
        draft.doc = self._comments.above(note.start)
        return draft

    def _makes(self, name: str, prefix: str) -> bool:
        """Whether a method of that name makes an object of its type."""
        own = prefix[:-1].rpartition(".")[2]
        return name in self._rules.constructors or ("=" in self._rules.constructors and name == own)

    def _head(self, note: Note, kind: SymbolKind) -> str:
        """A declaration on one line, without its attributes and its body."""
        into, start, end = self._into, note.start, note.end
        body = self._body(note)
        if note.names[0].byte_range == (start, end):
            start, end = self._whole(note.node)
        if body is None:
            opening = into.source.find(b"{", start, end)
            end = opening if opening > start else end
        if kind in _VALUES:
            line = into.source.find(b"\n", max(start, note.names[0].end_byte), end)
            end = line if line > 0 else end
        head = into.head(start, body, end)
        found = self._attributes.match(head) if self._attributes is not None else None
        return (head[found.end() :] if found is not None else head).rstrip(" ,;=")

    def _whole(self, name: Node) -> tuple[int, int]:
        """The extent of the declaration of which the name alone was captured."""
        whole = name.parent
        while whole is not None and whole.type.endswith("_declarator"):
            whole = whole.parent
        is_list = whole is None or self._into.source.startswith(b"{", whole.start_byte)
        return name.byte_range if whole is None or is_list else whole.byte_range

    def _body(self, note: Note) -> Node | None:
        return note.body or note.node.child_by_field_name("body")

    def _is_exported(self, before: str, kind: SymbolKind) -> bool:
        """Whether it is, by what stands before its name."""
        here = self._around[-1]
        if not here.exports or not here.shows or here.is_code or _found(self._hidden, before):
            return False
        if not here.is_type and _found(self._hidden_at_top, before):
            return False
        inherits = here.inherits and (here.kind is not Symbols.ENUM or kind in _VALUES)
        return inherits or self._public is None or _found(self._public, before)

    def _use(self, note: Note, kind: EdgeKind) -> None:
        into, here = self._into, self._around[-1]
        if self._notes.is_name(note.start, note.end):
            return
        if kind in _NUMBERED:
            self._call(note, kind, callee_at(into.source, note.start, note.end))
            return
        callee = last_name(into.text(note.node))
        if len(callee) < _SHORTEST or (kind is Edges.REFERENCE and not callee[0].isupper()):
            return
        if kind in _BASES and here.is_type:
            here.inherits = here.inherits or (kind is Edges.IMPLEMENTS and not here.kind)
            self._base(kind, callee)
        into.use(note.node, kind, callee)

    def _call(self, note: Note, kind: EdgeKind, callee: str) -> None:
        of, _, name = callee.rpartition(".")
        if name in self._rules.makers and of[:1].isupper():
            kind, callee = Edges.NEW, of
        if callee:
            self._into.call(note.node, kind, callee, (note.start, note.end))

    def _base(self, kind: EdgeKind, name: str) -> None:
        draft = self._into.drafts[self._into.frames[-1].symbol]
        if kind is Edges.EXTENDS:
            draft.bases = (*draft.bases, name)
        else:
            draft.implements = (*draft.implements, name)

    def _on_visibility(self, note: Note) -> None:
        self._around[-1].shows = _HIDDEN.match(self._into.text(note.node)) is None

    def _on_package(self, note: Note) -> None:
        module = self._into.drafts[0]
        module.type = ".".join(self._into.text(note.node).split())

    def _on_import(self, note: Note) -> None:
        for module, local in expanded(note.text or self._into.text(note.node)):
            self._into.take(module, "", local if local.isidentifier() else "", note.node)

    def _settle(self) -> None:
        """What was declared apart from its type belongs to it, if that is in this file."""
        into = self._into
        types = {draft.qualified: index for index, draft in enumerate(into.drafts) if draft.kind in _TYPES}
        for draft, owner in self._owned:
            draft.parent = types.get(owner, draft.parent)
        for scope, owner in self._scopes:
            kind, parent, symbol = into.scopes[scope]
            into.scopes[scope] = kind, parent, types.get(owner, symbol)


def _noted(visitor: Declared, node: Node, start: int, end: int, *, capture: str) -> None:
    visitor.note(capture, node, start, end)


def _found(pattern: "re.Pattern[str] | None", text: str) -> bool:
    return pattern is not None and pattern.search(text) is not None


_OPENING = {"owner": Declared._on_owner, "namespace": Declared._on_namespace}
_OTHERS = {
    "visibility": Declared._on_visibility,
    "package": Declared._on_package,
    "import": Declared._on_import,
}
