"""Path aliases of tsconfig.json, jsconfig.json and the files that they extend, refer to or lie beside.

tsconfig.json     { "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }        "@/cart" is src/cart
                  { "extends": "./tsconfig.base.json" }                           the options of another file
                  { "references": [{ "path": "./tsconfig.app.json" }] }           the files of a folder, in parts
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import Any

from bearings.code.grouping import grouped
from bearings.code.resolve.modules.folders import above
from bearings.code.resolve.modules.jsonc import read_jsonc
from bearings.code.resolve.rules.ecmascript.aliases import Aliases

_DEEPEST = 100
"""The longest chain of `extends` to follow; real projects have three or four."""
_MOST_EXTENDED = 100
"""Installed configurations that are looked for: each is opened at every question."""
_MAIN = ("tsconfig.json", "jsconfig.json")
_NAME = re.compile(r"(?:^|/)[tj]sconfig[^/]*\.json$")
_CONFIG_DIR = "${configDir}"
"""The folder of the configuration that is used, in the paths of one that it extends."""


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of a configuration, its own or inherited, with paths from the project's root.

    `base`: the folder in which names are searched (`baseUrl`). `paths`: the targets of each pattern. `merged_folders`:
    `rootDirs`. `included`: the starts of the paths that it includes, None if it does not say.
    """

    base: str | None = None
    paths: Mapping[str, tuple[str, ...]] | None = None
    merged_folders: tuple[str, ...] = ()
    included: tuple[str, ...] | None = None

    def aliases(self) -> Aliases:
        return Aliases(() if self.base is None else (self.base,), self.paths or {}, self.merged_folders)


class Configurations:
    """The configurations for each file. `folders` has the folder of each package of the project by its name."""

    def __init__(self, manifests: Mapping[str, bytes], folders: Mapping[str, str] | None = None) -> None:
        self._manifests = manifests
        self._folders = folders or {}
        self._options_cache: dict[str, _Options] = {}
        self._nearest_cache: dict[str, tuple[str, ...]] = {}
        self._aliases_cache: dict[tuple[str, ...], tuple[Aliases, ...]] = {}
        self._by_folder = grouped((dirname(path), path) for path in sorted(filter(_NAME.search, manifests), key=_rank))

    def near(self, path: str) -> tuple[Aliases, ...]:
        """The aliases for the file at `path`: of the configuration that includes it, then of others of the folder.

        The same object for files for which they are the same.
        """
        files = self._nearest(dirname(path))
        if len(files) > 1:
            starts = {file: self._read(file).included or () for file in files[1:]}
            including = [file for file in starts if any(_is_in(path, start) for start in starts[file])]
            first = including if including and not self._read(files[0]).paths else [files[0]]
            files = tuple(dict.fromkeys([*first, *including, *files]))
        aliases = self._aliases_cache.get(files)
        if aliases is None:
            options = map(self._read, files)
            aliases = self._aliases_cache[files] = tuple(
                option.aliases()
                for option in options
                if option.paths or option.base is not None or option.merged_folders
            )
        return aliases

    def _nearest(self, folder: str) -> tuple[str, ...]:
        """The configurations of the nearest folder that has any, its main one first; with those it refers to."""
        files = self._nearest_cache.get(folder)
        if files is None:
            nearest = next((outer for outer in (folder, *above(folder)) if outer in self._by_folder), folder)
            own = self._by_folder.get(nearest, [])
            referred = self._referred(own[0]) if own else []
            files = self._nearest_cache[folder] = tuple(dict.fromkeys([*own[:1], *referred, *own[1:]]))
        return files

    def _referred(self, path: str) -> list[str]:
        """The configurations to which one refers: `"references": [{"path": "./tsconfig.app.json"}]`."""
        references = _content(self._manifests[path]).get("references")
        if not isinstance(references, list):
            return []
        targets = [reference.get("path") for reference in references if isinstance(reference, dict)]
        files = [self._at(normpath(join(dirname(path), target))) for target in targets if isinstance(target, str)]
        return [file for file in files if file is not None]

    def _read(self, path: str, seen: tuple[str, ...] = ()) -> _Options:
        """A configuration's options, read once."""
        options = self._options_cache.get(path)
        if options is None:
            options = self._options_cache[path] = self._options(path, seen)
        return options

    def _options(self, path: str, seen: tuple[str, ...]) -> _Options:
        """The options of a configuration, its own and inherited ones; the configurations in `seen` extend it."""
        content, folder = _content(self._manifests[path]), dirname(path)
        from_others = _Options()
        for name in _extends(content):
            other = self._extended(path, name)
            if other is not None and other != path and other not in seen and len(seen) < _DEEPEST:
                inherited = self._read(other, (*seen, path))
                from_others = _Options(
                    inherited.base if inherited.base is not None else from_others.base,
                    _moved(inherited.paths, folder) or from_others.paths,
                    inherited.merged_folders or from_others.merged_folders,
                )
        options = content.get("compilerOptions")
        options = options if isinstance(options, dict) else {}
        base, paths = from_others.base, from_others.paths
        merged_folders = _placed(options.get("rootDirs"), folder) or from_others.merged_folders
        if isinstance(options.get("baseUrl"), str):
            base = _normal(join(folder, options["baseUrl"].replace(_CONFIG_DIR, ".")))
        if isinstance(options.get("paths"), dict):
            start = base if base is not None else folder
            paths = {
                pattern: tuple(target if _CONFIG_DIR in target else join(start, target) for target in _texts(targets))
                for pattern, targets in options["paths"].items()
            }
        return _Options(base, paths, merged_folders, _included(content, folder))

    def _extended(self, path: str, name: str) -> str | None:
        """The configuration that `extends` names: relative, of a package of the project, or of an installed one."""
        if name.startswith((".", "/")):
            return self._at(normpath(join(dirname(path), name)))
        parts = name.split("/")
        count = 2 if name.startswith("@") else 1
        package = "/".join(parts[:count])
        if package in self._folders:
            return self._at(normpath(join(self._folders[package], *parts[count:])))
        return next((file for place in _installed(path, name) if (file := self._at(place))), None)

    def _at(self, target: str) -> str | None:
        """The configuration at a path, which may lack its extension, or be a folder; None if the project has none."""
        paths = (target, f"{target}.json", f"{target}/tsconfig.json")
        return next((path for path in paths if path in self._manifests), None)


