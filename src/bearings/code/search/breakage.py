"""Elements of one edited file whose users no longer fit, by a stored snapshot and the file before and after its edit.

The answer of `changes` for one file, in a tenth of a second: nothing else is parsed or resolved. Each use is checked
against the present text of its file, so one that was adapted or that can't be read is left out.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import groupby, islice
from typing import NamedTuple

from msgspec.structs import replace

from bearings.code.file_facts import FileFacts
from bearings.code.grouping import grouped
from bearings.code.index.snapshot_lookup import SnapshotLookup
from bearings.code.languages import spec_of
from bearings.code.languages.spec import PublicApi
from bearings.code.models import IMPORTS, WRITTEN_CALLS, Edge, Symbol, SymbolKind
from bearings.code.search.misfits import Misfits
from bearings.code.symbol_keys import MARK, file_of, keys_of

_MOST_ELEMENTS = 20
_DEPTH = 5
"""Levels of base classes that are followed."""

_NEAR = 3
"""Lines from a use on, in which the name has to stand: a chain of calls begins above it."""

_COMPOUND = re.compile(r"[a-z0-9]_?[A-Z]|[a-z0-9]_[a-z0-9]")
"""A name of two words, which is rarely one of another package's too."""


class Broken(NamedTuple):
    """A former element, its keys, the reason why `uses` no longer fit, these on their present lines, and all uses."""

    symbol: Symbol
    keys: tuple[str, ...]
    why: str
    uses: list[Edge]
    known: list[Edge]


def breakage(
    lookup: SnapshotLookup, before: FileFacts, after: FileFacts, text: Callable[[str], str]
) -> Iterator[Broken]:
    """The broken elements of a file. `text` reads the present text of any file, "" for none."""
    lookup.assume_unchanged(after.path)
    judge = _Judge(lookup, after, text)
    for former, key, now in islice(_suspects(before, after), _MOST_ELEMENTS):
        if (broken := judge.broken(former, key, now)) is not None:
            yield broken


def _suspects(before: FileFacts, after: FileFacts) -> Iterator[tuple[Symbol, str, Symbol | None]]:
    """Elements with their keys that are gone, hidden or have another head; not those whose container is gone too."""
    old, new = _by_name(before), _by_name(after)
    for name, formers in old.items():
        present, owner = new.get(name, []), name.rpartition(".")[0]
        if not present and (owner in new if owner else not _is_bound(after, name)):
            yield from ((former, key, None) for former, key in formers)
        elif len(present) == len(formers) == 1:
            (former, key), now = formers[0], present[0][0]
            if former.signature != now.signature or (former.exported and not now.exported):
                yield former, key, now


def _by_name(facts: FileFacts) -> dict[str, list[tuple[Symbol, str]]]:
    rows = zip(facts.symbols, keys_of(facts), strict=True)
    named = ((symbol, key) for symbol, key in rows if symbol.kind not in (SymbolKind.MODULE, SymbolKind.ENDPOINT))
    return grouped((symbol.qualified_name, (symbol, key)) for symbol, key in named)


def _is_bound(facts: FileFacts, name: str) -> bool:
    """Whether a file has a name at its top without an element of that name: imported, computed, or by a star."""
    names = {binding.name for binding in facts.bindings if binding.scope == 0}
    return not names.isdisjoint((name, "__getattr__")) or any(
        taken.scope == 0 and taken.name and not taken.local for taken in facts.imports
    )


