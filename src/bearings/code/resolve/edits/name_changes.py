"""Finds the names that an edit adds to a file or removes from it, in one pass over the tables of its facts.

    before                     now
    export function total      export function total
                               export function discount      # in the middle: added
    export function pay        export function pay           # has another line and another number

Both states of a table begin with the same rows and end with the same rows; those in the middle were added or removed.
If the common rows differ in lines and numbers only, and none leads to a row in the middle, other files can reach the
middle by its names alone: `discount`. Most edits are like this; file_interface.py compares the others.
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
WITH_SIGNATURE = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT, SymbolKind.CONSTRUCTOR}
)
"""Kinds of symbols whose signatures other files may follow."""


class MoreThanNames(Exception):
    """The two states differ in more than added and removed names."""


def changed_names(before: FileFacts, now: FileFacts) -> frozenset[str]:
    """The names of the rows that were added or removed between two states. Raises MoreThanNames if more differs."""
    rules = semantics_of(now.language)
    if rules is not semantics_of(before.language) or rules.files_share_names:
        raise MoreThanNames
    pair = _TwoStates(before, now)
    pair.compare()
    names = pair.names()
    if names and (pair.is_in_common_row(names) or pair.is_mentioned(names)):
        raise MoreThanNames
    return names


class _TwoStates:
    """Two states of a file, compared table by table: each TableDiff maps the old row numbers to the new ones."""

    def __init__(self, before: FileFacts, now: FileFacts) -> None:
        self._before, self._now = before, now
        self._equal_count = equal = _count_equal_symbols(before, now)
        names = [[(symbol.qualified_name, symbol.kind) for symbol in facts.symbols[equal:]] for facts in (before, now)]
        self._symbols = TableDiff(*names, skipped=equal)
        self._scopes = TableDiff(
            [(scope.kind, self._symbols.moved(scope.symbol)) for scope in before.scopes],
            [(scope.kind, scope.symbol) for scope in now.scopes],
        )
        lines = now.lines - before.lines
        self._sites = TableDiff(*[_site_keys(facts, moved) for facts, moved in ((before, 0), (now, 0), (now, lines))])
        self._imports = TableDiff(*[[(row.module, row.name) for row in facts.imports] for facts in (before, now)])
        self._exports = TableDiff(*[[(row.name, row.module) for row in facts.exports] for facts in (before, now)])
        self._bindings = TableDiff(
            [(self._scopes.moved(row.scope), row.name, row.kind, erased(row.value)) for row in before.bindings],
            [(row.scope, row.name, row.kind, erased(row.value)) for row in now.bindings],
        )
        self._returns = TableDiff(
            [(self._scopes.moved(row.scope), erased(row.value)) for row in before.returns],
            [(row.scope, erased(row.value)) for row in now.returns],
        )
        self._lines_by_shift: dict[int, tuple[int, int]] = {}
        tables = (self._symbols, self._scopes, self._sites, self._imports, self._exports, self._bindings, self._returns)
        self._nothing_moved = all(table.stays for table in tables)

    def compare(self) -> None:
        """Raises MoreThanNames if a common row has another meaning in the other state."""
        self._compare_symbols()
        before, now = self._before, self._now
        for old, new in self._scopes.pairs:
            _require(self._scopes.moved(before.scopes[old].parent) == now.scopes[new].parent)
            _require(self._symbols.moved(before.scopes[old].symbol) == now.scopes[new].symbol)
        for old, new in self._sites.pairs:
            site, now_site = before.sites[old], now.sites[new]
            self._record_line(site.line, now_site.line)
            self._record_line(site.at, now_site.at)
            _require(self._scopes.moved(site.scope) == now_site.scope and self._is_same(site.callee, now_site.callee))
            _require(site.types == now_site.types and len(site.arguments) == len(now_site.arguments))
            _require(all(map(self._is_same, site.arguments, now_site.arguments)))
        for old, new in self._imports.pairs:
            entry, now_entry = before.imports[old], now.imports[new]
            _require(entry.local == now_entry.local and self._sites.moved(entry.site) == now_entry.site)
        for old, new in self._exports.pairs:
            export, now_export = before.exports[old], now.exports[new]
            self._record_line(export.line, now_export.line)
            _require(self._is_same(export.local, now_export.local))
        for old, new in self._bindings.pairs:
            row, now_row = before.bindings[old], now.bindings[new]
            self._record_line(row.line, now_row.line)
            if row.kind is BindingKind.NARROWED:  # its target is the last line on which it holds
                self._record_line(row.target, now_row.target)
            else:
                targets = self._imports if row.kind is BindingKind.IMPORT else self._symbols
                _require(targets.moved(row.target) == now_row.target)
            _require(self._scopes.moved(row.scope) == now_row.scope)
            _require((row.name, row.type) == (now_row.name, now_row.type) and self._is_same(row.value, now_row.value))
        for old, new in self._returns.pairs:
            return_, now_return = before.returns[old], now.returns[new]
            self._record_line(return_.line, now_return.line)
            return_scopes = self._scopes.moved(return_.scope), self._scopes.moved(return_.within)
            _require(
                return_scopes == (now_return.scope, now_return.within)
                and self._is_same(return_.value, now_return.value)
            )
        # Lines that moved by different distances must not overlap or change their order.
        last_end, last_end_now = -1, -1
        for (first, last_line), shift in sorted((span, shift) for shift, span in self._lines_by_shift.items()):
            _require(first > last_end and first + shift > last_end_now)
            last_end, last_end_now = last_line, last_line + shift

    def _compare_symbols(self) -> None:
        """The same for the rows of `symbols`, and of `shapes`, which has a row for each symbol."""
        before, now = self._before, self._now
        pairs = self._symbols.pairs
        if self._nothing_moved and self._equal_count > 1:  # equal rows, whose numbers mean the same in both
            lines = [symbol.line for symbol in before.symbols[1 : self._equal_count]]
            self._record_line(min(lines), min(lines))
            self._record_line(max(lines), max(lines))
            pairs = [(0, 0), *pairs[self._equal_count :]]
        for old, new in pairs:
            symbol, now_symbol = before.symbols[old], now.symbols[new]
            if old:
                self._record_line(symbol.line, now_symbol.line)
            _require(symbol.signature == now_symbol.signature or head_of(symbol) == head_of(now_symbol))
            shape, now_shape = before.shapes[old], now.shapes[new]
            places = self._scopes.moved(shape.scope), self._symbols.moved(shape.parent), self._scopes.moved(shape.inner)
            _require(places == (now_shape.scope, now_shape.parent, now_shape.inner))
            has_numbers = bool(shape.bases) or not (shape.value is None or type(shape.value) is str)
            if shape != now_shape or has_numbers:
                _require(_types(shape) == _types(now_shape) and len(shape.bases) == len(now_shape.bases))
                _require(self._is_same(shape.value, now_shape.value))
                for base, now_base in zip(shape.bases, now_shape.bases, strict=True):
                    _require(base.arguments == now_base.arguments and self._is_same(base.value, now_base.value))

    def _is_same(self, before: Expression | None, now: Expression | None) -> bool:
        """Whether two expressions are the same apart from the numbers of the call sites and scopes in them."""
        if before is None or type(before) is str:
            return before == now
        return renumbered(before, self._sites.moved, self._scopes.moved) == now

    def _record_line(self, old_line: int, new_line: int) -> None:
        """Records that a line moved. `_lines` has the first and the last line by the distance that they moved."""
        span = self._lines_by_shift.get(new_line - old_line)
        if span is None:
            self._lines_by_shift[new_line - old_line] = old_line, old_line
        elif old_line < span[0] or old_line > span[1]:
            self._lines_by_shift[new_line - old_line] = min(old_line, span[0]), max(old_line, span[1])

    def names(self) -> frozenset[str]:
        """The names of the rows in the middle. Raises MoreThanNames if other files may reach one without its name."""
        names: set[str] = set()
        sides = (self._before, True), (self._now, False)
        for facts, is_before in sides:
            for index in _rows_in_middle(self._symbols, is_before):
                parent = facts.shapes[index].parent
                if not self._is_in_middle(self._symbols, parent, is_before):
                    names.add(facts.symbols[index].qualified_name.rpartition(".")[2])
            for index in _rows_in_middle(self._bindings, is_before):
                row = facts.bindings[index]
                if not self._is_in_middle(self._scopes, row.scope, is_before):
                    is_member = facts.scopes[row.scope].kind is ScopeKind.CLASS and row.kind is BindingKind.SYMBOL
                    if row.scope and not is_member:  # in a function's body it may change the result of the function
                        raise MoreThanNames
                    names.add(row.name)
            names.update([facts.exports[index].name for index in _rows_in_middle(self._exports, is_before)])
            for index in _rows_in_middle(self._returns, is_before):
                if not self._is_in_middle(self._scopes, facts.returns[index].scope, is_before):
                    raise MoreThanNames
            for index in _rows_in_middle(self._imports, is_before):
                entry = facts.imports[index]
                if entry.name == "*" and not entry.local and entry.site < 0:
                    raise MoreThanNames
        if not all(map(_WORD.fullmatch, names)):
            raise MoreThanNames
        return frozenset(names)

    @staticmethod
    def _is_in_middle(table: TableDiff, row: int, is_before: bool) -> bool:
        """Whether a row is in one state only; its members and scopes can then be reached through it alone."""
        return table.moved(row) == GONE if is_before else table.is_new(row)

    def is_in_common_row(self, names: frozenset[str]) -> bool:
        """Whether a common row also has one of these names."""
        facts = self._before
        qualified = [symbol.qualified_name for symbol in self._symbols.both(facts.symbols)[1:]]
        has_text = _contains_any("\n".join(qualified), names)  # faster than splitting all names
        if has_text and any(not names.isdisjoint(name.split(".")) for name in qualified):
            return True
        rows, exports = self._bindings.both(facts.bindings), self._exports.both(facts.exports)
        return any(row.name in names for row in rows) or any(export.name in names for export in exports)

    def is_mentioned(self, names: frozenset[str]) -> bool:
        """Whether a text of a common row that other files may follow contains one of these names."""
        facts = self._before
        symbols, shapes = self._symbols.both(facts.symbols), self._symbols.both(facts.shapes)
        sites = self._sites.both(facts.sites)
        followed = [value for shape in shapes for value in shape.values()]
        followed += [row.value for row in self._bindings.both(facts.bindings)]
        followed += [row.value for row in self._returns.both(facts.returns)]
        followed += [export.local for export in self._exports.both(facts.exports)]
        texts_followed = [symbol.signature for symbol in symbols if symbol.kind in WITH_SIGNATURE]
        types = [type_ for shape in shapes for type_ in shape.types()]
        types += [row.type for row in self._bindings.both(facts.bindings)]
        texts_followed += chain.from_iterable(map(type_words, types))
        texts_followed += chain.from_iterable(map(texts, followed))
        if not _contains_any(" ".join(chain(texts_followed, *map(_texts_of_site, sites))), names):
            return False
        # Some text contains a name. Now count only the calls whose results a common row uses, and only whole words.
        site_numbers = {number for value in followed for number in call_sites(value)}
        site_numbers |= {
            number for site in sites for value in (site.callee, *site.arguments) for number in call_sites(value)
        }
        for old, _ in self._sites.pairs:
            if old in site_numbers:
                texts_followed += _texts_of_site(facts.sites[old])
        joined = " ".join(filter(None, texts_followed))
        return _contains_any(joined, names) and not names.isdisjoint(_WORD.findall(joined))


def head_of(symbol: Symbol) -> str:
    """The part of a declaration that other files use: a function's signature, the path in `PREFIX = "/api"`, or ""."""
    return symbol.signature if symbol.kind in WITH_SIGNATURE else path_of(symbol)


