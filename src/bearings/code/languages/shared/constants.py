"""The values that a file gives the names in its blocks: `const PREFIX = "/api"`, `PREFIX = "/api"`."""

import re
from collections.abc import Callable, Iterator

from tree_sitter import Node

from bearings.code.languages.shared.nodes import above

_STRINGS = frozenset(
    {"string", "template_string", "concatenated_string", "interpreted_string_literal", "raw_string_literal"}
)
_SUMS = frozenset({"binary_expression", "binary_operator"})
_BLOCKS = frozenset({"statement_block", "program", "block", "module", "statement_list", "source_file"})
_STATEMENTS = frozenset(
    {"lexical_declaration", "variable_declaration", "expression_statement", "const_declaration", "var_declaration"}
)
_FIELDS = {
    "variable_declarator": ("name", "value"), "assignment": ("left", "right"), "const_spec": ("name", "value"),
    "var_spec": ("name", "value"), "short_var_declaration": ("left", "right"),
}  # fmt: skip
_WRAPPERS = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression"})
_LIST = "expression_list"
_WORD = re.compile(rb"[\w$]+")
_LONGEST = 500
"""The most characters of a constant's text."""
_DEEPEST = 5
"""The most constants that stand in each other."""


class Constants:
    """The constants of one file. A block is read when a name in it is asked for."""

    def __init__(self) -> None:
        self._blocks: dict[tuple[int, int], dict[bytes, Node]] = {}
        """The span of a block → the values of the names that it declares."""
        self._texts: dict[tuple[int, int], str | None] = {}
        """The span of a value → its text; None while it is read."""
        self._depth = 0

    def value(self, name: Node) -> Node | None:
        """Return the value of a name in the nearest block around it that declares it; None without one.

        A parameter has no value, and hides a constant of its name.
        """
        text = name.text or b""
        for node in above(name):
            if node.type in _BLOCKS:
                found = self._declared(node).get(text)
                if found is not None:
                    return found
            elif text in _parameters(node):
                return None
        return None

    def string(self, node: Node | None) -> Node | None:
        """Return a node that is a string or a sum of some, or the one that it names; None for others."""
        found = self.value(node) if node is not None and node.type == "identifier" else node
        return found if found is not None and _is_text(found) else None

    def text(self, name: Node, read: Callable[[Node], str]) -> str | None:
        """Return the text of the string that a name means, by `read`; None without one, or inside its own text."""
        found = self.value(name) if name.type == "identifier" else None
        if found is None or not _is_text(found) or self._depth >= _DEEPEST:
            return None
        if found.byte_range not in self._texts:
            self._texts[found.byte_range] = None
            self._depth += 1
            self._texts[found.byte_range] = read(found)[:_LONGEST]
            self._depth -= 1
        return self._texts[found.byte_range]

    def _declared(self, block: Node) -> dict[bytes, Node]:
        known = self._blocks.get(block.byte_range)
        if known is None:
            pairs = [pair for statement in block.named_children for pair in _declarations(statement)]
            known = self._blocks[block.byte_range] = dict(reversed(pairs))
        return known


def _parameters(node: Node) -> list[bytes]:
    """Return the words in the parameters of a function; none for another node."""
    parameters = node.child_by_field_name("parameters")
    return _WORD.findall(parameters.text or b"") if parameters is not None else []


def bare(value: Node) -> Node:
    """Return a value without the parentheses and type assertions around it."""
    while value.type in _WRAPPERS and value.named_child_count:
        value = value.named_children[0]
    return value


def _first(node: Node) -> Node:
    """Return the first of a list of expressions, or the expression itself."""
    return node.named_children[0] if node.type == _LIST and node.named_child_count else node


def _is_text(node: Node) -> bool:
    is_sum = node.type in _SUMS and node.named_child_count > 1 and node.children[1].type in ("+", "%")
    return is_sum or node.type in _STRINGS


def _declarations(statement: Node) -> Iterator[tuple[bytes, Node]]:
    """Yield the names that a statement gives values; the first of each list."""
    if statement.type == "export_statement":
        statement = statement.child_by_field_name("declaration") or statement
    is_list = statement.type in _STATEMENTS
    for child in statement.named_children if is_list else (statement,):
        if child.type in _FIELDS:
            name, value = (child.child_by_field_name(field) for field in _FIELDS[child.type])
            if name is not None and value is not None:
                yield _first(name).text or b"", bare(_first(value))
