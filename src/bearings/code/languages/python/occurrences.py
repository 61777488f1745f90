"""What the occurrences of a name are in Python, and which scopes see them."""

from collections.abc import Iterator

from tree_sitter import Node

from bearings.code.languages.python.names import COMPREHENSIONS
from bearings.code.languages.shared.nodes import around, field_of
from bearings.code.languages.shared.occurrences import Leaf, NameRules, Part
from bearings.code.languages.shared.removals import RemovalRules

_SCOPES = COMPREHENSIONS | {"module", "function_definition", "lambda", "class_definition"}
_PATTERNS = frozenset(
    {
        "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "tuple", "list",
        "parenthesized_expression", "as_pattern_target",
    }
)  # fmt: skip
"""Nodes around the names that an assignment, a loop or `with … as` binds."""
_CASE_PATTERNS = frozenset(
    {
        "case_pattern", "splat_pattern", "dict_pattern", "list_pattern", "tuple_pattern", "union_pattern",
        "class_pattern", "keyword_pattern", "as_pattern",
    }
)  # fmt: skip
"""Nodes around the names that `case` binds."""
_TARGETS = {
    "assignment": "left",
    "augmented_assignment": "left",
    "for_statement": "left",
    "for_in_clause": "left",
    "as_pattern": "alias",
    "named_expression": "name",
}
_PARAMETERS = frozenset({"parameters", "lambda_parameters"})
_DEFAULTS = frozenset({"default_parameter", "typed_default_parameter"})


class PythonNames(NameRules):
    """The names of Python."""

    exports = "__all__"
    loads = r"\b(?:import_module|__import__)\(\s*[\"']([\w.]+)[\"']"
    handing = (
        r"\b(?:(?:type|max|min|next|copy|deepcopy|choice|reduce|cast|replace)\(.*\)"
        r"|(?:sorted|list|tuple|dict|zip|vars|choices|sample)\(.*\)\[.*\])\.$"
    )
    makers = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "TypedDict", "NamedTuple", "namedtuple"})
    markup = r"\{[{%].*?[%}]\}"
    removal = RemovalRules(
        definitions=frozenset({"function_definition", "class_definition"}),
        variables={"expression_statement": "assignment"},
        wrappers=frozenset({"decorated_definition"}),
        entries=frozenset({"dotted_name", "aliased_import", "string"}),
        statements=frozenset({"import_from_statement", "import_statement", "expression_statement"}),
        blocks=frozenset({"block"}),
        filler=b"pass",
        functions=frozenset({"function_definition", "lambda"}),
        types=frozenset({"type"}),
    )
    reads_names = r"\.__(?:qual)?name__\b"

    def leaf(self, node: Node) -> Leaf | None:
        """What a leaf is; None for one that is no identifier."""
        parent = node.parent
        if node.type != "identifier" or parent is None:
            return None
        field = field_of(node, parent)
        match parent.type:
            case "attribute" if field == "attribute":
                return Leaf(Part.MEMBER)
            case "keyword_argument" if field == "name":
                return Leaf(Part.KEY)
            case "keyword_pattern" if parent.named_children[0].id == node.id:
                return Leaf(Part.KEY)
            case "function_definition" | "class_definition" if field == "name":
                return Leaf(Part.BINDING, _scope_of(parent))
            case "global_statement" | "nonlocal_statement":
                return _passed_on(parent)
            case "dotted_name":
                return _dotted(parent, node)
            case "aliased_import" if field == "alias":
                return Leaf(Part.BINDING, _scope_of(node))
        return _parameter(parent, node, field) or _target(node) or Leaf(Part.NAME)

    def scopes(self, node: Node) -> Iterator[Node]:
        """The scopes, innermost first. A class is seen only by the code directly in it."""
        here: Node | None = node
        is_first = True
        while here is not None:
            parent = here.parent
            if here.type == "module":
                yield here
            elif here.type in _SCOPES and here.id != node.id and not _is_outside(here, node):
                if is_first or here.type != "class_definition":
                    yield here
                is_first = False
            here = parent


def _scope_of(node: Node) -> Node | None:
    """The scope in which a statement binds names."""
    return around(node.parent, _SCOPES - COMPREHENSIONS)


