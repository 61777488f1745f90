"""Resolves the first names of expressions that the file neither declares nor imports: see ExportsPart.ambient.

In a project of Nuxt, `useCart().total` in a page means the `useCart` that composables/useCart.ts exports.
"""

from collections.abc import Iterator
from typing import Final

from bearings.code.expressions import Expression, Tested, root_of, split
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.names.file_view import FileView
from bearings.code.resolve.parts import Ambient
from bearings.code.resolve.referent import Referent
from bearings.code.resolve.referents import has_symbol

_SELVES = frozenset({"this", "super", "module", "exports"})
NOTHING: Final = Ambient()
"""The file declares the name, or nothing is known of it."""


class AmbientRoots:
    """The names of one file that it does not declare."""

    def __init__(self, evaluator: Evaluator, view: FileView) -> None:
        self._evaluator = evaluator
        self._view = view
        self._file = view.facts.path
        self.any: Final = evaluator.exports.sees_ambient(self._file)
        self._known: dict[tuple[str, bool], Ambient] = {}
        self._everywhere: dict[tuple[str, bool], Ambient | None] = {}
        """The meanings of names that mean the same in all scopes; None for a name that may not."""

    def meaning(self, scope: int, expression: Expression, line: int, *, types: bool = False) -> Ambient:
        """The meaning of an expression's first name; NOTHING if the file declares it, or nothing is known of it."""
        root = root_of(expression) if self.any else None
        root = root.name.partition(".")[0] if isinstance(root, Tested) else root
        if type(root) is not str or root in _SELVES:
            return NOTHING
        question = root, types
        everywhere = self._everywhere.get(question)
        if everywhere is not None:
            return everywhere
        meaning = NOTHING
        if self._view.lookup(scope, root, line, types=types) is None:
            if question not in self._known:
                self._known[question] = self._evaluator.exports.ambient(self._file, root, types=types)
            meaning = self._known[question]
        if question not in self._everywhere:
            self._everywhere[question] = meaning if self._view.means_same_everywhere(root) else None
        return meaning

    def guesses(self, scope: int, expression: Expression, line: int) -> Iterator[tuple[Referent, str]]:
        """The possible meanings of an expression, each with the reason; none unless its first name has several."""
        meanings = self.meaning(scope, expression, line)
        if len(meanings.referents) <= 1:
            return
        steps = split(expression)[1]
        for root in meanings.referents:
            referent = self._evaluator.flow.follow_steps(root, steps, types=False) if steps else root
            if referent is not None and has_symbol(referent):
                yield referent, meanings.reason
