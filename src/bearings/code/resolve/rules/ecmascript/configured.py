"""The aliases that configurations of bundlers, test runners and frameworks define for the files below their folders.

vite.config.ts    { resolve: { alias: { "@": "./src" } } }                    "@/cart" is src/cart
package.json      { "jest": { "moduleNameMapper": { "^~/(.*)": "<rootDir>/$1" } } }
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from itertools import chain
from posixpath import dirname, join, normpath
from typing import Any

from bearings.code.grouping import grouped
from bearings.code.languages.ecmascript.setting_values import Place, RegularExpression, Setting, settings_in
from bearings.code.models import Language
from bearings.code.resolve.modules.folders import above
from bearings.code.resolve.modules.jsonc import read_jsonc
from bearings.code.resolve.rules.ecmascript.aliases import Aliases, expanded, patterns
from bearings.code.resolve.rules.ecmascript.frameworks import FRAMEWORKS, Framework
from bearings.code.resolve.rules.ecmascript.packages import dependencies_of

_ALL_KEYS = frozenset(
    {
        "alias", "aliases", "entries", "extraNodeModules", "imports", "modules", "moduleNameMapper", "_moduleAliases",
        "moduleDirectories", "modulePaths", "nodeModulesPaths", "root", "rootDir", "roots", "srcDir",
    }
)  # fmt: skip
_ROOT_KEYS = frozenset({"modules", "moduleDirectories", "modulePaths", "nodeModulesPaths", "roots"})
_ALIAS_KEYS = frozenset({"alias", "aliases", "entries", "extraNodeModules", "_moduleAliases"})
_IMPORT_MAP = re.compile(r"(?:^|/)(?:deno\.jsonc?|import_?map[^/]*\.json)$")
_TOOL_FOLDERS = re.compile(r"(?:^|/)(?:build|config|configs|webpack|scripts|tools|\.config)$")
_MOST_FILES = 400
"""Configuration files that are read; a monorepo of 150 packages has some 300."""


class Configured:
    """The aliases of each folder with a package or a configuration; `packages` are the package.json by folder."""

    def __init__(self, manifests: Mapping[str, bytes], packages: Mapping[str, Mapping[str, Any]]) -> None:
        self._packages = packages
        files = [path for path in manifests if not path.endswith("package.json") and "tsconfig" not in path]
        self._by_folder = grouped(
            (folder, path)
            for path in nsmallest(_MOST_FILES, files, key=lambda path: (path.count("/"), path))
            for folder in dict.fromkeys((dirname(path), self._package_folder(dirname(path))))
        )
        self._manifests = manifests
        self._near_cache: dict[str, tuple[Aliases, ...]] = {}
        self._own_cache: dict[str, tuple[Aliases, ...]] = {}

    def near(self, folder: str) -> tuple[Aliases, ...]:
        """The aliases for the files in a folder, the nearest configuration's first."""
        aliases = self._near_cache.get(folder)
        if aliases is None:
            aliases = self._near_cache[folder] = tuple(chain(*map(self._own, (folder, *above(folder)))))
        return aliases

    def _own(self, folder: str) -> tuple[Aliases, ...]:
        """The aliases that are defined for a folder itself, read once."""
        aliases = self._own_cache.get(folder)
        if aliases is None:
            aliases = self._own_cache[folder] = tuple(self._read_own(folder))
        return aliases

    def _package_folder(self, folder: str) -> str:
        """The folder to which a configuration in `folder` applies: web for web/config/vite.config.ts.

        For a folder of tools, the folder of the package around it, or its parent without a package; else `folder`.
        """
        if not _TOOL_FOLDERS.search(folder):
            return folder
        return next((outer for outer in (folder, *above(folder)) if outer in self._packages), dirname(folder))

    def _read_own(self, folder: str) -> Iterator[Aliases]:
        """The aliases that are defined for a folder itself."""
        package = self._packages.get(folder, {})
        settings = [*settings_in({key: package.get(key) for key in ("jest", "babel", "_moduleAliases")}, _ALL_KEYS)]
        files = self._by_folder.get(folder, ())
        for path in files:
            settings += _settings_of(path, self._manifests[path], folder)
        root_dirs = [_from_root(root, folder) for root in _texts_of(settings, "rootDir")]
        root_dir = root_dirs[0] if root_dirs else folder  # what jest's <rootDir> stands for
        for setting in settings:
            aliases = _aliases_in_setting(setting, root_dir if "<rootDir>" in str(setting.value) else folder)
            if aliases.paths or aliases.roots:
                yield aliases
        file_names = {path.rpartition("/")[2] for path in files}
        dependencies = dependencies_of(package)
        for framework in FRAMEWORKS:
            is_configured = framework.config and any(name.startswith(framework.config) for name in file_names)
            if is_configured or not framework.packages.isdisjoint(dependencies):
                sources = (*_texts_of(settings, "srcDir"), *framework.sources)
                yield _aliases_of_framework(framework, folder, str(package.get("name", "")), sources)


