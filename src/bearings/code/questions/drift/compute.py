"""Compares an index with the project."""

import hashlib
from collections import Counter
from functools import lru_cache

from msgspec.structs import replace

from bearings.code.coderefs.drift import Drifted, Status, drift_of
from bearings.code.formats import index_json
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol
from bearings.code.project.sources import Source
from bearings.code.project.tree import Tree, read_from
from bearings.code.questions.drift import CompareIndex, DriftPart, DriftReply
from bearings.code.replies.element import path_line, ref_of
from bearings.code.replies.pages import page_of
from bearings.code.replies.tidying import all_escaped
from bearings.code.search.view import WholeGraph
from bearings.errors import InvalidInput, PathNotAllowed, shown
from bearings.untrusted import clean_line

_MAX_INDEX = 500_000_000
_SHOWN = 50
_MAKE = "Make one with coderef_export, format index, output_path .coderef-index.json."
_BY_GRAVITY = list(Status)


def compute(question: CompareIndex, view: WholeGraph) -> DriftReply:
    """A page of `most` elements of an index file that differ.

    Raises InvalidInput for a file that is no index, PathNotAllowed for one outside the project.
    """
    snapshot = view.snapshot
    path, data = _index(snapshot.tree, question.index_path)
    whole = _compared(snapshot, path, hashlib.blake2b(data, digest_size=16).digest())
    identity = ("drift", path, whole.index_timestamp or "", len(data), snapshot.revision)
    page = page_of(identity, len(whole.references), question.cursor)
    shown = all_escaped(whole.references[page.offset : page.offset + question.most])
    made_at = clean_line(whole.index_timestamp or "", 40) or None
    return replace(whole, index_timestamp=made_at, references=shown, _page=page)


@lru_cache(maxsize=1)
def _compared(snapshot: Snapshot, path: str, _digest: bytes) -> DriftReply:
    """All pages of a comparison as one. The digest distinguishes versions of the index in the cache's key.

    The file is read here again, because the cache would hold its bytes if they were an argument.
    """
    _, data = _index(snapshot.tree, path)
    try:
        timestamp, entries = index_json.decode(data, str(snapshot.root))
    except ValueError as error:
        raise InvalidInput("index_path", path, f"is no index: {error}", _MAKE) from None
    report = drift_of(snapshot, entries)
    changed = [drifted for drifted in report.drifted if drifted.status is not Status.UNCHANGED]
    changed.sort(key=lambda drifted: (_BY_GRAVITY.index(drifted.status), drifted.entry.file, drifted.entry.line))
    modified = [drifted.symbol.id for drifted in report.drifted if drifted.modified and drifted.symbol]
    counts = Counter(drifted.status for drifted in report.drifted)
    return DriftReply.counting(
        {status.value: counts[status] for status in Status},
        sum(drifted.shifted for drifted in report.drifted),
        len(modified) if any(entry.hash for entry in entries) or not entries else None,
        index_path=path_line(path),
        index_timestamp=timestamp,
        references=list(map(_drift, changed)),
        added=[path_line(symbol.id) for symbol in report.added[:_SHOWN]],
        added_elements=len(report.added),
        modified=[path_line(id_) for id_ in modified[:_SHOWN]],
    )


def _index(tree: Tree, given: str) -> tuple[str, bytes]:
    """The index's path in the project, and its bytes."""
    remedy = f"Pass the path of an index inside the project. {_MAKE}"
    try:
        path = tree.inside(given)
        if path is None:
            raise PathNotAllowed(f"index_path = {shown(given)}: is outside the project", remedy)
        source = read_from(tree, path, _MAX_INDEX)
    except (OSError, ValueError) as error:
        raise InvalidInput("index_path", given, "is no usable path", remedy) from error
    if source is None:
        raise InvalidInput("index_path", given, "does not exist", remedy)
    if not isinstance(source, Source):
        raise InvalidInput("index_path", given, f"can't be read ({source.reason})", remedy)
    return path, source.data


def _drift(drifted: Drifted) -> DriftPart:
    entry = drifted.entry
    reference = entry.ref or f"{entry.file}#{entry.qualified_name}" + (f":{entry.line}" if entry.line else "")
    now: tuple[Symbol, ...] = (drifted.symbol,) if drifted.symbol else drifted.candidates
    return DriftPart(
        reference=reference,
        status=drifted.status.value,
        file=entry.file,
        line=entry.line,
        now=[symbol.id for symbol in now],
        confidence=drifted.confidence,
        suggestion=str(ref_of(drifted.symbol)) if drifted.symbol else None,
        auto_fixable=drifted.auto_fixable,
        modified=bool(drifted.modified),
    )
