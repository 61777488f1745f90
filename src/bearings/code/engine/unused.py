"""Answers AskUnused: a page of the elements without evidence of use."""

from bearings.code.analyses.elsewhere import unread_files
from bearings.code.analyses.unused import unused
from bearings.code.engine.questions.explore import AskUnused, UnusedPage
from bearings.code.engine.use_filter import listed
from bearings.code.index.snapshot import Snapshot
from bearings.paging import decode, fingerprint

_MAX_FILES = 20


def unused_page(snapshot: Snapshot, question: AskUnused) -> UnusedPage:
    """The page of a question. Raises InvalidInput for a bad pattern or cursor."""
    of = fingerprint(("unused", sorted(question.kinds), question.path, question.exports, snapshot.revision))
    offset = decode(question.cursor, of)
    found = unused(snapshot, question.kinds, listed(question.path), exports=question.exports)
    return UnusedPage(
        total=len(found.symbols),
        offset=offset,
        of=of,
        symbols=tuple(found.symbols[offset : offset + question.limit]),
        lines=sum(symbol.end_line - symbol.line + 1 for symbol in found.symbols),
        looked_at=found.looked_at,
        in_use=found.in_use,
        left_out=found.left_out,
        loaded_by_path=tuple(found.by_path[:_MAX_FILES]),
        loaded_by_path_total=len(found.by_path),
        unread=unread_files(snapshot),
        note=" ".join(filter(None, (found.note, "" if found.looked_at else "No element matches the question."))),
    )
