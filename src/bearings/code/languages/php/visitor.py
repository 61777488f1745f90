"""The visitor of PHP: what its nodes mean, and its documentation comments. See languages/shared/nominal.py.

A name of a class is written whole in the facts, by the namespace and the `use` clauses of its file: `Shop.Model.Cart`.
Beside the rows of every typed language the body of a class has these, which no variable can be called:

- `use` for each trait, mixin, and class behind a facade;
- `first()` for a method that `insteadof` chooses, which has it as value, or that a comment declares, with its result;
- `this.name` for a property that a comment declares.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import ClassVar, Final

from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Item, Result, Take, Typed, extended, root_of
from bearings.code.file_facts import Base
from bearings.code.languages.line_conventions import Idioms
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.declared_captures import CapturedNode
from bearings.code.languages.shared.declared_rules import Rules
from bearings.code.languages.shared.documented_types import (
    CLASS_STRING,
    NO_DOC,
    SCALARS,
    UNTYPED,
    Doc,
    joined,
    merged,
    read,
    type_parameters,
    variables,
)
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.nominal import DEEPEST, Local, Nominal, child_of, taken, typed
from bearings.code.languages.shared.whole_names import WholeNames
from bearings.code.models import EdgeKind, SymbolKind
from bearings.code.type_expressions import ArrayType, ImportType, OwnType, TypeExpression, TypeReference

_ACCESSOR: Final = "getFacadeAccessor"
"""The method of a facade that returns the class whose methods can be called on it."""
_MOST_VALUES: Final = 12
"""Values that a function returns, or elements of an array, whose types are looked at."""
_SEARCHED: Final = 2_000
"""Bytes of a value in which the variable that it is assigned to is searched."""
_MOST_SIGNS: Final = 20
"""Operators around a test of a class that are followed."""
_SIGNS: Final = ("&&", "and"), ("||", "or")
_SELVES: Final = frozenset({"self", "static"})
_NAMES: Final = frozenset({"name", "qualified_name", "relative_name"})
_CLASSES: Final = _NAMES | {"anonymous_class"}
_NO_REFERENCES: Final = frozenset(
    """variable_name namespace_name namespace_use_clause use_as_clause use_instead_of_clause argument named_type
    qualified_name relative_name namespace_definition""".split()
)
_ASSIGNING: Final = ("assignment_expression", "augmented_assignment_expression", "reference_assignment_expression")
_LEAVING: Final = frozenset({"return_statement", "continue_statement", "break_statement", "exit_statement"})

IDIOMS: Final = Idioms(
    idle_decorators=re.compile(
        r"(?:[\w\\]*\\)?(?:Override|Deprecated|Pure|Immutable|ArrayShape|ExpectedValues|NoReturn|Language|Internal"
        r"|ReturnTypeWillChange|SensitiveParameter|AllowDynamicProperties|CodeCoverageIgnore)$"
    ),
    hands_out=re.compile(
        rb"[\s/*]*@(?:test\b|(?!SuppressWarnings|TODO|FIXME|Deprecated|Override|Param|Return|Var|Throws|See)[A-Z])"
    ),
    scans=re.compile(
        rb"(?P<members>->\{|->\$\w+|::\$\w+\s*\(|::\{|\b(?:method|property)_exists\(|\[\s*\$this\s*,\s*[^\s'\"]"
        rb"|\bget_(?:class|object)_(?:methods|vars)\(|\bReflection\w+\(|\bconstant\()"
        rb"|(?P<module>\bfunction_exists\(\s*\$|\bget_defined_\w+\()"
    ),
)
"""Attributes for readers and checkers, annotations in comments, and code that takes members by computed names."""


class Php(Nominal):
    """The visitor; see Nominal."""

    literals: ClassVar[Mapping[str, Expression]] = {
        **dict.fromkeys(("string", "encapsed_string", "heredoc", "nowdoc"), Typed("string")),
        "integer": Typed("int"),
        "float": Typed("float"),
        "boolean": Typed("bool"),
    }
    same: ClassVar[Mapping[str, str]] = {
        "parenthesized_expression": "", "clone_expression": "", "assignment_expression": "right",
    }  # fmt: skip
    functions = frozenset({"anonymous_function", "arrow_function"})
    result_fields = ("return_type",)
    members = frozenset(
        """member_access_expression nullsafe_member_access_expression class_constant_access_expression
        scoped_property_access_expression""".split()
    )
    written: ClassVar[Mapping[str, str]] = {**dict.fromkeys(_ASSIGNING, "left"), "update_expression": ""}
    blocks = frozenset({"method_declaration", "function_definition", "program", *functions})

    def __init__(self, builder: Builder, rules: Rules) -> None:
        super().__init__(builder, rules)
        self._doc = NO_DOC
        self._read_doc = -1, NO_DOC
        """The start of the declaration above which the last comment was read, and what it says."""
        self._names = WholeNames("\\")
        self._has_package = False
        self._has_tests = b"@test" in builder.source
        self._asserted: dict[str, tuple[int, TypeExpression]] = {}
        """Variable, empty for the next one → the last line of the comment that says its type, and the type."""

    # Names

    def _on_package(self, captured: CapturedNode) -> None:
        """The file's first namespace is its package; a further one has a scope of its own, and its own imports."""
        node, builder = captured.node, self._builder
        name = node.child_by_field_name("name")
        package = self._names.dotted(builder.text(name)) if name is not None else ""
        is_first = not self._has_package
        self._has_package = True
        self._names = WholeNames("\\", package)
        if is_first:
            builder.package = package
        elif node.parent is not None and node.parent.type == "program":
            del builder.frames[1:], self._enclosing[1:]
            has_body = node.child_by_field_name("body") is not None
            self._open_namespace(package, node, node.end_byte if has_body else len(builder.source))

    def _on_import(self, captured: CapturedNode) -> None:
        node, builder = captured.node, self._builder
        if node.type != "namespace_use_declaration":
            super()._on_import(captured)
            return
        group = node.child_by_field_name("body")
        prefix = next((f"{builder.text(each)}\\" for each in node.named_children if each.type == "namespace_name"), "")
        for clause in (group or node).named_children:
            named = next((each for each in clause.named_children if each.type in _NAMES), None)
            if clause.type == "namespace_use_clause" and named is not None:
                kind = clause.child_by_field_name("type") or node.child_by_field_name("type")
                alias = clause.child_by_field_name("alias")
                module = (prefix if group is not None else "") + "".join(builder.text(named).split()).lstrip("\\")
                local = builder.text(alias) if alias is not None else module.rpartition("\\")[2]
                table = self._names.functions if kind is not None else self._names.classes
                table[local] = self._names.dotted(module)
                builder.add_import(module, "", local, clause)

    def whole_name(self, text: str) -> str:
        """See Declared."""
        return self._names.whole(text)

    def _named(self, node: Node) -> str:
        """The whole name of the class that a node names."""
        around = node.parent
        if node.type == "name" and around is not None and around.type in _NAMES:
            node, around = around, around.parent
        text = self._builder.text(node)
        if around is not None and around.type == "namespace_use_clause":
            alias = around.child_by_field_name("alias")
            return self._names.classes.get(
                self._builder.text(alias) if alias is not None else text.rpartition("\\")[2], text
            )
        return self._names.whole(text, node.start_byte)

    def _class_type(self, node: Node) -> TypeExpression | None:
        """The type of the class that a node names."""
        if node.type == "relative_scope" or (node.type == "name" and self._builder.text(node) in _SELVES):
            return OwnType() if self._builder.text(node) != "parent" else None
        return self._named(node) if node.type in _NAMES else None

    # Types

    def type_of(self, node: Node) -> TypeExpression | None:
        """See Nominal."""
        kind = node.type
        if kind in _NAMES:
            return self._class_type(node)
        if kind == "primitive_type":
            name = self._builder.text(node).lower()
            return None if name in UNTYPED or name == "iterable" else name
        if kind in ("named_type", "optional_type"):
            return self.type_of(node.named_children[0]) if node.named_children else None
        if kind in ("union_type", "intersection_type", "disjunctive_normal_form_type", "type_list"):
            if self._depth > DEEPEST:
                return None
            self._depth += 1
            types = [self.type_of(each) for each in node.named_children]
            self._depth -= 1
            return joined(types, is_all=kind == "intersection_type")
        return None

    def declared_type(self, node: Node, name: Node) -> TypeExpression | None:
        """See Nominal."""
        if node.type == "enum_case":
            return OwnType()
        said = self._doc.own
        if node.type == "property_promotion_parameter":
            said = self._doc.parameters.get(self._builder.text(name))
        return merged(self.type_in(node), said)

    def result_of(self, node: Node) -> TypeExpression | None:
        """See Nominal."""
        return merged(super().result_of(node), self._doc.result)

    def parameters(self, node: Node) -> Iterator[tuple[Node, TypeExpression | None, bool]]:
        """See Nominal."""
        listed = node.child_by_field_name("parameters")
        is_documented = node.type not in self.functions
        for each in listed.named_children if listed is not None else ():
            variable = each.child_by_field_name("name")
            if variable is None or not variable.named_children:
                continue
            name, rest = variable.named_children[0], each.type == "variadic_parameter"
            said = self._doc.parameters.get(self._builder.text(name)) if is_documented else None
            written = merged(self.type_in(each), said)
            yield name, ArrayType(written or "?") if rest else written, rest

    def generics(self, node: Node) -> Iterator[tuple[Node, list[Node]]]:
        """See Nominal: comments have them."""
        del node
        return iter(())

    def bases(self, node: Node) -> tuple[list[Node], list[Node]]:
        """See Nominal."""
        above, implemented = list[Node](), list[Node]()
        body = node.child_by_field_name("body")
        for each in (*node.named_children, *(body.named_children if body is not None else ())):
            if each.type in ("base_clause", "class_interface_clause", "use_declaration"):
                target = above if each.type == "base_clause" else implemented
                target += [part for part in each.named_children if part.type in _NAMES]
        return above, implemented

    def base_of_nameless(self, node: Node) -> Node | None:
        """See Nominal."""
        around = node.parent if node.type == "declaration_list" else None
        if around is None or around.type != "anonymous_class":
            return None
        return next(chain(*self.bases(around)), around)

    # Declarations

    def _definition(self, captured: CapturedNode) -> None:
        node = captured.node
        if node.type == "property_promotion_parameter" and node.parent is not None and node.parent.parent is not None:
            node = node.parent.parent
        self._doc = self._doc_above(node)
        super()._definition(captured)

    def _signature(self, captured: CapturedNode, kind: SymbolKind) -> str:
        head = super()._signature(captured, kind)
        is_method = kind is Symbols.METHOD and self._has_tests
        is_case = is_method and "@test" in self._comments.block_above(captured.start).split()
        return f"[Test] {head}" if is_case and not head.startswith("[") else head

    def _type(self, draft: Draft, captured: CapturedNode) -> None:
        super()._type(draft, captured)
        doc, builder = self._doc, self._builder
        if draft.inner < 0:
            return
        properties = {f"this.{name}": type_ for name, type_ in doc.properties.items()}
        methods = {f"{name}()": type_ for name, type_ in doc.methods.items()}
        for name, type_ in (*(("use", each) for each in doc.mixins), *properties.items(), *methods.items()):
            builder.bind(name, Bindings.TYPE, draft.line, type_=type_, scope=draft.inner)
        if doc.bases:
            given = {name: type_.arguments for name, type_ in doc.bases.items()}
            draft.bases = tuple(Base(each.value, given.get(str(each.value), each.arguments)) for each in draft.bases)
            draft.implements = tuple(doc.bases.get(str(each), each) for each in draft.implements)

    def _bind_generics(self, node: Node, scope: int) -> list[str]:
        for name, limit in self._doc.templates:
            self._builder.bind(name, Bindings.TYPE_PARAMETER, self._builder.line(node), type_=limit, scope=scope)
        return [name for name, _ in self._doc.templates]

    # Comments

    def _doc_above(self, node: Node) -> Doc:
        """What the documentation comment above a declaration says."""
        start = node.start_byte
        if self._read_doc[0] != start:
            text = self._comments.block_above(start)
            for name in type_parameters(text):
                self._names.variables[name] = node.end_byte
            self._read_doc = start, read(text, self._naming(start)) if "@" in text else NO_DOC
        return self._read_doc[1]

    def _on_comment(self, node: Node) -> None:
        """Takes the type that a comment gives a variable: `/** @var Cart $cart */`."""
        builder = self._builder
        text = builder.text(node)
        if "@var" not in text or self._enclosing[-1].is_type:
            return
        line = builder.end_line(node)
        for name, type_ in variables(text, self._naming(node.start_byte)):
            self._asserted[name] = line, type_
            if name:
                builder.bind(name, Bindings.LOCAL, line, self._last_line(node), type_=type_)

    def _naming(self, at: int) -> Callable[[str], str]:
        return lambda name: self._names.whole(name, at)

    # Rows

    def _on_row(self, captured: CapturedNode) -> None:
        node = captured.node
        if node.type == "comment":
            self._on_comment(node)
        elif node.type == "string_content" and (method := self._callable(node)) is not UNKNOWN:
            self._builder.add_use(node, Edges.REFERENCE, method)
        elif node.type == "use_declaration":
            self._on_traits(node)
        elif node.type == "return_statement":
            self._on_return(node)
        elif (left := node.child_by_field_name("left")) is not None and left.type == "member_access_expression":
            self._on_property(left, node.child_by_field_name("right"))
        else:
            super()._on_row(captured)

    def _on_traits(self, node: Node) -> None:
        builder = self._builder
        traits = [self._named(each) for each in node.named_children if each.type in _NAMES]
        for trait in traits:
            builder.bind("use", Bindings.TYPE, builder.line(node), type_=trait)
        for each in node.named_children:
            clauses = each.named_children if each.type == "use_list" else ()
            for clause in (one for one in clauses if one.named_children):
                method = clause.named_children[0]
                value = self.value(method) if "constant" in method.type else None
                name = builder.text(method.named_children[-1] if value is not None else method)
                if clause.type == "use_as_clause":
                    of_any = [extended(Typed(trait), name) for trait in traits[:_MOST_VALUES]]
                    for renamed in [value] if value is not None else of_any:
                        builder.add_use(method, Edges.REFERENCE, renamed)
                elif value is not None:
                    builder.bind(f"{name}()", Bindings.TYPE, builder.line(clause), value=value)

    def _on_return(self, node: Node) -> None:
        """Adds what a function without a type for its result returns, and the class behind a facade."""
        builder, frame = self._builder, self._builder.frames[-1]
        draft = builder.drafts[frame.symbol]
        value = self.value(node.named_children[0]) if node.named_children and draft.inner == frame.scope else None
        if value is None or draft.head is None:
            return
        if draft.name == _ACCESSOR and isinstance(value, Typed) and isinstance(value.type, TypeReference):
            builder.bind("use", Bindings.TYPE, builder.line(node), type_=value.type.arguments[0], scope=draft.scope)
        elif draft.head.result is None and builder.return_counts.get(frame.scope, 0) < _MOST_VALUES:
            builder.add_return(node, frame.scope, frame.scope, value)

    def _on_property(self, left: Node, right: Node | None) -> None:
        """Gives a property without a type the first value that is assigned to it: `$this->carts = new Carts`."""
        target, owner = self.value(left), self._own_class()
        if not isinstance(target, str) or target.count(".") != 1 or not target.startswith("this.") or owner < 0:
            return
        builder = self._builder
        index = builder.members.get((owner, target[5:]))
        draft = builder.drafts[index] if index is not None else None
        if right is None or draft is None or draft.kind is not Symbols.PROPERTY or draft.type or draft.value:
            return
        value = self.value(right)
        head = builder.drafts[builder.frames[-1].symbol].head
        for each in head.parameters if head is not None else ():
            if each.name == value and each.type is not None:
                value = Typed(each.type)
        if value is not None and (type(root_of(value)) in (Typed, Result) or str(value).startswith("this.")):
            draft.value = value

    def _own_class(self) -> int:
        """The symbol of the class around the code; -1 for none, or for one without a name."""
        builder = self._builder
        scope = builder.scope_of(Scopes.CLASS)
        symbol = builder.scopes[scope][2] if scope >= 0 else -1
        return symbol if symbol >= 0 and builder.drafts[symbol].inner == scope else -1

    def locals(self, node: Node) -> Iterator[Local]:
        """See Nominal."""
        if node.type == "assignment_expression":
            yield from self._on_assignment(node)
        elif node.type == "foreach_statement":
            yield from self._on_loop(node)
        elif node.type == "catch_clause":
            variable = node.child_by_field_name("name")
            if variable is not None and variable.named_children:
                yield Local(variable.named_children[0], self.type_in(node))
        else:
            yield from self._on_test(node)

    def _on_assignment(self, node: Node) -> Iterator[Local]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or right.type == "null":
            return
        if left.type == "variable_name" and left.named_children:
            name = left.named_children[0]
            text, last = self._builder.text(name), self._builder.end_line(node)
            is_own = f"${text}" in self._builder.between(
                right.start_byte, min(right.end_byte, right.start_byte + _SEARCHED)
            )
            yield Local(name, self._said(text, node), right, line=last + is_own)
        elif left.type in ("list_literal", "array_creation_expression"):
            for each in left.named_children:
                variable = each.named_children[-1] if each.named_children else each
                variable = variable if variable.type == "variable_name" else each
                if variable.type == "variable_name" and variable.named_children:
                    yield Local(variable.named_children[0], each=right, line=self._builder.end_line(node))

    def _on_loop(self, node: Node) -> Iterator[Local]:
        body = node.child_by_field_name("body")
        parts = [each for each in node.named_children if each != body and each.type != "comment"]
        if len(parts) < 2:
            return
        looped, taken = parts[:2]
        taken = taken.named_children[-1] if taken.type in ("pair", "by_ref") else taken
        if taken.type == "variable_name" and taken.named_children:
            name = taken.named_children[0]
            yield Local(name, self._said(self._builder.text(name), node), each=looped)

    def _said(self, name: str, node: Node) -> TypeExpression | None:
        """The type that the comment right above a statement gives a variable."""
        line = self._builder.line(node)
        found = (self._asserted.get(each, (-9, None)) for each in (name, ""))
        return next((type_ for last, type_ in found if line - 1 <= last <= line), None)

    def _on_test(self, node: Node) -> Iterator[Local]:
        """Yields a variable whose class `instanceof` tells, up to the end of the code that runs then."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or left.type != "variable_name" or right.type not in _NAMES:
            return
        name, type_, builder = left.named_children[0], self._class_type(right), self._builder
        is_negated, around = False, node.parent
        for _ in range(_MOST_SIGNS):
            if around is None:
                break
            sign = around.child_by_field_name("operator")
            word = sign.type if sign is not None else ""
            if around.type == "unary_op_expression" and word == "!":
                is_negated = not is_negated
            elif around.type != "parenthesized_expression" and word not in _SIGNS[is_negated]:
                break
            around = around.parent
        if around is None:
            return
        body = around.child_by_field_name("body")
        if not is_negated:
            whole = around
            if around.type == "argument":  # assert($cart instanceof Cart)
                whole = around.parent.parent if around.parent is not None and around.parent.parent else around
            is_assert = whole.type == "function_call_expression" and builder.text(whole).startswith("assert")
            end = body if body is not None and around.type in ("if_statement", "else_if_clause") else around
            yield Local(name, type_, last=0 if is_assert else builder.end_line(end))
        elif around.type == "if_statement" and body is not None and _leaves(body):
            yield Local(name, type_, line=builder.end_line(around))

    # Values

    def _on_variable(self, node: Node) -> Expression | None:
        return self._builder.text(node.named_children[0]) if node.named_children else None

    def _on_scope(self, node: Node) -> Expression:
        return "super" if self._builder.text(node) == "parent" else "this"

    def _on_name(self, node: Node) -> Expression | None:
        return typed(self._class_type(node))

    def _on_member(self, node: Node) -> Expression | None:
        owner = node.child_by_field_name("object") or node.child_by_field_name("scope")
        name = node.child_by_field_name("name")
        wanted = "variable_name" if node.type == "scoped_property_access_expression" else "name"
        if owner is None or name is None or name.type != wanted:
            return None
        return taken(self.value(owner), self._builder.text(name).lstrip("$"))

    def _on_constant(self, node: Node) -> Expression | None:
        if len(node.named_children) < 2:
            return None
        owner, name = node.named_children[0], self._builder.text(node.named_children[-1])
        if name == "class":
            type_ = self._class_type(owner)
            return Typed(TypeReference(CLASS_STRING, (type_,))) if type_ is not None else Typed("string")
        return taken(self.value(owner), name)

    def _on_call(self, node: Node) -> Expression | None:
        name = node.child_by_field_name("name") or node.child_by_field_name("function")
        if name is not None and name.type == "qualified_name":
            name = name.named_children[-1]
        return self.result(name)

    def _on_new(self, node: Node) -> Expression | None:
        named = next((each for each in node.named_children if each.type in _CLASSES), None)
        if named is not None and named.type == "anonymous_class":
            named = next(chain(*self.bases(named)), None)
        return typed(self._class_type(named) if named is not None else None)

    def _on_choice(self, node: Node) -> Expression | None:
        arms = node.child_by_field_name("body") if node.type == "match_expression" else None
        if arms is not None:
            return self._chosen(self.value_in(each, "return_expression") for each in arms.named_children)
        first = "body" if node.child_by_field_name("body") is not None else "condition"
        return self._chosen((self.value_in(node, first), self.value_in(node, "alternative")))

    def _on_binary(self, node: Node) -> Expression | None:
        sign = node.child_by_field_name("operator")
        is_choice = sign is not None and sign.type == "??"
        return self._chosen((self.value_in(node, "left"), self.value_in(node, "right"))) if is_choice else Typed("int")

    def _chosen(self, parts: Iterable[Expression | None]) -> Expression | None:
        """The value of one of several: of any of the classes that are written, else one whose class is found."""
        values = [value for value in parts if value is not None]
        plain = [value for value in values if type(value) is Typed and value.type in SCALARS]
        objects = [value for value in values if value not in plain]
        type_ = joined([value.type for value in objects if type(value) is Typed][:_MOST_VALUES])
        return typed(type_) or next(iter([*objects, *plain]), None)

    def _on_item(self, node: Node) -> Expression | None:
        return taken(self.value(next(iter(node.named_children), None)), Item(Take.EACH))

    def _on_array(self, node: Node) -> Expression | None:
        parts = [each for each in node.named_children[:_MOST_VALUES] if each.type == "array_element_initializer"]
        values = [self.value(each.named_children[-1]) for each in parts if each.named_children]
        type_ = joined([each.type for each in values if type(each) is Typed])
        return Typed(ArrayType(type_) if type_ is not None else "array")

    # Uses

    def called(self, name: Node) -> tuple[Expression, Sequence[Node] | None]:
        """See Nominal."""
        node, text = name.parent, self._builder.text(name)
        if node is not None and node.type == "qualified_name":
            name, node = node, node.parent
        given = self._given(node) if node is not None else None
        if node is None or node.type == "function_call_expression":
            written, names = self._builder.text(name), self._names
            whole = names.whole(written) if "\\" in written[1:] else names.functions.get(written, "")
            package, _, last = whole.rpartition(".")
            return (extended(Typed(ImportType(package)), last) if package else text), given
        return self.member(node.child_by_field_name("scope") or node.child_by_field_name("object"), text), given

    def _given(self, node: Node) -> list[Node] | None:
        listed = child_of(node, "arguments")
        if listed is None or any(each.type == "variadic_placeholder" for each in listed.named_children):
            return None
        parts = [each.named_children[-1:] for each in listed.named_children if each.type == "argument"]
        return [part for each in parts for part in each]

    def constructed(self, name: Node) -> tuple[Expression, Sequence[Node]]:
        """See Nominal."""
        node = name.parent if name.parent is None or name.parent.type not in _NAMES else name.parent.parent
        return self.qualified(name), (self._given(node) if node is not None else None) or ()

    def qualified(self, name: Node) -> Expression:
        """See Nominal."""
        around, text = name.parent, self._builder.text(name)
        kind = around.type if around is not None else ""
        if around is not None and kind == "class_constant_access_expression" and around.named_children[0] != name:
            owner = self.value(around.named_children[0])
            return extended(UNKNOWN if owner is None else owner, text)
        if around is not None and "member_access" in kind:
            return self.member(around.child_by_field_name("object"), text)
        if around is not None and name.type == "variable_name":
            return self.member(around.child_by_field_name("scope"), text.lstrip("$"))
        if text in _SELVES or text == "parent":
            own = self._own_class()
            draft = self._builder.drafts[own] if own >= 0 else None
            if draft is None or (text == "parent" and not draft.bases):
                return UNKNOWN
            return str(draft.bases[0].value) if text == "parent" else self._names.whole(f"namespace\\{draft.name}")
        return self._named(name)

    def _callable(self, name: Node) -> Expression:
        """The method that an array names: `[$cart, 'total']`, `[Cart::class, 'total']`."""
        listed = name.parent.parent.parent if name.parent is not None and name.parent.parent is not None else None
        first = listed.named_children[0].named_children[0] if listed is not None else None
        value = self.value(first) if first is not None else None
        if isinstance(value, Typed) and isinstance(value.type, TypeReference):
            return extended(Typed(value.type.arguments[0]), self._builder.text(name))
        is_object = value is not None and type(value) is not Typed
        return extended(value, self._builder.text(name)) if is_object and value is not None else UNKNOWN

    def _use(self, captured: CapturedNode, kind: EdgeKind) -> None:
        around = captured.node.parent
        if around is not None and around.type == "variable_name" and around.parent is not None:
            name = around.parent.child_by_field_name("name")
            if around.parent.type == "scoped_property_access_expression" and name == around:  # self::$carts
                captured.node, around = around, around.parent
        if kind is Edges.REFERENCE and around is not None and around.type in _NO_REFERENCES:
            return
        if kind is Edges.TYPE and self._builder.text(captured.node) in _SELVES:
            return
        super()._use(captured, kind)


def _leaves(body: Node) -> bool:
    """Whether code does not go on behind a block."""
    last = body.named_children[-1] if body.type == "compound_statement" and body.named_children else body
    if last.type == "expression_statement" and last.named_children:
        return last.named_children[0].type in ("throw_expression", "exit_statement")
    return last.type in _LEAVING


Php.readers = {
    **dict.fromkeys(Php.same, Php.on_same),
    **dict.fromkeys(_NAMES, Php._on_name),
    "variable_name": Php._on_variable,
    "relative_scope": Php._on_scope,
    "member_access_expression": Php._on_member,
    "nullsafe_member_access_expression": Php._on_member,
    "scoped_property_access_expression": Php._on_member,
    "class_constant_access_expression": Php._on_constant,
    "member_call_expression": Php._on_call,
    "nullsafe_member_call_expression": Php._on_call,
    "scoped_call_expression": Php._on_call,
    "function_call_expression": Php._on_call,
    "object_creation_expression": Php._on_new,
    "conditional_expression": Php._on_choice,
    "match_expression": Php._on_choice,
    "binary_expression": Php._on_binary,
    "subscript_expression": Php._on_item,
    "array_creation_expression": Php._on_array,
    "anonymous_function": Php.function,
    "arrow_function": Php.function,
}


def test_command(files: Sequence[str], manifests: Mapping[str, bytes]) -> str:
    """Return the command that runs the tests of the files, with Pest if the project requires it."""
    if any(path.endswith("composer.json") and b"pestphp/pest" in data for path, data in manifests.items()):
        return f"vendor/bin/pest {shlex.join(files)}"
    if len(files) == 1:
        return f"vendor/bin/phpunit {shlex.quote(files[0])}"
    names = "|".join(file.rpartition("/")[2].removesuffix(".php") for file in files)
    return f"vendor/bin/phpunit --filter {shlex.quote(f'({names})::')}"
