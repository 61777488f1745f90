"""Visitor methods for the methods that JavaScript calls by itself: a loop over `bag` calls `bag[Symbol.iterator]`.

Each is a use of kind `call` beside the uses of members. The resolver adds the call where it knows the type of the
object: see resolve/edges/implied.py.
"""

from tree_sitter import Node

from bearings.code.expressions import Listed, extended, is_known, root_of
from bearings.code.languages.ecmascript.expressions import expression
from bearings.code.languages.ecmascript.guards import Guards
from bearings.code.languages.ecmascript.names import ASSERTIONS, CLEAR
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Local
from bearings.code.languages.shared.kinds import Bindings, Edges, Symbols
from bearings.code.languages.shared.nodes import around, inside

_OBJECTS = CLEAR | ASSERTIONS | {
    "identifier", "this", "member_expression", "subscript_expression", "call_expression", "new_expression",
    "await_expression",
}  # fmt: skip
"""Nodes whose type may be known."""
_FUNCTIONS = frozenset({
    "function_declaration", "function_expression", "generator_function", "generator_function_declaration",
    "method_definition", "arrow_function",
})  # fmt: skip
_MODIFIERS = 4
"""The first nodes of a function, one of which may be `async`."""
_TEMPLATE = frozenset({"template_string"})
ITERATOR, ASYNC_ITERATOR = "[Symbol.iterator]", "[Symbol.asyncIterator]"
DISPOSE, ASYNC_DISPOSE = "[Symbol.dispose]", "[Symbol.asyncDispose]"
TO_TEXT, TO_NUMBER = "toString", "valueOf"
_ITERATING = (
    "Map Set WeakMap WeakSet Array.from Object.fromEntries Promise.all Promise.allSettled Promise.race Promise.any"
)
CALLED = {
    **dict.fromkeys(_ITERATING.split(), ITERATOR), "Array.fromAsync": ASYNC_ITERATOR,
    "String": TO_TEXT, "Number": TO_NUMBER, "JSON.stringify": "toJSON",
}  # fmt: skip
"""Functions and classes that are built in to the method of their first argument."""


class Operators:
    """Visitor methods for loops, spread elements, `yield*`, `using`, templates and operators."""

    def __init__(self, builder: Builder, guards: Guards) -> None:
        self.builder = builder
        self.guards = guards

    def on_iterated(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of what a `for … of` loop goes through."""
        loop = node.parent
        is_async = loop is not None and loop.children[1].type == "await"
        self._called(node, ASYNC_ITERATOR if is_async else ITERATOR)

    def on_spread(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of `bag` in `[...bag]` or `pack(...bag)`."""
        self._called(node, ITERATOR)

    def on_delegated(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of `yield* bag`."""
        function = around(node, _FUNCTIONS)
        is_async = function is not None and any(child.type == "async" for child in function.children[:_MODIFIERS])
        self._called(node, ASYNC_ITERATOR if is_async else ITERATOR)

    def on_using(self, node: Node, start: int, _end: int) -> None:
        """Add the method of `using file = open()`, and bind the name where the grammar sees an assignment."""
        builder, whole = self.builder, node.parent
        if node.type == "using_declaration":
            is_async = node.children[0].type == "await"
            values = [part.child_by_field_name("value") for part in node.named_children]
        else:
            is_async = whole is not None and whole.type == "await_expression"
            name, values = node.child_by_field_name("left"), [node.child_by_field_name("right")]
            if name is not None and name.type == "identifier" and values[0] is not None:
                frame, taken = builder.frames[-1], self.guards.narrowed(expression(values[0], builder), start)
                builder.locals.append(Local(len(builder.bindings), Symbols.CONSTANT, frame.prefix, frame.symbol, node))
                builder.bind(builder.text(name), Bindings.LOCAL, builder.line(node), value=taken)
        for value in values:
            self._called(value, ASYNC_DISPOSE if is_async else DISPOSE)

    def on_formatted(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of a value in a template without a tag."""
        template = around(node, _TEMPLATE)
        if template is not None and template.parent is not None and template.parent.type != "call_expression":
            self._called(node, TO_TEXT)

    def on_summed(self, node: Node, _start: int, _end: int) -> None:
        """Add the method of `bag` in `"" + bag`, and of what is added to it."""
        self._called(node.child_by_field_name("left"), TO_TEXT)
        outer: Node | None = node
        while outer is not None and _type(outer.child_by_field_name("operator")) == "+":
            self._called(outer.child_by_field_name("right"), TO_TEXT)
            outer = outer.parent

    def on_compared(self, node: Node, _start: int, _end: int) -> None:
        """Add the methods of `a` and `b` in `a < b` and `a - b`, and of `+a`."""
        for part in node.named_children:
            self._called(part, TO_NUMBER)

    def built_in(self, call: Node, callee: str) -> None:
        """Add the method of the first argument of a function or class that is built in, unless its name is bound."""
        given, name, bound = inside(call, "arguments"), callee.partition(".")[0], self.builder.bound
        if given and not any((frame.scope, name) in bound for frame in self.builder.frames):
            self._called(given[0], CALLED[callee])

    def _called(self, node: Node | None, method: str) -> None:
        """Add the call of a value's method, once for a line: that on which the value begins."""
        if node is None or node.type not in _OBJECTS:
            return
        builder = self.builder
        value = self.guards.narrowed(expression(node, builder), node.start_byte)
        if is_known(value) and type(root_of(value)) is not Listed:
            builder.add_access(node, Edges.CALL, extended(value, method), line=builder.line(node))


def _type(node: Node | None) -> str:
    return node.type if node is not None else ""
