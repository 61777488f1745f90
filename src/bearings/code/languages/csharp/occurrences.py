"""What the occurrences of a name are in C#, and which scopes see locals. Edges tell members and types apart."""

from typing import Final

from tree_sitter import Node

from bearings.code.languages.shared.nodes import around, beyond, field_of
from bearings.code.languages.shared.occurrences import METHODS, ByEdges, Leaf, NamesByEdges, Part, members_by_type
from bearings.code.languages.shared.removals import RemovalRules
from bearings.code.models import SymbolKind

_VALUES: Final = frozenset({SymbolKind.PROPERTY, SymbolKind.CONSTANT})
_TYPES: Final = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM, SymbolKind.TYPE})
_CONSTRUCTORS: Final = frozenset({SymbolKind.CONSTRUCTOR})
_TYPE_NODES: Final = frozenset(
    """class_declaration struct_declaration record_declaration interface_declaration enum_declaration
    delegate_declaration""".split()
)
_VALUE_NODES: Final = frozenset({"enum_member_declaration", "property_declaration", "event_declaration"})
_DECLARING: Final = {
    **dict.fromkeys(_TYPE_NODES, _TYPES),
    **dict.fromkeys(_VALUE_NODES, _VALUES),
    "method_declaration": METHODS,
    "constructor_declaration": _CONSTRUCTORS,
}
"""Nodes whose field `name` declares an element, and the kinds that this may have."""
_FIELDS: Final = frozenset({"field_declaration", "event_field_declaration"})
_BODIES: Final = frozenset({"declaration_list", "enum_member_declaration_list"})
_SCOPES: Final = (_DECLARING.keys() | _BODIES) - {"enum_member_declaration"} | frozenset(
    """block operator_declaration conversion_operator_declaration indexer_declaration local_function_statement
        lambda_expression anonymous_method_expression catch_clause for_statement foreach_statement using_statement
        fixed_statement switch_section switch_expression_arm query_expression""".split()
)
_LOCALS: Final = frozenset(
    """variable_declarator parameter parameter_list catch_declaration declaration_expression declaration_pattern
    recursive_pattern var_pattern tuple_pattern type_parameter from_clause""".split()
)
"""Nodes whose field `name` declares a local."""
_BINDING: Final = frozenset({"join_into_clause", "query_expression", "parenthesized_variable_designation"})
"""Nodes of which a name alone declares a local."""
_NAMES: Final = frozenset({"identifier", "implicit_parameter"})
_ACCESSES: Final = frozenset({"member_access_expression", "member_binding_expression"})
_USING_TYPES: Final = _ACCESSES | {"constant_pattern", "argument"}
"""Nodes around a value that may name a type instead: `Cart.Most`, `is Cart`, `nameof(Cart)`."""
_LABELS: Final = frozenset(
    """labeled_statement goto_statement tuple_element extern_alias_directive namespace_declaration
    file_scoped_namespace_declaration""".split()
)
_OF_TYPES: Final = frozenset({"base_list", "type_argument_list", "attribute", "explicit_interface_specifier"})
_PATHS: Final = frozenset({"qualified_name", "alias_qualified_name", "generic_name"})
_FIRST: Final = frozenset({"let_clause", "join_clause"})

_BASES: Final = """Object: ToString Equals GetHashCode GetType MemberwiseClone ReferenceEquals Finalize Main Deconstruct
GetEnumerator GetAwaiter Dispose; IDisposable: Dispose; IAsyncDisposable: DisposeAsync; ICloneable: Clone; Enum: ;
IEquatable: Equals; IComparable: CompareTo; IComparer: Compare; IEqualityComparer: Equals GetHashCode; ValueType: ;
IFormattable: ToString; IEnumerable: GetEnumerator; IEnumerator: MoveNext Reset Current; EventArgs: Empty;
Attribute: Match IsDefaultAttribute TypeId; INotifyPropertyChanged: PropertyChanged"""
_THROWN: Final = """Message Data InnerException HelpLink Source StackTrace TargetSite HResult GetBaseException
GetObjectData SerializeObjectState"""
_ERRORS: Final = """Exception ApplicationException SystemException ArgumentException InvalidOperationException
NotSupportedException FormatException"""


