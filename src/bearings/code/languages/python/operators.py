"""Visitor methods for the methods that Python calls by itself: `3 in bag` calls `bag.__contains__`.

Each is a use of kind `call` beside the uses of members. The resolver adds the call where it knows the type of the
object: see resolve/edges/implied.py.
"""

from tree_sitter import Node

from bearings.code.expressions import Expression, Item, Take, extended, is_known
from bearings.code.file_facts import CallSite
from bearings.code.languages.python.decorators import KNOWN
from bearings.code.languages.python.names import BINARY, expression, key_of, under_key
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges
from bearings.code.languages.shared.nodes import around, first

OBJECTS = frozenset(
    {"identifier", "attribute", "call", "await", "subscript", "binary_operator", "parenthesized_expression"}
)
"""Nodes whose type may be known."""
_NUMBERS = frozenset({"integer", "float"})
_LITERALS = _NUMBERS | {"none", "true", "false", "string", "list", "tuple", "dictionary"}
_COMPARED = {
    "==": ("__eq__", "__eq__"), "!=": ("__ne__", "__ne__"), "<": ("__lt__", "__gt__"), ">": ("__gt__", "__lt__"),
    "<=": ("__le__", "__ge__"), ">=": ("__ge__", "__le__"), "in": ("", "__contains__"), "not in": ("", "__contains__"),
}  # fmt: skip
"""Operators to the methods of their left and right side."""
_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
_CONVERTED = {"!s": "__str__", "!r": "__repr__", "!a": "__repr__"}
_ITERATING = "list tuple set frozenset sorted sum min max any all enumerate dict".split()
_COMPARING = frozenset({"min", "max"})
"""Built-in functions that compare several arguments, but iterate over one alone."""
_NO_VALUES = frozenset({"keyword_argument", "comment"})
CALLED = {
    **dict.fromkeys(_ITERATING, "__iter__"),
    **{name: f"__{name}__" for name in "len iter next str repr hash bool int float abs reversed bytes round".split()},
    "print": "__str__", "format": "__format__",
}  # fmt: skip
"""Built-in functions to the method of their argument."""


class Operators:
    """Visitor methods for operators, subscripts, `with`, `await`, conditions and replacement fields."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def on_compared(self, node: Node, _start: int, _end: int) -> None:
        """Add the methods of comparisons."""
        parts = node.children
        for left, operator, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
            of_left, of_right = _COMPARED.get(operator.type, ("", ""))
            if not of_left or left.type in _LITERALS:
                self._called(right, of_right)
            elif right.type != "none":
                self._called(left, of_left)

    def on_operated(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of `a + b`, or of the right side if the left one is a number; `a += b`."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is None or right is None or operator is None:
            return
        is_reflected, sign = left.type in _NUMBERS, operator.type
        mark = "i" if node.type == "augmented_assignment" else "r" if is_reflected else ""
        name = BINARY.get(sign.removesuffix("=") if mark == "i" else sign)
        if name is not None:
            self._called(right if is_reflected else left, f"__{mark}{name}__")

    def on_unary(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of `-a`."""
        argument = node.child_by_field_name("argument")
        if argument is not None:
            self._called(argument, _UNARY.get(node.children[0].type, ""))

    def on_indexed(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of `a[b]`, of `A[b]` if `A` is named as a class; of `a[b] = c` and `del a[b]`."""
        whole = node.child_by_field_name("value")
        if whole is None or whole.type not in OBJECTS:
            return
        value = expression(whole, self.builder)
        name = (
            self.builder.text(whole).rpartition(".")[2].lstrip("_") if whole.type in ("identifier", "attribute") else ""
        )
        parent = node.parent
        kind = parent.type if parent is not None else ""
        is_class = name[:1].isupper() and not name.isupper()
        if is_class and kind == "type":
            return
        is_target = kind == "assignment" and parent is not None and parent.start_byte == node.start_byte
        key = key_of(node.child_by_field_name("subscript"), self.builder)
        if key.isidentifier():
            self.builder.add_access(node, Edges.WRITE if is_target else Edges.READ, under_key(value, key))
        method = "__setitem__" if is_target else "__delitem__" if kind == "delete_statement" else ""
        self.add(whole, value, method or ("__class_getitem__" if is_class else "__getitem__"))

    def on_entered(self, node: Node, _start: int, _end: int) -> None:
        """Add the methods of a `with` statement."""
        value = node.child_by_field_name("value")
        value = first(value) if value is not None and value.type == "as_pattern" else value
        whole = around(node, {"with_statement"})
        if value is not None and whole is not None:
            self._called(value, "__aenter__" if whole.children[0].type == "async" else "__enter__")

    def on_waited(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of `await a`."""
        waited = first(node)
        if waited is not None:
            self._called(waited, "__await__")

    def on_truth(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of a condition."""
        self._called(node, "__bool__")

    def on_formatted(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of a replacement field in an f-string."""
        value = node.child_by_field_name("expression")
        conversion = node.child_by_field_name("type_conversion")
        if value is not None:
            self._called(value, _CONVERTED[self.builder.text(conversion)] if conversion is not None else "__format__")

    def on_applied(self, node: Node, _start: int, _end: int) -> None:
        """Add the call of what a decorator is, or what its call gives."""
        if node.type == "call" or not KNOWN.match(self.builder.text(node)):
            self._called(node, "__call__")

    def built_in(self, call: Node, callee: str) -> None:
        """Add the method of the argument of a built-in function, of each that is printed, of elements to be sorted."""
        given = call.child_by_field_name("arguments")
        arguments = given.named_children if given is not None and given.type == "argument_list" else []
        if callee in _COMPARING and len([one for one in arguments if one.type not in _NO_VALUES]) > 1:
            return
        for argument in arguments[: None if callee == "print" else 1]:
            self._called(argument, CALLED[callee])
            if callee == "sorted" and argument.type in OBJECTS:
                self.add(argument, extended(expression(argument, self.builder), Item(Take.EACH)), "__lt__")

    def _called(self, node: Node, method: str) -> None:
        if method and node.type in OBJECTS:
            self.add(node, expression(node, self.builder), method)

    def add(self, node: Node, value: Expression, method: str) -> None:
        """Add the call of a value's method, once for a line: that on which the value begins."""
        if is_known(value):
            builder, callee = self.builder, extended(value, method)
            line, scope = builder.line(node), builder.frames[-1].scope
            builder.accesses.setdefault((line, Edges.CALL, callee), CallSite(Edges.CALL, callee, line, scope))
