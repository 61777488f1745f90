"""The first index of whole trees: the installation of the README beside peers, and beside an earlier build.

All take turns in each round, each on a copy of the tree that is a git repository of its own, with an empty cache.
`python -m benchmarks.whole_index [--against COMMIT] [FOLDER…]`; folders are further trees, such as clones.
"""

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bearings.code.languages import language_of
from benchmarks.code.commands import workplace
from benchmarks.code.corpora import PYTHON, TYPESCRIPT, tree
from benchmarks.commands import BASE, REACT, Contender, adopt_orphans, codegraph, environment_of, native_of, ours, timed
from benchmarks.measure import ROUNDS, header, progress, revision, table
from benchmarks.truth import peers

CORPORA = (REACT, PYTHON, TYPESCRIPT)
MOST_LINES = 530_000
"""Of a larger tree code-review-graph takes too many minutes a round."""


def main(folders: Sequence[Path], against: str = "", rounds: int = ROUNDS) -> str:
    adopt_orphans()
    trees = {corpus.name: tree(corpus) for corpus in CORPORA} | {folder.name: folder for folder in folders}
    contenders = {BASE: ours(Path(__file__).parents[1] / "src")}  # `make install` has put the C module there
    if against:
        contenders[f"{against}: make install"] = ours(native_of(against))
    review = peers.code_review_graph_command()
    contenders |= {
        peers.CODEGRAPH: codegraph(),
        peers.CODE_REVIEW_GRAPH: Contender((review, "build"), (review, "query", "callers_of", "{}")),
    }
    rows = [row for name, root in trees.items() for row in _measured(name, root, contenders, rounds)]
    command = "python -m benchmarks.whole_index" + (f" --against {against}" if against else "")
    about = header("Whole indexes", "bearings-mcp", "tree-sitter", rounds=rounds, command=command)
    heads = ["tree", "build", "CPU", "wall", "CPU ÷ first row", "wall ÷ first row"]
    return about + f"Our sources: {revision()}. Wall and CPU of all processes of one command.\n\n" + table(heads, rows)


def _measured(name: str, root: Path, contenders: Mapping[str, Contender], rounds: int) -> Iterator[list[str]]:
    files = [path for path in root.rglob("*") if language_of(path.name) and path.is_file()]
    size = sum(path.read_bytes().count(b"\n") for path in files)
    about = f"{name}, {len(files)} files, {size // 1000} kLOC"
    taken: dict[str, list[tuple[float, float]]] = {contender: [] for contender in contenders}
    for number in range(rounds):
        for contender, tool in contenders.items():
            if contender == peers.CODE_REVIEW_GRAPH and size > MOST_LINES:
                continue
            progress(f"{name}, round {number + 1} of {rounds}: {contender} …")
            with workplace(root) as copy, environment_of(tool) as environment:
                taken[contender].append(timed(tool.index, copy, environment, ""))
                progress("wall {:.1f} s, CPU {:.1f} s".format(*taken[contender][-1]))
    medians = {name: [statistics.median(part) for part in zip(*times, strict=True)] for name, times in taken.items()}
    middle = {name: of_one for name, of_one in medians.items() if of_one}
    first_wall, first_cpu = middle[BASE]
    for contender, (wall, cpu) in middle.items():
        yield [about, contender, f"{cpu:.2f} s", f"{wall:.2f} s", f"{cpu / first_cpu:.2f}", f"{wall / first_wall:.2f}"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--against", default="")
    given = parser.parse_args()
    text = main(given.folders, given.against)
    print(text)
    (Path(__file__).parent / "results" / "whole_index.md").write_text(text, encoding="utf-8")
