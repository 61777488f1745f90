"""Reads and writes of fields in Java beside javac: `python -m benchmarks truth.java_fields`.

`java_checker/FieldUses.java` runs javac's Tree API over all sources of a project, without its libraries. A use is a
method that reads or writes a field of the project; code outside of methods is the class. An edge is judged unless javac
resolves the name on its line to nothing, because a library is missing. `--wrong` and `--missed` list what differs; the
projects of UNSEEN are never listed.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from bearings.code.models import Edge, Language
from bearings.code.search.reach import ACCESSES
from benchmarks.measure import progress, revision, table
from benchmarks.truth.checkout import CACHE
from benchmarks.truth.processes import run

DEV = {
    "gson": ("google/gson", "9835b6f90192f79cdf5300c528fc6212455fb6c1"),
    "jsoup": ("jhy/jsoup", "46b620860af930eedc193a705eaf7cea5aec89a6"),
}
UNSEEN = dict[str, tuple[str, str]]()
_CHECKER = Path(__file__).with_name("java_checker") / "FieldUses.java"
_MAX_BYTES = 2_000_000


class Use(NamedTuple):
    """A use: what the code does, the file and line of its method, file and line of the field, the field's name."""

    kind: str
    file: str
    user: int
    declared: str
    line: int
    name: str


def main() -> str:
    rows = []
    for kind, projects in (("looked into", DEV), ("unseen", UNSEEN)):
        for label, (repository, commit) in projects.items():
            progress(label)
            rows.append([label, kind, *_scores(_checkout(label, repository, commit), is_listed=kind != "unseen")])
    java = subprocess.run(("javac", "-version"), check=True, capture_output=True, text=True).stdout.strip()
    heads = ["Project", "Set", "Uses", "Found", "Recall", "Edges", "Judged", "Wrong", "Precision"]
    return (
        "# Fields of Java beside javac\n\n"
        f"Made by `python -m benchmarks truth.java_fields` at {revision()}; {java}, its Tree API. Uses: pairs of a "
        "method and a field that it reads or writes. Judged: edges whose name javac resolves.\n\n" + table(heads, rows)
    )


def _checkout(label: str, repository: str, commit: str) -> Path:
    folder = CACHE / "java" / label
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        run(folder.parent, "git", "clone", "--quiet", "--no-checkout", f"https://github.com/{repository}", label)
        run(folder, "git", "checkout", "--quiet", commit)
    return folder.resolve()


def _truth(root: Path) -> tuple[set[Use], set[tuple[str, int, str]]]:
    """The uses that javac finds, and the places of names that it does not resolve."""
    uses, unknown = set[Use](), set[tuple[str, int, str]]()
    for row in run(root, "java", str(_CHECKER), str(root)).splitlines():
        kind, file, line, name, *declared = row.split("\t")
        if declared:
            uses.add(Use(kind, file, int(declared[3]), declared[0], int(declared[1]), name))
        else:
            unknown.add((file, int(line), name))
    return uses, unknown


def _used(edge: Edge) -> Use:
    user, field = edge.source.rpartition(":")[2], edge.target.partition("#")
    name, _, line = field[2].rpartition(":")
    return Use(edge.kind.value, edge.file, int(user), field[0], int(line), name.rpartition(".")[2])


def _scores(root: Path, *, is_listed: bool) -> Iterable[str]:
    truth, unknown = _truth(root)
    snapshot = Index(root, NoFacts(), _MAX_BYTES).refresh()
    files = {path for path, facts in snapshot.facts.items() if facts.language is Language.JAVA}
    edges = [edge for edge in snapshot.graph.resolution.edges if edge.kind in ACCESSES and edge.file in files]
    edges = [edge for edge in edges if not edge.is_guess]
    ours = {_used(edge) for edge in edges}
    judged = {use for edge in edges if (edge.file, edge.line, (use := _used(edge)).name) not in unknown}
    for option, listed in (("--wrong", judged - truth), ("--missed", truth - ours)):
        for use in sorted(listed) if is_listed and option in sys.argv else ():
            print(option[2:], *use, file=sys.stderr)
    found, wrong = len(truth & ours), len(judged - truth)
    recall, precision = found / max(1, len(truth)), 1 - wrong / max(1, len(judged))
    counts = len(ours), len(judged), wrong
    return str(len(truth)), str(found), f"{recall:.4f}", *map(str, counts), f"{precision:.4f}"
