"""Entry points of a project: commands, package exports, scripts, endpoints."""

import re
from collections.abc import Iterator, Mapping, Sequence

from bearings.code.file_facts import FileFacts
from bearings.code.graph.project_graph import Graph
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import Symbol, SymbolKind
from bearings.code.project.names import is_aside
from bearings.code.questions.context.answer import Entry
from bearings.code.questions.context.packages import scripts_of
from bearings.code.search.endpoints import mounted_paths
from bearings.code.search.manifests import exported_sources

_MOST = 25
_OFFERED = 8
_SHOWN = 3
_NAMED = {"main": "is called main", "cli": "is called cli", "create_app": "makes the application"}
_FIRST = {
    "manage.py": "runs the project's commands",
    "wsgi.py": "is what a web server loads",
    "asgi.py": "is what a web server loads",
    "__main__.py": "is run by python -m",
    "main.ts": "is run first",
    "main.tsx": "is run first",
    "Program.cs": "is run first",
    "public/index.php": "is what a web server loads",
}
"""Ends of paths with a conventional role."""
_AT_ROOT = {"index.php": "is what a web server loads"}
"""Paths with such a role at the root alone: a folder of texts in a language may have an index.php, too."""


def entrances(snapshot: Snapshot, facts: Mapping[str, FileFacts]) -> tuple[Entry, ...]:
    """Commands, then package exports, then scripts, then endpoints by file."""
    manifests = {path: data for path, data in snapshot.project.manifests.items() if not is_aside(path)}
    own = {path: file for path, file in facts.items() if not (is_test(path) or is_aside(path))}
    reasons = dict.fromkeys(scripts_of(manifests), "is a command of the package")
    # "main": "dist/index.js" of package.json is src/index.ts.
    offered = [(path, field) for path, field in exported_sources(manifests, own).items() if "*" not in field]
    for path, field in offered[:_OFFERED]:
        reasons.setdefault(path, f"is what {field} gives")
    for rows in (_run(own), _endpoints(snapshot.graph, own)):
        for element, why in rows:
            reasons.setdefault(element, why)
    return tuple(Entry(element=element, why=why) for element, why in list(reasons.items())[:_MOST])


def _run(facts: Mapping[str, FileFacts]) -> Iterator[tuple[str, str]]:
    """Files that are run, the outermost first."""
    for path in sorted(facts, key=lambda path: (path.count("/"), path)):
        by_end = (why for end, why in _FIRST.items() if f"/{path}".endswith(f"/{end}"))
        why = _AT_ROOT.get(path) or next(by_end, "")
        if why:
            yield path, why
        spec = spec_of(path)
        main = spec.main_method if spec is not None and not why else ""
        for symbol in facts[path].symbols[1:]:
            if symbol.parent == path and symbol.name in _NAMED and symbol.kind is SymbolKind.FUNCTION:
                yield symbol.id, _NAMED[symbol.name]
            elif main and symbol.kind is SymbolKind.METHOD and re.match(main, symbol.signature):
                yield symbol.id, _NAMED["main"]


def _endpoints(graph: Graph, facts: Mapping[str, FileFacts]) -> list[tuple[str, str]]:
    """Files that register endpoints, the most endpoints first."""
    by_file = {
        path: [symbol for symbol in file.symbols if symbol.kind is SymbolKind.ENDPOINT] for path, file in facts.items()
    }
    rows = sorted(((path, own) for path, own in by_file.items() if own), key=lambda row: (-len(row[1]), row[0]))
    return [(path, f"registers {len(own)} endpoints: {_first(graph, own)}") for path, own in rows]


def _first(graph: Graph, endpoints: Sequence[Symbol]) -> str:
    """The names of the first endpoints, by their whole paths, and the number of the others."""
    names = [
        f"{one.detail.method} {whole[0]}" if one.detail and (whole := mounted_paths(graph, one)) else one.name
        for one in endpoints[:_SHOWN]
    ]
    more = f", {len(endpoints) - _SHOWN} more" if len(endpoints) > _SHOWN else ""
    return ", ".join(names) + more
