"""Gives modules other names in a source of TypeScript or JavaScript: in imports, in calls that load, in comments."""

import re

from tree_sitter import Node

from bearings.code.languages.shared.respelling import Edits, Manner, Spell, changed, line_of, text_of

_IMPORTS = frozenset({"import_statement", "export_statement", "import_require_clause", "module"})
_LOADERS = re.compile(
    r"(?:^|\.)(?:import|require|(?:require|meta)\.resolve|(?:un|do|dont|set)?[mM]ock|(?:require|import)(?:Actual|Mock)"
    r"|createMockFromModule|unstable_mockModule|mockModule)$"
)
_KEYS = re.compile(r"(?:templateUrl|styleUrls?)$")
_IN_COMMENTS = re.compile(rb"(?:\bimport\(\s*|///\s*<reference\s+path=|@import\b[^\n]*\bfrom\s+)([\"'])([^\"'\n]+)\1")


def respelled(root: Node, _source: bytes, spell: Spell) -> Edits:
    """Yield the edits that give modules the names that `spell` returns."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "comment":
            for found in _IN_COMMENTS.finditer(node.text or b""):
                text = found[2].decode("utf-8", "replace")
                spelled = spell(text, line_of(node) + (node.text or b"").count(b"\n", 0, found.start()), Manner.IMPORT)
                if spelled is not None and spelled != text:
                    yield node.start_byte + found.start(2), node.start_byte + found.end(2), spelled.encode()
        elif node.type in ("string", "template_string"):
            yield from _literal(node, spell)
        if node.type != "string":
            waiting += reversed(node.named_children)


def _literal(node: Node, spell: Spell) -> Edits:
    """The edit of a literal; one with parts that are computed has a start alone."""
    text = (node.text or b"")[1:-1].decode("utf-8", "replace")
    if "\\" in text or "\n" in text:
        return
    if "${" in text:
        spell(text.partition("${")[0], line_of(node), Manner.START)
    else:
        yield from changed(node, spell(text, line_of(node), Manner.IMPORT if _is_loaded(node) else Manner.TEXT), 1)


def _is_loaded(node: Node) -> bool:
    """Whether a literal is the module of an import, or of a call that loads one, or a file's path beside the source."""
    parent = node.parent
    around = parent.parent if parent is not None else None
    if parent is None or around is None or parent.type in _IMPORTS:
        return parent is not None and parent.type in _IMPORTS
    if around.type == "new_expression":
        return text_of(around.child_by_field_name("constructor")) == "URL" and "import.meta" in text_of(parent)
    if parent.type == "array":
        parent = around
    if parent.type == "pair":
        return _KEYS.match(text_of(parent.child_by_field_name("key"))) is not None
    is_first = bool(parent.named_children) and parent.named_children[0].id == node.id
    return is_first and _LOADERS.search(text_of(around.child_by_field_name("function"))) is not None
