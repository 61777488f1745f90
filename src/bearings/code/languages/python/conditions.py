"""Reads conditions in Python: lines where `isinstance` and `issubclass` narrow a name, branches that checkers skip."""

import re

from tree_sitter import Node

from bearings.code.file_facts import Binding
from bearings.code.languages.python.names import narrowed_name
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings
from bearings.code.languages.shared.nodes import around

_LEAVING = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})
_CHECKED = re.compile(rb"^(?!not\b).*\bTYPE_CHECKING\b|^sys\.version_info\s*>=?")
_MOST_OPERANDS = 500
"""Operands and brackets between a test and the whole condition, at most."""
_CONDITIONAL = frozenset({"if_statement", "try_statement", "match_statement"})
_WHOLE = frozenset({"function_definition", "class_definition", "module"}) | _CONDITIONAL
_BLOCK = frozenset({"block"})
_BRANCHES = frozenset({"if_statement", "elif_clause", "while_statement"})


def narrow(builder: Builder, call: Node, *, is_class: bool = False) -> None:
    """Bind the narrowed type of a name on the lines where `isinstance(name, Class)` or (`is_class`) `issubclass` holds.

    These are the lines of a branch, the lines after an `assert`, or, for a negated test, those after a branch that
    leaves the block.
    """
    narrowed = narrowed_name(call, builder, is_class=is_class)
    lines = _lines(call) if narrowed is not None else None
    if narrowed is not None and lines is not None:
        name, types = narrowed
        scope = builder.frames[-1].scope
        builder.narrowed.append(Binding(scope, name, Bindings.NARROWED, lines[0], lines[1], types))


def _lines(call: Node) -> tuple[int, int] | None:
    """Return the line before and the line after those on which the test holds, or None."""
    node, is_negated, conjunction = call, False, None
    for _ in range(_MOST_OPERANDS):
        parent = node.parent
        if parent is None:
            return None
        if parent.type == "not_operator":
            is_negated = not is_negated
        elif parent.type == "boolean_operator":
            if (parent.children[1].type == "and") is is_negated:
                break
            conjunction = parent
        elif parent.type != "parenthesized_expression":
            break
        node = parent
    else:
        return None
    region = _lines_after(parent) if is_negated else _region_inside(parent, node)
    if region is None and conjunction is not None and not is_negated:
        region = conjunction
    if region is None or isinstance(region, tuple):
        return region
    return region.start_point[0], region.end_point[0] + 2


def _region_inside(statement: Node, test: Node) -> "tuple[int, int] | Node | None":
    """Return the lines, or the node, in which the condition of a statement holds."""
    if statement.type in _BRANCHES:
        block = statement.child_by_field_name("consequence") or statement.child_by_field_name("body")
        return (test.start_point[0], block.end_point[0] + 2) if block is not None else None
    if statement.type == "if_clause":
        return statement.parent
    if statement.type == "assert_statement" and statement.parent is not None:
        return statement.end_point[0] + 1, statement.parent.end_point[0] + 2
    return None


def _lines_after(statement: Node) -> tuple[int, int] | None:
    """Return the lines on which the condition of an `if` is false: those after a branch that leaves the block."""
    block = statement.child_by_field_name("consequence") if statement.type == "if_statement" else None
    if block is None or statement.parent is None or not block.named_children:
        return None
    if block.named_children[-1].type not in _LEAVING:
        return None
    return statement.end_point[0] + 1, statement.parent.end_point[0] + 2


def is_conditional(statement: Node) -> bool:
    """Whether a statement stands in a branch, so that it need not replace what is bound to its name before."""
    whole = around(statement.parent, _WHOLE)
    return whole is not None and whole.type in _CONDITIONAL


def end_of_block(node: Node) -> int:
    """Return the last line of the block in which a statement holds the node and runs whenever the block does."""
    block = around(node, _BLOCK)
    while block is not None and block.parent is not None and block.parent.type == "with_statement":
        block = around(block.parent, _BLOCK)
    return block.end_point[0] + 1 if block is not None else 0


def is_untyped(definition: Node) -> bool:
    """Whether a definition stands in a branch that type checkers skip: the `else` of `if TYPE_CHECKING`."""
    decorated = definition.parent
    node = decorated if decorated is not None and decorated.type == "decorated_definition" else definition
    block = node.parent
    clause = block.parent if block is not None else None
    if clause is None or clause.type != "else_clause" or clause.parent is None:
        return False
    test = clause.parent.child_by_field_name("condition")
    text = test.text if test is not None else None
    return text is not None and _CHECKED.search(text) is not None
