"""What a sweep has collected of one file, and its end: what becomes a symbol late, and the frozen facts."""

from collections.abc import Collection

from bearings.code.languages.shared.drafts import Draft, Expected, Frame, Local, Property, is_name
from bearings.code.languages.shared.kinds import Bindings, Edges, Scopes, Symbols
from bearings.code.languages.shared.node_text import Reading
from bearings.code.languages.shared.source_text import SourceText
from bearings.code.models import (
    Binding,
    CallSite,
    Export,
    FileFacts,
    Import,
    Language,
    Mark,
    Measure,
    Scope,
    ScopeKind,
    Shape,
    Symbol,
    Trait,
)

_HELD = frozenset({Symbols.FUNCTION, Symbols.HOOK, Symbols.COMPONENT, Symbols.CLASS})
"""What a property of an object literal may stand for under another name."""


class Collected(SourceText):
    """One file's facts before they are frozen. `frames` is the stack around the node at hand."""

    def __init__(self, path: str, language: Language, source: bytes, reading: Reading | None = None) -> None:
        super().__init__(path, language, source, reading)
        self.site_at: dict[tuple[int, int], int] = {}
        self.function_starts: list[int] = []
        module = Draft(path, path, Symbols.MODULE, 1, max(1, self.lines))
        module.exported, module.parent, module.inner = True, -1, 0
        self.drafts = [module]
        self.scopes: list[tuple[ScopeKind, int, int]] = [(Scopes.MODULE, -1, 0)]
        self.bindings: list[Binding] = []
        self.narrowed: list[Binding] = []
        self.bound: set[tuple[int, str]] = set()
        self.imports: list[Import] = []
        self.exports: list[Export] = []
        self.calls: list[CallSite | None] = []
        self.uses: list[CallSite] = []
        self.frames = [Frame(len(source) + 1, 0, 0, "")]
        self.pending: dict[tuple[int, int], int] = {}
        self.functions: dict[tuple[int, int], int] = {}
        self._at: dict[tuple[str, int], int] = {}
        self._overloads: dict[tuple[int, str], int] = {}
        self.members: dict[tuple[int, str], int] = {}
        self._assigned: dict[tuple[int, str], Draft] = {}
        self.expected: dict[tuple[int, int], Expected] = {}
        self.preset: dict[tuple[int, str], tuple[str, str]] = {}
        self.invoked: dict[tuple[int, int], int] = {}
        self.asked_of: set[int] = set()
        self.declared: dict[int, str] = {}
        self.giving: dict[int, Expected] = {}
        self.returned: dict[int, int] = {}
        self.locals: list[Local] = []
        self.listed: list[int] = []
        self.properties: list[Property] = []
        self.holder = ""
        self.objects: dict[tuple[int, int], str] = {}
        self.casts: dict[tuple[int, int], str] = {}
        self.named: list[tuple[int, tuple[int, int]]] = []

    def _name_called(self) -> None:
        """Makes symbols of the local variables that are called, or handed out by their name in an object literal."""
        names = {self.bindings[local.row].name for local in self.locals}
        called: dict[str, set[int]] = {}
        handed: dict[str, set[int]] = {}
        for sites in (self.calls, self.uses):
            for site in sites:
                if site is not None and (callee := site.callee) in names and is_name(callee):
                    called.setdefault(callee, set()).add(site.scope)
        for position in self.listed:
            row = self.bindings[position]
            handed.setdefault(row.name, set()).add(self.scopes[row.scope][1])
        self._name_properties()
        for local in self.locals:
            row = self.bindings[local.row]
            scopes: Collection[int] = called.get(row.name, ())
            if row.name in handed and ("=>" in row.type or not row.type) and row.value[:1] in ("", "#"):
                scopes = (*scopes, *handed[row.name])
            if any(self._is_inside(scope, row.scope) for scope in scopes):
                node = local.node
                draft = Draft(row.name, local.prefix + row.name, local.kind, row.line, self.end_line(node))
                draft.parent, draft.scope = local.symbol, row.scope
                draft.signature = self.head(node.start_byte, None, node.end_byte)
                draft.type, draft.value = row.type, row.value
                self.bindings[local.row] = Binding(
                    row.scope, row.name, Bindings.SYMBOL, row.line, len(self.drafts), row.type, row.value
                )
                self.drafts.append(draft)

    def _name_properties(self) -> None:
        """Makes symbols of the properties of object literals that may hold a function of another name or file."""
        rows = {(row.scope, row.name): row for row in self.bindings} if self.properties else {}
        for held in self.properties:
            row = self.bindings[held.row]
            if not self._may_hold(row, held, rows):
                continue
            end_line, signature = self.end_line(held.node), self.line_of(held.node)
            draft = Draft(row.name, held.prefix + row.name, Symbols.PROPERTY, row.line, end_line)
            draft.parent, draft.scope, draft.signature, draft.value = held.symbol, held.scope, signature, row.value
            draft.traits = int(Trait.STATIC)
            self.bindings[held.row] = Binding(row.scope, row.name, Bindings.SYMBOL, row.line, len(self.drafts))
            self.drafts.append(draft)

    def _may_hold(self, row: Binding, held: Property, rows: dict[tuple[int, str], Binding]) -> bool:
        root, dot, _ = row.value.partition(".")
        if root[:1] in ("#", "~", "?", ""):
            return held.table
        scope = held.scope
        while scope >= 0 and (scope, root) not in rows:
            scope = self.scopes[scope][1]
        if scope < 0:
            return False
        known = rows[scope, root]
        if known.kind is Bindings.IMPORT:
            return True
        if known.kind is Bindings.LOCAL:
            return held.table and known.value[:1] in ("#", "~") and "." in known.value
        if known.kind is not Bindings.SYMBOL or dot or root == row.name:
            return False
        return self.drafts[known.target].kind in _HELD or self.drafts[known.target].value[:1] == "#"

    def _is_inside(self, scope: int, around: int) -> bool:
        while scope > around:
            scope = self.scopes[scope][1]
        return scope == around

    def settle(self) -> None:
        """Local variables that are called, and properties that only assignments declare, become symbols.

        From here on, what is a symbol keeps its index.
        """
        self._name_called()
        for position, span in self.named:
            if span in self.functions:
                row = self.bindings[position]
                self.bindings[position] = Binding(row.scope, row.name, Bindings.SYMBOL, row.line, self.functions[span])
        for key, draft in self._assigned.items():
            if key not in self.members:
                self.members[key] = len(self.drafts)
                self.drafts.append(draft)

    def append(self, draft: Draft) -> int:
        """A symbol that no declaration stands for, after all others; its index, or -1 if there is one like it."""
        key = (draft.qualified, draft.line)
        if key in self._at:
            return -1
        self._at[key] = len(self.drafts)
        self.drafts.append(draft)
        return self._at[key]

    def facts(
        self,
        errors: int,
        measures: tuple[Measure, ...] = (),
        marks: tuple[Mark, ...] = (),
        mentions: tuple[CallSite, ...] = (),
        *,
        generated: bool = False,
        given_up: bool = False,
    ) -> FileFacts:
        """All that was collected, frozen."""
        symbols, shapes = [], []
        holders: dict[int, str] = {}
        for draft in self.drafts:
            inside = ""
            if draft.parent > 0:
                if draft.parent not in holders:
                    holder = self.drafts[draft.parent]  # which may come later
                    holders[draft.parent] = f"{holder.qualified}:{holder.line}"
                inside = holders[draft.parent]
            symbol = Symbol(
                self.path,
                draft.qualified,
                draft.kind,
                draft.line,
                draft.end_line,
                draft.exported,
                draft.signature,
                draft.doc,
                inside,
                draft.detail,
            )
            symbols.append(symbol)
            shapes.append(
                Shape(
                    draft.scope,
                    draft.parent,
                    draft.inner,
                    draft.returns,
                    draft.type,
                    draft.value,
                    draft.bases,
                    draft.implements,
                    draft.traits,
                )
            )
        unknown = CallSite(Edges.CALL, "?", 1, 0)
        return FileFacts(
            self.path,
            self.language,
            self.lines,
            tuple(symbols),
            tuple(shapes),
            tuple(Scope(*scope) for scope in self.scopes),
            (*self.bindings, *self.narrowed),
            tuple(self.imports),
            tuple(self.exports),
            tuple([site or unknown for site in self.calls] + self.uses),
            errors,
            generated,
            measures,
            marks,
            mentions,
            given_up,
        )
