"""Resolves Go."""

from collections.abc import Collection, Mapping

from bearings.code.file_facts import FileFacts
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.rules.go.evaluate import GoEvaluator
from bearings.code.resolve.rules.go.uses import GoUses
from bearings.code.resolve.strategy import Strategy


class ByPackages(Strategy):
    """Resolves names through scopes, then through the files of a package."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        self._evaluator = GoEvaluator(facts, modules)

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """A file's uses, and the files and cells that they depend on."""
        self._evaluator.answers.begin()
        uses = GoUses(self._evaluator, path)
        uses.of_file()
        return FileUses(tuple(uses.edges.values()), tuple(uses.outside)), self._evaluator.answers.gathered()

    def give_up(self) -> frozenset[str]:
        """See Strategy."""
        return self._evaluator.answers.abandon()

    def forget(self, but: Collection[str] = ()) -> None:
        """Drops all tables: they are fast to make again."""
        del but
        self._evaluator.packages.views.clear()

    def shed(self) -> None:
        """Drops all cached answers if there are many."""
        self._evaluator.answers.shed()
