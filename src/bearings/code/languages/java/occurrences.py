"""What the occurrences of a name are in Java, and which scopes see locals. Edges tell members and types apart."""

from typing import Final

from tree_sitter import Node

from bearings.code.languages.shared.nodes import around, field_of
from bearings.code.languages.shared.occurrences import METHODS, ByEdges, Leaf, NamesByEdges, Part, members_by_type
from bearings.code.languages.shared.removals import RemovalRules
from bearings.code.models import SymbolKind

_VALUES: Final = frozenset({SymbolKind.PROPERTY, SymbolKind.CONSTANT})
_TYPES: Final = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.ENUM})
_CONSTRUCTORS: Final = frozenset({SymbolKind.CONSTRUCTOR})
_DECLARING: Final = {
    "class_declaration": _TYPES,
    "record_declaration": _TYPES,
    "interface_declaration": _TYPES,
    "annotation_type_declaration": _TYPES,
    "enum_declaration": _TYPES,
    "enum_constant": _VALUES,
    "method_declaration": METHODS,
    "annotation_type_element_declaration": METHODS,
    "constructor_declaration": _CONSTRUCTORS,
    "compact_constructor_declaration": _CONSTRUCTORS,
}
"""Nodes whose field `name` declares an element, and the kinds that this may have."""
_FIELDS: Final = frozenset({"field_declaration", "constant_declaration"})
_BODIES: Final = frozenset({"class_body", "interface_body", "enum_body", "annotation_type_body"})
_SCOPES: Final = (_DECLARING.keys() | _BODIES) - {"enum_constant"} | frozenset(
    """block constructor_body lambda_expression catch_clause try_with_resources_statement for_statement
    enhanced_for_statement switch_rule switch_block_statement_group""".split()
)
_LOCALS: Final = frozenset(
    """variable_declarator formal_parameter catch_formal_parameter enhanced_for_statement resource
    instanceof_expression""".split()
)
"""Nodes whose field `name` declares a local."""
_LISTED: Final = frozenset({"inferred_parameters", "record_pattern_component", "type_parameter"})
_LABELS: Final = frozenset({"labeled_statement", "break_statement", "continue_statement", "package_declaration"})
_ANNOTATIONS: Final = frozenset({"annotation", "marker_annotation"})
_OBJECTS: Final = frozenset({"method_invocation", "field_access", "method_reference", "scoped_identifier"})
"""Nodes whose first name may be a variable or a type."""

_BASES: Final = """Object: toString equals hashCode clone finalize getClass notify notifyAll wait main premain
agentmain readObject writeObject readObjectNoData readResolve writeReplace; Serializable: ; Cloneable: ; Record: ;
Iterable: iterator forEach spliterator; Iterator: hasNext next remove forEachRemaining; Closeable: close;
AutoCloseable: close; Runnable: run; Callable: call; Comparable: compareTo; CharSequence: charAt length subSequence
isEmpty chars codePoints; Appendable: append; Supplier: get; Consumer: accept andThen;
Function: apply andThen compose"""
_THROWN: Final = """getMessage getLocalizedMessage getCause initCause fillInStackTrace getStackTrace setStackTrace
printStackTrace addSuppressed getSuppressed"""
_ERRORS: Final = """Throwable Exception Error RuntimeException IllegalArgumentException IllegalStateException
IOException UncheckedIOException"""


class JavaNames(NamesByEdges):
    """The names of Java."""

    scoping = _SCOPES
    reads_names = r"\.get(?:Simple|Canonical)?Name\(\)"
    removal = RemovalRules(
        definitions=frozenset(_DECLARING.keys() - {"enum_constant"} | {"import_declaration"}),
        variables=dict.fromkeys(_FIELDS, "variable_declarator"),
        entries=frozenset({"enum_constant"}),
    )
    by_edges = ByEdges(
        spaces=(_VALUES, METHODS, _TYPES | _CONSTRUCTORS),
        bodies=_BODIES,
        alone=r"\b(?:private|static)\b",
        bases=members_by_type(_BASES, _ERRORS, _THROWN),
        names_files=True,
    )

    def leaf(self, node: Node) -> Leaf | None:
        """What a leaf is; None for one that is no identifier."""
        parent = node.parent
        if parent is None or node.type not in ("identifier", "type_identifier"):
            return None
        kind, field = parent.type, field_of(node, parent)
        if kind in _LABELS:
            return Leaf(Part.OTHER)
        if field == "name" and kind in _DECLARING:
            kinds = _DECLARING[kind]
            return Leaf(Part.DECLARED, around(parent, _BODIES) if kinds is _VALUES else None, kinds=kinds)
        if (field == "name" and kind in _LOCALS) or kind in _LISTED or _is_pattern(node, parent, field):
            return _variable(parent)
        if kind in ("scoped_identifier", "import_declaration"):
            return _in_path(node, parent)
        if (kind, field) in (("method_invocation", "name"), ("element_value_pair", "key")):
            return Leaf(Part.MEMBER, kinds=METHODS)
        is_first = parent.named_children[0].id == node.id
        if kind == "method_reference" and not is_first:
            return Leaf(Part.MEMBER, kinds=METHODS)
        if node.type == "type_identifier" or kind in _ANNOTATIONS or kind == "record_pattern":
            is_inner = kind == "scoped_type_identifier" and not is_first
            return Leaf(Part.MEMBER if is_inner else Part.NAME, kinds=_TYPES)
        if field == "field":
            return Leaf(Part.MEMBER, kinds=_VALUES | _TYPES)
        return Leaf(Part.NAME, kinds=_VALUES | _TYPES if kind in _OBJECTS else _VALUES)


def _is_pattern(node: Node, parent: Node, field: str) -> bool:
    """Whether a leaf is the parameter of a lambda, or the variable of a pattern after its type."""
    if parent.type == "lambda_expression":
        return field == "parameters"
    return parent.type == "type_pattern" and node.type == "identifier"


def _variable(parent: Node) -> Leaf:
    """The name of a local, a type parameter, a field, or a part of a record."""
    holder = parent.parent
    record = holder.parent if holder is not None and parent.type == "formal_parameter" else None
    if record is not None and record.type == "record_declaration":
        return Leaf(Part.DECLARED, record.child_by_field_name("body"), kinds=_VALUES)
    if holder is not None and holder.type in _FIELDS:
        return Leaf(Part.DECLARED, around(holder, _BODIES), kinds=_VALUES)
    return Leaf(Part.BINDING, around(parent, _SCOPES))


def _in_path(node: Node, parent: Node) -> Leaf:
    """A part of a dotted name, in an import or an annotation."""
    holder = around(parent, {"import_declaration", "package_declaration", *_ANNOTATIONS})
    if holder is None or holder.type == "package_declaration":
        return Leaf(Part.OTHER)
    signs = {each.type for each in holder.children}
    if holder.type != "import_declaration" or "asterisk" in signs or holder.named_children[0].end_byte != node.end_byte:
        return Leaf(Part.MEMBER, kinds=_TYPES)
    return Leaf(Part.IMPORTED, kinds=_TYPES | METHODS | _VALUES if "static" in signs else _TYPES)