def _installed(path: str, name: str) -> list[str]:
    """The places of an installed package's file for a file at `path`, the nearest first."""
    return [join(folder, "node_modules", name) for folder in above(path)]


def extended_files(manifests: Mapping[str, bytes]) -> frozenset[str]:
    """The possible paths of configurations that others extend, beside the manifests and the project's own packages."""
    own = {_content(source).get("name") for path, source in manifests.items() if path.endswith("package.json")}
    possible: set[str] = set()
    for path in (path for path in manifests if path.endswith(".json") and not path.endswith("package.json")):
        for name in _extends(_content(manifests[path])):
            is_relative = name.startswith(".")
            places = [normpath(join(dirname(path), name))] if is_relative else _installed(path, name)
            if is_relative or "/".join(name.split("/")[: 2 if name.startswith("@") else 1]) not in own:
                ends = ("",) if name.endswith(".json") else (".json", "/tsconfig.json")
                possible |= {place + end for place in places for end in ends} - manifests.keys()
    return frozenset(sorted(path for path in possible if not path.startswith("../"))[:_MOST_EXTENDED])


def _extends(content: Mapping[str, Any]) -> list[str]:
    extended = content.get("extends", ())
    return [extended] if isinstance(extended, str) else _texts(extended)


@lru_cache(maxsize=512)
def _content(source: bytes) -> dict[str, Any]:
    return read_jsonc(source)


def _rank(path: str) -> tuple[int, str]:
    """The main configuration of a folder first, then tsconfig.base.json."""
    name = path.rpartition("/")[2]
    return (_MAIN.index(name) if name in _MAIN else 2 if name.startswith("tsconfig.base") else 3), path


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _normal(path: str) -> str:
    return "" if (normal := normpath(path)) == "." else normal


def _placed(value: Any, folder: str) -> tuple[str, ...]:
    """The folders in a list, from the project's root."""
    return tuple(_normal(join(folder, path.replace(_CONFIG_DIR, "."))) for path in _texts(value))


def _moved(paths: Mapping[str, tuple[str, ...]] | None, folder: str) -> Mapping[str, tuple[str, ...]] | None:
    """Inherited paths, with `${configDir}` as the folder of the configuration that inherits them."""
    if paths is None or not any(_CONFIG_DIR in target for targets in paths.values() for target in targets):
        return paths
    return {
        pattern: tuple(target.replace(_CONFIG_DIR, folder or ".") for target in targets)
        for pattern, targets in paths.items()
    }


def _included(content: Mapping[str, Any], folder: str) -> tuple[str, ...] | None:
    """The starts of the paths that a configuration includes; None if it does not say."""
    if not ("include" in content or "files" in content):
        return None
    globs = (*_texts(content.get("include")), *_texts(content.get("files")))
    starts = (glob.partition("*")[0] for glob in globs)
    return tuple(_normal(join(folder, start.replace(_CONFIG_DIR, "."))) for start in starts)


def _is_in(path: str, start: str) -> bool:
    return not start or path == start or path.startswith(f"{start.rstrip('/')}/")
