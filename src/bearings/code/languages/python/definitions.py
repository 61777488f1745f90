"""Visitor methods for Python's functions and classes, and for what else has a scope: lambdas, comprehensions."""

from tree_sitter import Node

from bearings.code.expressions import Function, Parameter, is_known
from bearings.code.file_facts import ScopeKind
from bearings.code.languages.python.conditions import is_conditional, is_untyped
from bearings.code.languages.python.decorators import Decorators, traits_of
from bearings.code.languages.python.named_members import FIXTURES, ORMS, SESSION
from bearings.code.languages.python.names import (
    base_class,
    docstring,
    expression,
    is_public,
    parameter,
    type_parameters,
)
from bearings.code.languages.python.type_nodes import function_of, overload_of, type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Bindings, Scopes, Symbols
from bearings.code.languages.shared.nodes import first, inside
from bearings.code.type_expressions import OwnType

_NO_BASES = frozenset({"keyword_argument", "comment", "list_splat", "dictionary_splat"})


class Definitions:
    """Visitor methods for definitions."""

    def __init__(self, builder: Builder, decorators: Decorators) -> None:
        self.builder = builder
        self.decorators = decorators
        self.parameter_ends: dict[int, int] = {}
        """Scope of a function → the end of its parameters."""
        self.receivers: dict[int, str] = {}
        """Scope of a method → the name of its first parameter (`self`, `cls`)."""
        self.decorated: dict[int, list[str]] = {}
        """Class → its decorators."""

    def on_function(self, node: Node, start: int, end: int) -> None:
        """Add a function or method: its symbol, scope and parameters."""
        builder = self.builder
        decorators = self.decorators.decorators.pop((start, end), [])
        name_node = node.child_by_field_name("name")
        name = builder.text(name_node) if name_node is not None else "?"
        in_class = builder.scopes[builder.frames[-1].scope][0] is Scopes.CLASS
        kind = Symbols.FUNCTION
        if in_class:
            kind = Symbols.CONSTRUCTOR if name == "__init__" else Symbols.METHOD
        draft = self._head(builder.declare(name, kind, node), node, start, end)
        draft.is_overload = any(decorator.rpartition(".")[2] == "overload" for decorator in decorators)
        draft.traits |= traits_of(decorators, draft.signature)
        draft.value = self.decorators.outermost.pop((start, end), None)
        index = builder.functions[start, end] = builder.index(draft)
        if self.decorators.fixtures.is_wanted:
            self.decorators.fixtures.function(index, node, name, (start, end))
        self.decorators.wrapped(node, name, decorators)
        self._bind(draft, node)
        draft.inner = builder.add_scope(Scopes.FUNCTION, index)
        if draft.is_overload:
            builder.bind("()", Bindings.TYPE, draft.line, type_=overload_of(node, builder), scope=draft.inner)
        if draft.returns is not None:
            builder.declared_returns[draft.inner] = draft.returns
        builder.push(end, draft.inner, index, draft.qualified + ".")
        self._type_parameters(node)
        parameters = node.child_by_field_name("parameters")
        if parameters is not None:
            self.parameter_ends[draft.inner] = parameters.end_byte
        is_bound = in_class and "staticmethod" not in decorators
        is_class = "classmethod" in decorators or name in ("__new__", "__init_subclass__")
        self._parameters(parameters, OwnType(is_class) if is_bound else None)

    def _head(self, draft: Draft, node: Node, start: int, end: int) -> Draft:
        """Set what a function's head and docstring say."""
        builder, body = self.builder, node.child_by_field_name("body")
        draft.exported = is_public(builder, draft.name)
        draft.signature = builder.head(start, body, end)
        draft.doc = docstring(body, builder) or draft.doc
        returns = node.child_by_field_name("return_type")
        draft.returns = type_of(returns, builder) if returns is not None else draft.returns
        draft.head = function_of(node, builder)
        return draft

    def _bind(self, draft: Draft, node: Node) -> None:
        """Bind the name of a definition, unless another one is meant for type checkers."""
        builder = self.builder
        is_bound = (builder.frames[-1].scope, draft.name) in builder.bound
        if not is_bound or not is_untyped(node):
            if is_bound and is_conditional(node):
                builder.bind("|", Bindings.LOCAL, draft.line, value=draft.name)
            builder.bind(draft.name, Bindings.SYMBOL, draft.line, builder.index(draft))

    def _parameters(
        self, parameters: Node | None, receiver: OwnType | None, argument: tuple[int, int] | None = None
    ) -> None:
        """Bind parameters; `receiver` is the type of the first one, if it has one by its place.

        `argument` is the call and place of a lambda that is an argument: the call gives its plain parameters.
        """
        builder = self.builder
        for place, node in enumerate(parameters.named_children if parameters is not None else ()):
            name, annotation, value = parameter(node, builder)
            if argument is not None and node.type == "identifier":
                value = Parameter(*argument, place)
            if name is not None:
                if receiver is not None and annotation is None:
                    annotation = receiver
                    self.receivers[builder.frames[-1].scope] = builder.text(name)
                elif annotation is None and value is None and self.decorators.fixtures.is_wanted:
                    value = FIXTURES.get(builder.text(name))
                elif annotation is None and value is None and builder.text(name) in ("session", "db_session"):
                    imported = {entry.module.partition(".")[0] for entry in builder.imports}
                    value = SESSION if imported & ORMS else None
                line = builder.line(node)
                builder.bind(builder.text(name), Bindings.PARAMETER, line, type_=annotation, value=value)
                receiver = None

    def on_class(self, node: Node, start: int, end: int) -> None:
        """Add a class: its symbol, scope and bases."""
        builder = self.builder
        decorators = self.decorators.decorators.pop((start, end), None)
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        draft = builder.declare(builder.text(name_node) if name_node is not None else "?", Symbols.CLASS, node)
        draft.exported = is_public(builder, draft.name)
        draft.signature = builder.head(start, body, end)
        draft.doc = docstring(body, builder)
        bases = [base for base in inside(node, "superclasses") if base.type not in _NO_BASES]
        draft.bases = tuple(base_class(base, builder) for base in bases)
        index = builder.index(draft)
        if decorators:
            self.decorated[index] = decorators
            self.decorators.fixtures.class_(index, node)
        self._bind(draft, node)
        draft.inner = builder.add_scope(Scopes.CLASS, index)
        for keyword in inside(node, "superclasses"):
            name, value = keyword.child_by_field_name("name"), keyword.child_by_field_name("value")
            if name is not None and value is not None and builder.text(name) == "metaclass":
                made = expression(value, builder)
                builder.bind("metaclass=", Bindings.LOCAL, draft.line, value=made, scope=draft.inner)
        builder.push(end, draft.inner, index, draft.qualified + ".")
        for variable in type_parameters(bases, builder):
            builder.bind(variable, Bindings.TYPE_PARAMETER, draft.line)
        self._type_parameters(node)

    def _type_parameters(self, node: Node) -> None:
        """Bind the type parameters in brackets: `def first[T](…)`."""
        builder = self.builder
        for part in inside(node, "type_parameters"):
            name = builder.text(part).partition(":")[0].partition("=")[0].strip(" *")
            limit = first(part)
            is_limited = limit is not None and limit.type == "constrained_type"
            bound = type_of(limit.named_children[-1], builder) if limit is not None and is_limited else None
            builder.bind(name, Bindings.TYPE_PARAMETER, builder.line(part), type_=bound)

    def on_lambda(self, node: Node, _start: int, end: int) -> None:
        """Open the scope of a lambda; one that is an argument has its parameters from the function that takes it."""
        builder = self.builder
        self._nameless(end, Scopes.ARROW)
        scope, argument = builder.frames[-1].scope, None
        expected = builder.expectations.functions.pop(node.byte_range, None)
        if expected is not None and expected.context is not None:
            number, index, _ = expected.context
            argument = number, index
            if index < len(builder.arguments[number]):
                builder.arguments[number][index] = Function(scope)
                value = expression(node.children[-1], builder)
                if is_known(value):
                    builder.add_return(node, scope, scope, value)
        self._parameters(node.child_by_field_name("parameters"), None, argument)

    def on_comprehension(self, _node: Node, _start: int, end: int) -> None:
        """Open the scope of a comprehension's variables."""
        self._nameless(end, Scopes.BLOCK)

    def _nameless(self, end: int, kind: ScopeKind) -> None:
        builder = self.builder
        frame = builder.frames[-1]
        builder.push(end, builder.add_scope(kind, builder.scopes[frame.scope][2]), frame.symbol, frame.prefix)
