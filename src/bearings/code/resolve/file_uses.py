"""The uses of one file: the result of its resolution."""

from typing import NamedTuple

from bearings.code.models import Edge, Outside


class FileUses(NamedTuple):
    """Edges and outside uses of a file.

    The target of an edge is a key (see bearings.code.symbol_keys) instead of an id, which would change with its line.
    `given_up`: some are missing, because resolving them raised or took too many steps.
    """

    edges: tuple[Edge, ...]
    outside: tuple[Outside, ...]
    given_up: bool = False
