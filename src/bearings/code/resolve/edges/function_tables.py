"""Finds the functions that a call may mean because a list, a dict or an object holds them: `HANDLERS[key]()`.

for run in [build, test]: run()     both
HANDLERS = {"x": build}             HANDLERS[key](), HANDLERS.get(key)(), for run in HANDLERS.values(): run()
[build, test].forEach((run) => run())
"""

from collections.abc import Iterator

from bearings.code.expressions import (
    Expression,
    Item,
    Listed,
    Parameter,
    Properties,
    Result,
    Several,
    Take,
    chained,
    last_name,
    receiver,
    split,
)
from bearings.code.file_facts import BindingKind
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.referent import SYMBOL, Referent
from bearings.code.resolve.referents import CALLABLE, CLASSES, is_symbol, symbol_at

_MOST = 20
"""With more functions, a call is not followed: it says little of each."""
_DEEPEST = 4
_LOCAL = frozenset({BindingKind.LOCAL, BindingKind.SYMBOL, BindingKind.PARAMETER})
_TAKING = frozenset({"values", "items", "get"})
"""Methods that take values from a dict."""
_PASSING = frozenset({"forEach", "map", "flatMap", "filter", "some", "every", "find"})
"""Methods that pass each element of an array to a function."""


class FunctionTables:
    """The functions in tables, for the uses of one file."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def functions(self, file: str, scope: int, callee: Expression, line: int) -> tuple[Referent, ...]:
        """The functions and classes that a callee may mean; none if there are too many."""
        functions = dict.fromkeys(self._taken(file, scope, callee, line, 0))
        return tuple(functions) if len(functions) <= _MOST else ()

    def _taken(self, file: str, scope: int, value: Expression, line: int, depth: int) -> Iterator[Referent]:
        """The functions that a value may be: an element of a table, or a local name of one."""
        root, steps = split(value)
        taken = len(steps)
        while taken and isinstance(steps[taken - 1], Item):
            taken -= 1
        if depth > _DEEPEST:
            return
        if taken < len(steps):  # `HANDLERS[key]`, `HANDLERS[0]`
            first = steps[taken]
            is_index = isinstance(first, Item) and first.take is Take.ELEMENT and first.index >= 0
            index = first.index if isinstance(first, Item) and is_index else -1
            yield from self._held(file, scope, chained(root, steps[:taken]), line, index, depth)
        elif not steps and type(root) is Result:  # `HANDLERS.get(key)`
            yield from self._of_site(file, root.site, _TAKING, depth)
        # `[build, test].forEach((run) => run())`: the first parameter of the function that is passed
        elif not steps and type(root) is Parameter and root.position == 0 and not root.path:
            yield from self._of_site(file, root.site, _PASSING, depth)
        elif not steps and type(root) is str:  # `run = HANDLERS[key]`, then `run()`
            row = self._evaluator.views[file].lookup(scope, root, line)
            given = row.value if row is not None and row.kind in _LOCAL else None
            if row is not None and given is not None and given != root:
                yield from self._taken(file, row.scope, given, row.line, depth + 1)

    def _of_site(self, file: str, number: int, methods: frozenset[str], depth: int) -> Iterator[Referent]:
        """The functions in the table of which a call is one of some methods."""
        sites = self._evaluator.views[file].facts.sites
        site = sites[number] if number < len(sites) else None
        table = receiver(site.callee) if site is not None else None
        if site is not None and table is not None and last_name(site.callee) in methods:
            yield from self._held(file, site.scope, table, site.line, -1, depth + 1)

    def _held(self, file: str, scope: int, table: Expression, line: int, index: int, depth: int) -> Iterator[Referent]:
        """The functions in a table; with an index that one alone, if it can be told."""
        if depth > _DEEPEST:
            return
        root, steps = split(table)
        if type(root) is Several and not steps:
            known = "" if root.keyed or not 0 <= index < len(root.names) else root.names[index]
            yield from self._named(file, scope, (known,) if known else root.names, line)
        elif type(root) is Listed and not steps:
            if index < 1:
                yield from self._function(file, scope, root.element, line)
                yield from self._taken(file, scope, root.element, line, depth + 1)
            if index:
                known = root.others[index - 1] if 0 < index <= len(root.others) else ""
                yield from self._named(file, scope, (known,) if known else root.others, line)
        elif type(root) is Properties and not steps:  # `{build, test: () => …}`
            view = self._evaluator.views[file]
            rows = list(view.rows_of_scope(root.scope))
            for row in rows if len(rows) <= _MOST else ():
                if row.kind is BindingKind.SYMBOL:
                    yield from self._checked(symbol_at(file, row.target))
                elif row.value is not None:
                    yield from self._function(file, view.facts.scopes[root.scope].parent, row.value, row.line)
        elif type(root) is Result and not steps:
            yield from self._of_site(file, root.site, _TAKING, depth)
        else:
            yield from self._of_variable(file, scope, table, line, index, depth)

    def _of_variable(
        self, file: str, scope: int, name: Expression, line: int, index: int, depth: int
    ) -> Iterator[Referent]:
        """The functions in the table that a variable or property holds."""
        evaluator = self._evaluator
        row = evaluator.views[file].lookup(scope, name, line) if type(name) is str and "." not in name else None
        if row is not None and row.kind is BindingKind.LOCAL:
            if row.value is not None and row.value != name:
                yield from self._held(file, row.scope, row.value, row.line, index, depth + 1)
            return
        referent = evaluator.flow.expression(file, scope, name, line)
        if is_symbol(referent):
            facts = evaluator.views[referent.file].facts
            shape, symbol = facts.shapes[referent.symbol], facts.symbols[referent.symbol]
            if shape.value is not None and symbol.kind not in CALLABLE:
                yield from self._held(referent.file, shape.scope, shape.value, symbol.line, index, depth + 1)

    def _named(self, file: str, scope: int, names: tuple[str, ...], line: int) -> Iterator[Referent]:
        for name in names:
            if name:
                yield from self._function(file, scope, name, line)

    def _function(self, file: str, scope: int, value: Expression, line: int) -> Iterator[Referent]:
        yield from self._checked(self._evaluator.flow.expression(file, scope, value, line))

    def _checked(self, referent: Referent | None) -> Iterator[Referent]:
        """A referent, if it is a function or class; the function that a property holds."""
        if not is_symbol(referent):
            return
        for candidate in (referent, self._evaluator.values.value_or_self(referent)):
            if candidate.kind == SYMBOL:
                kind = self._evaluator.views[candidate.file].facts.symbols[candidate.symbol].kind
                if kind in CALLABLE or kind in CLASSES:
                    yield symbol_at(candidate.file, candidate.symbol)
                    return
