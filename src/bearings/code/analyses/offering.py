"""What a project offers to others: the exports of its packages, which may be used where nobody here can see it.

- npm: what is declared in the files that package.json names, and in those that they export from.
- Python: public names in a package below a pyproject.toml, setup.py or setup.cfg.
- Go: exported names outside `internal/` and outside commands.
"""

from collections.abc import Mapping, Set
from functools import lru_cache

from bearings.code.analyses.manifests import offered
from bearings.code.models import EdgeKind, Language, Symbol
from bearings.code.project import is_aside
from bearings.code.refresh import Snapshot

_PYTHON = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})
_EXPORTS = frozenset({EdgeKind.EXPORT})


def is_offered(snapshot: Snapshot, symbol: Symbol) -> bool:
    """Whether others may use the element because a package offers it."""
    if not symbol.exported:
        return False
    language = snapshot.facts[symbol.file].language
    parts = symbol.file.split("/")[:-1]
    if language is Language.GO:
        return "internal" not in parts and "cmd" not in parts and "/".join(parts) not in _commands(snapshot)
    if language is Language.PYTHON:
        is_public = not any(part.startswith("_") for part in symbol.qualified_name.split("."))
        return is_public and _in_package(snapshot, parts)
    return symbol.file in _given(snapshot)


@lru_cache(maxsize=1)
def _given(snapshot: Snapshot) -> Set[str]:
    """The files of npm packages that others import, and all that they export from."""
    manifests = {path: data for path, data in snapshot.project.manifests.items() if not is_aside(path)}
    entries = list(offered(manifests, snapshot.facts))
    types = [f"{entry.rpartition('.')[0]}.d.ts" for entry in entries]
    waiting = [*entries, *(path for path in types if path in snapshot.facts)]
    found = set(waiting)
    while waiting:
        here = waiting.pop()
        for id_ in snapshot.graph.within(here):
            for edge in snapshot.graph.edges_from(id_, _EXPORTS):
                file = edge.target.partition("#")[0]
                if file not in found and file in snapshot.facts:
                    found.add(file)
                    waiting.append(file)
    return found


@lru_cache(maxsize=1)
def _commands(snapshot: Snapshot) -> Set[str]:
    """The folders of Go's commands: those with a function main."""
    names: Mapping[str, object] = snapshot.graph.names
    files = snapshot.graph.names.get("main", ()) if "main" in names else ()
    return {path.rpartition("/")[0] for path in files if path.endswith(".go")}


def _in_package(snapshot: Snapshot, parts: list[str]) -> bool:
    """Whether a folder is a Python package that is installed: by what is beside it, or above."""
    paths = snapshot.project.paths
    if "/".join([*parts, "__init__.py"]) not in paths:
        return False
    return any("/".join([*parts[:depth], name]) in paths for depth in range(len(parts)) for name in _PYTHON)
