"""Type guards of ECMAScript: finds the code in which a test such as `x instanceof C` or `isC(x)` holds for a name.

A test is stored as a `Holding` for each stretch of code where it holds. An expression in that code that starts with the
name gets a Tested as its root.
"""

import re
from collections import deque
from typing import NamedTuple

from tree_sitter import Node

from bearings.code.expressions import (
    NOTHING,
    PRESENT,
    TRUE,
    Discriminant,
    Excluded,
    Expression,
    Predicate,
    Test,
    Tested,
    chained,
    root_of,
    split,
)
from bearings.code.grouping import grouped
from bearings.code.languages.ecmascript.names import string_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.node_text import is_chain

_PREDICATE = re.compile(r"[$_]*(?:is|has|can)(?:[A-Z_]|$)")
"""Names of functions that may be type predicates; whether one is, its return type says."""
_ASSERTION = re.compile(r"[$_]*(?:assert|invariant)")
"""Names of functions after which an argument may have another type."""
_PREDICATE_STARTS = ("$", "_", "is", "has", "can", "assert", "invariant")
"""What such names start with. Few other names do, so that this saves most searches."""
_ASSERTING = re.compile(r"(?:[\w$]+\.)?(?:assert|invariant|ok)\b", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"\s*=(?![=>])")
_END = re.compile(r"[;\n}]")
_NAME_CHARACTER = re.compile(r"[\w$.]")
"""A character that, right before a name, belongs to the name."""
_LEAVING = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_BRANCHES = {
    "if_statement": ("consequence", "alternative"),
    "ternary_expression": ("consequence", "alternative"),
    "while_statement": ("body", ""),
}
"""Statements with a condition → the fields of the code that runs if it holds, and if it doesn't."""
_COMPARED = frozenset({"string", "number", "true", "false", "undefined", "null", "member_expression"})
_MOST_TESTS = 500
"""Tests of one name to remember: where one holds that far back, others have usually followed."""
_TYPED_TESTS = ((), TRUE, PRESENT, NOTHING)
_MOST_AROUND = 12
"""Tests of one name, the innermost first, that count at one place."""
_MOST_OPERANDS = 64
"""Operands and brackets between a test and the whole condition, at most."""
_TESTED_ARGUMENTS = 2
"""The first arguments of a predicate, one of which it may test."""


class Holding(NamedTuple):
    """A test of a name that holds between two bytes.

    `either`: it is not certain that this test holds, but one of that many with the same span does; 0 if it is certain.
    """

    start: int
    end: int
    scope: int
    condition: Test
    either: int


