"""Traversals of the graph from one element: breadth first, from file to file, or along a shortest path."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from msgspec.structs import replace

from bearings.code.models import Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.project.source_lines import Lines
from bearings.code.questions.query import Relation
from bearings.code.questions.query.use_filter import UseFilter
from bearings.code.search.environment import variables_of
from bearings.code.search.members import Once, constructions, with_members
from bearings.code.search.reach import ACCESSES
from bearings.code.search.view import View, WholeGraph


class Hop(NamedTuple):
    """An edge and its distance from the target in steps, from 1."""

    depth: int
    edge: Edge


_position = attrgetter("file", "line", "target", "source")


@dataclass(frozen=True, slots=True)
class Traversal:
    """The edges of a traversal with their depths, the symbols that it visited, and the guesses that it left out."""

    hops: list[Hop]
    visited: Collection[str]
    guesses: Sequence[Edge]


def spread(
    view: WholeGraph,
    start: Collection[str],
    kinds: frozenset[EdgeKind],
    *,
    forward: bool,
    max_depth: int,
    inner: bool = True,
) -> Traversal:
    """Every edge that leads away from `start` (or to it, if not `forward`), breadth first, each once.

    `inner` includes edges between several symbols of `start`. Forward, environment variables are ends of edges, too.
    The import of a name is a use of it that leads no further: a module that imports the importing one need not use the
    name.
    """
    table: Callable[[str, Collection[EdgeKind]], Sequence[Edge]] = view.edges_from if forward else view.edges_to
    within = frozenset(start) if not inner and len(start) > 1 else frozenset()
    graph, once = view.snapshot.graph, Once()

    def neighbours(here: str) -> list[tuple[Edge, str]]:
        edges = [edge for edge in table(here, kinds) if not (forward and edge.is_name_of_import)]
        if forward and kinds & ACCESSES:
            edges += [edge for edge in variables_of(view.snapshot, here) if edge.kind in kinds]
        if not forward and (here not in start or len(start) == 1) and here in graph.symbols:
            edges += [replace(edge, target=here) for edge in constructions(view.snapshot, graph.symbols[here], kinds)]
        pairs = ((edge, edge.target if forward else edge.source) for edge in edges)
        return [
            # import { login } from './auth' is a use, but its file's importers need not use login.
            (edge, here if edge.is_name_of_import else there)
            for edge, there in pairs
            if not (here in within and there in within) and (forward or here not in start or once.is_first(edge))
        ]

    def begin(frontier: Sequence[str]) -> bool:
        if not forward:
            graph.expect(frontier, kinds)
        return not graph.left

    return _breadth_first(start, neighbours, max_depth, begin)


def _breadth_first(
    start: Iterable[str],
    neighbours: Callable[[str], list[tuple[Edge, str]]],
    max_depth: int,
    begin: Callable[[Sequence[str]], bool] = lambda _: True,
) -> Traversal:
    """All edges within `max_depth` steps, by depth, file and line. Guessed edges are collected, not followed.

    `begin` gets the symbols of each step before their neighbours are asked for, and returns whether to go on after it.
    """
    hops: list[Hop] = []
    guesses: list[Edge] = []
    frontier = list(start)
    seen = set(frontier)
    visited: set[str] = set()
    for depth in range(1, max_depth + 1):
        visited.update(frontier)
        goes_on = begin(frontier)
        level: list[Edge] = []
        following: list[str] = []
        for here in frontier:
            for edge, there in neighbours(here):
                if edge.is_guess:
                    guesses.append(edge)
                    continue
                level.append(edge)
                if there not in seen:
                    seen.add(there)
                    following.append(there)
        hops.extend(Hop(depth, edge) for edge in sorted(level, key=_position))
        frontier = following
        if not (frontier and goes_on):
            break
    return Traversal(hops, visited, sorted(guesses, key=_position))


def importing(view: WholeGraph, target: Symbol, kinds: frozenset[EdgeKind], forward: bool, max_depth: int) -> Traversal:
    """Imports from file to file: those of the target's file, or the importers of the target, then of their files."""
    facts, symbols = view.snapshot.facts, view.snapshot.graph.symbols

    def of_file(file: str) -> list[tuple[Edge, str]]:
        pairs = (pair for symbol in facts[file].symbols for pair in of_symbol(symbol.id))
        return [(edge, there) for edge, there in pairs if not edge.is_name_of_import]

    def of_symbol(symbol_id: str) -> list[tuple[Edge, str]]:
        if forward:
            edges = [(edge, symbols[edge.target].file) for edge in view.edges_from(symbol_id, kinds)]
        else:
            edges = [(edge, edge.file) for edge in view.edges_to(symbol_id, kinds)]
        return [(edge, there) for edge, there in edges if symbols[edge.target].file != edge.file]

    if forward or target.kind is SymbolKind.MODULE:
        return _breadth_first([target.file], of_file, max_depth)
    start = with_members(view.snapshot, target)
    return _breadth_first(
        [target.id],
        lambda here: [pair for member in start for pair in of_symbol(member)] if here == target.id else of_file(here),
        max_depth,
    )


def path_between(
    view: View, start: Collection[str], goals: Collection[str], max_depth: int, use_filter: UseFilter
) -> Traversal:
    """A shortest path of uses from one of `start` to one of `goals`. Each use passes the filter."""
    edge_to: dict[str, Edge] = {}
    frontier = [here for here in start if here not in goals]
    seen = set(start)
    guesses: list[Edge] = []
    for _ in range(max_depth if frontier else 0):
        following: list[str] = []
        for here in frontier:
            for edge in view.edges_from(here, use_filter.kinds):
                if edge.is_name_of_import or not use_filter.is_listed(edge.file):
                    continue
                if edge.is_guess:
                    guesses.append(edge)
                elif edge.target not in seen:
                    seen.add(edge.target)
                    edge_to[edge.target] = edge
                    following.append(edge.target)
        reached = next((there for there in following if there in goals), None)
        if reached is not None:
            return Traversal(_hops(edge_to, reached), seen, guesses)
        frontier = following
    return Traversal([], seen, guesses)


def relations(lines: Lines, hops: Iterable[Hop]) -> list[Relation]:
    """The hops as parts of a reply, with their lines of source. Raises Changed."""
    return [Relation.of(depth, edge, lines.at(edge.file, edge.line)) for depth, edge in hops]


def _hops(edge_to: Mapping[str, Edge], end: str) -> list[Hop]:
    chain: list[Edge] = []
    while end in edge_to:
        chain.append(edge_to[end])
        end = edge_to[end].source
    return [Hop(depth, edge) for depth, edge in enumerate(reversed(chain), 1)]
