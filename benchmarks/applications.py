"""Calls in applications, and in large parts of them, beside TypeScript's checker and pyright.

A call that the checker leads to a declaration of the project is found if an edge goes from its caller to that
declaration. An edge is contradicted if the checker leads the same name on the same line only elsewhere. The callers of
a function in a wrapper, `memo(function Inner() {…})`, count under the name that each side gives it.
"""

from collections import defaultdict

from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import SCIP_PYTHON, TYPESCRIPT, project
from benchmarks.truth.compilers import truth_of
from benchmarks.truth.graphs import ours
from benchmarks.truth.packages import APPLICATIONS, HOLDOUT, Package
from benchmarks.truth.score import judge

_HEADS = ["Package", "Set", "Language", "Calls", "Found", "Edges", "Contradicted", "Of judged"]


def main() -> str:
    rows = []
    for package in sorted(APPLICATIONS, key=lambda one: (one.set != HOLDOUT, one.python)):
        progress(package.label)
        rows.append(_row(package))
    return (
        "# Calls in applications\n\n"
        f"Made by `python -m benchmarks applications` at {revision()}; {TYPESCRIPT}, {SCIP_PYTHON} (pyright). Nobody "
        "reads what is missed in a package of the holdout set. Types of other packages are there for the checkers, not "
        "for us: a call through a library's generic type is missed.\n\n" + table(_HEADS, rows)
    )


def _row(package: Package) -> list[str]:
    truth, graph = truth_of(package), ours(project(package))
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
        contradicted += bool(places) and key in judged.wrong and (target["file"], target["line"]) not in places
    wanted, missed = len(judged.wanted), len(judged.missed)
    return [
        package.label, package.set, "Python" if package.python else "TypeScript", str(wanted),
        f"{1 - missed / max(1, wanted):.3f}", str(len(judged.found)), str(contradicted),
        f"{contradicted / max(1, known):.4f}",
    ]  # fmt: skip


if __name__ == "__main__":
    print(main())
