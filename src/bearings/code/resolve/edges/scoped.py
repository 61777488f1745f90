"""Resolves languages whose names are found through scopes and imports."""

from collections.abc import Collection, Mapping

from bearings.code.file_facts import FileFacts
from bearings.code.resolve.edges.uses import Uses
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.strategy import Strategy


class Scoped(Strategy):
    """One evaluator for all families, because files of one family may import files of another."""

    def __init__(self, facts: Mapping[str, FileFacts], modules: Modules) -> None:
        self._evaluator = Evaluator(facts, modules)

    def uses(self, path: str) -> tuple[FileUses, frozenset[str]]:
        """A file's uses, and the files and cells that they depend on."""
        self._evaluator.begin()
        uses = Uses(self._evaluator, path)
        uses.of_file()
        return FileUses(tuple(uses.edges.values()), tuple(uses.outside)), self._evaluator.answers.gathered()

    def give_up(self) -> frozenset[str]:
        """See Strategy."""
        return self._evaluator.answers.abandon()

    def forget(self, but: Collection[str] = ()) -> None:
        """Drops the tables of all other files."""
        self._evaluator.views.forget(but)

    def shed(self) -> None:
        """Drops all cached answers if there are many."""
        self._evaluator.answers.shed()

    def close(self) -> None:
        """Drops everything; nothing is resolved afterwards."""
        self._evaluator.close()
