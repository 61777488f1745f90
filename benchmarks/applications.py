"""Calls in applications, in large parts of them and in frameworks, beside TypeScript's checker, pyright and go/types.

A call that the checker leads to a declaration of the project is found if an edge goes from its caller to that
declaration. An edge is contradicted if the checker leads the same name on the same line only elsewhere. The callers of
a function in a wrapper, `memo(function Inner() {…})`, count under the name that each side gives it.

Each has two rows: as it is, and with its dependencies in its folder, `node_modules` or `.venv`. One in Go has one row:
its `vendor` is not read. `python -m benchmarks.applications LABEL…` prints the rows of some.
"""

import sys
import time
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
from benchmarks.truth.score import contradicted, judge

_MAX_BYTES = 2_000_000
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
    wrong = contradicted(truth, graph, judged)
    wanted, missed = len(judged.wanted), len(judged.missed)
    return [
        package.label, package.set, "Python" if package.python else "TypeScript",
        "yes" if root != project(package) else "no", str(wanted),
        f"{1 - missed / max(1, wanted):.3f}", str(len(judged.found)), str(wrong.hit),
        f"{wrong.recall or 0:.4f}", f"{_seconds(root):.1f} s",
    ]  # fmt: skip


def _go_row(application: go_applications.Application) -> list[str]:
    calls, found, edges, wrong, judged = go_applications.score(application)
    seconds = _seconds(go_applications.folder(application))
    return [
        application.repository, application.set, "Go", "no", str(calls), f"{found / max(1, calls):.3f}", str(edges),
        str(wrong), f"{wrong / max(1, judged):.4f}", f"{seconds:.1f} s",
    ]  # fmt: skip


def _seconds(root: Path) -> float:
    """The CPU time of a first index."""
    began = time.process_time()
    Index(root, NoFacts(), _MAX_BYTES, WorkerPool(0)).refresh()
    return time.process_time() - began


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
