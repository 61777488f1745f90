"""The lexical scan: finds elements line by line, by how declarations begin, without grammar, graph or end lines.

It tracks neither multi-line comments nor brackets, so it reports some false elements, and misses declarations that
span lines.
"""

import re
from collections.abc import Iterator
from contextlib import closing

from bearings.code.file_facts import FileFacts
from bearings.code.index.change_detection import ChangeDetector
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, language_of
from bearings.code.languages.line_conventions import LinePatterns
from bearings.code.languages.shared.encoding import as_utf8, is_generated
from bearings.code.models import Language, Symbol, SymbolKind
from bearings.code.project.tree import Tree

_MAX_LINE = 1_000
"""Longer lines are no declarations, or are minified."""

_KEYWORDS = frozenset(
    ("catch", "do", "else", "for", "function", "if", "return", "super", "switch", "throw", "try", "while", "with")
)
_CONSTRUCTORS = frozenset({"constructor", "__init__"})


class LexicalIndex:
    """The elements that the lexical scan finds in a project; files are read again when they change."""

    def __init__(self, tree: Tree, max_file_bytes: int) -> None:
        self._tree = tree
        self._detector = ChangeDetector(tree, max_file_bytes)
        self._facts: dict[str, FileFacts] = {}

    def refresh(self) -> Snapshot:
        """The present state of the tree, without uses."""
        with closing(self._detector):
            changes = self._detector.detect()
            for path in changes.gone:
                self._facts.pop(path, None)
            for path in changes.stale:
                self._read(path)
        skipped = tuple(sorted({*self._detector.skipped, *self._detector.ignored()}))
        return Snapshot.without_uses(self._tree, self._detector.revision, dict(sorted(self._facts.items())), skipped)

    def _read(self, path: str) -> None:
        """Reads one changed file."""
        source, new = self._detector.read(path)
        language = language_of(path)
        if source is None or language is None:
            self._facts.pop(path, None)
        elif new:
            self._facts[path] = read_lines(path, language, source.data)


def read_lines(path: str, language: Language, source: bytes) -> FileFacts:
    """One file's elements, the module first. Each element ends on the line where it begins."""
    declared = SPECS[language].line_patterns
    if declared is None:
        from bearings.code.parse import parse_file  # imports grammars, which other languages don't need here

        return parse_file(path, language, source)
    lines = as_utf8(language, source).decode("utf-8", "replace").removesuffix("\n").split("\n")
    module = Symbol(path, path, SymbolKind.MODULE, 1, max(len(lines), 1), exported=True)
    symbols = _symbols(path, declared(), lines)
    return FileFacts(path, language, len(lines), (module, *symbols), generated=is_generated(source))


def _symbols(path: str, declared: LinePatterns, lines: list[str]) -> Iterator[Symbol]:
    """The elements in order; an element that is indented below a class or function is qualified by its name."""
    parents: list[tuple[int, str, SymbolKind]] = []
    for number, line in enumerate(lines, 1):
        match, kind = _declaration(line, declared)
        if match is None:
            continue
        indent, name = len(match["indent"].expandtabs()), match["name"]
        while parents and parents[-1][0] >= indent:
            parents.pop()
        parent = parents[-1] if parents else None
        owner = match.groupdict().get("owner")
        is_value = kind in (SymbolKind.CONSTANT, SymbolKind.VARIABLE)
        is_inside = kind is SymbolKind.METHOD and owner is None
        # `    total = 0` inside a function, and `  render(x) {` outside of a class.
        if (is_value and indent) or (is_inside and not (parent and parent[2] is SymbolKind.CLASS)):
            continue  # a local, or a call that looks like a method
        kind = _kind(declared, kind, name, parent[2] if parent else None)
        owner = owner or (parent[1] if parent else "")
        qualified = f"{owner}.{name}" if owner else name
        if not is_value:
            parents.append((indent, qualified, kind))
        yield Symbol(path, qualified, kind, number, number, declared.is_exported(match), line.strip()[:200])


def _declaration(line: str, declared: LinePatterns) -> tuple[re.Match[str] | None, SymbolKind]:
    """The first pattern that matches a line, and the kind that it declares."""
    if len(line) <= _MAX_LINE:
        for pattern, kind in declared.patterns:
            match = pattern.match(line)
            if match and match["name"] not in _KEYWORDS:
                return match, kind
    return None, SymbolKind.VARIABLE


def _kind(declared: LinePatterns, kind: SymbolKind, name: str, parent: SymbolKind | None) -> SymbolKind:
    """The kind of an element after its name and its parent are taken into account."""
    if kind is SymbolKind.FUNCTION and parent is SymbolKind.CLASS:
        kind = SymbolKind.METHOD
    if kind is SymbolKind.METHOD and name in _CONSTRUCTORS:
        return SymbolKind.CONSTRUCTOR
    return declared.kind(kind, name)
