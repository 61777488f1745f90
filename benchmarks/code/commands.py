"""The commands that users of each tool have: index a project, bring the index up to date, ask who calls."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.code.corpora import commit
from benchmarks.truth import peers
from benchmarks.truth.checkout import CACHE


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool by its commands; `{}` in one stands for the name that is asked for."""

    name: str
    index: Sequence[str]
    sync: Sequence[str]
    query: Sequence[str]


def tools() -> list[Tool]:
    """Ours and peers, each as its authors advise to use it."""
    ours = (sys.executable, "-m", "bearings", "code")
    codegraph, review = peers.codegraph_command(), peers.code_review_graph_command()
    ask = (*ours, "query", "{}", "--type", "calls-me", "--depth", "1")
    return [
        Tool("bearings", (*ours, "scan", "--limit", "1"), ask, ask),
        Tool(peers.CODEGRAPH, (codegraph, "init"), (codegraph, "sync"), (codegraph, "callers", "{}")),
        Tool(peers.CODE_REVIEW_GRAPH, (review, "build"), (review, "update"), (review, "query", "callers_of", "{}")),
    ]


_INSTALLED = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(CACHE / "bytecode")}
"""Python's modules are compiled once, as pip does when it installs them."""


@contextmanager
def workplace(root: Path) -> Iterator[Path]:
    """A copy of the tree, for tools that write into it; deleted afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(root, copy, ignore=shutil.ignore_patterns(".git"))
        commit(copy)
        yield copy


def measure(
    tool: Tool, root: Path, edited: Sequence[str], change: Callable[[str, bytes], bytes], name: str
) -> dict[str, object]:
    """Seconds of whole commands: the first index, a sync after each edit (for ours the query itself), a query."""
    with workplace(root) as copy, _cache() as cache:
        environment = {**peers.QUIET, **_INSTALLED, "XDG_CACHE_HOME": cache}
        index = _run(tool.index, copy, environment, name)
        syncs, queries = [], []
        for path in edited:
            file = copy / path
            source = file.read_bytes()
            file.write_bytes(change(path, source))
            syncs.append(_run(tool.sync, copy, environment, name))
            queries.append(_run(tool.query, copy, environment, name))
            file.write_bytes(source)
            _run(tool.sync, copy, environment, name)
        return {"index": index, "sync": syncs, "query": queries}


def first_index(tool: Tool, root: Path) -> dict[str, object]:
    """Seconds of the first index alone."""
    with workplace(root) as copy, _cache() as cache:
        environment = {**peers.QUIET, **_INSTALLED, "XDG_CACHE_HOME": cache}
        return {"index": _run(tool.index, copy, environment, "")}


def _cache() -> tempfile.TemporaryDirectory[str]:
    """A folder for a tool's cache; who still writes there when it is deleted is let be."""
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


def _run(command: Sequence[str], root: Path, environment: dict[str, str], name: str) -> float:
    started = time.perf_counter()
    filled = [part.replace("{}", name) for part in command]
    done = subprocess.run(
        filled, cwd=root, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(filled)}: {done.stdout[-500:].decode()}{done.stderr[-1500:].decode()}")
    return time.perf_counter() - started
