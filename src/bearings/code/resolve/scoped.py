"""Resolves languages whose names are found through scopes and imports."""

from collections.abc import Collection, Mapping

from bearings.code.models import FileFacts
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.resolver import Resolver
from bearings.code.resolve.strategy import Strategy
from bearings.code.resolve.uses import Uses


class Scoped(Strategy):
    """One resolver for all families, because files of one family may import files of another."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        self._resolver = Resolver(facts, modules)

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """A file's uses, and the files and cells that they depend on."""
        self._resolver.begin()
        uses = Uses(self._resolver, path)
        uses.of_file()
        return FileUses(tuple(uses.edges.values()), tuple(uses.outside)), frozenset(self._resolver.memo.consulted)

    def forget(self, but: Collection[str] = ()) -> None:
        """Drops the tables of all other files."""
        self._resolver.views.forget(but)

    def shed(self) -> None:
        """Drops all cached answers if there are many."""
        self._resolver.memo.shed()
