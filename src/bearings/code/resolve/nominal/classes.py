"""The classes of one file, by the scopes of their bodies: members, type parameters, bases; and its rows and imports."""

from bisect import bisect_right
from operator import attrgetter
from typing import Final, NamedTuple

from bearings.code.expressions import Result
from bearings.code.file_facts import Binding, BindingKind, FileFacts, Import, Return, ScopeKind
from bearings.code.models import SymbolKind
from bearings.code.resolve.nominal.types import Type
from bearings.code.resolve.referents import CLASSES
from bearings.code.symbol_keys import keys_of
from bearings.code.type_expressions import TypeExpression, TypeReference

NEW = "new"
NAMESPACE = "namespace"
"""The rows of a class without a name, and of a namespace: see languages/shared/nominal.py."""
MIXIN = "use"
"""The rows of a class for the traits and mixins whose members it has."""
METHODS = frozenset({SymbolKind.METHOD, SymbolKind.FUNCTION})
CALLED = METHODS | {SymbolKind.CONSTRUCTOR}
_CLASS, _TYPE, _PARAMETER = ScopeKind.CLASS, BindingKind.TYPE, BindingKind.PARAMETER
_TYPE_PARAMETER = BindingKind.TYPE_PARAMETER
_LOCALS = frozenset({_PARAMETER, BindingKind.LOCAL})
_LINE: Final = attrgetter("line")
_MOST_ENDED: Final = 100
"""Locals of one name in a function, in blocks of their own, that are looked through before a line."""


class Head(NamedTuple):
    """What a method takes: names of parameters, how many may be left out, and the number of type parameters.

    `takes_more`: the last parameter takes all further arguments.
    """

    names: tuple[str, ...]
    optional: int
    takes_more: bool
    generics: int


