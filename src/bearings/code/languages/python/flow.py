"""Visitor methods that infer values from Python's statements: loops, `with`, `except`, unpacking, returns."""

from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Scopes

_RETURNS = 4
"""The most return values that are stored for a function: with a fifth, the types repeat or are too mixed to help."""
_SEVERAL = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "tuple"})


class Flow:
    """Visitor methods for statements that bind names to values."""

    builder: Builder

    def taken(self, target: Node, value: str) -> None:
        """Preset the names of an assignment target to their parts of a value."""
        if value[:1] in ("?", ""):
            return
        builder = self.builder
        for name, part in _names(target, value):
            builder.preset[builder.frames[-1].scope, builder.text(name)] = "", part

    def on_loop(self, node: Node, _start: int, _end: int) -> None:
        """Preset the names of a loop to elements of the iterated value."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            value = expression(right, self.builder)
            self.taken(left, f"{value}.@")

    def on_as(self, node: Node, _start: int, _end: int) -> None:
        """Preset the name of `with … as x` to the entered context, that of `except E as x` to an instance of E."""
        parts = node.named_children
        if len(parts) != 2 or parts[1].type != "as_pattern_target" or not parts[1].named_children:
            return
        parent = node.parent
        step = "[except]" if parent is not None and parent.type.startswith("except") else _with_step(parent)
        self.taken(parts[1].named_children[0], f"{expression(parts[0], self.builder)}.{step}")

    def on_return(self, node: Node, _start: int, _end: int) -> None:
        """Bind the value of a return statement to its function, unless the function has a return annotation."""
        builder = self.builder
        here = scope = builder.frames[-1].scope
        while scope >= 0 and builder.scopes[scope][0] is not Scopes.FUNCTION:
            scope = builder.scopes[scope][1]
        if scope < 0 or scope in builder.declared_returns or builder.return_counts.get(scope, 0) >= _RETURNS:
            return
        value = expression(node, builder)
        if value[:1] not in ("?", ""):
            builder.return_counts[scope] = builder.return_counts.get(scope, 0) + 1
            builder.bind("return", Bindings.LOCAL, builder.line(node), here, value=value, scope=scope)


def _with_step(item: Node | None) -> str:
    """Return the step of a `with` statement, which may be asynchronous."""
    while item is not None and item.type != "with_statement":
        item = item.parent
    return "[async with]" if item is not None and item.children[0].type == "async" else "[with]"


def _names(target: Node, value: str) -> Iterator[tuple[Node, str]]:
    if target.type == "identifier":
        yield target, value
    elif target.type in _SEVERAL:
        for position, part in enumerate(target.named_children):
            if part.type == "list_splat_pattern":
                return
            yield from _names(part, f"{value}.[{position}]")
