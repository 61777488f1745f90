"""The visitor of languages with declared types, whose classes differ by name: Declared, and types.

The symbols, kinds and imports are those of the language's query, see declared.py. Beside them the facts have

- of a method the `head`: its parameters with their types, its result, its type parameters and their limits;
- of a field, a constant of an enumeration, a component of a record the `type`; of a class its bases with arguments;
- rows for type parameters, parameters and locals: `target` is the last line on which a local can be seen, and a local
  without a type has its initializer as value;
- for a class without a name a scope of its own, in which the row `new` has the type that it extends; its value is
  Properties of that scope;
- what a function without a name returns; a function that is named as a value is one, too, with `()` for its `returns`:
  the result of a call of the named one;
- for `a + b` the element `+` of a list of both, and for `c ? a : b` any element of such a list;
- for a further namespace of a file a scope, in which the row `namespace` has its name;
- the callees and the arguments of calls as expressions; an unknown argument is None;
- for a name in a case the tested value, as the only argument;
- a mention for a name that may mean a field which is read or written: of a member, or alone and of no local.

A visitor of one language says what its nodes mean: see the abstract methods. The query captures as `@row` the nodes
that declare locals, functions without a name, and the bodies of classes without a name.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import (
    UNKNOWN,
    Expression,
    Function,
    Item,
    Parameter,
    Properties,
    Result,
    Step,
    Take,
    Typed,
    extended,
    is_known,
)
from bearings.code.file_facts import SPLAT, Base, CallSite, Trait
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.declared import CALLABLE, TYPES, Declared, Enclosing, modifiers
from bearings.code.languages.shared.declared_captures import LOWER, CapturedNode
from bearings.code.languages.shared.declared_rules import Rules
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.nodes import COMMENTS, around
from bearings.code.models import EdgeKind
from bearings.code.type_expressions import FunctionType, IndexedType, IntersectionType, TypedParameter, TypeExpression

NEW = "new"
"""The row of a class without a name that has the type which it extends."""
NAMESPACE = "namespace"
"""The row of a namespace that is not the file's package."""
_TRAITS = {"static": Trait.STATIC, "private": Trait.PRIVATE, "partial": Trait.PARTIAL}
_is_trait = re.compile(rf"\b(?:{'|'.join(_TRAITS)})\b").findall
DEEPEST = 100
"""Values or types inside of each other to follow: `"a" + "b" + …` of generated code has thousands."""
_EACH = Item(Take.EACH)
ANY_NUMBER = (None,), (SPLAT,)
"""The arguments of a callee that is named but not called, and the words before them."""


class Local(NamedTuple):
    """A local that a node declares: its name, type or value. Without either, it takes what a loop over `each` takes.

    `steps` lead from there to the local; `given` is a value that no node has. It is seen from `line` to `last`; without
    them, from the line of its name to the end of the block.
    """

    name: Node
    type: TypeExpression | None = None
    value: Node | None = None
    each: Node | None = None
    steps: tuple[Step, ...] = ()
    given: Expression | None = None
    line: int = 0
    last: int = 0


