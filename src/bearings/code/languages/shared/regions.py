"""Tells whether a byte of a source lies in code, a comment or a string."""

from collections.abc import Mapping
from typing import Literal

from tree_sitter import Tree

Region = Literal["code", "comment", "string"]
"""The kinds of regions in a file."""

_REGIONS: Mapping[str, Region] = {
    "comment": "comment",
    "line_comment": "comment",
    "block_comment": "comment",
    "html_comment": "comment",
    "hash_bang_line": "comment",
    "string": "string",
    "string_literal": "string",
    "text_block": "string",
    "verbatim_string_literal": "string",
    "interpolated_string_expression": "string",
    "template_string": "string",
    "encapsed_string": "string",
    "heredoc_body": "string",
    "nowdoc_body": "string",
    "regex": "string",
    "jsx_text": "string",
    "interpreted_string_literal": "string",
    "raw_string_literal": "string",
    "rune_literal": "string",
    "template_substitution": "code",
    "interpolation": "code",
}
"""The region that a node type starts, in all grammars. Descendants stay in it unless their type starts another one,
such as the code inside a template string.
"""


def region_at(tree: Tree, byte: int) -> Region:
    """Return the region that a byte lies in."""
    cursor = tree.walk()
    region: Region = "code"
    while cursor.goto_first_child_for_byte(byte) is not None:
        node = cursor.node
        if node is None or node.start_byte > byte:
            break
        region = _REGIONS.get(node.type, region)
    return region
