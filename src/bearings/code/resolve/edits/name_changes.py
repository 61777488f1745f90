"""Finds the names that an edit adds to a file or removes from it, in one pass over the tables of its facts.

Both states of a table begin with the same rows and end with the same rows; those in the middle were added or removed.
If the common rows differ in lines and numbers only, and none leads to a row in the middle, other files can reach the
middle by its names alone. Most edits are like this; file_interface.py compares the others.
"""

import re
from collections.abc import Hashable, Iterable
from itertools import chain, compress, count, islice
from operator import ne

from bearings.code.expressions import Expression, call_sites, renumbered, texts
from bearings.code.file_facts import BindingKind, CallSite, FileFacts, ScopeKind, Shape
from bearings.code.models import Symbol, SymbolKind
from bearings.code.resolve.edits.table_diff import GONE, TableDiff
from bearings.code.resolve.endpoints.path_constants import path_of
from bearings.code.resolve.rules.families import semantics_of
from bearings.code.type_expressions import type_words

_WORD = re.compile(r"[\w$]+")
CALLED = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT, SymbolKind.CONSTRUCTOR}
)
"""Kinds of symbols whose signatures other files may follow."""


class MoreThanNames(Exception):
    """The two states differ in more than added and removed names."""


def additions(before: FileFacts, now: FileFacts) -> frozenset[str]:
    """The names of the rows that only one of two states of a file has. Raises MoreThanNames."""
    rules = semantics_of(now.language)
    if rules is not semantics_of(before.language) or rules.files_share_names:
        raise MoreThanNames
    pair = _Pair(before, now)
    pair.compare()
    names = pair.names()
    if names and (pair.is_known(names) or pair.is_mentioned(names)):
        raise MoreThanNames
    return names


