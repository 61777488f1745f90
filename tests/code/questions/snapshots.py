"""Snapshots of small trees, for pure functions."""

from collections.abc import Mapping
from pathlib import Path

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol
from bearings.code.search.targets import find_element
from tests.code.trees import write


def snapshot_of(root: Path, files: Mapping[str, str]) -> Snapshot:
    """The project of these files, written below `root`."""
    return index_of(root, files).refresh()


def index_of(root: Path, files: Mapping[str, str]) -> Index:
    """The index of these files, written below `root`."""
    return Index(write(root.resolve(), files), NoFacts(), 10_000_000)


def element(snapshot: Snapshot, name: str) -> Symbol:
    """The element called `name`."""
    return find_element(snapshot, name, "element")
