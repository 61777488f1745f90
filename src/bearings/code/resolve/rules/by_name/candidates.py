"""The elements of one name, that a use may mean, found by their properties."""

import re
from collections.abc import Callable, Iterable, KeysView, Sequence
from dataclasses import dataclass
from posixpath import dirname

from bearings.code.grouping import grouped
from bearings.code.models import EdgeKind, SymbolKind
from bearings.code.resolve.referents import CLASSES, HOLDERS
from bearings.code.resolve.rules.by_name.names import KINDS, LOCAL

_MOST_GROUPS = 20_000
"""Names whose elements are held: some forty megabytes."""
_WORDS = re.compile(r"[^\W\d_][^\WA-Z\d_]*")
_SHORTEST_END = 3
"""Letters of a receiver that tell anything about the name of its type."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that a name may mean: its key, file, container's qualified name, its place among all.

    `bases` are the names of its bases.
    """

    key: str
    file: str
    owner: str
    letter: str
    place: int
    bases: Sequence[str]

    @property
    def kind(self) -> SymbolKind:
        """What it is."""
        return KINDS[self.letter[0]]

    @property
    def owner_name(self) -> str:
        """The name of its container."""
        return self.owner.rpartition(".")[2]

    @property
    def place_key(self) -> tuple[str, str]:
        """Its file and container, which its overloads share."""
        return self.file, self.owner

    def is_part_of(self, around: str) -> bool:
        """Whether it is the element with a key, or an overload of it."""
        return bool(around) and f"{self.key}\0".startswith(f"{around}\0")


class Group:
    """Elements of one name, found by their file, folder, container, its last part, or the words of their module."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self.all = list(candidates)
        self._tables: dict[Property, dict[str, Group]] = {}

    def by(self, property_: "Property", value: str) -> "Group":
        """The elements for which `property_` yields the value."""
        return self._table(property_).get(value, NO_ELEMENTS)

    def values(self, property_: "Property") -> KeysView[str]:
        """The values that `property_` yields for the elements."""
        return self._table(property_).keys()

    def _table(self, property_: "Property") -> "dict[str, Group]":
        """The elements by the values of a property; made once."""
        table = self._tables.get(property_)
        if table is None:
            rows = grouped((key, candidate) for candidate in self.all for key in property_(candidate))
            table = self._tables[property_] = {key: Group(candidates) for key, candidates in rows.items()}
        return table

    def has(self, excluded: str) -> bool:
        """Whether there is an element other than the one with the key `excluded` and its overloads."""
        return any(not candidate.is_part_of(excluded) for candidate in self.all)


Property = Callable[[Candidate], Iterable[str]]
NO_ELEMENTS = Group(())


def file_of(candidate: Candidate) -> Iterable[str]:
    """Its file."""
    return (candidate.file,)


def folder_of(candidate: Candidate) -> Iterable[str]:
    """The folder of its file."""
    return (dirname(candidate.file),)


def owner_of(candidate: Candidate) -> Iterable[str]:
    """The qualified name of its container."""
    return (candidate.owner,)


def owner_name_of(candidate: Candidate) -> Iterable[str]:
    """The name of its container."""
    return (candidate.owner_name,)


def lower_owner_of(candidate: Candidate) -> Iterable[str]:
    """The name of its container, in lower case."""
    return (candidate.owner_name.lower(),)


def owner_ends_of(candidate: Candidate) -> Iterable[str]:
    """The ends of the name of its container."""
    return ends(candidate.owner_name)


def ends(name: str) -> list[str]:
    """The ends of a name that begin with a word of it, in lower case, the longest first: jsonReader, reader."""
    words = _WORDS.findall(name)
    ends = ("".join(words[start:]).lower() for start in range(len(words)))
    return [end for end in ends if len(end) >= _SHORTEST_END]


def module_words_of(candidate: Candidate) -> Iterable[str]:
    """The words by which an element that stands alone in its file is qualified."""
    return () if candidate.owner else set(candidate.file.rpartition(".")[0].split("/")[-2:])


def owned_or_free(candidate: Candidate) -> Iterable[str]:
    """Whether it is in a container."""
    return ("owned" if candidate.owner else "free",)


def shared(candidate: Candidate) -> Iterable[str]:
    """That it is in no container, and other files see it."""
    return ("free",) if not candidate.owner and not candidate.letter.endswith(LOCAL) else ()


def use_kinds_of(candidate: Candidate) -> Iterable[str]:
    """The uses that may mean it: a call means no value, a type means a class."""
    is_value, is_class = candidate.kind in HOLDERS, candidate.kind in CLASSES
    yield from (EdgeKind.CALL,) if not is_value else ()
    yield from (EdgeKind.REFERENCE,) if is_value or is_class else ()
    yield from ("class",) if is_class else ()


class Groups:
    """The elements of each name, by its cell.

    `named` gives the rows of a cell, and `is_known` tells whether it has a type or a value: see NameTable.
    """

    def __init__(
        self, named: Callable[[str], list[tuple[str, str, list[str]]]], is_known: Callable[[str], bool]
    ) -> None:
        self._named = named
        self._is_known = is_known
        self._groups: dict[str, Group] = {}
        self._known: dict[str, bool] = {}

    def shed(self) -> None:
        """Drops all elements if they are many."""
        if len(self._groups) > _MOST_GROUPS:
            self._groups.clear()
            self._known.clear()

    def names_type_or_value(self, cell: str) -> bool:
        """Whether a name is one of a type or of a variable."""
        if cell not in self._known:
            self._known[cell] = self._is_known(cell)
        return self._known[cell]

    def named(self, cell: str) -> Group:
        """The elements of a name."""
        group = self._groups.get(cell)
        if group is None:
            candidates = []
            for index, (key, letter, bases) in enumerate(self._named(cell)):
                file, name, *_ = key.split("\0")
                candidates.append(Candidate(key, file, name.rpartition(".")[0], letter, index, bases))
            group = self._groups[cell] = Group(candidates)
        return group
