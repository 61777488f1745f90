"""Whether a byte of a source is code, or stands in a comment or a string."""

from collections.abc import Mapping
from typing import Literal

from tree_sitter import Tree

Region = Literal["code", "comment", "string"]
"""What a place of a file is part of."""

_REGIONS: Mapping[str, Region] = {
    "comment": "comment",
    "html_comment": "comment",
    "hash_bang_line": "comment",
    "string": "string",
    "template_string": "string",
    "regex": "string",
    "jsx_text": "string",
    "interpreted_string_literal": "string",
    "raw_string_literal": "string",
    "rune_literal": "string",
    "template_substitution": "code",
    "interpolation": "code",
}
"""What nodes of any grammar begin: all below them is the same, but for code inside a template."""


def region_at(tree: Tree, byte: int) -> Region:
    """What the byte is part of."""
    cursor = tree.walk()
    region: Region = "code"
    while cursor.goto_first_child_for_byte(byte) is not None:
        node = cursor.node
        if node is None or node.start_byte > byte:
            break
        region = _REGIONS.get(node.type, region)
    return region
