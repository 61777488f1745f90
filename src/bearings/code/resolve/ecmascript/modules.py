"""Finds the file of an ECMAScript module specifier."""

from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath, splitext
from typing import Any

from bearings.code.models import ProjectFiles
from bearings.code.resolve.ecmascript.builtin_names import is_node_module
from bearings.code.resolve.ecmascript.conventions import conventions_of
from bearings.code.resolve.ecmascript.tsconfig import Configurations, read_jsonc
from bearings.code.resolve.referents import BUILTIN, EXTERNAL, MISSING, Referent, ReferentKind
from bearings.code.resolve.strategy import ModuleFinder

_EXTENSIONS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts")
_ENDINGS = ("", *_EXTENSIONS)
_SOURCES = {
    ".js": (".ts", ".tsx", ".js", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".mjs", ".d.mts"),
    ".cjs": (".cts", ".cjs", ".d.cts"),
}
"""Extensions of the sources of a compiled file, best first."""
_BUILT = ("dist", "lib", "build", "out", "esm", "cjs", "es", "types", "dist/esm", "dist/cjs", "dist/types")
_CONDITIONS = ("source", "import", "module", "default", "require", "node", "browser", "types")


class EcmaScriptModules(ModuleFinder):
    """Finds modules: relative, aliased, of a workspace's package, `#internal`; else outside."""

    def __init__(self, project: ProjectFiles) -> None:
        self._paths = project.paths
        self._configurations = Configurations(project.manifests)
        self._packages: dict[str, tuple[str, dict[str, Any]]] = {}
        self._manifests: dict[str, dict[str, Any]] = {}
        for path in sorted(project.manifests, key=len):
            if path.rpartition("/")[2] == "package.json":
                content = read_jsonc(project.manifests[path])
                self._manifests[dirname(path)] = content
                if isinstance(content.get("name"), str):
                    self._packages.setdefault(content["name"], (dirname(path), content))
        self._conventions = conventions_of(project)
        self._found: dict[tuple[str, str], Referent] = {}

    def find(self, importer: str, specifier: str) -> Referent:
        """The module or outside referent that `specifier` names in `importer`."""
        key = (importer.rpartition("/")[0], specifier)
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = self._find(importer, specifier)
        return known

    def cells(self, importer: str, name: str, *, alone: bool) -> Iterator[tuple[str, str]]:
        """See ModuleFinder."""
        return self._conventions.cells(importer, name, alone=alone)

    def _find(self, importer: str, specifier: str) -> Referent:
        specifier = specifier.partition("?")[0]
        if specifier.startswith((".", "/")):
            found = self._file(normpath(join(dirname(importer), specifier)))
            return found or (MISSING if splitext(specifier)[1] in _ENDINGS else EXTERNAL)
        for candidate in self._configurations.near(importer).candidates(specifier):
            found = self._file(candidate)
            if found is not None:
                return found
        if is_node_module(specifier):
            return BUILTIN
        if specifier.startswith("#"):
            return self._internal(importer, specifier)
        return (self._loaded(importer, specifier) if self._conventions.loads else None) or self._package(specifier)

    def _loaded(self, importer: str, specifier: str) -> Referent | None:
        """The module of an AMD loader's id, below the nearest folder around the importer that has one."""
        folder = dirname(importer)
        while True:
            found = self._file(join(folder, specifier))
            if found is not None or not folder:
                return found
            folder = dirname(folder)

    def _file(self, base: str) -> Referent | None:
        base = "" if base == "." else base
        path = next((path for path in _candidates(base) if path in self._paths), None)
        if path is None and base in self._manifests:
            path = next(self._entries(base, self._manifests[base], "."), None)
        return Referent(ReferentKind.MODULE, path) if path is not None else None

    def _package(self, specifier: str) -> Referent:
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        name, rest = "/".join(parts[:count]), "/".join(parts[count:])
        if name not in self._packages:
            return EXTERNAL
        folder, manifest = self._packages[name]
        path = next(self._entries(folder, manifest, f"./{rest}" if rest else "."), None)
        return Referent(ReferentKind.MODULE, path) if path is not None else MISSING

    def _internal(self, importer: str, specifier: str) -> Referent:
        folder = dirname(importer)
        while folder and folder not in self._manifests:
            folder = dirname(folder)
        imports = self._manifests.get(folder, {}).get("imports")
        for target in _targets(imports if isinstance(imports, dict) else {}, specifier):
            path = next(self._source_of(folder, target), None)
            if path is not None:
                return Referent(ReferentKind.MODULE, path)
        return MISSING

    def _entries(self, folder: str, manifest: Mapping[str, Any], subpath: str) -> Iterator[str]:
        """The possible source files of a package's subpath, best first."""
        exports = manifest.get("exports")
        if isinstance(exports, str) or (isinstance(exports, dict) and not any(key.startswith(".") for key in exports)):
            exports = {".": exports}
        for target in _targets(exports, subpath) if isinstance(exports, dict) else ():
            yield from self._source_of(folder, target)
        if subpath != ".":
            for base in (join(folder, subpath[2:]), join(folder, "src", subpath[2:])):
                yield from (path for path in _candidates(base) if path in self._paths)
            return
        for field in ("source", "module", "main", "types", "typings"):
            if isinstance(manifest.get(field), str):
                yield from self._source_of(folder, manifest[field])
        for base in (join(folder, "src"), folder):
            yield from (path for path in _candidates(normpath(base) if base else "") if path in self._paths)

    def _source_of(self, folder: str, target: str) -> Iterator[str]:
        """The source of a published file: itself, or its path with `src` or nothing in place of the build's folder."""
        target = normpath(target)
        yield from (path for path in _candidates(normpath(join(folder, target))) if path in self._paths)
        for built in sorted(_BUILT, key=len, reverse=True):
            if target.startswith(f"{built}/"):
                for base in ("src", ""):
                    stem = normpath(join(folder, base, target[len(built) + 1 :]))
                    stem = stem.replace(".d.ts", ".ts").replace(".d.mts", ".mts").replace(".d.cts", ".cts")
                    yield from (path for path in _candidates(stem) if path in self._paths)


