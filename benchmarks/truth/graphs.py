"""Graphs to score: ours, exported by the command that users have."""

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import bearings
from benchmarks.truth.processes import run

_NAME = "bearings-benchmark-graph.json"


def kept(root: Path) -> dict[str, Any]:
    """The project's graph, made once by each state of our code, so that a run that was stopped goes on where it was.

    Raises RuntimeError if the code changes while it works.
    """
    file, code = root.parent / "graph-bearings.json", state()
    if file.exists():
        found: dict[str, Any] = json.loads(file.read_bytes())
        if found["code"] == code:
            return found
    made = {"code": code, **ours(root)}
    same(code)
    partial = file.with_suffix(".partial")
    partial.write_text(json.dumps(made), encoding="utf-8")
    partial.replace(file)
    return made


def state(folder: Path = Path(bearings.__file__).parent) -> str:
    """A digest of the package's sources."""
    digest = hashlib.sha256()
    for path in sorted(path for suffix in ("*.py", "*.scm") for path in folder.rglob(suffix)):
        digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def same(code: str, folder: Path = Path(bearings.__file__).parent) -> None:
    """Raises RuntimeError unless the sources are still in that state."""
    if state(folder) != code:
        raise RuntimeError(f"{folder} changed during the run; run it again: truth and the peers' graphs are kept")


def ours(root: Path) -> dict[str, Any]:
    """`bearings code export` of the project, with facts of its own, so that nothing older counts."""
    written = root / _NAME
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:  # a worker may still store its index
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
        # Elsewhere than in the project, whose own modules would come before those that we need (pydantic's did).
        run(Path(cache), *command, env={**os.environ, "XDG_CACHE_HOME": cache})
    try:
        graph: dict[str, Any] = json.loads(written.read_bytes())
    finally:
        written.unlink()
    return graph
