"""Resolves Go."""

from collections.abc import Collection, Mapping

from bearings.code.models import FileFacts
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.go.evaluate import GoEvaluator
from bearings.code.resolve.go.uses import GoUses
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.strategy import Strategy


class ByPackages(Strategy):
    """Names through scopes, then through the files of a package."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        self._evaluator = GoEvaluator(facts, modules)

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """What a file uses, and what was consulted for that."""
        self._evaluator.memo.consulted = set()
        uses = GoUses(self._evaluator)
        uses.of_file(path)
        return FileUses(tuple(uses.edges.values()), tuple(uses.outside)), frozenset(self._evaluator.memo.consulted)

    def forget(self, but: Collection[str] = ()) -> None:
        """Drops all tables, as they are made again in little time."""
        del but
        self._evaluator.packages.views.clear()

    def shed(self) -> None:
        """Drops kept answers beyond many."""
        self._evaluator.memo.shed()
