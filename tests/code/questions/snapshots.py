"""Snapshots of small trees, for pure functions."""

from collections.abc import Mapping
from pathlib import Path

from bearings.code.facts.store import NoFacts
from bearings.code.index.demand import UnindexedProject
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol
from bearings.code.project.source_lines import Lines
from bearings.code.project.sources import digest_of
from bearings.code.project.working_tree import WorkingTree
from bearings.code.question import A_co, Question
from bearings.code.questions import compute_of
from bearings.code.search.targets import find_element
from bearings.code.search.view import WholeGraph
from bearings.progress import NoProgress
from tests.code.trees import write

_MAX = 10_000_000


def snapshot_of(root: Path, files: Mapping[str, str]) -> Snapshot:
    """The project of these files, written below `root`."""
    return index_of(root, files).refresh()


def snapshot_either_way(root: Path, files: Mapping[str, str], *, indexed: bool) -> Snapshot:
    """The same, with an index or without one."""
    whole = snapshot_of(root, files)
    return whole if indexed else UnindexedProject(WorkingTree(root), NoFacts(), _MAX, fewest=0, share=1).refresh()


def index_of(root: Path, files: Mapping[str, str]) -> Index:
    """The index of these files, written below `root`."""
    return Index(write(root.resolve(), files), NoFacts(), _MAX)


def answered(snapshot: Snapshot, question: Question[A_co]) -> A_co:
    """The answer to a question that needs no more than a snapshot."""

    def digest(path: str) -> bytes:
        return digest_of((snapshot.root / path).read_bytes()) if path in snapshot.facts else b""

    lines = Lines(snapshot.tree, digest, _MAX)
    view = WholeGraph(snapshot, Index(snapshot.root, NoFacts(), _MAX), lines, NoProgress(), _MAX)
    answer: A_co = compute_of(question)(question, view)
    return answer


def element(snapshot: Snapshot, name: str) -> Symbol:
    """The element called `name`."""
    return find_element(snapshot, name)
