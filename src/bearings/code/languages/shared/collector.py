"""`FactTables`: the mutable facts of one file, which visitors fill and `facts()` freezes.

Some symbols are known only at the end of the file, such as local variables that are called later.
"""

from collections.abc import Collection

from msgspec.structs import replace

from bearings.code.expressions import (
    UNKNOWN,
    Chain,
    Expression,
    Listed,
    Properties,
    Result,
    Unknown,
    is_result,
    root_of,
)
from bearings.code.file_facts import (
    Binding,
    CallSite,
    Export,
    FileFacts,
    Import,
    Mark,
    Measure,
    MemberOfType,
    Return,
    Scope,
    ScopeKind,
    Shape,
    Trait,
)
from bearings.code.framework_facts import EnvironmentUse, Fixture, FixtureUse, FrameworkCall, Mount, Request
from bearings.code.languages.shared.drafts import Draft, Expected, Frame, Local, Property, is_name
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.node_text import Reading
from bearings.code.languages.shared.source_text import SourceText
from bearings.code.models import EdgeKind, Language, Symbol
from bearings.code.type_expressions import FunctionType, TypeExpression

_FUNCTION_KINDS = frozenset({Symbols.FUNCTION, Symbols.HOOK, Symbols.COMPONENT, Symbols.CLASS})
"""Kinds of symbols that a property of an object literal may hold under another name."""


