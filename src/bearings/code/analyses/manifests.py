"""What package.json and pyproject.toml say of a project. What can't be read in them says nothing."""

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from bearings.code.answers.overview import Package

_MOST = 15


def packages(manifests: Mapping[str, bytes]) -> tuple[Package, ...]:
    """The packages of a project, the outermost first."""
    found = [_package(path, _read(path, data)) for path, data in manifests.items() if _is_package(path)]
    named = [package for package in found if package.name or package.scripts or package.dependencies]
    return tuple(sorted(named, key=lambda package: (package.manifest.count("/"), package.manifest)))


def scripts_of(manifests: Mapping[str, bytes]) -> list[str]:
    """Commands that packages install: `name = what runs`."""
    return [
        f"{name} = {target}"
        for path, data in manifests.items()
        if _is_package(path)
        for manifest in [_read(path, data)]
        for table in (_dict(_dict(manifest.get("project")).get("scripts")), _bins(manifest))
        for name, target in table.items()
    ]


def _is_package(path: str) -> bool:
    return path.rpartition("/")[2] in ("package.json", "pyproject.toml")


def _read(path: str, data: bytes) -> dict[str, Any]:
    try:
        read = tomllib.loads(data.decode()) if path.endswith(".toml") else json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return _dict(read)


def _package(path: str, manifest: dict[str, Any]) -> Package:
    project = _dict(manifest.get("project")) if path.endswith(".toml") else manifest
    if path.endswith(".toml"):
        needed = project.get("dependencies")
        dependencies = [str(name) for name in needed] if isinstance(needed, list) else []
        scripts = _dict(project.get("scripts"))
    else:
        dependencies = list(_dict(manifest.get("dependencies")))
        scripts = _dict(manifest.get("scripts"))
    return Package(
        manifest=path,
        name=str(project.get("name") or ""),
        description=str(project.get("description") or "")[:300],
        scripts=tuple(f"{name}: {command}"[:120] for name, command in list(scripts.items())[:_MOST]),
        dependencies=tuple(dependencies[:_MOST]),
    )


def _bins(manifest: dict[str, Any]) -> dict[str, Any]:
    bins = manifest.get("bin")
    return {str(manifest.get("name")): bins} if isinstance(bins, str) else _dict(bins)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
