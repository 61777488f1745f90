"""`FactTables`: the mutable facts of one file, which visitors fill and `facts()` freezes."""

from msgspec.structs import replace

from bearings.code.expressions import UNKNOWN, Expression, Properties
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
)
from bearings.code.framework_facts import EnvironmentUse, Fixture, FixtureUse, FrameworkCall, Mount, Request
from bearings.code.languages.shared.drafts import Draft, Frame, Local, Property
from bearings.code.languages.shared.expectations import Expectations
from bearings.code.languages.shared.kinds import Edges, Scopes, Symbols
from bearings.code.languages.shared.node_text import Reading
from bearings.code.languages.shared.source_text import SourceText
from bearings.code.models import EdgeKind, Language, Symbol
from bearings.code.type_expressions import TypeExpression


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
        self.assigned: dict[tuple[int, str], Draft] = {}
        """Owner and name → a property that an assignment declares."""
        self.expectations = Expectations()
        self.locals: list[Local] = []
        self.shorthands: list[int] = []
        """Bindings of shorthand properties (`{ name }`), by index."""
        self.properties: list[Property] = []
        self.function_properties: list[tuple[int, tuple[int, int]]] = []
        """The binding of a property of an object literal that is a function, and the function's span."""
        self.first_arguments: dict[int, Expression | None] = {}
        """Number of a call → its first argument, if the result may depend on it."""
        self.declared_returns: dict[int, TypeExpression] = {}
        """Scope of a function → its declared return type."""
        self.return_counts: dict[int, int] = {}
        """Scope of a function → the number of its return values that are stored."""
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
            tuple(self._sites()),
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

    def _sites(self) -> list[CallSite]:
        """Return the calls by number, with their first arguments, then the other uses."""
        for number, argument in self.first_arguments.items():
            site = self.calls[number]
            if argument is not None and site is not None:
                self.calls[number] = replace(site, arguments=(argument,))
        unknown = CallSite(Edges.CALL, UNKNOWN, 1, 0)
        return [site or unknown for site in self.calls] + self.uses

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
