"""Finds the file of a Python import.

import shop.cart           shop/cart.py or shop/cart/__init__.py, in a folder on the search path: the project's, src …
from . import cart         cart.py beside the importer
import google.cloud        a folder without code, which may be spread over several folders of the search path
"""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from posixpath import basename, dirname, join, splitext

from bearings.code.framework_facts import DJANGO_SETTINGS
from bearings.code.grouping import grouped
from bearings.code.installed import is_installed
from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.by_path import Tails
from bearings.code.resolve.modules.folders import above, placed, prefixes, shared
from bearings.code.resolve.modules.module_finder import ModuleFinder
from bearings.code.resolve.referent import MODULE, PACKAGE, Referent
from bearings.code.resolve.referents import BUILTIN, EXTERNAL, MISSING, is_module, module_at, package_at
from bearings.code.resolve.rules.library_table import library_of
from bearings.code.resolve.rules.python.search_roots import Configured, by_convention, configured

_STANDARD_LIBRARY = sys.stdlib_module_names | {"_typeshed"}
_SETTINGS = re.compile(r"(?:[^/]+/)?settings(?:\.py|/[^/]+\.py)")
"""Modules of settings, below the folder of Django's `manage.py`, if nothing names them."""
_MOST_SETTINGS = 8
_NOTHING = Configured()
_DECLARING = (".toml", ".cfg", "setup.py")
_DISTRIBUTION = re.compile(
    r"^[ \t]*(?!name\b|packages\b|include\b|where\b|from\b)[\"']?([A-Za-z0-9][\w.-]*)", re.MULTILINE
)
"""The first word of a line, but for those that name the project's own packages."""
_PACKAGE_FILES = ("/__init__.py", "/__init__.pyi")
_INSTALLED_ENDINGS = (".pyi", "/__init__.pyi", ".py", "/__init__.py")


