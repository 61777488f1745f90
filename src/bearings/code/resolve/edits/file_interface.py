"""The interface of a file: the part of its facts on which the resolution of other files can depend.

    export function total(cart: Cart): number {    // in the interface, with the declaration of Cart
        const rate = 1.2                           // not in the interface: an edit here changes no other file
    }

The interface is everything except the bodies of functions: the file's exports and members, and everything that their
types, values and bases lead to. It has the order of lines, but not their numbers, nor those of scopes and call sites.

If two states of a file differ in some names only, only files that look up one of these names depend on the change.
"""

import re
from collections.abc import Hashable

from bearings.code.expressions import Expression, renumbered, texts
from bearings.code.file_facts import Binding, BindingKind, FileFacts, ScopeKind
from bearings.code.models import SymbolKind
from bearings.code.resolve.edits.name_changes import MoreThanNames, changed_names, erased, head_of
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.nominal.classes import NAMESPACE
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.type_expressions import TypeExpression, type_words

_WORDS = re.compile(r"[\w$]+")
_UNNAMED = ("()", "new()", "[]", "[in]", "metaclass=")
"""Rows that no code names; see Binding."""

_IMPLICIT_NAMES = re.compile(r"constructor|this|__\w+__|toString|valueOf|toJSON|String|Error")
"""Names that resolution looks up although no source contains them; `this` is an indexer."""

_MOST_NAMES = 100
"""With more differing names, the change counts for all files that depend on the file."""


def interface(facts: FileFacts, without: frozenset[str] = frozenset()) -> Hashable | None:
    """A value that is equal for two states of a file if other files see no difference, except for lines of symbols.

    `without` are names to leave out, for files that look up none of them; None if the rest leads to one of them.
    """
    return _ReachableFacts(facts, without).of_file()


def difference(before: FileFacts | None, now: FileFacts | None) -> frozenset[str] | None:
    """The names whose meaning differs for other files between two states; empty if none, None if any name may differ.

    A state is None if the file does not exist in it.
    """
    if before is None or now is None or _fixtures_of(before) != _fixtures_of(now):
        return None
    if _packages_of(before) != _packages_of(now):
        return None
    try:
        names: frozenset[str] | None = changed_names(before, now)
    except MoreThanNames:
        names = _compared_names(before, now)
    if names is None or len(names) > _MOST_NAMES or any(map(_IMPLICIT_NAMES.fullmatch, names)):
        return None
    return None if names and _are_implied(names, before, now) else names


def _are_implied(names: frozenset[str], *states: FileFacts) -> bool:
    """Whether one of the names is a method of an interface, or a type, that a function may be passed as unnamed."""
    return semantics_of(states[0].language).nominal is not None and any(
        symbol.name in names
        and (facts.symbols[shape.parent].kind is SymbolKind.INTERFACE or symbol.kind is SymbolKind.TYPE)
        for facts in states
        for symbol, shape in zip(facts.symbols, facts.shapes, strict=True)
    )


def _packages_of(facts: FileFacts) -> list[TypeExpression | None]:
    """The packages and namespaces of a file, in order."""
    return [facts.package, *(row.type for row in facts.bindings if row.name == NAMESPACE)]


def _fixtures_of(facts: FileFacts) -> set[tuple[str, str]]:
    """The fixtures and plugins of a file, which other files see without naming it."""
    own = {(facts.symbols[fixture.symbol].qualified_name, fixture.name) for fixture in facts.fixtures}
    return own | {(entry.module, "") for entry in facts.imports if entry.is_plugin}


def _compared_names(before: FileFacts, now: FileFacts) -> frozenset[str] | None:
    """The same as `difference`, for two states that differ in more than added and removed names: slower.

    Collects the names of declarations that differ, then compares the interfaces without these names.
    """
    first, last = _equal_ends(before, now)
    differing = _declarations(before, first, last) ^ _declarations(now, first, last)
    if not differing:
        return frozenset() if interface(before) == interface(now) else None
    names = frozenset(str(entry[1]).rpartition(".")[2] for entry in differing)
    if len(names) > _MOST_NAMES or any(map(_IMPLICIT_NAMES.fullmatch, names)) or not all(map(_WORDS.fullmatch, names)):
        return None
    rest = interface(before, names)
    return names if rest is not None and rest == interface(now, names) else None


def remaining(facts: FileFacts, without: frozenset[str]) -> list[int]:
    """The indices of the symbols with none of the names in `without`, and in no symbol with one of them."""
    if not without:
        return list(range(len(facts.symbols)))
    names = [symbol.qualified_name for symbol in facts.symbols]
    return [0, *(index for index, name in enumerate(names) if index and without.isdisjoint(name.split(".")))]


def _declarations(facts: FileFacts, first: int, last: int) -> set[tuple[Hashable, ...]]:
    """A tuple for each declaration of a file, its name second; leaves out the `first` and the `last` symbols."""
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


