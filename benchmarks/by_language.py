"""Lines that a first index reads in a second of CPU, by language, in the installation of the README and in codegraph.

`python -m benchmarks.by_language ROUNDS FOLDER…`: clones of which each is mostly in one language, such as a part of
spring-framework, jellyfin and langfuse/web/src. Both tools take turns, each on a copy that is a git repository of its
own, with an empty cache. Lines are those of files in the folder's most frequent language.
"""

import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bearings.code.languages import SPECS, language_of
from benchmarks.code.commands import workplace
from benchmarks.commands import BASE, Contender, adopt_orphans, codegraph, environment_of, ours, timed
from benchmarks.measure import header, progress, revision, table
from benchmarks.truth import peers


def main(folders: Sequence[Path], rounds: int) -> str:
    """The table."""
    adopt_orphans()
    contenders = {BASE: ours(Path(__file__).parents[1] / "src"), peers.CODEGRAPH: codegraph()}
    rows = [row for folder in folders for row in _measured(folder, contenders, rounds)]
    command = "python -m benchmarks.by_language ROUNDS FOLDER…"
    about = header("First indexes by language", "bearings-mcp", "tree-sitter", rounds=rounds, command=command)
    return f"{about}Our sources: {revision()}.\n\n" + table(["tree", "build", "CPU", "wall", "kLOC a CPU second"], rows)


def _measured(folder: Path, contenders: Mapping[str, Contender], rounds: int) -> Iterator[list[str]]:
    lines = Counter[str]()
    for path in folder.rglob("*"):
        language = language_of(path.name)
        if language is not None and path.is_file():
            lines[SPECS[language].group] += path.read_bytes().count(b"\n")
    [(most, size)] = lines.most_common(1)
    taken: dict[str, list[tuple[float, float]]] = {contender: [] for contender in contenders}
    for number in range(rounds):
        for contender, tool in contenders.items():
            progress(f"{folder.name}, round {number + 1} of {rounds}: {contender} …")
            with workplace(folder) as copy, environment_of(tool) as environment:
                taken[contender].append(timed(tool.index, copy, environment, ""))
                progress("wall {:.1f} s, CPU {:.1f} s".format(*taken[contender][-1]))
    for contender, times in taken.items():
        wall, cpu = (statistics.median(part) for part in zip(*times, strict=True))
        about = f"{folder.name}, {size // 1000} kLOC of {most}"
        yield [about, contender, f"{cpu:.1f} s", f"{wall:.1f} s", f"{size / 1000 / cpu:.1f}"]


if __name__ == "__main__":
    text = main([Path(word) for word in sys.argv[2:]], int(sys.argv[1]))
    print(text)
    (Path(__file__).parent / "results" / "by_language.md").write_text(text, encoding="utf-8")
