"""Repeats a call for each row of the table that a loop goes over: `rows.forEach((r) => app.use(r.path, r.router))`."""

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.constants import bare
from bearings.code.languages.shared.nodes import above, first
from bearings.code.languages.shared.routes import Candidate

_NAMES = frozenset({"identifier", "member_expression", "attribute", "subscript_expression", "subscript"})
_LOOPS = frozenset({"for_in_statement", "for_statement"})
_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_LISTS = frozenset({"array", "list", "tuple", "expression_list"})
_LIST_PATTERNS = frozenset({"array_pattern", "pattern_list", "tuple_pattern"})
_OVER = frozenset({"forEach", "map"})
_MOST_TURNS = 5_000
"""The most turns that we follow, in all loops of a file."""


class Loops:
    """The loops of one file. A table is an array of the same file: of objects, arrays, names or strings."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._left = _MOST_TURNS
        self._rows: dict[tuple[int, int], Sequence[Node]] = {}
        """The span of a table → its rows."""

    def turns(self, one: Candidate) -> Iterator[Candidate]:
        """Yield a call once for each row of the table that a loop around it goes over; the call itself without one.

        Each has the values of its row in `values`: those of `r.path` and `r.router` in the example above.
        """
        given = [child.child_by_field_name("value") or child for child in one.arguments()]
        roots = {self._root(node) for node in given if node.type in _NAMES}
        loop = self._loop(one.node, roots) if roots and self._left else None
        if loop is None:
            yield one
            return
        pattern, rows = loop
        followed = rows[: self._left]
        self._left -= len(followed)
        for row in followed:
            yield one._replace(values=_values(pattern, row))

    def _root(self, node: Node) -> str:
        return self._builder.text(node).partition(".")[0].partition("[")[0]

    def _loop(self, node: Node, names: set[str]) -> tuple[Node, Sequence[Node]] | None:
        """Return the pattern and the rows of the nearest loop around a node that gives one of these names a value."""
        for here in above(node):
            pattern, table = self._head(here)
            if pattern is not None and not names.isdisjoint(self._bound(pattern)):
                is_name = table is not None and table.type == "identifier"
                found = self._builder.constants.value(table) if is_name and table is not None else table
                found = bare(found) if found is not None else None
                return (pattern, self._rows_of(found)) if found is not None and found.type in _LISTS else None
        return None

    def _rows_of(self, table: Node) -> Sequence[Node]:
        known = self._rows.get(table.byte_range)
        if known is None:
            known = self._rows[table.byte_range] = table.named_children[:_MOST_TURNS]
        return known

    def _head(self, node: Node) -> tuple[Node | None, Node | None]:
        """Return what a loop, or a function passed to `forEach`, gives a value, and what it goes over."""
        if node.type in _LOOPS:
            return node.child_by_field_name("left"), node.child_by_field_name("right")
        if node.type not in _FUNCTIONS:
            return None, None
        parameter = node.child_by_field_name("parameter") or first(node.child_by_field_name("parameters"))
        pattern = parameter.child_by_field_name("pattern") or parameter if parameter is not None else None
        call = node.parent.parent if node.parent is not None and node.parent.type == "arguments" else None
        callee = call.child_by_field_name("function") if call is not None else None
        name = callee.child_by_field_name("property") if callee is not None else None
        is_over = name is not None and self._builder.text(name) in _OVER
        return pattern, callee.child_by_field_name("object") if callee is not None and is_over else None

    def _bound(self, pattern: Node) -> Iterator[str]:
        """Yield the names that a pattern gives values."""
        for node in (pattern, *pattern.named_children):
            yield self._builder.text(node.child_by_field_name("value") or node)


def _values(pattern: Node, row: Node) -> Mapping[bytes, Node]:
    """Return the values that a row gives to expressions of the loop's body, by the text of the expression."""
    parts = row.named_children if row.type in _LISTS else []
    if pattern.type in _LIST_PATTERNS:
        return {_text(name): bare(part) for name, part in zip(pattern.named_children, parts, strict=False)}
    keyed = _keyed(row)
    if pattern.type == "object_pattern":
        return {name: keyed[key] for key, name in _taken(pattern) if key in keyed}
    name = _text(pattern)
    if not keyed and not parts:
        return {name: bare(row)}
    indexed = {b"%b[%d]" % (name, index): bare(part) for index, part in enumerate(parts)}
    return indexed | {b"%b.%b" % (name, key): value for key, value in keyed.items()}


def _taken(pattern: Node) -> Iterator[tuple[bytes, bytes]]:
    """Yield the keys that a pattern takes from an object, each with the name of its value."""
    for child in pattern.named_children:
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        yield (_text(key), _text(value)) if key is not None and value is not None else (_text(child), _text(child))


def _keyed(row: Node) -> dict[bytes, Node]:
    """Return the values of an object literal by their keys; nothing for another node."""
    found: dict[bytes, Node] = {}
    for child in row.named_children if row.type == "object" else ():
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        found[_text(key or child)] = bare(value or child)
    return found


def _text(node: Node) -> bytes:
    return node.text or b""
