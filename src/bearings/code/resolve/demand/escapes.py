"""The rules by which an element is used in files that do not hold its name.

    export { total as sum }              as `sum`
    export default total                 under any name, in the files that import the module
    prices = { sum: total }              as `prices.sum()`
    HANDLERS = [total, tax]              by a call of what `HANDLERS` holds
    def make(): return total             by a call of what `make` returns; as well with `maker = make`
    kind: type[Cart]                     by a call of a member `kind`
    @fixture(name="sum") def total():    by tests with a parameter `sum`
    @fixture def sum(): return total     as `sum()`, by tests with that parameter
    const SIDES = { left: TAB }          a constant as `SIDES.left`, where a file has both words
    const sum = total                    as `sum`, whose calls are its own, too
    lazy(() => import("./a").then((a) => ({ default: a.total })))        as the component that loads it

The rules give too many names rather than too few: each costs time, and one that is missed is a wrong answer.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from bearings.code.expressions import Chain, Expression, Listed, Properties, Result, Several, Tested, last_name, split
from bearings.code.file_facts import Binding, FileFacts
from bearings.code.grouping import grouped
from bearings.code.resolve.edges.wanted import is_type_of
from bearings.code.resolve.referents import HOLDERS
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.symbol_tags import TAGGED, declared_parts, tag_of

NAMELESS: Final = ""
"""Stands for an element that a file gets without a name: by `require("./cart")()`, as the type `import("./cart")`."""
WHOLE: Final = frozenset({"default", "="})
"""Exports that importers may give any name."""
_MOST_IN_TABLE: Final = 20
"""Rows of a table whose functions a call may mean: see edges/function_tables.py."""
_DEEPEST: Final = 8
_NAMELESS: Final = frozenset({"()", "new()", "[]", "[in]", "...", "?", "metaclass="})
"""Rows that no code can name: see Binding."""


class Names(NamedTuple):
    """The names of an element, of the functions that return it, and of the tables that hold it.

    What can't be called is also used as one of the `properties` of one of the `objects`.
    """

    own: frozenset[str]
    makers: frozenset[str] = frozenset()
    tables: frozenset[str] = frozenset()
    properties: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()

    def union(self, other: "Names") -> "Names":
        """The names of both."""
        return Names(*(mine | theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def all(self) -> frozenset[str]:
        """All names that a use may end with."""
        return self.own | self.makers | self.tables | self.properties


class Escapes(NamedTuple):
    """The names by which other files may use an element. `is_whole`: importers of this file may give it any name."""

    names: Names
    is_whole: bool


def escapes(facts: FileFacts, known: Names, *, is_called: bool) -> Escapes:
    """The names that a file gives to an element which it knows by some names; `is_called`: it can be called."""
    return _File(facts, known, is_called=is_called).escapes()


class _Known:
    """Names of one sort: those that the file knows, and of these the ones that it `gives` to others."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = set(names)
        self.given: set[str] = set()

    def add(self, name: str, *, is_given: bool) -> None:
        if name not in _NAMELESS:
            self.names.add(name)
            if is_given:
                self.given.add(name)


