"""How right our edges are, beside what compilers say: `make bench-truth`, or `python -m benchmarks truth`.

Projects are made of packages installed by name (packages.py, checkout.py); TypeScript's checker and pyright say what
their calls and imports lead to (checker.cjs, pyright.py, compilers.py); our exported graph and those of peers
(graphs.py, peers.py) are scored against that (score.py, report.py).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from benchmarks.measure import progress, revision
from benchmarks.truth import peers, report
from benchmarks.truth.checkout import SCIP_PYTHON, TYPESCRIPT, project
from benchmarks.truth.compilers import truth_of
from benchmarks.truth.graphs import kept, same, state
from benchmarks.truth.packages import PACKAGES, Package
from benchmarks.truth.processes import Failed
from benchmarks.truth.score import Truth, score
from benchmarks.truth.settle import JEDI

GRAPHS: Mapping[str, Callable[[Path], dict[str, Any]]] = {
    "bearings": kept,
    "codegraph": peers.kept(peers.codegraph, peers.CODEGRAPH),
    "code-review-graph": peers.kept(peers.code_review_graph, peers.CODE_REVIEW_GRAPH),
}
RESULT = Path(__file__).parents[1] / "results" / "truth.md"


def main() -> str:
    at, code = revision(), state()
    found = list(scored(PACKAGES, lambda package: (truth_of(package), project(package)), GRAPHS))
    same(code)
    lines = [line for line in found if isinstance(line, report.Line)]
    missing = [line for line in found if isinstance(line, report.Missing)]
    earlier = RESULT.read_text(encoding="utf-8") if RESULT.exists() else ""
    mine = [line for line in lines if line.by == "bearings"]
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    return (
        f"# Edges against compilers\n\n{date.today().isoformat()}, bearings at {at}; truth by {TYPESCRIPT} and "
        f"{SCIP_PYTHON}; peers {peers.CODEGRAPH}, {peers.CODE_REVIEW_GRAPH}. Made by `make bench-truth`.\n\n{_ABOUT}\n"
        + report.left_out(missing)
        + "\n"
        + report.tables(lines)
        + "\n"
        + report.with_history(earlier, report.history(now, at, mine))
    )


_ABOUT = f"""\
An edge counts once for each caller and callee; the caller is the innermost named function, or the file's top level.
Calls, `new`, tagged templates and JSX uses of what the project itself declares are wanted, in declarations written by
hand (`.d.ts`) too; what is called through a parameter or a local binding is left out, and so is a second declaration
that the compiler gives for one call, of a member of a union. Tests count as callers where a package ships them. "No
callers": of the functions that the compiler sees called, those that the graph says nobody calls. Heuristic edges are
not counted for bearings, since its answers leave them out; peers' are, since they answer with them. scip-python does
not tell `new` from calls. An import that a peer leads through a barrel to where the name is declared counts as wrong
for TypeScript: the compiler's import is the barrel's. Imports are scored twice in Python: by scip-python's index alone,
which says nothing of `from . import submodule`, of names that a package hands on, and of what it cannot find; and
*judged*, where {JEDI}, which knows neither pyright nor us, says where such a statement leads; statements that it can't
follow either don't count. Code that pyright does not read, as it can't be reached on Linux, doesn't count among the
calls. Peer dependencies are installed, and the name of a package that imports itself leads to its sources, as in its
repository. What the compiler says nothing of, since it is `any` to it, counts as wrong where a graph has an edge there
(winston's are of that kind). So do calls that no code names, which bearings follows since 2026-11-29:
[our own edges](truth_ours.md) has those that the compiler contradicts. Peers' graphs stay with the packages; peers have
{peers.LIMIT_S / 60:g} minutes for a project.

The holdout was chosen anew on 2026-11-21, with its environments, before any score of it, and none of its places were
looked at. The one before it is in dev: rows over time of before 18:00 that day are of that one. Those of 18:51 are
without requests, urllib3, marshmallow and toolz. On 2026-11-22 five of it, most of those that we scored worst on, were
read and went to dev: @xterm/xterm, @lumino, @noble/curves, @apollo/server and ramda. maplibre-gl, fabric,
@deck.gl/core, graphql-request and leaflet took their places before any score of theirs, and are easier: what was there
before those misses were mended (6393844) has .996 and .980 on the new set, f09b51c .996 and .982. On 2026-11-26 the
missed fields of ethers, fabric, sprotty and pelican were read, and they went to dev; matrix-js-sdk, nox, httpcore,
cattrs, @jupyterlab/services, @theia/core and @theia/messages were drawn in their place before any score of theirs.
On 2026-11-30 what the compiler contradicts of httpcore and objection was read, and they went to dev.
"""


def scored(
    packages: Iterable[Package],
    told: Callable[[Package], tuple[Truth, Path]],
    graphs: Mapping[str, Callable[[Path], dict[str, Any]]],
) -> Iterator[report.Line | report.Missing]:
    """A line of each package and graph, or why there is none; `told` gives the truth and the project's folder."""
    for package in packages:
        progress(f"{package.set}: {package.label} …")
        try:
            truth, root = told(package)
        except Failed as why:
            yield _missing(package, report.EVERY_GRAPH, why)
            continue
        for name, graph in graphs.items():
            try:
                yield report.Line(package, name, score(truth, graph(root)))
            except Failed as why:
                yield _missing(package, name, why)


def _missing(package: Package, by: str, why: Failed) -> report.Missing:
    progress(f"{package.label} is left out for {by}: {why}")
    return report.Missing(package, by, why.briefly)
