"""Checks edits before they are written: the graph of the edited project must be that of the project as it is."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Edge
from bearings.code.refactoring.edits import Change, by_path
from bearings.code.search.view import WholeGraph

Place = tuple[str, int]
EdgeKey = tuple[str, str, str, str, int]


def differing_edges(
    view: WholeGraph, changes: Iterable[Change], own: Collection[str], lines: Collection[Place]
) -> tuple[list[Edge], list[str]]:
    """Return the edges that differ after the edits, and the files that would be read differently.

    The edits must keep the number of lines. Guesses are not compared. On the `lines` whose scopes were followed,
    edges to the `own` elements may differ, too: there the resolver takes another declaration for the one that is meant.
    """
    before = view.snapshot
    changes = [change for change in changes if change.path in before.facts]
    after, touched = view.index.with_sources(by_path(changes))
    ids: dict[str, str] = {}
    misread = []
    for change in changes:
        old, new = before.graph.outline(change.path), after.graph.outline(change.path)
        is_same = [(one.line, one.end_line) for one in old] == [(one.line, one.end_line) for one in new]
        if not is_same or before.facts[change.path].errors != after.facts[change.path].errors:
            misread.append(change.path)
        ids.update({one.id: two.id for one, two in zip(old, new, strict=False)})
    files = [path for path in sorted(touched) if path in before.facts and path in after.facts]
    had = _edges(before, files, ids)
    has = _edges(after, files, {})
    renamed = {ids.get(id_, id_) for id_ in own}
    differing = [edge for key, edge in had.items() if key not in has]
    differing += [edge for key, edge in has.items() if key not in had]
    wrong = [
        edge
        for edge in differing
        if (edge.file, edge.line) not in lines or not (edge.target in own or edge.target in renamed)
    ]
    return wrong, misread


def _edges(snapshot: Snapshot, files: Iterable[str], ids: Mapping[str, str]) -> dict[EdgeKey, Edge]:
    return {
        (ids.get(edge.source, edge.source), ids.get(edge.target, edge.target), edge.kind, edge.file, edge.line): edge
        for edge in _sure(snapshot, files)
    }


def _sure(snapshot: Snapshot, files: Iterable[str]) -> Iterator[Edge]:
    for path in files:
        for symbol in snapshot.graph.outline(path):
            yield from (edge for edge in snapshot.graph.edges_from(symbol.id) if not edge.is_guess)
