"""Repeats a call for each row of the table that a loop of Go goes over: `for _, r := range routes { … }`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.languages.go.groups import Rows
from bearings.code.languages.go.literals import TABLE, elements, is_literal, key_and_value
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.languages.shared.nodes import above, first
from bearings.code.languages.shared.routes import Candidate
from bearings.code.type_expressions import type_words

_LOOP, _FUNCTION = "for_statement", "function_declaration"
_TABLES = frozenset({"slice_type", "array_type", "map_type", "pointer_type"})
"""Types whose last part is the type of what they hold."""
_MOST_TURNS = 5_000
"""The most turns that we follow, in all loops of a file."""
_MOST_FIELDS = 100
"""The most fields of a row that we read."""
_LONGEST = 2_000
"""The bytes of a call in which a name of the loop is sought."""


class _Loop(NamedTuple):
    """A loop over a table: a search for the names that it gives values, these names, the table and its rows."""

    uses: re.Pattern[bytes]
    names: tuple[bytes, ...]
    table: Node
    rows: Sequence[Node]
    elsewhere: str = ""
    """The variable of another file that has the table."""


class Loops:
    """The loops of one file. A table is a slice, an array or a map: of structs or of other values.

    It may be what a function of the file returns. Rows of structs whose fields aren't known are left out.
    `elsewhere` has the calls in loops over a table of another file, by its variable; `are_followed` tells whether
    a loop over structs of this file was followed.
    """

    def __init__(self, builder: Builder, rows: Rows) -> None:
        self.elsewhere: dict[str, Candidate] = {}
        self.are_followed = False
        self._builder = builder
        self._rows = rows
        self._left = _MOST_TURNS
        self._loops: dict[tuple[int, int], _Loop | None] = {}
        """The span of a loop → the loop; None for one over something else."""
        self._values: dict[tuple[tuple[bytes, ...], tuple[int, int]], Mapping[bytes, Node] | None] = {}
        """The names that a loop gives values, and the span of a row → its values; None if they aren't known."""
        self._functions: dict[bytes, Node] | None = None
        self._structs: dict[str, int] = {}
        self._fields: dict[int, list[str]] | None = None
        """The symbol of a struct → its fields in their order."""

    def turns(self, one: Candidate) -> Iterator[tuple[Candidate, Node]]:
        """Yield a call once for each row of the table that a loop around it goes over, and the row.

        The call itself without such a loop, nothing in a loop over structs in a table of another file. `values` has the
        values of the row: those of `r.Path` and `r.Handler`.
        """
        loop = self._around(one) if self._left else None
        if loop is None:
            yield one, one.node
            return
        if loop.elsewhere:
            self.elsewhere.setdefault(loop.elsewhere, one)
            return
        followed = loop.rows[: self._left]
        self._left -= len(followed)
        for row in followed:
            key = (loop.names, row.byte_range)
            if key not in self._values:
                self._values[key] = self._read_row(loop, row)
            values = self._values[key]
            is_struct = values is not None and is_literal(key_and_value(row)[1])
            self.are_followed = self.are_followed or is_struct
            if values is not None:
                yield one._replace(values=values), row

    def _around(self, one: Candidate) -> _Loop | None:
        """Return the nearest loop over a table around a call that uses one of its names."""
        text = self._builder.source[one.node.start_byte : one.node.end_byte][:_LONGEST]
        for here in (each for each in above(one.node) if each.type == _LOOP):
            if here.byte_range not in self._loops:
                self._loops[here.byte_range] = self._read(here, one)
            loop = self._loops[here.byte_range]
            if loop is not None and loop.uses.search(text) is not None:
                return loop
        return None

    def _read(self, node: Node, one: Candidate) -> _Loop | None:
        clause = first(node)
        left, table = (clause.child_by_field_name(side) if clause is not None else None for side in ("left", "right"))
        if left is None or table is None:
            return None
        names = tuple(name.text or b"" for name in left.named_children)
        used = [re.escape(name) for name in names if name != b"_"]
        found: Node | None = table
        if table.type == "identifier":
            found = self._builder.constants.value(table)
        elif table.type == "call_expression":
            found = self._returned(table) or table
        if not used or (found is not None and found.type != TABLE):
            return None
        uses = re.compile(rb"\b(?:%b)\b" % b"|".join(used))
        if found is None:
            name = self._builder.text(table)
            is_local = self._rows.of(one.scope, name, self._builder.line(table)) is not None
            fields = re.compile(rb"\b(?:%b)\." % b"|".join(used))
            return None if is_local else _Loop(fields, names, table, (), name)
        return _Loop(uses, names, found, elements(found)[:_MOST_TURNS])

    def _returned(self, call: Node) -> Node | None:
        """Return the value that the last statement of a function of the file returns; None for another function."""
        if self._functions is None:
            *_, root = (call, *above(call))
            named = ((node.child_by_field_name("name"), node) for node in root.named_children if node.type == _FUNCTION)
            self._functions = {name.text or b"": node for name, node in named if name is not None}
        callee = call.child_by_field_name("function")
        function = self._functions.get(callee.text or b"") if callee is not None else None
        statements = first(function.child_by_field_name("body")) if function is not None else None
        last = statements.named_children[-1] if statements is not None and statements.named_child_count else None
        return first(first(last)) if last is not None and last.type == "return_statement" else None

    def _read_row(self, loop: _Loop, row: Node) -> Mapping[bytes, Node] | None:
        """Return the values that a row gives to expressions of the loop's body, by the text of the expression.

        None if the fields of its struct aren't known.
        """
        key, value = key_and_value(row)
        name = loop.names[-1] if len(loop.names) > 1 else b""
        found = {} if key is None else {loop.names[0]: key}
        if not is_literal(value):
            return found | {name: value}
        type_ = value.child_by_field_name("type") or loop.table.child_by_field_name("type")
        order = self._order(type_) if type_ is not None else ()
        parts = elements(value)[:_MOST_FIELDS]
        for child, field in zip(parts, [*order, *[""] * len(parts)], strict=False):
            given, held = key_and_value(child)
            label = given.text or b"" if given is not None else field.encode()
            if not label:
                return None
            found[b"%b.%b" % (name, label)] = held
        return found

    def _order(self, type_: Node) -> Sequence[str]:
        """Return the fields of a struct, or of the structs in a table, in their order; nothing for another type."""
        while type_.type in _TABLES and type_.named_child_count:
            type_ = type_.named_children[-1]
        if type_.type == "struct_type":
            fields = [field for listed in type_.named_children for field in listed.named_children]
            return [self._builder.text(name) for field in fields for name in field.children_by_field_name("name")]
        return self._of(self._builder.text(type_))

    def _of(self, name: str) -> Sequence[str]:
        """Return the fields of a struct of this file, or of the structs in a type that is a table."""
        if self._fields is None:
            self._fields = {}
            for index, draft in enumerate(self._builder.drafts):
                self._structs.setdefault(draft.qualified, index)
                if draft.kind is Symbols.PROPERTY:
                    self._fields.setdefault(draft.parent, []).append(draft.name)
        known = self._structs.get(name, 0)
        elements = type_words(self._builder.drafts[known].type) if known and known not in self._fields else ()
        index = next((self._structs[word] for word in elements if word in self._structs), known)
        return self._fields.get(index, ())
