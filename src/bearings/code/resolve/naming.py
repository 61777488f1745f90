"""Resolves names in types and names used as values to edges. Names outside the project give none."""

import re
from collections.abc import Iterator
from typing import Final

from bearings.code.expressions import Expression, Typed, root_of
from bearings.code.models import CallSite, Confidence, Edge, EdgeKind, FileFacts, SymbolKind
from bearings.code.resolve.evaluate import Evaluator
from bearings.code.resolve.file_view import FileView
from bearings.code.resolve.referents import Referent, ReferentKind
from bearings.code.resolve.root_names import UNKNOWN, Roots

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
"""Kinds that a name used as a value may mean; a property belongs to one object."""
_EXACT: Final = Confidence.EXACT
_OWN = frozenset({"this", "self", "cls"})
_USED = (EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX, EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS)

Key = tuple[str, str, EdgeKind, int]
"""Source, target, kind, line: the same use at the same line counts once."""


_KNOWN_NAMES: Final[dict[tuple[str, bool], tuple[str, ...]]] = {}
_MOST_NAMES: Final = 1 << 16


def names_in(text: str, may_be_quoted: bool) -> tuple[str, ...]:
    """The names in a type as written, each once; also quoted ones if they `may_be_quoted`."""
    known = _KNOWN_NAMES.get((text, may_be_quoted))
    if known is None:
        if len(_KNOWN_NAMES) >= _MOST_NAMES:
            _KNOWN_NAMES.clear()
        if text.isascii() and text.isidentifier():
            known = (text,)
        else:
            bare = _SENTENCE.sub("", text) if may_be_quoted else _STRING.sub("", text)
            known = tuple(dict.fromkeys(_NAME.findall(bare)))
        _KNOWN_NAMES[text, may_be_quoted] = known
    return known


class _Named:
    """The symbol of a name: its key, its id, and whether a use of it as a value counts."""

    __slots__ = ("id", "is_value", "key")

    def __init__(self, referent: Referent, there: FileView) -> None:
        self.key = there.key(referent.symbol)
        self.id = there.id(referent.symbol)
        self.is_value = there.facts.symbols[referent.symbol].kind in _VALUES


class Naming:
    """The edges of one file, added to `edges`; `roots` are the file's root numbers."""

    def __init__(self, evaluator: Evaluator, file: str, edges: dict[Key, Edge], roots: Roots) -> None:
        self._evaluator = evaluator
        self._file = file
        self._view = evaluator.views[file]
        self._edges = edges
        self._roots = roots
        self._known: dict[tuple[int, str], _Named | None] = {}
        self._types: dict[tuple[int, int, str], _Named | None] = {}
        self._values: dict[tuple[int, Expression], _Named | None] = {}

    def add(self) -> None:
        """Adds edges for all names in the file's types, and for names that its code uses without calling them."""
        view = self._view
        may_be_quoted = view.semantics.types_may_be_quoted
        for source, scope, text, line in _types(view.facts):
            for name in names_in(text, may_be_quoted):
                key = (scope, name)
                if key in self._known:
                    named = self._known[key]
                else:
                    named = self._known[key] = self._type(scope, name)
                if named is not None:
                    self._edge(view.id(source), named, EdgeKind.TYPE, line, _EXACT, "named in a type")
        for use in view.facts.mentions:
            self._value(use)

    def _type(self, scope: int, name: str) -> _Named | None:
        """The symbol of the project that a name in a type means."""
        view = self._view
        bare = name.removeprefix("typeof").lstrip() if name.startswith("typeof ") else name
        types = bare == name and view.semantics.types_have_names_of_their_own
        root, dot, _ = bare.partition(".")
        if not view.binds(root) and not view.star_imports:
            return None
        if root == "this" or root == "super" or root == "module":
            return self._named(self._evaluator.expression(self._file, scope, bare, 0, types=types))
        first = view.lookup(scope, root, 0, types=types)
        other = view.lookup(scope, root, 0) if dot and types else None
        key = (id(first) if first is not None else 0, id(other) if other is not None else 0, name)
        if key in self._types:
            return self._types[key]
        named = self._named(self._evaluator.expression(self._file, scope, bare, 0, types=types))
        self._types[key] = named
        return named

    def _named(self, referent: Referent | None) -> _Named | None:
        if referent is None or referent.kind != ReferentKind.SYMBOL or referent.symbol <= 0:
            return None
        return _Named(referent, self._evaluator.views[referent.where])

    def _value(self, use: CallSite) -> None:
        scope, callee, line = use.scope, use.callee, use.line
        root = root_of(callee)
        dotted = root != callee
        number = self._roots.number(scope, root, line, dotted=dotted)
        key = (number, callee)
        if number != UNKNOWN and key in self._values:
            named = self._values[key]
        else:
            named = self._named(self._evaluator.expression(self._file, scope, callee, line))
            if number != UNKNOWN:
                self._values[key] = named
        if named is None or not named.is_value:
            return
        source = self._view.id(self._view.facts.scopes[scope].symbol)
        for kind in _USED:
            if (source, named.id, kind, line) in self._edges:
                return
        is_sure = not dotted or root in _OWN
        confidence = _EXACT if is_sure else Confidence.STRONG
        self._edge(source, named, EdgeKind.REFERENCE, line, confidence, "named as a value")

    def _edge(self, source: str, named: _Named, kind: EdgeKind, line: int, confidence: Confidence, reason: str) -> None:
        target = named.id
        key = (source, target, kind, line)
        if source != target and key not in self._edges:
            self._edges[key] = Edge(source, named.key, kind, self._file, line, confidence, reason)


def _types(facts: FileFacts) -> Iterator[tuple[int, int, str, int]]:
    """All types in a file: the enclosing symbol, the scope of the type's names, its text, its line."""
    for index, (symbol, shape) in enumerate(zip(facts.symbols, facts.shapes, strict=True)):
        inner = shape.inner if shape.inner >= 0 else shape.scope
        for text in (shape.returns, shape.type):
            if text:
                yield index, inner, text, symbol.line
        bases = [base.arguments or base.type.partition("<")[2] for base in shape.bases]
        for given in (*bases, *(base.partition("<")[2] for base in shape.implements)):
            if given:
                yield index, inner, given, symbol.line
    for row in facts.bindings:
        if row.type and row.type[0] != "@" and row.target < 0:
            yield facts.scopes[row.scope].symbol, row.scope, row.type, row.line
    for site in facts.sites:
        text = site.callee.type if site.kind is EdgeKind.TYPE and type(site.callee) is Typed else site.types
        if text:
            yield facts.scopes[site.scope].symbol, site.scope, text, site.line
