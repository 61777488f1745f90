"""What the walks have in common that give modules other names in a source: how a text names one, and edits."""

from collections.abc import Callable, Iterator
from enum import StrEnum

from tree_sitter import Node

Edits = Iterator[tuple[int, int, bytes]]
"""First and last byte in the source, and the bytes instead."""


class Manner(StrEnum):
    """How a text names a module."""

    IMPORT = "import"
    """It names one, or nothing else."""
    MEMBER = "member"
    """It is an imported name behind its module: `a.b` of `from a import b`, which may be a module."""
    CHAIN = "chain"
    """It is an expression, `a.b`."""
    TEXT = "text"
    """It is a literal, which may name a module, perhaps with something in it, or anything else."""
    START = "start"
    """It is the start of a text that is composed as the program runs."""


Spell = Callable[[str, int, Manner], str | None]
"""(text, line, manner) → the name of the same module after a move; None for no module."""


def text_of(node: Node | None) -> str:
    """The text of a node, without the white space in it."""
    return "".join((node.text or b"").decode("utf-8", "replace").split()) if node is not None else ""


def line_of(node: Node) -> int:
    """The 1-based line of a node."""
    return node.start_point.row + 1


def changed(node: Node, spelled: str | None, margin: int = 0) -> Edits:
    """The edit of a node, without as many bytes at its ends, if it is to be spelled in another way."""
    if spelled is not None and spelled != text_of(node)[margin : len(text_of(node)) - margin]:
        yield node.start_byte + margin, node.end_byte - margin, spelled.encode()
