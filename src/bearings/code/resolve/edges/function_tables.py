"""Finds the functions that a call may mean because a list, a dict or an object holds them.

A "table" is such a list, dict or object; each of these calls means `build` or `test`:

    for run in [build, test]: run()
    [build, test].forEach((run) => run())
    HANDLERS = {"x": build, "y": test}
    HANDLERS[key](), HANDLERS.get(key)(), for run in HANDLERS.values(): run()
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

_MOST_FUNCTIONS = 20
"""With more functions in a table, none is returned: the call hardly ever means a particular one."""
_ANYWHERE = Item(Take.ELEMENT)
_DEEPEST = 4
"""Steps from a name to its value, or from a call to its table, before the search stops."""
_LOCAL_BINDINGS = frozenset({BindingKind.LOCAL, BindingKind.SYMBOL, BindingKind.PARAMETER})
_TAKING_METHODS = frozenset({"values", "items", "get"})
"""Methods that take values from a dict."""
_PASSING_METHODS = frozenset({"forEach", "map", "flatMap", "filter", "some", "every", "find"})
"""Methods that pass each element of an array to a function."""


class FunctionTables:
    """The functions in tables, for the uses of one file."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def functions(self, file: str, scope: int, callee: Expression, line: int) -> tuple[Referent, ...]:
        """The functions and classes that a callee may mean; none if there are too many."""
        functions = dict.fromkeys(self._functions_of_value(file, scope, callee, line, 0))
        return tuple(functions) if len(functions) <= _MOST_FUNCTIONS else ()

    def _functions_of_value(
        self, file: str, scope: int, value: Expression, line: int, depth: int
    ) -> Iterator[Referent]:
        """The functions that an expression may mean: an element of a table, or a local name of such an element."""
        root, steps = split(value)
        table_length = len(steps)
        while table_length and isinstance(steps[table_length - 1], Item):
            table_length -= 1
        if depth > _DEEPEST:
            return
        if table_length < len(steps):  # `HANDLERS[key]`, `HANDLERS[0]`
            first_item = steps[table_length]
            is_element = isinstance(first_item, Item) and first_item.take is Take.ELEMENT
            place = first_item if isinstance(first_item, Item) and is_element else _ANYWHERE
            yield from self._functions_in_table(file, scope, chained(root, steps[:table_length]), line, place, depth)
        elif not steps and type(root) is Result:  # `HANDLERS.get(key)`
            yield from self._functions_of_method_call(file, root.site, _TAKING_METHODS, depth)
        # `[build, test].forEach((run) => run())`: the first parameter of the function that is passed
        elif not steps and type(root) is Parameter and root.position == 0 and not root.path:
            yield from self._functions_of_method_call(file, root.site, _PASSING_METHODS, depth)
        elif not steps and type(root) is str:  # `run = HANDLERS[key]`, then `run()`
            row = self._evaluator.views[file].lookup(scope, root, line)
            bound_value = row.value if row is not None and row.kind in _LOCAL_BINDINGS else None
            if row is not None and bound_value is not None and bound_value != root:
                yield from self._functions_of_value(file, row.scope, bound_value, row.line, depth + 1)

    def _functions_of_method_call(
        self, file: str, number: int, methods: frozenset[str], depth: int
    ) -> Iterator[Referent]:
        """The functions in `table`, if the call site has the callee `table.method` with one of `methods`."""
        sites = self._evaluator.views[file].facts.sites
        site = sites[number] if number < len(sites) else None
        table = receiver(site.callee) if site is not None else None
        if site is not None and table is not None and last_name(site.callee) in methods:
            yield from self._functions_in_table(file, site.scope, table, site.line, _ANYWHERE, depth + 1)

    def _functions_in_table(
        self, file: str, scope: int, table: Expression, line: int, place: Item, depth: int
    ) -> Iterator[Referent]:
        """The functions in a table; only the one at `place`, if that has an index or a key and can be found."""
        if depth > _DEEPEST:
            return
        root, steps = split(table)
        if type(root) is Several and not steps:  # `{"x": build, "y": 3}`, whose values have several types
            yield from self._functions_named(file, scope, _names_at(root, place), line)
        elif type(root) is Listed and not steps:  # `[build, test]`
            index = place.index
            if index < 1:
                yield from self._function_of(file, scope, root.element, line)
                yield from self._functions_of_value(file, scope, root.element, line, depth + 1)
            if index:
                others = root.others[index - 1 : index] if 0 < index <= len(root.others) else root.others
                yield from self._functions_named(file, scope, others, line)
        elif type(root) is Properties and not steps:  # `{build, test: () => …}`
            view = self._evaluator.views[file]
            rows = list(view.rows_of_scope(root.scope))
            if len(rows) <= _MOST_FUNCTIONS:
                for row in rows:
                    if row.kind is BindingKind.SYMBOL:
                        yield from self._if_function(symbol_at(file, row.target))
                    elif row.value is not None:
                        yield from self._function_of(file, view.facts.scopes[root.scope].parent, row.value, row.line)
        elif type(root) is Result and not steps:  # `HANDLERS.values()`
            yield from self._functions_of_method_call(file, root.site, _TAKING_METHODS, depth)
        else:
            yield from self._functions_in_variable(file, scope, table, line, place, depth)

    def _functions_in_variable(
        self, file: str, scope: int, name: Expression, line: int, place: Item, depth: int
    ) -> Iterator[Referent]:
        """The functions in the table that a variable or property holds."""
        evaluator = self._evaluator
        row = evaluator.views[file].lookup(scope, name, line) if type(name) is str and "." not in name else None
        if row is not None and row.kind is BindingKind.LOCAL:
            if row.value is not None and row.value != name:
                yield from self._functions_in_table(file, row.scope, row.value, row.line, place, depth + 1)
            return
        referent = evaluator.flow.expression(file, scope, name, line)
        if is_symbol(referent):
            facts = evaluator.views[referent.file].facts
            shape, symbol = facts.shapes[referent.symbol], facts.symbols[referent.symbol]
            if shape.value is not None and symbol.kind not in CALLABLE:
                yield from self._functions_in_table(
                    referent.file, shape.scope, shape.value, symbol.line, place, depth + 1
                )

    def _functions_named(self, file: str, scope: int, names: tuple[Expression, ...], line: int) -> Iterator[Referent]:
        for name in names:
            if name:
                yield from self._function_of(file, scope, name, line)

    def _function_of(self, file: str, scope: int, value: Expression, line: int) -> Iterator[Referent]:
        yield from self._if_function(self._evaluator.flow.expression(file, scope, value, line))

    def _if_function(self, referent: Referent | None) -> Iterator[Referent]:
        """Yields the referent, or the value of the property that it is, if that is a function or a class."""
        if not is_symbol(referent):
            return
        for candidate in (referent, self._evaluator.values.value_or_self(referent)):
            if candidate.kind == SYMBOL:
                kind = self._evaluator.views[candidate.file].facts.symbols[candidate.symbol].kind
                if kind in CALLABLE or kind in CLASSES:
                    yield symbol_at(candidate.file, candidate.symbol)
                    return


def _names_at(table: Several, place: Item) -> tuple[str, ...]:
    """The name of the value at a place, empty if it has none; all names if the place is unknown."""
    if table.keys:
        known = [name for key, name in zip(table.keys, table.names, strict=True) if key == place.key != ""]
        return tuple(known[-1:]) or table.names
    return (table.names[place.index],) if 0 <= place.index < len(table.names) else table.names
