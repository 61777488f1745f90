"""The visitor of Python: one method per capture, called in the order of the source."""

from collections.abc import Callable

from tree_sitter import Node

from bearings.code.languages.python.assignments import Assignments
from bearings.code.languages.python.calls import Calls
from bearings.code.languages.python.decorators import Decorators
from bearings.code.languages.python.definitions import Definitions
from bearings.code.languages.python.filled import Filled
from bearings.code.languages.python.flow import Flow
from bearings.code.languages.python.frameworks import endpoints
from bearings.code.languages.python.frameworks.calls import framework_calls
from bearings.code.languages.python.frameworks.lifecycles import lifecycle_calls
from bearings.code.languages.python.frameworks.tornado import Tables
from bearings.code.languages.python.imports import import_statement
from bearings.code.languages.python.names import expression
from bearings.code.languages.python.operators import Operators
from bearings.code.languages.python.requests import requests
from bearings.code.languages.python.roles import roles
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.handlers import handlers, located
from bearings.code.languages.shared.kinds import Edges
from bearings.code.languages.shared.late_symbols import declare_late_symbols
from bearings.code.languages.shared.member_uses import MemberUses
from bearings.code.languages.shared.nodes import around

_CAPTURES = (
    "decorated", "function", "class", "lambda", "comprehension", "assign", "alias", "outer", "import", "loop", "as",
    "tested", "bind", "call", "decorator", "applied", "compared", "operated", "unary", "indexed", "entered", "waited",
    "formatted", "truth", "return", "yield", "write", "access",
)  # fmt: skip
"""In the order in which nodes with the same span are visited."""


class Python:
    """The visitor. See Visitor for the order of nodes and frames."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.uses = MemberUses(builder, lambda node, _start: expression(node, builder))
        self.operators = Operators(builder)
        self.flow = Flow(builder, self.operators)
        self.decorators = Decorators(builder)
        self.tables = Tables(builder)
        self.definitions = Definitions(builder, self.decorators)
        self.filled = Filled(builder)
        self.assignments = Assignments(builder, self.definitions, self.flow, self.tables, self.filled)
        self.calls = Calls(builder, self.definitions, self.uses, self.tables, self.operators, self.filled)

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """See Visitor."""
        parts = self.uses, self.flow, self.decorators, self.definitions, self.assignments, self.calls, self.operators
        return _CAPTURES, handlers(_METHODS, self, *parts)

    def finish(self) -> None:
        """Set exports by `__all__` if the file has one, and add roles and endpoints."""
        builder, calls = self.builder, self.calls
        listed = {export.name for export in builder.exports}
        if listed:
            for draft in builder.drafts[1:]:
                if draft.parent == 0:
                    draft.exported = draft.name in listed
                else:
                    draft.exported = draft.exported and builder.drafts[draft.parent].exported
        self.filled.finish()
        declare_late_symbols(builder)
        roles(builder, self.definitions.decorated, self.decorators.decorating, self.decorators.wrapping)
        endpoints(builder, calls.candidates, self.tables.found)
        framework_calls(builder, self.decorators.registered, calls.taking)
        lifecycle_calls(builder)
        requests(builder, [*calls.candidates, *calls.requesting])

    def on_import(self, node: Node, _start: int, _end: int) -> None:
        """Add the imports of an import statement."""
        import_statement(self.builder, node)

    def on_return(self, node: Node, _start: int, _end: int) -> None:
        """Add a return value; a list may hold rules of endpoints."""
        if self.tables.are_wanted:
            self.tables.add(node, "")
        self.flow.returned(node)

    def on_decorator(self, node: Node, start: int, _end: int) -> None:
        """Add a decorator without arguments as a reference, because it is no call."""
        self.uses.member_start = start
        owner, _, name = self.builder.text(node).rpartition(".")
        if name in ("setter", "deleter", "getter") and self._decorated(node) == owner:  # `@total.setter` of a property
            self.builder.unmentioned.add((self.builder.line(node), owner))
            return
        self.builder.add_use(node, Edges.REFERENCE, expression(node, self.builder))

    def _decorated(self, node: Node) -> str:
        """The name of the function or class that has a decorator."""
        whole = around(node, {"decorated_definition"})
        definition = whole.child_by_field_name("definition") if whole is not None else None
        name = definition.child_by_field_name("name") if definition is not None else None
        return self.builder.text(name) if name is not None else ""


_METHODS = located(_CAPTURES, Python, MemberUses, Flow, Decorators, Definitions, Assignments, Calls, Operators)