class PythonModules(ModuleFinder):
    """Finds files of dotted names, for every importer of a project.

    An absolute name is searched in the folder of the importer's outermost package, in the folders that configuration
    around it names, in the folders above it and their `src`, in every folder that holds a package, beside the importer,
    and at last in the folders that other configuration and conventions name. A name without a file there is a
    library's.
    """

    def __init__(self, project: ProjectFiles) -> None:
        self._files = frozenset(path for path in project.paths if path.endswith((".py", ".pyi")))
        self._folders = {""} | {folder for path in self._files for folder in above(path)}
        self._configured = configured(project.manifests, self._folders)
        self._custom = by_convention(self._files)
        packages = (row for settings in self._configured.values() for row in settings.packages)
        self._placed = tuple(dict.fromkeys([*packages, *self._custom.packages]))
        self._names = {path.rpartition("/")[2].partition(".")[0] for path in (*self._files, *self._folders)}
        self._names |= {package.partition("/")[0] for package, _ in self._placed}
        self._closed = {
            folder
            for config_folder, settings in self._configured.items()
            for folder in settings.closed
            if folder != config_folder
        }
        self._roots: dict[str, tuple[str, ...]] = {}
        self._settings: dict[str, Referent] = {}
        self._manifests = project.manifests
        self._installed = project.installed if project.installed is not None and project.installed.folders else None

    @cached_property
    def _package_roots(self) -> tuple[str, ...]:
        roots = {
            dirname(dirname(path))
            for path in self._files
            if path.endswith(_PACKAGE_FILES) and not any(map(self._is_package, above(dirname(path))))
        }
        return tuple(sorted(set(map(self._open, roots)), key=lambda root: (root.count("/"), root)))

    @cached_property
    def _far_roots(self) -> dict[str, list[str]]:
        """The folders that any configuration or convention names, by the names of the modules directly in them.

        Of the other folders with configuration, their `src` and the packages that they hold.
        """
        roots = {*self._custom.roots, *(join(folder, "src") for folder in self._configured)}
        roots.update(root for settings in self._configured.values() for root in settings.roots)
        return grouped(
            (basename(path).partition(".")[0], root)
            for path in sorted({*self._files, *self._folders} - {""})
            if (root := dirname(path)) in roots or (root in self._configured and path in self._folders)
        )

    @cached_property
    def _declared(self) -> frozenset[str]:
        """The parts of the names of distributions that packages may depend on: `google-cloud-storage` has three."""
        texts = (text.decode("utf-8", "replace") for path, text in self._manifests.items() if path.endswith(_DECLARING))
        names = (name for text in texts for name in _DISTRIBUTION.findall(text))
        return frozenset(part for name in names for part in re.split(r"[-_.]", name.lower()) if part)

    @cached_property
    def _tails(self) -> Tails:
        return Tails({path.rpartition(".")[0].removesuffix("/__init__"): path for path in sorted(self._files)})

    def _may_be_root(self, folder: str) -> bool:
        """Whether a folder may be on the search path: a folder in a package, or built as a part of one, is not."""
        folder = folder.strip("/")
        return not self._is_package(folder) and self._open(folder) == folder

    def _is_package(self, folder: str) -> bool:
        return bool(folder) and (f"{folder}/__init__.py" in self._files or f"{folder}/__init__.pyi" in self._files)

    def _open(self, folder: str) -> str:
        """A folder, or the folder of the search path around it if the build puts it into a package."""
        closed = [outer for outer in (folder, *above(folder)) if outer in self._closed] if self._closed else ()
        if not closed:
            return folder
        is_root = any(closed[-1] in settings.roots for settings in self._configured.values())
        return closed[-1] if is_root else dirname(closed[-1])

    def find(self, importer: str, module: str) -> Referent:
        """The module, package or outside referent that `module`, with its dots, names in a file or a cell."""
        if importer.endswith("/"):
            return self.at(join(importer[:-1], module)) or MISSING
        if module == DJANGO_SETTINGS:
            folder = dirname(importer)
            if folder not in self._settings:
                self._settings[folder] = self._settings_around(folder)
            return self._settings[folder]
        name = module.lstrip(".")
        level = len(module) - len(name)
        if level:
            folder = dirname(importer)
            for _ in range(level - 1):
                folder = dirname(folder)
            return self.at(join(folder, *name.split(".")) if name else folder) or MISSING
        top, tail = name.partition(".")[0], name.replace(".", "/")
        if (top and top not in self._names) or is_installed(importer):
            return BUILTIN if top in _STANDARD_LIBRARY else self._of_installed(top, tail)
        found = self._absolute(importer, top, tail)
        return self._of_installed(top, tail) if found == EXTERNAL else found

    def spellings(self, importer: str, target: str, like: str, meant: str) -> Iterator[str]:
        """See ModuleFinder. A relative name stays relative where both are in one package."""
        parts = _stem(target).split("/")
        if like.startswith("."):
            folder, dots = dirname(importer), "."
            while folder and not f"{_stem(target)}/".startswith(f"{folder}/"):
                folder, dots = dirname(folder), f"{dots}."
            if self._is_package(folder) or dots == ".":
                yield dots + ".".join(parts[len(folder.split("/")) if folder else 0 :])
        elif like:
            for prefix, around in prefixes(like.split("."), _stem(meant).split("/")):
                yield ".".join(placed(prefix, around, parts))
        packages = [outer for outer in (_stem(target), *above(_stem(target))) if self._is_package(outer)]
        roots = [dirname(packages[-1])] if packages else self._roots_of(importer)
        for root in roots:
            yield ".".join(placed((), root.split("/") if root else (), parts))

    def _of_installed(self, top: str, tail: str) -> Referent:
        """A module of an installed package, of its stubs (PEP 561) first; EXTERNAL for none, or if a table knows it."""
        if self._installed is None or top in library_of("python").frameworks:
            return EXTERNAL
        stubs, folders = f"{top}-stubs{tail[len(top) :]}", self._installed.folders
        typed = (self.at(join(folder, stubs).lstrip("/")) for folder in folders)
        found = (self.at(join(folder, tail).lstrip("/")) for folder in folders)
        return next(filter(is_module, typed), None) or next(filter(None, found), EXTERNAL)

    def _absolute(self, importer: str, top: str, tail: str) -> Referent:
        """The module or package at a path below some root."""
        packages: list[Referent] = []
        for base in self._near(importer, tail):
            referent = self.at(base)
            if is_module(referent) and (referent.file != importer or importer.endswith(_PACKAGE_FILES)):
                return referent
            if referent is not None:  # a folder without code: `google/` may be spread over several roots
                packages.append(referent)
        if top in _STANDARD_LIBRARY:
            return BUILTIN
        beside = self.at(join(dirname(importer), tail))  # `import helpers` in a folder of scripts
        if is_module(beside) and beside.file != importer:
            return beside
        far = [referent for base in self._far(top, tail) if (referent := self.at(base)) is not None]
        modules = {referent.file for referent in far if referent.kind == MODULE} - {importer}
        nearest = sorted(modules, key=lambda path: shared(path, importer))[-2:]
        if nearest and (len(nearest) == 1 or shared(nearest[0], importer) < shared(nearest[1], importer)):
            return module_at(nearest[-1])
        if (packages or far) and (packages or far)[0].kind == PACKAGE:
            parts = tuple(dict.fromkeys(package.folder for package in (*packages, *far) if package.kind == PACKAGE))
            return package_at(parts[0], parts[1:])
        is_declared = top.lower() in self._declared
        likely = self._tails.find([tail], self._may_be_root) if "/" in tail and not is_declared else None
        # `one/shop/cart/__init__.py`, `two/shop/till/__init__.py`: `shop` is spread over both folders.
        spread = [root for root in self._package_roots if basename(root) == tail] if not is_declared else []
        if len(spread) > 1:
            return package_at(spread[0], tuple(spread[1:]))
        if likely is not None and importer not in likely.files:
            return likely
        # In a package of the project, a module that is not there is missing; any other one is a library's.
        roots = self._roots_of(importer)
        is_missing = any(self.at(join(root, top)) for root in roots) and any(
            self._is_package(join(root, top)) for root in roots
        )
        return MISSING if is_missing else EXTERNAL

    def at(self, base: str) -> Referent | None:
        """The module or package at a path without extension."""
        if self._installed is not None and is_installed(base):
            file = self._installed.first(f"{base}{ending}" for ending in _INSTALLED_ENDINGS)
            return module_at(file) if file else package_at(base) if self._installed.has_folder(base) else None
        for candidate in (f"{base}.py", f"{base}/__init__.py", f"{base}.pyi", f"{base}/__init__.pyi"):
            candidate = candidate.removeprefix("/")
            if candidate in self._files:
                return module_at(candidate)
        return package_at(base) if base in self._folders else None

    def _near(self, importer: str, tail: str) -> Iterator[str]:
        """The possible paths of a module, by configuration around its importer and the folders above it."""
        if self._placed:
            for folder in above(importer):
                yield from _placed(self._configured.get(folder, _NOTHING).packages, tail)
        for root in self._roots_of(importer):
            yield join(root, tail)

    def _far(self, top: str, tail: str) -> Iterator[str]:
        """The possible paths of a module by all other configuration."""
        for root in self._far_roots.get(top, ()):
            yield join(root, tail)
        yield from _placed(self._placed, tail)

    def _roots_of(self, importer: str) -> tuple[str, ...]:
        """The folders on the search path of a file, by configuration around it and by the places of packages."""
        place = dirname(importer)
        roots = self._roots.get(place)
        if roots is None:
            packages = [outer for outer in (place, *above(place)) if self._is_package(outer)]
            folder = self._open(dirname(packages[-1]) if packages else place)
            folders = [folder, *above(folder)]
            by_place = [root for outer in folders for root in (outer, join(outer, "src"))]
            configured_roots = [root for outer in folders for root in self._configured.get(outer, _NOTHING).roots]
            edited = [root for root in self._installed.folders if not is_installed(root)] if self._installed else ()
            in_order = [*by_place[:2], *configured_roots, *by_place, "", "src", *edited, *self._package_roots]
            roots = tuple(dict.fromkeys(in_order))
            self._roots[place] = roots
        return roots

    def _settings_around(self, folder: str) -> Referent:
        """The modules of Django's settings for the files of a folder, most likely first; MISSING for none."""
        folders = (folder, *above(folder))
        naming = sorted(path for path, settings in self._configured.items() if settings.settings)
        outer = [path for path in folders if path in naming]
        outer.sort(key=lambda path: join(path, "manage.py") not in self._files)
        below = [path for path in naming if not outer or f"{path}/".startswith(f"{outer[0]}/".removeprefix("/"))]
        named = [
            (join(path, "manage.py"), name) for path in (*outer, *below) for name in self._configured[path].settings
        ]
        modules = [self.find(path, name) for path, name in named]
        files = tuple(dict.fromkeys(module.file for module in modules if module.kind == MODULE))
        if not files:
            bases = sorted(dirname(path) for path in self._files if basename(path) == "manage.py")
            bases = [base for base in bases if base in folders] or bases
            beside = [
                path for base in bases for path in self._files if _SETTINGS.fullmatch(path.removeprefix(f"{base}/"))
            ]
            files = tuple(dict.fromkeys(sorted(beside)))
        return module_at(files[0], files[:_MOST_SETTINGS]) if files else MISSING


def _stem(path: str) -> str:
    """A path of a module or a package without extension and `/__init__`."""
    stem, extension = splitext(path)
    return stem.removesuffix("/__init__") if extension in (".py", ".pyi") else path


def _placed(packages: Iterable[tuple[str, str]], tail: str) -> Iterator[str]:
    """The paths of a module in packages whose folders have other names."""
    for package, folder in packages:
        if tail == package or tail.startswith(f"{package}/"):
            yield join(folder, tail[len(package) + 1 :]).rstrip("/")
