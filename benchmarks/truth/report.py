"""The table of what is right and what is missed, by set and package."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.measure import table
from benchmarks.truth.packages import DEV, HOLDOUT, Package
from benchmarks.truth.score import KINDS, Ratio, Score, added

COLUMNS = [
    "package",
    "edges from",
    "calls",
    "precision",
    "recall",
    "`new` recall",
    "JSX recall",
    "imports precision",
    "imports recall",
    "imports precision, judged",
    "definitions found",
    "“no callers” where there is one",
]


@dataclass(frozen=True, slots=True)
class Line:
    """One package as one graph has it."""

    package: Package
    by: str
    score: Score


@dataclass(frozen=True, slots=True)
class Missing:
    """A row that could not be made, and why."""

    package: Package
    by: str
    why: str


EVERY_GRAPH = "every graph"


def left_out(missing: Sequence[Missing]) -> str:
    """A paragraph that names what has no row."""
    if not missing:
        return "Every package has a row of every graph.\n"
    rows = "".join(f"- {one.package.label}, {one.by}: {one.why}\n" for one in missing)
    return f"Left out here, so that a graph's sums are of the rows that it has:\n\n{rows}"


def tables(lines: Sequence[Line]) -> str:
    """A table each of the holdout and the dev set, sums by language below the packages."""
    parts = []
    for name, title in (
        (HOLDOUT, "Holdout: nobody has looked at what is missed here"),
        (DEV, "Dev: misses are read and mended"),
    ):
        mine = [line for line in lines if line.package.set == name]
        rows = [_row(line.package.label, line.by, line.score) for line in mine]
        for python, language in ((False, "TypeScript, JavaScript"), (True, "Python")):
            for by in dict.fromkeys(line.by for line in mine):
                scores = [line.score for line in mine if line.package.python is python and line.by == by]
                if scores:
                    rows.append(_row(f"**{language}, all**", by, total(scores)))
        parts.append(f"## {title}\n\n{table(COLUMNS, rows)}")
    return "\n".join(parts)


def total(scores: Sequence[Score]) -> Score:
    """Every edge weighs the same."""
    return Score(
        calls=added(score.calls for score in scores),
        by_kind={kind: added(score.by_kind[kind] for score in scores) for kind in KINDS},
        imports=added(score.imports for score in scores),
        judged_imports=added(score.judged_imports for score in scores),
        definitions=added(score.definitions for score in scores),
        silent=added(score.silent for score in scores),
    )


def history(day: str, revision: str, lines: Sequence[Line]) -> list[list[str]]:
    """Rows of the table over time: date, revision, set, language, precision and recall of calls, `no callers`."""
    rows = []
    for name in (HOLDOUT, DEV):
        for python, language in ((False, "TypeScript, JavaScript"), (True, "Python")):
            scores = [line.score for line in lines if line.package.set == name and line.package.python is python]
            if scores:
                all_of = total(scores)
                rows.append(
                    [
                        day,
                        revision,
                        name,
                        language,
                        *_both(all_of.calls),
                        *_both(all_of.imports),
                        _silent(all_of.silent),
                        _number(all_of.judged_imports.precision),
                    ]
                )
    return rows


def _row(label: str, by: str, score: Score) -> list[str]:
    return [
        label,
        by,
        str(score.calls.wanted),
        *_both(score.calls),
        _share(score.by_kind["new"]),
        _share(score.by_kind["jsx"]),
        *_both(score.imports),
        _number(score.judged_imports.precision),
        _share(score.definitions),
        _silent(score.silent),
    ]


def _both(ratio: Ratio) -> tuple[str, str]:
    return _number(ratio.precision), _number(ratio.recall)


def _share(ratio: Ratio) -> str:
    return _number(ratio.recall)


def _silent(ratio: Ratio) -> str:
    return f"{ratio.hit} of {ratio.wanted} ({_number(ratio.recall)})" if ratio.wanted else "–"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


HISTORY = [
    "day",
    "revision",
    "set",
    "language",
    "calls precision",
    "calls recall",
    "imports precision",
    "imports recall",
    "“no callers” where there is one",
    "imports precision, judged",
]


def with_history(earlier: str, rows: list[list[str]]) -> str:
    """The table over time: what the earlier file has of it, and `rows` in place of their like."""
    kept = [row for row in _rows(earlier) if row[:2] not in [new[:2] for new in rows]]
    return "## Over time\n\n" + table(HISTORY, [*kept, *rows])


def _rows(text: str) -> list[list[str]]:
    _, found, part = text.partition("## Over time")
    lines = [line for line in part.splitlines() if line.startswith("| ")] if found else []
    rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines[2:]]
    return [row + ["–"] * (len(HISTORY) - len(row)) for row in rows]  # a column that is younger than a row
