"""Lookup tables over one file's facts: names by scope, members by owner, exports by name; each made at its first use.

A row of the binding table binds a name in a scope. Several rows of a name in one scope are told apart by lines; rows of
kind NARROWED hold between two lines, as inside `if (shape instanceof Circle) { … }`.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from bearings.code.file_facts import Binding, BindingKind, Export, FileFacts, Import, Return, ScopeKind, Trait
from bearings.code.models import SymbolKind
from bearings.code.resolve.names.choices import Choice, Narrowings
from bearings.code.resolve.referent import Referent
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.symbol_keys import key_at, seconds_of

_NARROWED: Final = BindingKind.NARROWED
_OUTER: Final = BindingKind.OUTER
_CLASS: Final = ScopeKind.CLASS
_BLOCK: Final = ScopeKind.BLOCK
_MODULE: Final = SymbolKind.MODULE
_VARIABLE: Final = SymbolKind.VARIABLE
# Members of enums as globals: access through the class costs ten times as much.

_TYPES = frozenset({BindingKind.TYPE, BindingKind.TYPE_PARAMETER})
_VALUES = frozenset({BindingKind.PARAMETER, BindingKind.LOCAL})
"""Rows of values alone, in a language whose types have names of their own."""
_NOWHERE: Final[dict[int, list[Binding]]] = {}
_MERGED = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE})
"""Declarations of one name that are one: of interfaces, and of a class and an interface."""
_BOTH = frozenset({SymbolKind.CLASS, SymbolKind.ENUM})
"""Declarations that are a value and a type."""


class FileView:
    """The lookup tables of one file, with the rules of its language.

    `enclosing_classes` and `this_referents` are caches that evaluators fill, by scope: the index of the class around it
    (-1 for none), and the referent of `this` in it.
    """

    __slots__ = (
        "_by_scope", "_children", "_choices", "_defaults", "_generics", "_ids", "_keys", "_members",
        "_merged_declarations", "_named", "_namespaces", "_narrowed", "_narrowings", "_overloads", "_returns", "_rows",
        "_seconds", "_type_members", "enclosing_classes", "exports", "facts", "inline", "semantics", "star_exports",
        "star_imports", "this_referents",
    )  # fmt: skip

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._defaults: dict[int, list[Binding]] | None = None
        self._merged_declarations: dict[int, list[int]] | None = None
        self._generics: dict[int, tuple[str, ...]] | None = None
        self._namespaces: dict[str, dict[str, list[int]]] | None = None
        self.semantics = semantics_of(facts.language)
        self._keys: list[str] = []
        self._ids: list[str] = []
        self._seconds: dict[int, int] | None = None
        self.enclosing_classes: dict[int, int] = {}
        self.this_referents: dict[int, Referent | None] = {}
        self._children: dict[int, list[int]] | None = None
        self._members: dict[int, dict[str, list[int]]] = {}
        self._by_scope: dict[int, list[Binding]] | None = None
        self._named: dict[str, list[Binding]] = {}
        self._rows: dict[str, dict[int, list[Binding]]] = {}
        self._narrowed: dict[tuple[int, str], list[Binding]] = {}
        self._narrowings: dict[tuple[int, str], Narrowings] = {}
        self._choices: dict[tuple[int, bool], Choice] = {}
        self._returns: dict[int, list[Return]] | None = None
        self._overloads: dict[int, list[Binding]] | None = None
        self._type_members: dict[tuple[int, str], list[tuple[int, int]]] | None = None
        for row in facts.bindings:
            if row.kind is _NARROWED:
                self._narrowed.setdefault((row.scope, row.name), []).append(row)
            elif row.name in self._named:
                self._named[row.name].append(row)
            else:
                self._named[row.name] = [row]
        self.inline: dict[int, Import] = {entry.site: entry for entry in facts.imports if entry.site >= 0}
        self.star_imports = [
            entry for entry in facts.imports if entry.name == "*" and not entry.local and entry.site < 0
        ]
        self.exports: dict[str, list[Export]] = {}
        self.star_exports: list[Export] = []
        for export in facts.exports:
            if export.name == "*":
                self.star_exports.append(export)
            else:
                self.exports.setdefault(export.name, []).append(export)

    def id(self, index: int) -> str:
        """The id of a symbol."""
        if not self._ids:
            self._ids = [""] * len(self.facts.symbols)
        known = self._ids[index]
        if not known:
            symbol = self.facts.symbols[index]
            path = symbol.file
            known = path if symbol.kind is _MODULE else f"{path}#{symbol.qualified_name}:{symbol.line}"
            self._ids[index] = known
        return known

    def key(self, index: int) -> str:
        """The key of a symbol."""
        if not self._keys:
            self._keys = [""] * len(self.facts.symbols)
        known = self._keys[index]
        if not known:
            if self._seconds is None:
                self._seconds = seconds_of(self.facts)
            known = self._keys[index] = key_at(self.facts, index, self._seconds)
        return known

    def members(self, owner: int) -> dict[str, list[int]]:
        """The symbols inside a symbol by name; the name is dotted for members of an object inside it."""
        known = self._members.get(owner)
        if known is None:
            known = self._members[owner] = {}
            symbols = self.facts.symbols
            whole = len(symbols[owner].qualified_name) + 1 if owner else 0
            for index in self._nested(owner):
                known.setdefault(symbols[index].qualified_name[whole:], []).append(index)
        return known

    def _nested(self, owner: int) -> Sequence[int]:
        """The indices of the symbols with this parent."""
        if self._children is None:
            self._children = {}
            for index, shape in enumerate(self.facts.shapes):
                self._children.setdefault(shape.parent, []).append(index)
        return self._children.get(owner, ())

    def _scoped(self, name: str) -> dict[int, list[Binding]]:
        """The rows of a name by scope."""
        known = self._rows.get(name)
        if known is None:
            rows = self._named.get(name)
            if rows is None:
                return _NOWHERE
            known = self._rows[name] = {}
            for row in rows:
                known.setdefault(row.scope, []).append(row)
        return known

    def lookup(self, scope: int, name: str, line: int, *, types: bool = False) -> Binding | None:
        """The row of a name where it is used: of the nearest scope that has one, among values or among types."""
        all_rows = self._named.get(name)
        if all_rows is None:
            return None
        if len(all_rows) == 1 and all_rows[0].scope == 0 and not self._narrowed:  # neither the line nor a class matters
            return self._choose(all_rows, 0, types=types and self.semantics.types_have_names_of_their_own)
        rules = self.semantics
        types = types and rules.types_have_names_of_their_own
        hides, runs_in_place = rules.class_scope_hides_names, rules.comprehensions_run_in_place
        named = self._scoped(name)
        start = inner = scope
        scopes = self.facts.scopes
        while scope >= 0:
            here = scopes[scope]
            rows = named.get(scope)
            # In Python, a method does not see the names in the body of its class.
            if rows and not (hides and scope != start and here.kind is _CLASS):
                row = self._choose(rows, line if scope == inner else 0, types=types)
                if row is not None:
                    return self._narrow(row, line) if self._narrowed and scope == inner else row
            if runs_in_place and scope == inner and here.kind is _BLOCK:  # `[item for item in carts]`: the line counts
                inner = here.parent
            scope = here.parent
        return None

    def nearest_rows(self, scope: int, name: str) -> Sequence[Binding]:
        """All rows of a name in the nearest scope that has any."""
        named = self._scoped(name)
        while scope >= 0 and scope not in named:
            scope = self.facts.scopes[scope].parent
        return named.get(scope, ())

    def _narrow(self, row: Binding, line: int) -> Binding:
        """The narrowed row of a name at a line, unless it was bound again since; else the row itself."""
        key = (row.scope, row.name)
        rows = self._narrowed.get(key)
        if rows is None:
            return row
        known = self._narrowings.get(key)
        if known is None:
            known = self._narrowings[key] = Narrowings(rows)
        narrowed = known.at(line)
        is_bound_again = narrowed is not None and narrowed.line + 1 < row.line < line
        return row if narrowed is None or is_bound_again else narrowed

    def _choose(self, rows: list[Binding], line: int, *, types: bool) -> Binding | None:
        if len(rows) == 1:
            row = rows[0]
            fits = self._is_type(row) if types else row.kind not in _TYPES
            return row if fits and row.kind is not _OUTER else None
        key = (id(rows), types)
        choice = self._choices.get(key)
        if choice is None:
            choice = self._choices[key] = self._choice(rows, types=types)
        return choice.at(line - self.semantics.binding_begins_next_line) if line else choice.anywhere

    def _choice(self, rows: list[Binding], *, types: bool) -> Choice:
        """The rows that a use may mean, of those of a name in one scope."""
        seen = [row for row in rows if self._is_type(row)] if types else [row for row in rows if row.kind not in _TYPES]
        if any(row.kind is _OUTER for row in rows):
            seen = []
        if self.semantics.declarations_merge and len(seen) > 1:  # a namespace is merged with what the name means
            seen = [row for row in seen if not self._is_namespace(row)] or seen[:1]
        return Choice(seen, declarations_win=rows[0].scope == 0)

    def _is_type(self, row: Binding) -> bool:
        """Whether a row is one of a type, or of a value that is a type as well."""
        if row.kind is BindingKind.SYMBOL:
            symbol = self.facts.symbols[row.target]
            makes = self.facts.shapes[row.target].traits & Trait.CONSTRUCTS
            return symbol.kind in _BOTH or self._is_namespace(row) or bool(makes)
        return row.kind not in _VALUES

    def _is_namespace(self, row: Binding) -> bool:
        return row.kind is BindingKind.SYMBOL and self.is_namespace(row.target)

    def is_namespace(self, index: int) -> bool:
        """Whether a symbol is a namespace: a module inside the module."""
        if self.facts.symbols[index].kind is not _VARIABLE:
            return False
        inner = self.facts.shapes[index].inner
        return inner >= 0 and self.facts.scopes[inner].kind is _CLASS

    def binds(self, name: str) -> bool:
        """Whether any scope has a row for a name."""
        return name in self._named

    def rows_named(self, name: str) -> Iterable[Binding]:
        """All rows of a name, of whatever scope."""
        return self._named.get(name, ())

    def rows_of(self, scope: int, name: str) -> Iterable[Binding]:
        """All rows of a name in one scope."""
        rows = self._scoped(name).get(scope, ())
        narrowing = self._narrowed.get((scope, name))
        return [*rows, *narrowing] if narrowing else rows

    def overloads(self, index: int) -> Sequence[Binding]:
        """The heads of a function's overloads, each in its own scope; empty for a function with fewer than two."""
        if self._overloads is None:
            self._overloads = {}
            for row in self._named.get("()", ()):
                here = self.facts.scopes[row.scope]
                if here.kind is not _CLASS:
                    self._overloads.setdefault(here.symbol, []).append(row)
        return self._overloads.get(index, ())

    def head_scope(self, index: int) -> int:
        """The scope of the names in a function's head: of its first overload, which gives its result, or its own."""
        heads = self.overloads(index) if not self.semantics.has_special_methods else ()
        return heads[0].scope if heads else self.facts.shapes[index].inner

    def generics(self, scope: int) -> tuple[str, ...]:
        """The type parameters that a scope declares, in order."""
        if self._generics is None:
            self._generics = {}
            for row in self.facts.bindings:
                if row.kind is BindingKind.TYPE_PARAMETER:
                    self._generics[row.scope] = (*self._generics.get(row.scope, ()), row.name)
        return self._generics.get(scope, ())

    def type_parameter_defaults(self, scope: int) -> Sequence[Binding]:
        """The type parameters of a scope that have a default beside their constraint."""
        if self._defaults is None:
            self._defaults = {}
            for row in self.facts.bindings:
                if row.kind is BindingKind.TYPE_PARAMETER and row.value is not None:
                    self._defaults.setdefault(row.scope, []).append(row)
        return self._defaults.get(scope, ()) if self._defaults else ()

    def merged_declarations(self, index: int) -> Sequence[int]:
        """All declarations of an interface, or of the class merged with it; empty if it has but one."""
        if self._merged_declarations is None:
            named: dict[str, list[int]] = {}
            for position, symbol in enumerate(self.facts.symbols if self.semantics.declarations_merge else ()):
                if symbol.kind in _MERGED:
                    named.setdefault(symbol.qualified_name, []).append(position)
            groups = [group for group in named.values() if len(group) > 1]
            self._merged_declarations = {position: group for group in groups for position in group}
        return self._merged_declarations.get(index, ())

    def namespace_members(self, index: int) -> Mapping[str, Sequence[int]]:
        """The symbols, by name, inside all namespaces that have the name of a symbol."""
        if self._namespaces is None:
            self._namespaces = {}
            for position, symbol in enumerate(self.facts.symbols if self.semantics.declarations_merge else ()):
                if self.is_namespace(position):
                    known = self._namespaces.setdefault(symbol.qualified_name, {})
                    for name, rows in self.members(position).items():
                        known.setdefault(name, []).extend(rows)
        return self._namespaces.get(self.facts.symbols[index].qualified_name, {}) if self._namespaces else {}

    def rows_of_scope(self, scope: int) -> Iterable[Binding]:
        """All rows of one scope."""
        if self._by_scope is None:
            self._by_scope = {}
            for row in self.facts.bindings:
                self._by_scope.setdefault(row.scope, []).append(row)
        return self._by_scope.get(scope, ())

    def returns(self, scope: int) -> Sequence[Return]:
        """The values that the function of a scope returns."""
        if self._returns is None:
            self._returns = {}
            for row in self.facts.returns:
                self._returns.setdefault(row.scope, []).append(row)
        return self._returns.get(scope, ())

    def member_of_type(self, scope: int, key: int, name: str) -> int:
        """The symbol of a member of an object type that is named in a scope; -1 unless exactly one is declared."""
        if self._type_members is None:
            self._type_members = {}
            for row in self.facts.type_members:
                self._type_members.setdefault((row.key, row.name), []).append((row.scope, row.symbol))
        members = self._type_members.get((key, name), ())
        while scope >= 0 and members:
            near = [symbol for at, symbol in members if at == scope]
            if near:
                return near[0] if len(near) == 1 else -1
            scope = self.facts.scopes[scope].parent
        return -1

    def is_static(self, index: int) -> bool:
        """Whether a member belongs to the class itself."""
        return bool(self.facts.shapes[index].traits & Trait.STATIC)


class Views(dict[str, FileView]):
    """The views of a project's files, each built at its first use."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        super().__init__()
        self.facts = facts

    def __missing__(self, path: str) -> FileView:
        view = self[path] = FileView(self.facts[path])
        return view

    def forget(self, but: Collection[str]) -> None:
        """Drops all views except these."""
        for path in [path for path in self if path not in but]:
            del self[path]
