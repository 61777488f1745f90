"""The public API of a project: exports of its packages, whose users may be in other projects.

Each language has its own rule (see PublicApi). For npm, these are the declarations in the files that package.json
names, and in the files that those export from.
"""

import re
from collections.abc import Set
from functools import lru_cache

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS, spec_of
from bearings.code.languages.spec import LanguageSpec, PublicApi
from bearings.code.models import EdgeKind, Symbol
from bearings.code.project.names import is_aside
from bearings.code.search.manifests import exported_sources

_EXPORTS = frozenset({EdgeKind.EXPORT})
_IGNORED = re.compile(r"(?<![!\w])ignore\b")


def is_offered(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether a package exports the element."""
    if not symbol.exported:
        return False
    spec = SPECS[snapshot.facts[symbol.file].language]
    parts = symbol.file.split("/")[:-1]
    match spec.public_api:
        case PublicApi.ENTRIES:
            return symbol.file in _exported_files(snapshot)
        case PublicApi.PACKAGES:
            is_public = not any(part.startswith("_") for part in symbol.qualified_name.split("."))
            return is_public and _in_package(snapshot, parts, spec)
        case PublicApi.FOLDERS:
            return spec.private_folders.isdisjoint(parts) and "/".join(parts) not in _commands(snapshot)
        case PublicApi.UNKNOWN:
            return not (spec.program and _in_program(snapshot, "/".join(parts), spec))


@lru_cache(maxsize=1)
def _exported_files(snapshot: Snapshot) -> Set[str]:
    """The files that npm packages export, and all files from which these export: `export * from "./cart"`."""
    manifests = {path: data for path, data in snapshot.project.manifests.items() if not is_aside(path)}
    entries = list(exported_sources(manifests, snapshot.facts))
    types = [f"{entry.rpartition('.')[0]}.d.ts" for entry in entries]
    queue = [*entries, *(path for path in types if path in snapshot.facts)]
    exporting = set(queue)
    while queue:
        path = queue.pop()
        for id_ in snapshot.graph.within(path):
            targets = {edge.target.partition("#")[0] for edge in snapshot.graph.edges_from(id_, _EXPORTS)}
            new = (targets & snapshot.facts.keys()) - exporting
            exporting |= new
            queue += new
    return exporting


@lru_cache(maxsize=1)
def _commands(snapshot: Snapshot) -> Set[str]:
    """The folders of commands: those with a function main, in languages whose packages are folders."""
    # `//go:build ignore`: a program of its own in the folder of another package.
    paths = [path for path in snapshot.graph.names.get("main", ()) if not _IGNORED.search(snapshot.facts[path].build)]
    specs = {path: spec_of(path) for path in paths}
    return {path.rpartition("/")[0] for path, spec in specs.items() if spec and spec.public_api is PublicApi.FOLDERS}


@lru_cache(maxsize=256)
def _in_program(snapshot: Snapshot, folder: str, spec: LanguageSpec) -> bool:
    """Whether the nearest manifest beside or above a folder is one of a program."""
    manifests = snapshot.project.manifests
    while True:
        for name in spec.manifests:
            data = manifests.get(f"{folder}/{name}".removeprefix("/"))
            if data is not None:
                return re.search(spec.program, data.decode("utf-8", "replace")) is not None
        if not folder:
            return False
        folder = folder.rpartition("/")[0]


def _in_package(snapshot: Snapshot, parts: list[str], spec: LanguageSpec) -> bool:
    """Whether a folder belongs to an installable package, by the manifests beside or above it."""
    paths = snapshot.project.paths
    if "/".join([*parts, spec.package_file]) not in paths:
        return False
    return any("/".join([*parts[:depth], name]) in paths for depth in range(len(parts)) for name in spec.manifests)
