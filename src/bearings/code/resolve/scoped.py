"""Resolves languages whose names are found through scopes and imports."""

from collections.abc import Collection, Mapping

from bearings.code.models import FileFacts
from bearings.code.resolve.evaluate import Evaluator
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.strategy import Strategy
from bearings.code.resolve.uses import Uses


class Scoped(Strategy):
    """Uses one evaluator for all families, as files of one family may import files of another."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        self._evaluator = Evaluator(facts, modules)

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """What a file uses, and what was consulted for that."""
        self._evaluator.begin()
        uses = Uses(self._evaluator, path)
        uses.of_file()
        return FileUses(tuple(uses.edges.values()), tuple(uses.outside)), frozenset(self._evaluator.memo.consulted)

    def forget(self, but: Collection[str] = ()) -> None:
        """Drops the tables of all files but these."""
        self._evaluator.views.forget(but)

    def shed(self) -> None:
        """Drops kept answers beyond many."""
        self._evaluator.memo.shed()
