"""Finds the file of an ECMAScript module specifier."""

import re
from collections.abc import Iterator
from functools import cached_property
from posixpath import dirname, join, normpath, splitext
from typing import Any

from bearings.code.models import ProjectFiles
from bearings.code.resolve.modules.by_path import Tails
from bearings.code.resolve.modules.folders import above
from bearings.code.resolve.modules.jsonc import read_jsonc
from bearings.code.resolve.modules.module_finder import ModuleFinder
from bearings.code.resolve.referent import FOR_PLATFORM, MODULE, UNSURE, Referent
from bearings.code.resolve.referents import BUILTIN, EXTERNAL, MISSING, module_at
from bearings.code.resolve.rules.ecmascript.builtin_names import is_node_module
from bearings.code.resolve.rules.ecmascript.configured import Configured
from bearings.code.resolve.rules.ecmascript.conventions import conventions_of
from bearings.code.resolve.rules.ecmascript.frameworks import VIRTUAL
from bearings.code.resolve.rules.ecmascript.packages import dependencies_of, entries, satisfies, source_of, targets_of
from bearings.code.resolve.rules.ecmascript.paths import ENDINGS, EXTENSIONS, candidates, stem_of
from bearings.code.resolve.rules.ecmascript.tsconfig import Configurations

_MANIFEST = re.compile(r"(?:^|/)(?:package|deno)\.jsonc?$")
_PLATFORM = re.compile(r"\.(?:web|native|ios|android|macos|windows)(?=\.[cm]?[jt]sx?$)")
_SIGILS = "@~#$"
_OWN = re.compile(r"[~$]|@{1,2}/")
"""The start of an alias, which no package's name has."""
_ALIASED = re.compile(
    r"(?:npm|jsr|workspace):/?(?P<name>@?[^@*^~]+)(?:@(?P<range>.*))?|(?:file|link|portal):(?P<folder>.+)"
)
"""Another package's name with its range of versions, or a folder, as a dependency's version."""