class FileClasses:
    """See the module. `types` are classes by the scope around them, `members` all symbols by their scope."""

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.keys = keys_of(facts)
        self.types: dict[tuple[int, str], list[int]] = {}
        self.members: dict[tuple[int, str], list[int]] = {}
        self.bodies: dict[int, int] = {}
        self.generics: dict[int, list[Binding]] = {}
        self.constructors: dict[int, list[int]] = {}
        self.counts: dict[int, int] = {}
        """The number of parameters, by the scope of a function."""
        self.rows: dict[tuple[int, str], list[Binding]] = {}
        self.imports: dict[str, list[Import]] = {}
        self.stars: list[str] = []
        self.returns: dict[int, list[Return]] = {}
        """What a function returns that has no name, or no type for its result, by its scope."""
        self._around: dict[int, int] | None = None
        self._having_classes: set[int] | None = None
        self._indices: dict[str, int] | None = None
        self._heads: dict[int, Head | None] = {}
        self._packages: dict[int, str] = {}
        self.inner_names: set[str] = set()
        """Names of parameters, locals, type parameters and inner functions; others mean the same all over a class."""
        self.own_types: dict[int, Type] = {}
        """The types of the classes, by the scopes of their bodies, as far as they were asked for."""
        self._is_class = [scope.kind is _CLASS for scope in facts.scopes]
        self._named: set[str] = set()
        self._class_around: list[int] = []
        for place, scope in enumerate(facts.scopes):
            is_own = scope.kind is _CLASS or scope.parent < 0
            self._class_around.append(place if is_own else self._class_around[scope.parent])
        self._in_scope: dict[int, list[int]] = {}
        for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
            if not index:
                continue
            name = symbol.name
            self.members.setdefault((shape.scope, name), []).append(index)
            self._in_scope.setdefault(shape.scope, []).append(index)
            if shape.scope and not self._is_class[shape.scope]:
                self.inner_names.add(name)
            if shape.inner >= 0:
                self.bodies[shape.inner] = index
            if symbol.kind is SymbolKind.CONSTRUCTOR:
                self.constructors.setdefault(shape.scope, []).append(index)
            if symbol.kind in CLASSES:
                self._named.add(name)
                self.types.setdefault((shape.scope, name), []).append(index)
        for row in facts.bindings:
            if row.kind in _LOCALS or row.kind is _TYPE_PARAMETER:
                self.inner_names.add(row.name)
            if row.kind is _TYPE_PARAMETER:
                self._named.add(row.name)
                self.generics.setdefault(row.scope, []).append(row)
            if row.kind is _PARAMETER:
                self.counts[row.scope] = self.counts.get(row.scope, 0) + 1
            if row.name == NAMESPACE and row.kind is _TYPE and type(row.type) is str:
                self._packages[row.scope] = row.type
            self.rows.setdefault((row.scope, row.name), []).append(row)
        for returned in facts.returns:
            self.returns.setdefault(returned.scope, []).append(returned)
        for entry in facts.imports:
            if entry.name == "*":
                self.stars.append(entry.module)
            else:
                self.imports.setdefault(entry.local, []).append(entry)

    def head(self, index: int) -> Head | None:
        """What a method takes; None for a symbol that is no method."""
        if index not in self._heads:
            head = self.facts.shapes[index].head
            given = head.parameters if head is not None else ()
            optional, takes_more = sum(each.optional for each in given), bool(given) and given[-1].rest
            names = tuple(each.name for each in given)
            self._heads[index] = Head(names, optional, takes_more, len(head.generics)) if head is not None else None
        return self._heads[index]

    def index_of(self, key: str) -> int:
        """The index of the symbol with a key."""
        if self._indices is None:
            self._indices = {each: index for index, each in enumerate(self.keys)}
        return self._indices[key]

    def package_at(self, scope: int) -> str:
        """The package of what stands in a scope: of the file, or of the namespace around it."""
        while self._packages and scope >= 0:
            if scope in self._packages:
                return self._packages[scope]
            scope = self.facts.scopes[scope].parent
        return self.facts.package

    def whole_name(self, index: int) -> str:
        """The name of a class with its package."""
        package, own = self.package_at(self.facts.shapes[index].scope), self.facts.symbols[index].qualified_name
        return f"{package}.{own}" if package else own

    def has_arity(self, index: int, arity: int) -> bool:
        """Whether a class has so many type parameters; -1 stands for any number."""
        return arity < 0 or len(self.generics.get(self.facts.shapes[index].inner, ())) == arity

    def type_at(self, scope: int, name: str, arity: int) -> int | None:
        """The class of a name, with so many type parameters, that a scope declares."""
        return next((index for index in self.types.get((scope, name), ()) if self.has_arity(index, arity)), None)

    def has_classes(self, scope: int) -> bool:
        """Whether a class has classes in it."""
        if self._having_classes is None:
            self._having_classes = {around for around, _ in self.types}
        return scope in self._having_classes

    def is_class(self, scope: int) -> bool:
        """Whether a scope is the body of a class."""
        return self._is_class[scope]

    def naming(self, scope: int, name: str) -> int:
        """The innermost scope that tells what a type's name means there: a class, if the file declares no such type."""
        return scope if name in self._named or self._packages else self._class_around[scope]

    def of_class(self, scope: int) -> list[int]:
        """The symbols that a class declares."""
        return self._in_scope.get(scope, [])

    def variable(self, scope: int, name: str) -> Binding | None:
        """The type parameter of a name that a scope declares."""
        for row in self.generics.get(scope, ()):
            if row.name == name:
                return row
        return None

    def local(self, scope: int, name: str, line: int) -> Binding | None:
        """The parameter or local of a name that a scope declares, as seen from a line: the last one before it."""
        rows = self.rows.get((scope, name))
        if rows is None:
            return None
        end = bisect_right(rows, line, key=_LINE) if len(rows) > 1 else 1
        for row in (*rows[max(1, end - _MOST_ENDED) : end][::-1], rows[0]):
            if row.kind in _LOCALS and (row.target < 0 or row.line <= line <= row.target):
                return row
        return None

    def call_around(self, number: int) -> int:
        """The number of the call of which the result of a call is an argument; -1 for none."""
        if self._around is None:
            sites = enumerate(self.facts.sites)
            self._around = {
                each.site: outer for outer, site in sites for each in site.arguments if type(each) is Result
            }
        return self._around.get(number, -1)

    def bases(self, scope: int) -> list[TypeExpression]:
        """The types that a class extends and implements, as written."""
        mixed = self.mixins(scope)
        if scope not in self.bodies or self.rows.get((scope, NEW)):
            return [*mixed, *(row.type for row in self.rows.get((scope, NEW), ()) if row.type is not None)]
        shape = self.facts.shapes[self.bodies[scope]]
        above = [TypeReference(base.value, base.arguments) for base in shape.bases if type(base.value) is str]
        return [*mixed, *above, *shape.implements]

    def mixins(self, scope: int) -> list[TypeExpression]:
        """The traits and mixins of a class, as written."""
        return [row.type for row in self.rows.get((scope, MIXIN), ()) if row.type is not None]

    def declared(self, scope: int, name: str) -> Binding | None:
        """What a class says of a member that is no symbol of it: `this.name`, or `name()` for a method."""
        return next(iter(self.rows.get((scope, name), ())), None)

    def class_around(self, scope: int) -> int:
        """The scope of the class or namespace around another scope, perhaps itself; of the file if there is none."""
        scopes = self.facts.scopes
        while scope and not self._is_class[scope] and scope not in self._packages:
            scope = scopes[scope].parent
        return scope

    def around(self, scope: int) -> int:
        """The scope in which the names of a class's bases are looked up."""
        return self.facts.scopes[scope].parent
