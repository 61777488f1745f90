"""The visitor of C#: what its nodes mean. See languages/shared/nominal.py."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from msgspec.structs import replace
from tree_sitter import Node

from bearings.code.expressions import UNKNOWN, Expression, Item, Parameter, Take, Typed, extended
from bearings.code.file_facts import Export, Trait
from bearings.code.languages.line_conventions import Idioms
from bearings.code.languages.shared.conditionals import is_compiled
from bearings.code.languages.shared.declared import modifiers
from bearings.code.languages.shared.declared_captures import CapturedNode
from bearings.code.languages.shared.drafts import Draft
from bearings.code.languages.shared.kinds import Bindings, Symbols
from bearings.code.languages.shared.nodes import COMMENTS, around, beyond
from bearings.code.languages.shared.nominal import DEEPEST, Local, Nominal, child_of, parts_of, taken, typed
from bearings.code.models import EdgeKind
from bearings.code.type_expressions import TUPLE, ArrayType, TypeExpression, TypeReference

_ENDINGS: Final = {"attribute": "Attribute", "constant_pattern": ""}
"""Nodes in which a name with an ending is first of all a class."""
_MOST_PARTS: Final = 20
"""Parts of a tuple, or of a name in a pattern, that are followed."""
_TESTS: Final = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_TWICE: Final = re.compile(rb"\b([A-Z]\w*)[?]?\s+\1\b")
_TEXT: Final = Typed("string")
_BOOL: Final = Typed("bool")
_ELEMENT: Final = Item(Take.ELEMENT)
_TEXTS: Final = "string_literal verbatim_string_literal raw_string_literal interpolated_string_expression".split()
_SUFFIXES: Final = {"u": "uint", "l": "long", "ul": "ulong", "lu": "ulong", "f": "float", "d": "double", "m": "decimal"}
_WIDE: Final = [Typed(name) for name in ("decimal", "double", "float", "ulong", "long", "uint")]
_NAMES: Final = frozenset({"identifier", "predefined_type"})
_GENERIC: Final = "generic_name"
_SPELLED: Final = {
    "String": "string", "Object": "object", "Boolean": "bool", "Char": "char", "Byte": "byte", "SByte": "sbyte",
    "Int16": "short", "UInt16": "ushort", "Int32": "int", "UInt32": "uint", "Int64": "long", "UInt64": "ulong",
    "Single": "float", "Double": "double", "Decimal": "decimal",
}  # fmt: skip
_UNTYPED: Final = frozenset({"var", "dynamic"})
_CREATIONS: Final = frozenset(f"{kind}object_creation_expression" for kind in ("", "implicit_", "anonymous_"))
_ACCESSES: Final = frozenset({"member_access_expression", "member_binding_expression"})
_MARKS: Final = {  # nodes that write their part, if they have one of these signs
    "prefix_unary_expression": ("++", "--"),
    "postfix_unary_expression": ("++", "--"),
    "argument": ("out",),
}
_NAMING: Final = """labeled_statement goto_statement qualified_name alias_qualified_name using_directive attribute
    name_colon tuple_element generic_name preproc_if preproc_elif preproc_define""".split()
"""Nodes in which a name alone is no value."""

IDIOMS: Final = Idioms(
    idle_decorators=re.compile(
        r"""(?x)(?:[\w.]+\.)?(?:Obsolete|MethodImpl|Conditional|Flags|AttributeUsage|Pure|CLSCompliant|ThreadStatic
        |Debugger\w+|SuppressMessage|UnconditionalSuppressMessage|ExcludeFromCodeCoverage|GeneratedCode|EditorBrowsable
        |(?:Item)?(?:NotNull|CanBeNull)|AllowNull|DisallowNull|MaybeNull|(?:NotNull|MaybeNull|MemberNotNull|DoesNotReturn)\w*
        |Caller\w+|EnumeratorCancellation|StringSyntax|Requires\w+|\w+OSPlatform|Security\w*Critical|SecurityPermission
        )(?:Attribute)?$"""
    ),
    finds_types=frozenset(
        """GetTypes GetExportedTypes DefinedTypes ExportedTypes IsAssignableFrom IsAssignableTo IsSubclassOf AddClasses
        RegisterAssemblyTypes FromAssemblyOf FromAssemblies FromAssembliesOf FromCallingAssembly""".split()
    ),
)
"""Attributes for readers and checkers: no framework uses what they stand at. Ways to find classes by their bases."""


class CSharp(Nominal):
    """The visitor; see Nominal."""

    _twice: frozenset[bytes] | None = None
    """The names of members that are those of their types, `Size Size`, once they are asked for."""
    names: ClassVar[frozenset[str]] = frozenset({"identifier", "this"})
    literals: ClassVar[Mapping[str, Expression]] = {
        **dict.fromkeys(_TEXTS, _TEXT),
        **dict.fromkeys(("boolean_literal", "is_expression", "is_pattern_expression"), _BOOL),
        "character_literal": Typed("char"),
        "sizeof_expression": Typed("int"),
        "typeof_expression": Typed("Type"),
        "base": "super",
    }
    same: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys("parenthesized_expression checked_expression ref_expression with_expression".split(), ""),
        "postfix_unary_expression": "",
        "assignment_expression": "left",
    }
    members: ClassVar[frozenset[str]] = _ACCESSES
    written: ClassVar[Mapping[str, str]] = {"assignment_expression": "left", **dict.fromkeys(_MARKS, "")}
    labels: ClassVar[Mapping[str, str]] = {"argument": "name", **dict.fromkeys(_NAMING, "")}
    functions: ClassVar[frozenset[str]] = frozenset({"lambda_expression", "anonymous_method_expression"})
    blocks: ClassVar[frozenset[str]] = frozenset(
        """block for_statement foreach_statement using_statement fixed_statement lambda_expression catch_clause
        switch_section switch_expression_arm query_expression arrow_expression_clause compilation_unit""".split()
    )
    returning: ClassVar[frozenset[str]] = frozenset({"return_statement", "arrow_expression_clause"})
    result_fields: ClassVar[tuple[str, ...]] = ("returns", "type")

    # Types

    def type_of(self, node: Node) -> TypeExpression | None:
        """See Nominal."""
        if node.type in _NAMES:
            name = self._builder.text(node)
            return None if name in _UNTYPED else _SPELLED.get(name, name)
        if self._depth > DEEPEST:
            return None
        self._depth += 1
        type_ = self._compound(node)
        self._depth -= 1
        return type_

    def _compound(self, node: Node) -> TypeExpression | None:
        """The type that a node with further nodes names."""
        kind = node.type
        if kind == _GENERIC:
            return TypeReference(self._builder.text(node.named_children[0]), self._arguments_of(node))
        if kind == "qualified_name":
            name = self._dotted(node)
            last = node.child_by_field_name("name")
            if last is not None and last.type == _GENERIC:
                return TypeReference(name, self._arguments_of(last))
            return _SPELLED.get(name.removeprefix("System."), name)
        inner = node.child_by_field_name("type")
        type_ = self.type_of(inner) if inner is not None else None
        if kind == "array_type":
            rank = node.child_by_field_name("rank")
            return ArrayType(type_ or "?") if rank is not None else type_
        if kind == "nullable_type":
            is_primitive = inner is not None and inner.type == "predefined_type" and type_ not in ("string", "object")
            return f"{type_}?" if is_primitive else type_
        if kind == "tuple_type":
            parts = [each for each in node.named_children if each.type == "tuple_element"][:_MOST_PARTS]
            names = [each.child_by_field_name("name") for each in parts]
            name = TUPLE + ",".join(self._builder.text(each) if each is not None else "" for each in names)
            return TypeReference(name, tuple(self.type_in(each) or "?" for each in parts))
        if kind == "alias_qualified_name":
            return self.type_in(node, "name")
        return type_  # of `ref T`, `scoped T`, `T*`, `Base(…)`

    def _arguments_of(self, generic: Node) -> tuple[TypeExpression, ...]:
        """The type arguments of a name; `?` for each that is left open, as in `typeof(Map<,>)`."""
        listed = generic.named_children[-1]
        types = tuple(self.type_of(each) or "?" for each in parts_of(listed))
        return types or ("?",) * sum(each.type in ("<", ",") for each in listed.children)

    def _dotted(self, node: Node) -> str:
        """A name with dots, without type arguments."""
        names = list[str]()
        while node.type == "qualified_name":
            last, first = node.child_by_field_name("name"), node.child_by_field_name("qualifier")
            if last is None or first is None:
                break
            names.append(self._plain(last))
            node = first
        return ".".join([self._plain(node), *reversed(names)])

    def _plain(self, node: Node) -> str:
        if node.type == "alias_qualified_name":
            node = node.child_by_field_name("name") or node
        return self._builder.text(node.named_children[0] if node.type == _GENERIC else node)

    def type_arguments(self, name: Node) -> tuple[TypeExpression, ...]:
        """See Nominal."""
        around = name.parent
        return self._arguments_of(around) if around is not None and around.type == _GENERIC else ()

    # Values

    def _on_number(self, node: Node) -> Expression | None:
        text = self._builder.text(node).lower()
        is_whole = node.type == "integer_literal"
        end = text[-2:] if text[-2:] in _SUFFIXES else text[-1:]
        is_digit = is_whole and (text.startswith("0x") and end not in ("u", "l", "ul", "lu"))
        return Typed(_SUFFIXES.get("" if is_digit else end, "int" if is_whole else "double"))

    def _on_member(self, node: Node) -> Expression | None:
        name = node.child_by_field_name("name")
        return taken(self.value_in(node, "expression"), self._plain(name)) if name is not None else None

    def _on_conditional(self, node: Node) -> Expression | None:
        name = node.named_children[-1].child_by_field_name("name")
        return taken(self.value_in(node, "condition"), self._plain(name) if name is not None else _ELEMENT)

    def _on_element(self, node: Node) -> Expression | None:
        return taken(self.value_in(node, "expression"), _ELEMENT)

    def _on_await(self, node: Node) -> Expression | None:
        return taken(self.value(next(iter(node.named_children), None)), Item(Take.AWAITED))

    def _on_call(self, node: Node) -> Expression | None:
        name = _called_name(node)
        return _TEXT if name is not None and self._builder.text(name) == "nameof" else self.result(name)

    def _on_typed(self, node: Node) -> Expression | None:
        type_, cast = self.type_in(node), node.child_by_field_name("value")
        if node.type == "as_expression":
            type_ = self.type_in(node, "right")
        if cast is not None and cast.type in self.functions:
            return self.function(cast, type_)
        return typed(type_)

    def _on_name(self, node: Node) -> Expression | None:
        return typed(self.type_of(node))

    def _on_alias(self, node: Node) -> Expression | None:
        return self._plain(node) if self._builder.text(node).startswith("global") else self._on_name(node)

    def _on_target(self, node: Node) -> Expression | None:
        """The type of `new(…)`: of the variable that it is assigned to."""
        return typed(self.type_in(beyond(node, ("variable_declarator", "equals_value_clause"))))

    def _on_elements(self, node: Node) -> Expression | None:
        """The type of `new[] { … }`, by the first element that tells it."""
        listed = node.named_children[-1] if node.named_children else None
        values = (self.value(each) for each in parts_of(listed)) if listed is not None else ()
        first = next((value for value in values if value is not None), None)
        return Typed(ArrayType(first.type)) if type(first) is Typed else None

    def _on_choice(self, node: Node) -> Expression | None:
        value = self.value_in(node, "consequence")
        return self.value_in(node, "alternative") if value is None else value

    def _on_arms(self, node: Node) -> Expression | None:
        arms = (each.named_children[-1] for each in node.named_children if each.type == "switch_expression_arm")
        return next((value for arm in arms if (value := self.value(arm)) is not None), None)

    def _on_binary(self, node: Node) -> Expression | None:
        sign = node.child_by_field_name("operator")
        if sign is not None and sign.type in _TESTS:
            return _BOOL
        values = self.value_in(node, "left"), self.value_in(node, "right")
        if sign is not None and sign.type == "+" and _TEXT in values:
            return _TEXT
        return next((wide for wide in _WIDE if wide in values), values[0] if values[0] is not None else values[1])

    def _on_unary(self, node: Node) -> Expression | None:
        return _BOOL if node.children[0].type == "!" else self.value(node.named_children[-1])

    # Names

    def called(self, name: Node) -> tuple[Expression, Sequence[Node] | None]:
        """See Nominal."""
        text, node, access = self._builder.text(name), name, name.parent
        if access is not None and access.type == _GENERIC:
            node, access = access, access.parent
        owner: Node | None = None
        if access is not None and access.type == "member_binding_expression":
            access = access.parent
            owner = access.child_by_field_name("condition") if access is not None else None
        elif access is not None and access.type == "member_access_expression":
            owner = access.child_by_field_name("expression")
        else:
            access = node
        call = access.parent if access is not None else None
        listed = call.child_by_field_name("arguments") if call is not None else None
        given = [_value(each) for each in parts_of(listed)]
        return self.member(owner, text) if owner is not None else text, given

    def _type_use(self, captured: CapturedNode, kind: EdgeKind, arguments: tuple[Expression | None, ...] = ()) -> None:
        """See Nominal: `[Priced]` means the class PricedAttribute, and `is Cart` rather a class than a constant.

        `Size.Small` means the class beside a property `Size Size`, if the class itself has the member.
        """
        uses, count = self._builder.uses, len(self._builder.uses)
        super()._type_use(captured, kind, arguments)
        if len(uses) == count:
            return
        around = beyond(captured.node, ("qualified_name", _GENERIC))
        ending = _ENDINGS.get(around.type) if around is not None else None
        if around is not None and around.type == "member_access_expression" and around.start_byte == captured.start:
            if self._twice is None:
                self._twice = frozenset(_TWICE.findall(self._builder.source))
            name = around.child_by_field_name("name")
            if name is not None and self._builder.source[captured.start : captured.end] in self._twice:
                ending = f".{self._plain(name)}"
        if ending is not None:
            uses[-1] = replace(uses[-1], keywords=(ending,))

    def _is_written(self, whole: Node, around: Node | None) -> bool:
        """See Nominal: by `=`, `++`, `out` and their like."""
        for _ in range(DEEPEST):  # `(total, (other.count, _)) = …`
            listed = around.parent if around is not None and around.type == "argument" else None
            if listed is None or listed.type != "tuple_expression":
                break
            whole, around = listed, listed.parent
        signs = _MARKS.get(around.type, ()) if around is not None else ()
        is_marked = not signs or around is None or any(each.type in signs for each in around.children)
        return is_marked and super()._is_written(whole, around)

    def word(self, argument: Node) -> str:
        """See Nominal."""
        around = argument.parent
        name = around.child_by_field_name("name") if around is not None and around.type == "argument" else None
        return self._builder.text(name) if name is not None and name.byte_range != argument.byte_range else ""

    def constructed(self, name: Node) -> tuple[Expression, Sequence[Node]]:
        """See Nominal."""
        node = around(name, _CREATIONS)
        listed = node.child_by_field_name("arguments") if node is not None else None
        given = [_value(each) for each in parts_of(listed)]
        return self.qualified(name), given

    def qualified(self, name: Node) -> Expression:
        """See Nominal."""
        text, node, around = self._builder.text(name), name, name.parent
        if around is not None and around.type == _GENERIC:
            node, around = around, around.parent
        if around is None:
            return text
        is_last = around.end_byte == node.end_byte
        if around.type == "qualified_name" and is_last:
            return self._dotted(around)
        whole = around if around.type in _ACCESSES and is_last else node
        filled = self._filled_around(whole)
        names = self._builder.text(whole).split(".", _MOST_PARTS) if filled is not None else ()
        if filled is not None and len(names) <= _MOST_PARTS:
            return extended(filled, *names)
        if whole is not node:
            value = self.value(around.parent or around if around.type == "member_binding_expression" else around)
            return extended(UNKNOWN, text) if value is None else value
        return text

    def _filled_around(self, whole: Node) -> Expression | None:
        """The object whose property begins with a name or member: see _filled, and `is { Best.Total: 1 }`."""
        around = whole.parent
        for _ in range(_MOST_PARTS):
            if around is None or around.type not in _ACCESSES or around.start_byte != whole.start_byte:
                break
            around = around.parent
        is_label = around is not None and around.type in ("assignment_expression", "subpattern")
        return self._filled(around) if is_label and around and around.start_byte == whole.start_byte else None

    def _filled(self, node: Node) -> Expression | None:
        """The object whose property `new Cart { Total = 1 }` or `is Cart { Total: 1 }` names; None for other nodes."""
        around = node.parent
        if around is None or around.type not in ("initializer_expression", "property_pattern_clause"):
            return None
        whole = around.parent
        is_pattern = whole is not None and whole.type == "recursive_pattern"
        if whole is not None and (is_pattern or whole.type == "object_creation_expression"):
            tested = self.value_in(whole.parent, "expression") if is_pattern else None
            return self._on_typed(whole) or tested or UNKNOWN
        is_new = whole is not None and whole.type == "implicit_object_creation_expression"
        return (self._on_target(whole) if is_new and whole is not None else None) or UNKNOWN

    # Declarations

    def _type(self, draft: Draft, captured: CapturedNode) -> None:
        super()._type(draft, captured)
        builder, node = self._builder, captured.node
        if draft.kind is Symbols.METHOD and builder.drafts[draft.parent].kind is Symbols.CLASS:
            is_seen = self._public is None or self._public.search(modifiers(draft.signature, draft.name))
            draft.traits |= 0 if is_seen else Trait.PRIVATE
        if node.type == "delegate_declaration":
            self._head(draft, node, [])
        elif draft.inner < 0:
            return
        elif draft.kind is Symbols.CLASS:
            is_record = node.type == "record_declaration"  # whose parameters are properties
            for name, type_, _ in self.parameters(node) if not is_record else ():  # of its primary constructor
                self._bind_parameter(name, type_, draft.inner)
        elif draft.kind is Symbols.ENUM:
            draft.implements = ("Enum",)
        elif draft.kind is Symbols.PROPERTY:
            end = builder.end_line(node)
            builder.bind("value", Bindings.LOCAL, draft.line, end, type_=draft.type, scope=draft.inner)
            self._last_lines[draft.inner, "value"] = end
        elif child_of(node, "explicit_interface_specifier") is not None:
            draft.traits |= Trait.EXPLICIT
        elif draft.head is not None and draft.head.parameters:
            listed = node.child_by_field_name("parameters")
            first = child_of(listed, "parameter") if listed else None
            if first and any(each.type == "modifier" and builder.text(each) == "this" for each in first.children):
                draft.traits |= Trait.EXTENSION | (0 if is_compiled(node) else Trait.CONDITIONAL)

    def declared_type(self, node: Node, name: Node) -> TypeExpression | None:
        """See Nominal."""
        del name
        return self.type_in(child_of(node, "variable_declaration") or node)

    def parameters(self, node: Node) -> Iterator[tuple[Node, TypeExpression | None, bool]]:
        """See Nominal."""
        listed = node.child_by_field_name("parameters") or child_of(node, "parameter_list")
        if listed is None:
            return
        if listed.type in ("identifier", "implicit_parameter"):
            yield listed, None, False
            return
        for each in listed.named_children:
            name = each.child_by_field_name("name")
            if each.type == "parameter" and name is not None:
                yield name, self.type_in(each), False
        name, type_ = listed.child_by_field_name("name"), listed.child_by_field_name("type")
        if name is not None and type_ is not None:  # params T[] name
            yield name, self.type_of(type_), True

    def is_optional(self, name: Node) -> bool:
        """See Nominal."""
        around = name.parent
        return around is not None and around.type == "parameter" and any(each.type == "=" for each in around.children)

    def generics(self, node: Node) -> Iterator[tuple[Node, list[Node]]]:
        """See Nominal."""
        listed = child_of(node, "type_parameter_list")
        limits = dict[str, list[Node]]()
        for clause in node.named_children:
            if clause.type == "type_parameter_constraints_clause" and clause.named_children:
                types = (each.child_by_field_name("type") for each in clause.named_children[1:])
                limits[self._builder.text(clause.named_children[0])] = [each for each in types if each is not None]
        for each in listed.named_children if listed is not None else ():
            name = each.child_by_field_name("name")
            if name is not None:
                yield name, limits.get(self._builder.text(name), [])

    def bases(self, node: Node) -> tuple[list[Node], list[Node]]:
        """See Nominal: a class and the interfaces stand in one list."""
        listed = child_of(node, "base_list")
        found = [each for each in parts_of(listed) if each.type != "argument_list"] if listed is not None else []
        return [each for each in found if each.type != "predefined_type"], []

    def locals(self, node: Node) -> Iterator[Local]:
        """See Nominal."""
        name, written, kind = node.child_by_field_name("name"), self.type_in(node), node.type
        if kind == "variable_declaration":
            for each in node.named_children:
                if each.type == "variable_declarator":
                    yield from self._declared(each, written)
        elif kind == "foreach_statement":
            target, source = node.child_by_field_name("left"), node.child_by_field_name("right")
            if target is not None and target.type == "identifier":
                yield Local(target, written, each=source)
            elif target is not None:
                yield from self._taken_apart(target, each=source)
        elif kind == "assignment_expression":
            target = node.child_by_field_name("left")
            if target is not None and target.type == "tuple_expression":
                yield from self._taken_apart(target, node.child_by_field_name("right"))
        elif kind == "from_clause" and name is not None:
            yield Local(name, written, each=node.named_children[-1])
        elif kind in ("let_clause", "join_clause") and len(node.named_children) > 1:
            first, second, *_ = node.named_children
            yield Local(first, value=second) if kind == "let_clause" else Local(first, each=second)
        elif kind == "declaration_expression" and name is not None:
            yield Local(name, written, given=self._expected(node))
        elif name is not None:
            yield Local(name, written, given=self._matched(node))

    def _declared(self, node: Node, written: TypeExpression | None) -> Iterator[Local]:
        """The locals of one declarator: `cart = …`, `(cart, total) = …`."""
        first, *others = [each for each in node.named_children if each.type != "bracketed_argument_list"]
        if first.type == "tuple_pattern":
            yield from self._taken_apart(first, others[-1] if others else None)
        else:
            yield Local(first, written, others[-1] if others else None)

    def _taken_apart(self, pattern: Node, value: Node | None = None, each: Node | None = None) -> Iterator[Local]:
        """The locals to which the parts of a tuple are given."""
        for place, part in enumerate(parts_of(pattern)):
            inner = _value(part) if part.type == "argument" else part
            name, type_ = inner, None
            if inner.type == "declaration_expression":
                name, type_ = inner.child_by_field_name("name") or inner, self.type_in(inner)
            elif part.type == "argument":
                continue
            if name.type == "identifier":
                yield Local(name, type_, value, each, (Item(Take.ELEMENT, place),))

    def _expected(self, node: Node) -> Expression | None:
        """What a call gives to `out var cart`."""
        argument = node.parent
        listed = argument.parent if argument is not None else None
        call = listed.parent if listed is not None else None
        name = _called_name(call) if call is not None else None
        number = self._builder.site_at.get(name.byte_range) if name is not None else None
        if number is None or listed is None or argument is None:
            return None
        place = next(place for place, each in enumerate(parts_of(listed)) if each.byte_range == argument.byte_range)
        return Parameter(number, place, -1)

    def _matched(self, node: Node) -> Expression | None:
        """The value that `is { } cart` or `is var cart` names."""
        around = node.parent
        if around is not None and around.type == "subpattern" and around.named_children[0].type == "identifier":
            owner = self._filled(around)
            return taken(owner, self._builder.text(around.named_children[0]))
        return self.value_in(around, "expression")

    def _on_package(self, captured: CapturedNode) -> None:
        """The file's first namespace is its package; a further one has a scope of its own."""
        node, builder, names = captured.node.parent, self._builder, list[str]()
        around = node
        while around is not None:
            if around.type in ("namespace_declaration", "file_scoped_namespace_declaration"):
                name = around.child_by_field_name("name")
                names += ["".join(builder.text(name).split())] if name is not None else []
            around = around.parent
        whole = ".".join(reversed(names))
        if not builder.package or node is None:
            builder.package = whole
            return
        self._open_namespace(whole, node, node.end_byte)

    def _on_import(self, captured: CapturedNode) -> None:
        """Adds an import: `*` is all that a namespace or a class has. A global one is exported to all files."""
        node, builder = captured.node, self._builder
        around = node.parent
        alias = around.child_by_field_name("name") if around is not None else None
        module = self._dotted(node) if node.type in ("qualified_name", _GENERIC) else self._plain(node)
        local = builder.text(alias) if alias is not None else ""
        builder.add_import(module, "" if local else "*", local, node)
        if around is not None and around.children[0].type == "global":
            builder.exports.append(Export(local or "*", "", module, builder.line(node)))


