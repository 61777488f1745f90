"""Says how many of a project's own imports resolve, and the starts of those that lead to no file."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import may_name
from bearings.code.models import IMPORTS, EdgeKind, Outside
from bearings.code.resolve.file_summary import MAYBE_OWN
from bearings.code.symbol_keys import file_of

_MOST = 5
_MOST_FILES = 500
"""Files whose uses are unpacked for the counts."""
REMEDY = "Say in tsconfig.json's paths (Python: in pyproject.toml's pytest pythonpath) where it leads."


def own_imports(snapshot: Snapshot) -> tuple[str, ...]:
    """A line with the share of imports that resolve, and one for each start of several that don't; () if all do."""
    lost = _lost(snapshot)
    if not lost:
        return ()
    links = (edge for edge, _ in snapshot.graph.links() if edge.kind is EdgeKind.IMPORT)
    resolved = len({(edge.file, edge.line, file_of(edge.target)) for edge in links})
    return (f"{resolved} of {resolved + len(lost)} imports of the project's own files resolve", *_starts(lost))


def lost_starts(snapshot: Snapshot, declaring: str) -> str:
    """The starts of aliased imports that lead to no file, as a sentence; empty for none, and without an index.

    Only of files that may name what a file declares.
    """
    if not snapshot.graph.is_whole:
        return ""
    starts = _starts([use for use in _lost(snapshot) if not use.name.startswith(".") and may_name(use.file, declaring)])
    return f"Uses may be missing behind imports that lead to no file: {'; '.join(starts)}. {REMEDY}" if starts else ""


def _starts(lost: Sequence[Outside]) -> list[str]:
    """Each start with its count and its first import, the most frequent first."""
    counts = Counter(map(_start, lost))
    first = {_start(use): use for use in reversed(lost)}
    return [
        f"{start}: {count} {'import' if count == 1 else 'imports'}, no file "
        f"({first[start].name} at {first[start].file}:{first[start].line})"
        for start, count in counts.most_common(_MOST)
    ]


def _start(use: Outside) -> str:
    head, slash, rest = use.name.partition("/")
    # @app/lib/x starts with @app/lib/, ~/lib/x with ~/: the part that a tsconfig maps.
    return f"{head}/{rest.partition('/')[0]}/" if len(head) > 1 and head[0] == "@" and rest else head + slash


@lru_cache(maxsize=1)
def _lost(snapshot: Snapshot) -> tuple[Outside, ...]:
    """The imports that lead to no file of the project, and to nothing outside."""
    graph = snapshot.graph
    files = [path for path, summary in graph.summaries.items() if any("/" in name for name in summary.unknown)]
    uses = (use for path in files[:_MOST_FILES] for use in graph.outside_by_source.get(path, ()))
    return tuple(use for use in uses if use.kind in IMPORTS and use.why in MAYBE_OWN)
