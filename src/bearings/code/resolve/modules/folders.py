"""Folders of paths: those around one, and those that two have in common."""

from collections.abc import Iterator, Sequence
from itertools import takewhile


def above(path: str) -> list[str]:
    """The folders around a path, the nearest first; the project's own is the empty string."""
    folders = []
    while path:
        path = path.rpartition("/")[0]
        folders.append(path)
    return folders


def prefixes(name: Sequence[str], path: Sequence[str]) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """What precedes the parts that a name and a path end with in common, the longest end first.

    @/ui/cart, src/ui/cart      @ and src, @/ui and src/ui
    """
    ends = takewhile(lambda pair: pair[0] == pair[1], zip(reversed(name), reversed(path), strict=False))
    for count in range(len(list(ends)), 0, -1):
        yield name[:-count], path[:-count]


def placed(prefix: Sequence[str], folder: Sequence[str], path: Sequence[str]) -> Sequence[str]:
    """The name of a path below a folder that the prefix stands for; empty if the path is not below it."""
    rest = path[len(folder) :]
    return [*prefix, *rest] if rest and list(path[: len(folder)]) == list(folder) else []


def shared(path: str, other: str) -> int:
    """The number of folders that two paths have in common."""
    return len(set(above(path)) & set(above(other)))