class Nominal(Declared):
    """See the module; a language's own visitor is a subclass."""

    def __init__(self, builder: Builder, rules: Rules) -> None:
        super().__init__(builder, rules)
        self._depth = 0
        self._functions: dict[tuple[int, int], tuple[int, range]] = {}
        """Span of a function without a name → its scope, and the rows of its parameters."""
        self._bodies: dict[tuple[int, int], int] = {}
        """Span of the body of a class without a name → its scope."""
        self._last_lines: dict[tuple[int, str], int] = {}
        """Scope and name of a local → the last line on which it is seen."""

    # What a language's nodes mean

    has_types: ClassVar[bool] = True
    blocks: ClassVar[frozenset[str]] = frozenset()
    """Types of nodes at whose end the locals in them end."""
    functions: ClassVar[frozenset[str]] = frozenset()
    """Types of nodes that are functions without a name."""
    returning: ClassVar[frozenset[str]] = frozenset({"return_statement"})
    """Types of nodes whose value the function around them returns."""
    result_fields: ClassVar[tuple[str, ...]] = ("type",)
    """Fields of a function's node that may hold the type of its result."""

    @abstractmethod
    def type_of(self, node: Node) -> TypeExpression | None:
        """The type that a node names; None for one that is inferred."""

    names: ClassVar[frozenset[str]] = frozenset()
    """Types of nodes whose value is what their text names."""
    literals: ClassVar[Mapping[str, Expression]] = {}
    """Values of nodes by their types."""
    same: ClassVar[Mapping[str, str]] = {}
    """Types of nodes that have the value of a part: its field, or empty for the first named child."""
    readers: ClassVar[Mapping[str, Callable[[Any, Node], Expression | None]]] = {}
    """Methods that read the value of a node, by its type."""

    @abstractmethod
    def called(self, name: Node) -> tuple[Expression, Sequence[Node] | None]:
        """The callee whose name a node is, and the arguments; None for a callee that is named alone."""

    @abstractmethod
    def constructed(self, name: Node) -> tuple[Expression, Sequence[Node] | None]:
        """The class that is constructed, and the arguments; None for a constructor that is named alone."""

    @abstractmethod
    def qualified(self, name: Node) -> Expression:
        """The type or the member whose name a node is."""

    members: ClassVar[frozenset[str]] = frozenset()
    """Types of nodes that are a member of a value, whose name ends them."""
    written: ClassVar[Mapping[str, str]] = {}
    """Types of nodes that assign to a part: its field, or empty for the first named child or the only one."""
    labels: ClassVar[Mapping[str, str]] = {}
    """Types of nodes in which a name is no value: in a field of theirs, or anywhere if that is empty."""

    components: ClassVar[frozenset[str]] = frozenset()
    """Types of nodes that declare a field with a method of its name that reads it."""

    def tested(self, name: Node) -> Node | None:
        """The value that is compared with a name in a case: it may be a constant of the value's enumeration."""
        del name
        return None

    @abstractmethod
    def declared_type(self, node: Node, name: Node) -> TypeExpression | None:
        """The type of the field that a node declares by a name."""

    @abstractmethod
    def parameters(self, node: Node) -> Iterator[tuple[Node, TypeExpression | None, bool]]:
        """The parameters of a function: name, type, whether it takes all further arguments."""

    def is_optional(self, name: Node) -> bool:
        """Whether a call may leave out the parameter with this name."""
        del name
        return False

    def word(self, argument: Node) -> str:
        """The name of the parameter for which an argument is written; empty for none."""
        del argument
        return ""

    def type_arguments(self, name: Node) -> tuple[TypeExpression, ...]:
        """The type arguments behind the name that is used."""
        del name
        return ()

    @abstractmethod
    def generics(self, node: Node) -> Iterator[tuple[Node, list[Node]]]:
        """The type parameters that a node declares, and the types that limit each."""

    @abstractmethod
    def bases(self, node: Node) -> tuple[list[Node], list[Node]]:
        """The types that a class extends, and those that it implements."""

    def returned(self, node: Node) -> Node | None:
        """The value that a function without a name, or a statement in its body, returns; None for any other node."""
        del node
        return None

    @abstractmethod
    def locals(self, node: Node) -> Iterator[Local]:
        """The locals that a node declares."""

    def base_of_nameless(self, node: Node) -> Node | None:
        """The type that the body of a class without a name extends; None for any other node."""
        del node
        return None

    # Types and values

    def type_in(self, node: Node | None, field: str = "type") -> TypeExpression | None:
        """The type that a node has in a field."""
        part = node.child_by_field_name(field) if node is not None else None
        return self.type_of(part) if part is not None else None

    def value(self, node: Node | None) -> Expression | None:
        """The value of an expression; None if it is not followed."""
        if node is None:
            return None
        kind = node.type
        if kind in self.names:
            return self._builder.text(node)
        known = self.literals.get(kind)
        if known is not None:
            return known
        read = self.readers.get(kind)
        if read is None or self._depth > DEEPEST:
            return None
        self._depth += 1
        value = read(self, node)
        self._depth -= 1
        return value

    def value_in(self, node: Node | None, field: str) -> Expression | None:
        """The value that a node has in a field."""
        return self.value(node.child_by_field_name(field)) if node is not None else None

    def on_same(self, node: Node) -> Expression | None:
        """See `same`."""
        field = self.same[node.type]
        return self.value_in(node, field) if field else self.value(next(iter(node.named_children), None))

    def result(self, name: Node | None) -> Expression | None:
        """The result of the call of a name."""
        number = self._builder.site_at.get(name.byte_range) if name is not None else None
        return Result(number) if number is not None else None

    # Declarations

    def _open_namespace(self, whole: str, node: Node, end: int) -> None:
        """Opens the scope of a namespace that is not the file's package."""
        builder = self._builder
        frame = builder.frames[-1]
        scope = builder.add_scope(Scopes.BLOCK, frame.symbol)
        builder.bind(NAMESPACE, Bindings.TYPE, builder.line(node), type_=whole, scope=scope)
        builder.push(end, scope, frame.symbol, frame.prefix)
        self._enclosing.append(self._enclosing[-1])

    def _definition(self, captured: CapturedNode) -> None:
        drafts = self._builder.drafts
        before = len(drafts)
        super()._definition(captured)
        for draft in drafts[before:]:
            self._type(draft, captured)

    def _type(self, draft: Draft, captured: CapturedNode) -> None:
        """Adds the types of a declaration, and the rows of its type parameters and parameters."""
        builder, node = self._builder, captured.node
        for word in _is_trait(modifiers(draft.signature, draft.name)):
            draft.traits |= _TRAITS[word]
        if draft.kind in TYPES:
            extended_types, implemented = self.bases(node)
            draft.bases = tuple(self._base_of(each) for each in extended_types)
            draft.implements = tuple(type_ for each in implemented if (type_ := self.type_of(each)) is not None)
            self._bind_generics(node, draft.inner)
        elif draft.kind in CALLABLE and draft.inner >= 0:
            builder.functions[node.byte_range] = builder.index(draft)
            self._head(draft, node, self._bind_generics(node, draft.inner))
            draft.traits |= Trait.ABSTRACT if self._body(captured) is None else 0
        elif draft.kind not in CALLABLE:
            own_name = next((each for each in captured.names if builder.text(each) == draft.name), None)
            owner = builder.drafts[draft.parent]
            draft.type = self.declared_type(node, own_name) if own_name is not None else None
            draft.traits |= Trait.ACCESSOR if node.type in self.components else 0
            if draft.type is None and owner.kind is Symbols.ENUM:
                draft.type = owner.name
            if draft.inner >= 0 and self._enclosing[-1].is_type:  # the member of an enumeration that has a body
                builder.scopes[draft.inner] = Scopes.CLASS, *builder.scopes[draft.inner][1:]
                builder.bind(NEW, Bindings.TYPE, draft.line, type_=owner.name, scope=draft.inner)

    def _head(self, draft: Draft, node: Node, generics: list[str]) -> None:
        """Adds the parameters of a function, with their rows, and the type of its result."""
        builder, parameters = self._builder, list[TypedParameter]()
        for name, type_, rest in self.parameters(node):
            parameters.append(TypedParameter(builder.text(name), type_, rest, self.is_optional(name)))
            self._bind_parameter(name, type_, draft.inner)
        draft.head = FunctionType(tuple(parameters), self.result_of(node), tuple(generics))

    def result_of(self, node: Node) -> TypeExpression | None:
        """The type of what a function returns."""
        results = (node.child_by_field_name(field) for field in self.result_fields)
        return next((self.type_of(each) for each in results if each is not None), None)

    def _bind_parameter(self, node: Node, type_: TypeExpression | None, scope: int) -> None:
        builder, name = self._builder, self._builder.text(node)
        builder.bind(name, Bindings.PARAMETER, builder.line(node), type_=type_, scope=scope)
        self._last_lines[scope, name] = builder.lines

    def _base_of(self, node: Node) -> Base:
        type_ = self.type_of(node)
        name = type_ if isinstance(type_, str) else getattr(type_, "name", "")
        return Base(name, tuple(getattr(type_, "arguments", ())))

    def _bind_generics(self, node: Node, scope: int) -> list[str]:
        names, builder = [], self._builder
        for name, limits in self.generics(node):
            types = [type_ for each in limits if (type_ := self.type_of(each)) is not None]
            limit = IntersectionType(tuple(types)) if len(types) > 1 else next(iter(types), None)
            names.append(builder.text(name))
            builder.bind(names[-1], Bindings.TYPE_PARAMETER, builder.line(name), type_=limit, scope=scope)
        return names

    def _base(self, kind: EdgeKind, name: str) -> None:
        """See Declared: the bases are read from the class itself."""

    # Rows

    def _on_row(self, captured: CapturedNode) -> None:
        node, builder = captured.node, self._builder
        if node.type in self.functions:
            self._function(node)
            return
        base = self.base_of_nameless(node)
        if base is not None:
            frame, here = builder.frames[-1], self._enclosing[-1]
            scope = self._body_scope(node, base)
            around = Enclosing(Symbols.CLASS, exports=False) if here.is_code else here
            self._push(captured, around, scope, frame.symbol, frame.prefix)
            return
        if self.returned(node) is not None:
            self._return(node)
            return
        last = self._last_line(node)
        for local in self.locals(node):
            value = taken(self.value(local.each), _EACH) if local.each is not None else self.value(local.value)
            value = local.given if value is None else extended(value, *local.steps)
            value = value if local.type is None else None
            name, line, last = builder.text(local.name), local.line or builder.line(local.name), local.last or last
            builder.bind(name, Bindings.LOCAL, line, last, type_=local.type, value=value)
            self._last_lines[builder.frames[-1].scope, name] = last
            if local.value is not None and local.value.type in self.functions and local.type is not None:
                self._expect(local.value, local.type)

    def _last_line(self, node: Node) -> int:
        return self._builder.end_line(around(node.parent, self.blocks) or node)

    def _function(self, node: Node) -> None:
        """Opens the scope of a function without a name; its symbol is the one around it."""
        frame, span = self._builder.frames[-1], node.byte_range
        scope = self._scope_of(node)
        around = self._builder.drafts[frame.symbol]
        is_returned = node.parent is not None and node.parent.type in self.returning
        if is_returned and around.head is not None and around.head.result and around.inner == frame.scope:
            self._expect(node, around.head.result)
        self._builder.push(span[1], scope, frame.symbol, frame.prefix)
        self._enclosing.append(self._enclosing[-1])
        self._return(node)

    def _return(self, node: Node) -> None:
        """Adds what a function without a name returns, whose scope is the innermost."""
        value, scope = self.value(self.returned(node)), self._builder.frames[-1].scope
        if value is not None:
            self._builder.add_return(node, scope, scope, value)

    def _body_scope(self, body: Node, base: Node) -> int:
        """The scope of a class without a name, perhaps before it is visited."""
        builder, span = self._builder, body.byte_range
        if span not in self._bodies:
            scope = self._bodies[span] = builder.add_scope(Scopes.CLASS, builder.frames[-1].symbol)
            builder.bind(NEW, Bindings.TYPE, builder.line(body), type_=self.type_of(base), scope=scope)
        return self._bodies[span]

    def _scope_of(self, node: Node) -> int:
        """The scope of a function without a name, in which its parameters are bound, perhaps before it is visited."""
        builder, span = self._builder, node.byte_range
        known = self._functions.get(span)
        if known is None:
            scope = builder.add_scope(Scopes.ARROW, builder.frames[-1].symbol)
            start = len(builder.bindings)
            for name, type_, _ in self.parameters(node):
                self._bind_parameter(name, type_, scope)
            known = self._functions[span] = scope, range(start, len(builder.bindings))
        return known[0]

    def _expect(self, node: Node, type_: TypeExpression | None = None, site: int = -1, argument: int = 0) -> None:
        """Gives the parameters of a function without a name what its context passes: a type, or a call's argument."""
        self._scope_of(node)
        bindings = self._builder.bindings
        for position, index in enumerate(self._functions[node.byte_range][1]):
            row = bindings[index]
            if row.type is None:
                value = Typed(IndexedType(type_, position)) if type_ else Parameter(site, argument, position)
                bindings[index] = replace(row, value=value)

    # Uses

    def _use(self, captured: CapturedNode, kind: EdgeKind) -> None:
        if self._captured.is_name(captured.start, captured.end):
            return
        node, builder = captured.node, self._builder
        if kind is Edges.REFERENCE:
            self._reference(captured)
            return
        if kind not in (Edges.CALL, Edges.NEW):
            self._type_use(captured, kind)
            return
        span = captured.start, captured.end
        callee: Expression
        given: Sequence[Node] | None
        callee, given = self.called(node) if kind is Edges.CALL else self.constructed(node)
        if given is None:
            arguments, keywords = ANY_NUMBER
            builder.add_call(node, kind, callee, span, arguments=arguments, keywords=keywords)
            return
        number = builder.site_at[span]
        for place, each in enumerate(given):
            if each.type in self.functions:
                self._expect(each, site=number, argument=place)
        words, types = list(map(self.word, given)), self.type_arguments(node)
        named = next((place for place, word in enumerate(words) if word), len(words))
        values = tuple(map(self.value, given))
        builder.add_call(node, kind, callee, span, types, arguments=values, keywords=tuple(words[named:]))

    def _reference(self, captured: CapturedNode) -> None:
        """Adds the use of a name: of a class or a field, or of a field alone, which may be written."""
        node, builder, around = captured.node, self._builder, captured.node.parent
        is_field = builder.source[captured.start] in LOWER
        whole: Node | None = around
        if around is None or not (around.type in self.members and around.end_byte == captured.end):
            whole = None
        if is_field and not (whole or self._may_be_field(node, around)):
            return
        written = self._is_written(whole or node, around.parent if whole and around else around)
        tested = self.tested(node) if whole is None else None
        arguments = (self.value(tested),) if tested is not None else ()
        if is_field or written:
            kind = Edges.WRITE if written else Edges.READ
            use = CallSite(kind, self.qualified(node), builder.line(node), builder.frames[-1].scope, (), arguments)
            if is_known(use.callee):
                builder.accesses.setdefault((use.line, use.kind, use.callee), use)
            return
        self._type_use(captured, Edges.REFERENCE, arguments)

    def _type_use(self, captured: CapturedNode, kind: EdgeKind, arguments: tuple[Expression | None, ...] = ()) -> None:
        """Adds the use of a type, with its arguments."""
        builder, types = self._builder, self.type_arguments(captured.node)
        count = len(builder.uses)
        self._use_name(captured, kind, self.qualified(captured.node))
        if (arguments or types) and len(builder.uses) > count:
            builder.uses[-1] = replace(builder.uses[-1], arguments=arguments, types=types)

    def _may_be_field(self, node: Node, around: Node | None) -> bool:
        """Whether a name alone may mean a field."""
        part = self.labels.get(around.type) if around is not None else None
        label = around.child_by_field_name(part) if part and around is not None else None
        is_label = part == "" or (label is not None and label.byte_range == node.byte_range)
        return not is_label and not self._is_local(node)

    def _is_local(self, node: Node) -> bool:
        """Whether a local of the functions around a name has it."""
        builder, name = self._builder, self._builder.text(node)
        scope = builder.frames[-1].scope
        while scope >= 0:
            last = self._last_lines.get((scope, name))
            if last is not None and builder.line(node) <= last:
                return True
            kind, around, _ = builder.scopes[scope]
            scope = around if kind is not Scopes.CLASS else -1
        return False

    def _is_written(self, whole: Node, around: Node | None) -> bool:
        """Whether a name or member is assigned to, by the node around it."""
        part = self.written.get(around.type) if around is not None else None
        if part is None or around is None:
            return False
        target = around.child_by_field_name(part) if part else around.named_children[0]
        return target is not None and target.byte_range == whole.byte_range

    def function(self, node: Node, type_: TypeExpression | None = None) -> Expression:
        """The value of a function without a name, which may be expected to be of a type."""
        if type_ is not None:
            self._expect(node, type_)
        return Function(self._scope_of(node))

    def named_function(self, node: Node, result: Expression | None) -> Expression:
        """The value of a function that is named: one without a name, which returns a result of it."""
        is_new = node.byte_range not in self._functions
        scope = self._scope_of(node)
        if is_new and result is not None:
            self._builder.add_return(node, scope, scope, result)
        return Function(scope, FunctionType(()))

    def nameless(self, body: Node) -> Expression | None:
        """The value of an object whose class has no name, by the body of the class."""
        base = self.base_of_nameless(body)
        return Properties(self._body_scope(body, base)) if base is not None else None

    def member(self, node: Node | None, name: str) -> Expression:
        """A member of a value."""
        value = self.value(node)
        return extended(UNKNOWN if value is None else value, name)


def taken(value: Expression | None, *steps: Step) -> Expression | None:
    """A value with further steps; None if it is not followed."""
    return extended(value, *steps) if value is not None else None


def typed(type_: TypeExpression | None) -> Typed | None:
    """A value of a type; None if this is not known."""
    return Typed(type_) if type_ is not None else None


def parts_of(node: Node | None) -> list[Node]:
    """The named children of a list, without comments."""
    return [each for each in node.named_children if each.type not in COMMENTS] if node is not None else []


def child_of(node: Node, kind: str) -> Node | None:
    """The first named child of a kind."""
    return next((each for each in node.named_children if each.type == kind), None)
