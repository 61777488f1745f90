"""What finding the uses of one element asks of the project, and of each way in which languages are resolved."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from posixpath import dirname
from typing import NamedTuple, Protocol

from bearings.code.models import Symbol
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.resolve.rules.semantics import ResolvedBy


class TooMuch(NeedsIndex):
    """An answer from the files that may hold it takes too long."""


class Likely(NamedTuple):
    """The likeliest users of an element, each with the names that it may have there, and the other files."""

    users: Mapping[str, frozenset[str]]
    others: frozenset[str]


class Sources(Protocol):
    """The sources of all files, of which few are read."""

    def resolved_by(self, path: str) -> ResolvedBy | None:
        """How the uses of a file are resolved; None for no source."""
        ...

    def may_read(self, files: Collection[str]) -> bool:
        """Whether so many files may be read for one element."""
        ...

    def holding(self, word: str) -> Collection[str]:
        """The files that hold a word."""
        ...

    def holding_part(self, word: str) -> Collection[str]:
        """The files that hold a word, also behind or before a `$`."""
        ...

    def containing(self, text: str) -> Collection[str]:
        """The files that hold a text, also inside a word."""
        ...

    def words(self, files: Collection[str] | None = None) -> Collection[str]:
        """All words of ASCII in some files, or in all."""
        ...

    def matching(self, pattern: bytes, files: Collection[str] | None = None) -> Collection[str]:
        """The files, of some or of all, whose text matches a pattern."""
        ...

    def between(self, before: bytes, word: str, after: bytes, files: Collection[str]) -> Collection[str]:
        """Those of some files that hold a word between what two patterns match; the first looks at its line alone."""
        ...

    def start(self, path: str, pattern: bytes) -> bytes:
        """The first group of a pattern that the start of a file matches; empty for none."""
        ...


class Limits:
    """What one question may take; beyond, TooMuch is raised.

    In a question that `takes_part`, the asker of uses catches it, and adds to `left` the files that are not told, or to
    `names_left` the names whose calls are not followed.
    """

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._seconds = self._until = math.inf
        self.takes_part = self.may_be_part = False
        self.left: set[str] = set()
        self.names_left: set[str] = set()

    def begin(self, seconds: float, *, may_be_part: bool) -> None:
        """Begins with another question, which may take so much processor time."""
        self.may_be_part = may_be_part
        self._seconds = seconds
        self._until = time.process_time() + seconds
        self.takes_part = False
        self.left, self.names_left = set(), set()

    def take_part(self, share: float = 1.0) -> None:
        """Begins with the uses: they may take as much time again, or a share, half to find the files that have some."""
        self.takes_part = True
        self._seconds *= share
        self._until = time.process_time() + self._seconds / 2

    def check_time(self, *, resolving: bool = False) -> None:
        """Raises TooMuch if the time is over. `resolving`: a file is about to be resolved."""
        if time.process_time() > self._until + (self._seconds / 2 if self.takes_part and resolving else 0):
            raise TooMuch("too many files")

    @property
    def are_over(self) -> bool:
        """Whether a part of the uses has taken all its time."""
        return self.takes_part and time.process_time() > self._until + self._seconds / 2

    def check(self, files: Collection[str]) -> None:
        """Raises TooMuch if these are too many files for one element, or the time is over."""
        self.check_time(resolving=True)
        if not self._sources.may_read(files):
            raise TooMuch(f"{len(files)} files")


class Way(ABC):
    """Finds uses in the files of the languages that are resolved in one way. Each method may raise NeedsIndex."""

    @abstractmethod
    def holders(self, name: str) -> Collection[str]:
        """The files that may use, or declare, something of this name."""

    @abstractmethod
    def users(self, symbol: Symbol, key: str) -> Mapping[str, frozenset[str]]:
        """The files that may use an element, each with the names by which it may."""

    def likely(self, symbol: Symbol) -> Likely:
        """The users of an element that are likeliest, where `users` takes too long: those in its own folder."""
        holders = frozenset(self.holders(symbol.name))
        near = frozenset(path for path in holders if dirname(path) == dirname(symbol.file))
        return Likely(dict.fromkeys(near, frozenset({symbol.name})), holders - near)

    @abstractmethod
    def uses_of(self, path: str, names: frozenset[str]) -> FileUses:
        """The uses in a file that may mean something of these names, and perhaps others."""

    @abstractmethod
    def uses(self, path: str) -> FileUses:
        """All uses in a file, but requests and mounts."""

    @abstractmethod
    def bases(self, path: str) -> FileUses:
        """The uses that the types of a file make of what they extend and implement."""

    @abstractmethod
    def give_up(self) -> None:
        """Ends the resolution of a file that raised."""
