"""Answers Query: what an element uses, what uses it, and how one gets from here to there."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bearings.code.analyses.elsewhere import elsewhere, is_doubtful
from bearings.code.analyses.members import with_members
from bearings.code.answers.elsewhere import Elsewhere
from bearings.code.engine.questions.graph import Hop, Query, QueryPage, QueryType
from bearings.code.engine.targets import one
from bearings.code.graph import Graph
from bearings.code.models import Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.refresh import Snapshot
from bearings.code.resolve.cards import MAYBE_OWN
from bearings.errors import InvalidInput
from bearings.paging import decode, fingerprint

CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX})
IMPORTS = frozenset({EdgeKind.IMPORT, EdgeKind.EXPORT})
_ALL = frozenset(EdgeKind)
_MAX_SITES = 10
_FARTHEST = 10

_KINDS: Mapping[QueryType, frozenset[EdgeKind]] = {
    "calls": CALLS,
    "calls-me": CALLS,
    "imports": IMPORTS,
    "imports-me": IMPORTS,
    "depends-on": _ALL,
    "depends-on-me": _ALL,
    "path": _ALL,
}
_WORD: Mapping[QueryType, str] = {
    "calls": "call", "calls-me": "call", "imports": "import", "imports-me": "import",
    "depends-on": "use", "depends-on-me": "use", "path": "use",
}  # fmt: skip


class Sites:
    """The uses that no edge stands for, by their source and by their name."""

    def __init__(self, graph: Graph) -> None:
        self.by_source = graph.outside_by_source
        self.by_name = graph.unresolved_by_name


@dataclass(frozen=True, slots=True)
class Found:
    """Edges and where they lie; which symbols were passed through; how many guesses were left out."""

    hops: list[Hop]
    visited: Collection[str]
    heuristic: int


def query(snapshot: Snapshot, sites: Sites, question: Query) -> QueryPage:
    """The page that was asked for. Raises ElementNotFound, Ambiguous, InvalidInput."""
    target = one(snapshot, question.target, "element")
    source = _source(snapshot, question)
    of = fingerprint(
        (question.query_type, target.id, source.id if source else "", question.max_depth, snapshot.revision)
    )
    offset = decode(question.cursor, of)
    found = _found(snapshot, question, target, source)
    outside = _outside(snapshot, sites, question.query_type, target, found.visited)
    others = elsewhere(snapshot, target) if _is_claim(question, target, found, outside) else None
    return QueryPage(
        total=len(found.hops),
        offset=offset,
        of=of,
        target=target.id,
        source=source.id if source else "",
        hops=tuple(found.hops[offset : offset + question.limit]),
        outside=dict(Counter(site.why for site in outside)),
        sites=tuple(sorted(outside, key=_by_interest)[:_MAX_SITES]),
        heuristic=found.heuristic,
        note=_note(snapshot, question, target, source, found, outside, others),
        elsewhere=others,
    )


def _is_claim(question: Query, target: Symbol, found: Found, outside: Sequence[Outside]) -> bool:
    """Whether the answer says, or may be taken to say, that nothing else uses the target."""
    if question.query_type == "path":
        return not found.hops
    unsure = found.heuristic + sum(site.why in MAYBE_OWN for site in outside)
    direct = (hop.edge.file for hop in found.hops if hop.depth == 1)
    return question.query_type.endswith("-me") and is_doubtful(target, direct, unsure)


def _source(snapshot: Snapshot, question: Query) -> Symbol | None:
    if question.query_type == "path":
        if not question.source:
            raise InvalidInput("source", question.source, "is required for path", "Name the element to start from.")
        return one(snapshot, question.source, "source")
    if question.source:
        raise InvalidInput("source", question.source, "is for path alone", 'Leave it out, or pass query_type "path".')
    return None


def _found(snapshot: Snapshot, question: Query, target: Symbol, source: Symbol | None) -> Found:
    if source is not None:
        return path_between(snapshot, source, target, question.max_depth)
    if _KINDS[question.query_type] is IMPORTS:
        return _imports(snapshot, target, question.query_type == "imports", question.max_depth)
    return spread(
        snapshot,
        with_members(snapshot, target),
        _KINDS[question.query_type],
        forward=not question.query_type.endswith("-me"),
        max_depth=question.max_depth,
        inner=question.query_type.startswith("calls"),
    )


def spread(
    snapshot: Snapshot,
    start: Collection[str],
    kinds: frozenset[EdgeKind],
    *,
    forward: bool,
    max_depth: int,
    inner: bool = True,
) -> Found:
    """Every edge that leads away from `start` (or to it, if not `forward`), breadth first, each once.

    `inner`: also those that lead from `start` to `start`, if it holds several symbols.
    """
    graph = snapshot.graph
    table: Callable[[str, Collection[EdgeKind]], list[Edge]] = graph.edges_from if forward else graph.edges_to
    within = frozenset(start) if not inner and len(start) > 1 else frozenset()

    def neighbours(here: str) -> list[tuple[Edge, str]]:
        pairs = ((edge, edge.target if forward else edge.source) for edge in table(here, kinds))
        return [(edge, there) for edge, there in pairs if not (here in within and there in within)]

    return _breadth_first(start, neighbours, max_depth)


def _breadth_first(start: Iterable[str], neighbours: Callable[[str], list[tuple[Edge, str]]], max_depth: int) -> Found:
    """All edges within `max_depth` steps, by depth, file and line. Guessed edges are counted, not followed."""
    hops: list[Hop] = []
    heuristic = 0
    frontier = list(start)
    seen = set(frontier)
    visited: set[str] = set()
    for depth in range(1, max_depth + 1):
        visited.update(frontier)
        level: list[Edge] = []
        following: list[str] = []
        for here in frontier:
            for edge, there in neighbours(here):
                if edge.confidence is Confidence.HEURISTIC:
                    heuristic += 1
                    continue
                level.append(edge)
                if there not in seen:
                    seen.add(there)
                    following.append(there)
        hops.extend(Hop(depth, edge) for edge in sorted(level, key=_place))
        frontier = following
        if not frontier:
            break
    return Found(hops, visited, heuristic)


def _imports(snapshot: Snapshot, target: Symbol, forward: bool, max_depth: int) -> Found:
    """Imports go from file to file: what the target's file imports, or who imports the target itself, then its file."""
    graph = snapshot.graph

    def of_file(file: str) -> list[tuple[Edge, str]]:
        return [pair for symbol in snapshot.facts[file].symbols for pair in of_symbol(symbol.id)]

    def of_symbol(symbol_id: str) -> list[tuple[Edge, str]]:
        if forward:
            edges = [(edge, graph.symbols[edge.target].file) for edge in graph.edges_from(symbol_id, IMPORTS)]
        else:
            edges = [(edge, edge.file) for edge in graph.edges_to(symbol_id, IMPORTS)]
        return [(edge, there) for edge, there in edges if graph.symbols[edge.target].file != edge.file]

    if forward or target.kind is SymbolKind.MODULE:
        return _breadth_first([target.file], of_file, max_depth)
    start = with_members(snapshot, target)
    return _breadth_first(
        [target.id],
        lambda here: [pair for member in start for pair in of_symbol(member)] if here == target.id else of_file(here),
        max_depth,
    )


