"""One file's facts, arranged for questions: names by scope, members by owner, exports by name."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from sys import intern

from bearings.code.keys import keys_of
from bearings.code.models import (
    Binding,
    BindingKind,
    Export,
    FileFacts,
    Import,
    Language,
    ScopeKind,
    SymbolKind,
    Trait,
)

_TYPES = frozenset({BindingKind.TYPE, BindingKind.TYPE_PARAMETER})
_VALUES = frozenset({BindingKind.PARAMETER, BindingKind.LOCAL})
_MERGED = frozenset({SymbolKind.CLASS, SymbolKind.INTERFACE})
_BOTH = frozenset({SymbolKind.CLASS, SymbolKind.ENUM})


class FileView:
    """The tables of one file. Built once, read by all strategies."""

    __slots__ = (
        "_by_scope", "_doubles", "_generics", "_ids", "_keys", "_narrowed", "_rows", "exports", "facts", "inline",
        "is_python", "is_untyped", "members", "star_exports", "star_imports",
    )  # fmt: skip

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self._doubles: dict[int, tuple[int, ...]] | None = None
        self._generics: dict[int, tuple[str, ...]] | None = None
        self.is_python = facts.language is Language.PYTHON
        self.is_untyped = facts.language in (Language.JAVASCRIPT, Language.JSX)
        self._keys: list[str] | None = None
        self._ids: list[str] | None = None
        self._by_scope: dict[int, list[Binding]] | None = None
        self._rows: dict[str, dict[int, list[Binding]]] = {}
        self._narrowed: dict[tuple[int, str], list[Binding]] = {}
        for row in facts.bindings:
            if row.kind is BindingKind.NARROWED:
                self._narrowed.setdefault((row.scope, row.name), []).append(row)
            else:
                self._rows.setdefault(row.name, {}).setdefault(row.scope, []).append(row)
        self.members: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for index, shape in enumerate(facts.shapes):
            if shape.parent >= 0:
                whole = len(facts.symbols[shape.parent].qualified_name) + 1 if shape.parent else 0
                self.members[shape.parent][facts.symbols[index].qualified_name[whole:]].append(index)
        self.inline: dict[str, Import] = {entry.local: entry for entry in facts.imports if entry.local[:1] == "#"}
        self.star_imports = [entry for entry in facts.imports if entry.name == "*" and not entry.local]
        self.exports: dict[str, list[Export]] = defaultdict(list)
        self.star_exports: list[Export] = []
        for export in facts.exports:
            if export.name == "*":
                self.star_exports.append(export)
            else:
                self.exports[export.name].append(export)

    @property
    def ids(self) -> list[str]:
        """The id of each symbol."""
        if self._ids is None:
            self._ids = [intern(symbol.id) for symbol in self.facts.symbols]
        return self._ids

    @property
    def keys(self) -> list[str]:
        """The key of each symbol."""
        if self._keys is None:
            self._keys = keys_of(self.facts)
        return self._keys

    def lookup(self, scope: int, name: str, line: int, *, types: bool = False) -> Binding | None:
        """What a name means where it is used: the nearest scope's row for it, among values or among types."""
        named = self._rows.get(name)
        if named is None:
            return None
        start = inner = scope
        scopes = self.facts.scopes
        while scope >= 0:
            here = scopes[scope]
            rows = named.get(scope)
            hidden = self.is_python and here.kind is ScopeKind.CLASS and scope != start
            if rows and not hidden:
                row = self._choose(rows, line if scope == inner else 0, types=types and not self.is_python)
                if row is not None:
                    return self._narrow(row, line) if self._narrowed and scope == inner else row
            if scope == inner and self.is_python and here.kind is ScopeKind.BLOCK:
                inner = here.parent  # a comprehension runs where it stands
            scope = here.parent
        return None

    def rows_around(self, scope: int, name: str) -> Iterable[Binding]:
        """All rows of a name in the nearest scope that has any."""
        named = self._rows.get(name, {})
        while scope >= 0 and scope not in named:
            scope = self.facts.scopes[scope].parent
        return named.get(scope, ())

    def _narrow(self, row: Binding, line: int) -> Binding:
        """What a test says of a name at a line, unless it was bound again since; else the row itself."""
        for said in reversed(self._narrowed.get((row.scope, row.name), ())):
            if said.line < line < said.target and (row.line <= said.line + 1 or row.line >= line):
                return said
        return row

    def _choose(self, rows: list[Binding], line: int, *, types: bool) -> Binding | None:
        if len(rows) == 1:
            row = rows[0]
            fits = self._is_type(row) if types else row.kind not in _TYPES
            return row if fits and row.kind is not BindingKind.OUTER else None
        if any(row.kind is BindingKind.OUTER for row in rows):
            return None
        seen = [row for row in rows if self._is_type(row)] if types else [row for row in rows if row.kind not in _TYPES]
        if len(seen) < 2:
            return seen[0] if seen else None
        declared = [row for row in seen if row.kind in (BindingKind.SYMBOL, BindingKind.IMPORT)]
        if declared and rows[0].scope == 0:
            return declared[-1]
        if line:
            last = line - self.is_python  # where it is bound, Python's name still means what it did before
            before = [row for row in seen if row.line <= last]
            return before[-1] if before else seen[0]
        return _agreed(seen)

    def _is_type(self, row: Binding) -> bool:
        if row.kind is BindingKind.SYMBOL:
            symbol = self.facts.symbols[row.target]
            is_namespace = symbol.kind is SymbolKind.VARIABLE and self.facts.shapes[row.target].inner >= 0
            makes = self.facts.shapes[row.target].traits & Trait.CONSTRUCTS
            return symbol.kind in _BOTH or is_namespace or bool(makes)
        return row.kind not in _VALUES

    def binds(self, name: str) -> bool:
        """Whether any scope has a row for a name."""
        return name in self._rows

    def rows_of(self, scope: int, name: str) -> Iterable[Binding]:
        """All rows of a name in one scope."""
        rows = self._rows.get(name, {}).get(scope, ())
        said = self._narrowed.get((scope, name))
        return [*rows, *said] if said else rows

    def generics(self, scope: int) -> tuple[str, ...]:
        """The type parameters that a scope declares, in order."""
        if self._generics is None:
            self._generics = {}
            for row in self.facts.bindings:
                if row.kind is BindingKind.TYPE_PARAMETER:
                    self._generics[row.scope] = (*self._generics.get(row.scope, ()), row.name)
        return self._generics.get(scope, ())

    def doubles(self, index: int) -> tuple[int, ...]:
        """Other declarations of the same interface, or of the class that it goes with."""
        if self._doubles is None:
            named: dict[str, list[int]] = {}
            for position, symbol in enumerate(self.facts.symbols):
                if symbol.kind in _MERGED:
                    named.setdefault(symbol.qualified_name, []).append(position)
            self._doubles = {
                position: tuple(other for other in group if other != position)
                for group in named.values()
                if len(group) > 1 and not self.is_python
                for position in group
            }
        return self._doubles.get(index, ())

    def rows_of_scope(self, scope: int) -> Iterable[Binding]:
        """All rows of one scope."""
        if self._by_scope is None:
            self._by_scope = {}
            for row in self.facts.bindings:
                self._by_scope.setdefault(row.scope, []).append(row)
        return self._by_scope.get(scope, ())

    def is_static(self, index: int) -> bool:
        """Whether a member belongs to the class itself."""
        return bool(self.facts.shapes[index].traits & Trait.STATIC)


class Views(dict[str, FileView]):
    """The views of a project's files, each made when it is first asked for."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        super().__init__()
        self.facts = facts

    def __missing__(self, path: str) -> FileView:
        view = self[path] = FileView(self.facts[path])
        return view


def _agreed(rows: list[Binding]) -> Binding | None:
    """The one row that stands for all: the last definition; else the last of values that are all alike."""
    declared = [row for row in rows if row.kind in (BindingKind.SYMBOL, BindingKind.IMPORT)]
    if declared:
        return declared[-1]
    alike = {(row.type, row.value) for row in rows}
    last = rows[-1]
    return last if len(alike) == 1 else Binding(last.scope, last.name, BindingKind.LOCAL, last.line)
