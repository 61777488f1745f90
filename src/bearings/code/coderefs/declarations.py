"""The declarations to tag, and the line of each tag: above the declaration's own comments and decorators."""

import re
from collections.abc import Iterator, Sequence

from bearings.code.file_facts import FileFacts
from bearings.code.languages.shared.comment_lines import Rows
from bearings.code.models import CALLED, VARIABLES, Symbol, SymbolKind

_ALWAYS = frozenset(
    {
        SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.COMPONENT, SymbolKind.HOOK, SymbolKind.METHOD,
        SymbolKind.CONSTRUCTOR, SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM, SymbolKind.DECORATOR,
        SymbolKind.ENDPOINT, SymbolKind.SCHEMA,
    }
)  # fmt: skip
_HIDDEN = re.compile(r"(?:\w+ )*?(?:private|protected) ")
_DIRECTIVE = re.compile(
    rb"(?:eslint|oxlint|tslint:)-?disable-next|@ts-(?:ignore|expect-error)|(?:prettier|biome|deno-lint|rome)-ignore"
    rb"|(?:istanbul|c8|v8) ignore|pylint:\s*disable-next|noinspection|nosemgrep|\$Flow(?:FixMe|Ignore)"
)
"""Directives: comments that apply to the line or statement below them."""


def declarations(facts: FileFacts, *, include_private: bool) -> Iterator[Symbol]:
    """Functions, types and their members, and top-level declarations, outermost first.

    A declaration is private by its name (`_x`, `#x`), by the keyword `private` or `protected`, inside a private one, or
    inside a function.
    """
    by_id = {symbol.id: symbol for symbol in facts.symbols}
    for symbol in facts.symbols[1:]:
        is_top = by_id.get(symbol.parent, facts.symbols[0]).kind is SymbolKind.MODULE
        if (symbol.kind in _ALWAYS or (is_top and symbol.kind in VARIABLES)) and (
            include_private or not _is_private(symbol, by_id)
        ):
            yield symbol


def _is_private(symbol: Symbol, by_id: dict[str, Symbol]) -> bool:
    here: Symbol | None = symbol
    for _ in range(100):
        if here is None or here.kind is SymbolKind.MODULE:
            return False
        if here is not symbol and here.kind in CALLED:
            return True
        if any(_is_hidden(part) for part in here.qualified_name.split(".")) or _HIDDEN.match(here.signature):
            return True
        here = by_id.get(here.parent)
    return False


def _is_hidden(name: str) -> bool:
    return name.startswith("#") or (name.startswith("_") and not (name.startswith("__") and name.endswith("__")))


def anchor(symbol: Symbol, rows: Rows, lines: Sequence[bytes]) -> int:
    """The row (from 0) above which a symbol's tag goes."""
    decorators = {last: first for first, last in rows.decorators}
    comments = {last: first for first, last in rows.comments}
    row = min(symbol.line - 1, len(lines) - 1)
    while True:
        above = decorators.get(row - 1)
        if above is None:
            above = comments.get(row - 1)
            if above is None or not _belongs(b"".join(lines[above:row])):
                return row
        row = above


def _belongs(comment: bytes) -> bool:
    """Whether a comment on lines of its own applies to the next line: a doc comment, or a directive."""
    text = comment.strip()
    return text.startswith(b"/**") or (text.startswith((b"//", b"#", b"/*")) and _DIRECTIVE.search(text) is not None)