@lru_cache(maxsize=512)
def _settings_of(path: str, source: bytes, folder: str) -> tuple[Setting, ...]:
    """The settings of one configuration file."""
    if _IMPORT_MAP.search(path):
        content = read_jsonc(source)
        return tuple(settings_in({"imports": content.get("imports")}, _ALL_KEYS))
    from bearings.code.syntax_trees import settings_of  # a process without configurations loads no grammar

    return tuple(settings_of(Language.TYPESCRIPT, path, source, folder, _ALL_KEYS))


def _texts_of(settings: Iterable[Setting], key: str) -> list[str]:
    """The values of one key that are texts, or a Place."""
    return [setting.value for setting in settings if setting.key == key and isinstance(setting.value, str)]


def _aliases_in_setting(setting: Setting, folder: str) -> Aliases:
    """The aliases of one setting; none if it has none."""
    key, outer_keys, value = setting
    if key in _ALIAS_KEYS:  # Vite's and webpack's `resolve: { alias: … }`, Rollup's `entries`, Metro's modules
        return Aliases(paths=dict(_patterns_in(value, folder)))
    if key == "moduleNameMapper":  # jest
        return Aliases(paths=dict(_patterns_in(value, folder, are_expressions=True)))
    if key == "imports" and isinstance(value, dict):
        return _aliases_in_import_map(value, folder)
    # webpack's `resolve: { modules: ["src"] }`, jest's `roots`, Metro's `nodeModulesPaths`
    is_root = key in _ROOT_KEYS and (key != "modules" or outer_keys[-1:] == ("resolve",))
    if is_root or (key == "root" and "plugins" in outer_keys):  # the `root` of babel-plugin-module-resolver
        roots = [_from_root(root, folder) for root in _texts_in(value) if root != "node_modules"]
        return Aliases(roots=tuple(roots))
    if key == "root" and not outer_keys and isinstance(value, str):  # Vite: "/cart.js" lies below the root
        return Aliases(paths={"/*": (join(_from_root(value, folder), "*"),)})
    return Aliases()


def _aliases_in_import_map(imports: Mapping[str, Any], folder: str) -> Aliases:
    """The aliases of an import map: {"cart": "./src/cart.ts", "$/": "./lib/"}; names of libraries are left out."""
    paths = {}
    for name, target in imports.items():
        if isinstance(target, str) and target.startswith((".", "/")):
            star = "*" if name.endswith("/") else ""
            paths[name + star] = (_from_root(target, folder) + star,)
    return Aliases(paths=paths)


def _patterns_in(value: Any, folder: str, *, are_expressions: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The patterns of `{name: target}` or `[{find, replacement}]`."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = [(item.get("find"), item.get("replacement")) for item in value if isinstance(item, dict)]
    for alias, targets in pairs:
        for target in _texts_in(targets)[:1]:
            path = _from_root(target, folder)
            if not isinstance(alias, str) or not alias:
                continue
            if are_expressions or isinstance(alias, RegularExpression) or alias.startswith("^"):
                # babel-plugin-module-resolver writes \1 for $1: `\\1` in a source that is read, `\1` in decoded JSON
                yield from expanded(alias, re.sub(r"\\{1,2}(?=\d)", "$", path)).items()
            else:
                yield from patterns(alias, path).items()


def _texts_in(value: Any) -> list[str]:
    """The texts in a list, or a text alone; a Place stays a Place."""
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)]


def _from_root(path: str, folder: str) -> str:
    """Turns a path relative to `folder` into one relative to the project; `<rootDir>` stands for the folder, too.

    "./src" in web is web/src. A path that its configuration has built already (a Place) is relative to the project.
    """
    if isinstance(path, Place):
        return str(path)
    written = path.replace("<rootDir>", ".").removeprefix("/")
    from_root = normpath(join(folder, written)) + ("/" if written.endswith("/") and len(written) > 1 else "")
    return "" if from_root in (".", "./") else from_root


def _aliases_of_framework(framework: Framework, folder: str, package_name: str, sources: Sequence[str]) -> Aliases:
    """A framework's aliases for an application in a folder, with each of its folders of sources for `<src>`."""
    paths = {}
    for pattern, targets in framework.paths.items():
        paths[pattern.replace("<name>", package_name)] = tuple(
            normpath(join(folder, target.replace("<src>", source)))
            for target in targets
            for source in (sources if "<src>" in target else sources[:1])  # without <src>, one target is enough
        )
    return Aliases(paths=paths)
