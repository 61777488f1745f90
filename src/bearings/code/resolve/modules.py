"""Which module a name means, for each family of languages, and every such question that was asked."""

from collections.abc import Iterable, Mapping
from posixpath import join

from bearings.code.models import FileFacts, ProjectFiles
from bearings.code.resolve.ecmascript.modules import EcmaScriptModules
from bearings.code.resolve.go.modules import GoModules
from bearings.code.resolve.python.modules import PythonModules
from bearings.code.resolve.things import MISSING, Thing

_GO_CELL = "/.go/"
_Table = dict[tuple[str, bool], Thing]
Asked = tuple[str, str, bool, Thing]
"""Who asked, for what, whether that was Python, and the answer."""


def cell_of(folder: str) -> str:
    """What stands for a Python package's folder where other answers are known by their file."""
    return f"{folder}/"


def go_cell_of(folder: str) -> str:
    """What stands for the list of a folder's Go files, as `cell_of` does for a Python package."""
    return f"{folder}{_GO_CELL}"


class Modules:
    """The modules of a tree. What was asked is kept by who asked: a file, or the cell of a folder."""

    def __init__(self, project: ProjectFiles) -> None:
        self._asked: dict[str, _Table] = {}
        self._tree(project)

    def find(self, importer: str, specifier: str, *, is_python: bool) -> Thing:
        """The module or outside thing that `specifier` names in `importer`."""
        table = self._asked.get(importer)
        if table is None:
            table = self._asked[importer] = {}
        found = table.get((specifier, is_python))
        if found is None:
            found = table[specifier, is_python] = self._find(importer, specifier, is_python)
        return found

    def below(self, folder: str, name: str) -> Thing:
        """A package's module or package called `name`; MISSING where it has none."""
        return self.find(cell_of(folder), name, is_python=True)

    def files_of_go(self, folder: str) -> list[str]:
        """The Go files of a folder, read or not."""
        return self.find(go_cell_of(folder), "", is_python=False).text.splitlines()

    def update(self, project: ProjectFiles, facts: Mapping[str, FileFacts]) -> set[str]:
        """Goes over to another tree with the same manifests: who gets another answer than before."""
        self._tree(project)
        changed = set()
        for asker in list(self._asked):
            if not asker.endswith("/") and asker not in facts:
                del self._asked[asker]
                continue
            table = self._asked[asker]
            for (specifier, is_python), before in table.items():
                now = self._find(asker, specifier, is_python)
                if now != before:
                    changed.add(asker)
                    table[specifier, is_python] = now
        return changed

    def forget(self, asker: str) -> None:
        """Drops what a file asked."""
        self._asked.pop(asker, None)

    def asked(self) -> list[Asked]:
        """All that was asked."""
        return [(asker, *key, found) for asker, table in self._asked.items() for key, found in table.items()]

    def drain(self) -> list[Asked]:
        """All that was asked since the last time, and forgets it."""
        asked = self.asked()
        self._asked = {}
        return asked

    def merge(self, asked: Iterable[Asked]) -> None:
        """Takes over what others asked about the same tree."""
        for asker, specifier, is_python, found in asked:
            self._asked.setdefault(asker, {})[specifier, is_python] = found

    def _tree(self, project: ProjectFiles) -> None:
        self._ecmascript = EcmaScriptModules(project)
        self._python = PythonModules(project)
        self._go = GoModules(project)

    def _find(self, asker: str, specifier: str, is_python: bool) -> Thing:
        if asker.endswith(_GO_CELL):
            return self._go.files(asker.removesuffix(_GO_CELL))
        if asker.endswith("/"):
            return self._python.at(join(asker[:-1], specifier)) or MISSING
        if asker.endswith(".go"):
            return self._go.find(asker, specifier)
        return (self._python if is_python else self._ecmascript).find(asker, specifier)
