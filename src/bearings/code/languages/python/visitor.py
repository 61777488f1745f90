"""The visitor of Python: one method per capture, called in the order of the source."""

from collections.abc import Callable

from tree_sitter import Node

from bearings.code.element_functions import ITERATING
from bearings.code.expressions import UNKNOWN, Expression, Item, Result, Take, extended, last_name, written
from bearings.code.file_facts import Export, ImportKind, ScopeKind, Trait
from bearings.code.languages.python.conditions import is_untyped, narrow
from bearings.code.languages.python.decorators import Decorators, traits_of
from bearings.code.languages.python.flow import Flow
from bearings.code.languages.python.frameworks import CANDIDATES, DECORATORS, endpoints
from bearings.code.languages.python.frameworks.calls import TAKING, framework_calls
from bearings.code.languages.python.frameworks.lifecycles import lifecycle_calls
from bearings.code.languages.python.frameworks.pytest_fixtures import USES
from bearings.code.languages.python.frameworks.tornado import Table, may_hold_rules, tables_in
from bearings.code.languages.python.names import (
    base_class,
    class_arguments,
    docstring,
    expression,
    import_statement,
    parameter,
    type_parameters,
)
from bearings.code.languages.python.requests import CANDIDATES as REQUESTING
from bearings.code.languages.python.requests import may_request, requests
from bearings.code.languages.python.roles import roles
from bearings.code.languages.python.type_nodes import function_of, is_bare_qualifier, overload_of, type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.handlers import handlers, located
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.member_uses import MemberUses
from bearings.code.languages.shared.routes import Candidate
from bearings.code.type_expressions import OwnType, TypeExpression

_CAPTURES = (
    "decorated", "function", "class", "lambda", "comprehension", "assign", "alias", "outer", "import", "loop", "as",
    "tested", "bind", "call", "decorator", "return", "yield", "write", "access",
)  # fmt: skip
"""In the order in which nodes with the same span are visited."""
_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})
_NO_BASES = frozenset({"keyword_argument", "comment", "list_splat", "dictionary_splat"})
_NOT_POSITIONAL = frozenset({"keyword_argument", "comment"})
_ALIASES = frozenset({"subscript", "binary_operator"})
_LISTING = ("__all__.append", "__all__.extend", "__all__.insert")
_CHAINED = 4
"""The most names in `a = b = … = value` that are followed to the value."""


class _Uses(MemberUses):
    """Visitor methods for members that are read and written."""

    def member(self, node: Node, _start: int) -> Expression:
        """See MemberUses."""
        return expression(node, self.builder)