class _Pair:
    """Two states of a file, row by row."""

    def __init__(self, before: FileFacts, now: FileFacts) -> None:
        self._before, self._now = before, now
        self._equal = equal = _equal(before, now)
        names = [[(symbol.qualified_name, symbol.kind) for symbol in facts.symbols[equal:]] for facts in (before, now)]
        self._symbols = TableDiff(*names, known=equal)
        self._scopes = TableDiff(
            [(scope.kind, self._symbols.of(scope.symbol)) for scope in before.scopes],
            [(scope.kind, scope.symbol) for scope in now.scopes],
        )
        lines = now.lines - before.lines
        self._sites = TableDiff(*[_calls(facts, moved) for facts, moved in ((before, 0), (now, 0), (now, lines))])
        self._imports = TableDiff(*[[(row.module, row.name) for row in facts.imports] for facts in (before, now)])
        self._exports = TableDiff(*[[(row.name, row.module) for row in facts.exports] for facts in (before, now)])
        self._rows = TableDiff(
            [(self._scopes.of(row.scope), row.name, row.kind, erased(row.value)) for row in before.bindings],
            [(row.scope, row.name, row.kind, erased(row.value)) for row in now.bindings],
        )
        self._returns = TableDiff(
            [(self._scopes.of(row.scope), erased(row.value)) for row in before.returns],
            [(row.scope, erased(row.value)) for row in now.returns],
        )
        self._lines: dict[int, tuple[int, int]] = {}
        tables = (self._symbols, self._scopes, self._sites, self._imports, self._exports, self._rows, self._returns)
        self._stays = all(table.stays for table in tables)

    def compare(self) -> None:
        """Raises MoreThanNames if a common row has another meaning in the other state."""
        same = self._same_symbols() and self._same_scopes() and self._same_uses() and self._same_rows()
        if not (same and self._same_returns() and self._are_lines_in_order()):
            raise MoreThanNames

    def _same_symbols(self) -> bool:
        before, now = self._before, self._now
        pairs = self._symbols.pairs
        if self._stays and self._equal > 1:  # equal rows whose numbers have equal meanings
            lines = [symbol.line for symbol in before.symbols[1 : self._equal]]
            self._line(min(lines), min(lines))
            self._line(max(lines), max(lines))
            pairs = [(0, 0), *pairs[self._equal :]]
        for one, other in pairs:
            symbol, now_symbol = before.symbols[one], now.symbols[other]
            if one:
                self._line(symbol.line, now_symbol.line)
            if symbol.signature != now_symbol.signature and head_of(symbol) != head_of(now_symbol):
                return False
            shape, now_shape = before.shapes[one], now.shapes[other]
            places = self._scopes.of(shape.scope), self._symbols.of(shape.parent), self._scopes.of(shape.inner)
            if places != (now_shape.scope, now_shape.parent, now_shape.inner):
                return False
            if not (shape == now_shape and _is_unnumbered(shape)) and not self._same_shapes(shape, now_shape):
                return False
        return True

    def _same_shapes(self, shape: Shape, now: Shape) -> bool:
        types = shape.returns, shape.type, shape.head, shape.traits, shape.implements
        if types != (now.returns, now.type, now.head, now.traits, now.implements) or len(shape.bases) != len(now.bases):
            return False
        bases = zip(shape.bases, now.bases, strict=True)
        return self._same(shape.value, now.value) and all(
            one.arguments == two.arguments and self._same(one.value, two.value) for one, two in bases
        )

    def _same_scopes(self) -> bool:
        before, now = self._before.scopes, self._now.scopes
        return all(
            self._scopes.of(before[one].parent) == now[other].parent
            and self._symbols.of(before[one].symbol) == now[other].symbol
            for one, other in self._scopes.pairs
        )

    def _same_uses(self) -> bool:
        for one, other in self._sites.pairs:
            site, now_site = self._before.sites[one], self._now.sites[other]
            self._line(site.line, now_site.line)
            if self._scopes.of(site.scope) != now_site.scope or not self._same(site.callee, now_site.callee):
                return False
            if site.types != now_site.types or len(site.arguments) != len(now_site.arguments):
                return False
            if not all(map(self._same, site.arguments, now_site.arguments)):
                return False
        for one, other in self._imports.pairs:
            entry, now_entry = self._before.imports[one], self._now.imports[other]
            if entry.local != now_entry.local or self._sites.of(entry.site) != now_entry.site:
                return False
        for one, other in self._exports.pairs:
            export, now_export = self._before.exports[one], self._now.exports[other]
            self._line(export.line, now_export.line)
            if not self._same(export.local, now_export.local):
                return False
        return True

    def _same_rows(self) -> bool:
        for one, other in self._rows.pairs:
            row, now_row = self._before.bindings[one], self._now.bindings[other]
            self._line(row.line, now_row.line)
            if row.kind is BindingKind.NARROWED:
                self._line(row.target, now_row.target)
            elif (self._imports if row.kind is BindingKind.IMPORT else self._symbols).of(row.target) != now_row.target:
                return False
            if self._scopes.of(row.scope) != now_row.scope or (row.name, row.type) != (now_row.name, now_row.type):
                return False
            if not self._same(row.value, now_row.value):
                return False
        return True

    def _same_returns(self) -> bool:
        for one, other in self._returns.pairs:
            row, now_row = self._before.returns[one], self._now.returns[other]
            self._line(row.line, now_row.line)
            scopes = self._scopes.of(row.scope), self._scopes.of(row.within)
            if scopes != (now_row.scope, now_row.within) or not self._same(row.value, now_row.value):
                return False
        return True

    def _same(self, value: Expression | None, now: Expression | None) -> bool:
        """Whether two expressions have the same meaning for the same rows."""
        if value is None or type(value) is str:
            return value == now
        return renumbered(value, self._sites.of, self._scopes.of) == now

    def _line(self, before: int, now: int) -> None:
        """Records that a line moved. `_lines` has the first and the last line by the distance that they moved."""
        known = self._lines.get(now - before)
        if known is None:
            self._lines[now - before] = before, before
        elif before < known[0] or before > known[1]:
            self._lines[now - before] = min(before, known[0]), max(before, known[1])

    def _are_lines_in_order(self) -> bool:
        """Whether the lines kept their order, and equal lines are still equal."""
        last, last_now = -1, -1
        for (first, end), by in sorted((span, by) for by, span in self._lines.items()):
            if first <= last or first + by <= last_now:
                return False
            last, last_now = end, end + by
        return True

    def names(self) -> frozenset[str]:
        """The names of the rows in the middle. Raises MoreThanNames if other files may reach one without its name."""
        names: set[str] = set()
        sides = (self._before, True), (self._now, False)
        for facts, is_before in sides:
            for index in _between(self._symbols, is_before):
                parent = facts.shapes[index].parent
                if not self._is_extra(self._symbols, parent, is_before):
                    names.add(facts.symbols[index].qualified_name.rpartition(".")[2])
            for index in _between(self._rows, is_before):
                row = facts.bindings[index]
                if not self._is_extra(self._scopes, row.scope, is_before):
                    is_member = facts.scopes[row.scope].kind is ScopeKind.CLASS and row.kind is BindingKind.SYMBOL
                    if row.scope and not is_member:  # in a function's body: it may change the function's result
                        raise MoreThanNames
                    names.add(row.name)
            names.update([facts.exports[index].name for index in _between(self._exports, is_before)])
            for index in _between(self._returns, is_before):
                if not self._is_extra(self._scopes, facts.returns[index].scope, is_before):
                    raise MoreThanNames
            for index in _between(self._imports, is_before):
                entry = facts.imports[index]
                if entry.name == "*" and not entry.local and entry.site < 0:
                    raise MoreThanNames
        if not all(map(_WORD.fullmatch, names)):
            raise MoreThanNames
        return frozenset(names)

    @staticmethod
    def _is_extra(shift: TableDiff, row: int, is_before: bool) -> bool:
        return shift.of(row) == GONE if is_before else shift.is_new(row)

    def is_known(self, names: frozenset[str]) -> bool:
        """Whether a common row also has one of these names."""
        facts = self._before
        qualified = [symbol.qualified_name for symbol in self._symbols.both(facts.symbols)[1:]]
        if _holds("\n".join(qualified), names) and any(not names.isdisjoint(name.split(".")) for name in qualified):
            return True
        rows, exports = self._rows.both(facts.bindings), self._exports.both(facts.exports)
        return any(row.name in names for row in rows) or any(export.name in names for export in exports)

    def is_mentioned(self, names: frozenset[str]) -> bool:
        """Whether a text of a common row that other files may follow contains one of these names."""
        facts = self._before
        symbols, shapes = self._symbols.both(facts.symbols), self._symbols.both(facts.shapes)
        sites = self._sites.both(facts.sites)
        followed = [value for shape in shapes for value in shape.values()]
        followed += [row.value for row in self._rows.both(facts.bindings)]
        followed += [row.value for row in self._returns.both(facts.returns)]
        followed += [export.local for export in self._exports.both(facts.exports)]
        written = [symbol.signature for symbol in symbols if symbol.kind in CALLED]
        types = [type_ for shape in shapes for type_ in shape.types()]
        types += [row.type for row in self._rows.both(facts.bindings)]
        written += chain.from_iterable(map(type_words, types))
        written += chain.from_iterable(map(texts, followed))
        if not _holds(" ".join(chain(written, *map(_texts_of_site, sites))), names):
            return False
        numbers = {number for value in followed for number in call_sites(value)}
        numbers |= {
            number for site in sites for value in (site.callee, *site.arguments) for number in call_sites(value)
        }
        for one, _ in self._sites.pairs:
            if one in numbers:
                written += _texts_of_site(facts.sites[one])
        joined = " ".join(filter(None, written))
        return _holds(joined, names) and not names.isdisjoint(_WORD.findall(joined))


