"""Whole commands as users run them, by each way to build the program, beside codegraph: first index, edit, query.

The first row is the installation of the README (`make install`: the package and its C module). All contenders take
turns in each round. A round makes a copy of the tree for each, a git repository, with an empty cache; then the first
index, five edits, each with a query, and five queries without an edit. `make compiled` comes first;
`--against COMMIT` adds the builds of an earlier commit.
"""

import ctypes
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.builds import builds
from benchmarks.code.commands import workplace
from benchmarks.code.contenders import a_definition
from benchmarks.code.corpora import PYTHON, TYPESCRIPT, Corpus, lines, sources, tree
from benchmarks.measure import ROUNDS, header, progress, table
from benchmarks.memory import family
from benchmarks.truth import peers
from benchmarks.truth.checkout import CACHE

ROOT = Path(__file__).parents[1]
EDITS = 5
QUERIES = 5

REACT = Corpus(
    "React",
    {
        "components": ("@wordpress/components@41.0.0", "src"),
        "block-library": ("@wordpress/block-library@10.0.0", "src"),
    },
)
CORPORA = (
    (TYPESCRIPT, "assertNotNullOrUndefined"),
    (PYTHON, "get_user_model"),
    (REACT, "useContextSystem"),
)
"""Each tree, and a name of which its users are asked for."""

BASE = "make install (C module)"

_PR_SET_CHILD_SUBREAPER = 36
"""linux/prctl.h"""


@dataclass(frozen=True, slots=True)
class Contender:
    """A tool by its commands. `{}` stands for a name; `sync` is empty for a tool whose query finds edits itself."""

    index: Sequence[str]
    query: Sequence[str]
    sync: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Taken:
    """Seconds of one contender: CPU and wall of first indexes, wall of edits until the answer, and of queries."""

    cpu: list[float] = field(default_factory=list)
    index: list[float] = field(default_factory=list)
    edit: list[float] = field(default_factory=list)
    query: list[float] = field(default_factory=list)
    load: list[float] = field(default_factory=list)


def main(against: str = "", corpora: Sequence[tuple[Corpus, str]] = CORPORA, rounds: int = ROUNDS) -> str:
    adopt_orphans()
    with tempfile.TemporaryDirectory() as folder:
        places = _places(Path(folder), against)
        contenders = {name: ours(place) for name, place in places.items()} | {peers.CODEGRAPH: codegraph()}
        rows = [row for corpus, name in corpora for row in _measured(corpus, name, contenders, rounds)]
    command = "make compiled && python -m benchmarks.commands" + (f" --against {against}" if against else "")
    about = header("Commands", "bearings-mcp", "tree-sitter", "mypy", rounds=rounds, command=command)
    heads = [
        "tree", "build", "first index: CPU", "wall", "× first row", "edit → answer", "× first row", "query",
        "× first row", "load",
    ]  # fmt: skip
    return about + ABOUT.format(codegraph=peers.CODEGRAPH) + table(heads, rows)


ABOUT = (
    "Each figure is the wall time of whole processes, but for CPU, which is that of all processes of the first index. "
    "*Edit → answer*: a function is added to a file, and the callers of a name are asked for; of {codegraph}, `sync` "
    "and then `callers`. *Query* is the same question without an edit. *Load* is the machine's, the median of when a "
    "contender's turns began.\n\n"
)


def _places(folder: Path, against: str) -> dict[str, Path]:
    made = builds(folder)
    places = {BASE: made["C module"], "wheel with mypyc": made["mypyc + C module"], "pure": made["pure"]}
    if against:
        native = native_of(against)
        checkout = native.parents[1]
        if not (checkout / "build" / "compiled").is_dir():
            subprocess.run((sys.executable, "packaging/compiled.py", "build/compiled"), cwd=checkout, check=True)
        places |= {
            f"{against}: make install": native,
            f"{against}: pure": checkout / "src",
            f"{against}: compiled": checkout / "build" / "compiled",
        }
    return places


