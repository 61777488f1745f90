"""Tells uses of one name on a line apart: `self.total + cart.total` has the edge of the first, whatever `cart` is."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence

from bearings.code.languages.shared.occurrences import Part
from bearings.code.models import EdgeKind
from bearings.code.refactoring.edits import Edit, by_path, edited
from bearings.code.refactoring.place import FilePlaces, Kind
from bearings.code.search.view import WholeGraph

_MOST = 4
"""The uses on a line that are told apart, each by resolving the files without the others."""
_OBJECT = re.compile(rb"[\w$.#>?()\[\]-]*\Z")
_NEAR = 100
"""The bytes before a member that are looked at for its object."""

_Group = tuple[FilePlaces, list[tuple[int, int]]]
"""A file, and uses of the name on one of its lines, by their places in its list, with the first bytes of objects."""


def tell_apart(view: WholeGraph, files: Sequence[FilePlaces], family: Collection[str]) -> None:
    """Let a use of a member be unsure beside one of another object, if the line has no edge for it alone.

    Raises Lost, NeedsIndex.
    """
    groups = [group for file in files for group in _groups(file)]
    before = _edges(view, groups, family, -1) if groups else set()
    for turn in range(max((len(uses) for _, uses in groups), default=0)):
        own = {key[:2] for key in _edges(view, groups, family, turn) - before} if turn < _MOST else set()
        for file, at in ((file, uses[turn][0]) for file, uses in groups if turn < len(uses)):
            place = file.places[at]
            if own.isdisjoint((file.path, line) for line in (place.line, place.call_line)):
                file.places[at] = place._replace(kind=Kind.UNSURE, why="more than one use on the line")


def _groups(file: FilePlaces) -> list[_Group]:
    """The uses of members on each line that has such of several objects."""
    uses, objects = defaultdict[int, list[tuple[int, int]]](list), defaultdict[int, set[bytes]](set)
    for at, place in enumerate(file.places):
        if place.part is Part.MEMBER and place.kind in (Kind.USE, Kind.DEFINITION):
            end = place.start + file.shift
            start = max(0, end - _NEAR)
            match = _OBJECT.search(file.data[start:end])
            start += match.start() if match is not None else 0
            objects[place.line].add(file.data[start:end])
            uses[place.line] += [(at, start)] if place.kind is Kind.USE else []
    return [(file, found) for line, found in uses.items() if found and len(objects[line]) > 1]


def _edges(
    view: WholeGraph, groups: Sequence[_Group], family: Collection[str], turn: int
) -> set[tuple[str, int, EdgeKind]]:
    """The edges to the elements if the uses of each group had another name, but that one and those in its object."""
    edits = defaultdict[str, list[Edit]](list)
    for file, uses in groups:
        last, start = uses[turn] if 0 <= turn < len(uses) else (-1, len(file.data))
        for at in (at for at, _ in uses if at != last):
            end = file.places[at].end + file.shift
            edits[file.path] += [Edit(end, end, b"_apart")] if at > last or end < start else []
    data = {file.path: file.data for file, _ in groups}
    after, _ = view.with_sources(by_path(edited(path, data[path], some) for path, some in edits.items()))
    after.graph.expect(family)
    edges = (edge for id_ in family for edge in after.graph.edges_to(id_))
    return {(edge.file, edge.line, edge.kind) for edge in edges if not edge.is_guess}
