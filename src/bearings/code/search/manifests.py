"""Content of package.json, pyproject.toml and go.mod. Unreadable parts are ignored."""

import itertools
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from bearings import parsing
from bearings.code.resolve.rules.go.modules import described
from bearings.code.search.python_needs import is_requirement_file, requirements_in

_GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_NAME_SEPARATORS = re.compile(r"[-_.]+")
_MAJOR = re.compile(r"/v\d+$")
VERSION = re.compile(r"[\s\[<>=!~;(@]")
_BUILT = re.compile(r"^(?:dist|lib|build|out|es|esm|cjs)/(?:(?:esm|cjs|es|types)/)?")
_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_SOURCES = (".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cjs")


def dependencies(path: str, data: bytes) -> list[str]:
    """The dependencies of a manifest, of any group: npm's as written, Python's in lower case, Go's modules.

    Go's modules are without the suffix of a major version.
    """
    if is_requirement_file(path):
        return [_normal(name) for name in requirements_in(path, data)]
    if not is_package(path):
        return []
    manifest = manifest_of(path, data)
    if path.endswith(".json"):
        return [name for group in _GROUPS for name in table_of(manifest.get(group))]
    if path.endswith(".mod"):
        return [_MAJOR.sub("", name) for name in table_of(manifest.get("dependencies"))]
    return [_normal(VERSION.split(name.strip())[0]) for name in _python_needs(manifest)]


def _normal(name: str) -> str:
    """A Python package's name as indexes compare it."""
    return _NAME_SEPARATORS.sub("-", name).lower()


def _python_needs(manifest: dict[str, Any]) -> Iterator[str]:
    """Requirements of a pyproject.toml: of the package, its extras, its groups, and poetry's."""
    project, tools = table_of(manifest.get("project")), table_of(manifest.get("tool"))
    lists = [project.get("dependencies")]
    for table in (project.get("optional-dependencies"), manifest.get("dependency-groups")):
        lists += table_of(table).values()
    for rows in lists:
        yield from (row for row in rows if isinstance(row, str)) if isinstance(rows, list) else ()
    poetry = table_of(tools.get("poetry"))
    groups = [table_of(group).get("dependencies") for group in table_of(poetry.get("group")).values()]
    for table in (poetry.get("dependencies"), *groups):
        yield from table_of(table)


def exported_sources(manifests: Mapping[str, bytes], paths: Collection[str]) -> dict[str, str]:
    """The sources among `paths` that packages export: path → the name that importers write.

    {"src/index.ts": "cart", "src/tax.ts": "cart/tax"} for a package.json with the name `cart` and two exports.
    """
    names: dict[str, str] = {}
    for path, data in sorted(manifests.items(), key=lambda item: (item[0].count("/"), item[0])):
        if is_package(path):
            manifest, folder = manifest_of(path, data), path.rpartition("/")[0]
            for name, candidates in _MODULES[path.rpartition(".")[2]](manifest):
                found = [source for candidate in candidates for source in _matching(_join(folder, candidate), paths)]
                for source in found if "*" in name else found[:1]:
                    names.setdefault(source, name)
    return names


def _matching(source: str, paths: Collection[str]) -> list[str]:
    """The paths that a source means: itself, or all that fit `src/*.ts`, as in `"./*": "./src/*.ts"`."""
    if "*" not in source:
        return [source] if source in paths else []
    pattern = re.compile(re.escape(source).replace(r"\*", ".+"))
    return [path for path in paths if pattern.fullmatch(path)]


def _python_modules(manifest: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    name = str(table_of(manifest.get("project")).get("name") or "").replace("-", "_")
    if name:
        packages = (name, name.lower())
        yield name.lower(), [f"{base}{package}/__init__.py" for base in ("src/", "") for package in packages]


def _script_modules(manifest: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The exports of a package.json, each with its possible sources."""
    name = str(manifest.get("name") or "")
    exports = manifest.get("exports")
    table = (
        exports if isinstance(exports, dict) and all(str(key).startswith(".") for key in exports) else {".": exports}
    )
    for key, target in table.items():
        entry_fields = ("source", "module", "main", "types", "typings", "svelte", "browser") if key == "." else ()
        entries = [str(manifest[field]) for field in entry_fields if isinstance(manifest.get(field), str)]
        files = [list(_sources(built)) for built in (*_targets(target), *entries)]
        yield from ((name + str(key)[1:], sources) for sources in files)
        usual_sources = ["src/index.ts", "src/index.tsx", "src/index.js", "index.ts", "index.js"] if key == "." else []
        yield name + str(key)[1:], [*itertools.chain(*files), *usual_sources]


def _go_modules(manifest: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The package in a module's own folder, by the file of the same name."""
    name = str(manifest["name"])
    last = _MAJOR.sub("", name).rpartition("/")[2]
    yield name, [f"{last}.go", f"{last.removeprefix('go-')}.go", "doc.go"]


_MODULES = {"toml": _python_modules, "json": _script_modules, "mod": _go_modules}
"""The exports of each kind of manifest, with their possible sources."""


def _targets(target: Any) -> Iterator[str]:
    """The files of an export, under all conditions."""
    if isinstance(target, str):
        yield target
    elif isinstance(target, dict):
        for inner in target.values():
            yield from _targets(inner)


def _sources(built: str) -> Iterator[str]:
    """The possible sources of a built file, relative to its manifest."""
    built_path = built.removeprefix("./")
    yield built_path
    # dist/esm/index.js is built from src/index.ts, or from index.ts beside the manifest.
    for base in (_BUILT.sub("src/", built_path), _BUILT.sub("", built_path)):
        stem = _SUFFIX.sub("", base)
        yield from (stem + suffix for suffix in _SOURCES)


def _join(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path


def is_package(path: str) -> bool:
    """Whether a manifest describes a package."""
    return path.rpartition("/")[2] in ("package.json", "pyproject.toml", "go.mod")


def manifest_of(path: str, data: bytes) -> dict[str, Any]:
    """The content of a package's manifest; empty if it can't be read."""
    if path.endswith(".mod"):
        name, needed = described(data)
        return {"name": name, "dependencies": dict.fromkeys(needed, "")}
    try:
        return table_of(parsing.toml(data.decode()) if path.endswith(".toml") else parsing.from_json(data))
    except ValueError:
        return {}


def table_of(value: Any) -> dict[str, Any]:
    """A table of a manifest; empty for another value."""
    return value if isinstance(value, dict) else {}