class Python:
    """The visitor. See Visitor for the order of nodes and frames."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.has_walrus = b":=" in builder.source
        self.uses = _Uses(builder)
        self.flow = Flow(builder)
        self.definitions = Decorators(builder)
        self.parameter_ends: dict[int, int] = {}
        """Scope of a function → the end of its parameters."""
        self.receivers: dict[int, str] = {}
        """Scope of a method → the name of its first parameter (`self`, `cls`)."""
        self.unpacked: set[int] = set()
        """Starts of names that were declared by unpacking, and need no other binding."""
        self.candidates: list[Candidate] = []
        """Calls that may register an endpoint."""
        self.requesting: list[Candidate] = []
        """Calls that may send a request."""
        self.taking: list[tuple[Candidate, int]] = []
        """Calls that may hand a function to a framework, with the symbols around."""
        self.has_tables = may_hold_rules(builder.source)
        self.tables: list[Table] = []
        """Lists that may hold rules of endpoints."""
        self.decorated: dict[int, list[str]] = {}
        """Class → its decorators."""

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """See Visitor."""
        return _CAPTURES, handlers(_METHODS, self, self.uses, self.flow, self.definitions)

    def finish(self) -> None:
        """Set exports by `__all__` if the file has one, and add roles and endpoints."""
        listed = {export.name for export in self.builder.exports}
        if listed:
            for draft in self.builder.drafts[1:]:
                if draft.parent == 0:
                    draft.exported = draft.name in listed
                else:
                    draft.exported = draft.exported and self.builder.drafts[draft.parent].exported
        self.builder.declare_late_symbols()
        roles(self.builder, self.decorated, self.definitions.decorating, self.definitions.wrapping)
        endpoints(self.builder, self.candidates, self.tables)
        framework_calls(self.builder, self.definitions.registered, self.taking)
        lifecycle_calls(self.builder)
        requests(self.builder, [*self.candidates, *self.requesting])

    def on_function(self, node: Node, start: int, end: int) -> None:
        """Add a function or method: its symbol, scope and parameters."""
        builder = self.builder
        decorators = self.definitions.decorators.pop((start, end), [])
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = builder.text(name_node) if name_node is not None else "?"
        in_class = self._in_class()
        kind = Symbols.FUNCTION
        if in_class:
            kind = Symbols.CONSTRUCTOR if name == "__init__" else Symbols.METHOD
        draft = builder.declare(name, kind, node)
        draft.is_overload = any(decorator.rpartition(".")[2] == "overload" for decorator in decorators)
        draft.exported = self._is_public(name)
        draft.signature = builder.head(start, body, end)
        draft.doc = docstring(body, builder) or draft.doc
        returns = node.child_by_field_name("return_type")
        draft.returns = type_of(returns, builder) if returns is not None else draft.returns
        draft.head = function_of(node, builder)
        draft.traits |= traits_of(decorators, draft.signature)
        draft.value = self.definitions.outermost.pop((start, end), None)
        index = builder.functions[start, end] = builder.index(draft)
        if self.definitions.fixtures.is_wanted:
            self.definitions.fixtures.function(index, node, name, (start, end))
        self.definitions.wrapped(node, name, decorators)
        if (builder.frames[-1].scope, name) not in builder.bound or not is_untyped(node):
            builder.bind(name, Bindings.SYMBOL, draft.line, index)
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

    def _in_class(self) -> bool:
        return self.builder.scopes[self.builder.frames[-1].scope][0] is Scopes.CLASS

    def _is_public(self, name: str) -> bool:
        """Whether a name is public: at the top level or in a public class, and not `_private`."""
        frame = self.builder.frames[-1]
        at_top = frame.scope == 0 or (self._in_class() and self.builder.drafts[frame.symbol].exported)
        return at_top and (not name.startswith("_") or name.startswith("__"))

    def _parameters(self, parameters: Node | None, receiver: OwnType | None) -> None:
        """Bind parameters; `receiver` is the type of the first one, if it has one by its place."""
        builder = self.builder
        for node in parameters.named_children if parameters is not None else ():
            name, annotation, value = parameter(node, builder)
            if name is not None:
                if receiver is not None and annotation is None:
                    annotation = receiver
                    self.receivers[builder.frames[-1].scope] = builder.text(name)
                line = builder.line(node)
                builder.bind(builder.text(name), Bindings.PARAMETER, line, type_=annotation, value=value)
                receiver = None

    def on_class(self, node: Node, start: int, end: int) -> None:
        """Add a class: its symbol, scope and bases."""
        builder = self.builder
        decorators = self.definitions.decorators.pop((start, end), None)
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        draft = builder.declare(builder.text(name_node) if name_node is not None else "?", Symbols.CLASS, node)
        draft.exported = self._is_public(draft.name)
        draft.signature = builder.head(start, body, end)
        draft.doc = docstring(body, builder)
        given = node.child_by_field_name("superclasses")
        bases = [base for base in (given.named_children if given is not None else ()) if base.type not in _NO_BASES]
        draft.bases = tuple(base_class(base, builder) for base in bases)
        index = builder.index(draft)
        if decorators:
            self.decorated[index] = decorators
            self.definitions.fixtures.class_(index, node)
        if (builder.frames[-1].scope, draft.name) not in builder.bound or not is_untyped(node):
            builder.bind(draft.name, Bindings.SYMBOL, draft.line, index)
        draft.inner = builder.add_scope(Scopes.CLASS, index)
        builder.push(end, draft.inner, index, draft.qualified + ".")
        for variable in type_parameters(bases, builder):
            builder.bind(variable, Bindings.TYPE_PARAMETER, draft.line)
        self._type_parameters(node)

    def _type_parameters(self, node: Node) -> None:
        """Bind the type parameters in brackets: `def first[T](…)`."""
        builder = self.builder
        listed = node.child_by_field_name("type_parameters")
        for part in listed.named_children if listed is not None else ():
            name = builder.text(part).partition(":")[0].partition("=")[0].strip(" *")
            builder.bind(name, Bindings.TYPE_PARAMETER, builder.line(part))

    def on_lambda(self, node: Node, _start: int, end: int) -> None:
        """Open the scope of a lambda."""
        self._nameless(end, Scopes.ARROW)
        self._parameters(node.child_by_field_name("parameters"), None)

    def on_comprehension(self, _node: Node, _start: int, end: int) -> None:
        """Open the scope of a comprehension's variables."""
        self._nameless(end, Scopes.BLOCK)

    def _nameless(self, end: int, kind: ScopeKind) -> None:
        builder = self.builder
        frame = builder.frames[-1]
        builder.push(end, builder.add_scope(kind, builder.scopes[frame.scope][2]), frame.symbol, frame.prefix)

    def on_assign(self, node: Node, _start: int, _end: int) -> None:
        """Add a variable or property: `a = …`, `a: T`, `self.a = …`."""
        builder = self.builder
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None:
            return
        type_ = node.child_by_field_name("type")
        for _ in range(_CHAINED):
            if right is None or right.type != "assignment":
                break
            right = right.child_by_field_name("right")
        value = expression(right, builder) if right is not None else None
        annotation = type_of(type_, builder) if type_ is not None else None
        if value is not None and is_bare_qualifier(annotation):
            annotation = None
        if self.has_tables and right is not None and right.type == "list":
            self.tables.append(Table(right, builder.text(left), builder.frames[-1].scope))
        kind = left.type
        if kind == "identifier":
            name = builder.text(left)
            self._assigned(name, node, annotation, value, right)
            if name == "__all__" and right is not None:
                self._listed(right)
            elif name == "pytest_plugins" and right is not None:
                for plugin in self.definitions.fixtures.plugins(right):
                    builder.add_import(plugin, "", "", node, ImportKind.DYNAMIC)
        elif kind == "attribute":
            self._attribute(written(expression(left, builder)), node, annotation, value)
        elif kind in _PATTERNS and builder.scopes[builder.frames[-1].scope][0] in (Scopes.MODULE, Scopes.CLASS):
            self._unpacked(left)
        elif kind in _PATTERNS:
            self.flow.taken(left, value)

    def _unpacked(self, pattern: Node) -> None:
        """Declare each name of `a, (b, *c) = …` at the top level or in a class."""
        for part in pattern.named_children:
            if part.type == "identifier":
                self._assigned(self.builder.text(part), part, None, UNKNOWN)
                self.unpacked.add(part.start_byte)
            elif part.type in _PATTERNS or part.type == "list_splat_pattern":
                self._unpacked(part)

    def _assigned(
        self,
        name: str,
        node: Node,
        annotation: TypeExpression | None,
        value: Expression | None,
        right: Node | None = None,
    ) -> None:
        builder = self.builder
        frame, line = builder.frames[-1], builder.line(node)
        kind = builder.scopes[frame.scope][0]
        known = (frame.scope, name) in builder.bound
        if kind not in (Scopes.MODULE, Scopes.CLASS) or known:
            builder.bind(name, Bindings.LOCAL, builder.end_line(node), type_=annotation, value=value)
            return
        symbol = Symbols.CONSTANT if name.isupper() else Symbols.VARIABLE
        draft = builder.declare(name, Symbols.PROPERTY if kind is Scopes.CLASS else symbol, node)
        draft.exported = self._is_public(name)
        draft.type, draft.value, draft.signature = annotation, value, builder.line_of(node)
        is_alias = isinstance(annotation, str) and annotation.rpartition(".")[2] == "TypeAlias"
        if right is not None and (is_alias or right.type in _ALIASES):
            draft.type, draft.returns = None if is_alias else annotation, type_of(right, builder)
        draft.traits |= Trait.STATIC
        builder.bind(name, Bindings.SYMBOL, line, builder.index(draft))

    def _attribute(self, target: str, node: Node, annotation: TypeExpression | None, value: Expression | None) -> None:
        """Add `self.x = …` in a method as a property of the class, unless the class declares it."""
        builder = self.builder
        owner, _, name = target.rpartition(".")
        frame = builder.frames[-1]
        parent = builder.drafts[frame.symbol].parent
        if parent > 0 and owner == self.receivers.get(frame.scope):
            builder.add_assigned(parent, name, node, value, annotation)

    def _listed(self, right: Node) -> None:
        """Add the strings of `__all__` as exports; a sum of lists is read, too."""
        for item in right.named_children:
            if item.type == "string":
                name = self.builder.text(item).strip("'\"")
                self.builder.exports.append(Export(name, name, "", self.builder.line(item)))
            elif item.type in ("list", "tuple", "binary_operator", "parenthesized_expression"):
                self._listed(item)

    def on_alias(self, node: Node, _start: int, end: int) -> None:
        """Add a `type X = …` statement."""
        builder = self.builder
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and left.named_children and left.named_children[0].type == "identifier":
            draft = builder.declare(builder.text(left.named_children[0]), Symbols.TYPE, node)
            draft.type = type_of(right, builder) if right is not None else None
            draft.signature, draft.exported = builder.head(node.start_byte, None, end), self._is_public(draft.name)
            builder.bind(draft.name, Bindings.SYMBOL, draft.line, builder.index(draft))

    def on_outer(self, node: Node, _start: int, _end: int) -> None:
        """Bind `global` and `nonlocal` names to the enclosing scopes."""
        for name in node.named_children:
            self.builder.bind(self.builder.text(name), Bindings.OUTER, self.builder.line(node))

    def on_import(self, node: Node, _start: int, _end: int) -> None:
        """Add the imports of an import statement."""
        import_statement(self.builder, node)

    def on_bind(self, node: Node, _start: int, _end: int) -> None:
        """Bind a name of a loop, a pattern, `with`, `except` or `:=`."""
        if node.start_byte in self.unpacked:
            return
        builder = self.builder
        name = builder.text(node)
        type_, value = builder.expected_of(name)
        parent = node.parent if self.has_walrus or name == "__all__" else None  # py-tree-sitter finds parents slowly
        if value is None and parent is not None and parent.type == "named_expression":
            given = parent.child_by_field_name("value")
            value = expression(given, builder) if given is not None else None
        builder.bind(name, Bindings.LOCAL, builder.line(node), type_=type_, value=UNKNOWN if value is None else value)
        if name == "__all__" and parent is not None:
            right = parent.child_by_field_name("right")
            if right is not None:
                self._listed(right)

    def on_return(self, node: Node, _start: int, _end: int) -> None:
        """Add a return value; a list may hold rules of endpoints."""
        if self.has_tables and node.type == "list":
            self.tables.append(Table(node, "", self.builder.frames[-1].scope))
        self.flow.returned(node)

    def on_call(self, node: Node, start: int, end: int) -> None:
        """Add a call."""
        builder = self.builder
        self.uses.member_start = start
        callee: Expression = builder.plain_callee(start, end)
        types: tuple[TypeExpression, ...] = ()
        if not callee:
            function = node.child_by_field_name("function")
            callee = expression(function, builder) if function is not None else UNKNOWN
            if function is not None and function.type == "subscript":
                types = class_arguments(function, builder)
        scope = builder.frames[-1].scope
        if start < self.parameter_ends.get(scope, 0):  # a parameter's default is evaluated in the enclosing scope
            scope = builder.scopes[scope][1]
        number = builder.add_call(node, Edges.CALL, callee, (start, end), types, scope)
        name = last_name(callee)
        if name[:1].isupper():
            self._given_fields(node, Result(number))
        if callee == "isinstance" or callee == "issubclass":
            narrow(builder, node, is_class=callee == "issubclass")
        elif callee in ITERATING:
            self._iterated(node, number)
        if self.has_tables:
            self.tables.extend(tables_in(node, callee, builder.frames[-1].scope))
        if name in TAKING:
            self.taking.append((Candidate(node, callee, scope), builder.frames[-1].symbol))
        if name in CANDIDATES or name.endswith("Router") or (name in DECORATORS and _is_placed(node)):
            self.candidates.append(Candidate(node, callee, builder.frames[-1].scope))
        elif name in REQUESTING and may_request(builder, node):
            self.requesting.append(Candidate(node, callee, builder.frames[-1].scope))
        elif name == USES:
            self.definitions.fixtures.mark(node)
        elif callee in _LISTING:
            arguments = node.child_by_field_name("arguments")
            if arguments is not None:
                self._listed(arguments)

    def on_decorator(self, node: Node, start: int, _end: int) -> None:
        """Add a decorator without arguments as a reference, because it is no call."""
        self.uses.member_start = start
        self.builder.add_use(node, Edges.REFERENCE, expression(node, self.builder))

    def _iterated(self, call: Node, number: int) -> None:
        """Record the only positional argument of a call, whose elements make the result."""
        arguments = call.child_by_field_name("arguments")
        if arguments is not None and arguments.type == "generator_expression":
            given = [arguments]
        else:
            given = arguments.named_children if arguments is not None else []
            given = [part for part in given if part.type not in _NOT_POSITIONAL]
        if len(given) == 1:
            self.builder.first_arguments[number] = expression(given[0], self.builder)

    def _given_fields(self, call: Node, made: Result) -> None:
        """Add the keyword arguments of a call of a class as writes of its fields, which it has by those names."""
        arguments = call.child_by_field_name("arguments")
        for part in arguments.named_children if arguments is not None else ():
            name = part.child_by_field_name("name") if part.type == "keyword_argument" else None
            if name is not None:
                self.builder.add_access(name, Edges.WRITE, extended(made, Item(Take.FIELDS), self.builder.text(name)))


def _is_placed(call: Node) -> bool:
    """Whether a call stands where a route may: as a decorator, or in a list."""
    return call.parent is not None and call.parent.type in ("decorator", "list")


_METHODS = located(_CAPTURES, Python, _Uses, Flow, Decorators)
