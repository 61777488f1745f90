"""Resolves languages without rules of their own: no use leads anywhere yet."""

from collections.abc import Collection, Mapping

from bearings.code.models import FileFacts
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.strategy import Strategy


class ByName(Strategy):
    """Finds no uses."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        del facts, modules

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """No edges, no outside uses: no file was consulted."""
        del path
        return FileUses((), ()), frozenset()

    def forget(self, but: Collection[str] = ()) -> None:
        """There are no tables."""

    def shed(self) -> None:
        """There are no answers."""
