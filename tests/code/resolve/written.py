"""Facts of files written by hand, without a parser, and parts of the resolver over them."""

from collections.abc import Iterable
from typing import Any

from bearings.code.expressions import Expression
from bearings.code.file_facts import (
    Base,
    Binding,
    BindingKind,
    CallSite,
    Export,
    FileFacts,
    Import,
    Return,
    Scope,
    ScopeKind,
    Shape,
)
from bearings.code.models import EdgeKind, Language, ProjectFiles, Symbol, SymbolKind
from bearings.code.resolve.context import Context
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.parts import Parts
from bearings.code.resolve.referent import Referent
from bearings.code.type_expressions import TypeExpression

_SCOPED = {
    SymbolKind.CLASS: ScopeKind.CLASS,
    SymbolKind.INTERFACE: ScopeKind.CLASS,
    SymbolKind.FUNCTION: ScopeKind.FUNCTION,
    SymbolKind.METHOD: ScopeKind.FUNCTION,
    SymbolKind.CONSTRUCTOR: ScopeKind.FUNCTION,
}

_TYPES = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})


class Written:
    """A file whose facts are added one by one. Each addition is on a line of its own."""

    def __init__(self, path: str, language: Language = Language.TYPESCRIPT) -> None:
        self.path, self._language, self._line = path, language, 1
        self._symbols = [Symbol(path, path, SymbolKind.MODULE, 1, 1, exported=True)]
        self._shapes: list[Shape] = [Shape(0, -1, 0)]
        self._scopes = [Scope(ScopeKind.MODULE, -1, 0)]
        self._bindings: list[Binding] = []
        self._imports: list[Import] = []
        self._exports: list[Export] = []
        self._returns: list[Return] = []
        self._sites: list[CallSite] = []

    @property
    def line(self) -> int:
        """A new line."""
        self._line += 1
        return self._line

    def symbol(
        self, name: str, kind: SymbolKind, parent: int = 0, *, bases: Iterable[Expression] = (), **shape: Any
    ) -> int:
        """The index of a declaration. One outside a class is bound to its name."""
        index, line = len(self._symbols), self.line
        whole = name if parent == 0 else f"{self._symbols[parent].qualified_name}.{name}"
        around = self._shapes[parent].inner
        inner = self.scope(around, _SCOPED[kind], index) if kind in _SCOPED else -1
        self._symbols.append(Symbol(self.path, whole, kind, line, line))
        shape["bases"] = tuple(Base(base) for base in bases)
        self._shapes.append(Shape(**{"scope": around, "parent": parent, "inner": inner, **shape}))
        if self._scopes[around].kind is not ScopeKind.CLASS:
            self.row(name, BindingKind.TYPE if kind in _TYPES else BindingKind.SYMBOL, around, target=index)
        return index

    def inner(self, symbol: int) -> int:
        """The scope of a declaration."""
        return self._shapes[symbol].inner

    def scope(self, parent: int = 0, kind: ScopeKind = ScopeKind.FUNCTION, symbol: int = 0) -> int:
        """A new scope."""
        self._scopes.append(Scope(kind, parent, symbol))
        return len(self._scopes) - 1

    def row(
        self,
        name: str,
        kind: BindingKind = BindingKind.LOCAL,
        scope: int = 0,
        *,
        target: int = -1,
        type_: TypeExpression | None = None,
        value: Expression | None = None,
        line: int = 0,
    ) -> None:
        """Bind a name in a scope."""
        self._bindings.append(Binding(scope, name, kind, line or self.line, target, type_, value))

    def imports(self, module: str, name: str, local: str = "") -> None:
        """Import a name."""
        line = self.line
        self._imports.append(Import(module, name, local, line))
        if local:
            self.row(local, BindingKind.IMPORT, target=len(self._imports) - 1, line=line)

    def exports(self, name: str, local: Expression = "", module: str = "", *, wrapped: bool = False) -> None:
        """Export a name."""
        self._exports.append(Export(name, local or name, module, self.line, wrapped))

    def returns(self, symbol: int, value: Expression) -> None:
        """Return a value from a function."""
        scope = self.inner(symbol)
        self._returns.append(Return(scope, scope, self.line, value))

    def call(
        self,
        callee: Expression,
        *arguments: Expression,
        scope: int = 0,
        kind: EdgeKind = EdgeKind.CALL,
        types: tuple[TypeExpression, ...] = (),
    ) -> int:
        """The number of a call."""
        self._sites.append(CallSite(kind, callee, self.line, scope, types, arguments))
        return len(self._sites) - 1

    def facts(self) -> FileFacts:
        """What was added so far."""
        return FileFacts(
            self.path, self._language, self._line, tuple(self._symbols), tuple(self._shapes), tuple(self._scopes),
            tuple(self._bindings), tuple(self._returns), imports=tuple(self._imports), exports=tuple(self._exports),
            sites=tuple(self._sites),
        )  # fmt: skip


class Resolved(Evaluator):
    """An evaluator over written files, and its referents as words."""

    def __init__(self, *files: Written) -> None:
        self.facts = {file.path: file.facts() for file in files}
        super().__init__(self.facts, Modules(ProjectFiles(frozenset(self.facts))))

    def word(self, referent: Referent | None) -> str:
        """See `word`."""
        return word(self.facts, referent)


class Unasked:
    """A part that must not be asked anything."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{self._name}.{name} was asked")


def alone(*files: Written, **fakes: Any) -> "tuple[Context, Parts, dict[str, FileFacts]]":
    """What one part needs to be tested alone: tables of the files, other parts, of which only `fakes` may be asked."""
    facts = {file.path: file.facts() for file in files}
    return Context(facts), Parts._make(fakes.get(name) or Unasked(name) for name in Parts._fields), facts


KINDS = ("", "new ", "module ", "package ", "outside ", "object ", "literal ")


def word(facts: dict[str, FileFacts], referent: Referent | None) -> str:
    """A referent: `a.ts#A`, an object of it `new a.ts#A`, `module a.ts`, an object and its type; `?` for none."""
    if referent is None:
        return "?"
    kind = KINDS[referent.kind]
    if kind in ("", "new "):
        return f"{kind}{referent.file}#{facts[referent.file].symbols[referent.symbol].qualified_name}"
    return f"{kind}{referent.type}" if kind == "object " else f"{kind}{referent.file}"
