"""A hundred greps over two packages, and what the hook says to each: how often, whether it is right, what it costs.

The names are drawn at random from the definitions outside of tests, the greps are of five kinds in turn, and run for
real. What is said is checked twice: by the graph of a fresh index, and by the text, for each place has to hold the
name within two lines.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bearings.cli.hook.entry import answer_to
from bearings.code.defaults import MAX_FILE_BYTES
from bearings.code.facts.store import SqliteFacts
from bearings.code.graph.project_graph import Graph
from bearings.code.index.project_index import Index
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from benchmarks.code.corpora import PYTHON, package, tree
from benchmarks.measure import progress, revision, table

PACKAGES: tuple[tuple[str, Callable[[], Path]], ...] = (
    ("django==5.2.8", lambda: tree(PYTHON)),
    ("rxjs@7.8.2", lambda: package("rxjs@7.8.2") / "src"),
)
EACH = 50
SEED = 17
SETTLED_S = 3
NEAR = 3
"""Lines from a place on, in which the name has to stand: a call's first line, and two of a chain."""

_DRAWN = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.INTERFACE, SymbolKind.TYPE})
PLACES = re.compile(r"(\S+?\.\w+|«[^»]+»):(\d+(?:,\d+)*)")
CLIENT = "claude-code"


@dataclass
class Score:
    """The results of the greps in one package."""

    asked: int = 0
    spoke: int = 0
    right: int = 0
    """Answers all of whose places the graph has."""
    places: int = 0
    in_text: int = 0
    characters: list[int] = field(default_factory=list)
    wall_ms: list[float] = field(default_factory=list)
    processor_ms: list[float] = field(default_factory=list)
    gave_up: int = 0
    """Processes that said nothing where there was something to say."""


def main() -> str:
    """The table."""
    rows = []
    for spec, get in PACKAGES:
        progress(f"{spec} …")
        score, lines = _package(get().resolve())
        told = sorted(score.characters) or [0]
        rows.append(
            [
                spec,
                f"{lines:,}",
                str(score.asked),
                str(score.spoke),
                f"{score.right} of {score.spoke}",
                f"{score.in_text} of {score.places}",
                f"{told[len(told) // 2]} / {told[-1]}",
                spread(score.processor_ms),
                spread(score.wall_ms),
                str(score.gave_up),
            ]
        )
    columns = [
        "package",
        "lines",
        "greps",
        "spoke",
        "right by the graph",
        "places that the text has",
        "characters p50 / most",
    ]
    columns += ["processor ms p50 / p95", "wall ms p50 / p95", "gave up"]
    return (
        "# The hook after a grep\n\n"
        f"Made by `python -m benchmarks hook` at {revision()}, drawn with seed {SEED}, on {os.cpu_count()} processors "
        f"with a load of {os.getloadavg()[0]:.1f}. {' '.join((__doc__ or '').split())} *Processor* and *wall*: of "
        "whole processes, from their start to their end. *Gave up*: processes that were silent after half a second "
        "where there was something to say.\n\n" + table(columns, rows)
    )


def spread(values: Sequence[float]) -> str:
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2]:.0f} / {ordered[int(len(ordered) * 0.95)]:.0f}"


