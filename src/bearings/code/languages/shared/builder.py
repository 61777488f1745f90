"""`Builder`: the interface through which the visitors of all languages add one file's facts."""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import count
from zlib import crc32

from tree_sitter import Node

from bearings.code.expressions import Expression, Properties, Typed, is_known
from bearings.code.file_facts import (
    Binding,
    BindingKind,
    CallSite,
    Import,
    ImportKind,
    MemberOfType,
    Return,
    ScopeKind,
    Trait,
)
from bearings.code.languages.shared.collector import FactTables
from bearings.code.languages.shared.constants import Constants
from bearings.code.languages.shared.drafts import Draft, Frame, Local, Property
from bearings.code.languages.shared.expectations import Expectations
from bearings.code.languages.shared.kinds import Bindings, Edges, Symbols
from bearings.code.languages.shared.node_text import Reading
from bearings.code.models import EdgeKind, Language, SymbolKind
from bearings.code.type_expressions import TypeExpression

_MOST_FRAMES = 800
_LONGEST_PREFIX = 1_000
"""Code that is nested deeper, or has longer qualified names, is generated, and the total length of its qualified names
grows with the square of its depth."""

_MEMBERS = frozenset({"attribute", "member_expression", "selector_expression"})
"""Nodes that end with the name of a member."""


class TooDeep(Exception):
    """The source is nested too deep for qualified names."""


