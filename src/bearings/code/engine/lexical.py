"""The fast pass: elements found line by line, by how declarations begin. No grammar, no graph, no ends.

It knows neither comments that span lines nor what a bracket closes, so it finds some that are none, and misses those
whose declaration does not fit on a line.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from bearings.caller import Roots
from bearings.code.languages import language_of
from bearings.code.languages.shared.text import as_utf8, is_generated
from bearings.code.models import FileFacts, Language, Symbol, SymbolKind
from bearings.code.project import Skipped
from bearings.code.sweep import Sweep

_MAX_LINE = 1_000
"""Longer lines are no declaration, or minified."""

_NAME = r"(?P<name>(?:[^\W\d]|\$)[\w$]*)"
_LEAD = r"^(?P<indent>[ \t]*)(?P<export>export\s+)?(?:default\s+)?(?:declare\s+)?"

_SCRIPT: tuple[tuple[re.Pattern[str], SymbolKind], ...] = tuple(
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
            r"^(?P<indent>[ \t]+)(?P<export>)(?:(?:public|private|protected|static|async|override|get|set)\s+){0,4}\*?"
            r"(?P<name>#?(?:[^\W\d]|\$)[\w$]*)\s*(?:<[^<>()]{0,100}>)?\([^;]{0,300}\{\s*$",
            SymbolKind.METHOD,
        ),
    )
)  # fmt: skip
_PYTHON: tuple[tuple[re.Pattern[str], SymbolKind], ...] = (
    (re.compile(r"^(?P<indent>[ \t]*)(?:async\s+)?def\s+(?P<name>\w+)"), SymbolKind.FUNCTION),
    (re.compile(r"^(?P<indent>[ \t]*)class\s+(?P<name>\w+)"), SymbolKind.CLASS),
    (re.compile(r"^(?P<indent>)(?P<name>[^\W\d]\w*)\s*(?::[^=]{1,200})?=(?!=)"), SymbolKind.VARIABLE),
)
_GO: tuple[tuple[re.Pattern[str], SymbolKind], ...] = (
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
)
_NO_METHOD = frozenset(
    ("catch", "do", "else", "for", "function", "if", "return", "super", "switch", "throw", "try", "while", "with")
)


_PATTERNS = {Language.PYTHON: _PYTHON, Language.GO: _GO}
"""Of the languages that have patterns of their own."""


class LexicalIndex:
    """The elements of a project as the fast pass sees them; files are read again when they change."""

    def __init__(self, root: Path, max_file_bytes: int, roots: Roots = None) -> None:
        self._sweep = Sweep(root, max_file_bytes, roots)
        self._facts: dict[str, FileFacts] = {}

    def refresh(self) -> tuple[dict[str, FileFacts], tuple[Skipped, ...], str]:
        """What each file has, by path and in order; what was left out; the tree's revision."""
        changes = self._sweep.look()
        for path in changes.gone:
            self._facts.pop(path, None)
        try:
            for path in changes.stale:
                self._take(path)
        finally:
            self._sweep.close()
        skipped = tuple(sorted({*self._sweep.skipped, *self._sweep.ignored()}))
        return dict(sorted(self._facts.items())), skipped, self._sweep.revision

    def _take(self, path: str) -> None:
        """Read one file that changed."""
        source, new = self._sweep.read(path)
        language = language_of(path)
        if source is None or language is None:
            self._facts.pop(path, None)
        elif new:
            self._facts[path] = read_lines(path, language, source.data)


def read_lines(path: str, language: Language, source: bytes) -> FileFacts:
    """One file's elements, its module first. Each is said to end on the line where it begins."""
    lines = as_utf8(language, source).decode("utf-8", "replace").removesuffix("\n").split("\n")
    module = Symbol(path, path, SymbolKind.MODULE, 1, max(len(lines), 1), exported=True)
    return FileFacts(
        path, language, len(lines), (module, *_symbols(path, language, lines)), generated=is_generated(source)
    )


def _symbols(path: str, language: Language, lines: list[str]) -> Iterator[Symbol]:
    """The elements in order; one that is indented below a class or function is named as its part."""
    around: list[tuple[int, str, SymbolKind]] = []
    for number, line in enumerate(lines, 1):
        match, kind = _declaration(line, language)
        if match is None:
            continue
        indent, name = len(match["indent"].expandtabs()), match["name"]
        while around and around[-1][0] >= indent:
            around.pop()
        parent = around[-1] if around else None
        is_value = kind in (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
        is_method = kind is SymbolKind.METHOD and language is not Language.GO
        if (is_value and indent) or (is_method and not (parent and parent[2] is SymbolKind.CLASS)):
            continue  # a local, or a call that looks like a method
        kind = _kind(kind, name, language, parent[2] if parent else None)
        owner = match.groupdict().get("owner") or (parent[1] if parent else "")
        qualified = f"{owner}.{name}" if owner else name
        exported = _is_exported(match, name, language)
        if not is_value:
            around.append((indent, qualified, kind))
        yield Symbol(path, qualified, kind, number, number, exported, line.strip()[:200])


def _is_exported(match: re.Match[str], name: str, language: Language) -> bool:
    """Whether other modules see a name, by the language's own custom."""
    if language is Language.GO:
        return name[:1].isupper() and (match.groupdict().get("owner") or "A")[:1].isupper()
    return not name.startswith("_") if language is Language.PYTHON else bool(match["export"])


def _declaration(line: str, language: Language) -> tuple[re.Match[str] | None, SymbolKind]:
    """The first pattern that fits, and what it declares."""
    if len(line) <= _MAX_LINE:
        for pattern, kind in _PATTERNS.get(language, _SCRIPT):
            match = pattern.match(line)
            if match and match["name"] not in _NO_METHOD:
                return match, kind
    return None, SymbolKind.VARIABLE


def _kind(kind: SymbolKind, name: str, language: Language, parent: SymbolKind | None) -> SymbolKind:
    """What the name and the place say beyond the line."""
    if kind is SymbolKind.FUNCTION and parent is SymbolKind.CLASS:
        kind = SymbolKind.METHOD
    if kind is SymbolKind.METHOD and name in ("constructor", "__init__"):
        return SymbolKind.CONSTRUCTOR
    if kind is SymbolKind.VARIABLE and name.isupper() and language is not Language.GO:
        return SymbolKind.CONSTANT
    if kind is SymbolKind.FUNCTION and language not in _PATTERNS:
        if re.match(r"use[A-Z]", name):
            return SymbolKind.HOOK
        if name[:1].isupper() and language in (Language.TSX, Language.JSX):
            return SymbolKind.COMPONENT
    return kind
