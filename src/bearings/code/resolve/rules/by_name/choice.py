"""Chooses the elements that a use of a file means by its name: see table.py for the rules."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from heapq import nsmallest
from itertools import takewhile
from posixpath import dirname

from bearings.code.file_facts import FileFacts
from bearings.code.grouping import grouped
from bearings.code.languages import spec_of
from bearings.code.models import EdgeKind
from bearings.code.resolve.referents import CALLABLE, CLASSES
from bearings.code.resolve.rules.by_name.candidates import (
    NO_ELEMENTS,
    Candidate,
    Group,
    Groups,
    ends,
    file_of,
    folder_of,
    lower_owner_of,
    module_words_of,
    owned_or_free,
    owner_ends_of,
    owner_name_of,
    owner_of,
    shared,
    use_kinds_of,
)
from bearings.code.resolve.rules.by_name.names import base_names, called_name, name_cell
from bearings.code.symbol_keys import MARK

_MOST = 5
_MOST_OVERLOADS = 20
"""Elements of one name, overloads included, to which a use of the name may lead: those in the nearest places."""
_MOST_RANKED = 200
"""Elements of which the nearest are looked for."""
_MOST_UNNAMED = 2
"""Types to which a use may lead of those that its file does not name, in a language that names the types it uses."""
SELVES = frozenset({"self", "this", "Self", "static"})
_LIBRARIES = frozenset({"std"})
_BASES = frozenset({"super", "base", "parent"})
_IN_TESTS = re.compile(r"(?:^|/)(?:tests?|specs?)/")


class Choice:
    """The choice for one file. `imported` are the files that it imports, `consulted` the cells that were asked."""

    def __init__(self, groups: Groups, facts: FileFacts) -> None:
        self.imported: set[str] = set()
        self.consulted: set[str] = set()
        self._groups = groups
        self._path = facts.path
        self._folder = dirname(facts.path)
        self._meant: dict[tuple[str, str, str, str], tuple[list[Candidate], str]] = {}
        self._named: dict[Group, list[Candidate]] = {}
        self._facts = facts
        spec = spec_of(facts.path)
        self._names_types = spec is not None and spec.names_types
        self.names_are_global = spec is not None and spec.global_functions

    @cached_property
    def _types(self) -> set[str]:
        """The names of types that the file uses, imports and declares, receivers of calls included."""
        facts = self._facts
        uses = [(site.kind, name) for site in facts.sites if (name := called_name(facts.sites, site))]
        types = {name.rpartition(".")[2] for kind, name in uses if kind != EdgeKind.CALL}
        types.update(name.rpartition(".")[0].rpartition(".")[2] for kind, name in uses if kind == EdgeKind.CALL)
        types.update(entry.local for entry in facts.imports)
        types.update(symbol.name for symbol in facts.symbols if symbol.kind in CLASSES)
        return types

    @cached_property
    def _functions(self) -> set[str]:
        return {symbol.qualified_name for symbol in self._facts.symbols if symbol.kind in CALLABLE}

    @cached_property
    def _own_bases(self) -> dict[str, list[str]]:
        """The names of the bases of the file's classes."""
        bases: dict[str, list[str]] = {}
        for symbol, shape in zip(self._facts.symbols, self._facts.shapes, strict=True):
            if symbol.kind in CLASSES:
                bases.setdefault(symbol.qualified_name, []).extend(base_names(shape))
        return bases

    def meaning(self, callee: str, kind: str, container: str, excluded: str) -> tuple[list[Candidate], str]:
        """The elements to which a use leads, and why it may lead to others; empty if it does not.

        `container` is the qualified name around the use, `excluded` the key of an element that it can't mean.
        """
        key = callee, kind, container, excluded
        meant = self._meant.get(key)
        if meant is None:
            meant = self._meant[key] = self._meaning(*key)
        return meant

    def providers(self, rows: Sequence[tuple[str, str, str]], name: str, *, is_near: bool) -> tuple[list[str], bool]:
        """The keys of what provides a type, if `is_near` of those in its folder, and whether no other has its name.

        `rows` are those of the type's cell: see NameTable.
        """
        if not _IN_TESTS.search(self._path):  # what tests provide is for tests
            rows = [row for row in rows if not _IN_TESTS.search(row[0].partition(MARK)[0])]
        named = [row for row in rows if f".{row[1]}".endswith(f".{name}")] if "." in name else rows
        beside = [row for row in named if is_near and dirname(row[0].partition(MARK)[0]) == self._folder]
        found: dict[str, None] = {}
        for key, _, made in (beside or named)[:_MOST_OVERLOADS]:
            found.update(dict.fromkeys([one.key for one in self._nearest(self._classes(made))] if made else [key]))
        alike = [one for one in self._classes(name).all if f".{one.key.split(MARK)[1]}".endswith(f".{name}")]
        namesakes = {one.file for one in alike if not beside or dirname(one.file) == self._folder}
        return list(found), len(namesakes) <= 1

    def _meaning(self, callee: str, kind: str, container: str, excluded: str) -> tuple[list[Candidate], str]:
        group = self._elements_named(callee.rpartition(".")[2]).by(use_kinds_of, kind)
        candidates = self._candidates(group, callee, kind, container, excluded) if group.all else None
        if candidates is None:
            return [], "external"
        chosen = self._first(candidates)
        return chosen, "ambiguous" if len(chosen) < max(1, len(candidates)) else ""

    def _first(self, candidates: list[Candidate]) -> list[Candidate]:
        """The elements in the nearest places."""
        if len(candidates) <= _MOST or len(candidates) > _MOST_RANKED:
            return candidates if len(candidates) <= _MOST else []
        places, here = grouped((one.place_key, one) for one in candidates), self._folder.split("/")

        def distance(place: tuple[str, str]) -> tuple[int, int]:
            there = dirname(place[0]).split("/")
            common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(here, there, strict=False)))
            return -common, len(there)

        return [one for place in nsmallest(_MOST, places, key=distance) for one in places[place]][:_MOST_OVERLOADS]

    def _elements_named(self, name: str) -> Group:
        return self._groups.named(self.cell(name))

    def cell(self, name: str) -> str:
        """The cell of a name, which the file's uses depend on."""
        cell = name_cell(self._path, name)
        self.consulted.add(cell)
        return cell

    def _candidates(
        self, group: Group, callee: str, kind: str, container: str, excluded: str
    ) -> list[Candidate] | None:
        """The elements of a name that a use of a kind may mean in `container`, without the one with key `excluded`.

        None if it means something outside the project.
        """
        receiver, dot, _ = callee.rpartition(".")
        if receiver in _BASES and container:
            members = self._inherited(group, container)[0]
            if members.all or not self._classes(container).all:
                return self._nearest(members if members.all else group, left_out=container)
            return self._nearest(group.by(owned_or_free, "free")) or None
        if dot and receiver not in SELVES:
            return self._of_receiver(group, receiver, excluded)
        if kind == EdgeKind.CALL and self.names_are_global and not dot:
            return self._global(group) or None
        if kind == EdgeKind.CALL:
            return self._nearest(self._of_own_type(group, container, is_bare=not dot)) or None
        members = group.by(owner_of, container) if container else group
        return self._nearest(members if members.has(excluded) else group, excluded)

    def _global(self, group: Group) -> list[Candidate]:
        """The functions of the program that a name means, or those that only its file sees, with what it includes."""
        for files in ((self._path,), sorted(group.values(file_of) & self.imported)):
            if seen := [one for file in files for one in group.by(file_of, file).all if not one.owner]:
                return seen
        return self._nearest(group.by(shared, "free"))

    def _of_own_type(self, group: Group, container: str, *, is_bare: bool) -> Group:
        """The members of the type around a call, or of its bases; else functions, or what any type has."""
        owner = container
        while owner:
            members = group.by(owner_of, owner)
            members = members if members.all or owner in self._functions else self._inherited(group, owner)[0]
            if members.all:
                return members
            owner = owner.rpartition(".")[0] if is_bare else ""
        free = group.by(owned_or_free, "free") if is_bare else NO_ELEMENTS
        return free if free.all else group

    def _inherited(self, group: Group, owner: str) -> tuple[Group, bool]:
        """The elements in the nearest bases of a type that have any, and whether the project has all bases before."""
        name = owner.rpartition(".")[2]
        seen, level, has_all = {name}, [name], True
        while level:
            own = self._own_bases.get(owner) if len(seen) == 1 else None
            bases = own or [base for name in level for one in self._classes(name).all for base in one.bases]
            level = [base for base in dict.fromkeys(bases) if base not in seen]
            seen.update(level)
            if found := [one for base in level for one in group.by(owner_name_of, base).all]:
                return Group(found), has_all
            has_all = has_all and all(self._classes(base).all for base in level)
        return NO_ELEMENTS, has_all

    def _classes(self, name: str) -> Group:
        return self._elements_named(name.rpartition(".")[2]).by(use_kinds_of, "class")

    def _of_receiver(self, group: Group, receiver: str, excluded: str) -> list[Candidate] | None:
        """The elements that a receiver may have: as a type's name, or as a value that may be called like its type."""
        root, qualifier = receiver.partition(".")[0], receiver.rpartition(".")[2]
        if (members := group.by(owner_name_of, qualifier)).has(excluded):
            return self._nearest(members, excluded)
        if root in _LIBRARIES or any(map(self._is_outside, {root, qualifier} - SELVES)):
            return None
        if qualifier[:1].isupper() and self._classes(qualifier).all:
            members, has_all_bases = self._inherited(group, qualifier)
            if members.all or not has_all_bases:
                return self._nearest(members, excluded) or None
        words = ends(qualifier)
        tried = [*((lower_owner_of, end) for end in words), *((owner_ends_of, end) for end in words[:1])]
        for property_, end in tried:
            if (members := group.by(property_, end)).has(excluded):
                return self._named_here(members, excluded)
        if (members := group.by(module_words_of, qualifier)).has(excluded):
            return self._nearest(members, excluded)
        return self._named_here(group.by(owned_or_free, "owned"), excluded)

    def _is_outside(self, name: str) -> bool:
        """Whether a receiver is a type that the project does not have."""
        return name[:1].isupper() and not self._groups.names_type_or_value(self.cell(name))

    def _named_here(self, group: Group, excluded: str) -> list[Candidate]:
        """The elements in types that this file names; else the nearest, if there are few: a library may be meant."""
        if group not in self._named:
            names = group.values(owner_name_of) & self._types
            self._named[group] = [one for name in sorted(names) for one in group.by(owner_name_of, name).all]
        named = self._named[group]
        if len(named) <= 2 * _MOST_RANKED:  # else there are too many anyway
            named = [one for one in named if not one.is_part_of(excluded)]
        if named:
            return named
        nearest = self._nearest(group, excluded)
        is_few = len(nearest) <= _MOST_OVERLOADS and len({one.place_key for one in nearest}) <= _MOST_UNNAMED
        return nearest if is_few or not self._names_types else []

    def _nearest(self, group: Group, excluded: str = "", left_out: str | None = None) -> list[Candidate]:
        """The elements of the same file; else of the same folder or of imported files; else all.

        Those of the container `left_out` are left out; where there are too many, some of them may stay.
        """

        def remaining(nearby: Iterable[Candidate]) -> list[Candidate]:
            return [one for one in nearby if one.owner != left_out and not one.is_part_of(excluded)]

        if in_file := remaining(group.by(file_of, self._path).all):
            return in_file
        near = {candidate.place: candidate for candidate in group.by(folder_of, self._folder).all}
        for file in group.values(file_of) & self.imported:  # iterates over the shorter of the two
            near.update((candidate.place, candidate) for candidate in group.by(file_of, file).all)
        if nearby := remaining(near[place] for place in sorted(near)):
            return nearby
        hidden = len(group.by(owner_of, left_out).all) if left_out is not None else 0
        return group.all if len(group.all) - hidden > _MOST_OVERLOADS + 1 else remaining(group.all)