class FactTables(SourceText):
    """One file's facts before they are frozen.

    Symbols, scopes and bindings refer to each other by index. The module is symbol 0 and scope 0. Spans are the start
    and end byte of a node.
    """

    def __init__(self, path: str, language: Language, source: bytes, reading: Reading | None = None) -> None:
        super().__init__(path, language, source, reading)
        self.site_at: dict[tuple[int, int], int] = {}
        """Span of a call → its number."""
        self.function_starts: list[int] = []
        """The start bytes of all functions, in order."""
        module = Draft(path, path, Symbols.MODULE, 1, max(1, self.lines))
        module.exported, module.parent, module.inner = True, -1, 0
        self.drafts = [module]
        self.scopes: list[tuple[ScopeKind, int, int]] = [(Scopes.MODULE, -1, 0)]
        """Kind, parent scope and enclosing symbol."""
        self.bindings: list[Binding] = []
        self.narrowed: list[Binding] = []
        self.returns: list[Return] = []
        self.type_members: list[MemberOfType] = []
        self.types: dict[str, TypeExpression] = {}
        """Types by their text."""
        self.bound: set[tuple[int, str]] = set()
        """Scope and name of all bindings."""
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.calls: list[CallSite | None] = []
        """Call sites by number; None until the call is visited."""
        self.uses: list[CallSite] = []
        self.accesses: dict[tuple[int, EdgeKind, Expression], CallSite] = {}
        """Uses of members that are not called, by line, kind and member."""
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
        self._assigned: dict[tuple[int, str], Draft] = {}
        """Owner and name → a property that an assignment declares."""
        self.expected: dict[tuple[int, int], Expected] = {}
        """Span of a function → the type that its context expects; removed when the function is visited."""
        self.preset: dict[tuple[int, str], tuple[TypeExpression | None, Expression | None]] = {}
        """Scope and name → type and value of a name that is bound later."""
        self.invoked: dict[tuple[int, int], int] = {}
        """Span of a function that is called where it is written → the call's number."""
        self.returned_functions: dict[tuple[int, int], tuple[int, int]] = {}
        """Span of a function that is returned → the scope of the function that returns it, and the scope around."""
        self.first_arguments: dict[int, Expression | None] = {}
        """Number of a call → its first argument, if the result may depend on it."""
        self.declared_returns: dict[int, TypeExpression] = {}
        """Scope of a function → its declared return type."""
        self.expected_returns: dict[int, Expected] = {}
        """Scope of a function → the return type that its context expects."""
        self.return_counts: dict[int, int] = {}
        """Scope of a function → the number of its return values that are stored."""
        self.locals: list[Local] = []
        self.shorthands: list[int] = []
        """Bindings of shorthand properties (`{ name }`), by index."""
        self.properties: list[Property] = []
        self.casts: set[tuple[int, int]] = set()
        """Spans of values whose type the source names."""
        self.fixtures: list[Fixture] = []
        self.fixture_uses: list[FixtureUse] = []
        self.framework_calls: list[FrameworkCall] = []
        self.requests: list[Request] = []
        self.mounts: list[Mount] = []
        self.package = ""
        self.build = ""
        """The condition under which a compiler reads the file."""
        self.holder = ""
        """The variable that holds the object literal of the current expression; empty for none."""
        self.objects: dict[tuple[int, int], Properties] = {}
        """Span of an object literal → its expression."""
        self.function_properties: list[tuple[int, tuple[int, int]]] = []
        """The binding of a property of an object literal that is a function, and the function's span."""

    def _declare_called_locals(self) -> None:
        """Declare the local variables that are called, or passed on as a shorthand property, as symbols."""
        names = {self.bindings[local.row].name for local in self.locals}
        called: dict[str, set[int]] = {}
        passed: dict[str, set[int]] = {}
        for sites in (self.calls, self.uses):
            for site in sites:
                if site is not None and (callee := site.callee) in names and is_name(callee):
                    called.setdefault(callee, set()).add(site.scope)
        for position in self.shorthands:
            row = self.bindings[position]
            passed.setdefault(row.name, set()).add(self.scopes[row.scope][1])
        self._declare_properties()
        for local in self.locals:
            row = self.bindings[local.row]
            scopes: Collection[int] = called.get(row.name, ())
            if (
                row.name in passed
                and (row.type is None or isinstance(row.type, FunctionType))
                and (row.value is None or is_result(row.value))
            ):
                scopes = (*scopes, *passed[row.name])
            if any(self._is_inside(scope, row.scope) for scope in scopes):
                self._declare_local(local, row)

    def _declare_local(self, local: Local, row: Binding) -> None:
        node = local.node
        draft = Draft(row.name, local.prefix + row.name, local.kind, row.line, self.end_line(node))
        draft.parent, draft.scope = local.symbol, row.scope
        draft.signature = self.head(node.start_byte, None, node.end_byte)
        draft.type, draft.value = row.type, row.value
        self.bindings[local.row] = Binding(
            row.scope, row.name, Bindings.SYMBOL, row.line, len(self.drafts), row.type, row.value
        )
        self.drafts.append(draft)

    def _declare_properties(self) -> None:
        """Declare the properties of object literals that may hold a function of another name or file."""
        rows = {(row.scope, row.name): row for row in self.bindings} if self.properties else {}
        for candidate in self.properties:
            row = self.bindings[candidate.row]
            if not self._may_hold_function(row, candidate, rows):
                continue
            end_line, signature = self.end_line(candidate.node), self.line_of(candidate.node)
            draft = Draft(row.name, candidate.prefix + row.name, Symbols.PROPERTY, row.line, end_line)
            draft.parent, draft.scope = candidate.symbol, candidate.scope
            draft.signature, draft.value = signature, row.value
            draft.traits = int(Trait.STATIC)
            self.bindings[candidate.row] = Binding(row.scope, row.name, Bindings.SYMBOL, row.line, len(self.drafts))
            self.drafts.append(draft)

    def _may_hold_function(self, row: Binding, candidate: Property, rows: dict[tuple[int, str], Binding]) -> bool:
        root = UNKNOWN if row.value is None else root_of(row.value)
        if type(root) is Result or type(root) is Unknown:
            return candidate.table
        if type(root) is Listed:
            return candidate.table and _is_member_of_result(root.element)
        scope = candidate.scope if isinstance(root, str) else -1
        while scope >= 0 and (scope, root) not in rows:
            scope = self.scopes[scope][1]
        if scope < 0 or not isinstance(root, str):
            return False
        known = rows[scope, root]
        if known.kind is Bindings.IMPORT:
            return True
        if known.kind is Bindings.LOCAL:
            return candidate.table and _is_member_of_result(known.value)
        if known.kind is not Bindings.SYMBOL or root != row.value or root == row.name:
            return False
        return self.drafts[known.target].kind in _FUNCTION_KINDS or is_result(self.drafts[known.target].value)

    def _is_inside(self, scope: int, ancestor: int) -> bool:
        while scope > ancestor:
            scope = self.scopes[scope][1]
        return scope == ancestor

    def declare_late_symbols(self) -> None:
        """Declare the symbols that are known only at the end of the file, and fix the index of every symbol.

        These are local variables that are called, and properties that only assignments declare.
        """
        self._declare_called_locals()
        for position, span in self.function_properties:
            if span in self.functions:
                row = self.bindings[position]
                self.bindings[position] = Binding(row.scope, row.name, Bindings.SYMBOL, row.line, self.functions[span])
        for key, draft in self._assigned.items():
            if key not in self.members:
                self.members[key] = len(self.drafts)
                self.drafts.append(draft)

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

    def facts(
        self,
        errors: int,
        measures: tuple[Measure, ...] = (),
        marks: tuple[Mark, ...] = (),
        mentions: tuple[CallSite, ...] = (),
        environment: tuple[EnvironmentUse, ...] = (),
        *,
        generated: bool = False,
        given_up: bool = False,
    ) -> FileFacts:
        """Freeze the collected facts."""
        unknown = CallSite(Edges.CALL, UNKNOWN, 1, 0)
        for number, argument in self.first_arguments.items():
            site = self.calls[number]
            if argument is not None and site is not None:
                self.calls[number] = replace(site, arguments=(argument,))
        return FileFacts(
            self.path,
            self.language,
            self.lines,
            tuple(self._symbols()),
            tuple([_shape(draft) for draft in self.drafts]),
            tuple(Scope(*scope) for scope in self.scopes),
            (*self.bindings, *self.narrowed),
            tuple(self.returns),
            tuple(self.type_members),
            tuple(self.imports),
            tuple(self.exports),
            tuple([site or unknown for site in self.calls] + self.uses),
            errors,
            generated,
            measures,
            marks,
            (*mentions, *self.accesses.values()),
            given_up,
            self.build,
            self.package,
            tuple(self.fixtures),
            tuple(self.fixture_uses),
            tuple(self.framework_calls),
            environment,
            tuple(self.requests),
            tuple(self.mounts),
        )

    def _symbols(self) -> list[Symbol]:
        symbols = []
        parents: dict[int, str] = {}
        for draft in self.drafts:
            inside = ""
            if draft.parent > 0:
                if draft.parent not in parents:
                    parent = self.drafts[draft.parent]  # a parent may come after its members
                    parents[draft.parent] = f"{parent.qualified}:{parent.line}"
                inside = parents[draft.parent]
            symbol = Symbol(
                self.path,
                draft.qualified,
                draft.kind,
                draft.line,
                draft.end_line,
                draft.exported,
                draft.signature,
                draft.doc,
                inside,
                draft.detail,
            )
            symbols.append(symbol)
        return symbols


def _is_member_of_result(value: Expression | None) -> bool:
    return type(value) is Chain and type(value.root) is Result


def _shape(draft: Draft) -> Shape:
    return Shape(
        draft.scope,
        draft.parent,
        draft.inner,
        draft.returns,
        draft.type,
        draft.value,
        draft.bases,
        draft.implements,
        draft.traits,
        draft.head,
    )
