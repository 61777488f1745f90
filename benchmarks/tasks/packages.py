"""The packages that the tasks are about, and the folder in which a task is answered.

Each is fetched by name and version and stays in the user's cache. A task has a copy of its own, a git repository with
one commit; where the task shows a diff, that is applied to the copy and not committed.
"""

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.code.corpora import commit, package
from benchmarks.tasks.questions import Task
from benchmarks.truth.checkout import CACHE
from benchmarks.truth.go import TOOLCHAIN, toolchain


@dataclass(frozen=True, slots=True)
class Source:
    """One project. `parts`: folder in it → npm's `name@version` or PyPI's `name==version`."""

    label: str
    parts: Mapping[str, str]
    keep: tuple[str, ...] = ()
    """The entries that stay of each part; all of them if empty."""
    inner: str = ""
    """The folder of the part that is taken, where it is not the whole."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Files that the repository has and its package has not."""


_BUNDLER = {"module": "esnext", "moduleResolution": "bundler", "target": "esnext", "jsx": "react-jsx", "strict": True}


def _workspace(scope: str, versions: Mapping[str, str]) -> Source:
    """Packages of one npm scope, as its repository holds them: their sources name each other by package names."""
    paths = {f"@{scope}/{name}": [f"./packages/{name}/src/index.ts"] for name in versions}
    paths |= {f"@{scope}/{name}/*": [f"./packages/{name}/src/*"] for name in versions}
    options = {**_BUNDLER, "allowImportingTsExtensions": True, "noEmit": True, "skipLibCheck": True, "paths": paths}
    return Source(
        scope,
        {f"packages/{name}": f"@{scope}/{name}@{version}" for name, version in versions.items()},
        keep=("src", "package.json", "README.md"),
        files={
            "package.json": json.dumps({"private": True, "workspaces": ["packages/*"]}, indent=2) + "\n",
            "tsconfig.json": json.dumps({"compilerOptions": options}, indent=2) + "\n",
        },
    )


SOURCES = {
    source.label: source
    for source in (
        Source("kombu", {".": "kombu==5.5.4"}),
        Source("jupyter_server", {".": "jupyter_server==2.17.0"}),
        _workspace("tldraw", {"editor": "5.1.1", "state": "5.1.1", "utils": "5.1.1"}),
        _workspace(
            "uppy",
            {
                "core": "6.3.1", "dashboard": "6.0.3", "xhr-upload": "6.0.0", "tus": "6.0.0", "aws-s3": "6.3.1",
                "thumbnail-generator": "6.0.1",
            },
        ),
        Source("moleculer", {".": "moleculer@0.14.35"}),
        Source(
            "pprof",
            {".": TOOLCHAIN},
            inner="src/cmd/vendor/github.com/google/pprof",
            files={"go.mod": "module github.com/google/pprof\n\ngo 1.24.0\n"},
        ),
        Source("wagtail", {".": "wagtail==6.3.1"}),
        Source(
            "ghost",
            {"core": "ghost@5.130.0"},
            keep=("app.js", "boot.js", "bridge.js", "cli", "frontend", "server", "shared"),
            inner="core",
            files={"package.json": json.dumps({"name": "ghost", "version": "5.130.0"}) + "\n"},
        ),
        Source(
            "matrix-react-sdk",
            {".": "matrix-react-sdk@3.114.0"},
            keep=("src", "docs", "package.json", "README.md"),
            files={"tsconfig.json": json.dumps({"compilerOptions": _BUNDLER}) + "\n"},
        ),
        Source("go-command", {".": TOOLCHAIN}, keep=("go", "internal", "go.mod", "go.sum"), inner="src/cmd"),
    )
}  # fmt: skip


def pristine(label: str) -> Path:
    """The project as its packages have it."""
    source = SOURCES[label]
    folder = CACHE / "tasks" / "packages" / label
    stamp, wanted = folder.with_name(f"{label}.done"), repr(source)
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for place, spec in source.parts.items():
            top = (toolchain() if spec == TOOLCHAIN else package(spec)) / source.inner
            for entry in sorted(top.iterdir()):
                if not source.keep or entry.name in source.keep:
                    _copy(entry, folder / place / entry.name)
        for name, text in source.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        stamp.write_text(wanted, encoding="utf-8")
    return folder


def _copy(entry: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if entry.is_dir():
        shutil.copytree(entry, target, symlinks=True)
    else:
        shutil.copyfile(entry, target)


def workplace(task: Task) -> Path:
    """The task's own folder, made when it is first asked for."""
    return copied(task, pristine(task.package), CACHE / "tasks" / "work" / task.id)


def copied(task: Task, source: Path, folder: Path) -> Path:
    """A copy of `source` as the task shows it."""
    stamp, wanted = folder.with_name(f"{task.id}.done"), f"{SOURCES.get(task.package)!r}\n{task.diff}"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, folder, symlinks=True)
        commit(folder)
        if task.diff:
            subprocess.run(("git", "apply", "-"), cwd=folder, check=True, input=task.diff.encode(), capture_output=True)
        stamp.write_text(wanted, encoding="utf-8")
    return folder


def index(folder: Path) -> Path:
    """Where the tools keep what they read of the tasks' folders."""
    return folder.parent.parent / "index"
