"""Our edges alone beside what compilers say, and what is missed.

`python -m benchmarks.truth ours` writes results/truth_ours.md; `python -m benchmarks.truth misses FOLDER [PACKAGE…]`
missed and wrong edges of the dev set, a file a package.
"""

import sys
from pathlib import Path

from benchmarks.measure import progress, revision, table
from benchmarks.truth import RESULT
from benchmarks.truth.checkout import SCIP_PYTHON, TYPESCRIPT, project
from benchmarks.truth.compilers import truth_of
from benchmarks.truth.graphs import kept
from benchmarks.truth.misses import listing
from benchmarks.truth.packages import DEV, PACKAGES, Package
from benchmarks.truth.processes import Failed
from benchmarks.truth.score import contradicted, judge

_HEADS = ["package", "set", "calls", "found", "edges", "contradicted", "of judged"]


def ours() -> str:
    """The page of our own edges."""
    rows, left, sums = [], [], [0, 0, 0, 0, 0]
    for package in PACKAGES:
        progress(package.label)
        try:
            figures = _figures(package)
        except Failed as why:
            left.append(f"{package.label} ({why.briefly})")
            continue
        sums = [one + other for one, other in zip(sums, figures, strict=True)]
        rows.append(_row(package.label, package.set, *figures))
    return (
        f"# Our edges against compilers\n\nMade by `python -m benchmarks.truth ours` at {revision()}; {TYPESCRIPT}, "
        f"{SCIP_PYTHON}. As [with peers](truth.md), but for edges that the compiler says nothing of: of calls that "
        "no code names (`with`, iteration, attributes), of values without a type to it, of what fixtures give. "
        "*Contradicted*: it leads the same name on the same line elsewhere alone; *of judged*: of the edges on whose "
        f"line it leads their name anywhere.\n\n{table(_HEADS, [*rows, _row('**all**', '', *sums)])}"
        + (f"\nLeft out: {'; '.join(left)}.\n" if left else "")
    )


def _figures(package: Package) -> tuple[int, int, int, int, int]:
    """The calls that the compiler sees, those found, our edges, those contradicted, and those judged."""
    truth, graph = truth_of(package), kept(project(package))
    judged = judge(truth, graph)
    wrong = contradicted(truth, graph, judged)
    found = len(judged.wanted.keys() & judged.found.keys())
    return len(judged.wanted), found, len(judged.found), wrong.hit, wrong.wanted


def _row(label: str, chosen: str, calls: int, found: int, edges: int, wrong: int, judged: int) -> list[str]:
    share = f"{found / max(1, calls):.3f}"
    return [label, chosen, str(calls), share, str(edges), str(wrong), f"{wrong / max(1, judged):.4f}"]


def main(arguments: list[str]) -> None:
    if arguments == ["ours"]:
        RESULT.with_name("truth_ours.md").write_text(ours(), encoding="utf-8")
        return
    if len(arguments) < 2 or arguments[0] != "misses":
        sys.exit(__doc__)
    folder, wanted = Path(arguments[1]), arguments[2:]
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        if package.set == DEV and (not wanted or package.label in wanted):
            text = listing(package)
            (folder / f"{package.label.replace('/', '_')}.txt").write_text(text, encoding="utf-8")
            print(text.splitlines()[0], flush=True)


main(sys.argv[1:])
