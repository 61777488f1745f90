"""Lowers the confidence of a file's edges where an import may mean several files, or a name several definitions.

import { Nav } from "./Nav"      means Nav.web.tsx or Nav.native.tsx, by the platform: an edge to the Nav of each
import { cart } from "@lib/cart"    with no alias `@lib`: an edge to src/lib/cart.ts, whose path fits (see by_path.py)
try: from fast import run       `run` comes from fast.py where that loads: an edge to each
except ImportError:
    def run(): ...
"""

from collections.abc import Collection, Mapping
from typing import Final

from msgspec.structs import replace

from bearings.code.expressions import Result, root_of
from bearings.code.file_facts import BindingKind
from bearings.code.models import Confidence, Edge, EdgeKind
from bearings.code.resolve.edges.naming import Key, names_in
from bearings.code.resolve.edges.types_in_file import types_in
from bearings.code.resolve.evaluator import Evaluator
from bearings.code.resolve.modules.by_path import BY_PATH
from bearings.code.resolve.names.file_view import Alternatives
from bearings.code.resolve.referents import is_symbol

_SEVERAL: Final = 2
"""With so many possible files an edge is a guess; with one file it is strong."""
BY_PATTERN = "one of the files that match a pattern"
_FOR_PLATFORM = "one of several files for as many platforms"


class Doubts:
    """The uncertain imports of one file."""

    def __init__(self, evaluator: Evaluator, file: str) -> None:
        self._evaluator = evaluator
        self._view = evaluator.views[file]
        self._pattern_lines: Collection[int] = ()
        self._likely_files = {
            index: likely
            for index, entry in enumerate(self._view.facts.imports)
            if (likely := evaluator.exports.likely(file, entry.module))
        }

    def apply(self, edges: dict[Key, Edge]) -> None:
        """Replaces the uncertain edges by less confident ones, and adds edges to the other possible files."""
        lines = self._doubtful_lines() if self._likely_files else {}
        imported = {
            self._evaluator.views[meaning.file].key(meaning.symbol): others
            for row, others in self._view.imported_alternatives
            if is_symbol(meaning := self._evaluator.flow.binding(self._view.facts.path, row))
        }
        doubtful: dict[str, tuple[Mapping[str, Alternatives], tuple[str, ...]]] = {}
        for key, edge in list(edges.items()):
            target = edge.target.partition("\0")[0]
            if target not in doubtful:
                doubtful[target] = self._doubtful_in(target)
            rows, others = doubtful[target]
            if not (rows or others or imported or lines):
                continue
            meanings = rows.get(edge.target) or (edge.kind is not EdgeKind.IMPORT and imported.get(edge.target))
            if meanings:
                self._add_alternatives(edges, key, meanings)
            if target == edge.file or target not in self._evaluator.views.facts:
                continue
            likely = lines.get(edge.line, ())
            if likely:
                is_pattern = edge.line in self._pattern_lines
                is_guess = len(likely) >= _SEVERAL and not is_pattern
                confidence = Confidence.HEURISTIC if is_guess else Confidence.STRONG
                reason = BY_PATTERN if is_pattern else BY_PATH
                self._replace_and_copy(edges, key, replace(edge, confidence=confidence, reason=reason), likely)
            elif others and edge.confidence is Confidence.EXACT:
                strong = replace(edge, confidence=Confidence.STRONG, reason=_FOR_PLATFORM)
                self._replace_and_copy(edges, key, strong, others)

    def _doubtful_in(self, target: str) -> tuple[Mapping[str, Alternatives], tuple[str, ...]]:
        """The symbols of a file whose names have several meanings, and the files that an import of it may mean."""
        if target not in self._evaluator.views.facts:
            return {}, ()
        variants = self._evaluator.exports.variants(target) if target != self._view.facts.path else ()
        return self._evaluator.views[target].alternatives, variants

    def _add_alternatives(self, edges: dict[Key, Edge], key: Key, alternatives: Alternatives) -> None:
        """Adds an edge to each other definition that a name may have."""
        meanings = (self._evaluator.flow.binding(file, row) for file, row in alternatives)
        edge, others = edges[key], [meaning for meaning in meanings if is_symbol(meaning)]
        for other in others:
            view = self._evaluator.views[other.file]
            confidence = edge.confidence if edge.is_guess else Confidence.STRONG
            edges[key] = edge = replace(edge, confidence=confidence, reason=f"one of {len(others) + 1}")
            if view.id(other.symbol) != edge.source:
                copied_key = (key[0], view.id(other.symbol), key[2], key[3])
                edges.setdefault(copied_key, replace(edge, target=view.key(other.symbol)))

    def _replace_and_copy(self, edges: dict[Key, Edge], key: Key, edge: Edge, files: tuple[str, ...]) -> None:
        """Puts `edge` under `key`, and adds a copy for each of `files` that has a symbol with the target's name."""
        edges[key] = edge
        target = edge.target.partition("\0")[0]  # the target's file
        if target not in files:
            return
        view = self._evaluator.views[target]
        own = next((i for i in range(len(view.facts.symbols)) if view.key(i) == edge.target), -1)
        if own < 0:
            return
        default = self._evaluator.exports.export(target, "default")
        is_default = own > 0 and is_symbol(default) and (default.file, default.symbol) == (target, own)
        name = view.facts.symbols[own].qualified_name
        for other in files:
            if other != target and other in self._evaluator.views.facts:
                self._evaluator.answers.consulted.add(other)
                index = (self._default_in(other) if is_default else self._named_in(other, name)) if own else 0
                if index >= 0:
                    view = self._evaluator.views[other]
                    copied_key = (key[0], view.id(index), key[2], key[3])
                    edges.setdefault(copied_key, replace(edge, target=view.key(index)))

    def _default_in(self, file: str) -> int:
        """The index of the symbol that a file exports as its default; -1 if none."""
        default = self._evaluator.exports.export(file, "default")
        return default.symbol if is_symbol(default) and default.file == file else -1

    def _named_in(self, file: str, name: str) -> int:
        """The index of a file's symbol of a qualified name; -1 if none."""
        symbols = self._evaluator.views[file].facts.symbols
        return next((i for i, symbol in enumerate(symbols) if i and symbol.qualified_name == name), -1)

    def _doubtful_lines(self) -> Mapping[int, tuple[str, ...]]:
        """The lines with an uncertain import, or with a name that it imports → the files that it may mean."""
        facts = self._view.facts
        names = {
            row.name: self._likely_files[row.target]
            for row in facts.bindings
            if row.kind is BindingKind.IMPORT and row.target in self._likely_files
        }
        sites = {facts.imports[index].site: likely for index, likely in self._likely_files.items()}
        for row in facts.bindings:  # `const { run } = await import(`./tasks/${name}`)`
            root = root_of(row.value) if row.value is not None else None
            if type(root) is Result and root.site in sites:
                names[row.name] = sites[root.site]
        lines = {facts.imports[index].line: likely for index, likely in self._likely_files.items()}
        roots = [(root_of(site.callee), site.line) for site in (*facts.sites, *facts.mentions)]
        for _, _, type_, line in types_in(facts):
            roots += [(name.partition(".")[0], line) for name, _ in names_in(type_) if isinstance(name, str)]
        lines.update((line, names[root]) for root, line in roots if type(root) is str and root in names)
        patterns = [likely for index, likely in self._likely_files.items() if "*" in facts.imports[index].module]
        self._pattern_lines = {line for line, likely in lines.items() if likely in patterns}
        return lines
