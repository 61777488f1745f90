"""What the occurrences of a name are in TypeScript and JavaScript, and which scopes see them."""

from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.languages.shared.nodes import above, around, field_of
from bearings.code.languages.shared.occurrences import Leaf, NameRules, Part
from bearings.code.languages.shared.removals import RemovalRules

_FUNCTIONS = frozenset(
    {
        "function_declaration", "function_expression", "function", "arrow_function", "method_definition",
        "generator_function", "generator_function_declaration", "function_signature", "method_signature",
        "abstract_method_signature", "call_signature", "construct_signature", "function_type", "constructor_type",
    }
)  # fmt: skip
_HEADS = frozenset(
    {
        "class", "class_declaration", "abstract_class_declaration", "interface_declaration", "type_alias_declaration",
        "index_signature",
    }
)  # fmt: skip
"""Nodes that are scopes of their type parameters."""
_BLOCKS = frozenset(
    {"program", "statement_block", "for_statement", "for_in_statement", "switch_body", "class_static_block"}
)
_SCOPES = _FUNCTIONS | _HEADS | _BLOCKS | {"catch_clause", "enum_body"}
_DECLARATIONS = frozenset(
    {
        "function_declaration", "generator_function_declaration", "function_signature", "class_declaration",
        "abstract_class_declaration", "interface_declaration", "type_alias_declaration", "enum_declaration",
        "internal_module", "module", "import_alias",
    }
)  # fmt: skip
_TYPES = frozenset(
    {
        "type_identifier", "type_annotation", "type_arguments", "type_query", "nested_type_identifier",
        "interface_declaration", "type_alias_declaration", "implements_clause", "type_parameters",
    }
)  # fmt: skip
_OWN = frozenset({"function_expression", "function", "generator_function", "class"})
"""Expressions whose own name only they see."""
_MEMBERS = frozenset(
    {
        "method_definition", "public_field_definition", "field_definition", "property_signature", "method_signature",
        "abstract_method_signature", "enum_body", "enum_assignment",
    }
)  # fmt: skip
_NAMES = frozenset({"identifier", "type_identifier"})
_KEYS = frozenset({"property_identifier", "private_property_identifier"})
_PATTERNS = frozenset(
    {
        "object_pattern",
        "array_pattern",
        "rest_pattern",
        "assignment_pattern",
        "object_assignment_pattern",
        "pair_pattern",
    }
)
_PARAMETERS = frozenset({"required_parameter", "optional_parameter"})