def _package(root: Path) -> tuple[Score, int]:
    """The score of the hook on a package's names, and the number of its lines."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        index = Index(root, SqliteFacts(cache), MAX_FILE_BYTES, graphs=GraphStore(cache))
        index.refresh()
        time.sleep(SETTLED_S)  # files that were unpacked just now are read once more when they are at rest
        snapshot = index.refresh()
        index.keep()
        environ = {**os.environ, "CODEREF_CACHE_DIR": str(cache)}
        score = Score()
        for symbol, payload in _greps(root, snapshot.graph):
            _ask(root, snapshot.graph, symbol, payload, environ, score)
        return score, sum(facts.lines for facts in snapshot.facts.values())


def _greps(root: Path, graph: Graph) -> Iterator[tuple[Symbol, bytes]]:
    drawn = [
        one
        for one in sorted(graph.symbols.values(), key=lambda one: one.id)
        if one.kind in _DRAWN and not is_test(one.file) and len(one.name) >= 3 and not one.name.startswith("__")
    ]
    for at, symbol in enumerate(random.Random(SEED).sample(drawn, EACH)):
        yield symbol, json.dumps(_payload(root, symbol, at % 5)).encode()


def _payload(root: Path, symbol: Symbol, kind: int) -> dict[str, object]:
    """A grep for a symbol's name, as Claude Code reports it."""
    name, folder = re.escape(symbol.name), str(Path(symbol.file).parent)
    base = {"session_id": "s", "cwd": str(root), "hook_event_name": "PostToolUse"}
    if kind < 2:
        mode = ("content", "files_with_matches")[kind]
        found = _grep(root, rf"\b{name}\b", ".")
        files = list(dict.fromkeys(line.partition(":")[0] for line in found))
        shown = {"content": "\n".join(found[:250])} if kind == 0 else {"filenames": files}
        given = {"pattern": rf"\b{name}\b", "output_mode": mode, "-n": True}
        return {**base, "tool_name": "Grep", "tool_input": given, "tool_response": {"mode": mode, **shown}}
    pattern, where, tail = ((rf"{name}\(", ".", " | head -20"), (name, folder, ""), (rf"\b{name}\b", ".", ""))[kind - 2]
    found = _grep(root, pattern, where)[: 20 if tail else 500]
    command = f"grep -rnE '{pattern}' {where}{tail}"
    response = {"stdout": "\n".join(found), "stderr": "", "interrupted": False}
    return {**base, "tool_name": "Bash", "tool_input": {"command": command}, "tool_response": response}


def _grep(root: Path, pattern: str, where: str) -> list[str]:
    command = ("grep", "-rnIE", "--exclude-dir=.git", "--", pattern, where)
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout.splitlines()


def _ask(root: Path, graph: Graph, symbol: Symbol, payload: bytes, environ: dict[str, str], score: Score) -> None:
    score.asked += 1
    answer = answer_to(CLIENT, payload, environ)
    wrote, wall, processor = ran(payload, environ)
    score.wall_ms.append(wall)
    score.processor_ms.append(processor)
    if not answer:
        return
    score.gave_up += not wrote
    text = json.loads(answer)["hookSpecificOutput"]["additionalContext"]
    score.spoke += 1
    score.characters.append(len(text))
    places = [(path.strip("«»"), int(line)) for path, lines in PLACES.findall(text) for line in lines.split(",")]
    known = _known(graph, symbol.name)
    score.right += all(place in known for place in places)
    score.places += len(places)
    score.in_text += sum(_holds(root, place, symbol.name) for place in places)


def _known(graph: Graph, name: str) -> set[tuple[str, int]]:
    """Where elements of a name are, where they are used, and where what calls them is called by tests."""
    found = set()
    for symbol in graph.symbols.values():
        if symbol.kind is not SymbolKind.MODULE and symbol.name == name:
            found.add((symbol.file, symbol.line))
            for edge in graph.edges_to(symbol.id):
                found.add((edge.file, edge.line))
                found.update((above.file, above.line) for above in graph.edges_to(edge.source) if is_test(above.file))
    return found


def _holds(root: Path, place: tuple[str, int], name: str) -> bool:
    path, line = place
    lines = (root / path).read_text("utf-8", "replace").splitlines()[line - 1 : line - 1 + NEAR]
    return any(re.search(rf"\b{re.escape(name)}\b", text) for text in lines)


def ran(payload: bytes, environ: dict[str, str]) -> tuple[bool, float, float]:
    """Whether a hook's process wrote anything, its milliseconds by the clock, and those of a processor."""
    started = time.perf_counter()
    with subprocess.Popen(
        (sys.executable, "-m", "bearings", "hook", CLIENT), env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(payload)
        process.stdin.close()
        wrote = bool(process.stdout.read())
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return wrote, (time.perf_counter() - started) * 1000, (usage.ru_utime + usage.ru_stime) * 1000
