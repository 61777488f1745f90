"""Content of package.json, pyproject.toml and go.mod. Unreadable parts are ignored."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from bearings import parsing
from bearings.code.analyses.python_needs import is_requirement_file, requirements_in
from bearings.code.project.names import is_aside
from bearings.code.replies.overview import Package
from bearings.code.resolve.rules.go.modules import described

_MOST = 15
_SCRIPTS = 8
_USEFUL = ("test", "build", "dev", "start", "lint", "typecheck", "format", "check")
"""Scripts that a newcomer needs, in this order."""
_GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_NAME_SEPARATORS = re.compile(r"[-_.]+")
_MAJOR = re.compile(r"/v\d+$")
_VERSION = re.compile(r"[\s\[<>=!~;(@]")
_BUILT = re.compile(r"^(?:dist|lib|build|out|es|esm|cjs)/(?:(?:esm|cjs|es|types)/)?")
_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_SOURCES = (".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cjs")


def packages(manifests: Mapping[str, bytes]) -> tuple[Package, ...]:
    """The packages of a project, the outermost first."""
    own = {path: data for path, data in manifests.items() if _is_package(path) and not is_aside(path)}
    found = [_package(path, _read(path, data)) for path, data in own.items()]
    named = [package for package in found if package.name or package.scripts or package.dependencies]
    return tuple(sorted(named, key=lambda package: (package.manifest.count("/"), package.manifest)))


def scripts_of(manifests: Mapping[str, bytes]) -> list[str]:
    """Commands that packages install, as `name = target`."""
    return [
        f"{name} = {target}"
        for path, data in manifests.items()
        if _is_package(path)
        for manifest in [_read(path, data)]
        for table in (_dict(_dict(manifest.get("project")).get("scripts")), _bins(manifest))
        for name, target in table.items()
    ]


def dependencies(path: str, data: bytes) -> list[str]:
    """The dependencies of a manifest, of any group: npm's as written, Python's in lower case, Go's modules.

    Go's modules are without the suffix of a major version.
    """
    if is_requirement_file(path):
        return [_normal(name) for name in requirements_in(path, data)]
    if not _is_package(path):
        return []
    manifest = _read(path, data)
    if path.endswith(".json"):
        return [name for group in _GROUPS for name in _dict(manifest.get(group))]
    if path.endswith(".mod"):
        return [_MAJOR.sub("", name) for name in _dict(manifest.get("dependencies"))]
    return [_normal(_VERSION.split(name.strip())[0]) for name in _python_needs(manifest)]


def _normal(name: str) -> str:
    """A Python package's name as indexes compare it."""
    return _NAME_SEPARATORS.sub("-", name).lower()


def _python_needs(manifest: dict[str, Any]) -> Iterator[str]:
    """Requirements of a pyproject.toml: of the package, its extras, its groups, and poetry's."""
    project, tools = _dict(manifest.get("project")), _dict(manifest.get("tool"))
    lists = [project.get("dependencies")]
    for table in (project.get("optional-dependencies"), manifest.get("dependency-groups")):
        lists += _dict(table).values()
    for rows in lists:
        yield from (row for row in rows if isinstance(row, str)) if isinstance(rows, list) else ()
    poetry = _dict(tools.get("poetry"))
    groups = [_dict(group).get("dependencies") for group in _dict(poetry.get("group")).values()]
    for table in (poetry.get("dependencies"), *groups):
        yield from _dict(table)


def _usefulness(script: str) -> tuple[int, int]:
    first = script.partition(":")[0]
    return (_USEFUL.index(first) if first in _USEFUL else len(_USEFUL), script.count(":"))


def offered(manifests: Mapping[str, bytes], paths: Collection[str]) -> dict[str, str]:
    """The sources among `paths` that packages export: path → the name of the import."""
    found: dict[str, str] = {}
    for path, data in sorted(manifests.items(), key=lambda item: (item[0].count("/"), item[0])):
        if _is_package(path):
            manifest, folder = _read(path, data), path.rpartition("/")[0]
            for name, candidates in _MODULES[path.rpartition(".")[2]](manifest):
                source = next((one for one in (_join(folder, each) for each in candidates) if one in paths), None)
                if source:
                    found.setdefault(source, name)
    return found


def _python_modules(manifest: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    name = str(_dict(manifest.get("project")).get("name") or "").replace("-", "_")
    if name:
        yield name.lower(), [f"{base}{each}/__init__.py" for base in ("src/", "") for each in (name, name.lower())]


def _script_modules(manifest: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The exports of a package.json, each with its possible sources."""
    name = str(manifest.get("name") or "")
    exports = manifest.get("exports")
    table = (
        exports if isinstance(exports, dict) and all(str(key).startswith(".") for key in exports) else {".": exports}
    )
    for key, target in table.items():
        fields = ("source", "module", "main", "types") if key == "." else ()
        built = [*_targets(target), *(str(manifest[one]) for one in fields if isinstance(manifest.get(one), str))]
        candidates = [source for one in built for source in _sources(one)]
        usual = ["src/index.ts", "src/index.tsx", "src/index.js", "index.ts", "index.js"] if key == "." else []
        yield name + str(key)[1:], [*candidates, *usual]


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
    """The possible sources of a built file."""
    bare = built.removeprefix("./")
    yield bare
    for base in (_BUILT.sub("src/", bare), _BUILT.sub("", bare)):
        stem = _SUFFIX.sub("", base)
        yield from (stem + suffix for suffix in _SOURCES)


def _join(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path


def _is_package(path: str) -> bool:
    return path.rpartition("/")[2] in ("package.json", "pyproject.toml", "go.mod")


def _read(path: str, data: bytes) -> dict[str, Any]:
    if path.endswith(".mod"):
        name, needed = described(data)
        return {"name": name, "dependencies": dict.fromkeys(needed, "")}
    try:
        return _dict(parsing.toml(data.decode()) if path.endswith(".toml") else parsing.from_json(data))
    except ValueError:
        return {}


def _package(path: str, manifest: dict[str, Any]) -> Package:
    project = _dict(manifest.get("project")) if path.endswith(".toml") else manifest
    if path.endswith(".toml"):
        needed = project.get("dependencies")
        dependencies = [_VERSION.split(str(name))[0] for name in needed] if isinstance(needed, list) else []
        scripts = _dict(project.get("scripts"))
    else:
        dependencies = list(_dict(manifest.get("dependencies")))
        scripts = _dict(manifest.get("scripts"))
    return Package(
        manifest=path,
        name=str(project.get("name") or ""),
        description=str(project.get("description") or "")[:300],
        scripts=tuple(f"{name}: {scripts[name]}"[:120] for name in sorted(scripts, key=_usefulness)[:_SCRIPTS]),
        dependencies=tuple(dependencies[:_MOST]),
    )


def _bins(manifest: dict[str, Any]) -> dict[str, Any]:
    bins = manifest.get("bin")
    return {str(manifest.get("name")): bins} if isinstance(bins, str) else _dict(bins)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
