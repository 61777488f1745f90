"""Lookup tables over one file's facts: names by scope, members by owner, exports by name; each made at its first use.

A row of the binding table binds a name in a scope. Where a scope has several rows of a name, the line of the use tells
which counts. A row of kind NARROWED counts on the lines between two others:

    let shape: Shape = load()            a row of `shape` in the scope of the file
    if (shape instanceof Circle) {
      shape.radius                       on this line, a NARROWED row of `shape` with the type Circle
    }
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final

from bearings.code.expressions import Expression, Result
from bearings.code.file_facts import Binding, BindingKind, Export, FileFacts, Import, Return, ScopeKind, Shape, Trait
from bearings.code.grouping import grouped
from bearings.code.models import SymbolKind
from bearings.code.resolve.names.choices import DECLARED, Choice, Narrowings
from bearings.code.resolve.referent import Referent
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.symbol_keys import key_at, seconds_of
from bearings.code.type_expressions import FunctionType, IndexedType, TypedParameter, TypeExpression, TypeReference

_NARROWED: Final = BindingKind.NARROWED
_OUTER: Final = BindingKind.OUTER
_IMPORT: Final = BindingKind.IMPORT
_CLASS: Final = ScopeKind.CLASS
_BLOCK: Final = ScopeKind.BLOCK
_MODULE: Final = SymbolKind.MODULE
_VARIABLE: Final = SymbolKind.VARIABLE
# Members of enums as globals: access through the class costs ten times as much.

_TYPE_KINDS = frozenset({BindingKind.TYPE, BindingKind.TYPE_PARAMETER})
"""Rows that bind a name only as a type, in a language whose types have names of their own."""
_VALUE_KINDS = frozenset({BindingKind.PARAMETER, BindingKind.LOCAL})
"""Rows that bind a name only as a value, in such a language."""
_NO_SCOPES: Final[dict[int, list[Binding]]] = {}
_MERGED = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE})
"""Declarations that are one if they have the same name: several interfaces, or a class and interfaces."""
_OF_OBJECTS = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE})
"""Declarations of types that object literals may have."""
_VALUES_AND_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.ENUM})
"""Declarations of a name both as a value and as a type."""


Alternatives = Sequence[tuple[str, Binding]]
"""Rows of binding tables, each with its file."""


class FileView:
    """The lookup tables of one file, with the rules of its language in `semantics`.

    Scopes and symbols are indices into the file's facts; the symbol 0 is the module, the scope 0 its top scope.
    `inline` has the imports that are calls, by call site: `require("./cart")`.
    `enclosing_classes` and `this_referents` are caches that evaluators fill, by scope: the index of the class around it
    (-1 for none), and the referent of `this` in it.
    """

    __slots__ = (
        "_alternatives", "_branches", "_by_scope", "_children", "_choices", "_defaults", "_generics", "_ids",
        "_implementers", "_keys", "_members", "_merged_declarations", "_named", "_namespaces", "_narrowed",
        "_narrowings", "_overloads", "_results",
        "_returns", "_rows", "_seconds", "_type_members", "enclosing_classes", "exports", "facts", "fixture_uses",
        "inline", "semantics", "star_exports", "star_imports", "this_referents",
    )  # fmt: skip

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._alternatives: dict[str, Alternatives] | None = None
        self._branches: dict[tuple[int, str], dict[int, int]] | None = None
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
        self._results: dict[int, tuple[int, TypeExpression]] | None = None
        self._overloads: dict[int, list[Binding]] | None = None
        self._implementers: dict[str, list[int]] | None = None
        self._type_members: dict[tuple[int, str], list[tuple[int, int]]] | None = None
        for row in facts.bindings:
            if row.kind is _NARROWED:
                self._narrowed.setdefault((row.scope, row.name), []).append(row)
            elif row.name in self._named:
                self._named[row.name].append(row)
            else:
                self._named[row.name] = [row]
        self.fixture_uses = {(use.symbol, use.name): use for use in facts.fixture_uses}
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
        """The id of a symbol: `src/cart.py#Cart.total:12`; of the module, the path."""
        if not self._ids:
            self._ids = [""] * len(self.facts.symbols)
        cached = self._ids[index]
        if not cached:
            symbol = self.facts.symbols[index]
            path = symbol.file
            cached = path if symbol.kind is _MODULE else f"{path}#{symbol.qualified_name}:{symbol.line}"
            self._ids[index] = cached
        return cached

    def key(self, index: int) -> str:
        """The key of a symbol, which is the same after edits elsewhere in the file; see symbol_keys.py."""
        if not self._keys:
            self._keys = [""] * len(self.facts.symbols)
        cached = self._keys[index]
        if not cached:
            if self._seconds is None:
                self._seconds = seconds_of(self.facts)
            cached = self._keys[index] = key_at(self.facts, index, self._seconds)
        return cached

    def members(self, owner: int) -> dict[str, list[int]]:
        """The symbols inside a symbol, by name.

        The name is dotted for a member of an object inside it: `db.host` of `settings = { db: { host: "" } }`.
        """
        members = self._members.get(owner)
        if members is None:
            members = self._members[owner] = {}
            symbols = self.facts.symbols
            prefix_length = len(symbols[owner].qualified_name) + 1 if owner else 0
            for index in self._child_symbols(owner):
                members.setdefault(symbols[index].qualified_name[prefix_length:], []).append(index)
        return members

    def _child_symbols(self, owner: int) -> Sequence[int]:
        """The indices of the symbols with this parent."""
        if self._children is None:
            self._children = grouped((shape.parent, index) for index, shape in enumerate(self.facts.shapes))
        return self._children.get(owner, ())

    def _rows_by_scope(self, name: str) -> dict[int, list[Binding]]:
        """The rows of a name by scope, without NARROWED ones."""
        rows_by_scope = self._rows.get(name)
        if rows_by_scope is None:
            rows = self._named.get(name)
            if rows is None:
                return _NO_SCOPES
            rows_by_scope = self._rows[name] = {}
            for row in rows:
                rows_by_scope.setdefault(row.scope, []).append(row)
        return rows_by_scope

    def is_of_mixin(self, scope: int, base: Expression | None) -> bool:
        """Whether a base is a parameter of a mixin of ECMAScript, which may take any class."""
        if not scope or type(base) is not str or not self.semantics.types_have_names_of_their_own:
            return False
        row = self.lookup(scope, base, 0)
        return row is not None and row.kind is BindingKind.PARAMETER

    def lookup(self, scope: int, name: str, line: int, *, types: bool = False) -> Binding | None:
        """The row that a name means where it is used: one of the nearest scope that has any; None for none.

        With `types`, rows of types count, else those of values, if the language tells them apart. A `line` of 0 means
        that the line does not matter.
        """
        all_rows = self._named.get(name)
        if all_rows is None:
            return None
        rules = self.semantics
        scopes = self.facts.scopes
        if len(all_rows) == 1 and not self._narrowed and not (rules.class_scope_hides_names and all_rows[0].scope):
            inner = all_rows[0].scope  # neither the line nor a class matters
            while scope > inner:
                scope = scopes[scope].parent
            types = types and rules.types_have_names_of_their_own
            return self._choose(all_rows, 0, types=types) if scope == inner else None
        run_at = 0 if types else line
        types = types and rules.types_have_names_of_their_own
        hides, runs_in_place = rules.class_scope_hides_names, rules.comprehensions_run_in_place
        rows_by_scope = self._rows_by_scope(name)
        # The line of the use counts in the scope `inner` alone: a function may run after any line of outer scopes.
        start = inner = scope
        while scope >= 0:
            current = scopes[scope]
            rows = rows_by_scope.get(scope)
            # In Python, a method does not see the names that are bound in the body of its class.
            # What runs in the body itself sees those of earlier lines: `Item = Item`.
            if rows and not (hides and current.kind is _CLASS and (scope != start or rows[0].line >= run_at > 0)):
                row = self._choose(rows, line if scope == inner else 0, types=types)
                if row is not None:
                    return self._narrow(row, line) if self._narrowed and scope == inner else row
            # `[item for item in carts]`: the line counts
            if runs_in_place and scope == inner and current.kind is _BLOCK:
                inner = current.parent
            scope = current.parent
        return None

    def means_same_everywhere(self, name: str) -> bool:
        """Whether a name means the same in all scopes: the file binds it once, at its top, or not at all."""
        rows = self._named.get(name, ())
        return not rows or (len(rows) == 1 and rows[0].scope == 0)

    @property
    def branches(self) -> Mapping[tuple[int, str], Mapping[int, int]]:
        """Scope and name of what branches of a statement bind; the lines there, each with the last of its block."""
        if self._branches is None:
            self._branches = {}
            for mark in self.rows_named("|"):
                self._branches.setdefault((mark.scope, str(mark.value)), {})[mark.line] = mark.target
        return self._branches

    def type_of_result(self, site: int) -> tuple[int, TypeExpression] | None:
        """The scope and the type of the variable whose value a call gives; None for another call."""
        if self._results is None:
            locals_ = (row for row in self.facts.bindings if row.kind is BindingKind.LOCAL)
            declared: list[Shape | Binding] = [*self.facts.shapes, *locals_]
            typed = [(one.value, one.scope, one.type) for one in declared if type(one.value) is Result]
            self._results = {value.site: (scope, type_) for value, scope, type_ in typed if type_ is not None}
        return self._results.get(site)

    @property
    def alternatives(self) -> Mapping[str, Alternatives]:
        """The keys of symbols whose name branches bind several times, each with its other meanings."""
        if self._alternatives is None:
            rows = self._rows_of_branches()
            self._alternatives = {self.key(row.target): others for row, others in rows if row.kind is not _IMPORT}
        return self._alternatives

    @property
    def imported_alternatives(self) -> Collection[tuple[Binding, Alternatives]]:
        """The imports among the meanings of such names, if a name has no other, each with its other meanings."""
        rows = self._rows_of_branches() if self.binds("|") else ()
        return [
            (row, others)
            for row, others in rows
            if row.kind is _IMPORT and all(other.kind is _IMPORT for _, other in others)
        ]

    def _rows_of_branches(self) -> Iterator[tuple[Binding, Alternatives]]:
        for scope, name in self.branches:
            rows = [row for row in self.rows_of(scope, name) if row.kind in DECLARED]
            for row in rows:
                yield row, [(self.facts.path, other) for other in rows if other is not row]

    def nearest_rows(self, scope: int, name: str) -> Sequence[Binding]:
        """All rows of a name in the nearest scope that has any, whatever the line."""
        rows_by_scope = self._rows_by_scope(name)
        while scope >= 0 and scope not in rows_by_scope:
            scope = self.facts.scopes[scope].parent
        return rows_by_scope.get(scope, ())

    def _narrow(self, row: Binding, line: int) -> Binding:
        """The NARROWED row of a name at a line, unless the name was bound again since; else the row itself."""
        key = (row.scope, row.name)
        rows = self._narrowed.get(key)
        if rows is None:
            return row
        narrowings = self._narrowings.get(key)
        if narrowings is None:
            narrowings = self._narrowings[key] = Narrowings(rows)
        narrowed = narrowings.innermost_at(line)
        is_bound_again = narrowed is not None and narrowed.line + 1 < row.line < line
        return row if narrowed is None or is_bound_again else narrowed

    def _choose(self, rows: list[Binding], line: int, *, types: bool) -> Binding | None:
        """The row that a use at a line means, of all rows of a name in one scope; None if none fits."""
        if len(rows) == 1:
            row = rows[0]
            fits = self._is_type(row) if types else row.kind not in _TYPE_KINDS
            return row if fits and row.kind is not _OUTER else None
        key = (id(rows), types)
        choice = self._choices.get(key)
        if choice is None:
            choice = self._choices[key] = self._choice(rows, types=types)
        return choice.at(line - self.semantics.binding_begins_next_line) if line else choice.without_line

    def _choice(self, rows: list[Binding], *, types: bool) -> Choice:
        """A choice among the rows that a use may mean, of all rows of a name in one scope."""
        fitting = [row for row in rows if (self._is_type(row) if types else row.kind not in _TYPE_KINDS)]
        if any(row.kind is _OUTER for row in rows):  # `global total`: the scope does not bind the name
            fitting = []
        if self.semantics.declarations_merge and len(fitting) > 1:  # `function build() {}`, `namespace build { … }`
            fitting = [row for row in fitting if not self._is_namespace(row)] or fitting[:1]
        if (rows[0].scope, rows[0].name) in self.branches:
            fitting.sort(key=lambda row: row.kind is not _IMPORT)  # a definition leads to its alternatives
        return Choice(fitting, declarations_win=rows[0].scope == 0)

    def _is_type(self, row: Binding) -> bool:
        """Whether a row may bind a name as a type: an import, an interface, or a class, which is a value as well."""
        if row.kind is BindingKind.SYMBOL:
            symbol = self.facts.symbols[row.target]
            is_constructor = bool(self.facts.shapes[row.target].traits & Trait.CONSTRUCTS)
            return symbol.kind in _VALUES_AND_TYPES or self._is_namespace(row) or is_constructor
        return row.kind not in _VALUE_KINDS

    def _is_namespace(self, row: Binding) -> bool:
        return row.kind is BindingKind.SYMBOL and self.is_namespace(row.target)

    def is_namespace(self, index: int) -> bool:
        """Whether a symbol is a namespace: `namespace build { … }`, a variable whose scope is like a class's."""
        if self.facts.symbols[index].kind is not _VARIABLE:
            return False
        inner = self.facts.shapes[index].inner
        return inner >= 0 and self.facts.scopes[inner].kind is _CLASS

    def implementers(self, name: str) -> Sequence[int]:
        """The classes and objects that implement a type of that name, `class Printer implements Visitor`, in order."""
        if self._implementers is None:
            self._implementers = {}
            for index, shape in enumerate(self.facts.shapes):
                types = (type_.name if isinstance(type_, TypeReference) else type_ for type_ in shape.implements)
                for known in {type_ for type_ in types if isinstance(type_, str)}:
                    self._implementers.setdefault(known, []).append(index)
        return self._implementers.get(name, ())

    def has_functions(self, index: int) -> bool:
        """Whether a symbol is an interface, or the like, with a member that is a function."""
        symbols, shapes = self.facts.symbols, self.facts.shapes
        rows = self._child_symbols(index) if symbols[index].kind in _OF_OBJECTS else ()
        return any(symbols[row].kind is SymbolKind.METHOD or type(shapes[row].type) is FunctionType for row in rows)

    def is_enumeration(self, index: int) -> bool:
        """Whether a symbol is a class whose plain attributes are objects of it."""
        detail = self.facts.symbols[index].detail
        return detail is not None and detail.role is SymbolKind.ENUM and bool(self.semantics.enum_members)

    def binds(self, name: str) -> bool:
        """Whether any scope has a row for a name."""
        return name in self._named

    def rows_named(self, name: str) -> Iterable[Binding]:
        """All rows of a name in any scope, without NARROWED ones."""
        return self._named.get(name, ())

    def rows_of(self, scope: int, name: str) -> Sequence[Binding]:
        """All rows of a name in one scope, the NARROWED ones last."""
        rows = self._rows_by_scope(name).get(scope, ())
        narrowed = self._narrowed.get((scope, name))
        return [*rows, *narrowed] if narrowed else rows

    def overloads(self, index: int) -> Sequence[Binding]:
        """The rows of a function's overloads, whose `type` is the head; each is in a scope of its own.

        Empty for a function with fewer than two.
        """
        if self._overloads is None:
            rows = ((self.facts.scopes[row.scope], row) for row in self._named.get("()", ()))
            self._overloads = grouped((scope.symbol, row) for scope, row in rows if scope.kind is not _CLASS)
        return self._overloads.get(index, ())

    def head_scope(self, index: int) -> int:
        """The scope in which the names of a function's result type are looked up; -1 if it has none.

        It is the scope of the first overload, whose result counts, or the function's own.
        """
        heads = self.overloads(index) if not self.semantics.has_special_methods else ()
        return heads[0].scope if heads else self.facts.shapes[index].inner

    def generics(self, scope: int) -> tuple[str, ...]:
        """The names of the type parameters that a scope declares, in order: T and U of `class Box<T, U>`."""
        if self._generics is None:
            self._generics = {}
            for row in self.facts.bindings:
                if row.kind is BindingKind.TYPE_PARAMETER:
                    self._generics[row.scope] = (*self._generics.get(row.scope, ()), row.name)
        return self._generics.get(scope, ())

    def type_parameter_defaults(self, scope: int) -> Sequence[Binding]:
        """The rows of a scope's type parameters that have a default: `class Box<T = Cart>`."""
        if self._defaults is None:
            rows = (row for row in self.facts.bindings if row.kind is BindingKind.TYPE_PARAMETER)
            self._defaults = grouped((row.scope, row) for row in rows if row.value is not None)
        return self._defaults.get(scope, ())

    def merged_declarations(self, index: int) -> Sequence[int]:
        """All declarations of an interface or class that are merged, with its own; empty if it is the only one.

        `interface Cart { total: number }`, `interface Cart { items: Item[] }`
        """
        if self._merged_declarations is None:
            rows = enumerate(self.facts.symbols if self.semantics.declarations_merge else ())
            named = grouped((symbol.qualified_name, position) for position, symbol in rows if symbol.kind in _MERGED)
            groups = [group for group in named.values() if len(group) > 1]
            self._merged_declarations = {position: group for group in groups for position in group}
        return self._merged_declarations.get(index, ())

    def is_declared_beside(self, owner: int, member: int) -> bool:
        """Whether a declaration that is merged with a class has what is assigned to it as a member.

        `Cart.prototype.add = …` beside `interface Cart { add(): this }`
        """
        if self.facts.shapes[member].scope == self.facts.shapes[owner].inner:
            return False
        name = self.facts.symbols[member].name
        return any(name in self.members(other) for other in self.merged_declarations(owner) if other != owner)

    def is_declared_at(self, index: int, line: int) -> bool:
        """Whether a declaration of a symbol, or of its name in a merged one of its class, is on a line."""
        symbols, owner = self.facts.symbols, self.facts.shapes[index].parent
        merged = (self.members(other).get(symbols[index].name, ()) for other in self.merged_declarations(owner))
        return any(symbols[row].line == line for rows in ((index,), *merged) for row in rows)

    def namespace_members(self, index: int) -> Mapping[str, Sequence[int]]:
        """The symbols, by name, inside all namespaces that have the same name as a symbol.

        `version` for the function in `function build() {}`, `namespace build { export const version = 1 }`
        """
        if self._namespaces is None:
            self._namespaces = {}
            for position, symbol in enumerate(self.facts.symbols if self.semantics.declarations_merge else ()):
                if self.is_namespace(position):
                    members = self._namespaces.setdefault(symbol.qualified_name, {})
                    for name, rows in self.members(position).items():
                        members.setdefault(name, []).extend(rows)
        return self._namespaces.get(self.facts.symbols[index].qualified_name, {}) if self._namespaces else {}

    def rows_of_scope(self, scope: int) -> Iterable[Binding]:
        """All rows of one scope."""
        if self._by_scope is None:
            self._by_scope = grouped((row.scope, row) for row in self.facts.bindings)
        return self._by_scope.get(scope, ())

    def parameters(self, scope: int) -> tuple[TypedParameter, ...]:
        """The parameters of the function that has a scope, with their types, up to one without a type or a name."""
        rows = (row for row in self.rows_of_scope(scope) if row.kind is BindingKind.PARAMETER and row.name != "this")
        typed = takewhile(lambda row: row.type is not None and not isinstance(row.type, IndexedType), rows)
        return tuple(TypedParameter(row.name, row.type) for row in typed)

    def returns(self, scope: int) -> Sequence[Return]:
        """The values that the function of a scope returns."""
        if self._returns is None:
            self._returns = grouped((row.scope, row) for row in self.facts.returns)
        return self._returns.get(scope, ())

    def member_of_type(self, scope: int, key: int, name: str) -> int:
        """The symbol of a member of an object type; -1 unless exactly one is declared in the nearest scope with any.

        `key` is the ObjectType's, `scope` the one in which its names are looked up.
        """
        if self._type_members is None:
            rows = self.facts.type_members
            self._type_members = grouped(((row.key, row.name), (row.scope, row.symbol)) for row in rows)
        members = self._type_members.get((key, name), ())
        while scope >= 0 and members:
            nearest = [symbol for member_scope, symbol in members if member_scope == scope]
            if nearest:
                is_overloaded = len({*nearest}) == 1 and self._is_of_alias(nearest[0])
                return nearest[0] if is_overloaded or len(nearest) == 1 else -1
            scope = self.facts.scopes[scope].parent
        return -1

    def _is_of_alias(self, index: int) -> bool:
        return self.facts.symbols[self.facts.shapes[index].parent].kind is SymbolKind.TYPE

    def setter(self, index: int) -> int:
        """The setter beside a getter, `set total(value) { … }`; -1 for none."""
        namesakes = self.members(self.facts.shapes[index].parent).get(self.facts.symbols[index].name, ())
        setters = (row for row in namesakes if self.facts.shapes[row].traits & Trait.SETTER)
        return next((row for row in setters if self.is_static(row) == self.is_static(index)), -1)

    def is_static(self, index: int) -> bool:
        """Whether a member belongs to the class itself rather than its objects."""
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
