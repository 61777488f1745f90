"""Graphs to score: ours, exported by the command that users have."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_NAME = "bearings-benchmark-graph.json"


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
