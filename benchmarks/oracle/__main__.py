"""Traces the tests of public packages and compares the graph with what ran: benchmarks/results/oracle.md.

python -m benchmarks.oracle                       # the table
python -m benchmarks.oracle misses FOLDER [NAME…] # the calls of packages that are read, without an edge; a file each
"""

import sys
from collections import Counter
from pathlib import Path

from benchmarks.measure import progress, revision, table
from benchmarks.oracle.packages import HELD, READ, Package, traced
from benchmarks.oracle.score import BASE, COUNTED, EDGE, GUESS, MISSED, NAMED, SPECIAL, VALUE, Score, scored

_ABOUT = """
Each package's own tests run under `sys.monitoring` (Python 3.12), which gives the functions that ran, and the calls
between functions of the project, its tests among them: pairs of a place and a function, each once. *Unused*: of the
functions that ran, those that `unused --exports` lists, or that a reply about them calls unused. The rest are shares
of the calls. *Edge*: an edge leads from the place to the function, or to the class that it constructs. *Base*: to a
member that the function overrides. *Guess*: only a guess does. *Counted*: the account of the name at the place has it
as unresolved. *Missed*: none of these. *By its name*: the place spells the function's name. *Through a value*: it
spells another one, or none: tables, callbacks, `getattr`, what a decorator puts in a function's place. *Special*:
special methods. The packages that are `held` are measured alone, and nobody reads what is missed there.
"""
_CLASSES = (EDGE, BASE, GUESS, COUNTED, MISSED)


def main() -> str:
    """The tables."""
    ran, rows, total = [], [], Score()
    for kind, package in (*(("read", one) for one in READ), *(("held", one) for one in HELD)):
        project, calls, said = traced(package)
        progress(f"{package.spec} …")
        score = scored(project, calls)
        ran.append([package.spec, kind, said, str(score.ran), str(len(score.called_unused))])
        rows.append([package.spec, kind, *(_cell(score.calls[group]) for group in (NAMED, VALUE, SPECIAL))])
        total.ran += score.ran
        total.called_unused += score.called_unused
        for group, counts in score.calls.items():
            total.calls[f"{kind} {group}"] += counts
            total.calls[group] += counts
    for kind in ("read ", "held ", ""):
        name = f"**{kind.strip() or 'all'}**"
        rows.append([name, "", *(_cell(total.calls[kind + group]) for group in (NAMED, VALUE, SPECIAL))])
    ran.append(["**all**", "", "", str(total.ran), str(len(total.called_unused))])
    shares, columns = f"{', '.join(_CLASSES)} of all", ["Package", "Set", "Its tests", "Functions that ran", "Unused"]
    return (
        f"# What runs, and what the graph says of it\n\nMade by `python -m benchmarks.oracle` at {revision()}."
        f" {' '.join(_ABOUT.split())}\n\n{table(columns, ran)}\n"
        f"Shares of {shares}:\n\n{table(['Package', 'Set', NAMED, VALUE, SPECIAL], rows)}"
    )


def _cell(counts: Counter[str]) -> str:
    """The share of each class, and how many calls there are."""
    calls = counts.total()
    return f"{' '.join(f'{counts[one] / calls:.3f}' for one in _CLASSES)} of {calls}" if calls else "none"


def misses(folder: Path, wanted: list[str]) -> None:
    """Writes the calls without an edge, those of one function together."""
    folder.mkdir(parents=True, exist_ok=True)
    for package in READ:
        if not wanted or package.name in wanted:
            (folder / f"{package.name}.txt").write_text(_listing(package), encoding="utf-8")


def _listing(package: Package) -> str:
    project, calls, _ = traced(package)
    score = scored(project, calls)
    lines = [f"unused: {one}" for one in score.called_unused]
    lines += [f"{group}: {_cell(counts)}" for group, counts in score.calls.items()]
    for group, verdict, call in sorted(score.judged, key=lambda one: (one[0], one[1], one[2].target.id)):
        if verdict != EDGE:
            source = (project / call.file).read_text(encoding="utf-8").splitlines()[call.line - 1].strip()
            lines.append(f"{group} | {verdict} | {call.target.id} | {call.file}:{call.line} | {source}")
    return "\n".join(lines) + "\n"


if sys.argv[1:2] == ["misses"] and len(sys.argv) > 2:
    misses(Path(sys.argv[2]), sys.argv[3:])
elif len(sys.argv) == 1:
    text = main()
    print(text)
    (Path(__file__).parents[1] / "results" / "oracle.md").write_text(text, encoding="utf-8")
else:
    sys.exit(__doc__)
