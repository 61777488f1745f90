"""Lowers the confidence of a file's edges where more than one file may be meant, or no rule says which.

An import may be found by its path alone (by_path.py), and a file may have others that stand for it on other platforms
(`Nav.web.tsx`, `Nav.native.tsx`). Edges then lead to the element of the same name in each of the files.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from bearings.code.expressions import root_of
from bearings.code.file_facts import BindingKind
from bearings.code.models import Confidence, Edge
from bearings.code.resolve.edges.naming import Key, names_in, types_in
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.modules.by_path import BY_PATH

_SEVERAL: Final = 2
_FOR_PLATFORM = "one of several files for as many platforms"


class Doubts:
    """The doubts about one file's imports."""

    def __init__(self, evaluator: Evaluator, file: str) -> None:
        self._evaluator = evaluator
        self._view = evaluator.views[file]
        self._imports = {
            index: likely
            for index, entry in enumerate(self._view.facts.imports)
            if (likely := evaluator.exports.likely(file, entry.module))
        }

    def apply(self, edges: dict[Key, Edge]) -> None:
        """Replaces the edges that are in doubt, and adds those to other files that may be meant."""
        lines = self._lines() if self._imports else {}
        for key, edge in list(edges.items()):
            target = edge.target.partition("\0")[0]
            if target == edge.file or target not in self._evaluator.views.facts:
                continue
            likely, others = lines.get(edge.line, ()), self._evaluator.exports.variants(target)
            if likely:
                sure = Confidence.STRONG if len(likely) < _SEVERAL else Confidence.HEURISTIC
                self._spread(edges, key, replace(edge, confidence=sure, reason=BY_PATH), likely)
            elif others and edge.confidence is Confidence.EXACT:
                self._spread(edges, key, replace(edge, confidence=Confidence.STRONG, reason=_FOR_PLATFORM), others)

    def _spread(self, edges: dict[Key, Edge], key: Key, edge: Edge, files: tuple[str, ...]) -> None:
        """Replaces an edge by a doubtful one, and adds the same to each of some files."""
        edges[key] = edge
        target = edge.target.partition("\0")[0]
        for other in files if target in files else ():
            if other != target and other in self._evaluator.views.facts:
                self._evaluator.answers.consulted.add(other)
                view, place = self._evaluator.views[other], self._place(target, other, edge.target)
                if place >= 0:
                    same = (key[0], view.id(place), key[2], key[3])
                    edges.setdefault(same, replace(edge, target=view.key(place)))

    def _place(self, file: str, other: str, key: str) -> int:
        """The number of the symbol of another file with the qualified name of a symbol; -1 without one."""
        view = self._evaluator.views[file]
        here = next((i for i in range(len(view.facts.symbols)) if view.key(i) == key), -1)
        if here <= 0:
            return here
        name = view.facts.symbols[here].qualified_name
        symbols = self._evaluator.views[other].facts.symbols
        return next((i for i, symbol in enumerate(symbols) if i and symbol.qualified_name == name), -1)

    def _lines(self) -> Mapping[int, tuple[str, ...]]:
        """The lines with an import in doubt, or a name from it → the files that may be meant."""
        facts = self._view.facts
        names = {
            row.name: self._imports[row.target]
            for row in facts.bindings
            if row.kind is BindingKind.IMPORT and row.target in self._imports
        }
        lines = {facts.imports[index].line: likely for index, likely in self._imports.items()}
        roots = [(root_of(site.callee), site.line) for site in (*facts.sites, *facts.mentions)]
        for _, _, type_, line in types_in(facts):
            roots += [(name.partition(".")[0], line) for name, _ in names_in(type_) if isinstance(name, str)]
        lines.update((line, names[root]) for root, line in roots if type(root) is str and root in names)
        return lines
