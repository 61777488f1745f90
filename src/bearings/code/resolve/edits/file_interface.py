"""The interface of a file: the part of its facts on which the resolution of other files can depend.

By it, an edit that no other file can notice, as in a function's body, is told from others. The interface is
everything except the bodies of functions: the file's exports and members, and all that their types, values and bases
lead to. The order of lines matters, but their numbers do not; nor do the numbers of scopes and call sites.

If two states of a file differ in some names only, only files that look up one of these names depend on the change.
"""

import re
from collections.abc import Hashable

from bearings.code.expressions import Expression, renumbered, texts
from bearings.code.file_facts import Binding, BindingKind, FileFacts, ScopeKind
from bearings.code.resolve.edits.name_changes import MoreThanNames, changed_names, erased, head_of
from bearings.code.resolve.names.file_view import FileView
from bearings.code.type_expressions import TypeExpression, type_words

_WORDS = re.compile(r"[\w$]+")
_UNNAMED = ("()", "new()", "[]", "[in]")
"""Rows that no code names; see Binding."""

_ASKED = re.compile(r"constructor|__\w+__")
"""Names that resolution looks up although no source contains them."""

_MANY = 100
"""With more differing names, the change counts for all files that depend on the file."""


def interface(facts: FileFacts, without: frozenset[str] = frozenset()) -> Hashable | None:
    """Equal for two states of a file if other files see no difference between them, except for lines of symbols.

    `without` leaves out these names, for files that look up none of them; None if the rest leads to one of them.
    """
    return _Slice(facts, without).of_file()


def difference(before: FileFacts | None, now: FileFacts | None) -> frozenset[str] | None:
    """The names whose meaning differs for other files between two states; None if any name may differ.

    A state is None if there is no file.
    """
    if before is None or now is None or _fixtures(before) != _fixtures(now):
        return None
    try:
        names = changed_names(before, now)
    except MoreThanNames:
        return _difference(before, now)
    return None if len(names) > _MANY or any(map(_ASKED.fullmatch, names)) else names


def _fixtures(facts: FileFacts) -> set[tuple[str, str]]:
    """The fixtures and plugins of a file, which other files see without naming it."""
    own = {(facts.symbols[one.symbol].qualified_name, one.name) for one in facts.fixtures}
    return own | {(entry.module, "") for entry in facts.imports if entry.is_plugin}


def _difference(before: FileFacts, now: FileFacts) -> frozenset[str] | None:
    """The same as `difference`, for any two states: compares all that is reachable, with and without the names."""
    first, last = _alike_ends(before, now)
    differing = _entries(before, first, last) ^ _entries(now, first, last)
    if not differing:
        return frozenset() if interface(before) == interface(now) else None
    names = frozenset(str(entry[1]).rpartition(".")[2] for entry in differing)
    if len(names) > _MANY or any(map(_ASKED.fullmatch, names)) or not all(map(_WORDS.fullmatch, names)):
        return None
    rest = interface(before, names)
    return names if rest is not None and rest == interface(now, names) else None


def remaining(facts: FileFacts, without: frozenset[str]) -> list[int]:
    """The indices of the symbols without these names whose containers don't have them either."""
    if not without:
        return list(range(len(facts.symbols)))
    paths = [symbol.qualified_name for symbol in facts.symbols]
    return [0, *(index for index, path in enumerate(paths) if index and without.isdisjoint(path.split(".")))]


def _entries(facts: FileFacts, first: int, last: int) -> set[tuple[Hashable, ...]]:
    """An entry for each declaration of a file, its name second; without the `first` and the `last` symbols."""
    entries: set[tuple[Hashable, ...]] = set()
    for index in range(first, len(facts.symbols) - last):
        symbol, traits = facts.symbols[index], facts.shapes[index].traits
        entries.add(("symbol", symbol.qualified_name, symbol.kind, traits, _types(facts, index), _values(facts, index)))
    for row in facts.bindings:
        if row.scope == 0:
            entry = facts.imports[row.target] if row.kind is BindingKind.IMPORT else None
            imported = (entry.module, entry.name) if entry is not None else None
            entries.add(("row", row.name, row.kind, row.type, erased(row.value), imported))
    return entries | {("export", row.name, erased(row.local), row.module, row.wrapped) for row in facts.exports}


