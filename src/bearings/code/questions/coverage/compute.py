"""Test coverage: by the newest coverage report, else by the graph."""

import os
import time
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from bearings.code.formats.coverage import FORMATS, Format, Lines, Unreadable, read
from bearings.code.formats.coverage_data import lines_of
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.project.reports import Report, find_reports
from bearings.code.project.skipped import Skipped
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_from
from bearings.code.questions.coverage import AskCoverage, CoverageReply, FileCoverage, Overall
from bearings.code.replies.element import not_indexed
from bearings.code.replies.elsewhere import Mentioned
from bearings.code.search.capabilities import counted, lacks, limit_of, without
from bearings.code.search.elsewhere import named_in_tests
from bearings.code.search.measures import all_measures
from bearings.code.search.reach import FUNCTIONS
from bearings.code.search.reaching_tests import reached_by_tests
from bearings.code.search.view import WholeGraph
from bearings.untrusted import named

_NS = 1_000_000_000
_MAX_BYTES = 32 * 2**20
_DEEPEST = 50
_LONGEST = 4_096
_RANGES = 12
_SHOWN = 200
_NAMED = 50
_OFFERED = 20


def compute(_: AskCoverage, view: WholeGraph) -> CoverageReply:
    """The coverage by a report, else by the graph."""
    return coverage(view.snapshot)


def coverage(snapshot: Snapshot) -> CoverageReply:
    """The coverage of a snapshot."""
    names = {name: format_ for format_ in FORMATS for name in format_.files}
    notes = []
    for report in find_reports(snapshot.tree, names, _MAX_BYTES):
        if isinstance(report, Skipped):
            notes.append(f"{_shown(report.path)} was not read ({report.reason})")
            continue
        format_ = names[report.path.rpartition("/")[2]]
        try:
            lines = _own(snapshot, report, read(format_, report.data))
        except Unreadable as error:
            notes.append(f"{_shown(report.path)} could not be read ({error})")
            continue
        if lines:
            lines = _completed(snapshot, lines, notes) if format_.has_executed_only else lines
            return _reported(snapshot, report, format_, lines, notes)
        notes.append(f"{_shown(report.path)} is about other files")
    return _by_graph(snapshot, notes)


def _shown(path: str) -> str:
    return named(path[-_SHOWN:])


def _own(snapshot: Snapshot, report: Report, lines: Lines) -> Lines:
    """The report's entries by the project's paths. Its paths are relative to the project or to the report's folder."""
    own: Lines = {}
    folder = report.path.rpartition("/")[0]
    # web/coverage/lcov.info names src/a.ts, which is web/src/a.ts.
    bases = [folder, folder.rpartition("/")[0]]  # the report's folder, and its parent: coverage/lcov.info
    tails = _tails(snapshot.facts)
    for path, covered in lines.items():
        plain = path.replace(os.sep, "/").removeprefix(f"{snapshot.root}/").removeprefix("./")
        near = [f"{base}/{plain}" for base in bases if base]
        # Else the only file that ends in the path: the report may be from another directory, or below a source root.
        parts = plain[-_LONGEST:].split("/")[-_DEEPEST:]
        ends = ("/".join(parts[start:]) for start in range(len(parts)))
        match = next((name for name in (*near, plain) if name in snapshot.facts), None)
        match = match or next((tails[end] for end in ends if end in tails), None)
        if match is not None:
            own[match] = covered
    return own


def _completed(snapshot: Snapshot, lines: Lines, notes: list[str]) -> Lines:
    """The report with executable lines added, from the present sources."""
    completed: Lines = {}
    for path, (_, ran) in lines.items():
        source = read_from(snapshot.tree, path, _MAX_BYTES)
        completed[path] = lines_of(source.data, ran) if isinstance(source, Source) else (ran, ran)
    notes.append("the data names the lines that ran; those that could are counted in the sources as they are now")
    return completed


def _tails(files: Iterable[str]) -> dict[str, str | None]:
    """Every tail of a path, from a slash on → the only file with it, or None if there are several."""
    tails: dict[str, str | None] = {}
    for file in files:
        parts = file.split("/")[-_DEEPEST:]
        for start in range(len(parts)):
            tail = "/".join(parts[start:])
            tails[tail] = None if tail in tails else file
    return tails


