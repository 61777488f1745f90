"""Imports and exports of all names of a module, `from m import *` and `export * from "./m"`.

Generated files have thousands of these stars. For such a file, a table of the names that each module behind a star may
have is made once: a name is then looked up in a few of the modules instead of all.
"""

from collections.abc import Iterator
from typing import Final

from bearings.code.grouping import grouped
from bearings.code.resolve.context import Context
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.parts import ExportsPart
from bearings.code.resolve.referent import MODULE

_MANY = 20
"""A table is made for files with at least so many stars."""
_ANY_NAME = ""
"""The name in a table for modules that may have names that they do not declare."""

_ByName = dict[str, list[tuple[int, str]]]
"""Name → the stars behind which it may be: the position of each in its file, and its module."""


class Stars(ExportsPart):
    """Finds the modules behind stars that may have a name."""

    def __init__(self, context: Context, modules: Modules) -> None:
        super().__init__(context)
        self._modules: Final = modules
        self._tables: dict[str, tuple[_ByName, frozenset[str]]] = {}
        """The table of each file with many stars, and the files that were consulted to make it."""

    def starred_modules(self, file: str, name: str) -> Iterator[str]:
        """See ExportsPart."""
        view, offering = self._views[file], self._modules.offering
        if offering is not None:
            modules = list(self._modules_of(file))
            offer = offering(modules, name) if modules else ()
            return (each for each in modules if each in offer or each.endswith(view.semantics.package_files))
        if len(view.star_imports) + len(view.star_exports) < _MANY:
            return self._modules_of(file)
        if file not in self._tables:
            self._tables[file] = self._answers.apart(lambda: self._table_of(file))
        table, consulted = self._tables[file]
        self._answers.consulted |= consulted
        return (module for _, module in sorted((*table.get(name, ()), *table.get(_ANY_NAME, ()))))

    def _modules_of(self, file: str) -> Iterator[str]:
        """The modules of the project behind the stars of a file, in order."""
        view = self._views[file]
        for star in view.star_imports if view.semantics.modules_offer_all_names else view.star_exports:
            module = self.module(file, star.module)
            if module.kind == MODULE:
                yield module.file

    def _table_of(self, file: str) -> _ByName:
        modules = enumerate(self._modules_of(file))
        return grouped((name, (position, module)) for position, module in modules for name in self._names_of(module))

    def _names_of(self, module: str) -> set[str]:
        """The names of a module and of the modules behind its own stars, and so on; or only `_ANY_NAME`."""
        names, modules, seen = set[str](), [module], {module}
        for here in modules:
            view = self._views[here]
            if "=" in view.exports or here.endswith(view.semantics.package_files):
                return {_ANY_NAME}
            offers_all = view.semantics.modules_offer_all_names
            names.update((row.name for row in view.facts.bindings if row.scope == 0) if offers_all else view.exports)
            starred = [path for path in self._modules_of(here) if path not in seen]
            modules += starred  # extends the list that the loop goes through
            seen.update(starred)
        return names