class EcmaScriptModules(ModuleFinder):
    """Finds modules: relative, by aliases, of a workspace's package, `#internal`, by their paths; else outside."""

    def __init__(self, project: ProjectFiles) -> None:
        self._paths = project.paths
        self._packages: dict[str, str] = {}
        self._manifests: dict[str, dict[str, Any]] = {}
        for path in sorted(filter(_MANIFEST.search, project.manifests), key=_rank):
            content = read_jsonc(project.manifests[path])
            self._manifests.setdefault(dirname(path), content)
            if isinstance(content.get("name"), str):
                self._packages.setdefault(content["name"], dirname(path))
        self._configurations = Configurations(project.manifests, self._packages)
        self._configured = Configured(project.manifests, self._manifests)
        self._conventions = conventions_of(project)
        self._dependencies: dict[str, dict[str, str]] = {}
        self._found: dict[tuple[str, int, str], Referent] = {}

    @cached_property
    def _stems(self) -> dict[str, str]:
        """The best file of each path without an extension or `/index`."""
        ranks = {extension: rank for rank, extension in enumerate(EXTENSIONS)}
        files: dict[str, str] = {}
        for path in sorted(self._paths, key=lambda path: (ranks.get(splitext(path)[1], 99), path)):
            if splitext(path)[1] in ranks:
                files.setdefault(stem_of(path), path)
                files.setdefault(path, path)
        return files

    @cached_property
    def _tails(self) -> Tails:
        return Tails(self._stems)

    @cached_property
    def _platforms(self) -> dict[str, tuple[str, ...]]:
        """The files of each path that has one for a platform, without the platform's name."""
        by_stem: dict[str, list[str]] = {}
        for path in sorted(filter(_PLATFORM.search, self._paths)):
            by_stem.setdefault(stem_of(_PLATFORM.sub("", path)), []).append(path)
        return {
            stem: (*files, *(path for path in (f"{stem}{end}" for end in EXTENSIONS) if path in self._paths))
            for stem, files in by_stem.items()
        }

    def variants(self, path: str) -> tuple[str, ...]:
        """See ModuleFinder: the files for other platforms."""
        return self._platforms.get(stem_of(_PLATFORM.sub("", path)), ()) if self._platforms else ()

    def find(self, importer: str, specifier: str) -> Referent:
        """The module or outside referent that `specifier` names in `importer`."""
        key = (importer.rpartition("/")[0], id(self._configurations.near(importer)), specifier)
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = self._find(importer, specifier.rpartition("!")[2].partition("?")[0])
        return MISSING if known.files[:1] == UNSURE and importer in known.files else known

    def cells(self, importer: str, name: str, *, alone: bool) -> Iterator[tuple[str, str]]:
        """See ModuleFinder."""
        return self._conventions.cells(importer, name, alone=alone)

    def _find(self, importer: str, specifier: str) -> Referent:
        if specifier.startswith("."):
            return self._relative(importer, specifier)
        for place in self._places(importer, specifier):
            module = self._file(place)
            if module is not None:
                return module
        if specifier.startswith("/"):
            return MISSING if splitext(specifier)[1] in ENDINGS else EXTERNAL
        if is_node_module(specifier):
            return BUILTIN
        module = None
        if self._conventions.loads and specifier[:1] not in ("", "#"):  # an AMD loader's id, below the nearest folder
            loaded = (self._file(join(folder, specifier)) for folder in above(importer))
            module = next((one for one in loaded if one is not None), None)
        module = module or self._named(importer, specifier)
        if module.kind == MODULE or specifier.startswith(VIRTUAL) or ":" in specifier:
            return module
        # The file that no rule names, by the end of its path (see by_path.py). A dependency's module has none.
        is_asset = splitext(specifier)[1] in _ASSETS
        if is_asset or any(self._is_declared(folder, specifier) for folder in self._around(importer)):
            return module
        names = dict.fromkeys((specifier, stem_of(specifier)))
        return self._tails.find(tail for name in names for tail in _tails(name)) or module

    def _relative(self, importer: str, specifier: str) -> Referent:
        base = normpath(join(dirname(importer), specifier))
        module = self._file(base)
        for rules in self._configurations.near(importer) if module is None else ():  # `rootDirs`
            module = next((there for place in rules.beside(base) if (there := self._file(place))), module)
        return module or (MISSING if splitext(specifier)[1] in ENDINGS else EXTERNAL)

    def _places(self, importer: str, specifier: str) -> Iterator[str]:
        """The paths at which aliases and folders of modules place a specifier, best first."""
        for rules in (*self._configurations.near(importer), *self._configured.near(dirname(importer))):
            yield from rules.candidates(specifier)
        if specifier.startswith("/"):
            yield from (normpath(join(folder, specifier.lstrip("/"))) for folder in self._around(importer))

    def _file(self, base: str) -> Referent | None:
        """The module at a path as imports write it: a file, a folder's index, or a folder with a package."""
        base = "" if base == "." else base
        path = next((path for path in candidates(base) if path in self._paths), None)
        if path is None and base in self._manifests:
            path = next(entries(base, self._manifests[base], ".", self._paths), None)
        several = self._platforms.get(stem_of(base) if path is None else stem_of(path), ()) if self._platforms else ()
        path = several[0] if path is None and several else path
        files = (*FOR_PLATFORM, *several) if several else ()
        return None if path is None else module_at(path, files)

    def _around(self, importer: str) -> Iterator[str]:
        """The folders of packages around a file, the nearest first, and the project's."""
        return (folder for folder in above(importer) if folder in self._manifests or not folder)

    def _named(self, importer: str, specifier: str) -> Referent:
        """The module of a package's name, or of a name that a package gives its own modules."""
        if specifier.startswith("#"):
            return self._internal(importer, specifier)
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        name, rest = "/".join(parts[:count]), "/".join(parts[count:])
        folder = self._packages.get(name)
        if folder is None:
            folder = self._folder_of(importer, name)
        if folder is None:
            return MISSING if _OWN.match(specifier) and not specifier.startswith(VIRTUAL) else EXTERNAL
        path = next(entries(folder, self._manifests.get(folder, {}), f"./{rest}" if rest else ".", self._paths), None)
        return (self._file(path) if path is not None else None) or MISSING

    def _folder_of(self, importer: str, name: str) -> str | None:
        """The folder of a dependency with another name than its package's: `"name": "npm:package@1"`."""
        for around in self._around(importer):
            given = self._dependencies_of(around).get(name)
            alias = _ALIASED.match(given) if given is not None else None
            if alias is None:
                continue
            if alias["folder"]:
                return normpath(join(around, alias["folder"]))
            folder = self._packages.get(alias["name"])
            if folder is not None:
                version = str(self._manifests[folder].get("version", ""))
                return folder if satisfies(version, alias["range"] or "*") else None
        return None

    def _dependencies_of(self, folder: str) -> dict[str, str]:
        known = self._dependencies.get(folder)
        if known is None:
            known = self._dependencies[folder] = dependencies_of(self._manifests.get(folder, {}))
        return known

    def _is_declared(self, folder: str, specifier: str) -> bool:
        """Whether a package depends on the one of a specifier; or on one of its scope, which may bring it along."""
        head = specifier.partition("/")[0]
        names = self._dependencies_of(folder)
        is_scope = len(head) > 1 and head[0] == "@"
        return head in names or (is_scope and any(name.startswith(f"{head}/") for name in names))

    def _internal(self, importer: str, specifier: str) -> Referent:
        """The module of `#internal`, by the `imports` of the package around the importer."""
        folder = next(self._around(importer))
        imports = self._manifests.get(folder, {}).get("imports")
        for target in targets_of(imports, specifier) if isinstance(imports, dict) else ():
            if not target.startswith((".", "#")):
                return self._named(importer, target)
            path = next(source_of(folder, target, self._paths), None)
            if path is not None:
                return self._file(path) or MISSING
        return EXTERNAL if specifier.startswith(VIRTUAL) else MISSING


_ASSETS = frozenset(
    """.css .scss .sass .less .styl .pcss .png .jpg .jpeg .gif .svg .webp .avif .ico .json .json5 .yaml .yml .toml .txt
    .md .mdx .html .woff .woff2 .ttf .mp3 .mp4 .wasm .glsl .graphql .gql .csv .pdf""".split()
)


def _rank(path: str) -> tuple[bool, int, str]:
    """Packages of npm first: a folder may have both."""
    return not path.endswith("package.json"), len(path), path


def _tails(name: str) -> list[str]:
    """The ends of a path that an import may mean: two names at least, or one behind a sigil."""
    head, slash, rest = name.partition("/")
    if head.strip(_SIGILS) == "":
        return [rest] if rest else []
    if head[0] in "~#$":
        return [f"{head[1:]}/{rest}", rest] if slash else [head[1:]]
    if head[0] == "@":
        return [f"{head[1:]}/{rest}", *([rest] if "/" in rest else [])] if slash else []
    return [name] if slash else []
