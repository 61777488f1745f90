"""Imports and exports of whole modules, `from m import *` and `export * from "./m"`: a file may have thousands."""

from collections.abc import Iterator

from bearings.code.resolve.context import Context
from bearings.code.resolve.parts import ExportsPart
from bearings.code.resolve.referent import MODULE

_MANY = 20
"""Stars that are not asked one by one."""
_ANY = ""
"""Stands for all names of a module that may have others than it declares."""

_ByName = dict[str, list[tuple[int, str]]]
"""The places of stars and their modules, by the names that they may have."""


class Stars(ExportsPart):
    """The stars of files. Those of a file with many are asked for the names alone that they have."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._starred: dict[str, tuple[_ByName, frozenset[str]]] = {}

    def starred_modules(self, file: str, name: str) -> Iterator[str]:
        """See ExportsPart."""
        view = self._views[file]
        if len(view.star_imports) + len(view.star_exports) < _MANY:
            return self._modules_of(file)
        if file not in self._starred:
            self._starred[file] = self._answers.apart(lambda: self._by_name(file))
        named, consulted = self._starred[file]
        self._answers.consulted |= consulted
        return (module for _, module in sorted((*named.get(name, ()), *named.get(_ANY, ()))))

    def _modules_of(self, file: str) -> Iterator[str]:
        view = self._views[file]
        for star in view.star_imports if view.semantics.modules_offer_all_names else view.star_exports:
            module = self.module(file, star.module)
            if module.kind == MODULE:
                yield module.file

    def _by_name(self, file: str) -> _ByName:
        named: _ByName = {}
        for place, module in enumerate(self._modules_of(file)):
            for name in self._names_of(module):
                named.setdefault(name, []).append((place, module))
        return named

    def _names_of(self, module: str) -> set[str]:
        """The names of a module and of the stars that it leads to."""
        names, modules, seen = set[str](), [module], {module}
        for here in modules:
            view = self._views[here]
            if "=" in view.exports or here.endswith(view.semantics.package_files):
                return {_ANY}
            offers_all = view.semantics.modules_offer_all_names
            names.update((row.name for row in view.facts.bindings if row.scope == 0) if offers_all else view.exports)
            further = [one for one in self._modules_of(here) if one not in seen]
            modules += further
            seen.update(further)
        return names
