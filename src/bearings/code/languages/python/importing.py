"""How Python writes imports."""

import re
import sys
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from bearings.code.languages.shared.importing import ImportRules, Statement, Wanted
from bearings.code.languages.shared.nodes import text_of

_TYPE_CHECKING = re.compile(rb"(?:\w+\.)?TYPE_CHECKING")
_DIRECTIVE = re.compile(rb"#\s*(?:(?:ruff|flake8|mypy|pylint|pyright|isort|type)\s*:|pylint\b)")
_CODE = frozenset({"function_definition", "class_definition", "decorated_definition"})
_HEAD_COMMENT = re.compile(rb"#!|#.*coding[:=]")


class PythonImports(ImportRules):
    """The imports of a module, those under `if TYPE_CHECKING:` included."""

    gap = 2
    guard = Wanted("typing", "TYPE_CHECKING"), "if TYPE_CHECKING:"
    indent = b"    "

    def statements(self, root: Node) -> list[Statement]:
        """The imports before the first definition."""
        found = list[Statement]()
        for child in root.named_children:
            if child.type in _CODE:
                break
            test = child.child_by_field_name("condition") if child.type == "if_statement" else None
            block = child.child_by_field_name("consequence")
            if test is not None and block is not None and _TYPE_CHECKING.fullmatch(test.text or b""):
                found += (one._replace(is_type=True) for node in block.named_children for one in _statement(node))
            else:
                found += _statement(child)
        return found

    def is_head(self, node: Node) -> bool:
        """Whether a node is the docstring, or a comment for the system, the decoder or a tool."""
        if node.type == "comment":
            is_first = node.start_point.row < 2 and _HEAD_COMMENT.match(node.text or b"") is not None
            return is_first or _DIRECTIVE.match(node.text or b"") is not None
        return node.type == "expression_statement" and node.named_children[0].type == "string"

    def joins(self, statement: Statement, wanted: Wanted, _: bytes) -> bool:
        """Whether a name joins `from m import a`."""
        if statement.module != wanted.module or not statement.entries:
            return False
        return wanted.name not in ("", "*") and (wanted.is_type or not statement.is_type)

    def is_near(self, statement: Statement, wanted: Wanted) -> bool:
        """Whether an import is for types if the name is, and not before those of `__future__`."""
        return statement.is_type <= wanted.is_type and (
            wanted.module != "__future__" or statement.module == "__future__"
        )

    def rank(self, module: str) -> int:
        """The group of a module, as isort has them: `__future__`, the standard library, others, relative ones."""
        if module.startswith("."):
            return 3
        return 0 if module == "__future__" else 2 - (module.partition(".")[0] in sys.stdlib_module_names)

    def entry(self, _: Statement, wanted: Wanted, __: bytes) -> str:
        """A name with its alias."""
        return wanted.written()

    def lines(self, module: str, wanted: Sequence[Wanted], _: bytes) -> list[str]:
        """A line for all names, and one for each import of the module itself."""
        whole = [one for one in wanted if one.name in ("", "*")]
        lines = [_whole(one) for one in whole]
        names = ", ".join(one.written() for one in wanted if one not in whole)
        return [*lines, *([f"from {module} import {names}"] if names else [])]


def _whole(wanted: Wanted) -> str:
    if wanted.name == "*" and not wanted.local:
        return f"from {wanted.module} import *"
    is_alias = wanted.name == "*" and wanted.local != wanted.module
    return f"import {wanted.module}" + (f" as {wanted.local}" if is_alias else "")


def _statement(node: Node) -> Iterator[Statement]:
    """The parts of an import statement that import from one module."""
    if node.type == "future_import_statement":
        entries = node.children_by_field_name("name")
        yield Statement(node, "__future__", [(text_of(one), text_of(one)) for one in entries], entries)
    elif node.type == "import_from_statement":
        module = node.child_by_field_name("module_name")
        entries = node.children_by_field_name("name")
        names = [_names(entry) for entry in entries]
        if any(child.type == "wildcard_import" for child in node.named_children):
            names = [("*", "*")]
        yield Statement(node, "".join(text_of(module).split()), names, entries)
    elif node.type == "import_statement":
        for part in node.children_by_field_name("name"):
            name, local = _names(part)
            is_alias = part.type == "aliased_import"
            yield Statement(node, name, [("*", local) if is_alias else ("", name.partition(".")[0])])


def _names(entry: Node) -> tuple[str, str]:
    if entry.type != "aliased_import":
        return text_of(entry), text_of(entry)
    return text_of(entry.child_by_field_name("name")), text_of(entry.child_by_field_name("alias"))
