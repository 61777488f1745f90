"""What one file uses: the result of resolving it."""

from typing import NamedTuple

from bearings.code.models import Edge, Outside


class FileUses(NamedTuple):
    """What one file uses.

    The target of an edge is a key (see bearings.code.keys), as its line is no business of this file.
    """

    edges: tuple[Edge, ...]
    outside: tuple[Outside, ...]
