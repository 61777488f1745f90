"""The visitor of Go: one method per capture, called in the order of the source."""

from collections.abc import Callable

from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Item, Result, Take, Typed, extended, last_name, root_of
from bearings.code.file_facts import BindingKind, ImportKind
from bearings.code.languages.go.locals import Locals
from bearings.code.languages.go.names import Names, comment_above, guessed_name, is_exported
from bearings.code.languages.go.printed import PRINTING, printed
from bearings.code.languages.go.requests import CANDIDATES as REQUESTING
from bearings.code.languages.go.requests import go_requests
from bearings.code.languages.go.routes import CANDIDATES as ROUTED
from bearings.code.languages.go.routes import go_endpoints, hands_on
from bearings.code.languages.go.statements import Statements
from bearings.code.languages.go.tables import Table, is_table
from bearings.code.languages.go.type_nodes import (
    base_name,
    function_type,
    named_as,
    result_type,
    type_arguments,
    type_of,
)
from bearings.code.languages.go.types import Types
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.handlers import handlers, located
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.member_uses import MemberUses
from bearings.code.languages.shared.nodes import first
from bearings.code.languages.shared.routes import Candidate
from bearings.code.type_expressions import ArrayType, FunctionType, MapType, ObjectType, TypeExpression

_CAPTURES = (
    "package", "import", "function", "type", "field", "member", "embedded", "const", "var", "block", "short", "range",
    "receive", "typeswitch", "call", "new", "list", "named", "assigned",
    "indexed", "write", "access",
)  # fmt: skip
"""In the order in which nodes with the same span are visited."""
_MOST_FIELDS = 30
"""A literal with more elements and no keys is a list."""
_DEEPEST = 3
"""The levels of literals without a type whose fields are read."""
_NO_PARAMETERS = FunctionType((), None)
_CONSTRAINT = b"//go:build "
_CANDIDATES = ROUTED | REQUESTING


