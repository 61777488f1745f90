"""Calls in applications, in large parts of them and in frameworks, beside TypeScript's checker, pyright and go/types.

A call that the checker leads to a declaration of the project is found if an edge goes from its caller to that
declaration. An edge is contradicted if the checker leads the same name on the same line only elsewhere. The callers of
a function in a wrapper, `memo(function Inner() {…})`, count under the name that each side gives it.

Each has two rows: as it is, and with its dependencies in its folder, `node_modules` or `.venv`. One in Go has one row:
its `vendor` is not read. `python -m benchmarks.applications LABEL…` prints the rows of some.
"""

import sys
import time
from collections import defaultdict
from pathlib import Path

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.index.worker_pool import WorkerPool
from benchmarks.measure import progress, revision, table
from benchmarks.truth import go_applications
from benchmarks.truth.checkout import SCIP_PYTHON, TYPESCRIPT, project, with_dependencies
from benchmarks.truth.compilers import truth_of
from benchmarks.truth.go import TOOLCHAIN
from benchmarks.truth.graphs import ours
from benchmarks.truth.packages import APPLICATIONS, FRAMEWORKS, HOLDOUT, Package
from benchmarks.truth.score import judge

_MAX_BYTES = 2_000_000
_FURTHER = frozenset({"taken from a value", "by another name"})
"""Reasons of edges that lead on from the name that the checker stops at: `const { Menu } = useParts(); <Menu />`."""
_HEADS = ["Package", "Set", "Language", "Installed", "Calls", "Found", "Edges", "Contradicted", "Of judged", "CPU"]


def main(*labels: str) -> str:
    rows = []
    chosen = [one for one in (*APPLICATIONS, *FRAMEWORKS) if not labels or one.label in labels]
    for package in sorted(chosen, key=lambda one: (one.set != HOLDOUT, one.python)):
        progress(package.label)
        rows += [_row(package, project(package)), _row(package, with_dependencies(package))]
    for application in go_applications.APPLICATIONS if not labels else ():
        progress(application.repository)
        rows.append(_go_row(application))
    return (
        "# Calls in applications\n\n"
        f"Made by `python -m benchmarks applications` at {revision()}; {TYPESCRIPT}, {SCIP_PYTHON} (pyright), "
        f"{TOOLCHAIN} (go/types). Nobody reads what is missed in a package of the holdout set. *Installed*: the "
        "packages that it depends on are in its "
        "folder for us, too, as they always are for the checkers. CPU: seconds of a first index, in one process.\n\n"
        + table(_HEADS, rows)
    )


def _row(package: Package, root: Path) -> list[str]:
    truth, graph = truth_of(package), ours(root)
    judged = judge(truth, graph)
    told: dict[tuple[str, int, str], set[tuple[str, int]]] = defaultdict(set)
    for row in truth.calls:
        told[row["caller_file"], row["site_line"], row["callee_name"]].add((row["callee_file"], row["callee_line"]))
    nodes = {node["id"]: node for node in graph["nodes"]}
    known = contradicted = 0
    for key, edge in judged.found.items():
        target = nodes[edge["target"]]
        places = told.get((edge["file"], edge["line"], target["name"]), set())
        known += bool(places)
        is_wrong = key in judged.wrong and edge["reason"] not in _FURTHER
        contradicted += bool(places) and is_wrong and (target["file"], target["line"]) not in places
    wanted, missed = len(judged.wanted), len(judged.missed)
    return [
        package.label, package.set, "Python" if package.python else "TypeScript",
        "yes" if root != project(package) else "no", str(wanted),
        f"{1 - missed / max(1, wanted):.3f}", str(len(judged.found)), str(contradicted),
        f"{contradicted / max(1, known):.4f}", f"{_seconds(root):.1f} s",
    ]  # fmt: skip


def _go_row(application: go_applications.Application) -> list[str]:
    calls, found, edges, contradicted, judged = go_applications.score(application)
    seconds = _seconds(go_applications.folder(application))
    return [
        application.repository, application.set, "Go", "no", str(calls), f"{found / max(1, calls):.3f}", str(edges),
        str(contradicted), f"{contradicted / max(1, judged):.4f}", f"{seconds:.1f} s",
    ]  # fmt: skip


def _seconds(root: Path) -> float:
    """The CPU time of a first index."""
    began = time.process_time()
    Index(root, NoFacts(), _MAX_BYTES, WorkerPool(0)).refresh()
    return time.process_time() - began


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
