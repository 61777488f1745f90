"""Runs the compilers over a project and keeps what they say beside it."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.truth import pyright
from benchmarks.truth.checkout import SCIP_PYTHON, TYPESCRIPT, project, tool
from benchmarks.truth.packages import Package
from benchmarks.truth.processes import run
from benchmarks.truth.score import Truth
from benchmarks.truth.settle import settle

VERSIONS = {"typescript": 5, "python": 3}
"""Raised when a generator writes other rows."""

_KINDS = ("calls", "defs", "imports")
_CHECKER = Path(__file__).with_name("checker.cjs")


def truth_of(package: Package) -> Truth:
    """The compiler's output for the package's project; computed once."""
    root = project(package)
    prefix = root.parent / f"truth-{VERSIONS['python' if package.python else 'typescript']}"
    if not all(_file(prefix, kind).exists() for kind in _KINDS):
        (scip_python if package.python else typescript)(root, prefix)
    return read(prefix)


def fields_of(package: Package) -> list[dict[str, Any]]:
    """The uses of fields that the compiler leads into the package's project; computed once."""
    root = project(package)
    if package.python:
        truth_of(package)
        return pyright.attributes(root, root.with_name("index.scip").read_bytes())
    prefix = root.parent / f"fields-2-{VERSIONS['typescript']}"
    if not _file(prefix, "fields").exists():
        typescript(root, prefix, ("fields",))
    return [json.loads(line) for line in _file(prefix, "fields").read_text(encoding="utf-8").splitlines()]


def typescript(root: Path, prefix: Path, kinds: Iterable[str] = _KINDS) -> None:
    """TypeScript's checker over every file of `root`, into prefix.{calls,defs,fields,imports}.jsonl."""
    partial = prefix.with_name(prefix.name + ".partial")
    _node(root, "--max-old-space-size=8000", str(_CHECKER), str(root), str(partial), str(tool(TYPESCRIPT)))
    for kind in kinds:
        _file(partial, kind).replace(_file(prefix, kind))


def scip_python(root: Path, prefix: Path) -> None:
    """scip-python over `root`, with the environment that lies beside it where there is one; its index is kept."""
    index = prefix.with_name("index.scip")
    if not index.exists():
        _scip(root, index)
    found = pyright.truth(root, index.read_bytes())
    settle(
        root,
        found["imports"],
        {str(row["file"]) for row in found["defs"]} | {str(row["from"]) for row in found["imports"]},
    )
    for kind, rows in found.items():
        _write(_file(prefix, kind), rows)


def _scip(root: Path, index: Path) -> None:
    nothing, partial = index.with_name("no-packages.json"), index.with_suffix(".partial")
    nothing.write_text("[]", encoding="utf-8")
    config = root / "pyrightconfig.json"
    sources = ["src"] if (root / "src").is_dir() else []
    config.write_text(json.dumps({"include": ["."], "extraPaths": sources}), encoding="utf-8")
    try:
        named = ("--project-name=project", "--project-version=0", f"--output={partial}", f"--environment={nothing}")
        command = str(tool(SCIP_PYTHON) / "index.js")
        _node(root, "--max-old-space-size=8000", command, "index", ".", *named, "--quiet")
    finally:
        config.unlink()
    partial.replace(index)


def read(prefix: Path) -> Truth:
    """Truth from prefix.{calls,defs,imports}.jsonl."""
    return Truth(
        *(
            [json.loads(line) for line in _file(prefix, kind).read_text(encoding="utf-8").splitlines()]
            for kind in _KINDS
        )
    )


def _file(prefix: Path, kind: str) -> Path:
    return prefix.with_name(f"{prefix.name}.{kind}.jsonl")


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    partial = path.with_suffix(".partial")
    partial.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    partial.replace(path)


def _node(root: Path, *arguments: str) -> None:
    environment = root.parent / "environment" / "bin"
    path = f"{environment}{os.pathsep}{os.environ['PATH']}" if environment.is_dir() else os.environ["PATH"]
    run(root, "node", *arguments, env={**os.environ, "PATH": path})
