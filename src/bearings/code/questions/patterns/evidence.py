"""A detector's view of a project: its files without tests, their calls, and the element at a line."""

from collections.abc import Callable, Iterator, Sequence, Set
from functools import cached_property
from re import Pattern
from typing import NamedTuple

from bearings.code.expressions import written
from bearings.code.file_facts import CallSite, FileFacts, MarkKind
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS
from bearings.code.languages.line_conventions import Idioms
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import WRITTEN_CALLS


class Place(NamedTuple):
    """One place of a pattern: its name, file, line and description."""

    name: str
    file: str
    line: int
    element: str
    what: str


class File:
    """A file, and what several detectors look at in it."""

    def __init__(self, snapshot: Snapshot, facts: FileFacts) -> None:
        self.snapshot = snapshot
        self.facts = facts
        self.path = facts.path

    @cached_property
    def idioms(self) -> Idioms:
        """The names and idioms that detectors look for, in the file's language."""
        return SPECS[self.facts.language].idioms()

    @cached_property
    def calls(self) -> Sequence[tuple[str, CallSite]]:
        """The calls and constructions of the file: what is called, as written, and the site."""
        return [(written(site.callee), site) for site in self.facts.sites if site.kind in WRITTEN_CALLS]

    @cached_property
    def callees(self) -> frozenset[str]:
        """All that the file calls, as written."""
        return frozenset([callee for callee, _ in self.calls])

    def matching(self, *patterns: Pattern[str] | None) -> set[str]:
        """The callees in which any of these patterns is found; None is found in none."""
        searches = [pattern.search for pattern in patterns if pattern is not None]
        return {callee for callee in self.callees for search in searches if search(callee)}

    def calls_of(self, callees: Set[str]) -> Iterator[tuple[str, CallSite]]:
        """The calls of some callees."""
        wanted = callees & self.callees
        return ((callee, site) for callee, site in self.calls if callee in wanted) if wanted else iter(())

    def decorated(self, is_wanted: Callable[[str], object]) -> Iterator[tuple[str, int, str]]:
        """The decorators that are wanted, as written: the text, the line, the decorated element."""
        for mark in self.facts.marks:
            if mark.kind is MarkKind.DECORATOR and is_wanted(mark.text):
                after = [symbol for symbol in self.facts.symbols[1:] if symbol.line >= mark.line]
                below = min(after, key=lambda symbol: symbol.line).id if after else self.path
                yield mark.text, mark.line, below


def files(snapshot: Snapshot) -> Iterator[File]:
    """Every file outside tests, by path."""
    return (File(snapshot, facts) for path, facts in snapshot.facts.items() if not is_test(path))


def at(facts: FileFacts, line: int) -> str:
    """The innermost element around a line."""
    around = [symbol for symbol in facts.symbols if symbol.line <= line <= symbol.end_line]
    return min(around, key=lambda symbol: symbol.end_line - symbol.line).id if around else facts.path


def owner(facts: FileFacts, site: CallSite) -> str:
    """The element around a call site."""
    return facts.symbols[facts.scopes[site.scope].symbol].id