def head_of(symbol: Symbol) -> str:
    """The part of a declaration that other files use: the signature of a function, the path in a constant."""
    return symbol.signature if symbol.kind in CALLED else path_of(symbol)


def _holds(text: str, names: Iterable[str]) -> bool:
    """Whether a text contains one of some names, perhaps as a part of a word."""
    return any(name in text for name in names)


def _equal(before: FileFacts, now: FileFacts) -> int:
    """The number of equal symbols that both states begin with; of the module only name and kind are compared."""
    module, now_module = before.symbols[0], now.symbols[0]
    if (module.qualified_name, module.kind) != (now_module.qualified_name, now_module.kind):
        return 0
    rows, now_rows = (islice(zip(facts.symbols, facts.shapes, strict=True), 1, None) for facts in (before, now))
    return next(compress(count(1), map(ne, rows, now_rows)), min(len(before.symbols), len(now.symbols)))


def _between(shift: TableDiff, is_before: bool) -> range:
    """The rows that only one of the states has."""
    return range(shift.first, shift.last if is_before else shift.end)


def _calls(facts: FileFacts, moved: int) -> list[Hashable]:
    """Keys of call sites. Calls look alike, so that their lines tell them apart; lines below an edit have `moved`."""
    return [(site.kind, erased(site.callee), site.line - moved) for site in facts.sites]


def _texts_of_site(site: CallSite) -> list[str]:
    return [
        *chain.from_iterable(map(type_words, site.types)),
        *texts(site.callee),
        *chain.from_iterable(map(texts, site.arguments)),
    ]


def _is_unnumbered(shape: Shape) -> bool:
    """Whether a shape surely contains no numbers of rows."""
    return (shape.value is None or type(shape.value) is str) and not shape.bases


def erased(value: Expression | None) -> Expression | None:
    """An expression with all numbers of call sites and scopes set to zero."""
    if value is None or type(value) is str:
        return value
    return renumbered(value, _zero, _zero)


def _zero(_: int) -> int:
    return 0