class Builder(FactTables):
    """Collects one file's facts. The caller of the visitor pops frames that have ended.

    Spans are the start and end byte of a node.
    """

    def __init__(self, path: str, language: Language, source: bytes, reading: Reading | None = None) -> None:
        super().__init__(path, language, source, reading)
        self.site_at: dict[tuple[int, int], int] = {}
        """Span of a call → its number."""
        self.function_starts: list[int] = []
        """The start bytes of all functions, in order."""
        self.types: dict[str, TypeExpression] = {}
        """Types by their text."""
        self.bound: set[tuple[int, str]] = set()
        """Scope and name of all bindings."""
        self.frames = [Frame(len(source) + 1, 0, 0, "")]
        """The stack of frames around the current node."""
        self.pending: dict[tuple[int, int], int] = {}
        """Span of a function or class that is a value → the symbol that holds it; removed when the node is visited."""
        self.functions: dict[tuple[int, int], int] = {}
        """Span of a visited function → its symbol."""
        self._at: dict[tuple[str, int], int] = {}
        """Qualified name and line → symbol."""
        self._overloads: dict[tuple[int, str], int] = {}
        """Enclosing symbol and qualified name → the symbol of the last overload."""
        self.members: dict[tuple[int, str], int] = {}
        """Enclosing symbol and name → symbol."""
        self.assigned: dict[tuple[int, str], Draft] = {}
        """Owner and name → a property that an assignment declares."""
        self.expectations = Expectations()
        self.locals: list[Local] = []
        self.shorthands: list[int] = []
        """Bindings of shorthand properties (`{ name }`), by index."""
        self.properties: list[Property] = []
        self.function_properties: list[tuple[int, tuple[int, int]]] = []
        """The binding of a property of an object literal that is a function, and the function's span."""
        self.declared_returns: dict[int, TypeExpression] = {}
        """Scope of a function → its declared return type."""
        self.return_counts: dict[int, int] = {}
        """Scope of a function → the number of its return values that are stored."""
        self.casts: set[tuple[int, int]] = set()
        """Spans of values whose type the source names."""
        self.template_scope = 0
        """The scope of a template that names its component's properties alone; 0 for none."""
        self.holder = ""
        self.declares_values = False
        """Whether the properties of the object literal that `holder` is set to are elements, whatever their values."""
        """The variable that holds the object literal of the current expression; empty for none."""
        self.objects: dict[tuple[int, int], Properties] = {}
        """Span of an object literal → its expression."""
        self.constants = Constants()
        self.unmentioned: set[tuple[int, str]] = set()
        """Lines and names on them that are no uses."""

    def number_calls(self, sites: Iterable[tuple[int, int]]) -> None:
        """Number the spans of calls and `new`, in the order of the source, outermost first."""
        self.site_at = dict(zip(dict.fromkeys(sites), count(), strict=False))
        self._innermost = dict(iter(self.site_at))  # of the calls that start at a byte, the last is the innermost
        self.calls = [None] * len(self.site_at)

    def holds_function(self, start: int, end: int) -> bool:
        """Whether any function starts between two bytes."""
        place = bisect_left(self.function_starts, start)
        return place < len(self.function_starts) and self.function_starts[place] < end

    def declare(self, name: str, kind: SymbolKind, node: Node, *, prefix: str | None = None) -> Draft:
        """Return the symbol for `node` inside the current frame.

        All overloads of a function share one symbol, and so do declarations of one qualified name on the same line.
        """
        frame = self.frames[-1]
        line, end_line = self.line(node), self.end_line(node)
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

    def add_symbol(self, draft: Draft) -> int:
        """Add a symbol without a declaration of its own after all others.

        Return its index, or -1 if a symbol with the same name and line exists.
        """
        key = (draft.qualified, draft.line)
        if key in self._at:
            return -1
        self._at[key] = len(self.drafts)
        self.drafts.append(draft)
        return self._at[key]

    def add_assigned(
        self,
        owner: int,
        name: str,
        node: Node,
        value: Expression | None,
        type_: TypeExpression | None = None,
        *,
        static: bool = False,
    ) -> None:
        """Record a property that an assignment gives to `owner`. It becomes a symbol unless its class declares it."""
        known = self.assigned.get((owner, name))
        if known is not None:
            known.value = known.value if known.value is not None else value
            return
        whole = self.drafts[owner]
        qualified = f"{whole.qualified}.{name}"
        draft = Draft(name, qualified, Symbols.PROPERTY, self.line(node), self.end_line(node))
        draft.scope, draft.parent, draft.value, draft.type = self.frames[-1].scope, owner, value, type_
        draft.exported = whole.exported and not name.startswith(("_", "#"))
        draft.signature = self.line_of(node)
        draft.traits |= Trait.STATIC if static else 0
        self.assigned[owner, name] = draft

    def bind_member(self, whole: Node, draft: Draft) -> None:
        """Record the symbol of a member of an object type, because the type may have no name."""
        key = crc32(self.reading.one_line(*whole.byte_range).encode())
        self.type_members.append(MemberOfType(self.frames[-1].scope, key, draft.name, self.index(draft)))

    def index(self, draft: Draft) -> int:
        """Return the index of a draft among the symbols."""
        return self._at[(draft.qualified, draft.line)]

    def add_scope(self, kind: ScopeKind, symbol: int) -> int:
        """Add a scope inside the current one and return its index."""
        self.scopes.append((kind, self.frames[-1].scope, symbol))
        return len(self.scopes) - 1

    def scope_of(self, *kinds: ScopeKind) -> int:
        """Return the innermost scope of some kinds around the current code; -1 for none."""
        return next((each for each in self.outward(self.frames[-1].scope) if self.scopes[each][0] in kinds), -1)

    def binding_scope(self, name: str) -> int:
        """Return the innermost scope around the current code that binds a name; 0, the module's, for none."""
        return next((each for each in self.outward(self.frames[-1].scope) if (each, name) in self.bound), 0)

    def push(self, end: int, scope: int, symbol: int, prefix: str, *, exporting: bool = False) -> None:
        """Push a frame for the code up to `end`. Raises TooDeep."""
        if len(prefix) > _LONGEST_PREFIX or len(self.frames) > _MOST_FRAMES:
            raise TooDeep
        self.frames.append(Frame(end, scope, symbol, prefix, exporting=exporting))

    def bind(
        self,
        name: str,
        kind: BindingKind,
        line: int,
        target: int = -1,
        *,
        type_: TypeExpression | None = None,
        value: Expression | None = None,
        scope: int = -1,
    ) -> None:
        """Bind a name in `scope`, by default the current one."""
        scope = self.frames[-1].scope if scope < 0 else scope
        self.bound.add((scope, name))
        self.bindings.append(Binding(scope, name, kind, line, target, type_, value))

    def add_import(self, module: str, name: str, local: str, node: Node, kind: ImportKind = ImportKind.STATIC) -> None:
        """Add an import, and bind its `local` name in the current scope."""
        line, scope = self.line(node), self.frames[-1].scope
        self.imports.append(Import(module, name, local, line, scope, kind))
        if local:
            self.bind(local, Bindings.IMPORT, line, len(self.imports) - 1)

    def add_inline_import(self, module: str, name: str, node: Node, kind: ImportKind) -> None:
        """Add an import by a call in an expression."""
        site = self.site_at.get(node.byte_range, -1)
        self.imports.append(Import(module, name, "", self.line(node), self.frames[-1].scope, kind, site))

    def add_return(self, node: Node, scope: int, within: int, value: Expression) -> None:
        """Add a return value of the function of `scope`; its names are looked up from the scope `within`."""
        self.return_counts[scope] = self.return_counts.get(scope, 0) + 1
        self.returns.append(Return(scope, within, self.line(node), value))

    def add_call(
        self,
        node: Node,
        kind: EdgeKind,
        callee: Expression,
        span: tuple[int, int],
        types: tuple[TypeExpression, ...] = (),
        scope: int = -1,
        arguments: tuple[Expression | None, ...] = (),
        function: Node | None = None,
        keywords: tuple[str, ...] = (),
    ) -> int:
        """Add the call site at `span`, in `scope` or by default the current one, and return its number.

        `function` is the callee, if it may be a member on a later line.
        """
        number, line = self.site_at[span], self.line(node)
        scope = self.frames[-1].scope if scope < 0 else scope
        below = self.end_line(function) - line if function is not None and function.type in _MEMBERS else 0
        self.calls[number] = CallSite(kind, callee, line, scope, types, arguments, keywords, below)
        return number

    def typed(self, node: Node, type_: TypeExpression) -> Typed:
        """Return the value of a type that a node names, and add the use of the type, once for a node."""
        typed = Typed(type_)
        if node.byte_range not in self.casts:
            self.casts.add(node.byte_range)
            self.add_use(node, Edges.TYPE, typed)
        return typed

    def add_access(self, node: Node, kind: EdgeKind, value: Expression, scope: int = -1, line: int = 0) -> None:
        """Add a use of a member that is not called, in `scope` or by default the current one; once for a line.

        The line is by default the line of the member's name, which ends the node.
        """
        if is_known(value):
            line, scope = line or self.end_line(node), self.frames[-1].scope if scope < 0 else scope
            self.accesses.setdefault((line, kind, value), CallSite(kind, value, line, scope))

    def called_at(self, start: int) -> CallSite | None:
        """Return the innermost call that starts at a byte, if it was visited; None for none."""
        number = self.site_at.get((start, self._innermost.get(start, -1)))
        return None if number is None else self.calls[number]

    def add_use(self, node: Node, kind: EdgeKind, callee: Expression) -> None:
        """Add a use of a name that is no call."""
        self.uses.append(CallSite(kind, callee, self.line(node), self.frames[-1].scope))
