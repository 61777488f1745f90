"""Patterns of declarations in Go, for the fast pass."""

import re

from bearings.code.languages.line_conventions import LinePatterns
from bearings.code.models import SymbolKind


def is_exported(match: re.Match[str]) -> bool:
    """Whether the name, and its receiver's type if it is a method, start with a capital letter."""
    return match["name"][:1].isupper() and (match.groupdict().get("owner") or "A")[:1].isupper()


def kind_of(kind: SymbolKind, _: str) -> SymbolKind:
    """Return the kind unchanged: in Go a name says nothing about it."""
    return kind


PATTERNS = LinePatterns(
    patterns=(
        (
            re.compile(r"^(?P<indent>)func\s+\([^()]{0,200}?(?P<owner>\w+)(?:\[[^\]]{0,100}\])?\)\s*(?P<name>\w+)"),
            SymbolKind.METHOD,
        ),
        (re.compile(r"^(?P<indent>)func\s+(?P<name>\w+)"), SymbolKind.FUNCTION),
        (re.compile(r"^(?P<indent>)type\s+(?P<name>\w+)(?:\[[^\]]{1,200}\])?\s+struct\b"), SymbolKind.CLASS),
        (re.compile(r"^(?P<indent>)type\s+(?P<name>\w+)(?:\[[^\]]{1,200}\])?\s+interface\b"), SymbolKind.INTERFACE),
        (re.compile(r"^(?P<indent>)type\s+(?P<name>\w+)\b"), SymbolKind.TYPE),
        (re.compile(r"^(?P<indent>)const\s+(?P<name>\w+)"), SymbolKind.CONSTANT),
        (re.compile(r"^(?P<indent>)var\s+(?P<name>\w+)"), SymbolKind.VARIABLE),
    ),
    is_exported=is_exported,
    kind=kind_of,
)
