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
from bearings.code.questions.drift import CompareIndex, DriftPage, DriftPart
from bearings.code.replies.element import ref_of
from bearings.code.search.view import WholeGraph
from bearings.errors import InvalidInput, PathNotAllowed, shown
from bearings.paging import decode, fingerprint

_MAX_INDEX = 500_000_000
_SHOWN = 50
_MAKE = "Make one with coderef_export, format index, output_path .coderef-index.json."
_BY_GRAVITY = list(Status)


def compute(question: CompareIndex, view: WholeGraph) -> DriftPage:
    """A page of `most` elements of an index file that differ.

    Raises InvalidInput for a file that is no index, PathNotAllowed for one outside the project.
    """
    snapshot = view.snapshot
    path, data = _index(snapshot.tree, question.index_path)
    found = _compared(snapshot, path, hashlib.blake2b(data, digest_size=16).digest())
    of = fingerprint(("drift", path, found.timestamp, len(data), snapshot.revision))
    offset = decode(question.cursor, of)
    return replace(found, of=of, offset=offset, drifts=found.drifts[offset : offset + question.most])


@lru_cache(maxsize=1)
def _compared(snapshot: Snapshot, path: str, _digest: bytes) -> DriftPage:
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
    return DriftPage(
        total=len(changed),
        offset=0,
        of="",
        index_path=path,
        timestamp=timestamp,
        statuses={status: counts[status] for status in Status},
        shifted=sum(drifted.shifted for drifted in report.drifted),
        drifts=tuple(map(_drift, changed)),
        added=tuple(symbol.id for symbol in report.added[:_SHOWN]),
        added_total=len(report.added),
        modified=tuple(modified[:_SHOWN]),
        modified_total=len(modified) if any(entry.hash for entry in entries) or not entries else None,
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
