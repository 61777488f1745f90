"""What tests say of names in ECMAScript: `x instanceof C`, `isC(x)`, and where in the code that holds."""

import re

from tree_sitter import Node

from bearings.code.languages.ecmascript.types import Types
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.node_text import is_chain

_ASKING = re.compile(r"[$_]*(?:is|has)[A-Z_]")
"""How functions are called that tell what their argument is; whether one does, its type says."""
_ASKED_BY = frozenset("$_ih")
"""What their names begin with: few others do, and need no search."""
_ASSERTING = re.compile(r"(?:[\w$]+\.)?(?:assert|invariant|ok)\b", re.IGNORECASE)
_GIVEN = re.compile(r"\s*=(?![=>])")
_NAMING = re.compile(r"[\w$.]")
"""What a name goes on with, to its left."""
_LEAVING = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_BRANCHES = {
    "if_statement": ("consequence", "alternative"),
    "ternary_expression": ("consequence", "alternative"),
    "while_statement": ("body", ""),
}
"""Statements with a condition: what runs where it holds, and where it doesn't."""
_ASKED = 2
"""Arguments of a test that it may be about."""


class Test:
    """What was said of a name, between two bytes; `either`: that, or what another test of the same extent said."""

    __slots__ = ("either", "end", "said", "scope", "start")

    def __init__(self, start: int, end: int, scope: int, said: str, *, either: bool) -> None:
        self.start = start
        self.end = end
        self.scope = scope
        self.said = said
        self.either = either


class Guards(Types):
    """The methods of the captures that this module is about."""

    tests: dict[str, list[Test]]
    tested: set[str]
    rows: dict[tuple[int, str], str]

    def on_instanceof(self, node: Node, _start: int, _end: int) -> None:
        """A test for a class, by its operator."""
        test = node.parent
        left, right = (test.child_by_field_name("left"), test.child_by_field_name("right")) if test else (None, None)
        if test is not None and left is not None and right is not None:
            name, said = self.into.text(left), self.into.text(right)
            if is_chain(said):
                self._note(test, name, said)

    def asked(self, node: Node, name: str, number: int) -> None:
        """A call that may be a test of its arguments, by the last part of what is called."""
        if name[:1] not in _ASKED_BY or _ASKING.match(name) is None:
            return
        arguments = node.child_by_field_name("arguments")
        for position, argument in enumerate(arguments.named_children[:_ASKED] if arguments is not None else ()):
            self._note(node, self.into.text(argument), f"#{number}:{position}")

    def narrowed(self, text: str, start: int) -> str:
        """An expression that begins at a byte, with `@k` for as much of it as a test around says something of."""
        if not self.tests or text.partition(".")[0] not in self.tested:
            return text
        parts = text.split(".")
        for length in range(len(parts), 0, -1):
            name = ".".join(parts[:length])
            tests = self._around(name, start) if name in self.tests else []
            if tests:
                return ".".join([self._row(name, tests), *parts[length:]])
        return text

    def _note(self, test: Node, name: str, said: str) -> None:
        """Follows a test upwards to all places where what it says must hold."""
        if not is_chain(name):
            return
        here, holds, either = test, True, False
        while (above := here.parent) is not None:
            if above.type in _BRANCHES:
                self._branches(above, here, name, said, holds=holds, either=either)
                return
            if above.type == "binary_expression":
                operator = above.child_by_field_name("operator")
                if operator is None or operator.type not in ("&&", "||"):
                    return
                if (operator.type == "&&") is not holds:
                    either = True
                elif here.end_byte <= operator.start_byte:
                    self._hold(operator.end_byte, above.end_byte, name, said, either=either)
            elif above.type == "unary_expression" and above.children[0].type == "!":
                holds = not holds
            elif above.type == "arguments":
                self._asserted(above, here, name, said, either=either or not holds)
                return
            elif above.type != "parenthesized_expression":
                return
            here = above

    def _branches(self, above: Node, here: Node, name: str, said: str, *, holds: bool, either: bool) -> None:
        condition = above.child_by_field_name("condition")
        if condition is None or condition.byte_range != here.byte_range:
            return
        branch = above.child_by_field_name(_BRANCHES[above.type][not holds])
        if branch is not None:
            self._hold(branch.start_byte, branch.end_byte, name, said, either=either)
        if not holds and above.type == "if_statement" and _leaves(above.child_by_field_name("consequence")):
            self._from(above, name, said, either=either)

    def _asserted(self, arguments: Node, here: Node, name: str, said: str, *, either: bool) -> None:
        """`assert(test)`, as a statement: what follows runs only if it holds."""
        call = arguments.parent
        is_first = arguments.named_children[0].byte_range == here.byte_range
        if call is None or call.parent is None or not is_first or either:
            return
        if call.parent.type == "expression_statement" and _ASSERTING.match(self.into.text(call)):
            self._from(call.parent, name, said, either=False)

    def _from(self, statement: Node, name: str, said: str, *, either: bool) -> None:
        """From the end of a statement to the end of the block that it stands in."""
        if statement.parent is not None and statement.parent.type in ("statement_block", "program", "switch_case"):
            self._hold(statement.end_byte, statement.parent.end_byte, name, said, either=either)

    def _hold(self, start: int, end: int, name: str, said: str, *, either: bool) -> None:
        test = Test(start, end, self.into.frames[-1].scope, said, either=either)
        self.tests.setdefault(name, []).append(test)
        self.tested.add(name.partition(".")[0])

    def _around(self, name: str, at: int) -> list[Test]:
        """What the innermost tests say of a name at a byte, unless it was bound again since."""
        extents: dict[tuple[int, int], list[Test]] = {}
        for test in self.tests[name]:
            if test.start <= at < test.end:
                extents.setdefault((test.start, test.end), []).append(test)
        for extent in sorted(extents, reverse=True):
            tests = extents[extent]
            sure = [test for test in tests if not test.either]
            if (sure or len(tests) > 1) and self._is_same(name, tests[0], at):
                return sure[-1:] or tests
        return []

    def _is_same(self, name: str, test: Test, at: int) -> bool:
        """Whether a name still means what it did where it was tested."""
        into, root, scope = self.into, name.partition(".")[0], self.into.frames[-1].scope
        while scope > test.scope:
            if (scope, root) in into.bound:
                return False
            scope = into.scopes[scope][1]
        return scope == test.scope and not _is_assigned(name, into.between(test.start, at))

    def _row(self, name: str, tests: list[Test]) -> str:
        """`@k`, the row that says what a name is where tests hold."""
        into, value = self.into, f"&{'|'.join(dict.fromkeys(test.said for test in tests))}&{name}"
        known = self.rows.get((tests[0].scope, value))
        if known is None:
            known = self.rows[tests[0].scope, value] = into.casts[-1, len(into.casts)] = f"@{len(into.casts)}"
            line = into.row(tests[0].start) + 1
            into.bind(known, Bindings.LOCAL, line, value=value, scope=tests[0].scope)
        return known


def _is_assigned(name: str, text: str) -> bool:
    """Whether a name stands before `=`. Said without an expression of its own, as compiling one takes longer."""
    at = text.find(name)
    while at >= 0:
        if _GIVEN.match(text, at + len(name)) and (at == 0 or not _NAMING.match(text, at - 1)):
            return True
        at = text.find(name, at + 1)
    return False


def _leaves(statement: Node | None) -> bool:
    """Whether what follows a statement is never reached from it."""
    if statement is not None and statement.type == "statement_block":
        inside = [child for child in statement.named_children if child.type != "comment"]
        statement = inside[-1] if inside else None
    return statement is not None and statement.type in _LEAVING
