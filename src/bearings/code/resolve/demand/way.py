"""What finding the uses of one element asks of the project, and of each way in which languages are resolved."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import Protocol

from bearings.code.models import Symbol
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.resolve.rules.semantics import ResolvedBy


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
    """What one question may take; beyond, NeedsIndex is raised."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._until = math.inf

    def begin(self, seconds: float) -> None:
        """Begins with another question, which may take so much processor time."""
        self._until = time.process_time() + seconds

    def check_time(self) -> None:
        """Raises NeedsIndex if the time is over."""
        if time.process_time() > self._until:
            raise NeedsIndex("too many files")

    def check(self, files: Collection[str]) -> None:
        """Raises NeedsIndex if these are too many files for one element."""
        if not self._sources.may_read(files):
            raise NeedsIndex(f"{len(files)} files")


class Way(ABC):
    """Finds uses in the files of the languages that are resolved in one way. Each method may raise NeedsIndex."""

    @abstractmethod
    def holders(self, name: str) -> Collection[str]:
        """The files that may use, or declare, something of this name."""

    @abstractmethod
    def users(self, symbol: Symbol, key: str) -> Mapping[str, frozenset[str]]:
        """The files that may use an element, each with the names by which it may."""

    @abstractmethod
    def uses_of(self, path: str, names: frozenset[str]) -> FileUses:
        """The uses in a file that may mean something of these names, and perhaps others."""

    @abstractmethod
    def uses(self, path: str) -> FileUses:
        """All uses in a file, but requests and mounts."""

    @abstractmethod
    def bases(self, path: str) -> FileUses:
        """The uses that the types of a file make of what they extend and implement."""

    def give_up(self) -> None:  # noqa: B027 - most hold nothing
        """Ends the resolution of a file that raised."""
