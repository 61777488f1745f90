"""Visitor methods that infer values from Python's statements: loops, `with`, `except`, unpacking, returns."""

from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.expressions import Expression, Item, Listed, Several, Take, extended, is_known
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Scopes
from bearings.code.models import Trait

_RETURNS = 4
"""The most return values that are stored for a function: with a fifth, the types repeat or are too mixed to help."""
_SEVERAL = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "tuple"})


class Flow:
    """Visitor methods for statements that bind names to values."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def taken(self, target: Node, value: Expression | None) -> None:
        """Preset the names of an assignment target to their parts of a value."""
        if value is None or not is_known(value):
            return
        builder = self.builder
        for name, part in _names(target, value):
            builder.preset[builder.frames[-1].scope, builder.text(name)] = None, part

    def on_loop(self, node: Node, _start: int, _end: int) -> None:
        """Preset the names of a loop to elements of the iterated value."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            self.taken(left, extended(expression(right, self.builder), Item(Take.EACH)))

    def on_as(self, node: Node, _start: int, _end: int) -> None:
        """Preset the name of `with … as x` to the entered context, that of `except E as x` to an instance of E."""
        parts = node.named_children
        if len(parts) != 2 or parts[1].type != "as_pattern_target" or not parts[1].named_children:
            return
        parent = node.parent
        is_caught = parent is not None and parent.type.startswith("except")
        step = Item(Take.CAUGHT if is_caught else _entered(parent))
        self.taken(parts[1].named_children[0], extended(expression(parts[0], self.builder), step))

    def returned(self, node: Node) -> None:
        """Bind the value of a return statement to its function, unless the function has a return annotation."""
        builder = self.builder
        here = scope = builder.frames[-1].scope
        while scope >= 0 and builder.scopes[scope][0] is not Scopes.FUNCTION:
            scope = builder.scopes[scope][1]
        if scope < 0 or scope in builder.declared_returns or builder.return_counts.get(scope, 0) >= _RETURNS:
            return
        value = expression(node, builder)
        is_generator = builder.drafts[builder.scopes[scope][2]].traits & Trait.GENERATOR
        if is_known(value) and type(value) is not Several and not is_generator:
            builder.add_return(node, scope, here, value)

    def on_yield(self, node: Node, _start: int, _end: int) -> None:
        """Bind a value that a generator yields as an element of its result."""
        builder = self.builder
        here = scope = builder.frames[-1].scope
        while scope >= 0 and builder.scopes[scope][0] is not Scopes.FUNCTION:
            scope = builder.scopes[scope][1]
        if scope < 0 or scope in builder.declared_returns:
            return
        draft = builder.drafts[builder.scopes[scope][2]]
        if not draft.traits & Trait.GENERATOR:
            draft.traits |= Trait.GENERATOR
            builder.returns = [row for row in builder.returns if row.scope != scope]
        whole = node.parent
        is_from = whole is not None and whole.children[1].type == "from"
        value = expression(node, builder)
        if is_known(value) and type(value) is not Several and builder.return_counts.get(scope, 0) < _RETURNS:
            builder.add_return(node, scope, here, Listed(extended(value, Item(Take.EACH)) if is_from else value))


def _entered(item: Node | None) -> Take:
    """Return what a `with` statement binds, which may be asynchronous."""
    while item is not None and item.type != "with_statement":
        item = item.parent
    return Take.ENTERED_ASYNC if item is not None and item.children[0].type == "async" else Take.ENTERED


def _names(target: Node, value: Expression) -> Iterator[tuple[Node, Expression]]:
    if target.type == "identifier":
        yield target, value
    elif target.type in _SEVERAL:
        for position, part in enumerate(target.named_children):
            if part.type == "list_splat_pattern":
                return
            yield from _names(part, extended(value, Item(Take.ELEMENT, position)))
