"""Repeats a call for each row of the table that a loop of Go goes over: `for _, r := range routes { … }`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Symbols
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.routes import Candidate
from bearings.code.type_expressions import type_words

_LOOP = "for_statement"
_TABLE = "composite_literal"
_TABLES = frozenset({"slice_type", "array_type", "map_type", "pointer_type"})
"""Types whose last part is the type of what they hold."""
_ROWS = frozenset({_TABLE, "literal_value"})
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


class Loops:
    """The loops of one file. A table is a slice, an array or a map of the same file: of structs or of other values."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._left = _MOST_TURNS
        self._loops: dict[tuple[int, int], _Loop | None] = {}
        """The span of a loop → the loop; None for one over something else."""
        self._values: dict[tuple[tuple[bytes, ...], tuple[int, int]], Mapping[bytes, Node]] = {}
        """The names that a loop gives values, and the span of a row → its values."""
        self._structs: dict[str, int] = {}
        self._fields: dict[int, list[str]] | None = None
        """The symbol of a struct → its fields in their order."""

    def turns(self, one: Candidate) -> Iterator[tuple[Candidate, Node]]:
        """Yield a call once for each row of the table that a loop around it goes over, and the row.

        The call itself without such a loop. `values` has the values of the row: those of `r.Path` and `r.Handler`.
        """
        loop = self._around(one.node) if self._left else None
        if loop is None:
            yield one, one.node
            return
        followed = loop.rows[: self._left]
        self._left -= len(followed)
        for row in followed:
            key = (loop.names, row.byte_range)
            if key not in self._values:
                self._values[key] = self._read_row(loop, row)
            yield one._replace(values=self._values[key]), row

    def _around(self, call: Node) -> _Loop | None:
        """Return the nearest loop over a table around a call that uses one of its names."""
        here, text = call.parent, self._builder.source[call.start_byte : call.end_byte][:_LONGEST]
        while here is not None:
            if here.type == _LOOP:
                if here.byte_range not in self._loops:
                    self._loops[here.byte_range] = self._read(here)
                loop = self._loops[here.byte_range]
                if loop is not None and loop.uses.search(text) is not None:
                    return loop
            here = here.parent
        return None

    def _read(self, node: Node) -> _Loop | None:
        clause = first(node)
        left, table = (clause.child_by_field_name(side) if clause is not None else None for side in ("left", "right"))
        if left is None or table is None:
            return None
        found = self._builder.constants.value(table) if table.type == "identifier" else table
        body = found.child_by_field_name("body") if found is not None and found.type == _TABLE else None
        names = tuple(name.text or b"" for name in left.named_children)
        used = [re.escape(name) for name in names if name != b"_"]
        if found is None or body is None or not used:
            return None
        rows = [child for child in body.named_children[:_MOST_TURNS] if child.type != "comment"]
        return _Loop(re.compile(rb"\b(?:%b)\b" % b"|".join(used)), names, found, rows)

    def _read_row(self, loop: _Loop, row: Node) -> Mapping[bytes, Node]:
        """Return the values that a row gives to expressions of the loop's body, by the text of the expression."""
        key, value = _pair(row)
        name = loop.names[-1] if len(loop.names) > 1 else b""
        found = {} if key is None else {loop.names[0]: key}
        if value.type not in _ROWS:
            return found | {name: value}
        body = value.child_by_field_name("body") or value
        type_ = value.child_by_field_name("type") or loop.table.child_by_field_name("type")
        order = self._order(type_) if type_ is not None else ()
        parts = [child for child in body.named_children[:_MOST_FIELDS] if child.type != "comment"]
        for child, field in zip(parts, [*order, *[""] * len(parts)], strict=False):
            given, held = _pair(child)
            label = given.text or b"" if given is not None else field.encode()
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


def _pair(row: Node) -> tuple[Node | None, Node]:
    """Return the key of an element of a literal, if it has one, and its value, both without the node around them."""
    if row.type != "keyed_element":
        return None, _inner(row)
    key, value = row.child_by_field_name("key"), row.child_by_field_name("value")
    return (_inner(key) if key is not None else None), _inner(value if value is not None else row)


def _inner(node: Node) -> Node:
    """Return what stands in an element of a literal, behind `&` too."""
    inner = (first(node) or node) if node.type == "literal_element" else node
    operand = inner.child_by_field_name("operand") if inner.type == "unary_expression" else None
    return operand if operand is not None else inner