def _contains_any(text: str, names: Iterable[str]) -> bool:
    """Whether a text contains one of the names, perhaps as a part of a word."""
    return any(name in text for name in names)


def _count_equal_symbols(before: FileFacts, now: FileFacts) -> int:
    """The number of equal symbols that both states begin with; of the module only name and kind are compared."""
    module, now_module = before.symbols[0], now.symbols[0]
    if (module.qualified_name, module.kind) != (now_module.qualified_name, now_module.kind):
        return 0
    rows, now_rows = (islice(zip(facts.symbols, facts.shapes, strict=True), 1, None) for facts in (before, now))
    return next(compress(count(1), map(ne, rows, now_rows)), min(len(before.symbols), len(now.symbols)))


def _rows_in_middle(table: TableDiff, is_before: bool) -> range:
    """The numbers of the rows that only the state before, or only the state now, has."""
    return range(table.first, table.last if is_before else table.end)


def _site_keys(facts: FileFacts, moved: int) -> list[Hashable]:
    """Keys of call sites: kind, callee and line, because several calls may be alike; `moved` lines are subtracted."""
    return [(site.kind, erased(site.callee), site.line - moved) for site in facts.sites]


def _texts_of_site(site: CallSite) -> list[str]:
    return [
        *chain.from_iterable(map(type_words, site.types)),
        *texts(site.callee),
        *chain.from_iterable(map(texts, site.arguments)),
    ]


def _types(shape: Shape) -> tuple[object, ...]:
    return shape.returns, shape.type, shape.head, shape.traits, shape.implements


def _require(same: bool) -> None:
    """Raises MoreThanNames if a comparison of two rows gave False."""
    if not same:
        raise MoreThanNames


def erased(value: Expression | None) -> Expression | None:
    """An expression with all numbers of call sites and scopes set to zero."""
    if value is None or type(value) is str:
        return value
    return renumbered(value, _zero, _zero)


def _zero(_: int) -> int:
    return 0