class CSharpNames(NamesByEdges):
    """The names of C#."""

    markup = r".+"
    reads_names = r"(?:GetType\(\)|typeof\([^()]*\))\.(?:Full)?Name\b"
    scoping = _SCOPES
    removal = RemovalRules(
        definitions=frozenset(_DECLARING.keys() - {"enum_member_declaration"}),
        variables=dict.fromkeys(_FIELDS, "variable_declarator"),
        entries=frozenset({"enum_member_declaration"}),
    )
    by_edges = ByEdges(
        spaces=(_VALUES, METHODS, _TYPES | _CONSTRUCTORS),
        bodies=_BODIES,
        alone=r"\b(?:private|static|const)\b",
        bases=members_by_type(_BASES, _ERRORS, _THROWN),
        overriding=_VALUES | METHODS,
        shares_names=True,
        mapped=r"\bpublic\b(?!.*\b(?:static|const)\b)",
        mappers=("AutoMapper", "ControllerBase", "Dapper", "EntityFrameworkCore", "JsonConvert", "JsonSerializer"),
    )

    def leaf(self, node: Node) -> Leaf | None:
        """What a leaf is; None for one that is no name."""
        if node.type not in _NAMES or node.parent is None:
            return None
        name = node.parent if node.parent.type == "generic_name" and node.parent.named_children[0] == node else node
        parent = name.parent
        if parent is None:
            return None
        kind, field = parent.type, field_of(name, parent)
        if kind.startswith("preproc") or (kind in _LABELS and field != "type"):
            is_value = kind == "goto_statement" and any(each.type == "case" for each in parent.children)
            return Leaf(Part.NAME, kinds=_VALUES) if is_value else Leaf(Part.OTHER)
        if field == "name" and kind in _DECLARING:
            kinds = _DECLARING[kind]
            return Leaf(Part.DECLARED, around(parent, _BODIES) if kinds is _VALUES else None, kinds=kinds)
        if _is_binding(name, parent, field):
            return _variable(parent)
        if kind == "using_directive" or kind in _PATHS:
            return _in_path(parent, field)
        if field == "name" and kind in ("argument", "attribute_argument"):  # f(count: 1), [Priced(Price = 1)]
            is_member = any(each.type == "=" for each in parent.children)
            return Leaf(Part.MEMBER, kinds=_VALUES) if is_member else Leaf(Part.OTHER)
        if kind == "anonymous_object_creation_expression":
            is_key = name.next_sibling is not None and name.next_sibling.type == "="
            return Leaf(Part.OTHER) if is_key else _handed(name, Part.NAME, _VALUES)
        if _is_filled(name, parent, field):
            return Leaf(Part.MEMBER, kinds=_VALUES)
        if field in ("type", "returns") or kind in _OF_TYPES or (kind == "as_expression" and field == "right"):
            return Leaf(Part.NAME, kinds=_TYPES)
        if kind == "destructor_declaration":
            return Leaf(Part.NAME, kinds=_TYPES)
        is_member = kind in _ACCESSES and field == "name"
        user = parent.parent if is_member else parent
        kinds = METHODS | _VALUES | (_TYPES if user is not None and user.type in _USING_TYPES else frozenset())
        return _handed(parent, Part.MEMBER, kinds) if is_member else Leaf(Part.NAME, kinds=kinds)


def _is_binding(name: Node, parent: Node, field: str) -> bool:
    """Whether a name declares a local, a parameter or a field."""
    kind = parent.type
    if kind in _BINDING or name.type == "implicit_parameter" or (field == "name" and kind in _LOCALS):
        return True
    if kind == "foreach_statement":
        return field == "left"
    is_first = kind in _FIRST and parent.named_children[0] == name
    return is_first or (field == "name" and kind in ("local_function_statement", "using_directive"))


def _variable(parent: Node) -> Leaf:
    """The name of a local, a parameter, a type parameter or a field."""
    holder = parent.parent.parent if parent.type == "variable_declarator" and parent.parent is not None else None
    if holder is not None and holder.type in _FIELDS:
        return Leaf(Part.DECLARED, around(holder, _BODIES), kinds=_VALUES)
    if parent.type == "using_directive":
        return Leaf(Part.BINDING, around(parent, {"compilation_unit"}))
    return Leaf(Part.BINDING, around(parent.parent if parent.type == "local_function_statement" else parent, _SCOPES))


def _in_path(parent: Node, field: str) -> Leaf:
    """A part of a dotted name, or of a using directive: of a namespace alone it is no name of an element."""
    holder = beyond(parent, _PATHS) if parent.type in _PATHS else parent
    signs = {each.type for each in holder.children} if holder is not None else set[str]()
    is_space = holder is None or holder.type in ("namespace_declaration", "file_scoped_namespace_declaration")
    is_plain = holder is not None and holder.type == "using_directive" and signs.isdisjoint({"=", "static"})
    if is_space or is_plain or field == "alias":
        return Leaf(Part.OTHER)
    return Leaf(Part.NAME if field in ("qualifier", "") else Part.MEMBER, kinds=_TYPES)


def _is_filled(name: Node, parent: Node, field: str) -> bool:
    """Whether a name is a property in `new Cart { Total = 1 }`, `cart with { Total = 1 }` or `is { Total: 1 }`."""
    if parent.type in ("subpattern", "with_initializer"):
        return parent.named_children[0] == name
    holder = parent.parent
    is_left = parent.type == "assignment_expression" and field == "left"
    return is_left and holder is not None and holder.type == "initializer_expression"


def _handed(value: Node, part: Part, kinds: frozenset[SymbolKind]) -> Leaf:
    """A name by which `new { cart.Total }` names a property of an object without a class, or any other name."""
    around_it = value.parent
    while around_it is not None and around_it.type == "conditional_access_expression":
        value, around_it = around_it, around_it.parent
    is_new = around_it is not None and around_it.type == "anonymous_object_creation_expression"
    is_named = value.prev_sibling is not None and value.prev_sibling.type == "="
    return Leaf(Part.SHORTHAND if is_new and not is_named else part, kinds=kinds)
