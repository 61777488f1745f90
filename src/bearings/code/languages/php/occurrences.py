"""What the occurrences of a name are in PHP, and which scopes see locals. Edges tell all other names apart.

Every variable is bound in its function; one that a function without a name uses from outside is the outer one.
"""

from typing import Final

from tree_sitter import Node

from bearings.code.languages.shared.nodes import around, field_of
from bearings.code.languages.shared.occurrences import METHODS, ByEdges, Leaf, NamesByEdges, Part, members_by_type
from bearings.code.languages.shared.removals import RemovalRules
from bearings.code.models import SymbolKind

_PROPERTIES: Final = frozenset({SymbolKind.PROPERTY})
_CONSTANTS: Final = frozenset({SymbolKind.CONSTANT})
_FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION})
_TYPES: Final = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM})
_DECLARING: Final = {
    **dict.fromkeys(("class_declaration", "trait_declaration", "interface_declaration", "enum_declaration"), _TYPES),
    "enum_case": _PROPERTIES,
    "method_declaration": METHODS,
    "function_definition": _FUNCTIONS,
}
"""Nodes whose field `name` declares an element, and the kinds that this may have."""
_BODIES: Final = frozenset({"declaration_list", "enum_declaration_list"})
_SCOPES: Final = frozenset({"method_declaration", "function_definition", "anonymous_function", "program"})
_MEMBERS: Final = {
    **dict.fromkeys(("member_access_expression", "nullsafe_member_access_expression"), _PROPERTIES),
    **dict.fromkeys(("member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression"), METHODS),
}
"""Nodes whose field `name` is a member, and the kinds that this may have."""
_OTHER: Final = frozenset({"namespace_name", "goto_statement", "named_label_statement"})
_TEXTS: Final = frozenset({"encapsed_string", "heredoc_body", "shell_command_expression"})
_RENAMING: Final = frozenset({"use_as_clause", "use_instead_of_clause"})
_QUALIFIED: Final = frozenset({"qualified_name", "relative_name"})
_FIELDS: Final = frozenset({"property_element", "property_promotion_parameter"})

_BASES: Final = """Object: __toString __get __set __isset __unset __call __callStatic __invoke __clone __sleep __wakeup
__serialize __unserialize __set_state __debugInfo __destruct __construct; JsonSerializable: jsonSerialize;
Countable: count; Stringable: __toString; ArrayAccess: offsetGet offsetSet offsetExists offsetUnset;
IteratorAggregate: getIterator; Traversable: ; Iterator: current key next rewind valid; UnitEnum: cases name;
BackedEnum: cases name value from tryFrom"""
_THROWN: Final = """getMessage getCode getPrevious getFile getLine getTrace getTraceAsString message code file line
previous string trace"""
_ERRORS: Final = """Throwable Exception Error ErrorException RuntimeException LogicException InvalidArgumentException
DomainException LengthException OutOfBoundsException OutOfRangeException RangeException UnexpectedValueException
BadMethodCallException BadFunctionCallException TypeError ValueError"""


