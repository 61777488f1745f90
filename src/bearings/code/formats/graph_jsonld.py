"""The graph as JSON-LD 1.1: nodes have IRIs. An edge is a property of its source, and a Use with its place."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

import msgspec

from bearings.code.models import Edge, EdgeKind, Symbol, SymbolKind
from bearings.untrusted import escape_json

BASE = "urn:coderef:"
"""The base of relative ids, independent of the project's location."""

VOCABULARY = "urn:coderef:terms#"
_HEAD = b'{"@context":{"@version":1.1,"@vocab":"urn:coderef:terms#'
_CONTEXT: dict[str, Any] = {
    "@version": 1.1,
    "@vocab": VOCABULARY,
    "id": "@id",
    "type": "@type",
    "name": "http://schema.org/name",
    "source": {"@type": "@id"},
    "target": {"@type": "@id"},
}
_PROPERTIES = {kind: kind.value for kind in EdgeKind} | {EdgeKind.TYPE: "uses_type"}
"""The property names of edges; `type` is taken by the type of a node."""


def encode(symbols: Iterable[Symbol], edges: Iterable[Edge]) -> bytes:
    """The document, compact, in UTF-8."""
    targets: dict[str, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))
    uses: list[dict[str, object]] = []
    for edge in edges:
        targets[edge.source][_PROPERTIES[edge.kind]][iri(edge.target)] = None
        uses.append(_use(edge))
    nodes = [_node(symbol, targets.get(symbol.id, {})) for symbol in symbols]
    kinds = sorted({kind for by_kind in targets.values() for kind in by_kind})
    context = {**_CONTEXT, **{kind: {"@type": "@id"} for kind in kinds}}
    return escape_json(msgspec.json.encode({"@context": context, "@graph": nodes + uses}))


def is_export(head: bytes) -> bool:
    """Whether a file that begins with `head` was written by `encode`."""
    return head.startswith(_HEAD[: len(head)]) and len(head) >= len(_HEAD)


def iri(symbol_id: str) -> str:
    """A symbol's id as an IRI: the path, with the element as the fragment."""
    path, hash_, rest = symbol_id.partition("#")
    return BASE + quote(path, safe="/~@") + (f"#{quote(rest, safe=':$')}" if hash_ else "")


def _node(symbol: Symbol, targets: dict[str, dict[str, None]]) -> dict[str, object]:
    return {
        "id": iri(symbol.id),
        "type": symbol.kind if symbol.kind != SymbolKind.TYPE else f"{VOCABULARY}type",  # the word alone is a keyword
        "name": symbol.name,
        "qualified_name": symbol.qualified_name,
        "file": symbol.file,
        "line": symbol.line,
        "end_line": symbol.end_line,
        "exported": symbol.exported,
        **{kind: list(ids) for kind, ids in targets.items()},
    }


def _use(edge: Edge) -> dict[str, object]:
    return {
        "type": "Use",
        "kind": edge.kind,
        "source": iri(edge.source),
        "target": iri(edge.target),
        "file": edge.file,
        "line": edge.line,
        "confidence": edge.confidence,
        "reason": edge.reason,
    }
