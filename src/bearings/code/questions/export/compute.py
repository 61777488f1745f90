"""Answers Export: the graph as a document."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bearings.code.coderefs.elements import entries_of
from bearings.code.formats import dot, graph_json, graph_jsonld, index_json, mermaid
from bearings.code.formats.drawing import Arrow, Box, Drawing, Look, Stroke
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import CALLS, HEIRS, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.project.output import write_inside
from bearings.code.questions.export import Export, ExportFormat, ExportReply
from bearings.code.replies.element import not_indexed, path_line
from bearings.code.search.reach import ACCESSES
from bearings.code.search.view import WholeGraph
from bearings.untrusted import escape_line

_LEAST_NODE = {"json": 100, "jsonld": 100, "mermaid": 8, "dot": 15, "index": 60}
"""The fewest bytes of a node in each format; it bounds the search for the number that fits."""


class _Limits(NamedTuple):
    """The limits of a document's size."""

    nodes: int
    edges: int
    bytes: int


class _Written(NamedTuple):
    """A document, and the number of its nodes and edges."""

    nodes: int
    edges: int
    data: bytes


@dataclass(frozen=True)
class _Writer:
    """Encodes documents of one project in one format."""

    snapshot: Snapshot
    format: ExportFormat
    ranked: Sequence[Symbol]
    edges: Sequence[Edge]

    def first(self, count: int) -> _Written:
        """The first `count` symbols, in the order of the project, and the edges among them."""
        ids = {symbol.id for symbol in self.ranked[:count]}
        among = [edge for edge in self.edges if edge.source in ids and edge.target in ids]
        nodes = sorted(self.ranked[:count], key=lambda symbol: (symbol.file, symbol.line, symbol.id))
        match self.format:
            case "index":
                return _Written(len(nodes), 0, _index(self.snapshot, nodes))
            case "json" | "jsonld":
                encode = graph_json.encode if self.format == "json" else graph_jsonld.encode
                return _Written(len(nodes), len(among), encode(nodes, among))
        drawing = _drawing(nodes, among)
        notation = mermaid if self.format == "mermaid" else dot
        return _Written(len(nodes), len(drawing.arrows), notation.encode(drawing))

    def fitting(self, limits: _Limits) -> _Written:
        """The largest document within the limits, by binary search."""
        low, high = 0, min(limits.nodes, len(self.ranked), limits.bytes // _LEAST_NODE[self.format])
        best = self.first(0)
        while low < high:
            middle = (low + high + 1) // 2
            document = self.first(middle)
            if len(document.data) <= limits.bytes and document.edges <= limits.edges:
                low, best = middle, document
            else:
                high = middle - 1
        return best


def compute(question: Export, view: WholeGraph) -> ExportReply:
    """Writes a file of the project or of another `folder`, or gives text of at most `max_chars`.

    At most `max_nodes` elements: those with the most edges. Guessed edges are left out. A Mermaid chart stays within
    the limits of Mermaid's renderer, unless `max_nodes` is given. Raises PathNotAllowed, InvalidInput, WriteFailed.
    """
    snapshot = view.snapshot
    writer = _writer(snapshot, question.format)
    limits = _limits(question)
    unbounded = limits == _Limits(limits.nodes, _ANY, _ANY)
    written = writer.first(limits.nodes) if unbounded else writer.fitting(limits)
    path = None
    if question.output_path is not None:
        is_export = _FORMATS[question.format].is_export
        folder = Path(question.folder) if question.folder else None
        path = write_inside(folder or snapshot.root, question.output_path, written.data, is_export)
        path = str(folder / path) if folder else path
    return ExportReply(
        format=question.format,
        nodes_exported=written.nodes,
        edges_exported=written.edges,
        omitted=len(writer.ranked) - written.nodes,
        path=None if path is None else path_line(path),
        content=written.data.decode() if path is None else None,
        index=not_indexed(),
    )


def _limits(question: Export) -> _Limits:
    nodes = _ANY if question.max_nodes is None else question.max_nodes
    size = question.max_chars if question.output_path is None else _ANY
    if question.format == "mermaid" and question.max_nodes is None:
        return _Limits(nodes, mermaid.MAX_EDGES, min(size, mermaid.MAX_CHARS))
    return _Limits(nodes, _ANY, size)


_ANY = 2**62


def _writer(snapshot: Snapshot, format: ExportFormat) -> _Writer:  # noqa: A002 - the question's name
    """The writer of a format, with its symbols: those with the most edges first; reads and writes don't count."""
    symbols = snapshot.graph.symbols
    edges = [
        edge
        for edge in snapshot.graph.resolution.edges
        if not edge.is_guess and edge.source in symbols and edge.target in symbols
    ]
    degree = Counter(end for edge in edges if edge.kind not in ACCESSES for end in (edge.source, edge.target))
    included = [symbol for symbol in symbols.values() if format != "index" or symbol.kind is not SymbolKind.MODULE]
    ranked = sorted(included, key=lambda symbol: (-degree[symbol.id], symbol.file, symbol.line, symbol.id))
    return _Writer(snapshot, format, ranked, [] if format == "index" else edges)


def _index(snapshot: Snapshot, nodes: Sequence[Symbol]) -> bytes:
    languages = sorted({snapshot.facts[node.file].language for node in nodes})
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return index_json.encode(entries_of(snapshot, nodes), now, languages)


def _drawing(nodes: Sequence[Symbol], edges: Sequence[Edge]) -> Drawing:
    """One box for each symbol, in the frame of its file; one arrow for each kind of edge between two symbols."""
    boxes = tuple(
        Box(
            node.id,
            escape_line(node.file.rpartition("/")[2] if node.kind is SymbolKind.MODULE else node.qualified_name, 80),
            escape_line(node.file, 120),
            Look.FOLDER if node.kind is SymbolKind.MODULE else Look.TEST if is_test(node.file) else Look.PLAIN,
        )
        for node in nodes
    )
    arrows = dict.fromkeys((edge.source, edge.target, edge.kind) for edge in edges)
    return Drawing(boxes, tuple(Arrow(source, target, "", STROKES[kind]) for source, target, kind in arrows))


STROKES = {
    **dict.fromkeys(EdgeKind, Stroke.DASHED),
    **dict.fromkeys(CALLS, Stroke.SOLID),
    **dict.fromkeys(HEIRS, Stroke.THICK),
}
"""The stroke of each kind of edge."""

_FORMATS = {"json": graph_json, "jsonld": graph_jsonld, "mermaid": mermaid, "dot": dot, "index": index_json}
