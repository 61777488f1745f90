"""Sorts OpenStreetMap files whose ways come before their nodes, or whose objects were never uploaded.

Areas and lines are put together while a file is read, so nodes must come first, and ids must grow. An object that was
never uploaded has a negative id, which the store of positions does not take: it gets a large one meanwhile.
"""

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from bearings.places.osm.schema import SORTED_SUFFIX, draft

MOST_ID = 1 << 59
"""Ids from here on are no object's."""

_UPLOADED = 1 << 58
"""Ids from here on stand for negative ones."""

_ROOM = 2
"""Bytes on the disk for each of the file: two copies, which are no larger."""


class Unsorted(Exception):
    """A file that `sort` must put in order before it can be read."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} is not sorted")
        self.path = path


def sort(path: Path, to: Path) -> None:
    """Writes the objects of a file in order, each once.

    Raises what osmium raises for a file that it can't read, OSError if the disk is too full. That is looked at before:
    osmium's writer ends the process on a full disk.
    """
    import osmium

    if shutil.disk_usage(to.parent).free < _ROOM * path.stat().st_size:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(to))
    numbered = draft(to, SORTED_SUFFIX)
    try:
        with _writer(numbered) as writer:
            for item in osmium.FileProcessor(str(path)):
                _ADD[item.type_str()](writer, item)
        merged = osmium.MergeInputReader()
        merged.add_file(str(numbered))
        with _writer(to) as writer:
            merged.apply(writer)
    finally:
        with suppress(OSError):
            numbered.unlink()


def own_id(number: int) -> int:
    """The id that an object has in its file."""
    return number if number < _UPLOADED else _UPLOADED - number


def _writer(to: Path) -> Any:
    import osmium

    return osmium.SimpleWriter(osmium.io.File(str(to), "pbf"), overwrite=True)


def _number(own: int) -> int:
    """The id for the sorted copy. One below all that objects may have becomes one above."""
    return own if own >= 0 else min(_UPLOADED - own, MOST_ID)


def _add_node(writer: Any, node: Any) -> None:
    writer.add_node(node if node.id >= 0 else node.replace(id=_number(node.id)))


def _add_way(writer: Any, way: Any) -> None:
    writer.add_way(way.replace(id=_number(way.id), nodes=[_number(node.ref) for node in way.nodes]))


def _add_relation(writer: Any, relation: Any) -> None:
    members = [(member.type, _number(member.ref), member.role) for member in relation.members]
    writer.add_relation(relation.replace(id=_number(relation.id), members=members))


_ADD = {"n": _add_node, "w": _add_way, "r": _add_relation}
