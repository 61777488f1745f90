"""Names in types and names that stand as values → edges to what they name. What is not of the project gives none."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bearings.code.models import CallSite, Confidence, Edge, EdgeKind, FileFacts, SymbolKind
from bearings.code.resolve.evaluate import Evaluator
from bearings.code.resolve.things import Thing, ThingKind

_STRING = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_SENTENCE = re.compile(r"'[^']*\w +\w[^']*'|\"[^\"]*\w +\w[^\"]*\"|\bLiteral\[[^\]]*\]")
_NAME = re.compile(r"(?<![\w$.])(?:typeof +)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?!\??:)(?![\w$])")
_VALUES = frozenset(
    {
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.CLASS,
        SymbolKind.COMPONENT,
        SymbolKind.HOOK,
        SymbolKind.CONSTANT,
        SymbolKind.VARIABLE,
        SymbolKind.ENUM,
        SymbolKind.TYPE,
    }
)
"""What a name that stands as a value may mean; a property is one object's data."""
_USED = (EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX, EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)

Key = tuple[str, str, EdgeKind, int]
"""Source, target, kind, line: the same use of the same thing at the same line counts once."""


@lru_cache(maxsize=1 << 16)
def names_in(text: str, *, is_python: bool) -> tuple[str, ...]:
    """The names in a type as written, each once: in Python those in quotes too; elsewhere no names of members."""
    text = _SENTENCE.sub("", text) if is_python else _STRING.sub("", text)
    return tuple(dict.fromkeys(found[0] for found in _NAME.finditer(text)))


class Naming:
    """The edges of one file, added to `edges`."""

    def __init__(self, evaluator: Evaluator, file: str, edges: dict[Key, Edge]) -> None:
        self._evaluator = evaluator
        self._file = file
        self._view = evaluator.views[file]
        self._edges = edges
        self._known: dict[tuple[int, str], Thing | None] = {}

    def add(self) -> None:
        """All that the file's types name, and all that its code names without calling it."""
        view = self._view
        for source, scope, text, line in _types(view.facts):
            for name in names_in(text, is_python=view.is_python):
                thing = self._type(scope, name)
                if thing is not None:
                    self._edge(view.id(source), thing, EdgeKind.TYPE, line, Confidence.EXACT, "named in a type")
        for use in view.facts.mentions:
            self._value(use)

    def _type(self, scope: int, name: str) -> Thing | None:
        """The symbol of the project that a name in a type means."""
        key = (scope, name)
        if key not in self._known:
            bare = name.removeprefix("typeof").lstrip() if name.startswith("typeof ") else name
            types = not self._view.is_python and bare == name
            is_bound = self._view.binds(bare.partition(".")[0]) or bool(self._view.star_imports)
            thing = self._evaluator.expression(self._file, scope, bare, 0, types=types) if is_bound else None
            self._known[key] = thing if _is_symbol(thing) else None
        return self._known[key]

    def _value(self, use: CallSite) -> None:
        thing = self._evaluator.expression(self._file, use.scope, use.callee, use.line)
        if thing is None or not _is_symbol(thing):
            return
        there = self._evaluator.views[thing.where]
        if there.facts.symbols[thing.symbol].kind not in _VALUES:
            return
        source, target = self._view.id(self._view.facts.scopes[use.scope].symbol), there.id(thing.symbol)
        for kind in _USED:
            if (source, target, kind, use.line) in self._edges:
                return
        is_sure = "." not in use.callee or use.callee.startswith(("this.", "self.", "cls."))
        confidence = Confidence.EXACT if is_sure else Confidence.STRONG
        self._edge(source, thing, EdgeKind.REFERENCE, use.line, confidence, "named as a value")

    def _edge(self, source: str, thing: Thing, kind: EdgeKind, line: int, confidence: Confidence, reason: str) -> None:
        view = self._evaluator.views[thing.where]
        target = view.id(thing.symbol)
        key = (source, target, kind, line)
        if source != target and key not in self._edges:
            self._edges[key] = Edge(source, view.key(thing.symbol), kind, self._file, line, confidence, reason)


def _is_symbol(thing: Thing | None) -> bool:
    return thing is not None and thing.kind == ThingKind.SYMBOL and thing.symbol > 0


def _types(facts: FileFacts) -> Iterator[tuple[int, int, str, int]]:
    """Every type that is written in a file: the symbol that it is in, the scope of its names, its text, its line."""
    for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
        inner = shape.inner if shape.inner >= 0 else shape.scope
        for text in (shape.returns, shape.type):
            if text:
                yield index, inner, text, symbol.line
        for base in (*shape.bases, *shape.implements):
            given = base.partition("<")[2]
            if given:
                yield index, inner, given, symbol.line
    for row in facts.bindings:
        if row.type and row.type[0] != "@" and row.target < 0:
            yield facts.scopes[row.scope].symbol, row.scope, row.type, row.line
    for site in facts.sites:
        if site.types:
            yield facts.scopes[site.scope].symbol, site.scope, site.types, site.line
