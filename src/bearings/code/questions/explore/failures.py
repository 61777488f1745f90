"""The project's part of a trace: the files and elements of its places, and the lines that hold its message."""

import re
from collections.abc import Iterator, Mapping

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.source_lines import Lines
from bearings.code.project.words import Search, Word
from bearings.code.questions.explore.about import Chosen
from bearings.code.questions.explore.answer import Spot
from bearings.code.questions.explore.traces import Place, Trace, path_in
from bearings.code.questions.explore.within import innermost

_MOST_FILES = 3
"""The most files that one place may mean."""

_PIECE = re.compile(r"[^'\"`«»\d{}<>%$:;|\[\]()\\/=,]{8,}")
"""A piece of a message that is likely to be literal in the source, without inserted values."""

_MOST_PIECES = 3
_MOST_RAISED = 5
"""The most lines that hold a piece; a more frequent piece is no evidence."""


def places_of(snapshot: Snapshot, trace: Trace, lines: Lines) -> list[tuple[Spot, Symbol | None]]:
    """The places inside the project, in the trace's order, each with the element around it. Raises Changed."""
    tails = _tails(snapshot)
    return [
        placed
        for place in trace.places
        for path in path_in(place.path, snapshot.project.paths, tails)[:_MOST_FILES]
        if (placed := _at(snapshot, path, place, lines)) is not None
    ]


def tests_of(snapshot: Snapshot, trace: Trace) -> list[Symbol]:
    """The tests that a runner prints without their files."""
    return [symbol for name in trace.tests for symbol in snapshot.graph.find(name) if is_test(symbol.file)]


def raised(snapshot: Snapshot, trace: Trace, lines: Lines) -> list[Chosen]:
    """The project's class of the error, and the elements whose lines hold a piece of its message."""
    name = trace.error.rpartition(".")[2].rpartition(":")[2]
    errors = [Chosen(symbol, "the error") for symbol in (snapshot.graph.find(name) if name else [])]
    pieces = sorted({piece.strip() for piece in _PIECE.findall(trace.message)}, key=lambda piece: -len(piece))
    wanted = [Word(piece) for piece in pieces[:_MOST_PIECES] if " " in piece]
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


def _at(snapshot: Snapshot, path: str, place: Place, lines: Lines) -> tuple[Spot, Symbol | None] | None:
    """The place in a file; None if the file has no such line."""
    named = snapshot.graph.find(f"{path}#{place.name}") if place.name and path in snapshot.facts else []
    line = place.line or (named[0].line if named else 1)
    if line > len(lines.of(path)):
        return None
    symbol = named[0] if named and not place.line else innermost(snapshot, path, line)
    inside = symbol.qualified_name if symbol is not None and symbol.kind is not SymbolKind.MODULE else ""
    return Spot(file=path, line=line, inside=inside, text=lines.at(path, line)), symbol


def _tails(snapshot: Snapshot) -> Mapping[str, list[str]]:
    """The project's paths by file name."""
    tails: dict[str, list[str]] = {}
    for path in sorted(snapshot.project.paths):
        tails.setdefault(path.rpartition("/")[2], []).append(path)
    return tails
