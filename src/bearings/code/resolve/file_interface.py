"""The interface of a file: the part of its facts on which the resolution of other files can depend.

It is everything except the bodies of functions: the file's exports and members, and all that their types, values and
bases lead to. The order of lines matters, but their numbers do not; nor do the numbers of scopes and call sites.

If two states of a file differ in some names only, only files that look up one of these names depend on the change.
"""

import re
from collections.abc import Hashable

from bearings.code.models import Binding, BindingKind, FileFacts
from bearings.code.resolve.file_view import FileView
from bearings.code.resolve.name_changes import CALLED, Elsewhere, additions

_WORDS = re.compile(r"[@+]\d+|[\w$]+")
_NUMBERED = re.compile(r"([#~^%@+])(\d+)")
_UNSAID = ("return", "()", "new()", "[]")
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


def difference(before: FileFacts, now: FileFacts) -> frozenset[str] | None:
    """The names whose meaning differs for other files between two states; None if any name may differ."""
    try:
        names = additions(before, now)
    except Elsewhere:
        return _difference(before, now)
    return None if len(names) > _MANY or any(map(_ASKED.fullmatch, names)) else names


def _difference(before: FileFacts, now: FileFacts) -> frozenset[str] | None:
    """The same as `difference`, for any two states."""
    first, last = _alike_ends(before, now)
    differing = _entries(before, first, last) ^ _entries(now, first, last)
    if not differing:
        return frozenset() if interface(before) == interface(now) else None
    names = frozenset(str(entry[1]).rpartition(".")[2] for entry in differing)
    if len(names) > _MANY or any(_ASKED.fullmatch(name) for name in names):
        return None
    if not all(map(_WORDS.fullmatch, names)):
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
    found: set[tuple[Hashable, ...]] = set()
    for index in range(first, len(facts.symbols) - last):
        symbol, traits = facts.symbols[index], facts.shapes[index].traits
        written = tuple(_NUMBERED.sub(r"\1", text) for text in _written(facts, index))
        found.add(("symbol", symbol.qualified_name, symbol.kind, traits, written))
    for row in facts.bindings:
        if row.scope == 0:
            entry = facts.imports[row.target] if row.kind is BindingKind.IMPORT else None
            imported = (entry.module, entry.name) if entry is not None else None
            value = _NUMBERED.sub(r"\1", row.value) if row.value else ""
            found.add(("row", row.name, row.kind, row.type, value, imported))
    found |= {("export", row.name, _NUMBERED.sub(r"\1", row.local), row.module) for row in facts.exports}
    return found


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
            (shape == as_shape and (symbol.signature == as_symbol.signature or symbol.kind not in CALLED))
            or _written(one, index) == _written(other, place)
        )
    )


def _written(facts: FileFacts, index: int) -> tuple[str, ...]:
    """The texts of a symbol that other files may follow."""
    symbol, shape = facts.symbols[index], facts.shapes[index]
    head = symbol.signature if symbol.kind in CALLED else ""
    return head, shape.returns, shape.type, shape.value, *shape.bases, *shape.implements


