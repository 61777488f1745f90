"""Java's calls beside what javac says: `python -m benchmarks truth.java`, with a JDK installed.

`java_checker/Calls.java` prints what javac resolves, without the libraries that a build would fetch: calls that need
one are unknown, and edges for these are not judged. Misses of the dev set may be read
(`python -m benchmarks.truth.java REPOSITORY`), those of the holdout set never.

The repositories were drawn before any was scored, by `random.Random(54).sample(CANDIDATES, 6)`, of a sorted list of 20;
the first, third and fifth became the dev set.
"""

import json
import os
import sys
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.models import Confidence, Edge, EdgeKind, Symbol, SymbolKind
from benchmarks.localisation import clone
from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import CACHE
from benchmarks.truth.packages import DEV, HOLDOUT
from benchmarks.truth.processes import run
from benchmarks.truth.score import Ratio

JARS = os.environ.get("BEARINGS_JARS", "/usr/share/java/*")
"""Libraries that javac is given, as a class path: those that the machine happens to have."""
_VERSION = 1
"""Raised when the checker writes other rows."""
_EXPORTS = tuple(
    f"--add-exports=jdk.compiler/com.sun.tools.javac.{name}=ALL-UNNAMED" for name in ("code", "tree", "util")
)
_CODE = frozenset({SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_LARGEST = 1_000_000
_SHARES = ("recall", "precision", "recall, overloads merged", "precision, overloads merged")
COLUMNS = [
    *("repository", "lines", "calls", "unknown"),
    *(f"{what}: {share}" for what in ("sure", "all") for share in _SHARES),
]


class Repository(NamedTuple):
    """A repository on GitHub, the commit, and the set."""

    name: str
    commit: str
    set: str


REPOSITORIES = (
    Repository("skylot/jadx", "6b3116f0c42c2d34feee7babd26af93e6ed128bf", HOLDOUT),
    Repository("google/google-java-format", "ecba4fb24fd064a64d2918c5fdb45546d08e3063", HOLDOUT),
    Repository("wumpz/jhotdraw", "bf548ce41dfee1389818ab5b7f4ee8ae542251bc", HOLDOUT),
    Repository("apache/commons-collections", "cf36204c913a268681f9e7786f48383d6a464ed4", DEV),
    Repository("traccar/traccar", "9e5c458ad0bf44ceaddf72534bf6874787f41b6c", DEV),
    Repository("spring-projects/spring-petclinic", "edf4db28affcc4741c79850a3d95bc3f177b5ff9", DEV),
    Repository("google/gson", "9835b6f90192f79cdf5300c528fc6212455fb6c1", DEV),
    Repository("jhy/jsoup", "46b620860af930eedc193a705eaf7cea5aec89a6", DEV),
)
Place = tuple[str, int]
Pair = tuple[Place, Place]
"""The file and line of a calling method, and of the method called."""


def folder(repository: Repository) -> Path:
    """The checkout of a repository's Java files."""
    root = CACHE / "truth" / "java" / repository.name.replace("/", "_")
    if not root.exists():
        root.mkdir(parents=True)
        run(root, "git", "clone", "-q", "--no-checkout", str(clone(repository.name)), ".")
        run(root, "git", "checkout", "-q", repository.commit, "--", "*.java")
    return root


@cache
def truth(repository: Repository) -> list[dict[str, Any]]:
    """The rows of javac, computed once."""
    stored = CACHE / "truth" / f"java-{_VERSION}" / f"{repository.name.replace('/', '_')}.jsonl"
    if not stored.exists():
        stored.parent.mkdir(parents=True, exist_ok=True)
        checker = Path(__file__).with_name("java_checker") / "Calls.java"
        stored.write_text(
            run(CACHE, "java", "-Xmx3g", *_EXPORTS, str(checker), str(folder(repository)), JARS), encoding="utf-8"
        )
    return [json.loads(line) for line in stored.read_text(encoding="utf-8").splitlines()]


class Judge:
    """Scores the edges of one repository."""

    def __init__(self, repository: Repository) -> None:
        self.root = folder(repository)
        self._rows = truth(repository)
        self._owners = {
            (row["file"], row["line"]): (row["file"], row["class"], row["name"]) for row in self._of_kind("def")
        }
        self._unknown = {(row["file"], row["around"], row["name"]) for row in self._of_kind("unknown")}
        self.unknown = sum(1 for _ in self._of_kind("unknown"))
        self.wanted = {
            ((row["file"], row["around"]), (row["to"], row["to_line"])): row
            for row in self._of_kind("call")
            if row["around"]
        }
        self._graph = Index(self.root.resolve(), NoFacts(), _LARGEST).refresh().graph
        self.lines = sum((self.root / file).read_bytes().count(b"\n") for file in {place[0] for place in self._owners})

    def _of_kind(self, kind: str) -> Iterator[dict[str, Any]]:
        return (row for row in self._rows if row["row"] == kind)

    def found(self, *, sure: bool) -> dict[Pair, Edge]:
        """Our edges of calls from methods that javac read, without those of calls that it does not know."""
        found: dict[Pair, Edge] = {}
        for edge in self._graph.resolution.edges:
            if edge.kind is not EdgeKind.CALL or (sure and edge.confidence is Confidence.HEURISTIC):
                continue
            source, target = self._symbol(edge.source), self._symbol(edge.target)
            if source is None or target is None or source.kind not in _CODE or target.kind is SymbolKind.CONSTRUCTOR:
                continue
            around = source.file, source.line
            pair = around, (target.file, target.line)
            if around in self._owners and (pair in self.wanted or (*around, target.name) not in self._unknown):
                found.setdefault(pair, edge)
        return found

    def _symbol(self, name: str) -> Symbol | None:
        return self._graph.symbols.get(name)

    def ratios(self, *, sure: bool) -> Iterator[Ratio]:
        """By method, then with the overloads of a class as one."""
        found = self.found(sure=sure)
        yield Ratio(len(found.keys() & self.wanted.keys()), len(self.wanted), len(found))
        mine, theirs = (
            {tuple(self._owners.get(place, place) for place in pair) for pair in pairs}
            for pairs in (found, self.wanted)
        )
        yield Ratio(len(mine & theirs), len(theirs), len(mine))

    def misses(self) -> Iterator[str]:
        """The missed and the wrong edges, each with its line."""
        found = self.found(sure=False)
        for pair in sorted(self.wanted.keys() - found.keys()):
            row = self.wanted[pair]
            line = self._line(row["file"], row["line"])
            yield f"missed {row['file']}:{row['line']} {row['to']}:{row['to_line']} | {line}"
        for pair in sorted(found.keys() - self.wanted.keys()):
            edge = found[pair]
            to = "{}:{}".format(*pair[1])
            yield f"{edge.confidence} {edge.file}:{edge.line} {to} | {self._line(edge.file, edge.line)}"

    def _line(self, file: str, line: int) -> str:
        return (self.root / file).read_text(encoding="utf-8").split("\n")[line - 1].strip()


def main() -> str:
    parts = []
    for title, which in (("Holdout: nobody has looked at what is missed here", HOLDOUT),
                         ("Dev: misses are read and mended", DEV)):  # fmt: skip
        rows = []
        for repository in REPOSITORIES:
            if repository.set == which:
                progress(f"{repository.name} …")
                rows.append(_row(repository))
        parts.append(f"## {title}\n\n{table(COLUMNS, rows)}")
    return (
        f"# Java's calls against javac\n\n{date.today().isoformat()}, bearings at {revision()}. "
        f"Made by `python -m benchmarks truth.java`.\n\n{_ABOUT}\n" + "\n".join(parts)
    )


_ABOUT = """\
An edge counts once for each caller (a declared method or constructor, lambdas in it included) and method called. Calls
in initializers and of constructors are left out. A call through an interface leads to the interface's method. Calls
that javac can't resolve for want of a library (`unknown`) are nobody's. Sure: without `heuristic` edges.
"""


def _row(repository: Repository) -> list[str]:
    judge = Judge(repository)
    shares = [
        share
        for sure in (True, False)
        for ratio in judge.ratios(sure=sure)
        for share in (ratio.recall, ratio.precision)
    ]
    return [
        repository.name,
        str(judge.lines),
        str(len(judge.wanted)),
        str(judge.unknown),
        *("–" if share is None else f"{share:.4f}" for share in shares),
    ]


if __name__ == "__main__":
    for repository in REPOSITORIES:
        if repository.name in sys.argv[1:] and repository.set == DEV:
            print(*Judge(repository).misses(), sep="\n")
