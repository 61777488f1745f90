"""Patterns of declarations in TypeScript and JavaScript, for the fast pass."""

import re
from dataclasses import replace

from bearings.code.languages.line_conventions import LinePatterns
from bearings.code.models import SymbolKind

_NAME = r"(?P<name>(?:[^\W\d]|\$)[\w$]*)"
_LEAD = r"^(?P<indent>[ \t]*)(?P<export>export\s+)?(?:default\s+)?(?:declare\s+)?"
_HOOK = re.compile(r"use[A-Z]")


def is_exported(match: re.Match[str]) -> bool:
    """Whether the declaration has the keyword `export`."""
    return bool(match["export"])


def kind_of(kind: SymbolKind, name: str) -> SymbolKind:
    """Return CONSTANT for a variable in capitals, HOOK for a function with a hook's name, else the kind."""
    if kind is SymbolKind.VARIABLE and name.isupper():
        return SymbolKind.CONSTANT
    return SymbolKind.HOOK if kind is SymbolKind.FUNCTION and _HOOK.match(name) else kind


def kind_in_jsx(kind: SymbolKind, name: str) -> SymbolKind:
    """Return the kind in a JSX file, where a function with a capital letter is a component."""
    kind = kind_of(kind, name)
    return SymbolKind.COMPONENT if kind is SymbolKind.FUNCTION and name[:1].isupper() else kind


PATTERNS = LinePatterns(
    patterns=tuple(
        (re.compile(pattern), kind)
        for pattern, kind in (
            (_LEAD + r"(?:async\s+)?function\b\s*\*?\s*" + _NAME, SymbolKind.FUNCTION),
            (_LEAD + r"(?:abstract\s+)?class\s+" + _NAME, SymbolKind.CLASS),
            (_LEAD + r"interface\s+" + _NAME, SymbolKind.INTERFACE),
            (_LEAD + r"type\s+" + _NAME + r"[^=]{0,200}=", SymbolKind.TYPE),
            (_LEAD + r"(?:const\s+)?enum\s+" + _NAME, SymbolKind.ENUM),
            (
                _LEAD + r"(?:const|let|var)\s+" + _NAME
                + r"\b[^=]{0,200}=\s*(?:async\s*)?(?:function\b|\([^()]{0,300}\)[^=()]{0,100}=>|[\w$]+\s*=>)",
                SymbolKind.FUNCTION,
            ),
            (_LEAD + r"const\s+" + _NAME + r"\b[^=]{0,200}=", SymbolKind.CONSTANT),
            (_LEAD + r"(?:let|var)\s+" + _NAME, SymbolKind.VARIABLE),
            (
                r"^(?P<indent>[ \t]+)(?P<export>)"
                r"(?:(?:public|private|protected|static|async|override|get|set)\s+){0,4}\*?"
                r"(?P<name>#?(?:[^\W\d]|\$)[\w$]*)\s*(?:<[^<>()]{0,100}>)?\([^;]{0,300}\{\s*$",
                SymbolKind.METHOD,
            ),
        )
    ),
    is_exported=is_exported,
    kind=kind_of,
)  # fmt: skip
IN_JSX = replace(PATTERNS, kind=kind_in_jsx)
