"""Patterns of declarations in Python, for the fast pass."""

import re

from bearings.code.languages.line_conventions import LinePatterns
from bearings.code.models import SymbolKind


def is_public(match: re.Match[str]) -> bool:
    """Whether the name is public by convention: it has no leading underscore."""
    return not match["name"].startswith("_")


def kind_of(kind: SymbolKind, name: str) -> SymbolKind:
    """Return CONSTANT for a variable in capitals, else the kind."""
    return SymbolKind.CONSTANT if kind is SymbolKind.VARIABLE and name.isupper() else kind


PATTERNS = LinePatterns(
    patterns=(
        (re.compile(r"^(?P<indent>[ \t]*)(?:async\s+)?def\s+(?P<name>\w+)"), SymbolKind.FUNCTION),
        (re.compile(r"^(?P<indent>[ \t]*)class\s+(?P<name>\w+)"), SymbolKind.CLASS),
        (re.compile(r"^(?P<indent>)(?P<name>[^\W\d]\w*)\s*(?::[^=]{1,200})?=(?!=)"), SymbolKind.VARIABLE),
    ),
    is_exported=is_public,
    kind=kind_of,
)
