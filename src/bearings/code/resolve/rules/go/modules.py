"""Finds the folder of a Go import, by the go.mod and go.work files of the project.

go.mod     module example.com/shop                         "example.com/shop/store" is the folder store
           replace example.com/store => ./store            "example.com/store/db" is the folder store/db
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import NamedTuple

from bearings.code.grouping import grouped
from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.cells import FILES_CELL
from bearings.code.resolve.modules.folders import above
from bearings.code.resolve.modules.module_finder import ModuleFinder
from bearings.code.resolve.referent import Referent
from bearings.code.resolve.referents import EXTERNAL, MISSING, package_at

_COMMENT = re.compile(r"//[^\n]*")
_BLOCK = re.compile(r"^(\w+)\s*\(\s*$(.*?)(?:^[ \t]*\)|\Z)", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^(module|replace|require|use)[ \t]+([^(\n]+)$", re.MULTILINE)
_STD = ("std", "cmd")
"""The modules of Go's own sources: packages of `std` are imported without its name."""


class _Module(NamedTuple):
    """A go.mod: its folder, its module's path, and the folders that replace other modules.

    `replacements` has a table for the go.mod and for each go.work above it, nearest first; the first folder counts.
    """

    folder: str
    path: str
    replacements: Sequence[Mapping[str, str]]


class GoModules(ModuleFinder):
    """Finds folders of packages for import paths, for every importer of a project.

    The order is: the importer's own module, replacements by folders (also by go.work), the project's other modules by
    their paths, and the `vendor` folder. Folders outside the project, and all other packages, are external.
    """

    def __init__(self, project: ProjectFiles) -> None:
        self._folders = grouped((dirname(path), path) for path in project.paths if path.endswith(".go"))
        directives_of = {
            path: _directives(text.decode("utf-8", "replace"))
            for path, text in project.manifests.items()
            if path.endswith(("go.mod", "go.work"))
        }
        in_workspaces = {
            dirname(path): _replacements(dirname(path), directives)
            for path, directives in directives_of.items()
            if path.endswith("go.work")
        }
        self._module_by_folder: dict[str, _Module] = {}
        self._modules_by_path: dict[str, list[_Module]] = {}
        for path, directives in sorted(directives_of.items(), key=lambda item: dirname(item[0])):
            if path.endswith("go.mod") and directives.get("module"):
                folder = dirname(path)
                folders = above(f"{folder}/" if folder else path)
                of_workspaces = [in_workspaces[outer] for outer in folders if outer in in_workspaces]
                replacements = (_replacements(folder, directives), *of_workspaces)
                module = _Module(folder, _unquoted(directives["module"][0]), replacements)
                self._module_by_folder[folder] = module
                self._modules_by_path.setdefault(module.path, []).append(module)

    def find(self, importer: str, specifier: str) -> Referent:
        """The folder of an imported package; MISSING if the importer's own module lacks it."""
        if importer.endswith(FILES_CELL):  # the list of a folder's files
            folder = importer.removesuffix(FILES_CELL)
            return package_at(folder, tuple(sorted(self._folders.get(folder, ()))))
        return self._package(importer, specifier)

    def _package(self, importer: str, path: str) -> Referent:
        # The module that a file belongs to is that of the nearest go.mod above it.
        own_module = next(
            (self._module_by_folder[folder] for folder in above(importer) if folder in self._module_by_folder), None
        )
        if own_module is None:
            folder = self._without_modules(importer, path)
            return package_at(folder) if folder is not None else EXTERNAL
        prefixes = [path, *above(path)[:-1]]
        for old in prefixes:  # `replace example.com/store => ./store`
            target = next((replaced[old] for replaced in own_module.replacements if old in replaced), None)
            if target is not None and (package := self._at(join(target, path[len(old) + 1 :]))) is not None:
                return package
        others = [
            module for old in prefixes for module in self._modules_by_path.get(old, ()) if module is not own_module
        ]
        is_own = own_module.path in prefixes
        inside = [module for module in others if len(module.path) > len(own_module.path)] if is_own else others
        for module in (*inside, own_module) if is_own else inside:
            package = self._at(join(module.folder, path[len(module.path) + 1 :]))
            if package is not None:
                return package
        if own_module.path in _STD or "." not in path.partition("/")[0]:  # Go's own sources, if these are the project
            for module in self._modules_by_path.get("std", ()):
                if module is own_module or own_module.path in _STD:
                    package = self._at(join(module.folder, path)) or self._at(join(module.folder, "vendor", path))
                    if package is not None:
                        return package
                    break
        return MISSING if is_own else self._at(join(own_module.folder, "vendor", path)) or EXTERNAL

    def _without_modules(self, importer: str, path: str) -> str | None:
        """The folder of a package in a GOPATH: below a `src` or in a `vendor` around the importer."""
        folder = dirname(importer)
        while True:
            for root in (join(folder, "src"), join(folder, "vendor"), folder if folder.endswith("src") else None):
                if root is not None and join(root, path) in self._folders:
                    return join(root, path)
            if not folder:
                break
            folder = dirname(folder)
        return None

    def _at(self, folder: str) -> Referent | None:
        """The package in a folder; None if the folder has no file of Go."""
        folder = normpath(folder) if folder else ""
        folder = "" if folder == "." else folder
        return package_at(folder) if folder in self._folders else None


def described(manifest: bytes) -> tuple[str, list[str]]:
    """A go.mod's module path, and the modules that it requires directly; empty if absent."""
    text = manifest.decode("utf-8", "replace")
    direct = re.sub(r"(?m)^.*//\s*indirect\b.*$", "", text)
    directives = _directives(direct)
    needed = [_unquoted(line.split()[0]) for line in directives.get("require", ()) if line.split()]
    return _unquoted(directives.get("module", [""])[0]), needed


def paths_of(folder: str, manifests: Mapping[str, bytes]) -> Iterator[str]:
    """The import paths that go.mod and go.work files give a folder: of its module, of a module that it replaces."""
    for manifest, text in manifests.items():
        if manifest.endswith(("go.mod", "go.work")):
            directives = _directives(text.decode("utf-8", "replace"))
            if manifest.endswith("go.mod") and dirname(manifest) == folder:
                yield from map(_unquoted, directives.get("module", ())[:1])
            replacements = _replacements(dirname(manifest), directives)
            yield from (old for old, target in replacements.items() if target == folder)


def _directives(text: str) -> dict[str, list[str]]:
    """The arguments of each directive, also in blocks."""
    text = _COMMENT.sub("", text).replace("\r", "")
    directives: dict[str, list[str]] = {}
    for word, block in _BLOCK.findall(text):
        directives.setdefault(word, []).extend(line.strip() for line in block.splitlines() if line.strip())
    for word, rest in _LINE.findall(_BLOCK.sub("", text)):
        directives.setdefault(word, []).append(rest.strip())
    return directives


def _replacements(folder: str, directives: Mapping[str, list[str]]) -> dict[str, str]:
    """Module path → folder, for replacements by a folder of the project."""
    replacements = {}
    for line in directives.get("replace", ()):
        old, arrow, new = line.partition("=>")
        target = _unquoted(new.strip())
        if arrow and old.split() and target.startswith(("./", "../")):
            replacement = normpath(join(folder, target))
            if not replacement.startswith(".."):
                replacements[_unquoted(old.split()[0])] = "" if replacement == "." else replacement
    return replacements


def _unquoted(text: str) -> str:
    return text.strip("\"'`")
