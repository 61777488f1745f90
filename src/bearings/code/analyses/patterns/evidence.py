"""A detector's view of a project: its files without tests, and the element at a line."""

from collections.abc import Iterator
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS
from bearings.code.languages.line_conventions import Idioms
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import CallSite, EdgeKind, FileFacts, Symbol


class Found(NamedTuple):
    """One place of a pattern: its name, file, line and description."""

    name: str
    file: str
    line: int
    element: str
    what: str


def files(snapshot: Snapshot) -> Iterator[tuple[str, FileFacts]]:
    """Every file outside tests, by path."""
    return ((path, facts) for path, facts in snapshot.facts.items() if not is_test(path))


def idioms(facts: FileFacts) -> Idioms:
    """The names and idioms that detectors look for, in the file's language."""
    return SPECS[facts.language].idioms()


def at(facts: FileFacts, line: int) -> str:
    """The innermost element around a line."""
    around = [symbol for symbol in facts.symbols if symbol.line <= line <= symbol.end_line]
    return min(around, key=lambda symbol: symbol.end_line - symbol.line).id if around else facts.path


def below(facts: FileFacts, line: int) -> Symbol | None:
    """The first element that begins at or after a line: the target of a decorator there."""
    after = [symbol for symbol in facts.symbols[1:] if symbol.line >= line]
    return min(after, key=lambda symbol: symbol.line) if after else None


def calls(facts: FileFacts) -> Iterator[CallSite]:
    """The calls and constructions of a file."""
    return (site for site in facts.sites if site.kind in (EdgeKind.CALL, EdgeKind.NEW))


def owner(facts: FileFacts, site: CallSite) -> str:
    """The element around a call site."""
    return facts.symbols[facts.scopes[site.scope].symbol].id