def _equal_ends(old: FileFacts, new: FileFacts) -> tuple[int, int]:
    """The numbers of equal symbols at the start and at the end of two states of a file, the module included."""
    limit = min(len(old.symbols), len(new.symbols))
    first, last = 1, 0
    while first < limit and _are_equal(old, new, first, first):
        first += 1
    while last < limit - first and _are_equal(old, new, ~last, ~last):
        last += 1
    return first, last


def _are_equal(old: FileFacts, new: FileFacts, index: int, new_index: int) -> bool:
    """Whether two symbols have equal tuples in `_declarations`; `index` and `new_index` may count from the end."""
    symbol, shape = old.symbols[index], old.shapes[index]
    new_symbol, new_shape = new.symbols[new_index], new.shapes[new_index]
    return (
        symbol.qualified_name == new_symbol.qualified_name
        and symbol.kind is new_symbol.kind
        and shape.traits == new_shape.traits
        and (
            (shape == new_shape and head_of(symbol) == head_of(new_symbol))
            or (_types(old, index), _values(old, index)) == (_types(new, new_index), _values(new, new_index))
        )
    )


_Type = str | TypeExpression | None


def _types(facts: FileFacts, index: int) -> tuple[_Type, ...]:
    """The head (see head_of) and the types of a symbol, whose names are looked up when another file uses it."""
    symbol, shape = facts.symbols[index], facts.shapes[index]
    return head_of(symbol), *shape.types()


def _values(facts: FileFacts, index: int) -> tuple[Expression | None, ...]:
    """The value and the bases of a symbol, with the numbers in them erased."""
    return tuple(map(erased, facts.shapes[index].values()))


