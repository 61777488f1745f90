"""Visitor methods for the names that Python's code binds: assignments, aliases, loops, patterns, `global`."""

from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Typed, written
from bearings.code.file_facts import Export, ImportKind, Trait
from bearings.code.languages.python.conditions import end_of_block, is_conditional
from bearings.code.languages.python.definitions import Definitions
from bearings.code.languages.python.filled import Filled
from bearings.code.languages.python.flow import Flow
from bearings.code.languages.python.frameworks.tornado import Tables
from bearings.code.languages.python.names import expression, is_public, key_of, under_key
from bearings.code.languages.python.type_nodes import is_bare_qualifier, type_of
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.type_expressions import TypeExpression

_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})
_ALIASES = frozenset({"subscript", "binary_operator"})
_CHAINED = 4
"""The most names in `a = b = … = value` that are followed to the value."""


class Assignments:
    """Visitor methods for assignments and other bindings."""

    def __init__(self, builder: Builder, definitions: Definitions, flow: Flow, tables: Tables, filled: Filled) -> None:
        self.builder = builder
        self.definitions = definitions
        self.flow = flow
        self.tables = tables
        self.has_walrus = b":=" in builder.source
        self.filled = filled
        self.unpacked: set[int] = set()
        """Starts of names that were declared by unpacking, and need no other binding."""

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
        if self.tables.are_wanted and right is not None:
            self.tables.add(right, builder.text(left))
        if type(annotation) is str and right is not None and right.type == "dictionary":
            for pair in right.named_children:
                key = pair.child_by_field_name("key")
                if key is not None and (name := key_of(key, builder)).isidentifier():
                    builder.add_access(key, Edges.WRITE, under_key(Typed(annotation), name))
        kind = left.type
        if kind == "identifier":
            name = builder.text(left)
            self._assigned(name, node, annotation, value, right)
            if name == "__all__" and right is not None:
                list_exports(builder, right)
            elif name == "pytest_plugins" and right is not None:
                for plugin in self.definitions.decorators.fixtures.plugins(right):
                    builder.add_import(plugin, "", "", node, ImportKind.DYNAMIC)
        elif kind == "attribute":
            self._attribute(left, node, annotation, value, right)
        elif kind in _PATTERNS and builder.scopes[builder.frames[-1].scope][0] in (Scopes.MODULE, Scopes.CLASS):
            self._unpacked(left)
        elif kind in _PATTERNS and right is not None:
            self.flow.taken_apart(left, right)
        elif kind == "subscript" and value is not None and right is not None:
            self.filled.assigned(left, value, right)

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
            if annotation is None:
                key = -frame.symbol if kind is Scopes.CLASS else frame.scope
                self.filled.made(right, key, name, None if known else len(builder.bindings))
            builder.bind(name, Bindings.LOCAL, builder.end_line(node), type_=annotation, value=value)
            if known and type(value) is str and kind is Scopes.FUNCTION and is_conditional(node):
                builder.bind("|", Bindings.LOCAL, builder.end_line(node), end_of_block(node), value=name)
            return
        symbol = Symbols.CONSTANT if name.isupper() else Symbols.VARIABLE
        draft = builder.declare(name, Symbols.PROPERTY if kind is Scopes.CLASS else symbol, node)
        draft.exported = is_public(builder, name)
        draft.type, draft.value, draft.signature = annotation, value, builder.line_of(node)
        is_alias = isinstance(annotation, str) and annotation.rpartition(".")[2] == "TypeAlias"
        if right is not None and (is_alias or right.type in _ALIASES):
            draft.type, draft.returns = None if is_alias else annotation, type_of(right, builder)
        draft.traits |= Trait.STATIC
        if annotation is None:
            in_class = kind is Scopes.CLASS
            self.filled.made(right, -frame.symbol if in_class else frame.scope, name, draft)
        builder.bind(name, Bindings.SYMBOL, line, builder.index(draft))

    def _attribute(
        self,
        left: Node,
        node: Node,
        annotation: TypeExpression | None,
        value: Expression | None,
        right: Node | None = None,
    ) -> None:
        """Add `self.x = …` in a method as a property of the class, unless the class declares it."""
        builder = self.builder
        owner, _, name = written(expression(left, builder)).rpartition(".")
        frame = builder.frames[-1]
        parent = builder.drafts[frame.symbol].parent
        if parent > 0 and owner == self.definitions.receivers.get(frame.scope):
            builder.add_assigned(parent, name, node, value, annotation)
            if annotation is None:
                self.filled.made(right, -parent, name, builder.assigned[parent, name])
        else:
            self.filled.replaced(left, right)

    def on_alias(self, node: Node, _start: int, end: int) -> None:
        """Add a `type X = …` statement."""
        builder = self.builder
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and left.named_children and left.named_children[0].type == "identifier":
            draft = builder.declare(builder.text(left.named_children[0]), Symbols.TYPE, node)
            draft.type = type_of(right, builder) if right is not None else None
            draft.signature, draft.exported = builder.head(node.start_byte, None, end), is_public(builder, draft.name)
            builder.bind(draft.name, Bindings.SYMBOL, draft.line, builder.index(draft))

    def on_outer(self, node: Node, _start: int, _end: int) -> None:
        """Bind `global` and `nonlocal` names to the enclosing scopes."""
        for name in node.named_children:
            self.builder.bind(self.builder.text(name), Bindings.OUTER, self.builder.line(node))

    def on_bind(self, node: Node, _start: int, _end: int) -> None:
        """Bind a name of a loop, a pattern, `with`, `except` or `:=`."""
        if node.start_byte in self.unpacked:
            return
        builder = self.builder
        name = builder.text(node)
        type_, value = builder.expectations.of_name(builder.frames[-1].scope, name)
        parent = node.parent if self.has_walrus or name == "__all__" else None  # py-tree-sitter finds parents slowly
        if value is None and parent is not None and parent.type == "named_expression":
            given = parent.child_by_field_name("value")
            value = expression(given, builder) if given is not None else None
        builder.bind(name, Bindings.LOCAL, builder.line(node), type_=type_, value=UNKNOWN if value is None else value)
        if name == "__all__" and parent is not None:
            right = parent.child_by_field_name("right")
            if right is not None:
                list_exports(builder, right)


def list_exports(builder: Builder, right: Node) -> None:
    """Add the strings of `__all__` as exports; a sum of lists is read, too."""
    for item in right.named_children:
        if item.type == "string":
            name = builder.text(item).strip("'\"")
            builder.exports.append(Export(name, name, "", builder.line(item)))
        elif item.type in ("list", "tuple", "binary_operator", "parenthesized_expression"):
            list_exports(builder, item)