def _candidates(base: str) -> Iterator[str]:
    """The possible files of a path without an extension (or with another one), best first."""
    stem, extension = splitext(base)
    for source in _SOURCES.get(extension, ()):
        yield stem + source
    if extension and extension not in _SOURCES:
        yield base
    for extension in _EXTENSIONS:
        yield base + extension
    for extension in _EXTENSIONS:
        yield f"{base}/index{extension}" if base not in ("", ".") else f"index{extension}"


def _targets(table: Mapping[str, Any], subpath: str) -> list[str]:
    """The paths of a subpath in an `exports` or `imports` table, `*` filled in, preferred conditions first."""
    best: tuple[int, str, Any] | None = None
    for pattern, value in table.items():
        head, star, tail = pattern.partition("*")
        fits = subpath.startswith(head) and subpath.endswith(tail) if star else subpath == pattern
        if fits and len(subpath) >= len(head) + len(tail) and (best is None or len(head) > best[0]):
            best = len(head), subpath[len(head) : len(subpath) - len(tail)] if star else "", value
    return [target.replace("*", best[1]) for target in _leaves(best[2])] if best else []


def _leaves(value: Any) -> list[str]:
    """All paths in a tree of conditions: first of custom ones, which name sources, then by `_CONDITIONS`."""
    found, stack = [], [value]
    while stack:
        here = stack.pop()
        if isinstance(here, str):
            found.append(here)
        elif isinstance(here, list):
            stack += reversed(here)
        elif isinstance(here, dict):
            rank = {name: position for position, name in enumerate(_CONDITIONS)}
            stack += [here[key] for key in sorted(here, key=lambda key: rank.get(key, -1), reverse=True)]
    return found
