"""Installs packages by name into a folder of the user's cache and makes projects of their sources.

What stands there is not fetched again. `BEARINGS_BENCHMARKS` names another folder.
"""

import os
import re
import shutil
import sys
import tarfile
from pathlib import Path

import platformdirs

from benchmarks.truth.packages import BEFORE, Package
from benchmarks.truth.processes import run

CACHE = Path(os.environ.get("BEARINGS_BENCHMARKS") or platformdirs.user_cache_path("bearings-benchmarks"))
TYPESCRIPT = "typescript@5.9.3"
SCIP_PYTHON = "@sourcegraph/scip-python@0.6.6"
_DONE = ".done"
_CLONED = "git+"
_SET = re.compile(r" set='\w*',")


def tool(spec: str) -> Path:
    """The folder of an npm package that is a tool here."""
    folder = CACHE / "tools" / _folder(spec)
    if not (folder / _DONE).exists():
        _npm(folder, spec)
        (folder / _DONE).touch()
    return folder / "node_modules" / spec.rpartition("@")[0]


def project(package: Package) -> Path:
    """The project's folder; its dependencies lie beside it, so that they are no part of it."""
    folder = CACHE / "truth" / _folder(package.label)
    stamp = folder / _DONE
    wanted = _SET.sub("", repr(package))  # a package that moves from one set to the other stays as it is
    if not stamp.exists() or _SET.sub("", stamp.read_text(encoding="utf-8")) != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        is_cloned = any(spec.startswith(_CLONED) for spec in package.parts.values())
        make = _python if package.python else _cloned if is_cloned else _javascript
        make(package, folder)
        for name, text in package.files.items():
            (folder / "project" / name).write_text(text, encoding="utf-8")
        stamp.write_text(wanted, encoding="utf-8")
    return folder / "project"


def with_dependencies(package: Package) -> Path:
    """A copy of the project with its dependencies in it, as a package manager leaves them."""
    own = project(package)
    copy, stamp = own.parent / "installed", own.parent / f"installed{_DONE}"
    if not stamp.exists() or stamp.stat().st_mtime < (own.parent / _DONE).stat().st_mtime:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(own, copy, symlinks=True)
        for beside, inside in (("node_modules", "node_modules"), ("environment", ".venv")):
            if (own.parent / beside).exists():
                shutil.copytree(own.parent / beside, copy / inside, symlinks=True)
        stamp.touch()
    return copy


def _javascript(package: Package, folder: Path) -> None:
    _npm(folder, *package.parts.values(), *package.needs)
    for place, spec in package.parts.items():
        name = spec.rpartition("@")[0]
        installed, part = folder / "node_modules" / name, folder / "project" / place
        part.parent.mkdir(parents=True, exist_ok=True)
        part.mkdir(exist_ok=True)
        for entry in sorted(installed.iterdir()):
            if entry.name in package.keep or entry.name == "package.json" or entry.match("tsconfig*.json"):
                entry.rename(part / entry.name)
        shutil.rmtree(installed)
        if place != ".":  # a workspace's own packages are linked, as package managers do
            installed.symlink_to(os.path.relpath(part, installed.parent))


def _cloned(package: Package, folder: Path) -> None:
    (spec,) = package.parts.values()
    url, _, commit = spec.removeprefix(_CLONED).partition("#")
    _npm(folder, *package.needs)
    run(folder, "git", "clone", "--quiet", "--no-checkout", url, "cloned")
    run(folder / "cloned", "git", "checkout", "--quiet", commit)
    for place in package.keep:
        kept = folder / "project" / place
        kept.parent.mkdir(parents=True, exist_ok=True)
        (folder / "cloned" / place).rename(kept)


def _python(package: Package, folder: Path) -> None:
    (spec,) = package.parts.values()
    python = folder / "environment" / "bin" / "python"
    run(folder, sys.executable, "-m", "venv", str(folder / "environment"))
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(folder, *pip, "install", spec)
    run(folder, *pip, "uninstall", "--yes", spec.partition("==")[0], "pip")
    run(
        folder,
        sys.executable,
        "-m",
        "pip",
        "--quiet",
        "download",
        "--no-deps",
        "--no-binary",
        spec.partition("==")[0],
        "--dest",
        "sdist",
        spec,
    )
    (archive,) = (folder / "sdist").iterdir()
    unpack(archive, folder / "unpacked")
    (top,) = (folder / "unpacked").iterdir()
    top.rename(folder / "project")


def unpack(archive: Path, folder: Path) -> None:
    """Puts what is in an archive into a folder, and nothing elsewhere, but for Pythons before 3.11.4."""
    with tarfile.open(archive) as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", lambda member, _folder: member)
        packed.extractall(folder)


def _npm(folder: Path, *specs: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
    run(
        folder,
        "npm",
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--legacy-peer-deps",
        "--loglevel=error",
        "--before",
        BEFORE,
        *specs,
    )


def _folder(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in ".-@" else "_" for letter in name).strip("_")