def path_between(snapshot: Snapshot, source: Symbol, target: Symbol, max_depth: int) -> Found:
    """A shortest chain of uses from `source`, or what it contains, to `target`, or what it contains."""
    goals = with_members(snapshot, target)
    start = with_members(snapshot, source)
    came: dict[str, Edge] = {}
    frontier = [here for here in start if here not in goals]
    seen = set(start)
    heuristic = 0
    for _ in range(max_depth if frontier else 0):
        following: list[str] = []
        for here in frontier:
            for edge in snapshot.graph.edges_from(here):
                if edge.confidence is Confidence.HEURISTIC:
                    heuristic += 1
                elif edge.target not in seen:
                    seen.add(edge.target)
                    came[edge.target] = edge
                    following.append(edge.target)
        reached = next((there for there in following if there in goals), None)
        if reached is not None:
            return Found(_chain(came, reached), seen, heuristic)
        frontier = following
    return Found([], seen, heuristic)


def _chain(came: Mapping[str, Edge], end: str) -> list[Hop]:
    chain: list[Edge] = []
    while end in came:
        chain.append(came[end])
        end = came[end].source
    return [Hop(depth, edge) for depth, edge in enumerate(reversed(chain), 1)]


def _outside(
    snapshot: Snapshot, sites: Sites, query_type: QueryType, target: Symbol, visited: Collection[str]
) -> list[Outside]:
    """The sites that this answer can't speak for: in what was passed through, or called as the target is."""
    kinds = _KINDS[query_type]
    if query_type.endswith("-me"):
        names = {symbol.name for symbol in with_members(snapshot, target).values()}
        found = [site for name in sorted(names) for site in sites.by_name.get(name, ())]
    elif query_type == "imports":
        files = sorted(file for file in visited if file in snapshot.facts)
        ids = [symbol.id for file in files for symbol in snapshot.facts[file].symbols]
        found = [site for here in ids for site in sites.by_source.get(here, ())]
    else:
        found = [site for here in sorted(visited) for site in sites.by_source.get(here, ())]
    return [site for site in found if site.kind in kinds]


def _note(
    snapshot: Snapshot,
    question: Query,
    target: Symbol,
    source: Symbol | None,
    found: Found,
    outside: Sequence[Outside],
    others: Elsewhere | None,
) -> str:
    """What an empty answer means; nothing where there is one."""
    if found.hops:
        return ""
    if source is not None:
        return _no_path(snapshot, question, source, target)
    word = _WORD[question.query_type]
    unknown = sum(site.why in MAYBE_OWN for site in outside)
    if question.query_type.endswith("-me"):
        said = f"No {word} of {target.name} was found in {len(snapshot.facts)} files"
        tail = f"; {unknown} unresolved {word} sites are named {target.name}" if unknown else ""
    else:
        said = f"{target.name} has no {word} of anything in the project"
        tail = f"; {unknown} of its {word} sites are unresolved" if unknown else ""
    guesses = f"; {found.heuristic} guessed by name alone are left out" if found.heuristic else ""
    lines = f"; its word on other lines: {others.places} (elsewhere)" if others and others.places else ""
    return f"{said}{tail}{guesses}{lines}."


def _no_path(snapshot: Snapshot, question: Query, source: Symbol, target: Symbol) -> str:
    if with_members(snapshot, source).keys() & with_members(snapshot, target).keys():
        return f"{source.name} and {target.name} are one, or one contains the other."
    said = f"No chain of uses leads from {source.name} to {target.name} within {question.max_depth} steps"
    if question.max_depth < _FARTHEST and (far := path_between(snapshot, source, target, _FARTHEST).hops):
        return f"{said}; one of {len(far)} steps does: pass max_depth={len(far)}."
    back = path_between(snapshot, target, source, question.max_depth).hops
    return f"{said}{'; the other way round there is one' if back else ''}."


def _place(edge: Edge) -> tuple[str, int, str, str]:
    return edge.file, edge.line, edge.target, edge.source


def _by_interest(site: Outside) -> tuple[bool, str, int]:
    """What may be an edge of the project comes first."""
    return site.why not in MAYBE_OWN, site.file, site.line
