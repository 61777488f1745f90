"""The packages of a project, and the commands that they install, from their manifests."""

from collections.abc import Mapping
from typing import Any

from bearings.code.project.names import is_aside
from bearings.code.questions.context.answer import Package
from bearings.code.search.manifests import VERSION, is_package, manifest_of, table_of

_MOST = 15
_SCRIPTS = 8
_USEFUL = ("test", "build", "dev", "start", "lint", "typecheck", "format", "check")
"""Scripts that a newcomer needs, in this order."""


def packages(manifests: Mapping[str, bytes]) -> tuple[Package, ...]:
    """The packages of a project, the outermost first."""
    own = {path: data for path, data in manifests.items() if is_package(path) and not is_aside(path)}
    rows = [_package(path, manifest_of(path, data)) for path, data in own.items()]
    named = [package for package in rows if package.name or package.scripts or package.dependencies]
    return tuple(sorted(named, key=lambda package: (package.manifest.count("/"), package.manifest)))


def scripts_of(manifests: Mapping[str, bytes]) -> list[str]:
    """Commands that packages install, as `name = target`."""
    return [
        f"{name} = {target}"
        for path, data in manifests.items()
        if is_package(path)
        for manifest in [manifest_of(path, data)]
        for table in (table_of(table_of(manifest.get("project")).get("scripts")), _bins(manifest))
        for name, target in table.items()
    ]


def _usefulness(script: str) -> tuple[int, int]:
    first = script.partition(":")[0]
    return (_USEFUL.index(first) if first in _USEFUL else len(_USEFUL), script.count(":"))


def _package(path: str, manifest: dict[str, Any]) -> Package:
    project = table_of(manifest.get("project")) if path.endswith(".toml") else manifest
    if path.endswith(".toml"):
        needed = project.get("dependencies")
        dependencies = [VERSION.split(str(name))[0] for name in needed] if isinstance(needed, list) else []
        scripts = table_of(project.get("scripts"))
    else:
        dependencies = list(table_of(manifest.get("dependencies")))
        scripts = table_of(manifest.get("scripts"))
    return Package(
        manifest=path,
        name=str(project.get("name") or ""),
        description=str(project.get("description") or "")[:300],
        scripts=tuple(f"{name}: {scripts[name]}"[:120] for name in sorted(scripts, key=_usefulness)[:_SCRIPTS]),
        dependencies=tuple(dependencies[:_MOST]),
    )


def _bins(manifest: dict[str, Any]) -> dict[str, Any]:
    bins = manifest.get("bin")
    return {str(manifest.get("name")): bins} if isinstance(bins, str) else table_of(bins)
