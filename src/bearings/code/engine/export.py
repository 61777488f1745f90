"""Answers Export: the graph, written down."""

from collections import Counter
from collections.abc import Sequence

from bearings.code.engine.questions.export import Export, Exported
from bearings.code.formats import graph_json
from bearings.code.models import Confidence, Edge, Symbol
from bearings.code.project import write_inside
from bearings.code.refresh import Snapshot


def export(snapshot: Snapshot, question: Export) -> Exported:
    """Writes the file, or gives the text. Raises PathNotAllowed, InvalidInput, WriteFailed."""
    symbols = snapshot.graph.symbols
    edges = [
        edge
        for edge in snapshot.graph.resolution.edges
        if edge.confidence is not Confidence.HEURISTIC and edge.source in symbols and edge.target in symbols
    ]
    ranked = _ranked(list(symbols.values()), edges)
    wanted = len(ranked) if question.max_nodes is None else min(question.max_nodes, len(ranked))
    if question.output_path is None:
        count, kept, data = _fitting(ranked, edges, wanted, question.max_chars)
    else:
        count, kept, data = _encoded(ranked, edges, wanted)
    path = None
    if question.output_path is not None:
        path = write_inside(snapshot.root, question.output_path, data, graph_json.is_export)
    return Exported(
        nodes=count,
        edges=kept,
        nodes_total=len(ranked),
        edges_total=len(edges),
        path=path,
        text=data.decode() if path is None else None,
    )


def _ranked(symbols: list[Symbol], edges: Sequence[Edge]) -> list[Symbol]:
    """Those with the most edges first."""
    degree = Counter(end for edge in edges for end in (edge.source, edge.target))
    return sorted(symbols, key=lambda symbol: (-degree[symbol.id], symbol.file, symbol.line, symbol.id))


def _encoded(ranked: Sequence[Symbol], edges: Sequence[Edge], count: int) -> tuple[int, int, bytes]:
    """The first `count` symbols, in the order of the project, and the edges among them."""
    kept = {symbol.id for symbol in ranked[:count]}
    among = [edge for edge in edges if edge.source in kept and edge.target in kept]
    nodes = sorted(ranked[:count], key=lambda symbol: (symbol.file, symbol.line, symbol.id))
    return count, len(among), graph_json.encode(nodes, among)


def _fitting(ranked: Sequence[Symbol], edges: Sequence[Edge], wanted: int, limit: int) -> tuple[int, int, bytes]:
    """As many symbols as fit into `limit` bytes."""
    low, high = 0, min(wanted, limit // _LEAST_NODE)
    best = _encoded(ranked, edges, 0)
    while low < high:
        middle = (low + high + 1) // 2
        tried = _encoded(ranked, edges, middle)
        if len(tried[2]) <= limit:
            low, best = middle, tried
        else:
            high = middle - 1
    return best


_LEAST_NODE = 100
"""No node takes fewer bytes, so no more of them than this allows need be tried."""
