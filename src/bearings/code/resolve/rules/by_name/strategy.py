"""Resolves languages without rules of their own: table.py finds all their uses, which needs the whole project."""

from collections.abc import Collection, Mapping

from bearings.code.file_facts import FileFacts
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.strategy import Strategy


class NoUses(Strategy):
    """Finds no uses."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        del facts, modules

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """An empty result: no edges, no outside uses, no consulted files."""
        del path
        return FileUses((), ()), frozenset()

    def forget(self, but: Collection[str] = ()) -> None:
        """Does nothing: there are no tables."""

    def shed(self) -> None:
        """Does nothing: there are no answers."""