def _value(argument: Node) -> Node:
    """The value of an argument, without its name and `ref`; `this` is no named node."""
    parts = argument.children
    while parts and parts[-1].type in COMMENTS:
        parts.pop()
    return parts[-1] if parts else argument


def _called_name(call: Node) -> Node | None:
    """The name of what a call or a construction names, as the query captures it."""
    node = call.child_by_field_name("function") or call.child_by_field_name("type")
    while node is not None and node.type != "identifier":
        if node.type == "conditional_access_expression":
            node = node.named_children[-1]
        elif node.type == _GENERIC:
            node = node.named_children[0]
        else:
            node = node.child_by_field_name("name")
    return node


CSharp.readers = {
    **dict.fromkeys(CSharp.same, CSharp.on_same),
    "integer_literal": CSharp._on_number,
    "real_literal": CSharp._on_number,
    "member_access_expression": CSharp._on_member,
    "conditional_access_expression": CSharp._on_conditional,
    "element_access_expression": CSharp._on_element,
    "await_expression": CSharp._on_await,
    "invocation_expression": CSharp._on_call,
    "object_creation_expression": CSharp._on_typed,
    "array_creation_expression": CSharp._on_typed,
    "declaration_expression": CSharp._on_typed,
    "default_expression": CSharp._on_typed,
    "cast_expression": CSharp._on_typed,
    "as_expression": CSharp._on_typed,
    "predefined_type": CSharp._on_name,
    "generic_name": CSharp._on_name,
    "alias_qualified_name": CSharp._on_alias,
    "qualified_name": CSharp._dotted,
    "implicit_object_creation_expression": CSharp._on_target,
    "implicit_array_creation_expression": CSharp._on_elements,
    "conditional_expression": CSharp._on_choice,
    "switch_expression": CSharp._on_arms,
    "binary_expression": CSharp._on_binary,
    "prefix_unary_expression": CSharp._on_unary,
    "lambda_expression": CSharp.function,
    "anonymous_method_expression": CSharp.function,
}


def test_command(files: Sequence[str], manifests: Mapping[str, bytes]) -> str:
    """Return the command that runs the test classes that the files are named by."""
    del manifests
    names = dict.fromkeys(file.rpartition("/")[2].partition(".")[0] for file in files)
    return f"dotnet test --filter {shlex.quote('|'.join(f'FullyQualifiedName~{name}' for name in names))}"