class EcmaScriptNames(NameRules):
    """The names of TypeScript and JavaScript."""

    loads = (
        r"\b(?:(?:import|require)(?:Actual|Mock)|createMockFromModule)\s*(?:<[^(]*>)?\(\s*[\"'`]([^\"'`]+)"
        r"|\b(?:mock|doMock)\(\s*[\"']([^\"']+)[\"']\s*,\s*(?:async\s*)?\(?\s*(?!async\b|function\b)\w"
    )
    handing = r"\bstructuredClone\(.*\)\.$"
    indexes_members = True
    markup = r"\{.*?\}|(?:[@:*#()\[\]]|\b(?:on|v-|x-|ng-))[\w.:-]*[)\]]*\s*=\s*[\"'][^\"']*|\[[\w.-]+\]|^[^<>]*$"
    removal = RemovalRules(
        definitions=_DECLARATIONS | (_MEMBERS - {"enum_body", "enum_assignment"}),
        variables={"lexical_declaration": "variable_declarator", "variable_declaration": "variable_declarator"},
        wrappers=frozenset({"export_statement", "ambient_declaration", "expression_statement"}),
        entries=frozenset({"import_specifier", "export_specifier", "enum_assignment"}),
        statements=frozenset({"import_statement", "export_statement"}),
        functions=_FUNCTIONS,
        types=_TYPES,
        is_live=True,
    )
    reads_names = r"\.constructor\.name\b"

    def leaf(self, node: Node) -> Leaf | None:
        """What a leaf is; None for one that is no identifier."""
        parent = node.parent
        if parent is None:
            return None
        if node.type in _KEYS and parent.type in ("enum_body", "enum_assignment"):
            return Leaf(Part.DECLARED, parent if parent.type == "enum_body" else parent.parent)
        if node.type in _KEYS:
            return Leaf(_of_key(parent, field_of(node, parent)))
        if node.type == "shorthand_property_identifier":
            return Leaf(Part.SHORTHAND)
        if node.type == "shorthand_property_identifier_pattern":
            declared = _declared_by_pattern(node)
            return Leaf(Part.PATTERN, declared) if declared is not None else Leaf(Part.SHORTHAND)
        if node.type == "statement_identifier":
            return Leaf(Part.OTHER)
        return self._name(node, parent) if node.type in _NAMES else None

    def scopes(self, node: Node) -> Iterator[Node]:
        """The scopes, innermost first."""
        return (each for each in above(node) if each.type in _SCOPES)

    def _name(self, node: Node, parent: Node) -> Leaf:
        field = field_of(node, parent)
        kind = parent.type
        if kind in _DECLARATIONS and field == "name":
            return Leaf(Part.HEAD if kind == "function_signature" else Part.BINDING, _block(parent))
        if kind in _OWN and field == "name":
            return Leaf(Part.BINDING, parent)
        if kind == "import_specifier":
            if field == "alias":
                return Leaf(Part.BINDING, _block(node))
            return Leaf(Part.IMPORTED, None if parent.child_by_field_name("alias") else _block(node))
        if kind in ("import_clause", "namespace_import", "import_require_clause"):
            return Leaf(Part.BINDING, _block(node))
        if kind == "export_specifier":
            return _exported(parent, field)
        if kind == "namespace_export":
            return Leaf(Part.OTHER)
        if kind == "type_parameter" and field == "name":
            return Leaf(Part.BINDING, parent.parent.parent if parent.parent is not None else None)
        if kind == "mapped_type_clause" and field == "name":
            return Leaf(Part.BINDING, parent.parent)
        if kind in ("nested_type_identifier", "nested_identifier") and field in ("name", "property"):
            return Leaf(Part.MEMBER)
        if kind in ("jsx_attribute", "enum_body"):
            return Leaf(Part.KEY)
        declared = _declared_by_pattern(node)
        return Leaf(Part.NAME) if declared is None else Leaf(Part.BINDING, declared)


def _of_key(parent: Node, field: str) -> Part:
    if parent.type in ("member_expression", "nested_identifier") and field == "property":
        return Part.MEMBER
    if parent.type == "method_definition" and parent.parent is not None and parent.parent.type == "object":
        return Part.KEY
    return Part.DECLARED if parent.type in _MEMBERS else Part.KEY


def _exported(specifier: Node, field: str) -> Leaf:
    """A name in `export { a as b }`, with or without a module to export from."""
    if field == "alias":
        return Leaf(Part.OTHER)
    clause = specifier.parent
    statement = clause.parent if clause is not None else None
    is_from = statement is not None and statement.child_by_field_name("source") is not None
    return Leaf(Part.REEXPORTED if is_from else Part.EXPORTED)


def _block(node: Node) -> Node | None:
    """The block around a declaration."""
    return around(node.parent, _BLOCKS)


def _function(node: Node) -> Node | None:
    """The function around a declaration, or the program."""
    return around(node.parent, _FUNCTIONS | {"program"})


def _declared_by_pattern(node: Node) -> Node | None:
    """The scope in which a variable, a parameter, a loop or a handler declares a leaf; None if none does."""
    here = node
    parent = here.parent
    while parent is not None and parent.type in _PATTERNS:
        if parent.type in ("assignment_pattern", "object_assignment_pattern") and field_of(here, parent) == "right":
            return None
        if parent.type == "pair_pattern" and field_of(here, parent) == "key":
            return None
        here, parent = parent, parent.parent
    if parent is None:
        return None
    field = field_of(here, parent)
    if parent.type == "variable_declarator" and field == "name":
        is_var = parent.parent is not None and parent.parent.type == "variable_declaration"
        return _function(parent) if is_var else _block(parent)
    if parent.type == "for_in_statement" and field == "left":
        kind = parent.child_by_field_name("kind")
        return parent if kind is not None else None
    if parent.type == "catch_clause" and field == "parameter":
        return parent
    if parent.type == "arrow_function" and field == "parameter":
        return parent
    if parent.type in _PARAMETERS and field in ("pattern", "name"):
        around = parent.parent
        return around.parent if around is not None else None
    return parent.parent if parent.type == "formal_parameters" else None