def _reported(snapshot: Snapshot, report: Report, format_: Format, lines: Lines, notes: list[str]) -> CoverageReply:
    rows = [_row(snapshot, report, path, *lines[path]) for path in sorted(lines) if not is_test(path)]
    own = {path for path, facts in snapshot.facts.items() if not is_test(path) and len(facts.symbols) > 1}
    untested = sorted((own - lines.keys()) | {row.file for row in rows if row.total and not row.covered})
    stale = [row.file for row in rows if row.stale]
    if stale:
        notes.append(f"{len(stale)} files changed since the report was made: their figures may be wrong")
    return _whole(
        rows, untested, notes, source=format_.name, unit="lines", report=report.path,
        age_s=round(max(0.0, time.time() - report.mtime_ns / _NS), 1), stale_files=stale,
    )  # fmt: skip


def _row(snapshot: Snapshot, report: Report, path: str, lines: set[int], ran: set[int]) -> FileCoverage:
    with snapshot.tree.reading() as reader:
        changed_ns = reader.changed_ns(path)
    is_stale = changed_ns is not None and changed_ns > report.mtime_ns
    return _file(path, len(ran), len(lines), _ranges(lines - ran), stale=is_stale)


def _file(path: str, covered: int, total: int, missing: str, *, stale: bool = False) -> FileCoverage:
    percent = _percent(covered, total)
    return FileCoverage(file=path, covered=covered, total=total, percent=percent, stale=stale, missing=missing)


def _by_graph(snapshot: Snapshot, notes: list[str]) -> CoverageReply:
    """Functions that a test reaches. No test was run, so this is an upper bound of the coverage."""
    reached = reached_by_tests(snapshot)
    measures = all_measures(snapshot)
    rows = []
    for path, facts in snapshot.facts.items():
        if is_test(path) or lacks(path, Capability.EDGES):
            continue
        is_counted = lacks(path, Capability.MEASURES)
        functions = [one for one in facts.symbols if one.kind in FUNCTIONS and (is_counted or one.id in measures)]
        if functions:
            missed = [symbol for symbol in functions if symbol.id not in reached]
            missing = ", ".join(symbol.qualified_name for symbol in missed[:_RANGES])
            rows.append(_file(path, len(functions) - len(missed), len(functions), missing))
    untested = [row.file for row in rows if not row.covered]
    left_out = without((path for path in snapshot.facts if not is_test(path)), Capability.EDGES)
    notes += [f"left out, as their calls {limit_of(left_out)}: {counted(left_out)}"] if left_out else []
    notes.append("no coverage report: these are functions that a test reaches through the graph; none was run")
    named_too = list(_named_in_tests(snapshot, untested[:_NAMED]))
    return _whole(
        rows, untested, notes, source="graph", unit="functions", stale_files=[],
        is_told=bool(rows) or not left_out, named_in_tests=named_too,
    )  # fmt: skip


def _named_in_tests(snapshot: Snapshot, files: Sequence[str]) -> Iterator[Mentioned]:
    """Files whose module or exports are named in tests, by the name with the most lines."""
    offered = {path: [one for one in snapshot.facts[path].symbols if one.exported][:_OFFERED] for path in files}
    lines = named_in_tests(snapshot, [symbol for symbols in offered.values() for symbol in symbols])
    for path, symbols in offered.items():
        best = max((lines[symbol.id] for symbol in symbols), key=lambda row: row.places, default=None)
        if best is not None and best.places:
            yield replace(best, element=path)


def _whole(
    rows: list[FileCoverage], untested: list[str], notes: list[str], *, is_told: bool = True, **about: object
) -> CoverageReply:
    covered, total = sum(row.covered for row in rows), sum(row.total for row in rows)
    rows.sort(key=lambda row: (row.percent, -row.total, row.file))
    return CoverageReply(
        overall=Overall(covered=covered, total=total, percent=_percent(covered, total) if is_told else None),
        by_file=rows,
        files=len(rows),
        untested_files=untested,
        untested_total=len(untested),
        note="; ".join(notes) or None,
        index=not_indexed(),
        **about,  # type: ignore[arg-type]
    )


def _percent(covered: int, total: int) -> float:
    return round(100 * covered / total, 1) if total else 0.0


def _ranges(lines: set[int]) -> str:
    """Lines as ranges: 3-5, 9."""
    spans: list[list[int]] = []
    for line in sorted(lines):
        if spans and spans[-1][1] == line - 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    shown = [str(start) if start == end else f"{start}-{end}" for start, end in spans[:_RANGES]]
    return ", ".join(shown) + (" …" if len(spans) > _RANGES else "")
