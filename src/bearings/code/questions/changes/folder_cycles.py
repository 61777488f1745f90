"""Circles of imports between folders that a change has made."""

from collections.abc import Iterable, Iterator, Mapping

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import IMPORTS, Edge
from bearings.code.questions.changes.before import Before
from bearings.code.replies.changes import FolderCycle

_HERE = "."
Arrows = Mapping[tuple[str, str], Edge]
"""The first import from a folder to another."""


def new_cycles(was: Before) -> list[FolderCycle]:
    """The circles with an import between folders that were in no circle together; tests are left out."""
    old, new = was.snapshot.facts.keys(), was.after.facts.keys()
    changed_now = (was.files & new) | (new - old)
    if _imports(was.after, changed_now).keys() <= _imports(was.snapshot, was.files & old).keys():
        return []  # only an import between folders that is new can close a circle
    before, after = _imports(was.snapshot), _imports(was.after)
    circle_before, circle_after = _circles(before), _circles(after)
    closing: dict[int, Edge] = {}
    by_novelty = sorted(after.items(), key=lambda arrow: (arrow[0] in before, arrow[0]))
    for (source, target), edge in by_novelty:
        circle = circle_after[source]
        were_together = source in circle_before and circle_before.get(source) == circle_before.get(target)
        if circle == circle_after[target] and not were_together:
            closing.setdefault(circle, edge)
    return [
        FolderCycle(
            folders=sorted(folder for folder, number in circle_after.items() if number == circle),
            file=edge.file,
            line=edge.line,
        )
        for circle, edge in closing.items()
    ]


def _imports(snapshot: Snapshot, files: Iterable[str] | None = None) -> Arrows:
    """The imports between folders of some files, or of all."""
    arrows: dict[tuple[str, str], Edge] = {}
    for edge, target in snapshot.graph.links(files):
        if edge.kind not in IMPORTS or edge.is_guess or is_test(edge.file):
            continue
        pair = _folder(edge.file), _folder(target.partition("#")[0])
        if pair[0] != pair[1]:
            arrows.setdefault(pair, edge)
    return arrows


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or _HERE


def _circles(arrows: Arrows) -> dict[str, int]:
    """The number of the circle (strongly connected component) that each folder is in, alone or with others.

    Kosaraju's algorithm: folders in the reverse order in which a walk along the arrows leaves them; each that is left
    over then takes what leads to it.
    """
    after: dict[str, list[str]] = {}
    before: dict[str, list[str]] = {}
    for source, target in arrows:
        for table, here, there in ((after, source, target), (before, target, source)):
            table.setdefault(here, []).append(there)
            table.setdefault(there, [])
    circles: dict[str, int] = {}
    left: list[str] = []
    seen: set[str] = set()
    for folder in sorted(after):
        left += _left(folder, after, seen)
    for number, folder in enumerate(reversed(left)):
        waiting = [folder]
        while waiting:
            here = waiting.pop()
            if here not in circles:
                circles[here] = number
                waiting += before[here]
    return circles


def _left(start: str, after: Mapping[str, list[str]], seen: set[str]) -> Iterator[str]:
    """The folders that a walk from one leaves, in this order. Without recursion: a chain of folders may be deep."""
    work = [(start, iter([start]))]
    while work:
        folder, rest = work[-1]
        following = next((one for one in rest if one not in seen), None)
        if following is None:
            work.pop()
            if work:
                yield folder
        else:
            seen.add(following)
            work.append((following, iter(after[following])))