def _alike_ends(one: FileFacts, other: FileFacts) -> tuple[int, int]:
    """The numbers of equal symbols at the start and at the end of two states of a file, the module included."""
    most = min(len(one.symbols), len(other.symbols))
    first, last = 1, 0
    while first < most and _alike(one, other, first, first):
        first += 1
    while last < most - first and _alike(one, other, ~last, ~last):
        last += 1
    return first, last


def _alike(one: FileFacts, other: FileFacts, index: int, place: int) -> bool:
    """Whether two symbols surely have equal entries."""
    symbol, shape = one.symbols[index], one.shapes[index]
    as_symbol, as_shape = other.symbols[place], other.shapes[place]
    return (
        symbol.qualified_name == as_symbol.qualified_name
        and symbol.kind is as_symbol.kind
        and shape.traits == as_shape.traits
        and (
            (shape == as_shape and (symbol.signature == as_symbol.signature or head_of(symbol) == head_of(as_symbol)))
            or (_types(one, index), _values(one, index)) == (_types(other, place), _values(other, place))
        )
    )


_Type = str | TypeExpression | None


def _types(facts: FileFacts, index: int) -> tuple[_Type, ...]:
    """The head and the types of a symbol that other files may follow."""
    symbol, shape = facts.symbols[index], facts.shapes[index]
    return head_of(symbol), *shape.types()


def _values(facts: FileFacts, index: int) -> tuple[Expression | None, ...]:
    """The value and the bases of a symbol without numbers."""
    return tuple(map(erased, facts.shapes[index].values()))


