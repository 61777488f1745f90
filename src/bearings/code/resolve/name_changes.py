"""Finds the names that an edit adds to a file or removes from it, in one pass over the tables of its facts.

Both states of a table begin with the same rows and end with the same rows; those in the middle were added or removed.
If the common rows differ in lines and numbers only, and none leads to a row in the middle, other files can reach the
middle by its names alone. Most edits are like this; file_interface.py compares the others.
"""

import re
from collections.abc import Hashable, Iterable
from itertools import chain, compress, count, islice
from operator import ne

from bearings.code.models import Binding, BindingKind, CallSite, FileFacts, ScopeKind, Shape, SymbolKind
from bearings.code.resolve.families import semantics_of
from bearings.code.resolve.table_diff import GONE, TableDiff

_WORD = re.compile(r"[\w$]+")
_NUMBERED = re.compile(r"([#~^%@+])(\d+)")
_SITE = re.compile(r"[#~^](\d+)")
CALLED = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.HOOK, SymbolKind.COMPONENT, SymbolKind.CONSTRUCTOR}
)
"""Kinds of symbols whose signatures other files may follow."""


class Elsewhere(Exception):
    """The two states differ in more than added and removed names."""


def additions(before: FileFacts, now: FileFacts) -> frozenset[str]:
    """The names of the rows that only one of two states of a file has. Raises Elsewhere."""
    rules = semantics_of(now.language)
    if rules is not semantics_of(before.language) or rules.files_share_names:
        raise Elsewhere
    pair = _Pair(before, now)
    pair.compare()
    names = pair.names()
    if names and (pair.is_known(names) or pair.is_mentioned(names)):
        raise Elsewhere
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
            [(self._scopes.of(row.scope), _erased(row.name), row.kind, _erased(row.value)) for row in before.bindings],
            [(row.scope, _erased(row.name), row.kind, _erased(row.value)) for row in now.bindings],
        )
        self._casts = {
            before.bindings[one].name[1:]: now.bindings[other].name[1:]
            for one, other in self._rows.pairs
            if before.bindings[one].name[0] in "@+"
        }
        self._lines: dict[int, tuple[int, int]] = {}
        tables = (self._symbols, self._scopes, self._sites, self._imports, self._exports, self._rows)
        self._stays = all(table.stays for table in tables) and all(one == two for one, two in self._casts.items())

    def compare(self) -> None:
        """Raises Elsewhere if a common row has another meaning in the other state."""
        same = self._same_symbols() and self._same_scopes() and self._same_uses() and self._same_rows()
        if not (same and self._are_lines_in_order()):
            raise Elsewhere

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
            if not self._same(symbol.signature, now_symbol.signature) and symbol.kind in CALLED:
                return False
            shape, now_shape = before.shapes[one], now.shapes[other]
            places = self._scopes.of(shape.scope), self._symbols.of(shape.parent), self._scopes.of(shape.inner)
            if places != (now_shape.scope, now_shape.parent, now_shape.inner):
                return False
            if not (shape == now_shape and _is_unmarked(shape)) and not self._same_shapes(shape, now_shape):
                return False
        return True

    def _same_shapes(self, shape: Shape, now: Shape) -> bool:
        texts = shape.returns, shape.type, shape.value, *shape.bases, *shape.implements
        others = now.returns, now.type, now.value, *now.bases, *now.implements
        if shape.traits != now.traits or len(shape.bases) != len(now.bases) or len(texts) != len(others):
            return False
        return all(map(self._same, texts, others))

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
            if not self._same(site.types, now_site.types):
                return False
        for one, other in self._imports.pairs:
            if not self._same(self._before.imports[one].local, self._now.imports[other].local):
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
            elif self._target(row) != now_row.target:
                return False
            if self._scopes.of(row.scope) != now_row.scope or not self._same(row.name, now_row.name):
                return False
            if not (self._same(row.type, now_row.type) and self._same(row.value, now_row.value)):
                return False
        return True

    def _target(self, row: Binding) -> int:
        if row.kind is BindingKind.IMPORT:
            return self._imports.of(row.target)
        return (self._scopes if row.name == "return" or row.name[0] == "^" else self._symbols).of(row.target)

    def _same(self, text: str, now: str) -> bool:
        """Whether two texts have the same meaning for the same rows."""
        if not _has_marks(text):
            return text == now
        return self._moved(text) == now

    def _moved(self, text: str) -> str:
        return _NUMBERED.sub(lambda found: found[1] + self._number(found[1], found[2]), text)

    def _number(self, mark: str, digits: str) -> str:
        if mark in "@+":
            return self._casts.get(digits, "-")
        return str((self._scopes if mark == "%" else self._sites).of(int(digits)))

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
        """The names of the rows in the middle. Raises Elsewhere if other files may reach one without its name."""
        found: set[str] = set()
        sides = (self._before, True), (self._now, False)
        for facts, is_before in sides:
            for index in _between(self._symbols, is_before):
                parent = facts.shapes[index].parent
                if not self._is_extra(self._symbols, parent, is_before):
                    found.add(facts.symbols[index].qualified_name.rpartition(".")[2])
            for index in _between(self._rows, is_before):
                found.update(self._names_of_row(facts, facts.bindings[index], is_before))
            found.update([facts.exports[index].name for index in _between(self._exports, is_before)])
            for index in _between(self._imports, is_before):
                if facts.imports[index].name == "*" and not facts.imports[index].local:
                    raise Elsewhere
        if not all(map(_WORD.fullmatch, found)):
            raise Elsewhere
        return frozenset(found)

    def _names_of_row(self, facts: FileFacts, row: Binding, is_before: bool) -> tuple[str, ...]:
        if self._is_extra(self._scopes, row.scope, is_before):
            return ()
        if row.name[0] == "^" and self._is_extra(self._sites, int(row.name[1:].partition(":")[0]), is_before):
            return ()
        if row.scope and not (facts.scopes[row.scope].kind is ScopeKind.CLASS and row.kind is BindingKind.SYMBOL):
            raise Elsewhere
        return (row.name,)

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
        texts = [symbol.signature for symbol in symbols]
        texts += chain.from_iterable([(shape.returns, shape.type, shape.value) for shape in shapes])
        texts += chain.from_iterable([shape.bases + shape.implements for shape in shapes])
        texts += chain.from_iterable([(row.type, row.value) for row in self._rows.both(facts.bindings)])
        texts += [export.local for export in self._exports.both(facts.exports)]
        if not _holds(" ".join(chain(texts, chain.from_iterable(map(_texts, sites)))), names):
            return False
        for place, symbol in enumerate(symbols):
            if symbol.kind not in CALLED:
                texts[place] = ""
        joined = " ".join(filter(None, texts))
        numbers = set(map(int, _SITE.findall(joined + " ".join(chain.from_iterable(map(_texts, sites))))))
        joined += " " + " ".join(
            chain.from_iterable(_texts(facts.sites[one]) for one, _ in self._sites.pairs if one in numbers)
        )
        return _holds(joined, names) and not names.isdisjoint(_WORD.findall(joined))


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
    return [(site.kind, _erased(site.callee), site.line - moved) for site in facts.sites]


def _texts(site: CallSite) -> tuple[str, str]:
    return site.callee, site.types


def _has_marks(text: str) -> bool:
    """Whether a text may contain numbers of rows."""
    return ("#" in text or "~" in text or "^" in text or "%" in text or "@" in text or "+" in text) if text else False


def _is_unmarked(shape: Shape) -> bool:
    """Whether a shape's texts surely contain no numbers of rows."""
    if shape.bases or shape.implements or shape.returns or shape.value:
        return False
    return not _has_marks(shape.type)


def _erased(text: str) -> str:
    return _NUMBERED.sub(r"\1", text) if _has_marks(text) else text
