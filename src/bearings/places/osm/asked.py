"""A query's words: what runs of them name in a map, and what a place leaves of them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from bearings.places.osm import words
from bearings.places.osm.map import Map
from bearings.places.osm.misspelling import alike, respelt
from bearings.places.osm.schema import AREA, CONTEXT, MAIN

Span = tuple[int, int]
"""A run of words: the first, and the one after the last."""

_LONGEST = 10
"""Words of a name."""

_MOST_NAMED = 2_000

FILLERS = frozenset("in im at near bei an am the of de la le du des der dans pres en em nel nella on by to and".split())
"""Words that a query may have between a name and its area."""


class Named(NamedTuple):
    """A place that a key names, with the name's kind and role (schema.sql); `edits` away from the query's words."""

    spelling: int
    place: int
    kind: int
    role: int
    around: int
    edits: int = 0
    key: str = ""


class Asked:
    """The words of one query, asked of one map. `first`: the first part names the place."""

    def __init__(self, osm: Map, parts: Sequence[Sequence[str]], *, first: bool = False) -> None:
        self.map = osm
        self._first = first
        self.words = [word for part in parts for word in part]
        self.part_of = [number for number, part in enumerate(parts) for _ in part]
        self.keys = {span: "".join(self.words[slice(*span)]) for span in self._spans()}
        self._area_keys: set[str] = set()
        directed = {span: words.directed(self.words[slice(*span)]) for span in self.keys}
        self.spelling = self._looked_up((*self.keys.values(), *chain.from_iterable(directed.values())))
        for span, others in directed.items():
            if self.keys[span] not in self.spelling:
                self.keys[span] = next((key for key in others if key in self.spelling), self.keys[span])
        areas = [span for span, key in self.keys.items() if key in self._area_keys]
        self._coverable = {word for span in areas for word in range(*span)}
        self._named: dict[int, list[Named]] = {}
        self._areas: dict[int, dict[int, Named]] = {}
        self._corrected: dict[str, list[Named]] = {}

    def _spans(self) -> Iterator[Span]:
        count = len(self.words)
        for start in range(count):
            for end in range(start + 1, min(count, start + _LONGEST) + 1):
                if self.part_of[start] == self.part_of[end - 1] or (self.is_cut(start) and self.is_cut(end)):
                    yield start, end

    def is_cut(self, number: int) -> bool:
        """Whether a part of the query ends before a word."""
        is_end = number in (0, len(self.words))
        return is_end or self.part_of[number - 1] != self.part_of[number]

    def _looked_up(self, keys: Iterable[str]) -> dict[str, int]:
        wanted = list(dict.fromkeys(keys))
        rows = list(self.map.select_in("SELECT key, id, area FROM spelling WHERE key IN", wanted))
        self._area_keys.update(key for key, _, is_area in rows if is_area)
        return {key: number for key, number, _ in rows}

    def of_spelling(self, spelling: int) -> list[Named]:
        """The places that a spelling names, most important first."""
        if spelling not in self._named:
            rows = self.map.query(
                "SELECT spelling, place, kind, role, around FROM named WHERE spelling = ? LIMIT ?",
                (spelling, _MOST_NAMED),
            )
            self._named[spelling] = [Named(*row) for row in rows]
        return self._named[spelling]

    def of_span(self, span: Span) -> list[Named]:
        """The places that a run of words names as it stands."""
        spelling = self.spelling.get(self.keys[span])
        return [] if spelling is None else self.of_spelling(spelling)

    def areas_of(self, span: Span) -> dict[int, Named]:
        """The areas that a run of words names."""
        spelling = self.spelling.get(self.keys[span])
        if spelling is None or self.keys[span] not in self._area_keys:
            return {}
        if spelling not in self._areas:
            areas = {each.place: each for each in self.of_spelling(spelling) if each.role in (AREA, CONTEXT)}
            self._areas[spelling] = areas
        return self._areas[spelling]

    def left(self, target: Span, around: int, house: Span | None = None) -> tuple[int, ...]:
        """The words that a place, named by `target`, leaves: what the areas around it do not spell."""
        areas = frozenset(self.map.around(around).areas)
        left: list[int] = []
        for start, end in self._runs(target, house):
            left += self._unspelt(start, end, areas)
        return (*left, *(word for word in (target[0] - 1, target[1]) if self._is_east(word, target)))

    def _is_east(self, word: int, target: Span) -> bool:
        """Whether a word beside a name, "e", is its direction rather than the "and" between two names."""
        if not 0 <= word < len(self.words) or self.words[word] != words.EAST:
            return False
        if self.part_of[word] != self.part_of[target[0]]:
            return False
        if word == target[1]:
            return self.is_cut(word + 1)
        return self.is_cut(word) or words.is_number(self.words[word - 1])

    def _runs(self, target: Span, house: Span | None) -> Iterator[Span]:
        """The runs of words beside the target and the house number, cut at commas."""
        # Of "rewe, heidelberg 12" with the target "rewe" and the house "12", the run is "heidelberg".
        taken = set(range(*target)) | (set(range(*house)) if house else set())
        start = None
        for number in range(len(self.words) + 1):
            is_end = number == len(self.words) or number in taken
            is_cut = start is not None and not is_end and self.part_of[number] != self.part_of[number - 1]
            if start is not None and (is_end or is_cut):
                yield start, number
                start = None
            if start is None and not is_end:
                start = number

    def _unspelt(self, start: int, end: int, held: frozenset[int]) -> list[int]:
        """The fewest words of a run that no name of an area in `held` spells."""
        # best[n] are the fewest words that stay unspelt of the first n: each word stays, or a run of words up to it is
        # an area's name: of "9495 triesen" around Triesen nothing stays, of "9495 tresen" one word.
        best: list[list[int]] = [[]]
        for stop in range(start + 1, end + 1):
            word = stop - 1
            options = [[*best[-1], *([] if self.words[word] in FILLERS else [word])]]
            options += (
                best[begin - start]
                for begin in range(start, stop)
                if (begin, stop) in self.keys and not held.isdisjoint(self.areas_of((begin, stop)))
            )
            best.append(min(options, key=len))
        return best[-1]

    def is_first_of_three(self, left: Sequence[str]) -> bool:
        """Whether the words left are the first of three parts or more: an addressee before a street and a town."""
        return self.part_of[-1] >= 2 and list(left) == [
            w for w, part in zip(self.words, self.part_of, strict=True) if not part
        ]

    def targets(self) -> Iterator[Span]:
        """The runs of words that may name the place."""
        for span in self.keys:
            if not self._first or self.part_of[span[0]] == 0:
                yield span

    def targeted(self, *, wholly: bool) -> Iterator[tuple[Span, Named]]:
        """The places that these runs name as they stand; `wholly`: only where areas and numbers may spell the rest."""
        spellable = self._coverable | {
            number for number, word in enumerate(self.words) if word in FILLERS or words.is_number(word)
        }
        for span in self.targets():
            if not wholly or all(word in spellable for word in range(len(self.words)) if not span[0] <= word < span[1]):
                yield from ((span, named) for named in self.of_span(span))

    def unknown_runs(self, *, beside_names: bool = False) -> list[Span]:
        """Runs that may be a name that is not known as it stands: parts, or what areas at the ends leave.

        `beside_names`: also what any known name at an end, and a number beside it, leaves.
        """
        runs: dict[Span, None] = {}
        count = len(self.words)
        starts = {0, *(end for (start, end) in self.keys if start == 0 and self.areas_of((start, end)))}
        ends = {count, *(start for (start, end) in self.keys if end == count and self.areas_of((start, end)))}
        if beside_names:  # "hauptstrasse 12 heidelbrg": the street and its number are known, the rest may be misspelt
            starts |= {self._behind_numbers(end) for (start, end) in self.keys if start == 0 and self._is_known(0, end)}
            ends |= {start for (start, end) in self.keys if end == count and self._is_known(start, count)}
        for number, part in enumerate(self.part_of):
            if number == 0 or self.part_of[number - 1] != part:
                starts |= {number, self._behind_numbers(number)}
            if number == count - 1 or self.part_of[number + 1] != part:
                ends.add(number + 1)
        for start in sorted(starts):
            for end in sorted(ends, reverse=True):
                if (start, end) not in self.keys or words.is_directed(self.words[start:end]):
                    continue
                if not self._first or self.part_of[start] == 0:
                    runs[start, end] = None
                    numbers = end
                    while numbers - 1 > start and words.is_number(self.words[numbers - 1]):
                        numbers -= 1
                    if (start, numbers) in self.keys:
                        runs[start, numbers] = None
        return list(runs)

    def _is_known(self, start: int, end: int) -> bool:
        return self.keys[start, end] in self.spelling

    def _behind_numbers(self, at: int) -> int:
        """The first word from `at` on that is no number: behind "12" of "hauptstrasse 12 heidelbrg"."""
        while at < len(self.words) - 1 and words.is_number(self.words[at]):
            at += 1
        return at

    def alike(self, span: Span) -> list[Named]:
        """The places of names a few edits away, nearest first; a street that addresses alone name has place 0."""
        key = self.keys[span]
        if key not in self._corrected:
            # "hauptstrsse": a word that keys abbreviate is put right first, for keys have "str" in its place.
            put_right = self._looked_up(respelt(self.words[slice(*span)]))
            near = [(spelling, right, 1) for right, spelling in put_right.items()] or alike(self.map, key)
            self._corrected[key] = [
                named._replace(edits=edits, key=right)
                for spelling, right, edits in near
                for named in self.of_spelling(spelling) or [Named(spelling, 0, MAIN, CONTEXT, 0)]
            ]
        return self._corrected[key]

    def spoken(self, left: Sequence[int]) -> tuple[str, ...]:
        """Words that are left, neighbours together."""
        runs: list[list[int]] = []
        for number in left:
            if runs and runs[-1][-1] == number - 1 and self.part_of[number] == self.part_of[number - 1]:
                runs[-1].append(number)
            else:
                runs.append([number])
        spoken = ["e" if word == words.EAST else word for word in self.words]
        return tuple(" ".join(spoken[each] for each in run) for run in runs)


def overlap(one: Span, other: Span) -> bool:
    """Whether two runs share a word."""
    return one[0] < other[1] and other[0] < one[1]