class _Slice:
    """The facts that are reachable from outside, in the order in which they are reached."""

    def __init__(self, facts: FileFacts, without: frozenset[str]) -> None:
        self._facts = facts
        self._view = FileView(facts)
        self._without = without
        self._unnamed = tuple(filter(self._view.binds, _UNSAID))
        self._places = {index: place for place, index in enumerate(remaining(facts, without))}
        self._leads_back = False
        self._found: list[Hashable] = []
        self._lines: list[int] = []
        self._scopes: dict[int, int] = {-1: -1}
        self._sites: dict[int, int] = {}
        self._casts: dict[int, int] = {}
        self._literals: set[int] = set()
        self._rows: set[int] = set()
        self._queued: set[tuple[int, str]] = set()
        self._pending: list[tuple[int, str]] = []

    def of_file(self) -> Hashable | None:
        facts = self._facts
        for index in self._places:
            symbol, shape = facts.symbols[index], facts.shapes[index]
            if index:
                self._lines.append(symbol.line)
            here, inner, parent = self._scope(shape.scope), self._scope(shape.inner), self._place(shape.parent)
            written = tuple([text and self._text(shape.scope, text) for text in _written(facts, index)])
            for text in _written(facts, index) if shape.inner not in (-1, shape.scope) else ():
                self._lead(shape.inner, text)
            self._found.append((symbol.qualified_name, symbol.kind, parent, shape.traits, here, inner, written))
            self._unsaid(shape.inner)
        for row in self._view.rows_of_scope(0):
            if row.name not in self._without:
                self._row(row)
        for export in facts.exports:
            if export.name not in self._without:
                self._found.append((export.name, self._text(0, export.local), export.module))
                self._lines.append(export.line)
        self._found += [(star.module, "*") for star in self._view.star_imports]
        while self._pending:
            self._follow(*self._pending.pop())
        if self._leads_back:
            return None
        ranks = {line: rank for rank, line in enumerate(sorted(set(self._lines)))}
        return facts.language, len(self._places), tuple(self._found), tuple(ranks[line] for line in self._lines)

    def _place(self, symbol: int) -> int:
        """A symbol's position among the remaining ones."""
        return self._places.get(symbol, -1)

    def _unsaid(self, scope: int) -> None:
        """The type parameters of a scope, and its rows that no code names."""
        if scope < 0:
            return
        generics = self._view.generics(scope)
        self._found += generics
        for name in (*self._unnamed, *generics):
            for row in self._view.rows_of(scope, name):
                self._row(row)

    def _scope(self, scope: int) -> int:
        """A scope's number in the order of discovery."""
        known = self._scopes.get(scope)
        if known is None:
            here = self._facts.scopes[scope]
            around = self._scope(here.parent)
            known = self._scopes[scope] = len(self._scopes)
            self._found.append((here.kind, around, self._place(here.symbol)))
        return known

    def _text(self, scope: int, text: str) -> str:
        """An expression or type with renumbered call sites; its references are followed later."""
        if not text:
            return ""
        self._lead(scope, text)
        if not _NUMBERED.search(text):
            return text
        return _NUMBERED.sub(lambda found: f"{found[1]}{self._number(found[1], int(found[2]))}", text)

    def _lead(self, scope: int, text: str) -> None:
        """Queues a text to be followed from a scope, once."""
        if text and (scope, text) not in self._queued:
            self._queued.add((scope, text))
            self._pending.append((scope, text))

    def _number(self, mark: str, number: int) -> int:
        """The new number for a number in an expression, in the order of discovery."""
        if mark in "@+":
            return self._casts.setdefault(number, len(self._casts))
        if mark != "%":
            return self._site(number)
        if number not in self._literals:
            self._literals.add(number)
            for row in self._view.rows_of_scope(number):
                self._row(row)
        return self._scope(number)

    def _site(self, number: int) -> int:
        known = self._sites.get(number)
        if known is None and number < len(self._facts.sites):
            known = self._sites[number] = len(self._sites)
            site = self._facts.sites[number]
            self._lines.append(site.line)
            entry = self._view.inline.get(f"#{number}")
            imported = (entry.module, entry.name) if entry is not None else None
            self._found.append((site.kind, self._scope(site.scope), self._text(site.scope, site.callee), imported))
            self._found.append(self._text(site.scope, site.types))
            for name in (f"^{number}:0", f"^{number}:()"):
                for row in self._view.rows_named(name):
                    self._found += [self._scope(row.target), self._text(row.target, row.type)]
                    self._unsaid(row.target)
            for row in self._view.rows_named(f"^{number}:="):
                self._found.append(self._text(row.scope, row.value))
        return -1 if known is None else known

    def _follow(self, scope: int, text: str) -> None:
        """Follows every row that a word of a text may mean, from a scope outwards."""
        for word in dict.fromkeys(_WORDS.findall(text)):
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
        written = self._text(row.scope, row.type), self._text(self._looked_up_from(row), row.value)
        name = self._text(row.scope, row.name) if row.name[0] in "@+" else row.name
        if row.name == "return":
            target = self._scope(row.target)
        self._found.append((self._scope(row.scope), name, row.kind, target, *written))

    def _looked_up_from(self, row: Binding) -> int:
        """The scope in which a row's value is looked up."""
        if row.name == "return":
            return row.target
        return self._facts.scopes[row.scope].parent if row.scope in self._literals else row.scope
