"""The uses of a file as they are stored: a table of texts, and edges as numbers into it."""

from functools import partial
from sys import intern

import msgspec

from bearings.code.facts.packing import Damaged, Packed, pack, unpack
from bearings.code.models import Confidence, Edge, EdgeKind, Outside
from bearings.code.resolve.file_uses import FileUses

_KINDS = tuple(EdgeKind)
_KIND_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}
_CONFIDENCES = tuple(Confidence)
_CONFIDENCE_NUMBER = {confidence: number for number, confidence in enumerate(_CONFIDENCES)}


class StoredUses(msgspec.Struct, array_like=True):
    """The uses of a file as numbers.

    Indexes of `texts` stand for source, target and reason of an edge; for source, name and why of a use outside.
    """

    texts: list[str]
    edges: list[tuple[int, int, int, int, int, int]]
    outside: list[tuple[int, int, int, int, int]]
    given_up: bool = False


_USES = msgspec.msgpack.Decoder(StoredUses)


def packed_uses(path: str, data: bytes) -> Packed[FileUses]:
    """The uses of the file at `path`, of which `pack_uses` made these bytes."""
    return Packed(data, partial(_unpacked, path))


def pack_uses(uses: FileUses) -> bytes:
    """The uses of a file as bytes; inflated, they are its StoredUses."""
    return pack(numbered_uses(uses))


def _unpacked(path: str, data: bytes) -> FileUses:
    try:
        return uses_of(path, unpack(data, _USES))
    except IndexError as error:
        raise Damaged(str(error)) from error


def numbered_uses(uses: FileUses) -> StoredUses:
    """The uses of a file as numbers: equal uses give equal numbers."""
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    kind, sure = _KIND_NUMBER, _CONFIDENCE_NUMBER
    edges = [
        (number(e.source), number(e.target), kind[e.kind], e.line, sure[e.confidence], number(e.reason))
        for e in uses.edges
    ]
    outside = [(number(o.source), number(o.name), kind[o.kind], o.line, number(o.why)) for o in uses.outside]
    return StoredUses(list(texts), edges, outside, uses.given_up)


def uses_of(path: str, stored: StoredUses) -> FileUses:
    """The uses of the file at `path`. Raises IndexError for a number that stands for nothing."""
    texts = [intern(text) for text in stored.texts]
    edges = tuple(
        [
            Edge(texts[source], texts[target], _KINDS[kind], path, line, _CONFIDENCES[confidence], texts[reason])
            for source, target, kind, line, confidence, reason in stored.edges
        ]
    )
    outside = tuple(
        [
            Outside(texts[source], texts[name], _KINDS[kind], path, line, texts[why])
            for source, name, kind, line, why in stored.outside
        ]
    )
    return FileUses(edges, outside, stored.given_up)
