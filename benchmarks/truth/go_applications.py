"""Go applications, by repository and commit: their calls beside what go/types says.

Each has the packages that it depends on in its folder `vendor`, which the checker reads and we do not.
"""

import os
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from benchmarks.localisation import clone
from benchmarks.truth.checkout import CACHE
from benchmarks.truth.go import Judge, Sources, checked
from benchmarks.truth.packages import DEV, HOLDOUT
from benchmarks.truth.processes import run


class Application(NamedTuple):
    """A repository on GitHub, the path of its module, the commit, and the set."""

    repository: str
    module: str
    commit: str
    set: str


APPLICATIONS = (
    Application(
        "openfaas/faas-cli", "github.com/openfaas/faas-cli", "c8191b71e7edf10be3b660ddcaee52c11de79238", HOLDOUT
    ),
    Application("tektoncd/cli", "github.com/tektoncd/cli", "95ae329e13ba430734bbe6d177a2845c61edb10b", HOLDOUT),
    Application(
        "jesseduffield/lazydocker",
        "github.com/jesseduffield/lazydocker",
        "7e7aadc2071d58031bf2daafca1fbd4093efc23f",
        HOLDOUT,
    ),
    Application("kubernetes-sigs/cri-tools", "sigs.k8s.io/cri-tools", "ba03eabc14500ba95be34f9cb7149c0f7de6ce33", DEV),
    Application(
        "distribution/distribution",
        "github.com/distribution/distribution/v3",
        "0d6b721dc3ceacb5d678c25b718b2f40a507c2d8",
        DEV,
    ),
)
_NOT_OWN = frozenset({"testdata", "vendor"})
_OTHER_BUILD = "one of several builds"
"""The reason of edges to what is built for another system than the checker's."""


class Score(NamedTuple):
    """Calls that the checker leads to a function or method of the project, and our edges of calls."""

    calls: int
    found: int
    edges: int
    contradicted: int
    judged: int


def folder(application: Application) -> Path:
    """The checkout, in the folder of its module below a `src`, as in a GOPATH."""
    root = CACHE / "truth" / application.repository.replace("/", "_") / "src" / application.module
    if not root.exists():
        root.mkdir(parents=True)
        run(root, "git", "clone", "-q", "--no-checkout", str(clone(application.repository)), ".")
        run(root, "git", "checkout", "-q", application.commit, "--", "*.go", "*go.mod")
    return root


def score(application: Application) -> Score:
    """Scores the calls of all packages that are built for Linux, amd64, with their tests."""
    root = folder(application)
    sources = Sources(root, _NOT_OWN)
    folders = sorted({path.rpartition("/")[0] or "." for path in sources.paths})
    places = os.pathsep.join((str(root).removesuffix(f"/{application.module}"), str(root / "vendor")))
    rows = checked(CACHE / "truth" / "go-2" / f"{application.module.replace('/', '_')}.jsonl", root, places, folders)
    rows = [row for row in rows if not row.get("to_file", "").startswith("vendor/")]
    judge = Judge(sources)
    wanted, found = (kinds["call"] for kinds in judge.judged(rows, judge.edges(rows)))
    told: dict[tuple[str, int, str], set[tuple[str, int]]] = defaultdict(set)
    for row in rows:
        if row["row"] == "call":
            told[row["file"], row["line"], row["name"]].add((row.get("to_file", ""), row.get("to_line", 0)))
    judged = contradicted = 0
    for edge in found.values():
        target = judge.symbol(edge.target)
        places_of = told.get((edge.file, edge.line, target.name), set())
        judged += bool(places_of)
        contradicted += bool(places_of) and (target.file, target.line) not in places_of and edge.reason != _OTHER_BUILD
    return Score(len(wanted), len(wanted.keys() & found.keys()), len(found), contradicted, judged)
