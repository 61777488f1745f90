"""Finds modules by name, for each family of languages, and records every lookup.

The asker is a file, or a cell if the answer does not depend on one file: a package's modules, a folder's files.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from bearings.code.file_facts import FileFacts
from bearings.code.models import Installed, ProjectFiles
from bearings.code.resolve.memory import Lookup
from bearings.code.resolve.modules.cells import Names, cell_of
from bearings.code.resolve.modules.module_finder import ModuleFinder
from bearings.code.resolve.referent import MODULE, PACKAGE, Referent
from bearings.code.resolve.rules.families import FAMILIES, PACKAGED

_Table = dict[tuple[str, str], Referent]
Offering = Callable[[Collection[str], str], Collection[str]]


class Modules:
    """The modules of a tree. Answers are cached by the asking file or cell."""

    def __init__(self, project: ProjectFiles, names: Names | None = None, offering: Offering | None = None) -> None:
        self.names: Names = {} if names is None else names
        """Names that files see without an import."""
        self.offering: Final = offering
        """Which of some modules may have a name, by their text; None where all modules are read anyway."""
        self._lookups: dict[str, _Table] = {}
        self.take(project)

    @property
    def installed(self) -> Installed | None:
        """The packages that are installed beside the project's files."""
        return self._project.installed

    def find(self, importer: str, specifier: str, family: str) -> Referent:
        """The module or outside referent that `specifier` names in `importer`."""
        table = self._lookups.get(importer)
        if table is None:
            table = self._lookups[importer] = {}
        answer = table.get((specifier, family))
        if answer is None:
            answer = table[specifier, family] = self._finder(family).find(importer, specifier)
        return answer

    def spelled(self, importer: str, target: str, family: str, like: str, meant: str) -> str | None:
        """The best of the `spellings` (see ModuleFinder) that surely names `target` in `importer`; None for none.

        That is `like` itself if it names the target there.
        """
        finder = self._finder(family)
        for name in (like, *finder.spellings(importer, target, like, meant)):
            found = finder.find(importer, name) if name else None
            if found is not None and found.kind in (MODULE, PACKAGE) and found.file == target and not found.files:
                return name
        return None

    def cells(self, importer: str, name: str, family: str, *, is_script: bool) -> Iterable[tuple[str, str]]:
        """See ModuleFinder."""
        return self._finder(family).cells(importer, name, is_script=is_script)

    def below(self, folder: str, name: str) -> Referent:
        """A package's module or package called `name`; MISSING for none."""
        return self.find(cell_of(folder), name, PACKAGED)

    def variants(self, path: str, family: str) -> tuple[str, ...]:
        """See ModuleFinder."""
        return self._finder(family).variants(path)

    def update(self, project: ProjectFiles, facts: Mapping[str, FileFacts]) -> set[str]:
        """Takes another tree with the same manifests, and returns the files and cells whose answers changed."""
        self.take(project)
        changed = set()
        for asker in list(self._lookups):
            # A file that is gone asks no more; cells, whose names end with a slash, stay.
            if not asker.endswith("/") and asker not in facts:
                del self._lookups[asker]
                continue
            table = self._lookups[asker]
            for (specifier, family), before in table.items():
                now = self._finder(family).find(asker, specifier)
                if now != before:
                    changed.add(asker)
                    table[specifier, family] = now
        return changed

    def forget(self, asker: str) -> None:
        """Drops the lookups of a file or a cell."""
        self._lookups.pop(asker, None)

    def lookups(self) -> list[Lookup]:
        """Every lookup with its answer."""
        return [(asker, *key, answer) for asker, table in self._lookups.items() for key, answer in table.items()]

    def drain(self) -> list[Lookup]:
        """Every lookup since the last call with its answer; forgets them."""
        lookups = self.lookups()
        self._lookups = {}
        return lookups

    def merge(self, lookups: Iterable[Lookup]) -> None:
        """Adds answers that other processes found in the same tree."""
        for asker, specifier, family, answer in lookups:
            self._lookups.setdefault(asker, {})[specifier, family] = answer

    def take(self, project: ProjectFiles) -> None:
        """Starts with new finders, as a finder knows one tree; answers stay as they are."""
        self._project = project
        self._finders: dict[str, ModuleFinder] = {}

    def _finder(self, family: str) -> ModuleFinder:
        """The finder of a family, made for its first file."""
        finder = self._finders.get(family)
        if finder is None:
            finder = self._finders[family] = FAMILIES[family].modules(self._project)
        return finder