class Guards:
    """Visitor methods for type guards."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.tests: dict[str, deque[Holding]] = {}
        """Tests by the tested name, which may be dotted."""
        self.tested: set[str] = set()
        """The first parts of all tested names."""

    def on_instanceof(self, node: Node, _start: int, _end: int) -> None:
        """Add an `instanceof` test; the node is its operator."""
        test = node.parent
        left, right = (test.child_by_field_name("left"), test.child_by_field_name("right")) if test else (None, None)
        if test is not None and left is not None and right is not None:
            name, condition = self.builder.text(left), self.builder.text(right)
            if is_chain(condition):
                self._add_test(test, name, condition)
                self._add_excluded(test, name, condition)

    def on_in(self, node: Node, _start: int, _end: int) -> None:
        """Add `"key" in object` as a test; the node is the operator."""
        test = node.parent
        value = test.child_by_field_name("right") if test is not None else None
        if test is not None and value is not None:
            key = string_of(test.child_by_field_name("left"), self.builder)
            self._add_discriminant(test, self.builder.text(value), key, PRESENT if key else ())

    def on_truthy(self, node: Node, _start: int, _end: int) -> None:
        """Add a member that is itself a condition, `if (result.failed)`, as a test."""
        self._add_discriminant(node, *self._member(node), TRUE)

    def on_equals(self, node: Node, _start: int, _end: int) -> None:
        """Add a comparison of a member as a test; the node is its operator."""
        test = node.parent
        if test is not None:
            value = self._value(test.child_by_field_name("right"))
            name, member = self._member(test.children[0])
            self._add_discriminant(test, name, member, (value,) if value else (), is_equal=node.type[0] == "=")

    def _add_discriminant(
        self, test: Node, name: str, member: str, values: tuple[str, ...], *, is_equal: bool = True
    ) -> None:
        """Add a test of a member of a value, for the code where it holds and for the code where it does not."""
        if name == "this" or (self.builder.is_untyped and values in _TYPED_TESTS):  # the class of `this` is known
            return
        self._add_test(test, name, Discriminant(member, values), holds=is_equal)
        self._add_test(test, name, Discriminant(member, values, others=True), holds=not is_equal)

    def _add_excluded(self, test: Node, name: str, condition: str | Predicate) -> None:
        if not self.builder.is_untyped:
            self._add_test(test, name, Excluded(condition), holds=False)

    def on_switch(self, node: Node, _start: int, _end: int) -> None:
        """Add the tests that hold in the cases of a `switch` of a member."""
        tested, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        if tested is None or body is None:
            return
        name, member = self._member(tested.named_children[0])
        if not is_chain(name) or name == "this":
            return
        every: list[str] = []
        entering: list[str] = []
        """The values with which a case is entered, by itself or from the case above; empty for an unknown one."""
        for case in body.named_children:
            test = Discriminant(member, ())
            if case.type == "switch_default":
                if not entering and all(every):
                    test = Discriminant(member, tuple(every), others=True)
                entering.append("")
            else:
                value = self._value(case.child_by_field_name("value"))
                every.append(value)
                entering.append(value)
                test = Discriminant(member, tuple(entering)) if all(entering) else test
            statements = case.children_by_field_name("body")
            if statements and (test.values or not self.builder.is_untyped):
                self._hold(statements[0].start_byte, case.end_byte, name, test, 0)
            if statements and _leaves(statements[-1]):
                entering = []

    def _member(self, node: Node) -> tuple[str, str]:
        """Return the object and the name in `object.name`."""
        of, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        return (self.builder.text(of) if of is not None else "", self.builder.text(name) if name is not None else "")

    def _value(self, node: Node | None) -> str:
        """Return a literal as in a LiteralType, or an enum's member by its dotted name; empty for another value."""
        if node is None or node.type not in _COMPARED:
            return ""
        text = self.builder.text(node)
        if node.type in ("undefined", "null"):
            return NOTHING[0]
        if node.type == "string":
            return f'"{text[1:-1]}"'
        return text if node.type != "member_expression" or (text[:1].isupper() and is_chain(text)) else ""

    def predicate_call(self, node: Node, name: str, number: int) -> None:
        """Add a call as a test of its arguments if the last part of its callee is named like a predicate."""
        if not name.startswith(_PREDICATE_STARTS):
            return
        is_predicate = _PREDICATE.match(name) is not None
        if not is_predicate and _ASSERTION.match(name) is None:
            return
        given = node.child_by_field_name("arguments")
        for position, argument in enumerate(given.named_children[:_TESTED_ARGUMENTS] if given is not None else ()):
            tested = self.builder.text(argument)
            if is_predicate:
                self._add_test(node, tested, Predicate(number, position))
                self._add_excluded(node, tested, Predicate(number, position))
            elif not self.builder.is_untyped and is_chain(tested) and node.parent is not None:
                self._hold_after(node.parent, tested, Discriminant("", ()), 0)

    def narrowed(self, expression: Expression, start: int, *, is_use: bool = False) -> Expression:
        """Return an expression that starts at a byte, with a Tested for the longest part of it that has been tested.

        With `is_use`, the last member is read, written or called, so only the names before it may be tested.
        """
        if not self.tests or root_of(expression) not in self.tested:
            return expression
        root, steps = split(expression)
        names = [root, *steps]
        known = [at for at, name in enumerate(names) if type(name) is not str]
        longest = known[0] if known else len(names)
        for length in range(min(longest, max(1, len(names) - is_use)), 0, -1):
            name = ".".join(names[:length])  # type: ignore[arg-type]
            tests = self._tests_at(name, start) if name in self.tests else []
            if tests:
                return chained(Tested(name, tests[0], tuple(reversed(tests[1:]))), steps[length - 1 :])
        return expression

    def _add_test(self, test: Node, name: str, condition: Test, *, holds: bool = True) -> None:
        """Follow a test up the tree to all code in which the condition must hold, as it `holds` if the test does."""
        if not is_chain(name):
            return
        here, either = test, 0
        for _ in range(_MOST_OPERANDS):
            above = here.parent
            if above is None:
                return
            if above.type in _BRANCHES:
                self._branches(above, here, name, condition, holds=holds, either=either)
                return
            if above.type == "binary_expression":
                operator = above.child_by_field_name("operator")
                if operator is None or operator.type not in ("&&", "||"):
                    return
                if (operator.type == "&&") is not holds:
                    either = either or _operands(above)
                elif here.end_byte <= operator.start_byte:
                    self._hold(operator.end_byte, above.end_byte, name, condition, either)
            elif above.type == "unary_expression" and above.children[0].type == "!":
                holds = not holds
            elif above.type == "arguments":
                self._asserted(above, here, name, condition, is_certain=holds and not either)
                return
            elif above.type != "parenthesized_expression":
                return
            here = above

    def _branches(self, above: Node, here: Node, name: str, condition: Test, *, holds: bool, either: int) -> None:
        tested = above.child_by_field_name("condition")
        if tested is None or tested.byte_range != here.byte_range:
            return
        branch = above.child_by_field_name(_BRANCHES[above.type][not holds])
        if branch is not None:
            self._hold(branch.start_byte, branch.end_byte, name, condition, either)
        if not holds and above.type == "if_statement" and _leaves(above.child_by_field_name("consequence")):
            self._hold_after(above, name, condition, either)

    def _asserted(self, arguments: Node, here: Node, name: str, condition: Test, *, is_certain: bool) -> None:
        """Handle a statement `assert(test)`: later code runs only if the test holds."""
        call = arguments.parent
        is_first = arguments.named_children[0].byte_range == here.byte_range
        if call is None or call.parent is None or not is_first or not is_certain:
            return
        if call.parent.type == "expression_statement" and _ASSERTING.match(self.builder.text(call)):
            self._hold_after(call.parent, name, condition, 0)

    def _hold_after(self, statement: Node, name: str, condition: Test, either: int) -> None:
        """Store a test that holds from the end of a statement to the end of its block."""
        if statement.parent is not None and statement.parent.type in ("statement_block", "program", "switch_case"):
            self._hold(statement.end_byte, statement.parent.end_byte, name, condition, either)

    def _hold(self, start: int, end: int, name: str, condition: Test, either: int) -> None:
        test = Holding(start, end, self.builder.frames[-1].scope, condition, either)
        self.tests.setdefault(name, deque(maxlen=_MOST_TESTS)).append(test)
        self.tested.add(name.partition(".")[0])

    def _tests_at(self, name: str, at: int) -> list[tuple[Test, ...]]:
        """Return the tests of a name that hold at a byte, innermost first, unless it has been bound again since."""
        by_span = grouped(((test.start, test.end), test) for test in self.tests[name] if test.start <= at < test.end)
        found: list[tuple[Test, ...]] = []
        for span in sorted(by_span, reverse=True):
            tests = by_span[span]
            certain = [test for test in tests if not test.either]
            if not (certain or all(len(tests) == test.either for test in tests)) or not self._is_same(
                name, tests[0], at
            ):
                continue
            either = tuple(dict.fromkeys(test.condition for test in tests))
            groups: list[tuple[Test, ...]] = [(test.condition,) for test in reversed(certain)]
            for conditions in groups or [either]:
                if len(found) >= _MOST_AROUND:
                    return [*found, (Discriminant("", ()),)]
                if found and (merged := _merged(found[-1][0], conditions[0])) is not None:
                    conditions = (merged,)
                    found.pop()
                found.append(conditions)
                if type(conditions[0]) in (str, Predicate):
                    return found  # the innermost class or predicate says what the value is
        return found

    def _is_same(self, name: str, test: Holding, at: int) -> bool:
        """Whether a name still has the value that was tested: it is not bound or assigned again."""
        builder, root, scope = self.builder, name.partition(".")[0], self.builder.frames[-1].scope
        while scope > test.scope:
            if (scope, root) in builder.bound:
                return False
            scope = builder.scopes[scope][1]
        return scope == test.scope and not _is_assigned(name, builder.between(test.start, at))