class Go:
    """The visitor. See Visitor for the order of nodes and frames.

    The Shape of the file's module holds facts about its package: `type` is the package's name, `value` the file's build
    constraint as written.
    """

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.local_names = Locals()
        names = self.names = Names(builder, self.local_names)
        self.uses = MemberUses(builder, lambda node, _start: names.expression(node))  # no `self`: see EcmaScript
        self.types = Types(builder, self.local_names)
        self.statements = Statements(builder, self.names, self.local_names)
        self.candidates: list[Candidate] = []
        self.tables: list[Table] = []
        self._serves: bool | None = None
        self._printing: set[str] = set()
        """The names of packages that print."""

    def handlers(self) -> tuple[tuple[str, ...], list[Callable[..., None]]]:
        """See Visitor."""
        return _CAPTURES, handlers(_METHODS, self, self.uses, self.types, self.statements)

    def finish(self) -> None:
        """Set the types of this file as parents of their methods, add endpoints and requests, drop unused bindings."""
        drafts = self.builder.drafts
        owners = {draft.qualified: index for index, draft in enumerate(drafts) if draft.parent == 0}
        for draft in drafts[1:]:
            if draft.kind is Symbols.METHOD and draft.parent == 0:
                owner = owners.get(draft.qualified.rpartition(".")[0], 0)
                draft.parent = owner
        go_endpoints(self.builder, self.names, self.candidates, self.tables)
        go_requests(self.builder, self.candidates)
        self.statements.forget_unused()

    def on_package(self, node: Node, start: int, _end: int) -> None:
        """Store the package of the file and its build constraint."""
        builder, module = self.builder, self.builder.drafts[0]
        name = node.named_children[0] if node.named_children else None
        builder.package = builder.text(name) if name is not None else ""
        module.signature, module.doc = f"package {builder.package}", comment_above(builder.source, start)
        head = builder.source[:start]
        at = head.find(_CONSTRAINT)
        if at == 0 or (at > 0 and head[at - 1] == ord("\n")):
            builder.build = head[at + len(_CONSTRAINT) :].partition(b"\n")[0].decode("utf-8", "replace").strip()

    def on_import(self, node: Node, _start: int, _end: int) -> None:
        """Add an import: of a package, of all its names (`.`), or for its side effects (`_`)."""
        builder = self.builder
        path_node, name_node = node.child_by_field_name("path"), node.child_by_field_name("name")
        path = builder.text(path_node)[1:-1] if path_node is not None else ""
        name = builder.text(name_node) if name_node is not None else ""
        if path in PRINTING:
            self._printing.add(name or path)
        if name == ".":
            builder.add_import(path, "*", "", node)
        elif name == "_":
            builder.add_import(path, "", "", node)
        elif path == "C":
            builder.add_import(path, "", "C", node)
        else:
            builder.add_import(path, "*" if name else "", name or guessed_name(path), node, ImportKind.STATIC)

    def on_function(self, node: Node, start: int, end: int) -> None:
        """Add a function or method: symbol, scope and parameters. A function literal belongs to the outer function."""
        body = node.child_by_field_name("body")
        self.local_names.function(start, end)
        inside = (body.start_byte, body.end_byte) if body is not None else (end, end)
        if node.type == "func_literal":
            self._literal(node, end)
        else:
            self._declared(node, body, start, end)
            self._parameters(node.child_by_field_name("receiver"), inside)
        self._parameters(node.child_by_field_name("parameters"), inside)
        result = node.child_by_field_name("result")
        if result is not None and result.type == "parameter_list":
            self._parameters(result, inside, Bindings.LOCAL)

    def _literal(self, node: Node, end: int) -> None:
        """Add a use of the types of a function literal, and open its scope outside all functions (see Locals)."""
        builder = self.builder
        if (type_ := function_type(node, builder)) != _NO_PARAMETERS:
            builder.typed(node, type_)
        frame = builder.frames[-1]
        if frame.scope == 0:
            builder.push(end, builder.add_scope(Scopes.FUNCTION, frame.symbol), frame.symbol, frame.prefix)

    def _declared(self, node: Node, body: Node | None, start: int, end: int) -> None:
        builder = self.builder
        name_node, receiver = node.child_by_field_name("name"), node.child_by_field_name("receiver")
        name = builder.text(name_node) if name_node is not None else "?"
        own = next((child.child_by_field_name("type") for child in receiver.named_children), None) if receiver else None
        owner = base_name(own, builder)
        kind = Symbols.METHOD if receiver is not None else Symbols.FUNCTION
        draft = builder.declare(name, kind, node, prefix=f"{owner}." if owner else "")
        index = builder.functions[start, end] = builder.index(draft)
        draft.exported = is_exported(name) and (receiver is None or is_exported(owner))
        draft.signature, draft.doc = builder.head(start, body, end), comment_above(builder.source, start)
        draft.returns, draft.type = result_type(node, builder), function_type(node, builder)
        if receiver is None and name not in ("_", "init"):
            builder.bind(name, Bindings.SYMBOL, draft.line, index)
        draft.inner = builder.add_scope(Scopes.FUNCTION, index)
        builder.push(end, draft.inner, index, draft.qualified + ".")
        if own is not None:
            self._receiver_generics(own)
        self.types.generics(node.child_by_field_name("type_parameters"))

    def _receiver_generics(self, own: Node) -> None:
        """Bind the names that a method's receiver gives to the type parameters of its type."""
        while own.type in ("pointer_type", "parenthesized_type") and own.named_children:
            own = own.named_children[0]
        given = own.child_by_field_name("type_arguments") if own.type == "generic_type" else None
        for child in given.named_children if given is not None else ():
            self.builder.bind(self.builder.text(child), Bindings.TYPE_PARAMETER, self.builder.line(child))

    def _parameters(self, listed: Node | None, inside: tuple[int, int], kind: BindingKind = Bindings.PARAMETER) -> None:
        builder = self.builder
        for child in listed.named_children if listed is not None else ():
            type_ = child.child_by_field_name("type")
            names = named_as(child)
            if type_ is None or not names:
                continue
            taken = type_of(type_, builder)
            if child.type == "variadic_parameter_declaration":
                taken = ArrayType(taken)
            for name in names:
                written = builder.text(name)
                if written != "_":
                    local = self.local_names.declare(written, *inside)
                    builder.bind(local, kind, builder.line(child), type_=taken)

    def on_call(self, node: Node, start: int, end: int) -> None:
        """Add a call, or a conversion that is written like one."""
        builder = self.builder
        self.uses.member_start = start
        name = builder.plain_callee(start, end)
        allocated = self.names.allocated(node) if name == "make" else None
        if allocated is not None:
            builder.typed(allocated, type_of(allocated, builder))
        if name and name != "func":
            chain = self.names.chain(name, start)
            package, _, member = chain.partition(".")
            if package in self._printing:
                printed(node, member, self.names, builder)
            self._plain(node, chain, start, end)
            return
        allocated = self.names.allocated(node) if builder.source.startswith(b"new(", start) else None
        if allocated is not None:
            builder.add_call(node, Edges.NEW, Typed(type_of(allocated, builder)), (start, end))
            return
        types: tuple[TypeExpression, ...] = ()
        callee: Expression = UNKNOWN
        function = None
        if node.type == "type_conversion_expression":
            type_ = node.child_by_field_name("type")
            if type_ is not None:
                callee, types = self._instantiated(type_)
        else:
            function, given = node.child_by_field_name("function"), node.child_by_field_name("type_arguments")
            callee = self.names.expression(function) if function is not None else UNKNOWN
            types = self._given(given)
            if function is not None and function.type == "index_expression":  # or a function with a type argument
                index = function.child_by_field_name("index")
                types = (type_of(index, builder),) if index is not None else ()
        self._plain(node, callee, start, end, types, function)

    def _plain(
        self,
        node: Node,
        callee: Expression,
        start: int,
        end: int,
        types: tuple[TypeExpression, ...] = (),
        function: Node | None = None,
    ) -> None:
        given = self.names.given(node)
        self.builder.add_call(node, Edges.CALL, callee, (start, end), types, arguments=given, function=function)
        if last_name(callee) in _CANDIDATES or self._hands_on():
            self.candidates.append(Candidate(node, callee, self.builder.frames[-1].scope))

    def _hands_on(self) -> bool:
        """Whether calls of this file may hand a router on; imports come before calls."""
        if self._serves is None:
            self._serves = hands_on(self.builder)
        return self._serves

    def _instantiated(self, type_: Node) -> tuple[Expression, tuple[TypeExpression, ...]]:
        """Return the callee and the type arguments of `F[A](x)`, which the grammar parses as a conversion."""
        builder = self.builder
        if type_.type != "generic_type":
            return Typed(type_of(type_, builder)), ()
        name, given = type_.child_by_field_name("type"), type_.child_by_field_name("type_arguments")
        callee = self.names.chain(builder.text(name), type_.start_byte) if name is not None else UNKNOWN
        return callee, self._given(given)

    def _given(self, listed: Node | None) -> tuple[TypeExpression, ...]:
        """Return the type arguments of a call, and add their uses: of `arr[i](x)`, parsed like one, the value `i`."""
        types = type_arguments(listed, self.builder)
        for node, type_ in zip(listed.named_children if listed is not None else (), types, strict=True):
            plain = first(node)
            if plain is not None and plain.type == "type_identifier":
                self.on_named(plain, plain.start_byte, plain.end_byte)
            else:
                self.builder.typed(node, type_)
        return types

    def on_new(self, node: Node, start: int, end: int) -> None:
        """Add a composite literal `T{…}` as a construction that writes the fields whose names it has."""
        type_, body = node.child_by_field_name("type"), node.child_by_field_name("body")
        callee = Typed(type_of(type_, self.builder)) if type_ is not None else UNKNOWN
        whole = Result(self.builder.add_call(node, Edges.NEW, callee, (start, end)))
        self._fields(body, whole, 0)
        self._places(body, callee)
        self._table(node, type_)

    def _table(self, node: Node, type_: Node | None) -> None:
        if is_table(type_):
            self.tables.append(Table(node, self.builder.frames[-1].scope))

    def _fields(self, body: Node | None, whole: Expression, depth: int) -> None:
        """Add the fields that a literal writes, also those of the literals without a type inside it."""
        for part in body.named_children if body is not None else ():
            key = part.child_by_field_name("key")
            name = first(key)
            if name is not None and name.type == "identifier":
                self.builder.add_access(name, Edges.WRITE, extended(whole, self.builder.text(name)))
            value = part if part.type == "literal_element" else part.child_by_field_name("value")
            inner = first(value)
            if inner is not None and inner.type == "literal_value" and depth < _DEEPEST:
                each = extended(whole, Item(Take.EACH))
                self._fields(inner, each, depth + 1)
                self._places(inner, each)

    def _places(self, body: Node | None, whole: Expression) -> None:
        """Add the fields that a literal without keys writes, by their places."""
        parts = [part for part in body.named_children if part.type != "comment"] if body is not None else []
        root = root_of(whole)
        if len(parts) <= _MOST_FIELDS and type(root) is Typed and _is_of_named(root.type):
            for place, part in enumerate(parts):
                if part.type == "literal_element":
                    field = extended(whole, Item(Take.FIELDS, place))
                    self.builder.add_access(part, Edges.WRITE, field, line=self.builder.line(part))

    def on_list(self, node: Node, _start: int, _end: int) -> None:
        """Add a use of the type of `[]T{…}` or `map[K]T{…}`, and of the fields that its literals write."""
        type_ = node.child_by_field_name("type")
        if type_ is not None:
            whole = Typed(type_of(type_, self.builder))
            self.builder.add_use(node, Edges.REFERENCE, whole)
            self._fields(node.child_by_field_name("body"), whole, 0)
            self._table(node, type_)

    def on_named(self, node: Node, start: int, _end: int) -> None:
        """Add a use of a name that is a value, unless it is a local variable."""
        name = self.builder.text(node)
        if not self.local_names.find(name, start) and name != "_":
            self.builder.add_use(node, Edges.REFERENCE, name)

    def on_indexed(self, node: Node, start: int, end: int) -> None:
        """Add a use of a table, a key or a type argument; the callee `first` of `first[Bead]()` has a call."""
        whole = node.parent
        call = whole.parent if whole is not None else None
        if whole is None or call is None or call.type != "call_expression" or whole.named_children[0] != node:
            self.on_named(node, start, end)


def _is_of_named(type_: TypeExpression) -> bool:
    """Whether the innermost elements of a type may be of a struct that has a name."""
    while isinstance(type_, (ArrayType, MapType)):
        type_ = type_.element if isinstance(type_, ArrayType) else type_.value
    return not isinstance(type_, ObjectType) and type_ != "string"


_METHODS = located(_CAPTURES, Go, MemberUses, Types, Statements)
