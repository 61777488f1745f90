"""FileFacts in the making: what the visitors of all languages write to while they sweep a file from top to bottom."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.models import (
    Binding,
    BindingKind,
    CallSite,
    Detail,
    EdgeKind,
    Export,
    FileFacts,
    Import,
    ImportKind,
    Language,
    Mark,
    Measure,
    Scope,
    ScopeKind,
    Shape,
    Symbol,
    SymbolKind,
    Trait,
)

_NAME = r"[A-Za-z_$][\w$]*"
_NO_NAME = "None|True|False|true|false|null|undefined|yield|await|async|function|class|lambda|not|new|import"
"""Words that are no names in one language or another: what begins with one is left to the tree."""
_CHAIN = rf"(?!(?:{_NO_NAME})(?![\w$])){_NAME}(?:\.{_NAME}){{0,23}}"
_CALLED = re.compile(rf"{_CHAIN}(?=\()", re.ASCII)
is_chain = re.compile(_CHAIN, re.ASCII).fullmatch
"""Whether text is a dotted chain of plain names, short enough to be kept as it stands."""

_HELD = frozenset({SymbolKind.FUNCTION, SymbolKind.HOOK, SymbolKind.COMPONENT, SymbolKind.CLASS})
"""What a property of an object literal may stand for under another name."""
_HEAD = 400
"""Longest signature that is kept, in bytes; what is cut off is a literal in all but generated code."""
_TYPE = 1200
"""Longest type that is kept."""


class Local(NamedTuple):
    """A variable of a function: a symbol only if it is called. `row` is its place among the bindings."""

    row: int
    kind: SymbolKind
    prefix: str
    symbol: int
    line: int
    end_line: int
    signature: str


_MOST_FRAMES = 250
_LONGEST_PREFIX = 1_000
"""Code that is nested deeper, or whose names of names are longer, is made by machines, and names in it grow with the
square of its depth."""


class TooDeep(Exception):
    """The source is nested deeper than names can follow."""


class Frame(NamedTuple):
    """What surrounds the node at hand: where it ends, its scope, its declaration, and the prefix of names in it."""

    end: int
    scope: int
    symbol: int
    prefix: str
    exporting: bool = False


class Property(NamedTuple):
    """A property of an object literal that holds no function itself: a symbol only if it may hold one.

    `row` is its place among the bindings, `scope` where its value is looked up; `table`: of a variable's own object.
    """

    row: int
    scope: int
    prefix: str
    symbol: int
    line: int
    end_line: int
    signature: str
    table: bool


class Expected(NamedTuple):
    """What a value is expected to be: a `type` as written, or an expression that its context gives (`^n:i`)."""

    type: str = ""
    value: str = ""

    def step(self, key: str) -> "Expected":
        """What a property of it is expected to be; for elements `[0]`."""
        if self.type:
            key = key.strip("[]") if key[:1] == "[" else f'"{key}"'
            return Expected(type=f"{self.type}[{key}]")
        if not self.value or not (key[:1] == "[" or key.isidentifier()):
            return Expected()
        is_argument = self.value[0] == "^" and self.value.count(":") == 1
        return Expected(value=f"{self.value}{'/' if is_argument else '.'}{key}")

    def parameter(self, position: int) -> "Expected":
        """What one of its parameters is expected to be, itself being a function."""
        if self.type:
            return Expected(type=f"Parameters<{self.type}>[{position}]")
        return Expected(value=f"{self.value}:{position}") if self.value else self


class Draft:
    """A Symbol and its Shape before they are frozen."""

    __slots__ = (
        "bases",
        "detail",
        "doc",
        "end_line",
        "exported",
        "implements",
        "inner",
        "is_overload",
        "kind",
        "line",
        "name",
        "parent",
        "qualified",
        "returns",
        "scope",
        "signature",
        "traits",
        "type",
        "value",
    )

    def __init__(self, name: str, qualified: str, kind: SymbolKind, line: int, end_line: int) -> None:
        self.name = name
        self.qualified = qualified
        self.kind = kind
        self.line = line
        self.end_line = end_line
        self.scope = 0
        self.parent = 0
        self.inner = -1
        self.exported = False
        self.is_overload = False
        self.signature = self.doc = self.returns = self.type = self.value = ""
        self.detail: Detail | None = None
        self.bases: tuple[str, ...] = ()
        self.implements: tuple[str, ...] = ()
        self.traits = 0


class Builder:
    """Collects one file's facts. `frames` is the stack around the node at hand; the sweep pops what has ended."""

    def __init__(self, path: str, language: Language, source: bytes) -> None:
        self.path = path
        self.language = language
        self.source = source
        self._characters = source.decode("latin-1")  # one for each byte: cutting text out of it is cheap
        self.site_at: dict[tuple[int, int], int] = {}
        self._innermost: dict[int, int] = {}
        self.lines = source.count(b"\n") + 1 - source.endswith(b"\n")
        module = Draft(path, path, SymbolKind.MODULE, 1, max(1, self.lines))
        module.exported, module.parent, module.inner = True, -1, 0
        self.drafts = [module]
        self.scopes: list[tuple[ScopeKind, int, int]] = [(ScopeKind.MODULE, -1, 0)]
        self.bindings: list[Binding] = []
        self.bound: set[tuple[int, str]] = set()
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.calls: list[CallSite | None] = []
        self.uses: list[CallSite] = []
        self.frames = [Frame(len(source) + 1, 0, 0, "")]
        self.pending: dict[tuple[int, int], int] = {}
        self.functions: dict[tuple[int, int], int] = {}
        self._at: dict[tuple[str, int], int] = {}
        self._overloads: dict[tuple[int, str], int] = {}
        self.members: dict[tuple[int, str], int] = {}
        self._assigned: dict[tuple[int, str], Draft] = {}
        self.expected: dict[tuple[int, int], Expected] = {}
        self.preset: dict[tuple[int, str], tuple[str, str]] = {}
        self.declared: dict[int, str] = {}
        self.returned: dict[int, int] = {}
        self.locals: list[Local] = []
        self.listed: list[int] = []
        self.properties: list[Property] = []
        self.holder = ""
        self.objects: dict[tuple[int, int], str] = {}
        self.casts: dict[tuple[int, int], str] = {}
        self.named: list[tuple[int, tuple[int, int]]] = []

    def number(self, sites: Iterable[tuple[int, int]]) -> None:
        """Gives the extents of calls and `new` their numbers, in the order of the source, outermost first."""
        self.site_at = {span: number for number, span in enumerate(dict.fromkeys(sites))}
        self._innermost = dict(iter(self.site_at))  # of those that begin at a byte, the last is the innermost
        self.calls = [None] * len(self.site_at)

    def text(self, node: Node) -> str:
        """The source of a node."""
        return self.between(node.start_byte, node.end_byte)

    def between(self, start: int, end: int) -> str:
        """The source from one byte to another."""
        text = self._characters[start:end]
        return text if text.isascii() else self.source[start:end].decode("utf-8", "replace")

    def plain_callee(self, start: int, end: int) -> str:
        """What is called by the call at an extent, where that is a plain chain of names right before `(`; else empty.

        Read off the text, which costs a fraction of asking the tree.
        """
        if self._innermost[start] != end:
            return ""
        chain = _CALLED.match(self._characters, start)
        return chain[0] if chain is not None else ""

    def line_of(self, node: Node) -> str:
        """The head of a node's source, on one line."""
        start = node.start_byte
        return " ".join(self.between(start, min(node.end_byte, start + _HEAD)).split())

    def type_of(self, node: Node, longest: int = _TYPE) -> str:
        """A type as written, on one line, without the colon of an annotation."""
        start = node.start_byte
        return " ".join(self.between(start, min(node.end_byte, start + longest)).split()).removeprefix(":").lstrip()

    def head(self, start: int, body: Node | None, end: int) -> str:
        """The source from `start` to a body, on one line."""
        end = min(body.start_byte if body is not None else end, start + _HEAD)
        text = self.between(start, end)
        if body is not None and ("#" in text or "/" in text):  # perhaps a comment; asking the tree costs more
            text = self.between(start, min(_before(body), end))
        line = " ".join(text.split())
        return line.rstrip(" {").removesuffix("=>").rstrip(" :;=")

    def declare(self, name: str, kind: SymbolKind, node: Node, *, prefix: str | None = None) -> Draft:
        """A symbol for `node` inside the current frame; the same one again for its overloads and its double."""
        frame = self.frames[-1]
        line, end_line = node.start_point[0] + 1, self.end_line(node)
        qualified = (frame.prefix if prefix is None else prefix) + name
        index = self._at.get((qualified, line))
        if index is None:
            overloaded = self._overloads.get((frame.symbol, qualified))
            if overloaded is not None and self.drafts[overloaded].is_overload:
                self._at[(qualified, line)] = overloaded
                draft = self.drafts[overloaded]
                draft.line, draft.end_line, draft.is_overload = line, end_line, False
                return draft
            index = len(self.drafts)
            self._at[(qualified, line)] = self._overloads[(frame.symbol, qualified)] = index
            draft = Draft(name, qualified, kind, line, end_line)
            draft.scope, draft.parent, draft.exported = frame.scope, frame.symbol, frame.exporting
            self.drafts.append(draft)
            self.members.setdefault((frame.symbol, name), index)
        return self.drafts[index]

    def assigned(self, owner: int, name: str, node: Node, value: str, type_: str = "") -> None:
        """A property that an assignment in a method gives to `owner`: a symbol, unless its class declares that name."""
        if (owner, name) in self._assigned:
            return
        whole = self.drafts[owner]
        qualified = f"{whole.qualified}.{name}"
        draft = Draft(name, qualified, SymbolKind.PROPERTY, node.start_point[0] + 1, self.end_line(node))
        draft.scope, draft.parent, draft.value, draft.type = self.frames[-1].scope, owner, value, type_
        draft.exported = whole.exported and not name.startswith(("_", "#"))
        draft.signature = self.line_of(node)
        self._assigned[owner, name] = draft

    def index(self, draft: Draft) -> int:
        """The index of a draft among the symbols."""
        return self._at[(draft.qualified, draft.line)]

    def end_line(self, node: Node) -> int:
        """The last line of a node; one that ends at the start of a line ends on the one before."""
        row, column = node.end_point
        return max(row + (column > 0), node.start_point[0] + 1)

    def scope(self, kind: ScopeKind, symbol: int) -> int:
        """A new scope inside the current one."""
        self.scopes.append((kind, self.frames[-1].scope, symbol))
        return len(self.scopes) - 1

    def push(self, end: int, scope: int, symbol: int, prefix: str, *, exporting: bool = False) -> None:
        """What follows, up to `end`, is inside this. Raises TooDeep."""
        if len(prefix) > _LONGEST_PREFIX or len(self.frames) > _MOST_FRAMES:
            raise TooDeep
        self.frames.append(Frame(end, scope, symbol, prefix, exporting))

    def bind(
        self,
        name: str,
        kind: BindingKind,
        line: int,
        target: int = -1,
        *,
        type_: str = "",
        value: str = "",
        scope: int = -1,
    ) -> None:
        """A row of the binder table of `scope`, by default the current one."""
        scope = self.frames[-1].scope if scope < 0 else scope
        self.bound.add((scope, name))
        self.bindings.append(Binding(scope, name, kind, line, target, type_, value))

    def expected_of(self, name: str) -> tuple[str, str]:
        """What a name that is now bound was noted to be, by its type or its value."""
        return self.preset.pop((self.frames[-1].scope, name), ("", ""))

    def take(self, module: str, name: str, local: str, node: Node, kind: ImportKind = ImportKind.STATIC) -> None:
        """An import; a `local` that is a name is bound in the current scope."""
        line, scope = node.start_point[0] + 1, self.frames[-1].scope
        self.imports.append(Import(module, name, local, line, scope, kind))
        if local and local[0] != "#":
            self.bind(local, BindingKind.IMPORT, line, len(self.imports) - 1)

    def call(self, node: Node, kind: EdgeKind, callee: str, span: tuple[int, int], types: str = "") -> int:
        """The call site at `span`: its number."""
        number = self.site_at[span]
        self.calls[number] = CallSite(kind, callee, node.start_point[0] + 1, self.frames[-1].scope, types)
        return number

    def use(self, node: Node, kind: EdgeKind, callee: str) -> None:
        """Another use of a name."""
        self.uses.append(CallSite(kind, callee, node.start_point[0] + 1, self.frames[-1].scope))

    def _name_called(self) -> None:
        """Makes symbols of the local variables that are called, or handed out by their name in an object literal."""
        called: dict[str, set[int]] = {}
        handed: dict[str, set[int]] = {}
        for site in (*self.calls, *self.uses):
            if site is not None and site.callee.isidentifier():
                called.setdefault(site.callee, set()).add(site.scope)
        for position in self.listed:
            row = self.bindings[position]
            handed.setdefault(row.name, set()).add(self.scopes[row.scope][1])
        self._name_properties()
        for local in self.locals:
            row = self.bindings[local.row]
            scopes = called.get(row.name, ())
            if row.name in handed and ("=>" in row.type or not row.type) and row.value[:1] in ("", "#"):
                scopes = (*scopes, *handed[row.name])
            if any(self._is_inside(scope, row.scope) for scope in scopes):
                draft = Draft(row.name, local.prefix + row.name, local.kind, local.line, local.end_line)
                draft.parent, draft.scope, draft.signature = local.symbol, row.scope, local.signature
                draft.type, draft.value = row.type, row.value
                self.bindings[local.row] = Binding(
                    row.scope, row.name, BindingKind.SYMBOL, row.line, len(self.drafts), row.type, row.value
                )
                self.drafts.append(draft)

    def _name_properties(self) -> None:
        """Makes symbols of the properties of object literals that may hold a function of another name or file."""
        rows = {(row.scope, row.name): row for row in self.bindings} if self.properties else {}
        for held in self.properties:
            row = self.bindings[held.row]
            if not self._may_hold(row, held, rows):
                continue
            draft = Draft(row.name, held.prefix + row.name, SymbolKind.PROPERTY, held.line, held.end_line)
            draft.parent, draft.scope, draft.signature, draft.value = held.symbol, held.scope, held.signature, row.value
            draft.traits = int(Trait.STATIC)
            self.bindings[held.row] = Binding(row.scope, row.name, BindingKind.SYMBOL, row.line, len(self.drafts))
            self.drafts.append(draft)

    def _may_hold(self, row: Binding, held: Property, rows: dict[tuple[int, str], Binding]) -> bool:
        root, dot, _ = row.value.partition(".")
        if root[:1] in ("#", "~", "?", ""):
            return held.table
        scope = held.scope
        while scope >= 0 and (scope, root) not in rows:
            scope = self.scopes[scope][1]
        if scope < 0:
            return False
        known = rows[scope, root]
        if known.kind is BindingKind.IMPORT:
            return True
        if known.kind is BindingKind.LOCAL:
            return held.table and known.value[:1] in ("#", "~") and "." in known.value
        is_function = known.kind is BindingKind.SYMBOL and self.drafts[known.target].kind in _HELD
        return is_function and not dot and root != row.name

    def _is_inside(self, scope: int, around: int) -> bool:
        while scope > around:
            scope = self.scopes[scope][1]
        return scope == around

    def settle(self) -> None:
        """Local variables that are called, and properties that only assignments declare, become symbols.

        From here on, what is a symbol keeps its index.
        """
        self._name_called()
        for position, span in self.named:
            if span in self.functions:
                row = self.bindings[position]
                self.bindings[position] = Binding(
                    row.scope, row.name, BindingKind.SYMBOL, row.line, self.functions[span]
                )
        for key, draft in self._assigned.items():
            if key not in self.members:
                self.members[key] = len(self.drafts)
                self.drafts.append(draft)

    def append(self, draft: Draft) -> int:
        """A symbol that no declaration stands for, after all others; its index, or -1 if there is one like it."""
        key = (draft.qualified, draft.line)
        if key in self._at:
            return -1
        self._at[key] = len(self.drafts)
        self.drafts.append(draft)
        return self._at[key]

    def facts(
        self,
        errors: int,
        measures: tuple[Measure, ...] = (),
        marks: tuple[Mark, ...] = (),
        *,
        generated: bool = False,
    ) -> FileFacts:
        """All that was collected, frozen."""
        ids: list[str] = []
        symbols, shapes = [], []
        for draft in self.drafts:
            parent = ids[draft.parent] if draft.parent >= 0 else ""
            symbol = Symbol(
                self.path,
                draft.qualified,
                draft.kind,
                draft.line,
                draft.end_line,
                draft.exported,
                draft.signature,
                draft.doc,
                parent,
                draft.detail,
            )
            ids.append(symbol.id)
            symbols.append(symbol)
            shapes.append(
                Shape(
                    draft.scope,
                    draft.parent,
                    draft.inner,
                    draft.returns,
                    draft.type,
                    draft.value,
                    draft.bases,
                    draft.implements,
                    draft.traits,
                )
            )
        unknown = CallSite(EdgeKind.CALL, "?", 1, 0)
        return FileFacts(
            self.path,
            self.language,
            self.lines,
            tuple(symbols),
            tuple(shapes),
            tuple(Scope(*scope) for scope in self.scopes),
            tuple(self.bindings),
            tuple(self.imports),
            tuple(self.exports),
            tuple([site or unknown for site in self.calls] + self.uses),
            errors,
            generated,
            measures,
            marks,
        )


def _before(body: Node) -> int:
    """Where what comes before a body ends; comments between the two are no part of it."""
    here = body.prev_sibling
    while here is not None and here.type == "comment":
        here = here.prev_sibling
    return here.end_byte if here is not None else body.start_byte


def one_line(source: bytes) -> str:
    """Source as a single line of text."""
    return " ".join(source.decode("utf-8", "replace").split())


def first(node: Node) -> Node | None:
    """The first named child of a node; None where it has none."""
    return node.named_child(0) if node.named_child_count else None
