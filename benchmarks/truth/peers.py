"""Graphs of peers that keep theirs in SQLite files, read into the shape that the scorer takes.

Each works on a copy of the project.
"""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.truth.checkout import CACHE, tool
from benchmarks.truth.processes import run

CODEGRAPH = "@colbymchenry/codegraph@1.6.1"
CODE_REVIEW_GRAPH = "code-review-graph==2.3.9"

LIMIT_S = 1800.0
"""How long a peer may take for one project."""

QUIET = {**os.environ, "DO_NOT_TRACK": "1", "CODEGRAPH_TELEMETRY": "0"}

_CODEGRAPH_KINDS = {"calls": "call", "instantiates": "new", "imports": "import"}


def codegraph_command() -> str:
    """The command, as npm installs it."""
    package = tool(CODEGRAPH)
    return str(package.parents[1] / ".bin" / "codegraph")


def code_review_graph_command() -> str:
    """The command, in a virtual environment of its own."""
    return pip_command(CODE_REVIEW_GRAPH, "code-review-graph")


def pip_command(spec: str, command: str) -> str:
    """A command of a package from PyPI, in a virtual environment of its own."""
    folder = CACHE / "tools" / spec
    path = folder / "bin" / command
    if not (folder / ".done").exists():
        subprocess.run((sys.executable, "-m", "venv", str(folder)), check=True)
        subprocess.run(
            (str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", spec), check=True, capture_output=True
        )
        (folder / ".done").touch()
    return str(path)


@contextmanager
def copied(root: Path) -> Iterator[Path]:
    """A copy in a folder of its own, as a git repository: peers list files by git and write into the project."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(root, copy, symlinks=True)
        for command in (("init", "-q"), ("add", "-f", ".")):
            subprocess.run(("git", *command), cwd=copy, check=True, capture_output=True)
        yield copy


def kept(graph: Callable[[Path], dict[str, Any]], version: str) -> Callable[[Path], dict[str, Any]]:
    """The same, run once for each project: neither changes."""

    def read(root: Path) -> dict[str, Any]:
        file = root.parent / f"graph-{version.replace('/', '_')}.json"
        if not file.exists():
            partial = file.with_suffix(".partial")
            partial.write_text(json.dumps(graph(root)), encoding="utf-8")
            partial.replace(file)
        found: dict[str, Any] = json.loads(file.read_bytes())
        return found

    return read


def codegraph(root: Path) -> dict[str, Any]:
    """Its nodes and its call, new and import edges; it makes JSX uses (heuristic) calls."""
    with copied(root) as copy:
        run(copy, codegraph_command(), "init", limit_s=LIMIT_S, env=QUIET)
        with closing(sqlite3.connect(copy / ".codegraph" / "codegraph.db")) as database:
            nodes = [
                {
                    "id": key,
                    "type": kind,
                    "name": name,
                    "qualified_name": qualified.replace("::", "."),
                    "file": file,
                    "line": line,
                }
                for key, kind, name, qualified, file, line in database.execute(
                    "SELECT id, kind, name, qualified_name, file_path, start_line FROM nodes"
                )
            ]
            edges = [
                {"source": source, "target": target, "type": _CODEGRAPH_KINDS[kind], "file": "", "line": line}
                for source, target, kind, line in database.execute("SELECT source, target, kind, line FROM edges")
                if kind in _CODEGRAPH_KINDS
            ]
    return {"nodes": nodes, "edges": edges}


def code_review_graph(root: Path) -> dict[str, Any]:
    """Its nodes and its CALLS and IMPORTS_FROM edges whose target it resolved."""
    with copied(root) as copy:
        command = (code_review_graph_command(), "build", "--skip-postprocess", "--quiet")
        run(copy, *command, limit_s=LIMIT_S, env=QUIET)
        top = f"{copy.resolve()}/"
        with closing(sqlite3.connect(copy / ".code-review-graph" / "graph.db")) as database:
            nodes = [
                {
                    "id": qualified,
                    "type": kind.lower(),
                    "name": name,
                    "qualified_name": re.sub(".*::", "", qualified),
                    "file": file.removeprefix(top),
                    "line": line,
                }
                for qualified, kind, name, file, line in database.execute(
                    "SELECT qualified_name, kind, name, file_path, line_start FROM nodes"
                )
            ]
            edges = [
                {
                    "source": source,
                    "target": target,
                    "type": "call" if kind == "CALLS" else "import",
                    "file": "",
                    "line": line,
                }
                for source, target, kind, line in database.execute(
                    "SELECT source_qualified, target_qualified, kind, line FROM edges"
                )
                if kind in ("CALLS", "IMPORTS_FROM")
            ]
    return {"nodes": nodes, "edges": edges}