class _File:
    def __init__(self, facts: FileFacts, known: Names, *, is_called: bool) -> None:
        self._facts = facts
        self._own, self._makers, self._tables, self._properties, self._objects = map(_Known, known)
        self._is_called = is_called
        self._inline_sites = (
            {entry.site for entry in facts.imports if entry.site >= 0} if NAMELESS in known.own else set()
        )
        self._loading = {Result(site, True) for site in self._inline_sites}
        self._offers_all = semantics_of(facts.language).modules_offer_all_names

    @cached_property
    def _rows(self) -> Mapping[int, Sequence[Binding]]:
        return grouped((row.scope, row) for row in self._facts.bindings)

    def escapes(self) -> Escapes:
        """See Escapes."""
        sorts = self._own, self._makers, self._tables, self._properties, self._objects
        literals = _literal_scopes(self._facts) if self._is_called else ()
        owners = _owners_of_literals(self._facts) if not self._is_called else {}
        size = -1
        while size != (now := sum(len(known.names) + len(known.given) for known in sorts)):
            size = now
            for known in sorts:
                self._follow_imports(known)
            self._follow_fixtures()
            if self._is_called:
                self._follow_values(literals)
            elif owners:
                self._follow_objects(owners)
        is_whole = any(
            _names_of(export.name)[0] in WHOLE and not export.module and self._is_any(export.local)
            for export in self._facts.exports
        )
        for known in sorts:
            for export in self._facts.exports:
                if last_name(export.local) in known.names:
                    for name in _names_of(export.name):
                        known.add(name, is_given=True)
        return Escapes(Names(*(frozenset(known.given - WHOLE) for known in sorts)), is_whole)

    def _follow_imports(self, known: _Known) -> None:
        for entry in self._facts.imports:
            if entry.local and entry.name in known.names and entry.local != entry.name:
                known.add(entry.local, is_given=self._offers_all)

    def _follow_fixtures(self) -> None:
        for fixture in self._facts.fixtures:
            if self._facts.symbols[fixture.symbol].name in self._own.names | self._makers.names:
                self._own.add(fixture.name, is_given=True)

    def _follow_values(self, literals: Collection[int]) -> None:
        facts = self._facts
        for row in facts.bindings:
            # `tab = None`, then `tab = SidebarTab`
            if (row.scope in literals or not row.scope) and self._is(row.value):
                self._own.add(row.name, is_given=True)
            elif isinstance(row.value, Properties) and self._holds(row.value):  # of a function: others are elements
                self._tables.add(row.name, is_given=True)
            elif row.name == "class" and facts.symbols[row.target].name in self._own.names:
                self._own.names.add(row.name)
        for symbol, shape in zip(facts.symbols, facts.shapes, strict=False):
            # `Sidebar.Tab = SidebarTab`, `{ Tab: SidebarTab }`, `tab = SidebarTab`
            is_value = symbol.kind in HOLDERS or shape.parent > 0
            if is_value and self._is(shape.value):
                self._own.add(symbol.name, is_given=True)
            if type(shape.value) is Chain and self._is_loaded(shape.value):
                self._own.add(symbol.name, is_given=True)
            if shape.parent > 0 and is_type_of(shape.type, self._own.names):
                self._own.add(symbol.name, is_given=True)
            if is_type_of(shape.returns, self._own.names) or last_name(shape.value) in self._makers.names:
                self._makers.add(symbol.name, is_given=True)
            if self._holds(shape.value):
                self._tables.add(symbol.name, is_given=True)
        for returned in facts.returns:
            value = returned.value  # yielded, or `[count, reset]`
            if self._is(value) or (isinstance(value, Listed) and (self._is(value.element) or self._has(value.others))):
                self._makers.add(facts.symbols[facts.scopes[returned.scope].symbol].name, is_given=True)

    def _follow_objects(self, owners: Mapping[int, Collection[str]]) -> None:
        """The properties that hold the element, and the names of their objects, of what holds these, and so on."""
        values = [(row.name, row.value) for row in self._facts.bindings if row.scope in {0, *owners}]
        for row in self._facts.bindings:
            last = last_name(row.value) if row.scope in owners else ""
            if last and last in self._own.names | self._properties.names:
                self._properties.add(row.name, is_given=True)
            elif not (row.name in _NAMELESS and last in self._objects.names):  # `{ ...SIDES }` has what SIDES has
                continue
            for owner in owners[row.scope]:
                if owner:
                    self._objects.add(owner, is_given=True)
                else:  # importers may give the object any name
                    self._own.given |= self._properties.given
        values += [
            (symbol.name, shape.value) for symbol, shape in zip(self._facts.symbols, self._facts.shapes, strict=False)
        ]
        values += [
            (self._facts.symbols[self._facts.scopes[row.scope].symbol].name, row.value) for row in self._facts.returns
        ]
        for name, value in values:
            if last_name(value) in self._objects.names:
                self._objects.add(name, is_given=True)
        if any(row.name in WHOLE and last_name(row.local) in self._objects.names for row in self._facts.exports):
            self._own.given |= self._properties.names

    def _is_loaded(self, value: Chain) -> bool:
        """Whether a component loads the element: `lazy(() => import("./cart"))`, `….then((shop) => shop.Cart)`."""
        is_awaited = isinstance(value.root, Result) and value.root.awaited
        return value.root in self._loading or (is_awaited and value.steps[-1] in self._own.names)

    def _is_any(self, value: Expression) -> bool:
        """Whether a value may be the element, or a function or table that leads to it."""
        last = last_name(value)
        if last:
            return any(last in known.names for known in (self._own, self._makers, self._tables))
        return self._is_called and (self._is(value) or self._holds(value))

    def _is(self, value: Expression | None, depth: int = 0) -> bool:
        """Whether a value may be the element: its name, or the result of a function that returns it."""
        if value is None or depth > _DEEPEST:
            return False
        last = last_name(value)
        if last:
            return last in self._own.names
        root, steps = split(value)
        if steps:
            return False
        if isinstance(root, Tested):
            return root.name.rpartition(".")[2] in self._own.names
        if isinstance(root, Result) and root.site < len(self._facts.sites):
            return (
                root.site in self._inline_sites or last_name(self._facts.sites[root.site].callee) in self._makers.names
            )
        return False

    def _holds(self, value: Expression | None) -> bool:
        """Whether a value is a list, a dict or an object that holds the element."""
        if value is None or type(value) is str:
            return False
        match value:
            case Listed():
                return self._is(value.element) or self._has(value.others)
            case Several():
                return self._has(value.names)
            case Properties():
                rows = self._rows.get(value.scope, ())
                is_held = any(self._is(row.value) or row.name in self._own.names for row in rows)
                return is_held and len(rows) <= _MOST_IN_TABLE
        return False

    def _has(self, values: Collection[Expression]) -> bool:
        return any(last_name(value) in self._own.names for value in values if value)


