"""How Go writes imports."""

from collections.abc import Sequence

from tree_sitter import Node

from bearings.code.languages.shared.importing import ImportRules, Statement, Wanted
from bearings.code.languages.shared.nodes import text_of


class GoImports(ImportRules):
    """The imports of a file, whose names are packages: `Wanted` has the name `*`, and a `local` for an alias."""

    separator = b""
    indent = b"\t"

    def statements(self, root: Node) -> list[Statement]:
        """All imports, each with those beside it in brackets."""
        found = list[Statement]()
        for node in root.named_children:
            specs = node.named_children if node.type == "import_declaration" else []
            listed = specs[0].named_children if specs and specs[0].type == "import_spec_list" else []
            entries = [one for one in listed if one.type == "import_spec"]
            for spec in entries or specs:
                path = text_of(spec.child_by_field_name("path")).strip('"`')
                alias = text_of(spec.child_by_field_name("name"))
                names = [("*", alias)] if alias else [("*", "*"), ("", path.partition(".")[0])]
                found.append(Statement(node, path, names, entries))
        return found

    def is_head(self, node: Node) -> bool:
        """Whether a node is the name of the package."""
        return node.type == "package_clause"

    def joins(self, statement: Statement, _: Wanted, __: bytes) -> bool:
        """Whether an import has brackets, in which all modules stand."""
        return bool(statement.entries)

    def entry(self, _: Statement, wanted: Wanted, __: bytes) -> str:
        """The path with its alias."""
        return f'{wanted.local} "{wanted.module}"'.lstrip()

    def lines(self, module: str, wanted: Sequence[Wanted], _: bytes) -> list[str]:
        """A line for each alias."""
        return [f'import {one.local} "{module}"'.replace("  ", " ") for one in wanted]