class _Slice:
    """The facts that are reachable from outside, in the order in which they are reached."""

    def __init__(self, facts: FileFacts, without: frozenset[str]) -> None:
        self._facts = facts
        self._view = FileView(facts)
        self._without = without
        self._unnamed = tuple(filter(self._view.binds, _UNNAMED))
        self._places = {index: place for place, index in enumerate(remaining(facts, without))}
        self._leads_back = False
        self._reached: list[Hashable] = []
        self._lines: list[int] = []
        self._scopes: dict[int, int] = {-1: -1}
        self._sites: dict[int, int] = {}
        self._literals: set[int] = set()
        self._functions: set[int] = set()
        self._rows: set[int] = set()
        self._queued: set[tuple[int, Expression | TypeExpression]] = set()
        self._pending: list[tuple[int, list[str]]] = []

    def of_file(self) -> Hashable | None:
        facts = self._facts
        for index in self._places:
            symbol, shape = facts.symbols[index], facts.shapes[index]
            if index:
                self._lines.append(symbol.line)
            here, inner, parent = self._scope(shape.scope), self._scope(shape.inner), self._place(shape.parent)
            types, values = _types(facts, index), shape.values()
            for scope in dict.fromkeys((shape.scope, shape.inner)) if shape.inner >= 0 else (shape.scope,):
                for value in values:
                    self._lead(scope, value)
                for type_ in types:
                    self._lead_type(scope, type_)
            written = types, tuple(self._expression(shape.scope, value) for value in values)
            self._reached.append((symbol.qualified_name, symbol.kind, parent, shape.traits, here, inner, written))
            self._unnamed_rows(shape.inner)
            for row in self._view.overloads(index):
                self._unnamed_rows(row.scope)
        for row in self._view.rows_of_scope(0):
            if row.name not in self._without:
                self._row(row)
        for export in facts.exports:
            if export.name not in self._without:
                self._reached.append((export.name, self._expression(0, export.local), export.module, export.wrapped))
                self._lines.append(export.line)
        self._reached += [(star.module, "*") for star in self._view.star_imports]
        # A type that is added may be written like another one, whose members then are not looked up by its text.
        known = {(member.key, member.name) for member in facts.type_members if self._place(member.symbol) >= 0}
        for member in facts.type_members:
            if (member.key, member.name) in known:
                self._reached.append((self._scope(member.scope), member.key, member.name, self._place(member.symbol)))
        while self._pending:
            self._follow(*self._pending.pop())
        if self._leads_back:
            return None
        ranks = {line: rank for rank, line in enumerate(sorted(set(self._lines)))}
        whole = facts.language, facts.package, facts.build, len(self._places)
        return *whole, tuple(self._reached), tuple(ranks[line] for line in self._lines)

    def _place(self, symbol: int) -> int:
        """A symbol's position among the remaining ones."""
        return self._places.get(symbol, -1)

    def _unnamed_rows(self, scope: int) -> None:
        """The type parameters and return values of a scope, and its rows that no code names."""
        if scope < 0:
            return
        generics = self._view.generics(scope)
        self._reached += generics
        for name in (*self._unnamed, *generics):
            for row in self._view.rows_of(scope, name):
                self._row(row)
        for given in self._view.returns(scope):
            if id(given) not in self._rows:
                self._rows.add(id(given))
                self._lines.append(given.line)
                value = self._expression(given.within, given.value)
                self._reached.append((self._scope(given.scope), self._scope(given.within), value))

    def _scope(self, scope: int) -> int:
        """A scope's number in the order of discovery."""
        known = self._scopes.get(scope)
        if known is None:
            here = self._facts.scopes[scope]
            around = self._scope(here.parent)
            known = self._scopes[scope] = len(self._scopes)
            self._reached.append((here.kind, around, self._place(here.symbol)))
        return known

    def _type(self, scope: int, type_: TypeExpression | None) -> TypeExpression | None:
        """A type; its names are followed later."""
        self._lead_type(scope, type_)
        return type_

    def _expression(self, scope: int, value: Expression | None) -> Expression | None:
        """An expression with renumbered call sites and scopes; its names are followed later."""
        self._lead(scope, value)
        return value if value is None or type(value) is str else renumbered(value, self._site, self._inner)

    def _lead(self, scope: int, value: Expression | None) -> None:
        """Queues an expression to be followed from a scope, once."""
        if value is not None and (scope, value) not in self._queued:
            self._queued.add((scope, value))
            self._pending.append((scope, list(texts(value))))

    def _lead_type(self, scope: int, type_: _Type) -> None:
        """Queues a type to be followed from a scope, once."""
        if type_ is not None and (scope, type_) not in self._queued:
            self._queued.add((scope, type_))
            self._pending.append((scope, list(type_words(type_))))

    def _inner(self, scope: int) -> int:
        """The new number of a function's scope, or of an object literal's, whose properties are followed."""
        if self._facts.scopes[scope].kind is not ScopeKind.BLOCK:
            if scope not in self._functions:
                self._functions.add(scope)
                self._unnamed_rows(scope)
        elif scope not in self._literals:
            self._literals.add(scope)
            for row in self._view.rows_of_scope(scope):
                self._row(row)
        return self._scope(scope)

    def _site(self, number: int) -> int:
        known = self._sites.get(number)
        if known is None and number < len(self._facts.sites):
            known = self._sites[number] = len(self._sites)
            site = self._facts.sites[number]
            self._lines.append(site.line)
            entry = self._view.inline.get(number)
            imported = (entry.module, entry.name) if entry is not None else None
            callee = self._expression(site.scope, site.callee)
            self._reached.append((site.kind, self._scope(site.scope), callee, imported))
            self._reached.append(tuple(self._type(site.scope, type_) for type_ in site.types))
            self._reached.append(tuple(self._expression(site.scope, value) for value in site.arguments))
        return -1 if known is None else known

    def _follow(self, scope: int, names: list[str]) -> None:
        """Follows every row that a word in some names may mean, from a scope outwards."""
        for word in dict.fromkeys(_WORDS.findall(" ".join(names))):
            self._leads_back = self._leads_back or word in self._without
            here = scope if self._view.binds(word) else -1
            while here >= 0:
                for row in self._view.rows_of(here, word):
                    self._row(row)
                here = self._facts.scopes[here].parent

    def _row(self, row: Binding) -> None:
        if id(row) in self._rows:
            return
        self._rows.add(id(row))
        self._lines.append(row.line)
        target: Hashable = self._place(row.target)
        if row.kind is BindingKind.IMPORT:
            entry = self._facts.imports[row.target]
            target = (entry.module, entry.name)
        elif row.kind is BindingKind.NARROWED:
            self._lines.append(row.target)
            target = -1
        # The values of an object literal's properties are looked up in the scope around it.
        around = self._facts.scopes[row.scope].parent if row.scope in self._literals else row.scope
        written = self._type(row.scope, row.type), self._expression(around, row.value)
        self._reached.append((self._scope(row.scope), row.name, row.kind, target, *written))
