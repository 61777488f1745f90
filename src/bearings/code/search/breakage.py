"""Elements of one edited file whose users no longer fit, by a stored snapshot and the file before and after its edit.

The answer of `changes` for one file, in a tenth of a second: nothing else is parsed or resolved. Each use is checked
against the present text of its file, so one that was adapted or that can't be read is left out.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bearings.code.file_facts import FileFacts
from bearings.code.index.snapshot_lookup import SnapshotLookup
from bearings.code.languages import spec_of
from bearings.code.languages.spec import PublicApi
from bearings.code.models import Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.search.call_arguments import calls_in
from bearings.code.search.signatures import Reason, looked_for, reasons
from bearings.code.symbol_keys import MARK, file_of, keys_of

_MOST_ELEMENTS = 20
_DEPTH = 5
"""Levels of base classes that are followed."""

_NEAR = 3
"""Lines from a use on, in which the name has to stand: a chain of calls begins above it."""

_CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW})
_IMPORTS = frozenset({EdgeKind.IMPORT, EdgeKind.EXPORT})
_CALLED = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.COMPONENT, SymbolKind.HOOK}
)


class Broken(NamedTuple):
    """A former element, the reason why `uses` no longer fit, these on their present lines, and all its former uses."""

    symbol: Symbol
    keys: tuple[str, ...]
    why: str
    uses: list[Edge]
    known: list[Edge]


class _Suspect(NamedTuple):
    """A former element and its key, and what it is now; None if it is gone."""

    former: Symbol
    key: str
    now: Symbol | None


@dataclass(frozen=True)
class Edited:
    """A file before and after an edit. `text` reads the present text of a project's file, "" for none.

    `former_lines` are the lines as they were when the snapshot was made, None if they are not known.
    """

    before: FileFacts
    after: FileFacts
    text: Callable[[str], str]
    former_lines: Sequence[str] | None

    def line_now(self, line: int) -> int | None:
        """The present number of a former line; None for one that the edit changed."""
        if self.former_lines is None:
            return None
        head, tail = self._same
        if line <= head:
            return line
        now = line + len(self._lines) - len(self.former_lines)
        return now if line > len(self.former_lines) - tail else None

    @cached_property
    def _lines(self) -> list[str]:
        return self.text(self.after.path).split("\n")

    @cached_property
    def _same(self) -> tuple[int, int]:
        """The numbers of equal lines at the start and at the end."""
        then, now = list(self.former_lines or ()), self._lines
        head = _common(then, now)
        return head, _common(then[head:][::-1], now[head:][::-1])


def breakage(lookup: SnapshotLookup, edited: Edited, touches: Callable[[str], bool]) -> list[Broken]:
    """The broken elements whose names the edit `touches`, those with most uses first."""
    suspects = [one for one in _suspects(edited) if touches(one.former.name) or one.now is not None][:_MOST_ELEMENTS]
    lookup.assume_unchanged(edited.after.path)
    judge = _Judge(lookup, edited)
    found = [broken for suspect in suspects if (broken := judge.broken(suspect)) is not None]
    return sorted(found, key=lambda one: -len(one.uses))


def _suspects(edited: Edited) -> Iterator[_Suspect]:
    """Elements that are gone, not exported any more, or have another head; not those whose container is gone too."""
    old, new = _by_name(edited.before), _by_name(edited.after)
    for name, formers in old.items():
        present = new.get(name, [])
        owner, _, own = name.rpartition(".")
        if not present and (owner in new if owner else not _is_bound(edited.after, own)):
            yield from (_Suspect(former, key, None) for former, key in formers)
        elif len(present) == len(formers) == 1:
            (former, key), (now, _) = formers[0], present[0]
            if former.signature != now.signature or (former.exported and not now.exported):
                yield _Suspect(former, key, now)


def _by_name(facts: FileFacts) -> dict[str, list[tuple[Symbol, str]]]:
    named: dict[str, list[tuple[Symbol, str]]] = {}
    for symbol, key in zip(facts.symbols, keys_of(facts), strict=True):
        if symbol.kind not in (SymbolKind.MODULE, SymbolKind.ENDPOINT):
            named.setdefault(symbol.qualified_name, []).append((symbol, key))
    return named


def _is_bound(facts: FileFacts, name: str) -> bool:
    """Whether a file has a name at its top without an element of that name: imported, computed, or by a star."""
    return any(binding.scope == 0 and binding.name in (name, "__getattr__") for binding in facts.bindings) or any(
        taken.scope == 0 and taken.local in (name, "") and taken.name for taken in facts.imports
    )


class _Judge:
    """Tells which uses of an element no longer fit."""

    def __init__(self, lookup: SnapshotLookup, edited: Edited) -> None:
        self._lookup = lookup
        self._edited = edited
        self._path = edited.after.path
        spec = spec_of(self._path)
        self._has_entries = spec is not None and spec.public_api is PublicApi.ENTRIES

    def broken(self, suspect: _Suspect) -> Broken | None:
        former, now = suspect.former, suspect.now
        owner = former.qualified_name.rpartition(".")[0]
        is_made = former.kind is SymbolKind.CONSTRUCTOR
        name = owner.rpartition(".")[2] if is_made else former.name
        keys = (suspect.key, f"{self._path}{MARK}{owner}") if is_made else (suspect.key,)
        if now is None and owner and (is_made or self._inherits(f"{self._path}{MARK}{owner}", name, _DEPTH)):
            return None
        known = self._lookup.uses_of(keys, lambda file: name in self._edited.text(file))
        if not known:
            return None
        is_hidden = now is not None and former.exported and not now.exported
        if now is None or (is_hidden and not owner and self._has_entries):
            why = "it is not exported any more" if now else self._successor(former)
            present = self._present(known, name)
            uses = _without_imports([use for use in present if now is None or use.file != self._path])
        else:
            why, uses = self._unfit(former, now, name, [use for use in known if use.kind in _CALLS])
        if not former.exported:
            uses = [use for use in uses if use.file != self._path]
        return Broken(former, keys, why, uses, known) if uses else None

    def _present(self, known: Sequence[Edge], name: str) -> Iterator[Edge]:
        """The uses on their present lines, as far as these have the name."""
        stale: set[str] = set()
        for use in known:
            is_own = use.file == self._path
            if not is_own and not self._lookup.is_unchanged(use.file):
                stale.add(use.file)
                continue
            line = self._edited.line_now(use.line) if is_own else use.line
            near = self._edited.text(use.file).split("\n")[line - 1 : line - 1 + _NEAR] if line else []
            if any(_word(one, "\n".join(near)) for one in self._names(use.file, name)):
                yield Edge(use.source, use.target, use.kind, use.file, line or 0, use.confidence, use.reason)
        for use in known:
            if use.file in stale:
                stale.discard(use.file)
                yield from self._found_again(use, name)

    def _found_again(self, use: Edge, name: str) -> Iterator[Edge]:
        """The calls of a name in a file that changed since it was read."""
        for number, line in enumerate(self._edited.text(use.file).split("\n"), 1):
            if re.search(rf"(?<!def )(?<!function )(?<!func )(?<![\w$]){re.escape(name)}\s*\(", line):
                yield Edge(use.source, use.target, EdgeKind.CALL, use.file, number, use.confidence, use.reason)

    def _unfit(self, former: Symbol, now: Symbol, name: str, calls: Sequence[Edge]) -> tuple[str, list[Edge]]:
        """The first reason that concerns a call, and all calls that a reason concerns."""
        spec = spec_of(self._path)
        if now.kind not in _CALLED or spec is None or not calls:
            return "", []
        body = self._edited.text(self._path).split("\n")[now.line - 1 : now.end_line]
        optional = looked_for("\n".join(body)) if spec.missing_arguments else ()
        heads = former.signature, now.signature, now.name, former.name
        known = list(reasons(*heads, by_name=spec.keyword_arguments, optional=optional))
        unfit = [(reason, use) for use in self._present(calls, name) if (reason := self._reason(known, use, name))]
        return (unfit[0][0].text, [use for _, use in unfit]) if unfit else ("", [])

    def _reason(self, known: Sequence[Reason], use: Edge, name: str) -> Reason | None:
        """The first reason that concerns a call as it is written; None if it fits or can't be read."""
        spec = spec_of(use.file)
        if spec is None or not known:
            return None
        lines, names = self._edited.text(use.file).split("\n"), self._names(use.file, name)
        for line in range(use.line, use.line + _NEAR):
            calls = calls_in(lines, line, names, comment=spec.comment, by_name=spec.keyword_arguments)
            if calls is not None:
                is_open = any(call.open for call in calls)
                return None if is_open else next((one for one in known if any(map(one.concerns, calls))), None)
        return None

    def _names(self, file: str, name: str) -> set[str]:
        """A name, and the names that a file's imports give it."""
        return {name, *re.findall(rf"(?<![\w$]){re.escape(name)}\s+as\s+([\w$]+)", self._edited.text(file))}

    def _successor(self, former: Symbol) -> str:
        """Why an element is gone: an added one with the same head has its place."""
        before = {symbol.qualified_name for symbol in self._edited.before.symbols}
        for symbol in self._edited.after.symbols:
            is_alike = former.signature.replace(former.name, symbol.name, 1) == symbol.signature
            if is_alike and symbol.qualified_name not in before and symbol.parent == former.parent:
                return f"it is {symbol.name} now"
        return "it is gone"

    def _inherits(self, owner: str, name: str, depth: int) -> bool:
        """Whether a base of a class in the project has a member of this name."""
        for base in self._lookup.bases(file_of(owner), owner.partition(MARK)[2]) if depth else ():
            facts = self._lookup.former(file_of(base))[1]
            member = f"{base.partition(MARK)[2]}.{name}"
            if facts is None or any(symbol.qualified_name == member for symbol in facts.symbols):
                return True
            if self._inherits(base, name, depth - 1):
                return True
        return False


def _without_imports(uses: Sequence[Edge]) -> list[Edge]:
    """The uses by place, without imports in files that have other uses."""
    used = {use.file for use in uses if use.kind not in _IMPORTS}
    places = {(use.file, use.line): use for use in uses if use.kind not in _IMPORTS or use.file not in used}
    return list(places.values())


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of equal lines at the start."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _word(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text) is not None
