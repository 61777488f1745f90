"""FileFacts in the making: what the visitors of all languages write to while they sweep a file from top to bottom."""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import count

from tree_sitter import Node

from bearings.code.languages.shared.collector import Collected
from bearings.code.languages.shared.drafts import Draft, Frame
from bearings.code.languages.shared.kinds import Bindings, Symbols
from bearings.code.models import (
    Binding,
    BindingKind,
    CallSite,
    EdgeKind,
    Import,
    ImportKind,
    ScopeKind,
    SymbolKind,
    Trait,
)
from bearings.code.symbol_keys import type_key

_MOST_FRAMES = 250
_LONGEST_PREFIX = 1_000
"""Code that is nested deeper, or whose names of names are longer, is made by machines, and names in it grow with the
square of its depth."""


class TooDeep(Exception):
    """The source is nested deeper than names can follow."""


class Builder(Collected):
    """Collects one file's facts; the sweep pops what has ended off `frames`."""

    def number(self, sites: Iterable[tuple[int, int]]) -> None:
        """Gives the extents of calls and `new` their numbers, in the order of the source, outermost first."""
        self.site_at = dict(zip(dict.fromkeys(sites), count(), strict=False))
        self._innermost = dict(iter(self.site_at))  # of those that begin at a byte, the last is the innermost
        self.calls = [None] * len(self.site_at)

    def holds_function(self, start: int, end: int) -> bool:
        """Whether any function begins between two bytes."""
        place = bisect_left(self.function_starts, start)
        return place < len(self.function_starts) and self.function_starts[place] < end

    def declare(self, name: str, kind: SymbolKind, node: Node, *, prefix: str | None = None) -> Draft:
        """A symbol for `node` inside the current frame; the same one again for its overloads and its double."""
        frame = self.frames[-1]
        line, end_line = self.line(node), self.end_line(node)
        qualified = (frame.prefix if prefix is None else prefix) + name
        index = self._at.get((qualified, line))
        if index is None:
            overloaded = self._overloads.get((frame.symbol, qualified))
            if overloaded is not None and self.drafts[overloaded].is_overload:
                self._at[(qualified, line)] = overloaded
                draft = self.drafts[overloaded]
                draft.line, draft.end_line, draft.is_overload = line, end_line, False
                return draft
            index = len(self.drafts)
            self._at[(qualified, line)] = self._overloads[(frame.symbol, qualified)] = index
            draft = Draft(name, qualified, kind, line, end_line)
            draft.scope, draft.parent, draft.exported = frame.scope, frame.symbol, frame.exporting
            self.drafts.append(draft)
            self.members.setdefault((frame.symbol, name), index)
        return self.drafts[index]

    def assigned(self, owner: int, name: str, node: Node, value: str, type_: str = "", *, static: bool = False) -> None:
        """A property that an assignment gives to `owner`: a symbol, unless its class declares that name."""
        known = self._assigned.get((owner, name))
        if known is not None:
            known.value = known.value or value
            return
        whole = self.drafts[owner]
        qualified = f"{whole.qualified}.{name}"
        draft = Draft(name, qualified, Symbols.PROPERTY, self.line(node), self.end_line(node))
        draft.scope, draft.parent, draft.value, draft.type = self.frames[-1].scope, owner, value, type_
        draft.exported = whole.exported and not name.startswith(("_", "#"))
        draft.signature = self.line_of(node)
        draft.traits |= Trait.STATIC if static else 0
        self._assigned[owner, name] = draft

    def of_type(self, whole: Node, draft: Draft) -> None:
        """Binds a member of an object type, which need not have a name, by what it says."""
        self.bind(type_key(self.type_of(whole), draft.name), Bindings.TYPE, draft.line, self.index(draft))

    def index(self, draft: Draft) -> int:
        """The index of a draft among the symbols."""
        return self._at[(draft.qualified, draft.line)]

    def scope(self, kind: ScopeKind, symbol: int) -> int:
        """A new scope inside the current one."""
        self.scopes.append((kind, self.frames[-1].scope, symbol))
        return len(self.scopes) - 1

    def push(self, end: int, scope: int, symbol: int, prefix: str, *, exporting: bool = False) -> None:
        """What follows, up to `end`, is inside this. Raises TooDeep."""
        if len(prefix) > _LONGEST_PREFIX or len(self.frames) > _MOST_FRAMES:
            raise TooDeep
        self.frames.append(Frame(end, scope, symbol, prefix, exporting=exporting))

    def bind(
        self,
        name: str,
        kind: BindingKind,
        line: int,
        target: int = -1,
        *,
        type_: str = "",
        value: str = "",
        scope: int = -1,
    ) -> None:
        """A row of the binder table of `scope`, by default the current one."""
        scope = self.frames[-1].scope if scope < 0 else scope
        self.bound.add((scope, name))
        self.bindings.append(Binding(scope, name, kind, line, target, type_, value))

    def expected_of(self, name: str) -> tuple[str, str]:
        """What a name that is now bound was noted to be, by its type or its value."""
        return self.preset.pop((self.frames[-1].scope, name), ("", ""))

    def take(self, module: str, name: str, local: str, node: Node, kind: ImportKind = ImportKind.STATIC) -> None:
        """An import; a `local` that is a name is bound in the current scope."""
        line, scope = self.line(node), self.frames[-1].scope
        self.imports.append(Import(module, name, local, line, scope, kind))
        if local and local[0] != "#":
            self.bind(local, Bindings.IMPORT, line, len(self.imports) - 1)

    def call(
        self, node: Node, kind: EdgeKind, callee: str, span: tuple[int, int], types: str = "", scope: int = -1
    ) -> int:
        """The call site at `span`, in `scope` or by default the current one: its number."""
        number = self.site_at[span]
        scope = self.frames[-1].scope if scope < 0 else scope
        self.calls[number] = CallSite(kind, callee, self.line(node), scope, types)
        return number

    def use(self, node: Node, kind: EdgeKind, callee: str) -> None:
        """Another use of a name."""
        self.uses.append(CallSite(kind, callee, self.line(node), self.frames[-1].scope))