class _Judge:
    """Tells which uses of an element no longer fit."""

    def __init__(self, lookup: SnapshotLookup, after: FileFacts, text: Callable[[str], str]) -> None:
        self._lookup = lookup
        self._path = after.path
        self._declared = {(symbol.name, symbol.line) for symbol in after.symbols}
        self._text = text
        self._lines = cache(lambda file: text(file).split("\n"))

    def broken(self, former: Symbol, key: str, now: Symbol | None) -> Broken | None:
        owner = former.qualified_name.rpartition(".")[0]
        container, is_made = f"{self._path}{MARK}{owner}", former.kind is SymbolKind.CONSTRUCTOR
        name = owner.rpartition(".")[2] if is_made else former.name
        keys = (key, container) if is_made else (key,)
        if now is None and owner and (is_made or self._inherits(container, name, _DEPTH)):
            return None
        is_gone = now is None or self._is_hidden(former, now)
        misfits = None if now is None or is_gone else self._misfits(former, now)
        if misfits is not None and not misfits.reasons:
            return None
        known = self._lookup.uses_of(keys, lambda file: name in self._text(file))
        if all(use.file == self._path for use in known) and _COMPOUND.search(name) and not is_made:
            known += self._lookup.uses_by_name(key, name)
        uses = [use for use in self._present(known, name) if former.exported or use.file != self._path]
        if misfits is None:
            why = "it is gone" if now is None else "it is not exported any more"
            uses = [use for use in uses if now is None or use.file != self._path]
            uses = [use for use in uses if use.kind not in IMPORTS] or uses
        else:
            why, uses = self._unfit(misfits, name, uses)
        uses = list({(use.file, use.line): use for use in uses}.values())
        return Broken(former, keys, why, uses, known) if uses else None

    def _is_hidden(self, former: Symbol, now: Symbol) -> bool:
        """Whether a module exports an element no longer."""
        spec = spec_of(self._path)
        is_module = spec is not None and spec.public_api is PublicApi.ENTRIES and "." not in former.qualified_name
        return is_module and former.exported and not now.exported

    def _present(self, known: Sequence[Edge], name: str) -> Iterator[Edge]:
        """The uses as far as the present text has the name; in a changed file, its calls if there are no others."""
        call = re.compile(rf"(?<!def )(?<!function )(?<!func )(?<!class )(?<![\w$]){re.escape(name)}\s*\(")
        for file, group in groupby(sorted(known, key=lambda use: use.file), lambda use: use.file):
            lines, uses = self._lines(file), list(group)
            if file != self._path and self._lookup.is_unchanged(file):
                word = re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, self._names(file, name)))})(?![\w$])")
                near = ((use, "\n".join(lines[use.line - 1 : use.line - 1 + _NEAR])) for use in uses)
                yield from (use for use, text in near if word.search(text))
            else:
                found = [number for number, line in enumerate(lines, 1) if call.search(line)]
                if file == self._path:
                    found = [number for number in found if (name, number) not in self._declared]
                calls = [use for use in uses if use.kind in WRITTEN_CALLS]
                yield from (replace(calls[0], line=number) for number in found if len(found) <= len(calls))

    def _misfits(self, former: Symbol, now: Symbol) -> Misfits:
        """Tells which calls of a former element do not fit the present one."""
        body = "\n".join(self._lines(self._path)[now.line - 1 : now.end_line])
        return Misfits(former, now, body, self._lines)

    def _unfit(self, misfits: Misfits, name: str, uses: Sequence[Edge]) -> tuple[str, list[Edge]]:
        """The first reason that concerns a call, and all calls that a reason concerns."""
        calls = (use for use in uses if use.kind in WRITTEN_CALLS)
        unfit = [(reason, use) for use in calls if (reason := self._reason(misfits, use, name))]
        return unfit[0][0] if unfit else "", [use for _, use in unfit]

    def _reason(self, misfits: Misfits, use: Edge, name: str) -> str:
        """The first reason that concerns a call as it is written; empty if it fits or can't be read."""
        names = self._names(use.file, name)
        near = (misfits.calls(use.file, line, names) for line in range(use.line, use.line + _NEAR))
        return misfits.why(next((calls for calls in near if calls is not None), ()))

    def _names(self, file: str, name: str) -> set[str]:
        """A name, and the names that a file's imports give it."""
        return {name, *re.findall(rf"(?<![\w$]){re.escape(name)}\s+as\s+([\w$]+)", self._text(file))}

    def _inherits(self, owner: str, name: str, depth: int) -> bool:
        """Whether a base of a class in the project has a member of this name."""
        for base in self._lookup.bases(file_of(owner), owner.partition(MARK)[2]) if depth else ():
            facts, member = self._lookup.former(file_of(base))[1], f"{base.partition(MARK)[2]}.{name}"
            if facts is None or any(symbol.qualified_name == member for symbol in facts.symbols):
                return True
            if self._inherits(base, name, depth - 1):
                return True
        return False
