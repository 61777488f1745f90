"""Elements that differ between two versions of files. A changed line belongs to the innermost element around it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter

from rapidfuzz import fuzz

from bearings.code.file_facts import FileFacts, MarkKind
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.git.history import FileChange
from bearings.code.replies.changes import ChangeStatus

_ALIKE = 75
"""The least similarity, out of 100, of the bodies of a renamed element."""

_LONGEST = 4_000
"""The most characters of a body that are compared."""

_SHORTEST = 20
"""Shorter bodies are too similar to each other to be compared."""


_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})


@dataclass(frozen=True, slots=True)
class Version:
    """A file's facts and lines."""

    facts: FileFacts
    lines: list[str]

    @classmethod
    def of(cls, facts: FileFacts, source: bytes) -> "Version":
        """A version of a file."""
        return cls(facts, source.decode("utf-8", "replace").split("\n"))

    def text(self, symbol: Symbol) -> list[str]:
        """The lines of an element and of its decorators."""
        return self.lines[_first_line(self.facts, symbol) - 1 : symbol.end_line]

    def body(self, symbol: Symbol) -> str:
        """An element's text without its name, so that renaming it leaves the text equal."""
        text = "\n".join(self.lines[symbol.line - 1 : symbol.end_line])[:_LONGEST]
        return text.replace(symbol.name, "·")


@dataclass(frozen=True, slots=True)
class Difference:
    """An element in its present state (its former one if it is removed), and its change."""

    symbol: Symbol
    status: ChangeStatus
    lines: int
    was: str = ""
    signature_changed: bool = False
    is_local: bool = False
    """Whether it is inside a function."""


Pair = tuple[FileChange, Version | None, Version | None]
"""A changed file with its former and present version; None for a version that is missing or unreadable."""


def differences(pairs: Iterable[Pair]) -> list[Difference]:
    """Every changed element, by file and line; a renamed or moved one counts once."""
    rows: list[Difference] = []
    gone: list[tuple[Symbol, Version]] = []
    come: list[tuple[Symbol, Version]] = []
    for change, old, new in pairs:
        before, after = by_key(old), by_key(new)
        rows += _common(change, old, new, before, after)
        gone += [(symbol, old) for key, symbol in before.items() if key not in after and old is not None]
        come += [(symbol, new) for key, symbol in after.items() if key not in before and new is not None]
    # def add → def plus, with the same body; or the same function in another file.
    for (was, old), (now, new) in _paired(gone, come):
        gone.remove((was, old))
        come.remove((now, new))
        status: ChangeStatus = "renamed" if was.name != now.name else "moved"
        rows.append(Difference(now, status, 0, was.id, _head(was) != _head(now)))
    rows += [
        Difference(symbol, "removed", _size(symbol), is_local=_is_local(version.facts, symbol))
        for symbol, version in gone
    ]
    rows += [Difference(symbol, "added", _size(symbol)) for symbol, _ in come]
    return sorted(rows, key=lambda one: (one.symbol.file, one.symbol.line, one.symbol.id))


def by_key(version: Version | None) -> dict[tuple[str, int], Symbol]:
    """A file's elements by name and their order among equal names. Its module's name is empty."""
    if version is None:
        return {}
    seen: Counter[str] = Counter()
    named: dict[tuple[str, int], Symbol] = {}
    for symbol in version.facts.symbols:
        name = "" if symbol.kind is SymbolKind.MODULE else symbol.qualified_name
        named[name, seen[name]] = symbol
        seen[name] += 1
    return named


def _common(
    change: FileChange,
    old: Version | None,
    new: Version | None,
    before: Mapping[tuple[str, int], Symbol],
    after: Mapping[tuple[str, int], Symbol],
) -> list[Difference]:
    """Elements of both versions whose own lines differ.

    A hunk may begin with a line that the lines before it end with too; so an element whose text is the same is none.
    """
    if old is None or new is None:
        return []
    then = _touched(old, [(hunk.old_start, hunk.old_count) for hunk in change.hunks])
    now = _touched(new, [(hunk.new_start, hunk.new_count) for hunk in change.hunks])
    return [
        Difference(
            symbol,
            "modified",
            max(then[before[key].id], now[symbol.id]),
            signature_changed=_head(before[key]) != _head(symbol),
        )
        for key, symbol in after.items()
        if key in before
        and (then[before[key].id] or now[symbol.id])
        and (symbol.kind is SymbolKind.MODULE or old.text(before[key]) != new.text(symbol))
    ]


def _touched(version: Version, ranges: Iterable[tuple[int, int]]) -> Counter[str]:
    """The number of each element's own lines in the ranges. Blank lines belong to no element."""
    symbols = version.facts.symbols
    spans = sorted(
        ((_first_line(version.facts, symbol), symbol.end_line, symbol) for symbol in symbols), key=itemgetter(0)
    )
    touched: Counter[str] = Counter()
    for start, count in ranges:
        for line in range(start, start + count):
            if line <= len(version.lines) and version.lines[line - 1].strip():
                around = [span for span in spans if span[0] <= line <= span[1]]
                if around:
                    touched[min(around, key=_width)[2].id] += 1
    return touched


def _is_local(facts: FileFacts, symbol: Symbol) -> bool:
    """Whether an element is inside a function."""
    return any(other.id == symbol.parent and other.kind in _FUNCTIONS for other in facts.symbols)


def _width(span: tuple[int, int, Symbol]) -> tuple[int, bool]:
    """The number of an element's lines; a file counts as wider than an element that fills it."""
    first, last, symbol = span
    return last - first, symbol.kind is SymbolKind.MODULE


def _first_line(facts: FileFacts, symbol: Symbol) -> int:
    """The first line of an element including its decorators, which are directly above it."""
    first = symbol.line
    lines = {mark.line for mark in facts.marks if mark.kind is MarkKind.DECORATOR}
    while first - 1 in lines:
        first -= 1
    return first


def _paired(
    gone: list[tuple[Symbol, Version]], come: list[tuple[Symbol, Version]]
) -> list[tuple[tuple[Symbol, Version], tuple[Symbol, Version]]]:
    """Removed and added elements with similar bodies, the most similar first, each paired once."""
    bodies = [new.body(symbol) for symbol, new in come]
    scored = []
    for index, (symbol, old) in enumerate(gone):
        body = old.body(symbol)
        if len(body) >= _SHORTEST:
            for other, (candidate, _) in enumerate(come):
                if candidate.kind is symbol.kind and len(bodies[other]) >= _SHORTEST:
                    score = fuzz.ratio(body, bodies[other], score_cutoff=_ALIKE) + (candidate.name == symbol.name)
                    if score > _ALIKE:
                        scored.append((score, index, other))
    pairs = []
    used: tuple[set[int], set[int]] = set(), set()
    for _, index, other in sorted(scored, reverse=True):
        if index not in used[0] and other not in used[1]:
            used[0].add(index)
            used[1].add(other)
            pairs.append((gone[index], come[other]))
    return pairs


def _head(symbol: Symbol) -> str:
    return symbol.signature.replace(symbol.name, "·", 1) if symbol.kind is not SymbolKind.MODULE else ""


def _size(symbol: Symbol) -> int:
    return symbol.end_line - symbol.line + 1
