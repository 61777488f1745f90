"""Visitor methods for the uses of members that are not called."""

from collections.abc import Callable

from tree_sitter import Node

from bearings.code.expressions import Expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges

_CALLS = frozenset({"call_expression", "new_expression"})


class MemberUses:
    """Visitor methods for members. `member` gives the expression of a node that starts at a byte.

    In `a.b.c` only the whole is a use; what is read before it, `a.b`, the resolver tells from it. It is visited first
    of all that starts at `a`. A call that starts there comes before it, and includes it as its callee.
    """

    def __init__(self, builder: Builder, member: Callable[[Node, int], Expression]) -> None:
        self.builder = builder
        self.member = member
        self.member_start = -1
        """Members that start here belong to a use that is recorded."""
        self.place = -1, 0
        """The start of the last use whose members may stand on other lines, and its line; 0 for that of its start."""
        self.is_written = False
        """Whether the next member is assigned to."""

    def on_write(self, _node: Node, _start: int, _end: int) -> None:
        """Record that the member that comes next is assigned to."""
        self.is_written = True

    def on_access(self, node: Node, start: int, _end: int) -> None:
        """Add a use of a member, unless it belongs to a use that is recorded, on the same line."""
        kind, self.is_written = Edges.WRITE if self.is_written else Edges.READ, False
        builder = self.builder
        if start != self.member_start:
            line = builder.end_line(node)
            self.member_start, self.place = start, (start if builder.line(node) != line else -1, line)
            builder.add_access(node, kind, self.member(node, start), line=line)
        elif start == self.place[0]:
            line = builder.end_line(node)
            is_apart = line != (self.place[1] or builder.line(node))
            if is_apart and not (node.parent is not None and node.parent.type in _CALLS):
                builder.add_access(node, Edges.READ, self.member(node, start))