def _names_of(exported: str) -> Sequence[str]:
    """The names of an export; of one that stands for a tag, `<MyEl>`, both spellings of the tag."""
    if not exported.startswith(TAGGED):
        return (exported,)
    tag, declared = declared_parts(exported)
    return (declared,) if declared else (tag, tag_of(tag))


def _owners_of_literals(facts: FileFacts) -> Mapping[int, Collection[str]]:
    """The names by which others reach the object literals of a file, by scope; empty for one that is all it exports."""
    named = [(row.name, row.value, row.scope) for row in facts.bindings]
    named += [(symbol.name, shape.value, 0) for symbol, shape in zip(facts.symbols, facts.shapes, strict=False)]
    for row in facts.returns:
        maker, local = facts.symbols[facts.scopes[row.scope].symbol].name, last_name(row.value)
        named.append((maker, row.value, 0))
        named += [(maker, other.value, 0) for other in facts.bindings if local and other.name == local]
    named += [("" if row.name in WHOLE else row.name, row.local, 0) for row in facts.exports]
    literals = [(name, root.scope, at) for name, value, at in named if isinstance(root := _root(value), Properties)]
    owners: dict[int, set[str]] = {0: set()}
    size = -1
    while size != len(owners):
        size = len(owners)
        for name, literal, at in literals:
            if at in owners:
                owners.setdefault(literal, set()).add(name)
    del owners[0]
    return owners


def _literal_scopes(facts: FileFacts) -> Collection[int]:
    """The scopes of a file's object literals."""
    others = (other for value in _values(facts) if isinstance(value, Listed) for other in value.others)
    values = (*_values(facts), *others)
    return {root.scope for root in map(_root, values) if isinstance(root, Properties)}


def _values(facts: FileFacts) -> Iterator[Expression | None]:
    yield from (row.value for row in facts.bindings)
    yield from (shape.value for shape in facts.shapes)
    yield from (row.value for row in facts.returns)
    yield from (row.local for row in facts.exports)
    yield from (argument for site in facts.sites for argument in site.arguments)


def _root(value: Expression | None) -> object:
    if value is None or type(value) is str:
        return None
    root = value.root if type(value) is Chain else value
    return _root(root.element) if isinstance(root, Listed) else root
