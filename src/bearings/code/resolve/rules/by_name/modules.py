"""Finds the files of imports in languages by declaration, by the rules of their specs."""

from posixpath import commonpath

from bearings.code.grouping import grouped
from bearings.code.languages import SPECS, language_of
from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.module_finder import ModuleFinder
from bearings.code.resolve.referent import Referent
from bearings.code.resolve.referents import EXTERNAL, module_at

FAMILY = "by_name"


def is_declared(path: str) -> bool:
    """Whether a file's uses are resolved by a table of names."""
    language = language_of(path)
    return language is not None and SPECS[language].is_declared


def is_meant_by_class(path: str, name: str) -> bool:
    """Whether code may mean a method of a name in a file by naming its class alone."""
    language = language_of(path)
    return language is not None and name in SPECS[language].meant_by_class


class DeclaredModules(ModuleFinder):
    """Finds modules of languages by declaration."""

    def __init__(self, project: ProjectFiles) -> None:
        self._paths = project.paths
        self._by_name: dict[str, list[str]] | None = None

    def find(self, importer: str, specifier: str) -> Referent:
        """See ModuleFinder; a name without a file in the project is EXTERNAL."""
        language = language_of(importer)
        imported = SPECS[language].module_candidates if language is not None else None
        for path in imported(importer, specifier) if imported is not None else ():
            if path[:1] != "/" and path in self._paths:
                return module_at(path)
            if path[:1] == "/" and (nearest := self._ending(importer, path)):
                return module_at(nearest)
        return EXTERNAL

    def _ending(self, importer: str, ending: str) -> str:
        """The file with this end of a path that is nearest to the importer; empty for none."""
        if self._by_name is None:
            self._by_name = grouped((path.rpartition("/")[2], path) for path in sorted(self._paths))
        name = ending.rpartition("/")[2]
        fitting = [path for path in self._by_name.get(name, ()) if f"/{path}".endswith(ending)]

        def rank(path: str) -> tuple[int, int, str]:
            return -len(commonpath((f"/{importer}", f"/{path}"))), len(path), path

        return min(fitting, key=rank, default="")