def _is_outside(scope: Node, node: Node) -> bool:
    """Whether a leaf inside a scope's node is evaluated outside: a default, an annotation, a base, its own name."""
    body = scope.child_by_field_name("body")
    if scope.type in COMPREHENSIONS:
        first = next((child for child in scope.named_children if child.type == "for_in_clause"), None)
        right = first.child_by_field_name("right") if first is not None else None
        return right is not None and right.start_byte <= node.start_byte < right.end_byte
    if body is not None and body.start_byte <= node.start_byte < body.end_byte:
        return False
    generics = scope.child_by_field_name("type_parameters")
    if generics is not None and generics.start_byte <= node.start_byte < generics.end_byte:
        return False
    parameters = scope.child_by_field_name("parameters")
    is_within = parameters is not None and parameters.start_byte <= node.start_byte < parameters.end_byte
    return not (is_within and _bound_parameter(node))


def _bound_parameter(node: Node) -> bool:
    parent = node.parent
    return parent is not None and _parameter(parent, node, field_of(node, parent)) is not None


def _parameter(parent: Node, node: Node, field: str) -> Leaf | None:
    """A leaf that names a parameter."""
    holder = parent
    if holder.type in _DEFAULTS:
        if field != "name":
            return None
    elif holder.type == "typed_parameter":
        if holder.named_children[0].id != node.id:
            return None
    elif holder.type in ("list_splat_pattern", "dictionary_splat_pattern"):
        if holder.parent is not None and holder.parent.type == "typed_parameter":
            holder = holder.parent
    elif holder.type not in _PARAMETERS:
        return None
    around = holder if holder.type in _PARAMETERS else holder.parent
    if around is None or around.type not in _PARAMETERS:
        return None
    return Leaf(Part.BINDING, around.parent)


def _target(node: Node) -> Leaf | None:
    """A leaf that a statement binds."""
    if _is_captured(node):
        return Leaf(Part.BINDING, _scope_of(node))
    here = node
    while here.parent is not None and here.parent.type in _PATTERNS:
        here = here.parent
    parent = here.parent
    if parent is None:
        return None
    field = _TARGETS.get(parent.type)
    if field is None or field_of(here, parent) != field:
        return None
    scope = _scope_of(parent)
    if parent.type == "for_in_clause" and parent.parent is not None:
        scope = parent.parent
    return Leaf(Part.BINDING, scope)


def _is_captured(node: Node) -> bool:
    """Whether the pattern of a `case` binds a name: neither the name of its class nor its guard."""
    here, parent = node, node.parent
    while parent is not None and parent.type in _CASE_PATTERNS:
        if parent.type == "class_pattern" and here.type != "case_pattern":
            return False
        here, parent = parent, parent.parent
    return parent is not None and parent.type == "case_clause" and here.type == "case_pattern"


def _passed_on(statement: Node) -> Leaf:
    """A name in `global` or `nonlocal`: the scope passes it on to the module, or to the function around."""
    scope = _scope_of(statement)
    outer = scope.parent if scope is not None else None
    while outer is not None and outer.parent is not None:
        if statement.type == "nonlocal_statement" and outer.type in ("function_definition", "lambda"):
            break
        outer = outer.parent
    return Leaf(Part.BINDING, scope, outer)


def _dotted(dotted: Node, node: Node) -> Leaf | None:
    """A part of a dotted name, in an import or a pattern."""
    holder = dotted.parent
    if holder is None:
        return None
    if holder.type == "relative_import":
        return Leaf(Part.OTHER)
    alias = holder if holder.type == "aliased_import" else None
    statement = alias.parent if alias is not None else holder
    if statement is not None and statement.type == "import_from_statement":
        if alias is None and field_of(dotted, holder) != "name":
            return Leaf(Part.OTHER)
        return Leaf(Part.IMPORTED, None if alias is not None else _scope_of(statement))
    if statement is not None and statement.type == "import_statement":
        binds = alias is None and dotted.named_children[0].id == node.id
        return Leaf(Part.BINDING, _scope_of(statement)) if binds else Leaf(Part.OTHER)
    if dotted.named_child_count > 1:
        return Leaf(Part.NAME if dotted.named_children[0].id == node.id else Part.MEMBER)
    return _target(dotted) or Leaf(Part.NAME)