class _ReachableFacts:
    """The facts that other files can reach, in the order in which they are reached.

    Scopes and call sites are numbered in this order, too: `_scope_numbers` and `_site_numbers` map the old numbers.
    """

    def __init__(self, facts: FileFacts, without: frozenset[str]) -> None:
        self._facts = facts
        self._view = FileView(facts)
        self._without = without
        self._is_nominal = semantics_of(facts.language).nominal is not None
        self._unnamed = tuple(filter(self._view.binds, _UNNAMED))
        self._symbol_numbers = {index: place for place, index in enumerate(remaining(facts, without))}
        self._has_left_out_name = False
        self._reached: list[Hashable] = []
        self._lines: list[int] = []
        self._scope_numbers: dict[int, int] = {-1: -1}
        self._site_numbers: dict[int, int] = {}
        self._added_literals: set[int] = set()
        self._added_functions: set[int] = set()
        self._added_rows: set[int] = set()
        self._queued: set[tuple[int, Expression | TypeExpression]] = set()
        self._pending: list[tuple[int, list[str]]] = []

    def of_file(self) -> Hashable | None:
        """The interface of the file: see `interface`."""
        facts = self._facts
        for index in self._symbol_numbers:
            symbol, shape = facts.symbols[index], facts.shapes[index]
            if index:
                self._lines.append(symbol.line)
            scopes = self._scope_number(shape.scope), self._scope_number(shape.inner)
            parent = self._symbol_number(shape.parent)
            types, values = _types(facts, index), shape.values()
            for scope in dict.fromkeys((shape.scope, shape.inner)) if shape.inner >= 0 else (shape.scope,):
                for value in values:
                    self._queue_value(scope, value)
                for type_ in types:
                    self._queue_type(scope, type_)
            types_and_values = types, tuple(self._added_value(shape.scope, value) for value in values)
            self._reached.append((symbol.qualified_name, symbol.kind, parent, shape.traits, scopes, types_and_values))
            self._add_unnamed_rows(shape.inner)
            for row in self._view.overloads(index):
                self._add_unnamed_rows(row.scope)
        for row in self._view.rows_of_scope(0):
            if row.name not in self._without:
                self._add_row(row)
        for export in facts.exports:
            if export.name not in self._without:
                self._reached.append((export.name, self._added_value(0, export.local), export.module, export.wrapped))
                self._lines.append(export.line)
        self._reached += [(star.module, "*") for star in self._view.star_imports]
        # A type that is added may be written like another one, whose members then are not looked up by its text.
        of_symbols = {
            (member.key, member.name) for member in facts.type_members if self._symbol_number(member.symbol) >= 0
        }
        for member in facts.type_members:
            if (member.key, member.name) in of_symbols:
                numbers = self._scope_number(member.scope), self._symbol_number(member.symbol)
                self._reached.append((member.key, member.name, numbers))
        while self._pending:
            self._follow_words(*self._pending.pop())
        if self._has_left_out_name:
            return None
        ranks = {line: rank for rank, line in enumerate(sorted(set(self._lines)))}
        header = facts.language, facts.package, facts.build, len(self._symbol_numbers)
        return *header, tuple(self._reached), tuple(ranks[line] for line in self._lines)

    def _symbol_number(self, symbol: int) -> int:
        """A symbol's number among the remaining ones; -1 if it is left out."""
        return self._symbol_numbers.get(symbol, -1)

    def _add_unnamed_rows(self, scope: int) -> None:
        """Adds the type parameters and return values of a scope, and its rows that no code names; none for -1."""
        if scope < 0:
            return
        generics = self._view.generics(scope)
        self._reached += generics
        for name in (*self._unnamed, *generics):
            for row in self._view.rows_of(scope, name):
                self._add_row(row)
        if self._is_nominal and self._facts.scopes[scope].kind is ScopeKind.CLASS:
            for row in self._view.rows_of_scope(scope):
                if row.kind is BindingKind.TYPE:  # what a class mixes in, and members that a comment declares
                    self._add_row(row)
        for return_ in self._view.returns(scope):
            if id(return_) not in self._added_rows:
                self._added_rows.add(id(return_))
                self._lines.append(return_.line)
                value = self._added_value(return_.within, return_.value)
                self._reached.append((self._scope_number(return_.scope), self._scope_number(return_.within), value))

    def _scope_number(self, scope: int) -> int:
        """A scope's number in the order of discovery."""
        number = self._scope_numbers.get(scope)
        if number is None:
            scope_facts = self._facts.scopes[scope]
            parent_number = self._scope_number(scope_facts.parent)
            number = self._scope_numbers[scope] = len(self._scope_numbers)
            self._reached.append((scope_facts.kind, parent_number, self._symbol_number(scope_facts.symbol)))
        return number

    def _added_type(self, scope: int, type_: TypeExpression | None) -> TypeExpression | None:
        """The type itself; its names are queued to be followed."""
        self._queue_type(scope, type_)
        return type_

    def _added_value(self, scope: int, value: Expression | None) -> Expression | None:
        """The expression with new numbers for call sites and scopes; its names are queued to be followed."""
        self._queue_value(scope, value)
        return (
            value if value is None or type(value) is str else renumbered(value, self._site_number, self._inner_number)
        )

    def _queue_value(self, scope: int, value: Expression | None) -> None:
        """Queues an expression to be followed from a scope, once."""
        if value is not None and (scope, value) not in self._queued:
            self._queued.add((scope, value))
            self._pending.append((scope, list(texts(value))))

    def _queue_type(self, scope: int, type_: _Type) -> None:
        """Queues a type to be followed from a scope, once."""
        if type_ is not None and (scope, type_) not in self._queued:
            self._queued.add((scope, type_))
            self._pending.append((scope, list(type_words(type_))))

    def _inner_number(self, scope: int) -> int:
        """The new number of the scope of a function or an object literal; its return values or properties are added."""
        if self._facts.scopes[scope].kind is not ScopeKind.BLOCK:
            if scope not in self._added_functions:
                self._added_functions.add(scope)
                self._add_unnamed_rows(scope)
        elif scope not in self._added_literals:
            self._added_literals.add(scope)
            for row in self._view.rows_of_scope(scope):
                self._add_row(row)
        return self._scope_number(scope)

    def _site_number(self, number: int) -> int:
        """The new number of a call site, which is added with its types and arguments; -1 if there is no such site."""
        new_number = self._site_numbers.get(number)
        if new_number is None and number < len(self._facts.sites):
            new_number = self._site_numbers[number] = len(self._site_numbers)
            site = self._facts.sites[number]
            self._lines.append(site.line)
            entry = self._view.inline.get(number)
            imported = (entry.module, entry.name) if entry is not None else None
            callee = self._added_value(site.scope, site.callee)
            self._reached.append((site.kind, self._scope_number(site.scope), callee, imported))
            self._reached.append(tuple(self._added_type(site.scope, type_) for type_ in site.types))
            self._reached.append(tuple(self._added_value(site.scope, value) for value in site.arguments))
        return -1 if new_number is None else new_number

    def _follow_words(self, scope: int, texts_of_value: list[str]) -> None:
        """Adds every row that a word in the texts may mean, looked up in a scope and all scopes around it."""
        for word in dict.fromkeys(_WORDS.findall(" ".join(texts_of_value))):
            self._has_left_out_name = self._has_left_out_name or word in self._without
            current = scope if self._view.binds(word) else -1
            while current >= 0:
                for row in self._view.rows_of(current, word):
                    self._add_row(row)
                current = self._facts.scopes[current].parent

    def _add_row(self, row: Binding) -> None:
        """Adds a row of the table of bindings, once, with everything that its type and value lead to."""
        if id(row) in self._added_rows:
            return
        self._added_rows.add(id(row))
        self._lines.append(row.line)
        target: Hashable = self._symbol_number(row.target)
        if row.kind is BindingKind.IMPORT:
            entry = self._facts.imports[row.target]
            target = (entry.module, entry.name)
        elif row.kind is BindingKind.NARROWED:
            self._lines.append(row.target)
            target = -1
        # Names in the values of an object literal's properties are looked up in the scope around the literal.
        value_scope = self._facts.scopes[row.scope].parent if row.scope in self._added_literals else row.scope
        type_and_value = self._added_type(row.scope, row.type), self._added_value(value_scope, row.value)
        self._reached.append((self._scope_number(row.scope), row.name, row.kind, target, *type_and_value))
