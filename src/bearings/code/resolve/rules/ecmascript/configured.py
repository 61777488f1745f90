"""The aliases that configurations of bundlers, test runners and frameworks give to the files below their folders.

vite.config.ts    { resolve: { alias: { "@": "./src" } } }                    "@/cart" is src/cart
package.json      { "jest": { "moduleNameMapper": { "^~/(.*)": "<rootDir>/$1" } } }
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from posixpath import dirname, join, normpath
from typing import Any

from bearings.code.languages.ecmascript.setting_values import Place, RegularExpression, Setting, settings_in
from bearings.code.models import Language
from bearings.code.resolve.modules.folders import above
from bearings.code.resolve.modules.jsonc import read_jsonc
from bearings.code.resolve.rules.ecmascript.aliases import Aliases, expanded, patterns
from bearings.code.resolve.rules.ecmascript.frameworks import FRAMEWORKS, Framework
from bearings.code.resolve.rules.ecmascript.packages import dependencies_of

_KEYS = frozenset(
    {
        "alias", "aliases", "entries", "extraNodeModules", "imports", "modules", "moduleNameMapper", "_moduleAliases",
        "moduleDirectories", "modulePaths", "nodeModulesPaths", "root", "rootDir", "roots", "srcDir",
    }
)  # fmt: skip
_ROOTS = frozenset({"modules", "moduleDirectories", "modulePaths", "nodeModulesPaths", "roots"})
_ALIASES = frozenset({"alias", "aliases", "entries", "extraNodeModules", "_moduleAliases"})
_IMPORT_MAP = re.compile(r"(?:^|/)(?:deno\.jsonc?|import_?map[^/]*\.json)$")
_TOOL_FOLDERS = re.compile(r"(?:^|/)(?:build|config|configs|webpack|scripts|tools|\.config)$")
_MOST_FILES = 400
"""Configuration files that are read; a monorepo of 150 packages has some 300."""


class Configured:
    """The aliases of each folder with a package or a configuration; `packages` are the package.json by folder."""

    def __init__(self, manifests: Mapping[str, bytes], packages: Mapping[str, Mapping[str, Any]]) -> None:
        self._packages = packages
        files = [path for path in manifests if not path.endswith("package.json") and "tsconfig" not in path]
        self._by_folder: dict[str, list[str]] = {}
        for path in islice(sorted(files, key=lambda path: (path.count("/"), path)), _MOST_FILES):
            for folder in dict.fromkeys((dirname(path), self._package_of(dirname(path)))):
                self._by_folder.setdefault(folder, []).append(path)
        self._manifests = manifests
        self._known: dict[str, tuple[Aliases, ...]] = {}
        self._by_own_folder: dict[str, tuple[Aliases, ...]] = {}

    def near(self, folder: str) -> tuple[Aliases, ...]:
        """The aliases for the files in a folder, the nearest configuration's first."""
        known = self._known.get(folder)
        if known is None:
            known = self._known[folder] = tuple(chain(*map(self._aliases_of, (folder, *above(folder)))))
        return known

    def _aliases_of(self, folder: str) -> tuple[Aliases, ...]:
        """The aliases that are defined for a folder itself, found once."""
        known = self._by_own_folder.get(folder)
        if known is None:
            known = self._by_own_folder[folder] = tuple(self._read_aliases(folder))
        return known

    def _package_of(self, folder: str) -> str:
        """The folder of the package around a folder of tools, whose configurations are the package's; else the same."""
        if not _TOOL_FOLDERS.search(folder):
            return folder
        return next((around for around in (folder, *above(folder)) if around in self._packages), dirname(folder))

    def _read_aliases(self, folder: str) -> Iterator[Aliases]:
        """The aliases that are defined for a folder itself."""
        package = self._packages.get(folder, {})
        settings = [*settings_in({key: package.get(key) for key in ("jest", "babel", "_moduleAliases")}, _KEYS)]
        files = self._by_folder.get(folder, ())
        for path in files:
            settings += _settings_of(path, self._manifests[path], folder)
        sources = [one.value for one in settings if one.key == "srcDir" and isinstance(one.value, str)]
        jest = next(
            (_from_root(one.value, folder) for one in settings if one.key == "rootDir" and isinstance(one.value, str)),
            folder,
        )
        aliases = [_aliases(setting, jest if "<rootDir>" in str(setting.value) else folder) for setting in settings]
        yield from (one for one in aliases if one.paths or one.roots)
        names = {path.rpartition("/")[2] for path in files}
        dependencies = dependencies_of(package)
        for framework in FRAMEWORKS:
            is_named = framework.config and any(name.startswith(framework.config) for name in names)
            if is_named or not framework.packages.isdisjoint(dependencies):
                yield _framework_aliases(framework, folder, str(package.get("name", "")), sources)


