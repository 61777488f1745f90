"""The visitor of Python: one method per capture, called in the order of the source."""

from collections.abc import Callable

from tree_sitter import Node

from bearings.code.languages.python.decorators import Decorators, traits_of
from bearings.code.languages.python.names import (
    base_class,
    docstring,
    expression,
    import_statement,
    parameter,
    type_parameters,
    type_text,
)
from bearings.code.languages.python.roles import roles
from bearings.code.languages.python.routes import DECORATORS, endpoints, is_candidate
from bearings.code.languages.python.tests import is_untyped, narrow
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.routes import Candidate
from bearings.code.models import Export, ScopeKind, Trait

_CAPTURES = (
    "decorated", "function", "class", "lambda", "comprehension", "assign", "alias", "outer", "import", "loop", "as",
    "bind", "call", "decorator", "return",
)  # fmt: skip
"""In the order in which nodes with the same span are visited."""
_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})
_NO_BASES = frozenset({"keyword_argument", "comment", "list_splat", "dictionary_splat"})
_ALIASES = frozenset({"subscript", "binary_operator"})
_LISTING = ("__all__.append", "__all__.extend", "__all__.insert")
_CHAINED = 4
"""The most names in `a = b = … = value` that are followed to the value."""


class Python(Decorators):
    """The visitor. See Visitor for the order of nodes and frames."""

    def __init__(self, builder: Builder) -> None:
        self.into = builder
        self.has_walrus = b":=" in builder.source
        self.decorators: dict[tuple[int, int], list[str]] = {}
        self.parameter_ends: dict[int, int] = {}
        """Scope of a function → the end of its parameters."""
        self.outermost: dict[tuple[int, int], str] = {}
        self.receivers: dict[int, str] = {}
        """Scope of a method → the name of its first parameter (`self`, `cls`)."""
        self.unpacked: set[int] = set()
        """Starts of names that were declared by unpacking, and need no other binding."""
        self.candidates: list[Candidate] = []
        """Calls that may register an endpoint."""
        self.decorated: dict[int, list[str]] = {}
        """Class → its decorators."""
        self.decorating: set[str] = set()
        self.wrapping: set[int] = set()

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """See Visitor."""
        return _CAPTURES, _METHODS

    def finish(self) -> None:
        """Set exports by `__all__` if the file has one, and add roles and endpoints."""
        listed = {export.name for export in self.into.exports}
        if listed:
            for draft in self.into.drafts[1:]:
                if draft.parent == 0:
                    draft.exported = draft.name in listed
                else:
                    draft.exported = draft.exported and self.into.drafts[draft.parent].exported
        self.into.declare_late_symbols()
        roles(self.into, self.decorated, self.decorating, self.wrapping)
        endpoints(self.into, self.candidates)

    def on_function(self, node: Node, start: int, end: int) -> None:
        """Add a function or method: its symbol, scope and parameters."""
        into = self.into
        decorators = self.decorators.pop((start, end), [])
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        name = into.text(name_node) if name_node is not None else "?"
        in_class = self._in_class()
        kind = Symbols.FUNCTION
        if in_class:
            kind = Symbols.CONSTRUCTOR if name == "__init__" else Symbols.METHOD
        draft = into.declare(name, kind, node)
        draft.is_overload = any(decorator.rpartition(".")[2] == "overload" for decorator in decorators)
        draft.exported = self._is_public(name)
        draft.signature = into.head(start, body, end)
        draft.doc = docstring(body, into) or draft.doc
        returns = node.child_by_field_name("return_type")
        draft.returns = type_text(returns, into) if returns is not None else draft.returns
        draft.traits |= traits_of(decorators, draft.signature)
        draft.value = self.outermost.pop((start, end), "")
        index = into.functions[start, end] = into.index(draft)
        self.wrapped(node, name, decorators)
        if (into.frames[-1].scope, name) not in into.bound or not is_untyped(node):
            into.bind(name, Bindings.SYMBOL, draft.line, index)
        draft.inner = into.scope(Scopes.FUNCTION, index)
        if draft.returns:
            into.declared_returns[draft.inner] = draft.returns
        into.push(end, draft.inner, index, draft.qualified + ".")
        parameters = node.child_by_field_name("parameters")
        if parameters is not None:
            self.parameter_ends[draft.inner] = parameters.end_byte
        is_bound = in_class and "staticmethod" not in decorators
        receiver = "@cls" if "classmethod" in decorators or name in ("__new__", "__init_subclass__") else "@self"
        self._parameters(parameters, receiver if is_bound else "")

    def _in_class(self) -> bool:
        return self.into.scopes[self.into.frames[-1].scope][0] is Scopes.CLASS

    def _is_public(self, name: str) -> bool:
        """Whether a name is public: at the top level or in a public class, and not `_private`."""
        frame = self.into.frames[-1]
        at_top = frame.scope == 0 or (self._in_class() and self.into.drafts[frame.symbol].exported)
        return at_top and (not name.startswith("_") or name.startswith("__"))

    def _parameters(self, parameters: Node | None, receiver: str) -> None:
        """Bind parameters; `receiver` is the type of the first one (`@self`, `@cls`), or empty."""
        into = self.into
        for node in parameters.named_children if parameters is not None else ():
            name, annotation, value = parameter(node, into)
            if name is not None:
                if receiver and not annotation:
                    annotation = receiver
                    self.receivers[into.frames[-1].scope] = into.text(name)
                line = into.line(node)
                into.bind(into.text(name), Bindings.PARAMETER, line, type_=annotation, value=value)
                receiver = ""

    def on_class(self, node: Node, start: int, end: int) -> None:
        """Add a class: its symbol, scope and bases."""
        into = self.into
        decorators = self.decorators.pop((start, end), None)
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        draft = into.declare(into.text(name_node) if name_node is not None else "?", Symbols.CLASS, node)
        draft.exported = self._is_public(draft.name)
        draft.signature = into.head(start, body, end)
        draft.doc = docstring(body, into)
        given = node.child_by_field_name("superclasses")
        bases = [base for base in (given.named_children if given is not None else ()) if base.type not in _NO_BASES]
        draft.bases = tuple(base_class(base, into) for base in bases)
        index = into.index(draft)
        if decorators:
            self.decorated[index] = decorators
        if (into.frames[-1].scope, draft.name) not in into.bound or not is_untyped(node):
            into.bind(draft.name, Bindings.SYMBOL, draft.line, index)
        draft.inner = into.scope(Scopes.CLASS, index)
        into.push(end, draft.inner, index, draft.qualified + ".")
        for variable in type_parameters(bases, into):
            into.bind(variable, Bindings.TYPE_PARAMETER, draft.line)

    def on_lambda(self, node: Node, _start: int, end: int) -> None:
        """Open the scope of a lambda."""
        self._nameless(end, Scopes.ARROW)
        self._parameters(node.child_by_field_name("parameters"), "")

    def on_comprehension(self, _node: Node, _start: int, end: int) -> None:
        """Open the scope of a comprehension's variables."""
        self._nameless(end, Scopes.BLOCK)

    def _nameless(self, end: int, kind: ScopeKind) -> None:
        into = self.into
        frame = into.frames[-1]
        into.push(end, into.scope(kind, into.scopes[frame.scope][2]), frame.symbol, frame.prefix)

    def on_assign(self, node: Node, _start: int, _end: int) -> None:
        """Add a variable or property: `a = …`, `a: T`, `self.a = …`."""
        into = self.into
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None:
            return
        type_ = node.child_by_field_name("type")
        for _ in range(_CHAINED):
            if right is None or right.type != "assignment":
                break
            right = right.child_by_field_name("right")
        value = expression(right, into) if right is not None else ""
        annotation = type_text(type_, into) if type_ is not None else ""
        kind = left.type
        if kind == "identifier":
            name = into.text(left)
            self._assigned(name, node, annotation, value, right)
            if name == "__all__" and right is not None:
                self._listed(right)
        elif kind == "attribute":
            self._attribute(expression(left, into), node, annotation, value)
        elif kind in _PATTERNS and into.scopes[into.frames[-1].scope][0] in (Scopes.MODULE, Scopes.CLASS):
            self._unpacked(left)
        elif kind in _PATTERNS:
            self.taken(left, value)

    def _unpacked(self, pattern: Node) -> None:
        """Declare each name of `a, (b, *c) = …` at the top level or in a class."""
        for part in pattern.named_children:
            if part.type == "identifier":
                self._assigned(self.into.text(part), part, "", "?")
                self.unpacked.add(part.start_byte)
            elif part.type in _PATTERNS or part.type == "list_splat_pattern":
                self._unpacked(part)

    def _assigned(self, name: str, node: Node, annotation: str, value: str, right: Node | None = None) -> None:
        into = self.into
        frame, line = into.frames[-1], into.line(node)
        kind = into.scopes[frame.scope][0]
        known = (frame.scope, name) in into.bound
        if kind not in (Scopes.MODULE, Scopes.CLASS) or known:
            into.bind(name, Bindings.LOCAL, into.end_line(node), type_=annotation, value=value)
            return
        symbol = Symbols.CONSTANT if name.isupper() else Symbols.VARIABLE
        draft = into.declare(name, Symbols.PROPERTY if kind is Scopes.CLASS else symbol, node)
        draft.exported = self._is_public(name)
        draft.type, draft.value, draft.signature = annotation, value, into.line_of(node)
        if right is not None and (right.type in _ALIASES or annotation.rpartition(".")[2] == "TypeAlias"):
            draft.type, draft.returns = annotation.rpartition(".")[0], type_text(right, into)
        draft.traits |= Trait.STATIC
        into.bind(name, Bindings.SYMBOL, line, into.index(draft))

    def _attribute(self, target: str, node: Node, annotation: str, value: str) -> None:
        """Add `self.x = …` in a method as a property of the class."""
        into = self.into
        owner, _, name = target.rpartition(".")
        frame = into.frames[-1]
        parent = into.drafts[frame.symbol].parent
        if parent > 0 and owner == self.receivers.get(frame.scope):
            into.assigned(parent, name, node, value, annotation)

    def _listed(self, right: Node) -> None:
        """Add the strings of `__all__` as exports; a sum of lists is read, too."""
        for item in right.named_children:
            if item.type == "string":
                name = self.into.text(item).strip("'\"")
                self.into.exports.append(Export(name, name, "", self.into.line(item)))
            elif item.type in ("list", "tuple", "binary_operator", "parenthesized_expression"):
                self._listed(item)

    def on_alias(self, node: Node, _start: int, end: int) -> None:
        """Add a `type X = …` statement."""
        into = self.into
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and left.named_children and left.named_children[0].type == "identifier":
            draft = into.declare(into.text(left.named_children[0]), Symbols.TYPE, node)
            draft.type = type_text(right, into) if right is not None else ""
            draft.signature, draft.exported = into.head(node.start_byte, None, end), self._is_public(draft.name)
            into.bind(draft.name, Bindings.SYMBOL, draft.line, into.index(draft))

    def on_outer(self, node: Node, _start: int, _end: int) -> None:
        """Bind `global` and `nonlocal` names to the enclosing scopes."""
        for name in node.named_children:
            self.into.bind(self.into.text(name), Bindings.OUTER, self.into.line(node))

    def on_import(self, node: Node, _start: int, _end: int) -> None:
        """Add the imports of an import statement."""
        import_statement(self.into, node)

    def on_bind(self, node: Node, _start: int, _end: int) -> None:
        """Bind a name of a loop, a pattern, `with`, `except` or `:=`."""
        if node.start_byte in self.unpacked:
            return
        into = self.into
        name = into.text(node)
        type_, value = into.expected_of(name)
        parent = node.parent if self.has_walrus or name == "__all__" else None  # py-tree-sitter finds parents slowly
        if not value and parent is not None and parent.type == "named_expression":
            given = parent.child_by_field_name("value")
            value = expression(given, into) if given is not None else ""
        into.bind(name, Bindings.LOCAL, into.line(node), type_=type_, value=value or "?")
        if name == "__all__" and parent is not None:
            right = parent.child_by_field_name("right")
            if right is not None:
                self._listed(right)

    def on_call(self, node: Node, start: int, end: int) -> None:
        """Add a call."""
        into = self.into
        name = into.plain_callee(start, end)
        if not name:
            callee = node.child_by_field_name("function")
            name = expression(callee, into) if callee is not None else "?"
        scope = into.frames[-1].scope
        if start < self.parameter_ends.get(scope, 0):  # a parameter's default is evaluated in the enclosing scope
            scope = into.scopes[scope][1]
        into.call(node, Edges.CALL, name, (start, end), scope=scope)
        if name == "isinstance":
            narrow(into, node)
        if is_candidate(name) and (name.rpartition(".")[2] not in DECORATORS or _decorates(node)):
            self.candidates.append(Candidate(node, name, into.frames[-1].scope))
        elif name in _LISTING:
            arguments = node.child_by_field_name("arguments")
            if arguments is not None:
                self._listed(arguments)


def _decorates(call: Node) -> bool:
    return call.parent is not None and call.parent.type == "decorator"


_METHODS: list[Callable[..., None]] = [getattr(Python, f"on_{name}") for name in _CAPTURES]
