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
from benchmarks.code.corpora import HOME_ASSISTANT, PYTHON, SYMPY, TYPESCRIPT, Corpus, lines, sources, tree
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
SENTENCES = (
    "how is the configuration read at start", "where are errors shown to the user", "what happens when a request fails",
    "where is the cache cleared", "how are events sent to listeners", "which code parses dates",
    "where are settings saved", "how is text escaped before it is shown", "what runs when the window is closed",
    "where are old entries removed", "how are names compared without case", "which code writes to the log",
    "where is the user's permission checked", "how are values converted to strings", "what limits the retries",
    "where are default values set", "how is a list sorted before it is drawn", "which code reads files from disk",
    "where are two objects merged", "how is the state restored after a reload",
)  # fmt: skip
MAX_BYTES = 2_000_000
CORPORA = (TYPESCRIPT, PYTHON, REACT, SYMPY, HOME_ASSISTANT)


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
    "rounds): its time ÷ ours. Sentences without an identifier are asked of `explore`. *Without an index*: the share "
    "of answers that did not wait for one.\n\n"
)


def _measured(corpus: Corpus, tool: Contender, count: int, rounds: int) -> Iterator[list[str]]:
    root = tree(corpus)
    rare, common = _drawn(root, count)
    with workplace(root) as copy:
        times = {
            "names of few files": _answers(tool, copy, [_users(tool, symbol) for symbol in rare]),
            "common words": _answers(tool, copy, [_users(tool, symbol) for symbol in common]),
            "sentences": _answers(tool, copy, [[*_command(tool), "explore", each, "--json"] for each in SENTENCES]),
        }
    peer = statistics.median(_peer(root, rare[number].name) for number in range(rounds))
    about = f"{corpus.name}, {len(sources(root))} files, {lines(root) // 1000} kLOC"
    for name, answers in times.items():
        taken = sorted(seconds for seconds, _ in answers)
        middle, late = statistics.median(taken), taken[int(len(taken) * 0.95)]
        beside = [f"{peer / middle:.1f}", f"{peer / late:.1f}"] if name != "sentences" else ["", ""]
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


def _command(tool: Contender) -> Sequence[str]:
    return tool.query[: tool.query.index("query")]


def _users(tool: Contender, symbol: Symbol) -> list[str]:
    """The command for a page of the users of an element, as a model gets it: for all rows it waits for an index."""
    depth = ["--type", "depends-on-me", "--depth", "1", "--limit", "200"]
    return [*_command(tool), "query", symbol.id, *depth]


def _answers(tool: Contender, root: Path, commands: Sequence[Sequence[str]]) -> list[tuple[float, bool]]:
    """Of each command the seconds of its answer, and whether that needed no index."""
    answers = []
    for number, command in enumerate(commands):
        progress(f"{root.name}: {number + 1} of {len(commands)} …")
        with environment_of(tool) as environment:
            started = time.perf_counter()
            done = subprocess.run(
                command, cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True
            )
            is_early = b"no index, read" in done.stdout or b'"read":' in done.stdout
            answers.append((time.perf_counter() - started, is_early))
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
