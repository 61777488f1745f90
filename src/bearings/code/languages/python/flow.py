"""Visitor methods that infer values from Python's statements: loops, `with`, `except`, unpacking, returns."""

from tree_sitter import Node

from bearings.code.expressions import Expression, Item, Listed, Several, Take, Typed, extended, is_known
from bearings.code.file_facts import Binding, Trait
from bearings.code.languages.python.names import PATTERNS, expression, names_taken
from bearings.code.languages.python.operators import OBJECTS, Operators
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.nodes import around, first

_TAKING = frozenset(
    {
        "dotted_name",
        "as_pattern",
        "class_pattern",
        "integer",
        "string",
        "float",
        "tuple_pattern",
        "true",
        "false",
        "none",
    }
)
_WRITTEN = frozenset({"expression_list", "tuple", "list"})
_RETURNS = 4
"""The most return values that are stored for a function: with a fifth, the types repeat or are too mixed to help."""


class Flow:
    """Visitor methods for statements that bind names to values."""

    def __init__(self, builder: Builder, operators: Operators) -> None:
        self.builder = builder
        self.operators = operators

    def taken(self, target: Node, value: Expression | None) -> None:
        """Preset the names of an assignment target to their parts of a value."""
        if value is None or not is_known(value):
            return
        builder = self.builder
        for name, part in names_taken(target, value):
            builder.expectations.names[builder.frames[-1].scope, builder.text(name)] = None, part

    def taken_apart(self, target: Node, value: Node) -> None:
        """Preset the names of an assignment target; a tuple's parts to the parts of a tuple that is written out."""
        parts = [part for part in value.named_children if part.type != "comment"] if value.type in _WRITTEN else []
        targets = target.named_children if target.type in PATTERNS else []
        is_plain = not any("splat" in part.type for part in (*parts, *targets))
        if is_plain and len(parts) == len(targets) > 0:
            for one, given in zip(targets, parts, strict=True):
                self.taken_apart(one, given)
        else:
            self.taken(target, expression(value, self.builder))

    def on_loop(self, node: Node, _start: int, _end: int) -> None:
        """Preset the names of a loop to elements of the iterated value, and add the call of its method."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None:
            value = expression(right, self.builder)
            self.taken(left, extended(value, Item(Take.EACH)))
            if right.type in OBJECTS:
                self.operators.add(right, value, "__aiter__" if node.children[0].type == "async" else "__iter__")

    def on_as(self, node: Node, _start: int, _end: int) -> None:
        """Preset the name of `with … as x` to the entered context, that of `except E as x` to an instance of E."""
        parts = node.named_children
        if len(parts) != 2 or parts[1].type != "as_pattern_target" or not parts[1].named_children:
            return
        parent = node.parent
        is_caught = parent is not None and parent.type.startswith("except")
        step = Item(Take.CAUGHT if is_caught else _entered(parent))
        self.taken(parts[1].named_children[0], extended(expression(parts[0], self.builder), step))

    def on_tested(self, node: Node, _start: int, _end: int) -> None:
        """Add the attributes that `case Point(x=1)` reads, and preset the names that it binds."""
        builder, parts = self.builder, node.named_children
        name = builder.chain(parts[0])
        if not name:
            return
        whole = Typed(name)
        self._matched(node, whole)
        for place, part in enumerate(parts[1:]):
            given = first(part) if part.type == "case_pattern" else None
            if given is not None and given.type in _TAKING and builder.text(given) != "_":  # `Point(x, 1)`
                member = extended(whole, Item(Take.FIELDS, place))
                builder.add_access(given, Edges.READ, member)
                if given.type == "dotted_name" and given.named_child_count == 1:
                    self.taken(given.named_children[0], member)
            elif given is not None and given.type == "keyword_pattern":
                key, value = given.named_children[0], given.named_children[-1]
                member = extended(whole, builder.text(key))
                builder.add_access(key, Edges.READ, member)
                if value.type == "dotted_name" and value.named_child_count == 1:
                    self.taken(value.named_children[0], member)

    def _matched(self, pattern: Node, whole: Typed) -> None:
        """Preset the name of `case Point() as p`, and narrow a subject that is a name in the body of the case."""
        around = pattern.parent
        outer = around.parent if around is not None else None
        if outer is not None and outer.type == "as_pattern":
            self.taken(outer.named_children[-1], whole)
            around = outer.parent
            outer = around.parent if around is not None else None
        if outer is None or outer.type != "case_clause" or outer.parent is None or outer.parent.parent is None:
            return
        subjects = outer.parent.parent.children_by_field_name("subject")
        body = outer.child_by_field_name("consequence")
        is_whole = [part.type for part in outer.named_children].count("case_pattern") == 1
        if is_whole and body is not None and len(subjects) == 1 and subjects[0].type == "identifier":
            lines = outer.start_point[0], body.end_point[0] + 2
            scope, name = self.builder.frames[-1].scope, self.builder.text(subjects[0])
            self.builder.narrowed.append(Binding(scope, name, Bindings.NARROWED, *lines, whole.type))

    def returned(self, node: Node) -> None:
        """Bind the value of a return statement to its function; to an annotated one an inner function alone."""
        builder = self.builder
        here, scope = builder.frames[-1].scope, builder.scope_of(Scopes.FUNCTION)
        if scope < 0 or builder.return_counts.get(scope, 0) >= _RETURNS:
            return
        if scope in builder.declared_returns and not self._is_inner_function(node, builder.scopes[scope][2]):
            return
        value = expression(node, builder)
        is_generator = builder.drafts[builder.scopes[scope][2]].traits & Trait.GENERATOR
        if is_known(value) and type(value) is not Several and not is_generator:
            builder.add_return(node, scope, here, value)

    def _is_inner_function(self, node: Node, outer: int) -> bool:
        """Whether a value is the name of a function that the function at `outer` defines."""
        name = self.builder.text(node) if node.type == "identifier" else ""
        inner = self.builder.drafts[outer + 1 :] if name else ()
        return any(draft.name == name and draft.parent == outer and draft.kind is Symbols.FUNCTION for draft in inner)

    def on_yield(self, node: Node, _start: int, _end: int) -> None:
        """Bind a value that a generator yields as an element of its result."""
        builder = self.builder
        here, scope = builder.frames[-1].scope, builder.scope_of(Scopes.FUNCTION)
        if scope < 0:
            return
        draft = builder.drafts[builder.scopes[scope][2]]
        if not draft.traits & Trait.GENERATOR:
            draft.traits |= Trait.GENERATOR
            builder.returns = [row for row in builder.returns if row.scope != scope]
        if scope in builder.declared_returns:
            return
        whole = node.parent
        is_from = whole is not None and whole.children[1].type == "from"
        value = expression(node, builder)
        if is_known(value) and type(value) is not Several and builder.return_counts.get(scope, 0) < _RETURNS:
            builder.add_return(node, scope, here, Listed(extended(value, Item(Take.EACH)) if is_from else value))


def _entered(item: Node | None) -> Take:
    """Return what a `with` statement binds, which may be asynchronous."""
    whole = around(item, {"with_statement"})
    return Take.ENTERED_ASYNC if whole is not None and whole.children[0].type == "async" else Take.ENTERED
