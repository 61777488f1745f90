"""Pairs elements of an index with symbols: by the same place, the same name elsewhere, the same text renamed.

Stronger evidence comes first, and parents come before members: a member is searched for in its parent's new place.
Each symbol is paired once. If two candidates are about equally good, neither is paired.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from rapidfuzz import fuzz

from bearings.code.coderefs.elements import Known, Texts, elements_of, prints_of
from bearings.code.coderefs.fingerprint import alike, sketch_of
from bearings.code.formats.index_json import Entry
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol

_ENOUGH = 0.65
"""The least score of a pair. Two unrelated one-line methods of one class reach 0.6."""
_APART = 0.06
"""The least lead of the best candidate over the second."""
_FEW = 8
"""The number of tokens below which equal texts are weak evidence."""
_KINDS = (
    frozenset({"function", "hook", "component", "method", "constructor", "decorator", "endpoint"}),
    frozenset({"class", "schema", "interface", "type", "enum"}),
    frozenset({"constant", "variable", "property"}),
)


class _Scored(NamedTuple):
    score: float
    old: int
    new: str


Score = Callable[[Entry, Symbol], float]


class Pairing:
    """Pairs entries, by number, with symbols. `found` has the symbol and the confidence; `unclear` the rivals."""

    def __init__(self, entries: Sequence[Entry], snapshot: Snapshot) -> None:
        self.entries = entries
        self.symbols = {symbol.id: symbol for symbol in elements_of(snapshot)}
        self.free = dict.fromkeys(self.symbols)
        self.pairs: dict[int, tuple[Symbol, float]] = {}
        self.unclear: dict[int, tuple[Symbol, ...]] = {}
        self._became: dict[tuple[str, str], Symbol] = {}
        self._snapshot = snapshot
        self._texts = Texts(snapshot.tree)
        self._sketches: dict[str, str] = {}

    @cached_property
    def prints(self) -> Mapping[str, Known]:
        """The hashes and sizes of all symbols' texts, by id; empty if no entry has a hash to compare with."""
        return prints_of(self._snapshot) if any(entry.hash for entry in self.entries) else {}

    def run(self) -> "Pairing":
        """Run all rounds."""
        self._by_place()
        for depth in sorted({entry.qualified_name.count(".") for entry in self.entries}):
            left = [n for n in self._left() if self.entries[n].qualified_name.count(".") == depth]
            self._by_parent(left)
            if not (left := self._left(left)):
                continue
            named = self._grouped(lambda symbol: symbol.qualified_name)
            self._choose(left, lambda entry, named=named: named[entry.qualified_name], self._as_moved)  # type: ignore[misc]
            self._by_text(self._left(left))
        return self

    def _by_place(self) -> None:
        """Pair equal names in the same file; several of one name in their order."""
        here: dict[tuple[str, str], list[Symbol]] = defaultdict(list)
        for symbol in self.symbols.values():
            here[symbol.file, symbol.qualified_name].append(symbol)
        wanted: dict[tuple[str, str], list[int]] = defaultdict(list)
        for number, entry in enumerate(self.entries):
            wanted[entry.file, entry.qualified_name].append(number)
        for place, numbers in wanted.items():
            there = here.get(place, [])
            if len(there) == len(numbers):
                ordered = sorted(numbers, key=lambda number: self.entries[number].line)
                for number, symbol in zip(ordered, sorted(there, key=lambda symbol: symbol.line), strict=True):
                    self._pair(number, symbol, 1.0)
            elif there:
                self._choose(numbers, lambda _, there=there: there, self._as_here)  # type: ignore[misc]

    def _by_parent(self, numbers: Iterable[int]) -> None:
        """Pair members of the same name in their parent's new place."""
        places = {(symbol.file, symbol.qualified_name): symbol for symbol in map(self.symbols.get, self.free) if symbol}
        for number in numbers:
            entry = self.entries[number]
            parent = self._parent(entry)
            there = places.get((parent.file, f"{parent.qualified_name}.{entry.name}")) if parent else None
            if there is not None and there.id in self.free:
                self._pair(number, there, 0.95)

    def _by_text(self, numbers: Sequence[int]) -> None:
        by_file = self._grouped(lambda symbol: symbol.file)
        by_hash = self._grouped(lambda symbol: self.prints[symbol.id].hash) if self.prints else defaultdict(list)

        def pool(entry: Entry) -> Iterable[Symbol]:
            parent = self._parent(entry)
            files = dict.fromkeys([entry.file, *([parent.file] if parent else [])])
            elsewhere = by_hash[entry.hash] if entry.hash else ()
            return [*(s for file in files for s in by_file[file]), *(s for s in elsewhere if s.file not in files)]

        self._choose(numbers, pool, self._as_renamed)

    def _choose(self, numbers: Iterable[int], pool: Callable[[Entry], Iterable[Symbol]], score: Score) -> None:
        """Pair the best candidates first."""
        options: dict[int, list[_Scored]] = {}
        claims: dict[str, list[_Scored]] = defaultdict(list)
        for number in numbers:
            entry = self.entries[number]
            scored = [
                _Scored(value, number, symbol.id)
                for symbol in pool(entry)
                if symbol.id in self.free and _comparable(entry, symbol) and (value := score(entry, symbol)) >= _ENOUGH
            ]
            options[number] = sorted(scored, key=lambda one: (-one.score, one.new))
            for one in scored:
                claims[one.new].append(one)
        for best in sorted((one for each in options.values() for one in each), key=lambda one: (-one.score, one.old)):
            if best.old in self.pairs or best.old in self.unclear or best.new not in self.free:
                continue
            rivals = [one for one in options[best.old] if one.new in self.free and best.score - one.score < _APART]
            if len(rivals) > 1:
                self.unclear[best.old] = tuple(self.symbols[rival.new] for rival in rivals[:5])
                continue
            others = [one for one in claims[best.new] if one.old not in self.pairs and best.score - one.score < _APART]
            self._pair(best.old, self.symbols[best.new], best.score if len(others) == 1 else min(best.score, 0.6))

    def _as_here(self, entry: Entry, symbol: Symbol) -> float:
        """The score of one of several equal names in a file: by its text, then its line."""
        return 0.75 + 0.2 * self._likeness(entry, symbol) + 0.05 / (1 + abs(entry.line - symbol.line))

    def _as_moved(self, entry: Entry, symbol: Symbol) -> float:
        """The score of an equal name elsewhere. A common name is weak evidence, so a known text must be similar too."""
        return 0.58 + 0.4 * self._likeness(entry, symbol) if entry.hash else 0.8

    def _as_renamed(self, entry: Entry, symbol: Symbol) -> float:
        name = fuzz.ratio(entry.name, symbol.name) / 100
        near = entry.file == symbol.file
        if not entry.hash:
            return 0.5 * _signatures(entry, symbol) + 0.5 * name - 0.1 * (not near)
        if self.prints[symbol.id].hash == entry.hash:
            known = self.prints[symbol.id].tokens >= _FEW
            return (0.9 if known else 0.68) + (0.05 if known else 0.2) * name + 0.04 * near
        return 0.62 * self._likeness(entry, symbol) + 0.23 * _signatures(entry, symbol) + 0.15 * name - 0.1 * (not near)

    def _likeness(self, entry: Entry, symbol: Symbol) -> float:
        """The similarity of an entry's text and a symbol's, from 0 to 1."""
        if not entry.hash:
            return 0.0
        if self.prints[symbol.id].hash == entry.hash:
            return 1.0
        if symbol.id not in self._sketches:
            self._sketches[symbol.id] = sketch_of(self._texts.print_of(symbol).tokens)
        return alike(entry.sketch, self._sketches[symbol.id])

    def _grouped(self, key: Callable[[Symbol], str]) -> "defaultdict[str, list[Symbol]]":
        """The unpaired symbols, grouped by a key."""
        groups: defaultdict[str, list[Symbol]] = defaultdict(list)
        for symbol in map(self.symbols.__getitem__, self.free):
            groups[key(symbol)].append(symbol)
        return groups

    def _parent(self, entry: Entry) -> Symbol | None:
        """The symbol paired with the parent of this element."""
        return self._became.get((entry.file, entry.qualified_name.rpartition(".")[0]))

    def _left(self, among: Iterable[int] | None = None) -> list[int]:
        numbers = range(len(self.entries)) if among is None else among
        return [number for number in numbers if number not in self.pairs and number not in self.unclear]

    def _pair(self, number: int, symbol: Symbol, confidence: float) -> None:
        entry = self.entries[number]
        self.pairs[number] = (symbol, confidence)
        self.free.pop(symbol.id, None)
        self._became.setdefault((entry.file, entry.qualified_name), symbol)


def _comparable(entry: Entry, symbol: Symbol) -> bool:
    """Whether one kind may become the other: a function a method, a class an interface; an unknown kind any."""
    return next((symbol.kind in kinds for kinds in _KINDS if entry.type in kinds), True)


def _signatures(entry: Entry, symbol: Symbol) -> float:
    """The similarity of two signatures without the names; neutral if one is missing."""
    if not entry.signature:
        return 0.5
    return fuzz.ratio(entry.signature.replace(entry.name, "", 1), symbol.signature.replace(symbol.name, "", 1)) / 100
