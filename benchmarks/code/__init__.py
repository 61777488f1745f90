"""Our code engine on large trees of published sources, beside reading and parsing alone, and beside peers.

`make bench-code`, or `python -m benchmarks code`; `BEARINGS_ROUNDS=1` for a quick look, `0` for a table
of what was measured already (at `BEARINGS_REVISION`). Trees are made by package name
(corpora.py); what is measured is in contenders.py and commands.py; rounds.py keeps it.
"""

import os
import statistics
from collections.abc import Iterator
from functools import partial

from benchmarks.code import commands, corpora
from benchmarks.code.contenders import EDITS, in_a_function, in_process
from benchmarks.code.corpora import GROWTH, PYTHON, TYPESCRIPT, Corpus, tree
from benchmarks.code.rounds import Rounds, Run, spread
from benchmarks.measure import header, revision, table

ROUNDS = int(os.environ.get("BEARINGS_ROUNDS", "5"))
CORPORA = (TYPESCRIPT, PYTHON)


def main() -> str:
    at = os.environ.get("BEARINGS_REVISION") or revision()
    rounds = Rounds(at)
    for corpus in CORPORA if ROUNDS else ():
        rounds.measure(_cold_runs(corpus), ROUNDS)
        rounds.measure(_engine(corpus) | _commands(rounds, corpus), 1)
    for corpus in GROWTH if ROUNDS else ():
        rounds.measure(_growth(corpus), min(ROUNDS, 3))
    for corpus in CORPORA:
        rounds.measure(_first_indexes(corpus), ROUNDS - 1)
    packages = ("bearings-mcp", "tree-sitter", "tree-sitter-typescript", "tree-sitter-javascript", "tree-sitter-python")
    return (
        header("Code", *packages, rounds=len(rounds.values("TypeScript: cold 2", "seconds")))
        + f"bearings at {at}. {_ABOUT}\n"
        + "\n".join(_section(rounds, corpus) for corpus in CORPORA if rounds.values(f"{corpus.name}: fresh", "check"))
        + _growth_table(rounds)
    )


_ABOUT = """\
Each contender runs in a process of its own. "Cold" is the listing, every file's facts into an empty store on disk, and
the resolved graph. Memory is (the most that all processes held together − what the first held before) ÷ lines, by
Linux's PSS. Edits are of random files, and of the twenty that most others import; the answer is a whole fresh graph,
the check included. Before each edit the index rests, as a worker does between two questions: it stores what it read,
and looks up which words each file holds; "at once" is without that. Memory and edits were measured once, many edits
each; growth is the median of three.
"""


def _cold_runs(corpus: Corpus) -> dict[str, Run]:
    root = tree(corpus)
    runs: dict[str, Run] = {}
    for processes in "12":
        runs[f"{corpus.name}: alone {processes}"] = partial(in_process, "alone", root, processes)
        runs[f"{corpus.name}: cold {processes}"] = partial(in_process, "cold", root, processes)
    return runs


def _engine(corpus: Corpus) -> dict[str, Run]:
    root = tree(corpus)
    return {
        f"{corpus.name}: memory": partial(in_process, "cold", root, "2", watch=True),
        f"{corpus.name}: fresh": partial(in_process, "fresh", root, "0"),
    }


def _commands(rounds: Rounds, corpus: Corpus) -> dict[str, Run]:
    root, cold = tree(corpus), f"{corpus.name}: cold 2"
    edited, function = rounds.first(cold, "edited"), rounds.first(cold, "function")
    return {
        f"{corpus.name}: {tool.name}": partial(commands.measure, tool, root, edited, in_a_function, function)
        for tool in commands.tools()
    }


def _first_indexes(corpus: Corpus) -> dict[str, Run]:
    """The longest of the whole commands, again."""
    root = tree(corpus)
    return {
        f"{corpus.name}: {tool.name}, again": partial(commands.first_index, tool, root) for tool in commands.tools()
    }


def _growth(corpus: Corpus) -> dict[str, Run]:
    root = tree(corpus)
    return {f"growth {corpus.name}": partial(in_process, "cold", root, "2", watch=True)}


