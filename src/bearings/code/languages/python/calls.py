"""Visitor methods for Python's calls, and for what they may mean to frameworks."""

from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Item, Result, Take, extended, last_name
from bearings.code.languages.python.assignments import list_exports
from bearings.code.languages.python.conditions import narrow
from bearings.code.languages.python.definitions import Definitions
from bearings.code.languages.python.filled import FILLING, Filled
from bearings.code.languages.python.frameworks import CANDIDATES, DECORATORS
from bearings.code.languages.python.frameworks.calls import TAKING
from bearings.code.languages.python.frameworks.pytest_fixtures import BY_VALUE, USES
from bearings.code.languages.python.frameworks.tornado import Tables
from bearings.code.languages.python.named_members import NAMING, name_members
from bearings.code.languages.python.names import class_arguments, expect_lambdas, expression
from bearings.code.languages.python.operators import CALLED, Operators
from bearings.code.languages.python.requests import CANDIDATES as REQUESTING
from bearings.code.languages.python.requests import NAMING as NAMING_URLS
from bearings.code.languages.python.requests import may_request
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Edges
from bearings.code.languages.shared.member_uses import MemberUses
from bearings.code.languages.shared.nodes import inside
from bearings.code.languages.shared.routes import Candidate
from bearings.code.type_expressions import TypeExpression

_LISTING = ("__all__.append", "__all__.extend", "__all__.insert")


class Calls:
    """Visitor methods for calls."""

    def __init__(
        self,
        builder: Builder,
        definitions: Definitions,
        uses: MemberUses,
        tables: Tables,
        operators: Operators,
        filled: Filled,
    ) -> None:
        self.builder = builder
        self.operators = operators
        self.definitions = definitions
        self.uses = uses
        self.tables = tables
        self.filled = filled
        self.has_lambda = b"lambda" in builder.source
        self.candidates: list[Candidate] = []
        """Calls that may register an endpoint."""
        self.requesting: list[Candidate] = []
        """Calls that may send a request."""
        self.taking: list[tuple[Candidate, int]] = []
        """Calls that may hand a function to a framework, with the symbols around."""

    def on_call(self, node: Node, start: int, end: int) -> None:
        """Add a call."""
        builder = self.builder
        self.uses.member_start = start
        callee: Expression = builder.plain_callee(start, end)
        types: tuple[TypeExpression, ...] = ()
        function = None
        if not callee:
            function = node.child_by_field_name("function")
            callee = expression(function, builder) if function is not None else UNKNOWN
            if function is not None and function.type == "subscript":
                types = class_arguments(function, builder)
        scope = builder.frames[-1].scope
        if start < self.definitions.parameter_ends.get(scope, 0):  # a default is evaluated in the enclosing scope
            scope = builder.scopes[scope][1]
        number = builder.add_call(node, Edges.CALL, callee, (start, end), types, scope, function=function)
        name = last_name(callee)
        if name[:1].isupper():
            self._given_fields(node, Result(number))
        if callee == "isinstance" or callee == "issubclass":
            narrow(builder, node, is_class=callee == "issubclass")
        elif callee in _LISTING:
            arguments = node.child_by_field_name("arguments")
            if arguments is not None:
                list_exports(builder, arguments)
        elif name in FILLING:
            self.filled.called(node, name)
        if self.has_lambda and builder.source.find(b"lambda", start, end) >= 0:
            expect_lambdas(node, number, builder)
        if type(callee) is str and callee in CALLED and (0, callee) not in builder.bound:
            self.operators.built_in(node, callee)
        self._offer(node, callee, name, scope)

    def _offer(self, node: Node, callee: Expression, name: str, scope: int) -> None:
        """Keep a call that may mean something to a framework."""
        frame = self.builder.frames[-1]
        if self.tables.are_wanted:
            self.tables.add_arguments(node, callee)
        if name in NAMING and type(callee) is str:
            name_members(self.builder, node, callee, name)
        if name in TAKING:
            self.taking.append((Candidate(node, callee, scope), frame.symbol))
        if name in CANDIDATES or name.endswith("Router") or (name in DECORATORS and _is_placed(node)):
            self.candidates.append(Candidate(node, callee, frame.scope))
        elif name in NAMING_URLS or (name in REQUESTING and may_request(self.builder, node)):
            self.requesting.append(Candidate(node, callee, frame.scope))
        elif name in (USES, BY_VALUE):
            self.definitions.decorators.fixtures.mark(node)

    def _given_fields(self, call: Node, made: Result) -> None:
        """Add the keyword arguments of a call of a class as writes of its fields, which it has by those names."""
        for part in inside(call, "arguments"):
            name = part.child_by_field_name("name") if part.type == "keyword_argument" else None
            if name is not None:
                self.builder.add_access(name, Edges.WRITE, extended(made, Item(Take.FIELDS), self.builder.text(name)))


def _is_placed(call: Node) -> bool:
    """Whether a call stands where a route may: as a decorator, or in a list."""
    return call.parent is not None and call.parent.type in ("decorator", "list")
