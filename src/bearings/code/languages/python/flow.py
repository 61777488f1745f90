"""What Python's statements say of names: loops, `with`, `except`, unpacking, returns."""

from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Scopes

_RETURNS = 4
"""Return statements of one function that are kept: what a fifth gives is what one of these gives, or too mixed."""
_SEVERAL = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "tuple"})


class Flow:
    """The methods of the captures that this module is about."""

    into: Builder

    def taken(self, target: Node, value: str) -> None:
        """Notes what the names of a target get of a value."""
        if value[:1] in ("?", ""):
            return
        into = self.into
        for name, what in _names(target, value):
            into.preset[into.frames[-1].scope, into.text(name)] = "", what

    def on_loop(self, node: Node, _start: int, _end: int) -> None:
        """A loop's names are elements of what it goes over."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            value = expression(right, self.into)
            self.taken(left, f"{value}.@")

    def on_as(self, node: Node, _start: int, _end: int) -> None:
        """`with … as x` is what entering gives, `except E as x` an E."""
        parts = node.named_children
        if len(parts) != 2 or parts[1].type != "as_pattern_target" or not parts[1].named_children:
            return
        around = node.parent
        step = "[except]" if around is not None and around.type.startswith("except") else _entering(around)
        self.taken(parts[1].named_children[0], f"{expression(parts[0], self.into)}.{step}")

    def on_return(self, node: Node, _start: int, _end: int) -> None:
        """What a return statement gives, of a function whose annotation doesn't say it."""
        into = self.into
        here = scope = into.frames[-1].scope
        while scope >= 0 and into.scopes[scope][0] is not Scopes.FUNCTION:
            scope = into.scopes[scope][1]
        if scope < 0 or scope in into.declared_returns or into.return_counts.get(scope, 0) >= _RETURNS:
            return
        value = expression(node, into)
        if value[:1] not in ("?", ""):
            into.return_counts[scope] = into.return_counts.get(scope, 0) + 1
            into.bind("return", Bindings.LOCAL, into.line(node), here, value=value, scope=scope)


def _entering(item: Node | None) -> str:
    """The step of `with`, asynchronous or not."""
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
