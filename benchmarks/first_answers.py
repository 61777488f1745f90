"""The first answer in a tree that nothing has indexed: whole commands, for elements drawn by a seed, beside codegraph.

Each question is a process of its own with an empty cache, by the installation of the README. The peer indexes, once a
round, and then answers. Elements whose name more than a tenth of the sources hold are drawn apart.
`python -m benchmarks.first_answers [ELEMENTS]`
"""

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bearings.code.facts.store import NoFacts
from bearings.code.index.demand import SearchedSources
from bearings.code.index.project_index import Index
from bearings.code.models import Symbol, SymbolKind
from benchmarks.code.commands import workplace
from benchmarks.code.corpora import PYTHON, TYPESCRIPT, Corpus, lines, sources, tree
from benchmarks.commands import BASE, REACT, Contender, codegraph, environment_of, ours
from benchmarks.measure import ROUNDS, header, progress, table
from benchmarks.truth import peers

SEED = 48
ELEMENTS = 100
COMMON = 0.1
KINDS = {
    SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS, SymbolKind.INTERFACE, SymbolKind.TYPE,
    SymbolKind.PROPERTY, SymbolKind.CONSTANT, SymbolKind.COMPONENT, SymbolKind.HOOK,
}  # fmt: skip
MAX_BYTES = 2_000_000
CORPORA = (TYPESCRIPT, PYTHON, REACT)


def main(elements: int = ELEMENTS, corpora: Sequence[Corpus] = CORPORA, rounds: int = ROUNDS) -> str:
    tool = ours(Path(__file__).parents[1] / "src")  # `make install` has put the C module there
    rows = [row for corpus in corpora for row in _measured(corpus, tool, elements, rounds)]
    command = "python -m benchmarks.first_answers"
    about = header("First answers", "bearings-mcp", "tree-sitter", rounds=rounds, command=command)
    heads = ["tree", "elements", "median", "p95", "most", f"× {peers.CODEGRAPH}: median", "p95", "without an index"]
    return about + ABOUT.format(codegraph=peers.CODEGRAPH, build=BASE, elements=elements) + table(heads, rows)


ABOUT = (
    "Wall time of whole processes (`{build}`): who uses an element, one step, the first page, in a tree that "
    "nothing has indexed, with an empty cache. {elements} elements of each tree, drawn by a seed among functions, "
    "methods, types, fields and constants; those whose name more than a tenth of the sources hold are drawn "
    "apart, a fifth as many. {codegraph} makes its index and then answers (`init`, `callers`; the median of the "
    "rounds): its time ÷ ours. *Without an index*: the share of answers that did not wait for one.\n\n"
)


def _measured(corpus: Corpus, tool: Contender, count: int, rounds: int) -> Iterator[list[str]]:
    root = tree(corpus)
    rare, common = _drawn(root, count)
    with workplace(root) as copy:
        times = {"names of few files": _answers(tool, copy, rare), "common words": _answers(tool, copy, common)}
    peer = statistics.median(_peer(root, rare[number].name) for number in range(rounds))
    about = f"{corpus.name}, {len(sources(root))} files, {lines(root) // 1000} kLOC"
    for name, answers in times.items():
        taken = sorted(seconds for seconds, _ in answers)
        middle, late = statistics.median(taken), taken[int(len(taken) * 0.95)]
        beside = [f"{peer / middle:.1f}", f"{peer / late:.1f}"]
        early = sum(is_early for _, is_early in answers) / len(answers)
        own = [f"{seconds:.2f} s" for seconds in (middle, late, taken[-1])]
        yield [about, f"{len(taken)} {name}", *own, *beside, f"{early:.2f}"]


def _drawn(root: Path, count: int) -> tuple[list[Symbol], list[Symbol]]:
    """Elements whose names few files hold, and some of the others."""
    snapshot = Index(root, NoFacts(), MAX_BYTES).refresh()
    searched = SearchedSources({path: (root / path).read_bytes() for path in snapshot.facts})
    elements = [symbol for symbol in snapshot.graph.symbols.values() if symbol.kind in KINDS]
    random.Random(SEED).shuffle(elements)
    rare: list[Symbol] = []
    common: list[Symbol] = []
    for symbol in elements:
        is_common = len(searched.holding(symbol.name)) > COMMON * len(snapshot.facts)
        chosen, most = (common, count // 5) if is_common else (rare, count)
        if len(chosen) < most:
            chosen.append(symbol)
        if len(rare) == count and len(common) == count // 5:
            break
    return rare, common


def _answers(tool: Contender, root: Path, elements: Sequence[Symbol]) -> list[tuple[float, bool]]:
    """Of each element the seconds of its answer, and whether that needed no index."""
    answers = []
    for number, symbol in enumerate(elements):
        progress(f"{root.name}: {number + 1} of {len(elements)} …")
        with environment_of(tool) as environment:
            command = [part.replace("{}", symbol.id) for part in tool.query]
            command[command.index("calls-me")] = "depends-on-me"
            command += ["--limit", "200"]  # a page, as a model gets it: whoever asks for all rows waits for an index
            started = time.perf_counter()
            done = subprocess.run(
                command, cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True
            )
            answers.append((time.perf_counter() - started, b"no index, read" in done.stdout))
    return answers


def _peer(root: Path, name: str) -> float:
    tool = codegraph()
    with workplace(root) as copy, environment_of(tool) as environment:
        started = time.perf_counter()
        for command in (tool.index, tool.query):
            filled = [part.replace("{}", name) for part in command]
            subprocess.run(filled, cwd=copy, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
        return time.perf_counter() - started


if __name__ == "__main__":
    text = main(int(sys.argv[1]) if len(sys.argv) > 1 else ELEMENTS)
    print(text)
    (Path(__file__).parent / "results" / "first_answers.md").write_text(text, encoding="utf-8")
