"""Circles of imports between folders that a change has made."""

from collections.abc import Iterator, Mapping

from bearings.code.analyses.before import Before
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Edge, EdgeKind
from bearings.code.replies.changes import FolderCycle

_HERE = "."
Arrows = Mapping[tuple[str, str], Edge]
"""The first import from a folder to another."""


def new_cycles(was: Before) -> list[FolderCycle]:
    """The circles with an import between folders that were in no circle together; tests are left out."""
    before, after = _imports(was.snapshot), _imports(was.after)
    if before.keys() == after.keys():
        return []
    circle_before, circle_after = _circles(before), _circles(after)
    closing: dict[int, Edge] = {}
    by_novelty = sorted(after.items(), key=lambda arrow: (arrow[0] in before, arrow[0]))
    for (source, target), edge in by_novelty:
        circle = circle_after[source]
        if circle == circle_after[target] and not _are_together(circle_before, source, target):
            closing.setdefault(circle, edge)
    return [
        FolderCycle(
            folders=sorted(folder for folder, number in circle_after.items() if number == circle),
            file=edge.file,
            line=edge.line,
        )
        for circle, edge in closing.items()
    ]


def _are_together(circles: Mapping[str, int], one: str, other: str) -> bool:
    return one in circles and circles.get(one) == circles.get(other)


def _imports(snapshot: Snapshot) -> Arrows:
    found: dict[tuple[str, str], Edge] = {}
    for edge, target in snapshot.graph.links():
        if edge.kind not in (EdgeKind.IMPORT, EdgeKind.EXPORT) or edge.is_guess or is_test(edge.file):
            continue
        pair = _folder(edge.file), _folder(target.partition("#")[0])
        if pair[0] != pair[1]:
            found.setdefault(pair, edge)
    return found


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or _HERE


def _circles(arrows: Arrows) -> dict[str, int]:
    """The number of the circle (strongly connected component) that each folder is in, alone or with others."""
    after: dict[str, list[str]] = {}
    for source, target in arrows:
        after.setdefault(source, []).append(target)
        after.setdefault(target, [])
    return _Tarjan(after).circles


class _Tarjan:
    """Tarjan's algorithm without recursion: a chain of folders may be deep."""

    def __init__(self, after: Mapping[str, list[str]]) -> None:
        self.circles: dict[str, int] = {}
        self._after = after
        self._index: dict[str, int] = {}
        self._low: dict[str, int] = {}
        self._stack: list[str] = []
        for folder in sorted(after):
            if folder not in self._index:
                self._visit(folder)

    def _visit(self, start: str) -> None:
        work: list[tuple[str, Iterator[str]]] = [self._entered(start)]
        while work:
            folder, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                self._left(folder)
                if work:
                    above = work[-1][0]
                    self._low[above] = min(self._low[above], self._low[folder])
            elif following not in self._index:
                work.append(self._entered(following))
            elif following not in self.circles:
                self._low[folder] = min(self._low[folder], self._index[following])

    def _entered(self, folder: str) -> tuple[str, Iterator[str]]:
        self._index[folder] = self._low[folder] = len(self._index)
        self._stack.append(folder)
        return folder, iter(self._after[folder])

    def _left(self, folder: str) -> None:
        if self._low[folder] != self._index[folder]:
            return
        while True:
            member = self._stack.pop()
            self.circles[member] = self._index[folder]
            if member == folder:
                return
