"""Exported elements that changed in a way that breaks callers, with the callers that were not adapted."""

import sys
from collections.abc import Iterable, Iterator

from bearings.code.analyses.before import Before
from bearings.code.analyses.differences import Difference, Pair
from bearings.code.analyses.reach import CALLS, certain
from bearings.code.analyses.signatures import breaks
from bearings.code.languages import spec_of
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.project.git.history import FileChange
from bearings.code.replies.changes import Breaking, BrokenUse

_MOST_USES = 50
_CALLED = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.HOOK, SymbolKind.COMPONENT}
)

Places = dict[str, list[range]]
"""The changed lines of each file, as they are now."""


def breaking(was: Before, pairs: Iterable[Pair], found: Iterable[Difference]) -> list[Breaking]:
    """One for each element with such callers, by file and line; elements of tests are left out."""
    places = _changed_lines(pairs)
    rows = [_row(was, one, places) for one in found]
    return [row for row in rows if row is not None]


def _row(was: Before, one: Difference, places: Places) -> Breaking | None:
    former = was.former(one)
    if former is None or not former.exported or former.kind is SymbolKind.MODULE or is_test(former.file):
        return None
    if one.status == "modified":
        why = _new_signature(former, one.symbol) if one.signature_changed else ""
        uses = list(_unadapted(was, one.symbol, places)) if why else []
    else:
        why = _where(one)
        uses = list(dict.fromkeys(_left_behind(was, former)))
    if not uses:
        return None
    is_gone = one.status == "removed"
    return Breaking(
        element=one.symbol.id,
        was=one.was or None,
        type=former.kind,
        file=uses[0][1] if is_gone else one.symbol.file,
        line=uses[0][2] if is_gone else one.symbol.line,
        why=why,
        uses=[BrokenUse(element=source, file=file, line=line) for source, file, line in uses[:_MOST_USES]],
        uses_total=len(uses),
    )


def _where(one: Difference) -> str:
    """What became of a former element."""
    if one.status == "removed":
        return "it is gone"
    return f"it is {one.symbol.name} now" if one.status == "renamed" else f"it is in {one.symbol.file} now"


def _new_signature(former: Symbol, now: Symbol) -> str:
    spec = spec_of(now.file)
    if now.kind not in _CALLED or spec is None:
        return ""
    return breaks(former.signature, now.signature, now.name, former.name, by_name=spec.keyword_arguments)


def _unadapted(was: Before, symbol: Symbol, places: Places) -> Iterator[tuple[str, str, int]]:
    """Calls on lines that the change left as they were."""
    graph = was.after.graph
    targets = [symbol.id, symbol.parent] if symbol.kind is SymbolKind.CONSTRUCTOR else [symbol.id]
    for target in targets:
        for edge in certain(graph.edges_to(target, CALLS)):
            if not any(edge.line in lines for lines in places.get(edge.file, ())):
                yield edge.source, edge.file, edge.line


def _left_behind(was: Before, former: Symbol) -> Iterator[tuple[str, str, int]]:
    """Uses of a former element in elements that still use its name, which leads nowhere now."""
    for edge in certain(was.snapshot.graph.edges_to(former.id)):
        source = was.now(edge.source)
        if source is None:
            continue
        if edge.kind in (EdgeKind.IMPORT, EdgeKind.EXPORT):
            yield from _left_imports(was, source, former)
            continue
        for use in was.after.graph.outside_by_source.get(source.id, ()):
            if use.name.rpartition(".")[2] == former.name and use.why in ("unresolved", "ambiguous", "external"):
                yield source.id, use.file, use.line


def _left_imports(was: Before, source: Symbol, former: Symbol) -> Iterator[tuple[str, str, int]]:
    facts = was.after.facts.get(source.file)
    if facts is None:
        return
    led = {edge.line for edge in was.after.graph.edges_from(source.id) if edge.is_name_of_import}
    for taken in facts.imports:
        if taken.name == former.name and taken.line not in led:
            yield source.id, source.file, taken.line


def _changed_lines(pairs: Iterable[Pair]) -> Places:
    return {change.new: _lines_of(change) for change, _, _ in pairs if change.new}


def _lines_of(change: FileChange) -> list[range]:
    """The changed lines of a file: all of a new one."""
    if not change.old:
        return [range(1, sys.maxsize)]
    return [range(hunk.new_start, hunk.new_start + hunk.new_count) for hunk in change.hunks]