def _merged(one: Test, other: Test) -> Discriminant | None:
    """Return the test that a member has no value of two tests that say so; None for other tests."""
    tests = [test for test in (one, other) if type(test) is Discriminant and test.others]
    if len({test.member for test in tests if test.values not in ((), PRESENT)}) != 1 or len(tests) != len((one, other)):
        return None
    if any(test.values in ((), PRESENT) for test in tests):
        return None
    return Discriminant(tests[0].member, tests[0].values + tests[1].values, others=True)


def _is_assigned(name: str, text: str) -> bool:
    """Whether a name is assigned in a text before its last statement, whose assignment comes after its uses.

    It uses no pattern made for the name, as compiling one takes longer.
    """
    at = text.find(name)
    while at >= 0:
        assigned = _ASSIGNMENT.match(text, at + len(name))
        is_whole = at == 0 or not _NAME_CHARACTER.match(text, at - 1)
        if assigned and is_whole and _END.search(text, assigned.end()):
            return True
        at = text.find(name, at + 1)
    return False


def _operands(node: Node) -> int:
    """Return the number of operands of `a || b || …`, or of `a && b && …`, of which a node is a part.

    It is more than `_MOST_OPERANDS` if there are more.
    """
    operator = node.children[1].type
    for _ in range(_MOST_OPERANDS):
        above = node.parent
        if above is None or not (
            above.type == "parenthesized_expression" or (above.type == node.type and above.children[1].type == operator)
        ):
            break
        node = above
    parts, count = [node], 0
    while parts and count <= _MOST_OPERANDS:
        part = parts.pop()
        if part.type == "parenthesized_expression" and part.named_child_count:
            parts.append(part.named_children[0])
        elif part.type == "binary_expression" and part.children[1].type == operator:
            parts += part.named_children
        else:
            count += 1
    return count


def _leaves(statement: Node | None) -> bool:
    """Whether a statement always leaves its block, so that the code after it is not reached."""
    last = _last(statement)
    if last is not None and last.type == "try_statement":
        handler = last.child_by_field_name("handler")
        ends = [_last(each.child_by_field_name("body")) for each in (last, handler) if each is not None]
        return all(end is not None and end.type in _LEAVING for end in ends)
    return last is not None and last.type in _LEAVING


def _last(statement: Node | None) -> Node | None:
    """Return the last statement of a block; another statement itself."""
    if statement is None or statement.type != "statement_block":
        return statement
    return next((child for child in reversed(statement.named_children) if child.type != "comment"), None)