def _section(rounds: Rounds, corpus: Corpus) -> str:
    root, name = tree(corpus), corpus.name
    count = corpora.lines(root)
    packages = ", ".join(spec for spec, _ in corpus.parts.values())
    about = f"{packages}: {rounds.first(f'{name}: cold 2', 'files')} files, {count} lines, "
    about += f"{rounds.first(f'{name}: cold 2', 'elements')} elements. "
    loads = [
        load for what in ("alone 1", "cold 1", "alone 2", "cold 2") for load in rounds.values(f"{name}: {what}", "load")
    ]
    times = len(rounds.values(f"{name}: cold 2", "seconds"))
    about += f"Rounds: {times}; the machine's load when these began: {min(loads):.1f}–{max(loads):.1f}."
    return (
        f"## {name}\n\n{about}\n\n"
        + table(["what, with how many processes", "time", "kLOC/s", "÷ read + parse"], list(_cold(rounds, name, count)))
        + f"\nMemory: {_per_line(rounds, f'{name}: memory', count)}.\n\n"
        + table(["what", "p50", "p95", "most"], list(_fresh(rounds, name)))
        + _tool_table(list(_tools(rounds, name)))
    )


def _tool_table(rows: list[list[str]]) -> str:
    columns = ["command", "first index", "× bearings", "one file edited → index", "query", "load"]
    return (
        "\nWhole commands, as users run them; for bearings the query itself looks for what changed. First indexes are "
        "medians of so many as are named, tools taking turns. `load` is the machine's when the row began; only rows of "
        f"about the same load compare.\n\n{table(columns, rows)}"
        if rows
        else ""
    )


def _cold(rounds: Rounds, name: str, count: int) -> Iterator[list[str]]:
    for what, shown in (("alone", "read + parse alone"), ("cold", "cold scan + resolve")):
        for processes in "12":
            seconds = rounds.median(f"{name}: {what} {processes}")
            ratio = seconds / rounds.median(f"{name}: alone {processes}")
            yield [f"{shown}, {processes}", f"{seconds:.2f} s", f"{count / seconds / 1000:.0f}", f"{ratio:.2f}"]


def _fresh(rounds: Rounds, name: str) -> Iterator[list[str]]:
    measured = f"{name}: fresh"
    yield ["check, nothing changed", *spread(rounds.values(measured, "check"))]
    for kind in EDITS:
        for where in ("any file", "hub"):
            yield [f"{kind}, {where} → fresh", *spread(rounds.values(measured, f"{kind}, {where}"))]
    yield [
        "a definition added, hub, at once → fresh",
        *spread(rounds.values(measured, "a definition added, hub, at once")),
    ]
    yield ["a rest after the first index", *spread(rounds.values(measured, "rest"))]
    yield ["100 files changed at once, or put back → fresh", *spread(rounds.values(measured, "switch"))]
    yield ["query after the check", *spread(rounds.values(measured, "query"))]


def _tools(rounds: Rounds, name: str) -> Iterator[list[str]]:
    if not rounds.values(f"{name}: bearings", "index"):
        return
    ours = statistics.median(_indexes(rounds, f"{name}: bearings"))
    for tool in commands.tools():
        if not rounds.values(f"{name}: {tool.name}", "index"):
            continue  # not measured yet
        indexes = _indexes(rounds, f"{name}: {tool.name}")
        index = statistics.median(indexes)
        sync, query = (rounds.median(f"{name}: {tool.name}", key) for key in ("sync", "query"))
        load, mine = (rounds.median(f"{name}: {each}", "load") for each in (tool.name, "bearings"))
        ratio = f"{index / ours:.1f}" if max(load, mine) < 2 * min(load, mine) else "–"
        yield [tool.name, f"{index:.1f} s ({len(indexes)})", ratio, f"{sync:.2f} s", f"{query:.2f} s", f"{load:.1f}"]


def _indexes(rounds: Rounds, name: str) -> list[float]:
    return rounds.values(name, "index") + rounds.values(f"{name}, again", "index")


def _growth_table(rounds: Rounds) -> str:
    rows = list(_growing(rounds))
    title = "\n## Growth\n\nIn two processes.\n\n"
    return title + table(["tree", "lines", "cold", "kLOC/s", "memory ÷ lines"], rows) if rows else ""


def _growing(rounds: Rounds) -> Iterator[list[str]]:
    for corpus in GROWTH:
        count, name = corpora.lines(tree(corpus)), f"growth {corpus.name}"
        if not rounds.values(name, "seconds"):
            continue
        seconds = rounds.median(name)
        yield [
            corpus.name,
            str(count),
            f"{seconds:.2f} s",
            f"{count / seconds / 1000:.0f}",
            _per_line(rounds, name, count),
        ]


def _per_line(rounds: Rounds, name: str, count: int) -> str:
    used = rounds.median(name, "peak") - rounds.median(name, "idle")
    return f"{used / count:.0f} B ({used / 1e6:.0f} MB)"
