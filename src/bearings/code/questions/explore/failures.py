"""The project's part of a trace: the files and elements of its places, and the lines that hold its message."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.source_lines import Lines
from bearings.code.project.words import Search, Word
from bearings.code.questions.explore.about import Chosen
from bearings.code.questions.explore.answer import Spot
from bearings.code.questions.explore.terms import pieces_of
from bearings.code.questions.explore.traces import Place, Trace
from bearings.code.questions.explore.within import innermost
from bearings.code.search.printed_paths import Files
from bearings.untrusted import named

_MOST_FILES = 3
"""The most files that one place may mean."""

_MOST_RAISED = 5
"""The most lines that hold a piece; a more frequent piece is no evidence."""


class Located(NamedTuple):
    """The places inside the project, in the trace's order, each with the element around it, and all others.

    `libraries` counts the places in each library; `notes` names lines that the files do not have.
    """

    places: list[tuple[Spot, Symbol | None]]
    libraries: Counter[str]
    notes: list[str]


def located(snapshot: Snapshot, trace: Trace, lines: Lines) -> Located:
    """The places of a trace in the project, and the libraries of others. Raises Changed."""
    files = Files(snapshot.project.paths, snapshot.root.name)
    found = Located([], Counter(), [])
    for place in trace.places:
        paths, library = files.meant(place.path)
        found.libraries.update([library] if library else ())
        for path in paths[:_MOST_FILES]:
            spot, symbol = _at(snapshot, path, place, lines)
            if place.line > len(lines.of(path)):
                instead = f"{named(spot.inside)} is shown by its name" if spot.inside else "the file is shown"
                found.notes.append(f"{named(path)} has no line {place.line}: {instead}.")
            found.places.append((spot, symbol))
    return found


def tests_of(snapshot: Snapshot, trace: Trace) -> list[Symbol]:
    """The tests that a runner prints without their files."""
    return [symbol for name in trace.tests for symbol in snapshot.graph.find(name) if is_test(symbol.file)]


def raised(snapshot: Snapshot, trace: Trace, lines: Lines) -> list[Chosen]:
    """The project's classes of the errors, and the elements whose lines hold a piece of the last one's message."""
    errors = [Chosen(symbol, "the error") for error in trace.errors for symbol in snapshot.graph.find(error.name)]
    message = trace.errors[0].message if trace.errors else ""
    wanted = [Word(piece) for piece in pieces_of(message)]
    return errors + (list(_holding(snapshot, wanted, lines)) if wanted else [])


def _holding(snapshot: Snapshot, wanted: list[Word], lines: Lines) -> Iterator[Chosen]:
    """The elements whose lines hold rare pieces of the message."""
    held: dict[str, list[tuple[str, int]]] = {}
    for file in Search(snapshot.tree, snapshot.facts, wanted).files():
        for hit in file.hits:
            held.setdefault(hit.word, []).append((file.path, hit.line))
    for word, places in held.items():
        for path, line in places if len(places) <= _MOST_RAISED else ():
            symbol = innermost(snapshot, path, line)
            if symbol is not None and lines.at(path, line):
                yield Chosen(symbol, f"line {line} holds “{word}”", line)


def _at(snapshot: Snapshot, path: str, place: Place, lines: Lines) -> tuple[Spot, Symbol | None]:
    """The place in a file: its line, else the element of its name, else the file's start."""
    symbols = snapshot.graph.outline(path) if place.name and path in snapshot.facts else ()
    element = next((symbol for symbol in symbols if place.name in (symbol.qualified_name, symbol.name)), None)
    is_line = 0 < place.line <= len(lines.of(path))
    line = place.line if is_line else element.line if element else 1
    symbol = element if element and not is_line else innermost(snapshot, path, line)
    inside = symbol.qualified_name if symbol is not None and symbol.kind is not SymbolKind.MODULE else ""
    return Spot(file=path, line=line, inside=inside, text=lines.at(path, line)), symbol
