"""`FactTables`: the mutable facts of one file, which `facts()` freezes."""

from collections.abc import Iterator

from msgspec.structs import replace

from bearings.code.expressions import UNKNOWN, Expression
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
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Edges, Scopes, Symbols
from bearings.code.languages.shared.node_text import Reading
from bearings.code.languages.shared.source_text import SourceText
from bearings.code.models import EdgeKind, Language, Symbol


class FactTables(SourceText):
    """One file's facts before they are frozen.

    Symbols, scopes and bindings refer to each other by index. The module is symbol 0 and scope 0.
    """

    def __init__(self, path: str, language: Language, source: bytes, reading: Reading | None = None) -> None:
        super().__init__(path, language, source, reading)
        module = Draft(path, path, Symbols.MODULE, 1, max(1, self.lines))
        module.exported, module.parent, module.inner = True, -1, 0
        self.drafts = [module]
        self.scopes: list[tuple[ScopeKind, int, int]] = [(Scopes.MODULE, -1, 0)]
        """Kind, parent scope and enclosing symbol."""
        self.bindings: list[Binding] = []
        self.narrowed: list[Binding] = []
        self.returns: list[Return] = []
        self.type_members: list[MemberOfType] = []
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.calls: list[CallSite | None] = []
        """Call sites by number; None until the call is visited."""
        self.uses: list[CallSite] = []
        self.accesses: dict[tuple[int, EdgeKind, Expression], CallSite] = {}
        """Uses of members that are not called, by line, kind and member."""
        self.arguments: dict[int, list[Expression | None]] = {}
        """Number of a call → its arguments, if the result may depend on them."""
        self.keywords: dict[int, tuple[str, ...]] = {}
        """Number of a call → the words before its last arguments: see CallSite."""
        self.fixtures: list[Fixture] = []
        self.fixture_uses: list[FixtureUse] = []
        self.framework_calls: list[FrameworkCall] = []
        self.requests: list[Request] = []
        self.mounts: list[Mount] = []
        self.package = ""
        self.build = ""
        """The condition under which a compiler reads the file."""

    def outward(self, scope: int) -> Iterator[int]:
        """Yield a scope and those around it, up to the module's; nothing for -1."""
        while scope >= 0:
            yield scope
            scope = self.scopes[scope][1]

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
        """Return the calls by number, with their arguments, then the other uses."""
        for number, arguments in self.arguments.items():
            site = self.calls[number]
            if site is not None and any(argument is not None for argument in arguments):
                words = self.keywords.get(number, ())
                self.calls[number] = replace(site, arguments=tuple(arguments), keywords=words)
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