@lru_cache(maxsize=512)
def _settings_of(path: str, source: bytes, folder: str) -> tuple[Setting, ...]:
    """The settings of one configuration file."""
    if _IMPORT_MAP.search(path):
        content = read_jsonc(source)
        return tuple(settings_in({"imports": content.get("imports")}, _KEYS))
    from bearings.code.parse import settings_of  # a process without configurations loads no grammar

    return tuple(settings_of(Language.TYPESCRIPT, path, source, folder, _KEYS))


def _aliases(setting: Setting, folder: str) -> Aliases:
    """The aliases of one setting; none if it has none."""
    key, around, value = setting
    if key in _ALIASES:
        return Aliases(paths=dict(_patterns_in(value, folder)))
    if key == "moduleNameMapper":
        return Aliases(paths=dict(_patterns_in(value, folder, are_expressions=True)))
    if key == "imports" and isinstance(value, dict):
        own = {name: to for name, to in value.items() if isinstance(to, str) and to.startswith((".", "/"))}
        stars = {name: "*" if name.endswith("/") else "" for name in own}
        return Aliases(paths={name + stars[name]: (_from_root(own[name], folder) + stars[name],) for name in own})
    in_plugin = "plugins" in around
    if (key in _ROOTS and (key != "modules" or around[-1:] == ("resolve",))) or (key == "root" and in_plugin):
        roots = [_from_root(root, folder) for root in _strings_in(value) if root != "node_modules"]
        return Aliases(roots=tuple(roots))
    if key == "root" and not around and isinstance(value, str):
        return Aliases(paths={"/*": (join(_from_root(value, folder), "*"),)})
    return Aliases()


def _patterns_in(value: Any, folder: str, *, are_expressions: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The patterns of `{name: target}` or `[{find, replacement}]`."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = [(one.get("find"), one.get("replacement")) for one in value if isinstance(one, dict)]
    for find, given in pairs:
        for target in _strings_in(given)[:1]:
            placed = _from_root(target, folder)
            if not isinstance(find, str) or not find:
                continue
            if are_expressions or isinstance(find, RegularExpression) or find.startswith("^"):
                # babel-plugin-module-resolver writes \1 for $1: `\\1` in a source that is read, `\1` in decoded JSON
                yield from expanded(find, re.sub(r"\\{1,2}(?=\d)", "$", placed)).items()
            else:
                yield from patterns(find, placed).items()


def _strings_in(value: Any) -> list[str]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def _from_root(path: str, folder: str) -> str:
    """The path from the project's root of a `path` that is relative to `folder`; `<rootDir>` is the folder, too."""
    if isinstance(path, Place):
        return str(path)
    written = path.replace("<rootDir>", ".").removeprefix("/")
    placed = normpath(join(folder, written)) + ("/" if written.endswith("/") and len(written) > 1 else "")
    return "" if placed in (".", "./") else placed


def _framework_aliases(framework: Framework, folder: str, name: str, sources: Iterable[str]) -> Aliases:
    """A framework's aliases for an application in a folder."""
    own = [*map(str, sources), *framework.sources]
    return Aliases(
        paths={
            pattern.replace("<name>", name): tuple(
                normpath(join(folder, target.replace("<src>", source)))
                for target in targets
                for source in (own if "<src>" in target else own[:1])
            )
            for pattern, targets in framework.paths.items()
        }
    )
