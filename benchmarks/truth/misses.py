"""Missed and wrong edges of a package of the dev set, grouped by kind: work for whoever mends the resolver."""

import linecache
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bearings.code.facts.store import NoFacts
from bearings.code.index.project_index import Index
from benchmarks.truth.checkout import project
from benchmarks.truth.compilers import truth_of
from benchmarks.truth.graphs import ours
from benchmarks.truth.packages import DEV, Package
from benchmarks.truth.score import Row, judge

_MAX_BYTES = 2_000_000


def listing(package: Package) -> str:
    """The groups, largest first. Raises ValueError for a package of the holdout set, which stays unread."""
    if package.set != DEV:
        raise ValueError(f"{package.label} is in the holdout set: its misses stay unread")
    root, truth, graph = project(package), truth_of(package), ours(project(package))
    judged = judge(truth, graph)
    why = _why(root)
    groups: dict[str, list[str]] = defaultdict(list)
    for key in sorted(judged.missed):
        row = judged.wanted[key]
        reason = why.get((row["caller_file"], row["site_line"], row["callee_name"]), "no such site")
        member = "member" if row["member"] else "plain"
        groups[f"missed: {row['kind']} by {row.get('via', 'call')}, {member}, we say {reason}"].append(
            _missed(root, row)
        )
    told = _sites(truth.calls)
    nodes = {node["id"]: node for node in graph["nodes"]}
    for key in sorted(judged.wrong):
        edge = judged.found[key]
        said = told.get((edge["file"], edge["line"]), [])
        verdict = "the compiler says another" if said else "the compiler says nothing here"
        groups[f"wrong: {edge['type']}, {edge['confidence']}, {edge['reason']}; {verdict}"].append(
            _wrong(root, edge, nodes, said)
        )
    groups["imports missed or wrong"] = sorted(_imports(truth.imports, graph, nodes, truth.files()))
    parts = [
        f"## {len(rows)} × {name}\n\n" + "\n".join(rows)
        for name, rows in sorted(groups.items(), key=lambda item: -len(item[1]))
    ]
    return (
        f"# {package.label}: {len(judged.missed)} missed of {len(judged.wanted)}, "
        f"{len(judged.wrong)} wrong of {len(judged.found)}\n\n" + "\n\n".join(parts) + "\n"
    )


def _why(root: Path) -> dict[tuple[str, int, str], str]:
    """Our resolver's reasons for uses without an edge."""
    resolution = Index(root, NoFacts(), _MAX_BYTES).refresh().graph.resolution
    return {(use.file, use.line, use.name.rsplit(".", 1)[-1]): use.why for use in resolution.outside}


def _sites(calls: Iterable[Row]) -> dict[tuple[str, int], list[str]]:
    sites: dict[tuple[str, int], list[str]] = defaultdict(list)
    for row in calls:
        sites[row["caller_file"], row["site_line"]].append(
            f"{row['callee_file']}:{row['callee_line']} {row['callee_name']} ({row['kind']})"
        )
    return sites


def _missed(root: Path, row: Row) -> str:
    site = f"{row['caller_file']}:{row['site_line']}"
    to = f"{row['callee_file']}:{row['callee_line']} {row['callee_name']}"
    return f"{site} [{row['caller_name']}] → {to}\n    {_line(root, row['caller_file'], row['site_line'])}"


def _wrong(root: Path, edge: Row, nodes: dict[str, Row], said: list[str]) -> str:
    truth = "; ".join(sorted(set(said))) or "nothing"
    source, target = nodes[edge["source"]], nodes[edge["target"]]
    site = f"{edge['file']}:{edge['line']} [{source['name']}] → {target['file']}:{target['line']} {target['name']}"
    return f"{site}\n    {_line(root, edge['file'], edge['line'])}\n    truth on this line: {truth}"


def _line(root: Path, file: str, number: int) -> str:
    return linecache.getline(str(root / file), number).strip()[:160]


def _imports(rows: Sequence[Row], graph: Mapping[str, Any], nodes: dict[str, Row], covered: set[str]) -> Iterator[str]:
    wanted = {(row["from"], row["to"]): row for row in rows if row["to"] and row["from"] != row["to"]}
    covered = covered | {row["from"] for row in rows}
    found = {
        (nodes[edge["source"]]["file"], nodes[edge["target"]]["file"]): edge
        for edge in graph["edges"]
        if edge["type"] in ("import", "export")
    }
    for pair in wanted.keys() - found.keys():
        yield f"missed import {pair[0]}:{wanted[pair]['line']} {wanted[pair]['spec']} → {pair[1]}"
    for pair in found.keys() - wanted.keys():
        if pair[0] in covered and pair[0] != pair[1]:
            yield f"wrong import {pair[0]}:{found[pair]['line']} → {pair[1]} ({found[pair]['reason']})"
