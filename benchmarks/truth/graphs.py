"""Graphs to score: ours, exported by the command that users have."""

import functools
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import bearings

_NAME = "bearings-benchmark-graph.json"


def kept(root: Path) -> dict[str, Any]:
    """The project's graph, made once by each state of our code, so that a run that was stopped goes on where it was."""
    file = root.parent / "graph-bearings.json"
    if file.exists():
        found: dict[str, Any] = json.loads(file.read_bytes())
        if found["code"] == _code():
            return found
    made = {"code": _code(), **ours(root)}
    partial = file.with_suffix(".partial")
    partial.write_text(json.dumps(made), encoding="utf-8")
    partial.replace(file)
    return made


@functools.cache
def _code() -> str:
    """A digest of the package's sources."""
    folder = Path(bearings.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(path for suffix in ("*.py", "*.scm") for path in folder.rglob(suffix)):
        digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def ours(root: Path) -> dict[str, Any]:
    """`bearings code export` of the project, with facts of its own, so that nothing older counts."""
    written = root / _NAME
    with tempfile.TemporaryDirectory() as cache:
        command = (
            sys.executable,
            "-m",
            "bearings",
            "code",
            "export",
            "--project",
            str(root),
            "--format",
            "json",
            "--output-path",
            _NAME,
        )
        subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            env={**os.environ, "XDG_CACHE_HOME": cache},
        )
    try:
        graph: dict[str, Any] = json.loads(written.read_bytes())
    finally:
        written.unlink()
    return graph
