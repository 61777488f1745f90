"""The graph as JSON: `{"nodes": [...], "edges": [...]}`, for other programs."""

from collections.abc import Iterable

import msgspec

from bearings.code.models import Confidence, Edge, EdgeKind, Symbol, SymbolKind
from bearings.untrusted import escape_json

_HEAD = b'{"nodes":'


class Node(msgspec.Struct, frozen=True, omit_defaults=True):
    """A symbol as a node. A file has the type `module`. Only endpoints have a method and a path."""

    id: str
    type: SymbolKind
    name: str
    qualified_name: str
    file: str
    line: int
    end_line: int
    exported: bool
    method: str = ""
    path: str = ""


class Link(msgspec.Struct, frozen=True):
    """An edge between two nodes, by their ids."""

    source: str
    target: str
    type: EdgeKind
    file: str
    line: int
    confidence: Confidence
    reason: str


def encode(symbols: Iterable[Symbol], edges: Iterable[Edge]) -> bytes:
    """The document, compact, in UTF-8."""
    nodes = [
        Node(
            s.id,
            s.type,
            s.name,
            s.qualified_name,
            s.file,
            s.line,
            s.end_line,
            s.exported,
            *((s.detail.method, s.detail.path) if s.detail else ()),
        )
        for s in symbols
    ]
    links = [Link(e.source, e.target, e.kind, e.file, e.line, e.confidence, e.reason) for e in edges]
    return escape_json(msgspec.json.encode({"nodes": nodes, "edges": links}))


def is_export(head: bytes) -> bool:
    """Whether a file that begins with `head` was written by `encode`."""
    return head.startswith(_HEAD)
