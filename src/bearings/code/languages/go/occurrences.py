"""What the occurrences of a name are in Go, and which scopes see them.

A local name is seen only after its declaration, so that each declaration is the scope of its names: `old := old(1)`.
"""

from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.languages.shared.nodes import above, around, field_of
from bearings.code.languages.shared.occurrences import Leaf, NameRules, Part

_GROUPS = frozenset({"var_declaration", "const_declaration", "type_declaration"})
_ASSIGNED = frozenset({"short_var_declaration", "range_clause", "receive_statement", "type_switch_statement"})
"""Statements that declare the names in their field `left` or `alias` if they have a `:=`."""
_SEEN_AFTER = (_GROUPS | _ASSIGNED | {"parameter_list", "type_parameter_list"}) - {"type_switch_statement"}
_INSIDE = frozenset({"type_declaration", "type_parameter_list"})
"""Declarations that see their own names."""
_SPECS = frozenset({"var_spec", "const_spec"})
_CASES = frozenset({"type_case", "default_case"})
_LISTS = frozenset({"expression_list", "argument_list", "literal_value"})
"""Nodes of many children that declare nothing."""
_DECLARED = {
    "function_declaration": "source_file",
    "type_spec": "type_declaration",
    "type_alias": "type_declaration",
    "var_spec": "var_declaration",
    "const_spec": "const_declaration",
    "parameter_declaration": "parameter_list",
    "variadic_parameter_declaration": "parameter_list",
    "type_parameter_declaration": "type_parameter_list",
    "import_spec": "source_file",
}
"""Nodes whose field `name` declares it, and the scope around them."""
_MEMBERS = frozenset({"method_declaration", "field_declaration", "method_elem"})
_ELEMENTS = {"array_type": "element", "slice_type": "element", "implicit_length_array_type": "element"}

_LIBRARY = """Accept Addr Close, At Bounds ColorModel, Close, Deadline Done Err Value, Do, Enabled Handle
WithAttrs WithGroup, Exec, Flush, Format, GoString, GobDecode, GobEncode, Header Write WriteHeader, Hijack, Info
IsDir Name Type, Is, As, IsDir ModTime Mode Name Size Sys, Len Less Swap, Lock Unlock, LogValue, MarshalBinary,
MarshalJSON, MarshalText, MarshalXML, MarshalXMLAttr, MarshalYAML, Network String, Open, Pop Push, Query, Read,
ReadAt, ReadByte, ReadDir, ReadFile, ReadFrom, ReadRune, RoundTrip, Scan, Seek, ServeHTTP, Set String, Stat,
String, Error, Sum, Temporary, Timeout, UnmarshalBinary, UnmarshalJSON, UnmarshalText, UnmarshalXML,
UnmarshalXMLAttr, UnmarshalYAML, UnreadByte, Unwrap, Value, Write, WriteAt, WriteByte, WriteString, WriteTo,
Fatal Fatalf Fatalln Panic Panicf Panicln Print Printf Println"""
"""Methods of interfaces of the standard library and of its own types; a type that has all of one may be used as it."""


class GoNames(NameRules):
    """The names of Go."""

    reads_names = r"\breflect\."
    is_packaged = True
    directives = r"//(?:go:linkname|export) "
    markup = r"(?<=\.)\w+(?=[^{}]*\}\})"
    library = tuple(frozenset(names.split()) for names in _LIBRARY.split(","))

    def leaf(self, node: Node) -> Leaf | None:
        """What a leaf is; None for one that is no identifier."""
        parent = node.parent
        if parent is None or not node.type.endswith("identifier"):
            return Leaf(Part.OTHER) if node.type == "label_name" else None
        field = field_of(node, parent)
        if parent.type == "package_clause":
            return Leaf(Part.OTHER)
        if node.type == "field_identifier":
            return Leaf(Part.DECLARED if parent.type in _MEMBERS else Part.MEMBER)
        if parent.type == "qualified_type" and field == "name":
            return Leaf(Part.MEMBER)
        if field == "name" and parent.type in _DECLARED:
            return Leaf(Part.BINDING, _top(around(parent, {_DECLARED[parent.type]})))
        if parent.type == "literal_element" and field_of(parent, parent.parent or parent) == "key":
            return _key(parent)
        names = parent.parent if parent.type == "expression_list" else None
        is_target = names is not None and names.type in _ASSIGNED and field_of(parent, names) in ("left", "alias")
        if names is not None and is_target and _declares(names):
            return Leaf(Part.BINDING, names)
        return Leaf(Part.NAME)

    def scopes(self, node: Node) -> Iterator[Node]:
        """The scopes, innermost first: the declarations before a leaf in the blocks around it."""
        own = self.leaf(node)
        if own is not None and own.part is Part.BINDING and own.declares is not None:
            yield own.declares
        here, parent = node, node.parent
        while parent is not None:
            if here.type in _INSIDE:
                yield here
            elif here.type == "statement_list" and parent.type in _CASES and parent.parent is not None:
                yield parent.parent
            elif here.type in _SPECS and here.prev_named_sibling is not None:
                yield around(parent, _GROUPS) or parent
            if parent.type == "source_file":
                yield parent
            elif parent.type not in _LISTS:
                before = [one for one in parent.named_children if one.start_byte < here.start_byte]
                yield from (one for one in map(_declaration, reversed(before)) if _is_seen(one, here))
            here, parent = parent, parent.parent


def _declaration(node: Node) -> Node:
    """A node itself, or the declaration in the head of a loop."""
    return (node.child_by_field_name("initializer") or node) if node.type == "for_clause" else node


def _is_seen(before: Node, here: Node) -> bool:
    """Whether a node sees the names of one before it: those of parameters only in the body."""
    return before.type in _SEEN_AFTER and (before.type != "parameter_list" or here.type == "block")


def _top(scope: Node | None) -> Node | None:
    """The file instead of a declaration at its top."""
    return scope.parent if scope is not None and scope.parent is not None and scope.parent.parent is None else scope


def _declares(statement: Node) -> bool:
    return any(child.type == ":=" for child in statement.children)


def _key(element: Node) -> Leaf:
    """A key: a name in a literal of a map or a list, a field in one of a struct; either in one of a named type."""
    levels, kind = 0, None
    for here in above(element):
        if here.type == "composite_literal":
            kind = here.child_by_field_name("type")
            break
        levels += here.type == "literal_value"
        if here.type == "literal_element" and field_of(here, here.parent or here) == "key":
            return Leaf(Part.KEY)
    for _ in range(levels - 1):
        inner = _ELEMENTS.get(kind.type, "value") if kind is not None else ""
        kind = kind.child_by_field_name(inner) if kind is not None else None
    if kind is not None and (kind.type == "map_type" or kind.type in _ELEMENTS):
        return Leaf(Part.NAME)
    return Leaf(Part.KEY, kind if kind is not None and kind.type == "struct_type" else None)
