"""The visitor of Java: what its nodes mean. See languages/shared/nominal.py."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from tree_sitter import Node

from bearings.code.expressions import SUPER, Expression, Item, Listed, Take, Typed, extended
from bearings.code.languages.line_conventions import Idioms
from bearings.code.languages.shared.declared_captures import CapturedNode
from bearings.code.languages.shared.nodes import around
from bearings.code.languages.shared.nominal import DEEPEST, Local, Nominal, child_of, parts_of, taken, typed
from bearings.code.type_expressions import ArrayType, TypeExpression, TypeReference

_TEXT: Final = Typed("String")
_INTEGER: Final = Typed("int")
_WIDE: Final = frozenset(map(Typed, ("int", "long", "float", "double")))
_NULL: Final = Typed("null")
_SHIFTS: Final = frozenset({"<<", ">>", ">>>"})
_ANY: Final = Item(Take.ELEMENT)
_SUM: Final = Item(Take.ELEMENT, key="+")
_TESTS: Final = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_INTEGERS: Final = "decimal_integer hex_integer octal_integer binary_integer".split()
_NUMBERS: Final = {
    **{f"{name}_literal": ("l", "long", "int") for name in _INTEGERS},
    **dict.fromkeys(("decimal_floating_point_literal", "hex_floating_point_literal"), ("f", "float", "double")),
}
"""Types of nodes that are numbers: the letter at the end, and the types with it and without."""
_NAMED_TYPES: Final = frozenset(
    {"type_identifier", "integral_type", "floating_point_type", "boolean_type", "void_type", "identifier"}
)
_TYPE_NODES: Final = frozenset(
    {*(_NAMED_TYPES - {"identifier"}), "scoped_type_identifier", "generic_type", "array_type", "annotated_type"}
)
_ANNOTATIONS: Final = frozenset({"annotation", "marker_annotation"})
_NAMING: Final = """labeled_statement break_statement continue_statement scoped_identifier package_declaration
    import_declaration""".split()
"""Nodes in which a name alone is no value."""


IDIOMS: Final = Idioms(
    idle_decorators=re.compile(
        r"""(?x)(?:[\w.]+\.)?(?:Deprecated|SuppressWarnings|SafeVarargs|FunctionalInterface|Nullable|NonNull|Nonnull|NotNull
        |CheckForNull|NullMarked|NullUnmarked|NonNullApi|NonNullFields|ParametersAreNonnullByDefault|VisibleForTesting
        |CheckReturnValue|CanIgnoreReturnValue|Contract|Generated|Internal|Experimental|Beta|ThreadSafe|NotThreadSafe
        |Immutable|GuardedBy|Documented|Retention|Target|Inherited|Repeatable)$"""
    )
)
"""Annotations for readers and checkers: no framework uses what they stand at."""


class Java(Nominal):
    """The visitor; see Nominal."""

    names = frozenset({"identifier", "this", "super"})
    literals: ClassVar[Mapping[str, Expression]] = {
        **dict.fromkeys(("string_literal", "text_block"), _TEXT),
        **dict.fromkeys(("true", "false", "instanceof_expression"), Typed("boolean")),
        "character_literal": Typed("char"),
        "null_literal": _NULL,
    }
    same: ClassVar[Mapping[str, str]] = {
        "parenthesized_expression": "", "update_expression": "", "assignment_expression": "left",
    }  # fmt: skip
    components: ClassVar[frozenset[str]] = frozenset({"formal_parameter"})
    members: ClassVar[frozenset[str]] = frozenset({"field_access"})
    written: ClassVar[Mapping[str, str]] = {"assignment_expression": "left", "update_expression": ""}
    labels: ClassVar[Mapping[str, str]] = {"element_value_pair": "key", **dict.fromkeys(_NAMING, "")}
    functions: ClassVar[frozenset[str]] = frozenset({"lambda_expression"})
    blocks: ClassVar[frozenset[str]] = frozenset(
        """block constructor_body class_body interface_body enum_body for_statement enhanced_for_statement
        lambda_expression try_with_resources_statement catch_clause switch_rule switch_block_statement_group
        program""".split()
    )

    def type_of(self, node: Node) -> TypeExpression | None:
        """See Nominal."""
        kind, builder = node.type, self._builder
        if kind in _NAMED_TYPES:
            name = builder.text(node)
            return None if name == "var" else name
        if kind == "scoped_type_identifier":
            return self._dotted(node)
        if kind == "generic_type":
            inner, *_, arguments = node.named_children
            self._depth += 1
            is_deep = self._depth > DEEPEST
            types = tuple("?" if is_deep else self.type_of(each) or "?" for each in parts_of(arguments))
            self._depth -= 1
            generic = self.type_of(inner)
            return TypeReference(generic, types) if isinstance(generic, str) and types else generic
        if kind == "array_type":
            return self._array(self.type_in(node, "element"), node.child_by_field_name("dimensions"))
        if kind in ("wildcard", "annotated_type", "catch_type"):  # of `A | B` the first
            return next((self.type_of(each) for each in node.named_children if each.type in _TYPE_NODES), None)
        return None

    def _dotted(self, node: Node) -> str:
        parts = []
        for each in node.named_children:
            parts += [self._dotted(each)] if each.type == "scoped_type_identifier" else []
            parts += [self._builder.text(each)] if each.type == "type_identifier" else []
            if each.type == "generic_type":
                type_ = self.type_of(each)
                parts.append(type_ if isinstance(type_, str) else getattr(type_, "name", "?"))
        return ".".join(parts)

    def _array(self, type_: TypeExpression | None, dimensions: Node | None) -> TypeExpression | None:
        for _ in range(self._builder.text(dimensions).count("[") if dimensions is not None else 0):
            type_ = ArrayType(type_ or "?")
        return type_

    def _on_number(self, node: Node) -> Expression | None:
        letter, long, short = _NUMBERS[node.type]
        return Typed(long if self._builder.text(node)[-1:].lower() == letter else short)

    def _on_field(self, node: Node) -> Expression | None:
        owner, field = node.child_by_field_name("object"), node.child_by_field_name("field")
        if owner is None or field is None:
            return None
        if field.type == "this":
            return Typed(self._builder.text(owner))
        return taken(self.value(owner), self._builder.text(field))

    def _on_call(self, node: Node) -> Expression | None:
        return self.result(node.child_by_field_name("name"))

    def _on_typed(self, node: Node) -> Expression | None:
        named, cast = node.child_by_field_name("type"), node.child_by_field_name("value")
        type_ = self.type_of(named) if named is not None else None
        if node.type == "object_creation_expression" and node.children[0].type != "new" and named is not None:
            return self.member(node.children[0], self._builder.text(named))  # `outer.new Inner()`
        if cast is not None and cast.type in self.functions:
            return self.function(cast, type_)
        if node.children[-1].type == "class_body" and (value := self.nameless(node.children[-1])) is not None:
            return value
        return typed(type_)

    def _on_array(self, node: Node) -> Expression | None:
        value = self._on_typed(node)
        type_ = value.type if isinstance(value, Typed) else None
        for each in node.children_by_field_name("dimensions"):
            type_ = ArrayType(type_ or "?") if each.type == "dimensions_expr" else self._array(type_, each)
        return typed(type_)

    def _on_access(self, node: Node) -> Expression | None:
        return taken(self.value_in(node, "array"), _ANY)

    def _on_class(self, node: Node) -> Expression | None:
        type_ = self.type_of(node.named_children[0])
        return Typed(TypeReference("Class", (type_ or "?",)))

    def _on_choice(self, node: Node) -> Expression | None:
        parts = [self.value_in(node, name) for name in ("consequence", "alternative")]
        first, second = [*(value for value in parts if value is not None and value != _NULL), None, None][:2]
        return first if first is None or second in (None, first) else extended(Listed(first, also=(second,)), _ANY)

    def _on_binary(self, node: Node) -> Expression | None:
        sign = node.children[1].type
        if sign in _TESTS:
            return Typed("boolean")
        first, second = self.value_in(node, "left"), self.value_in(node, "right")
        if sign == "+" and _TEXT in (first, second):
            return _TEXT
        if first is None or second is None:
            return first if sign != "+" else None
        if first == second and first in _WIDE:
            return first
        return extended(Listed(first, also=(_INTEGER if sign in _SHIFTS else second,)), _SUM)

    def _on_named(self, node: Node) -> Expression:
        owner, name = node.named_children[0], node.named_children[-1]
        if node.children[-1].type == "new":
            named = self.type_of(owner) if owner.type in _TYPE_NODES else self._builder.text(owner)
            return self.named_function(node, Typed(named) if named else None)
        return self.named_function(node, self.result(name))

    def _on_unary(self, node: Node) -> Expression | None:
        return Typed("boolean") if node.children[0].type == "!" else self.value_in(node, "operand")

    def called(self, name: Node) -> tuple[Expression, Sequence[Node] | None]:
        """See Nominal."""
        node, text = name.parent, self._builder.text(name)
        if node is None:
            return text, None
        if node.type == "method_reference":
            first = node.named_children[0]
            if first.type in _TYPE_NODES:
                return extended(Typed(self.type_of(first) or "?"), text), None
            return self.member(first, text), None
        owner, arguments = node.child_by_field_name("object"), node.child_by_field_name("arguments")
        given = parts_of(arguments)
        if any(each.type == "super" for each in node.children):
            named = self._builder.text(owner) if owner is not None and owner.type == "identifier" else ""
            return f"{SUPER}{named}).{text}" if named else f"super.{text}", given  # `Interface.super.run()`
        return self.member(owner, text) if owner is not None else text, given

    def constructed(self, name: Node) -> tuple[Expression, Sequence[Node] | None]:
        """See Nominal."""
        node = around(name.parent, ("object_creation_expression", "method_reference"))
        if node is not None and node.type == "method_reference":
            return self.qualified(name), None
        arguments = node.child_by_field_name("arguments") if node is not None else None
        given = parts_of(arguments)
        outer = node.children[0] if node is not None else None
        if outer is not None and outer.type != "new":  # `outer.new Inner()`
            return self.member(outer, self._builder.text(name)), given
        return self.qualified(name), given

    def qualified(self, name: Node) -> Expression:
        """See Nominal."""
        around, end = name.parent, name.end_byte
        if around is not None and around.type == "scoped_type_identifier" and around.end_byte == end:
            return self._dotted(around)
        if around is not None and around.type in ("field_access", "scoped_identifier") and around.end_byte == end:
            value = self.value(around) if around.type == "field_access" else self._builder.text(around)
            return self._builder.text(name) if value is None else value
        return self._builder.text(name)

    def tested(self, name: Node) -> Node | None:
        """See Nominal."""
        is_label = name.parent is not None and name.parent.type == "switch_label"
        switch = around(name, ("switch_expression",)) if is_label else None
        return switch.child_by_field_name("condition") if switch is not None else None

    def declared_type(self, node: Node, name: Node) -> TypeExpression | None:
        """See Nominal."""
        dimensions = name.parent.child_by_field_name("dimensions") if name.parent is not None else None
        return self._array(self.type_in(node), dimensions) if node.child_by_field_name("type") is not None else None

    def parameters(self, node: Node) -> Iterator[tuple[Node, TypeExpression | None, bool]]:
        """See Nominal."""
        record = node.parent.parent if node.type == "compact_constructor_declaration" and node.parent else None
        listed = (record or node).child_by_field_name("parameters")
        if listed is not None and listed.type == "identifier":
            yield listed, None, False
            return
        for each in listed.named_children if listed is not None else ():
            if each.type == "identifier":
                yield each, None, False
            elif each.type == "formal_parameter":
                name = each.child_by_field_name("name")
                if name is not None:
                    yield name, self._array(self.type_in(each), each.child_by_field_name("dimensions")), False
            elif each.type == "spread_parameter":
                types = [part for part in each.named_children if part.type in _TYPE_NODES]
                names = [part.child_by_field_name("name") for part in each.named_children if "declarator" in part.type]
                if types and names and names[0] is not None:
                    yield names[0], ArrayType(self.type_of(types[0]) or "?"), True

    def generics(self, node: Node) -> Iterator[tuple[Node, list[Node]]]:
        """See Nominal."""
        listed = node.child_by_field_name("type_parameters")
        listed = listed or child_of(node, "type_parameters")
        for each in listed.named_children if listed is not None else ():
            names = [part for part in each.named_children if part.type in ("type_identifier", "identifier")]
            bounds = [part for part in each.named_children if part.type == "type_bound"]
            if names:
                yield names[0], list(bounds[0].named_children) if bounds else []

    def bases(self, node: Node) -> tuple[list[Node], list[Node]]:
        """See Nominal."""
        above, implemented = list[Node](), list[Node]()
        for each in node.named_children:
            if each.type == "superclass":
                above += each.named_children
            elif each.type in ("super_interfaces", "extends_interfaces"):
                target = implemented if each.type == "super_interfaces" else above
                target += [part for types in each.named_children for part in types.named_children]
        return above, implemented

    def returned(self, node: Node) -> Node | None:
        """See Nominal."""
        if node.type == "return_statement":
            return next(iter(parts_of(node)), None)
        body = node.child_by_field_name("body") if node.type in self.functions else None
        return body if body is not None and body.type != "block" else None

    def locals(self, node: Node) -> Iterator[Local]:
        """See Nominal."""
        name, written = node.child_by_field_name("name"), self.type_in(node)
        if node.type == "local_variable_declaration":
            for each in node.children_by_field_name("declarator"):
                variable = each.child_by_field_name("name")
                if variable is not None:
                    of_array = self._array(written, each.child_by_field_name("dimensions"))
                    yield Local(variable, of_array, each.child_by_field_name("value"))
        elif node.type == "enhanced_for_statement" and name is not None:
            yield Local(name, written, each=node.child_by_field_name("value"))
        elif node.type == "instanceof_expression":
            right = node.child_by_field_name("right")
            if name is not None and right is not None:
                yield Local(name, self.type_of(right))
        elif node.type in ("type_pattern", "record_pattern_component"):
            first, *_, last = [node.named_children[0], *node.named_children]
            if last.type == "identifier" and first.type in _TYPE_NODES:
                yield Local(last, self.type_of(first))
        elif name is not None:
            caught = child_of(node, "catch_type")
            written = self.type_of(caught) if caught is not None else written
            yield Local(name, written, node.child_by_field_name("value"))

    def base_of_nameless(self, node: Node) -> Node | None:
        """See Nominal."""
        around = node.parent if node.type == "class_body" else None
        if around is None or around.type != "object_creation_expression":
            return None
        return around.child_by_field_name("type")

    def _on_import(self, captured: CapturedNode) -> None:
        """Adds an import; `*` is the name of all that a package or a class has."""
        node, builder = captured.node, self._builder
        around = node.parent
        marks = {each.type for each in around.children} if around is not None else set()
        module = "".join(builder.text(node).split())
        name = module.rpartition(".")[2]
        if "asterisk" in marks:
            builder.add_import(module, "*", "", node)
        else:
            builder.add_import(module, name if "static" in marks else "", name, node)


Java.readers = {
    **dict.fromkeys(Java.same, Java.on_same),
    **dict.fromkeys(_NUMBERS, Java._on_number),
    "field_access": Java._on_field,
    "method_invocation": Java._on_call,
    "object_creation_expression": Java._on_typed,
    "cast_expression": Java._on_typed,
    "array_creation_expression": Java._on_array,
    "array_access": Java._on_access,
    "class_literal": Java._on_class,
    "ternary_expression": Java._on_choice,
    "binary_expression": Java._on_binary,
    "unary_expression": Java._on_unary,
    "lambda_expression": Java.function,
    "method_reference": Java._on_named,
}


def test_command(files: Sequence[str], manifests: Mapping[str, bytes]) -> str:
    """Return the command that runs the test classes of the files, with Gradle if the project has its settings."""
    names = [file.rpartition("/")[2].removesuffix(".java") for file in files]
    if any(path.rpartition("/")[2].startswith(("build.gradle", "settings.gradle")) for path in manifests):
        return f"gradle test {' '.join(f'--tests {shlex.quote(name)}' for name in names)}"
    return f"mvn test -Dtest={shlex.quote(','.join(names))}"