def native_of(commit: str) -> Path:
    """The package of an earlier commit with its C module, made when it is first asked for."""
    checkout = CACHE / "builds" / commit
    native = checkout / "build" / "native"
    if not native.is_dir():
        shutil.rmtree(checkout, ignore_errors=True)
        checkout.mkdir(parents=True)
        archive = subprocess.run(("git", "archive", commit), cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(("tar", "x"), cwd=checkout, input=archive, check=True)
        shutil.copytree(checkout / "src", native)
        subprocess.run((sys.executable, "packaging/native.py", str(native)), cwd=checkout, check=True)
    return native


def ours(place: Path) -> Contender:
    command = (sys.executable, "-m", "bearings", "code")
    path = {"PYTHONPATH": str(place), "PYTHONSAFEPATH": "1"}
    query = (*command, "query", "{}", "--type", "calls-me", "--depth", "1")
    return Contender((*command, "scan", "--limit", "1"), query, environment=path)


def codegraph() -> Contender:
    command = peers.codegraph_command()
    return Contender((command, "init"), (command, "callers", "{}"), (command, "sync"))


def _measured(corpus: Corpus, name: str, contenders: Mapping[str, Contender], rounds: int) -> Iterator[list[str]]:
    root = tree(corpus)
    paths = [Path(path).relative_to(root) for path, _ in sources(root)]
    edited = paths[len(paths) // (2 * EDITS) :: max(1, len(paths) // EDITS)][:EDITS]
    taken = {contender: Taken() for contender in contenders}
    for number in range(rounds):
        for contender, tool in contenders.items():
            progress(f"{corpus.name}, round {number + 1} of {rounds}: {contender} …")
            _turn(tool, root, edited, name, taken[contender])
    first = taken[BASE]
    about = f"{corpus.name}, {len(paths)} files, {lines(root) // 1000} kLOC"
    for contender, times in taken.items():
        yield [about, contender, f"{statistics.median(times.cpu):.2f} s", *_beside(times.index, first.index),
               *_beside(times.edit, first.edit), *_beside(times.query, first.query),
               f"{statistics.median(times.load):.1f}"]  # fmt: skip


def _beside(times: Sequence[float], first: Sequence[float]) -> list[str]:
    middle = statistics.median(times)
    return [f"{middle:.2f} s", f"{middle / statistics.median(first):.2f}"]


def _turn(tool: Contender, root: Path, edited: Sequence[Path], name: str, taken: Taken) -> None:
    """One round of one contender."""
    with workplace(root) as copy, environment_of(tool) as environment:
        taken.load.append(os.getloadavg()[0])
        wall, cpu = timed(tool.index, copy, environment, name)
        taken.index.append(wall)
        taken.cpu.append(cpu)
        timed(tool.query, copy, environment, name)  # warm: modules and caches are loaded once
        for path in edited:
            file = copy / path
            source = file.read_bytes()
            file.write_bytes(a_definition(str(path), source))
            synced = timed(tool.sync, copy, environment, name)[0] if tool.sync else 0.0
            taken.edit.append(synced + timed(tool.query, copy, environment, name)[0])
        taken.query += [timed(tool.query, copy, environment, name)[0] for _ in range(QUERIES)]


@contextmanager
def environment_of(tool: Contender) -> Iterator[dict[str, str]]:
    """Variables of the commands: a cache of its own, and modules that are compiled once, as pip does."""
    bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(CACHE / "bytecode")}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        yield {**peers.QUIET, **bytecode, **tool.environment, "XDG_CACHE_HOME": cache}


def adopt_orphans() -> None:
    """Make this process the parent of processes that outlive their command, so that their CPU can be read (Linux)."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _cpu() -> float:
    """CPU seconds of all processes that commands started: of ended ones, and of those that still live."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = 0
    for pid in family(os.getpid())[1:]:
        with suppress(OSError):
            fields = Path("/proc", str(pid), "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            ticks += sum(int(field) for field in fields[11:15])  # utime, stime, and those of its ended children
    return ended.ru_utime + ended.ru_stime + ticks / os.sysconf("SC_CLK_TCK")


def timed(command: Sequence[str], root: Path, environment: Mapping[str, str], name: str) -> tuple[float, float]:
    """Wall and CPU seconds of a command that must succeed."""
    before, started = _cpu(), time.perf_counter()
    filled = [part.replace("{}", name) for part in command]
    done = subprocess.run(
        filled, cwd=root, env=dict(environment), stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    wall = time.perf_counter() - started
    if done.returncode:
        raise RuntimeError(f"{' '.join(filled)}: {done.stdout[-500:].decode()}{done.stderr[-1500:].decode()}")
    return wall, _cpu() - before


if __name__ == "__main__":
    text = main(sys.argv[sys.argv.index("--against") + 1] if "--against" in sys.argv else "")
    print(text)
    (Path(__file__).parent / "results" / "commands.md").write_text(text, encoding="utf-8")
