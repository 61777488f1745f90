"""Visitor methods for Go's statements that bind names: constants, variables, `:=`, loops, `select`, type switches."""

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import Expression, Item, Result, Take, extended, is_known, root_of
from bearings.code.grouping import grouped
from bearings.code.languages.go.locals import Locals
from bearings.code.languages.go.names import Names, comment_above, is_exported
from bearings.code.languages.go.type_nodes import named_as, type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Edges, Symbols
from bearings.code.models import SymbolKind
from bearings.code.type_expressions import TypeExpression


class Statements:
    """Visitor methods for statements that bind names."""

    def __init__(self, builder: Builder, names: Names, local_names: Locals) -> None:
        self.builder = builder
        self.names = names
        self.local_names = local_names
        self.assigned: set[tuple[int, Expression]] = set()
        """The local variables, by their functions' scopes, that get another value after their first."""

    def on_block(self, _node: Node, start: int, end: int) -> None:
        """Open a block, with which its local variables end."""
        self.local_names.block(start, end)

    def on_const(self, node: Node, start: int, end: int) -> None:
        """Add constants; those that continue an `iota` sequence have neither type nor value."""
        self._declare(node, Symbols.CONSTANT, start, end)

    def on_var(self, node: Node, start: int, end: int) -> None:
        """Add variables of a package or a function."""
        self._declare(node, Symbols.VARIABLE, start, end)

    def _declare(self, node: Node, kind: SymbolKind, start: int, end: int) -> None:
        builder = self.builder
        type_, right_side = node.child_by_field_name("type"), node.child_by_field_name("value")
        declared = type_of(type_, builder) if type_ is not None else None
        names = named_as(node)
        if builder.frames[-1].scope:  # inside a function
            if type_ is not None and declared is not None:
                builder.typed(type_, declared)
            self._bind_locals(names, right_side, end, self.local_names.block_end(start), declared)
            return
        values = self._values(right_side, len(names)) if declared is None else []
        for position, name in enumerate(names):
            written = builder.text(name)
            if written == "_":
                continue
            draft = builder.declare(written, kind, node)
            draft.exported, draft.type = is_exported(written), declared
            draft.value = values[position] if position < len(values) else None
            word = "const" if kind is Symbols.CONSTANT else "var"
            draft.signature, draft.doc = f"{word} {builder.line_of(node)}", comment_above(builder.source, start)
            builder.bind(written, Bindings.SYMBOL, draft.line, builder.index(draft))
        right_nodes = right_side.named_children if right_side is not None else []
        if len(right_nodes) == 1 and right_nodes[0].type == "func_literal" and len(names) == 1:
            name_text = builder.text(names[0])
            self._attribute_body(right_nodes[0], name_text, draft_index=builder.members.get((0, name_text), 0))

    def _attribute_body(self, literal: Node, name: str, draft_index: int) -> None:
        """Attribute the code of a function literal to the variable that holds it."""
        if draft_index:
            self.builder.functions[literal.byte_range] = draft_index
            self.builder.push(literal.end_byte, 0, draft_index, f"{name}.")

    def on_short(self, node: Node, start: int, end: int) -> None:
        """Bind the names of `a, b := x, y` that are new in their block."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None:
            self._bind_locals(left.named_children, right, end, self.local_names.block_end(start))

    def on_assigned(self, node: Node, start: int, _end: int) -> None:
        """Keep which local variable gets another value."""
        name = self.local_names.find(self.builder.text(node), start)
        self.assigned.add((self.builder.frames[-1].scope, name))

    def on_receive(self, node: Node, start: int, end: int) -> None:
        """Bind the names of `case v, ok := <-c:`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and any(child.type == ":=" for child in node.children):
            self._bind_names(
                left.named_children, [self.names.expression(right)], end, self.local_names.block_end(start)
            )

    def on_range(self, node: Node, start: int, end: int) -> None:
        """Bind the names of `for k, v := range x`: the key, or the first value of an iteration, and the value.

        A loop over a function calls it.
        """
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if right is None:
            return
        ranged = self.names.expression(right)
        if type(ranged) is str and ("." in ranged or "$" not in ranged):  # no local
            self.builder.add_access(right, Edges.CALL, ranged)
        if left is None or not any(child.type == ":=" for child in node.children):
            return
        values = [extended(ranged, Item(take)) for take in (Take.KEY, Take.EACH)] if is_known(ranged) else []
        self._bind_names(left.named_children, values, end, self.local_names.block_end(start))

    def on_typeswitch(self, node: Node, start: int, end: int) -> None:
        """Bind `v` of `switch v := x.(type)` in each case: to the case's type if it has one type, else to `x`.

        The types are uses, whether they bind a name or not.
        """
        self.local_names.block(start, end)
        alias, value = node.child_by_field_name("alias"), node.child_by_field_name("value")
        name = self.builder.text(alias.named_children[0]) if alias is not None and alias.named_children else ""
        switched = self.names.expression(value) if value is not None and name else None
        for case in node.named_children:
            if case.type not in ("type_case", "default_case"):
                continue
            types = case.children_by_field_name("type")
            for part in types:
                self.builder.typed(part, type_of(part, self.builder))
            if not name:
                continue
            local = self.local_names.declare(name, case.start_byte, case.end_byte)
            case_type = type_of(types[0], self.builder) if len(types) == 1 else None
            self._add_binding(local, case, case_type, None if case_type is not None else switched)

    # A local name is visible from the end of its statement to the end of its block: in `x := x + 1` the second x is
    # another one.

    def _bind_locals(
        self,
        names: list[Node],
        right_side: Node | None,
        visible_from: int,
        visible_to: int,
        type_: TypeExpression | None = None,
    ) -> None:
        values = self._values(right_side, len(names)) if type_ is None else []
        self._bind_names(names, values, visible_from, visible_to, type_)

    def _bind_names(
        self,
        names: list[Node],
        values: list[Expression],
        visible_from: int,
        visible_to: int,
        type_: TypeExpression | None = None,
    ) -> None:
        """Bind each name to the value of its position, if it has one. Skips `_` and names that the block has."""
        for position, name in enumerate(names):
            written = self.builder.text(name)
            if name.type != "identifier" or written == "_" or self.local_names.has(written, visible_from, visible_to):
                continue
            local = self.local_names.declare(written, visible_from, visible_to)
            self._add_binding(local, name, type_, values[position] if position < len(values) else None)

    def _add_binding(self, local: str, node: Node, type_: TypeExpression | None, value: Expression | None) -> None:
        if type_ is not None or is_known(value):
            self.builder.bind(local, Bindings.LOCAL, self.builder.line(node), type_=type_, value=value)

    def _values(self, right_side: Node | None, count: int) -> list[Expression]:
        """Return the expressions of `count` names, in order; fewer if the rest have no known value."""
        values = right_side.named_children if right_side is not None else []
        values = [value for value in values if value.type != "comment"]
        if len(values) == 1 and count > 1:
            first = self.names.expression(values[0])
            if type(first) is Result:  # `shop, err := open()`: the elements of the call's result
                return [extended(first, Item(Take.ELEMENT, position)) for position in range(count)]
            return [first]  # `v, ok := m[k]`: the first name gets the value, `ok` none
        return [self.names.expression(value) for value in values]

    def forget_unused(self) -> None:
        """Drop the bindings of local variables that no call, use or symbol refers to, directly or through others.

        Drop the values of those that are called and get others: which function they hold is unknown.
        """
        builder = self.builder
        changing = self.assigned.intersection(
            (site.scope, site.callee) for site in builder.calls if site is not None and type(site.callee) is str
        )
        builder.bindings = [
            replace(row, value=None) if row.type is None and (row.scope, row.name) in changing else row
            for row in builder.bindings
        ]
        used = {
            _local(site.callee)
            for site in (*builder.calls, *builder.uses, *builder.accesses.values())
            if site is not None
        }
        used |= {_local(draft.value) for draft in builder.drafts}
        used |= {_local(given) for site in builder.calls if site is not None for given in site.arguments}
        rows = grouped(((row.scope, row.name), row) for row in builder.bindings)
        reachable, pending = set(), [(row.scope, row.name) for row in builder.bindings if row.name in used]
        while pending:
            key = pending.pop()
            if key not in reachable:
                reachable.add(key)
                pending += [(key[0], name) for row in rows.get(key, ()) if (name := _local(row.value))]
        builder.bindings = [
            row for row in builder.bindings if row.kind is not Bindings.LOCAL or (row.scope, row.name) in reachable
        ]


def _local(value: Expression | None) -> str:
    """Return the local variable that an expression starts with; empty for none. Local names contain `$` (Locals)."""
    root = None if value is None else root_of(value)
    return root if type(root) is str and "$" in root else ""
