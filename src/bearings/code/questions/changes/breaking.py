"""Elements that changed in a way that breaks callers, with the callers that were not adapted.

Of an element that is not exported, only uses in other files count, such as those of Go's packages.
"""

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence

from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import CALLED, CALLS, IMPORTS, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.project.sources import Source
from bearings.code.project.tree import read_from
from bearings.code.questions.changes.before import Before
from bearings.code.questions.changes.differences import Difference, Pair
from bearings.code.replies.changes import Breaking, BrokenUse
from bearings.code.search.call_arguments import Arguments
from bearings.code.search.misfits import Misfits, names_in
from bearings.code.search.reach import without_guesses

_MOST_USES = 50

Places = dict[str, list[range]]
"""The changed lines of each file, as they are now."""


def breaking(was: Before, pairs: Sequence[Pair], found: Iterable[Difference]) -> list[Breaking]:
    """One for each element with such callers, by file and line; elements of tests are left out."""
    formers = [(one, former) for one in found if (former := was.former(one)) is not None]
    names = was.after.graph.names
    judge = _Judge(was, pairs, {former.name for _, former in formers if not names.get(former.name)})
    rows = [_row(judge, one, former) for one, former in formers]
    return [row for row in rows if row is not None]


def _row(judge: "_Judge", one: Difference, former: Symbol) -> Breaking | None:
    if former.kind is SymbolKind.MODULE or is_test(former.file):
        return None
    why, uses = "", []
    if one.status != "modified":
        now = f"it is {one.symbol.name} now" if one.status == "renamed" else f"it is in {one.symbol.file} now"
        why = "it is gone" if one.status == "removed" else now
        uses = list(dict.fromkeys(_left_behind(judge.was, former)))
    elif one.signature_changed:
        why, uses = judge.unfit(former, one.symbol)
    # Who changes a private function sees its uses in the file; other files of a Go package have uses, too.
    if not former.exported:
        uses = [use for use in uses if use[1] != former.file]
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


Use = tuple[str, str, int]
"""The element around a use, its file and its line."""


class _Judge:
    """Reads the calls that a change left as they were, and tells which of them don't fit any more."""

    def __init__(self, was: Before, pairs: Sequence[Pair], gone: Collection[str]) -> None:
        self.was = was
        self._gone = gone
        # The changed lines of each file: all of a new one.
        self._places: Places = {
            change.new: [range(hunk.new_start, hunk.new_start + hunk.new_count) for hunk in change.hunks]
            if change.old
            else [range(1, sys.maxsize)]
            for change, _, _ in pairs
            if change.new
        }
        self._lines: dict[str, Sequence[str]] = {}

    def unfit(self, former: Symbol, now: Symbol) -> tuple[str, list[Use]]:
        """The first reason that concerns a call, and all calls that a reason concerns."""
        if now.kind not in CALLED:
            return "", []
        body = "\n".join(self._text(now.file)[now.line - 1 : now.end_line])
        misfits = Misfits(former, now, body, self._text, self._gone)
        found = (
            {edge: misfits.why(self._calls(misfits, edge)) for edge in self._unadapted(now)} if misfits.reasons else {}
        )
        uses = [(edge.source, edge.file, edge.line) for edge, why in found.items() if why]
        return next(filter(None, found.values()), ""), uses

    def _unadapted(self, symbol: Symbol) -> Iterator[Edge]:
        """Calls on lines that the change left as they were."""
        targets = [symbol.id, symbol.parent] if symbol.kind is SymbolKind.CONSTRUCTOR else [symbol.id]
        for target in targets:
            for edge in without_guesses(self.was.after.graph.edges_to(target, CALLS)):
                if not any(edge.line in lines for lines in self._places.get(edge.file, ())):
                    yield edge

    def _calls(self, misfits: Misfits, edge: Edge) -> list[Arguments] | None:
        """The calls of an edge as written; None if that is unknown."""
        after = self.was.after
        target = after.graph.symbols.get(edge.target)
        if target is None or edge.kind is EdgeKind.JSX:
            return None
        return misfits.calls(edge.file, edge.line, names_in(after.facts[edge.file], target.name)) or None

    def _text(self, file: str) -> Sequence[str]:
        if file not in self._lines:
            source = read_from(self.was.after.tree, file, _MOST_BYTES) if len(self._lines) < _MOST_READ else None
            text = source.data.decode("utf-8", "replace") if isinstance(source, Source) else ""
            self._lines[file] = text.split("\n")
        return self._lines[file]


_MOST_READ = 200
_MOST_BYTES = 1_000_000


def _left_behind(was: Before, former: Symbol) -> Iterator[Use]:
    """Uses of a former element in elements that still use its name, which leads nowhere now."""
    for edge in without_guesses(was.snapshot.graph.edges_to(former.id)):
        source = was.now(edge.source)
        if source is None:
            continue
        if edge.kind in IMPORTS:
            yield from _left_imports(was, source, former)
            continue
        # `total(cart)` still stands in the caller, and leads to no element since `total` is gone.
        for use in was.after.graph.outside_by_source.get(source.id, ()):
            if use.name.rpartition(".")[2] == former.name and use.why in ("unresolved", "ambiguous", "external"):
                yield source.id, use.file, use.line


def _left_imports(was: Before, source: Symbol, former: Symbol) -> Iterator[Use]:
    facts = was.after.facts.get(source.file)
    if facts is None:
        return
    led = {edge.line for edge in was.after.graph.edges_from(source.id) if edge.is_name_of_import}
    for taken in facts.imports:
        if taken.name == former.name and taken.line not in led:
            yield source.id, source.file, taken.line