class PhpNames(NamesByEdges):
    """The names of PHP."""

    scoping = _SCOPES
    markup = r"\{[{%].*?[%}]\}"
    directives = r"(?s).*@(?:dataProvider|depends)\b"
    removal = RemovalRules(
        definitions=frozenset(_DECLARING),
        variables={
            "property_declaration": "property_element",
            "const_declaration": "const_element",
            "property_promotion_parameter": "",
        },
        entries=frozenset({"namespace_use_clause"}),
        statements=frozenset({"namespace_use_declaration"}),
    )
    by_edges = ByEdges(
        spaces=(_PROPERTIES, _CONSTANTS, METHODS, _FUNCTIONS, _TYPES),
        bodies=_BODIES,
        alone=r"\bprivate\b",
        bases=members_by_type(_BASES, _ERRORS, _THROWN),
        overriding=METHODS | _PROPERTIES | _CONSTANTS,
        templates=frozenset({"text"}),
        names_files=True,
        sigil="$",
        is_called_by_text=True,
        caseless=METHODS | _FUNCTIONS | _TYPES,
    )

    def leaf(self, node: Node) -> Leaf | None:
        """What a leaf is; None for one that is no name."""
        parent = node.parent
        if parent is None or node.type != "name":
            return None
        if parent.type == "variable_name":
            return _variable(node, parent)
        if _is_in_braces(node, parent):
            return Leaf(Part.BINDING, _scope_of(node, parent), kinds=_PROPERTIES)
        field, kinds = field_of(node, parent), _TYPES
        if parent.type in _QUALIFIED:
            node, parent = parent, parent.parent or parent
            field = field_of(node, parent)
        kind = parent.type
        if kind in _OTHER or (kind == "subscript_expression" and parent.parent and parent.parent.type in _TEXTS):
            return Leaf(Part.OTHER)
        if kind == "namespace_use_clause":
            return _imported(field, parent)
        if field == "name" and kind in _DECLARING:
            return Leaf(Part.DECLARED, kinds=_DECLARING[kind])
        if kind == "const_element" and parent.named_children[0].id == node.id:
            return Leaf(Part.DECLARED, kinds=_CONSTANTS)
        if kind == "argument" and field == "name":
            return Leaf(Part.KEY, kinds=_PROPERTIES)
        if field == "name" and kind in _MEMBERS:
            return Leaf(Part.MEMBER, kinds=_MEMBERS[kind])
        is_last = parent.named_children[-1].id == node.id
        if kind in _RENAMING:
            return Leaf(Part.MEMBER, kinds=_TYPES if is_last and kind == "use_instead_of_clause" else METHODS)
        if kind == "class_constant_access_expression" and is_last:
            is_renamed = parent.parent is not None and parent.parent.type in _RENAMING
            return Leaf(Part.MEMBER, kinds=METHODS if is_renamed else _CONSTANTS | _PROPERTIES)
        if kind == "function_call_expression" and field == "function":
            kinds = _FUNCTIONS
        elif not _names_type(parent, field, is_last=is_last):
            kinds = _CONSTANTS
        return Leaf(Part.MEMBER, kinds=kinds)


_TYPED: Final = frozenset(
    """base_clause class_interface_clause use_declaration named_type object_creation_expression attribute
    class_constant_access_expression""".split()
)


def _is_in_braces(node: Node, parent: Node) -> bool:
    """Whether a name in a text is one of a variable: `"${total} ${total[1]}"`."""
    is_indexed = parent.type == "subscript_expression" and parent.named_children[0].id == node.id
    braces = parent.parent if is_indexed and parent.parent is not None else parent
    return braces.type == "dynamic_variable_name" and braces.parent is not None and braces.parent.type in _TEXTS


def _names_type(parent: Node, field: str, *, is_last: bool) -> bool:
    """Whether a name that is no member is one of a type, and not of a constant."""
    is_tested = (
        parent.type == "binary_expression" and is_last and any(one.type == "instanceof" for one in parent.children)
    )
    return parent.type in _TYPED or field == "scope" or is_tested


def _variable(node: Node, variable: Node) -> Leaf:
    """The name of a variable, a property or a static property."""
    holder = variable.parent
    kind = holder.type if holder is not None else ""
    if holder is not None and kind == "scoped_property_access_expression" and field_of(variable, holder) == "name":
        return Leaf(Part.MEMBER, kinds=_PROPERTIES)
    if kind == "property_promotion_parameter":
        return Leaf(Part.DECLARED, around(variable, _SCOPES), kinds=_PROPERTIES)
    if kind == "property_element":
        return Leaf(Part.DECLARED, kinds=_PROPERTIES)
    return Leaf(Part.BINDING, _scope_of(node, variable), kinds=_PROPERTIES)


def _scope_of(node: Node, variable: Node) -> Node | None:
    """The function that a variable belongs to: the outer one, if a function without a name uses it from there."""
    scope = around(variable, _SCOPES)
    while scope is not None and scope.type == "anonymous_function":
        used = next((one for one in scope.named_children if one.type == "anonymous_function_use_clause"), None)
        names = {one.text.lstrip(b"&$ ") for one in used.named_children if one.text is not None} if used else set()
        if node.text not in names:
            break
        scope = around(scope.parent, _SCOPES)
    return scope


def _imported(field: str, clause: Node) -> Leaf:
    """The name that a `use` clause takes, or the one that it gives."""
    holder = (
        clause.parent if clause.parent is None or clause.parent.type != "namespace_use_group" else clause.parent.parent
    )
    if field == "alias":
        return Leaf(Part.BINDING, around(clause, {"program"}))
    word = clause.child_by_field_name("type") or (holder.child_by_field_name("type") if holder is not None else None)
    kinds = {"function": _FUNCTIONS, "const": _CONSTANTS}.get(word.type if word is not None else "", _TYPES)
    return Leaf(Part.IMPORTED, kinds=kinds)
