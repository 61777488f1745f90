"""Reads Python's import statements."""

from tree_sitter import Node

from bearings.code.expressions import last_name
from bearings.code.file_facts import ImportKind
from bearings.code.languages.python.conditions import is_conditional
from bearings.code.languages.python.names import expression
from bearings.code.languages.shared.builder import Builder
from bearings.code.languages.shared.kinds import Bindings


def import_statement(builder: Builder, node: Node) -> None:
    """Add every name of an import statement."""
    if node.type == "import_statement":
        for part in node.named_children:
            name, alias = part.child_by_field_name("name"), part.child_by_field_name("alias")
            module = builder.text(name) if name is not None and alias is not None else builder.text(part)
            kind = _kind(builder, node)
            if alias is not None:
                builder.add_import(module, "*", builder.text(alias), node, kind)
            else:
                builder.add_import(module, "", module.partition(".")[0], node, kind)
        return
    source = node.child_by_field_name("module_name")
    module = "".join(builder.text(source).split()) if source is not None else "__future__"
    kind = _kind(builder, node)
    for part in node.children_by_field_name("name"):
        name, alias = part.child_by_field_name("name"), part.child_by_field_name("alias")
        taken = builder.text(name) if name is not None and alias is not None else builder.text(part)
        local = builder.text(alias) if alias is not None else taken
        if (builder.frames[-1].scope, local) in builder.bound and kind is ImportKind.STATIC and is_conditional(node):
            builder.bind("|", Bindings.LOCAL, builder.line(part), value=local)
        builder.add_import(module, taken, local, part, kind)
    if any(child.type == "wildcard_import" for child in node.named_children):
        builder.add_import(module, "*", "", node, kind)


def _kind(builder: Builder, node: Node) -> ImportKind:
    """Return TYPE for an import under `if TYPE_CHECKING:`, else STATIC."""
    if not node.start_point[1]:
        return ImportKind.STATIC
    block = node.parent
    above = block.parent if block is not None else None
    test = above.child_by_field_name("condition") if above is not None and above.type == "if_statement" else None
    if test is not None and last_name(expression(test, builder)) == "TYPE_CHECKING":
        return ImportKind.TYPE
    return ImportKind.STATIC
