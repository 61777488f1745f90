"""Finds the file of a Python import."""

from functools import cached_property
from posixpath import dirname, join

from bearings.code.models import ProjectFiles
from bearings.code.resolve.python.builtin_names import STANDARD_LIBRARY
from bearings.code.resolve.referents import BUILTIN, EXTERNAL, MISSING, Referent, ReferentKind
from bearings.code.resolve.strategy import ModuleFinder


class PythonModules(ModuleFinder):
    """Finds files of dotted names, for every importer of a project.

    An absolute name is searched in the folder of the importer's outermost package, in the folders above it and their
    `src`, in every folder that holds a package, and at last beside the importer. A name without a file there is a
    library's.
    """

    def __init__(self, project: ProjectFiles) -> None:
        self._files = frozenset(path for path in project.paths if path.endswith((".py", ".pyi")))
        self._folders = {""} | {folder for path in self._files for folder in _above(path)}
        self._names = {path.rpartition("/")[2].partition(".")[0] for path in (*self._files, *self._folders)}
        self._roots: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _package_roots(self) -> tuple[str, ...]:
        roots = {
            dirname(dirname(path))
            for path in self._files
            if path.endswith(("/__init__.py", "/__init__.pyi")) and not self._is_package(dirname(dirname(path)))
        }
        return tuple(sorted(roots, key=lambda root: (root.count("/"), root)))

    def _is_package(self, folder: str) -> bool:
        return bool(folder) and (f"{folder}/__init__.py" in self._files or f"{folder}/__init__.pyi" in self._files)

    def find(self, importer: str, module: str) -> Referent:
        """The module, package or outside referent that `module`, with its dots, names in a file or a cell."""
        if importer.endswith("/"):
            return self.at(join(importer[:-1], module)) or MISSING
        name = module.lstrip(".")
        level = len(module) - len(name)
        if level:
            folder = dirname(importer)
            for _ in range(level - 1):
                folder = dirname(folder)
            return self.at(join(folder, *name.split(".")) if name else folder) or MISSING
        tail = name.replace(".", "/")
        top = name.partition(".")[0]
        if top and top not in self._names:
            return BUILTIN if top in STANDARD_LIBRARY else EXTERNAL
        fallback: Referent | None = None
        is_package = importer.endswith(("/__init__.py", "/__init__.pyi"))
        for root in self._roots_of(importer):
            found = self.at(join(root, tail))
            if found is not None and found.kind == ReferentKind.MODULE and (found.where != importer or is_package):
                return found
            fallback = fallback or found
        if top in STANDARD_LIBRARY:
            return BUILTIN
        beside = self.at(join(dirname(importer), tail))
        if beside is not None and beside.kind == ReferentKind.MODULE and beside.where != importer:
            return beside
        if fallback is not None and fallback.kind == ReferentKind.PACKAGE:
            return fallback
        owned = any(self.at(join(root, top)) for root in self._roots_of(importer))
        return MISSING if owned and self._is_own(importer, top) else EXTERNAL

    def _is_own(self, importer: str, top: str) -> bool:
        return any(self._is_package(join(root, top)) for root in self._roots_of(importer))

    def at(self, base: str) -> Referent | None:
        """The module or package at a path without extension."""
        for candidate in (f"{base}.py", f"{base}/__init__.py", f"{base}.pyi", f"{base}/__init__.pyi"):
            candidate = candidate.removeprefix("/")
            if candidate in self._files:
                return Referent(ReferentKind.MODULE, candidate)
        return Referent(ReferentKind.PACKAGE, base) if base in self._folders else None

    def _roots_of(self, importer: str) -> tuple[str, ...]:
        folder = dirname(importer)
        packages = [around for around in (folder, *_above(folder)) if self._is_package(around)]
        folder = dirname(packages[-1]) if packages else folder
        known = self._roots.get(folder)
        if known is None:
            near = [root for above in [folder, *_above(folder)] for root in (above, join(above, "src"))]
            known = self._roots[folder] = tuple(dict.fromkeys([*near, "", "src", *self._package_roots]))
        return known


def _above(path: str) -> list[str]:
    """The folders around a path, innermost first; the project's own is the empty string."""
    folders = []
    while path:
        path = dirname(path)
        folders.append(path)
    return folders
