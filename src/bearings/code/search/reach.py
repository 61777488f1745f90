"""Reverse reachability: follows uses backwards, also through overridden methods and constructors."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import spec_of
from bearings.code.languages.embedded import is_embedded
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import STARTED, Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.replies.affected import Affected, Severity
from bearings.code.search.members import constructions, is_handler, overridden, relatives
from bearings.untrusted import named

IMPORTS = frozenset({EdgeKind.IMPORT, EdgeKind.EXPORT})
HEIRS = frozenset({EdgeKind.EXTENDS, EdgeKind.IMPLEMENTS})
CALLS = frozenset({EdgeKind.CALL, EdgeKind.NEW, EdgeKind.JSX})
ACCESSES = frozenset({EdgeKind.READ, EdgeKind.WRITE})
BEHAVIOUR = CALLS | HEIRS | ACCESSES | {EdgeKind.REFERENCE, EdgeKind.REQUEST}
"""Uses that pass on a change of behaviour; an import alone does not."""

CALLED = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.COMPONENT, SymbolKind.HOOK}
)
"""The kinds of elements that a program calls."""

FUNCTIONS = CALLED | {SymbolKind.DECORATOR}
"""Kinds that are assumed to run the definitions inside them."""

MEMBERS = frozenset({SymbolKind.METHOD, SymbolKind.PROPERTY})
"""Kinds that are also used through the members that they override."""


class Reached(NamedTuple):
    """A symbol, its distance in steps, and the use that leads to it."""

    symbol: Symbol
    depth: int
    file: str
    line: int
    why: str
    kind: EdgeKind

    def affected(self, severity: Severity) -> Affected:
        """The part of a reply for a symbol that a change affects."""
        return Affected(
            element=self.symbol.id,
            type=self.symbol.kind,
            file=self.file,
            line=self.line,
            depth=self.depth,
            why=self.why,
            severity=severity,
            test=is_test(self.symbol.file),
        )


def users(
    snapshot: Snapshot, start: Iterable[str], kinds: frozenset[EdgeKind] = BEHAVIOUR, *, max_depth: int
) -> list[Reached]:
    """All users of `start` within `max_depth` steps, nearest first, each symbol once, without guesses."""
    return [reached for level in levels(snapshot, start, kinds, max_depth=max_depth) for reached in level]


def levels(
    snapshot: Snapshot, start: Iterable[str], kinds: frozenset[EdgeKind] = BEHAVIOUR, *, max_depth: int
) -> Iterator[list[Reached]]:
    """The users of `start`, as `users` has them, step by step: for a caller that stops at the first of some kind."""
    frontier = list(dict.fromkeys(start))
    seen = set(frontier)
    for depth in range(1, max_depth + 1):
        level = []
        snapshot.graph.expect(frontier, kinds)
        for id_ in frontier:
            for reached in _one_step(snapshot, id_, kinds, depth):
                if reached.symbol.id not in seen:
                    seen.add(reached.symbol.id)
                    level.append(reached)
        level.sort(key=lambda reached: (reached.symbol.file, reached.symbol.line, reached.symbol.id))
        yield level
        frontier = [reached.symbol.id for reached in level]
        if not frontier:
            break


def _one_step(snapshot: Snapshot, id_: str, kinds: frozenset[EdgeKind], depth: int) -> Iterator[Reached]:
    graph = snapshot.graph
    symbol = graph.symbols.get(id_)
    if symbol is None:
        return
    runs = IMPORTS.isdisjoint(kinds)  # a replacement names the element, and does not run it
    for edge in without_guesses(graph.edges_to(id_, kinds)):
        if runs and edge.is_replacement:
            continue
        yield from _reached(snapshot, edge, depth, f"{VERB[edge.kind]} {symbol.name}")
    # `Cart()` has an edge to the class alone, and runs its constructor.
    for edge in without_guesses(constructions(snapshot, symbol, kinds)):
        yield from _reached(snapshot, edge, depth, f"constructs {graph.symbols[edge.target].name}")
    # `shape.area()` has an edge to Shape.area, and may run Square.area, which overrides it.
    if symbol.kind in MEMBERS:
        for above in overridden(snapshot, symbol):
            for edge in without_guesses(graph.edges_to(above.id, CALLS & kinds)):
                yield from _reached(
                    snapshot, edge, depth, f"calls {above.qualified_name}, which may be {symbol.qualified_name}"
                )
    # What starts a worker runs the module that it names.
    if runs and symbol.kind is SymbolKind.MODULE:
        for edge in graph.edges_to(id_, IMPORTS):
            if edge.reason == STARTED:
                yield from _reached(snapshot, edge, depth, f"starts {symbol.file}")
    # The script of a component in a file of its own runs when the component is rendered.
    if symbol.kind is SymbolKind.MODULE and is_embedded(symbol.file):
        for inner in snapshot.facts[symbol.file].symbols:
            if inner.kind is SymbolKind.COMPONENT and inner.exported:
                for edge in without_guesses(graph.edges_to(inner.id, kinds)):
                    yield from _reached(snapshot, edge, depth, f"{VERB[edge.kind]} {inner.name}")
    # def outer(): def inner(): … – a caller of the outer function is taken to run the inner one, too.
    outer = graph.symbols.get(symbol.parent)
    if outer is not None and (outer.kind in FUNCTIONS or is_handler(symbol, outer)):
        yield Reached(outer, depth, symbol.file, symbol.line, f"holds {symbol.name}", EdgeKind.CALL)


def _reached(snapshot: Snapshot, edge: Edge, depth: int, why: str) -> Iterator[Reached]:
    source = snapshot.graph.symbols.get(edge.source)
    if source is not None:
        yield Reached(source, depth, edge.file, edge.line, why, edge.kind)


def without_guesses(edges: Iterable[Edge]) -> Iterator[Edge]:
    """The edges without guesses."""
    return (edge for edge in edges if not edge.is_guess)


def without_imported_names(edges: Iterable[Edge]) -> Iterator[Edge]:
    """The edges without guesses and names of imports, beside each of which stands an edge to the module."""
    return (edge for edge in without_guesses(edges) if not edge.is_name_of_import)


def written_edges(edges: Iterable[Edge]) -> Iterator[Edge]:
    """The edges of `without_imported_names` that the source spells out: no implicit implementation of an interface."""
    for edge in without_imported_names(edges):
        spec = spec_of(edge.file) if edge.kind is EdgeKind.IMPLEMENTS else None
        if spec is None or not spec.implicit_interfaces:
            yield edge


def importing(snapshot: Snapshot, file: str) -> Iterator[Edge]:
    """The edges by which other files import a file or its elements."""
    for symbol in snapshot.facts[file].symbols if file in snapshot.facts else ():
        yield from (
            edge for edge in without_imported_names(snapshot.graph.edges_to(symbol.id, IMPORTS)) if edge.file != file
        )


VERB = {
    EdgeKind.CALL: "calls",
    EdgeKind.NEW: "constructs",
    EdgeKind.JSX: "renders",
    EdgeKind.IMPORT: "imports",
    EdgeKind.EXPORT: "re-exports",
    EdgeKind.EXTENDS: "extends",
    EdgeKind.IMPLEMENTS: "implements",
    EdgeKind.REFERENCE: "refers to",
    EdgeKind.TYPE: "names the type",
    EdgeKind.READ: "reads",
    EdgeKind.WRITE: "writes",
    EdgeKind.REQUEST: "requests",
}
"""The verb for each kind of use."""


_RUNS = CALLS | ACCESSES | {EdgeKind.REFERENCE}
"""Kinds of uses that may run, read or pass on the overriding member."""

_OWN_MEMBER = "own member"
"""The reason of an edge from `self.name`, `this.name` or `super().name`."""

_MOST_SENTENCES = 3
_MOST_OWN = 100
"""Uses of members of the same name, and classes below, that are looked into."""


class Through(NamedTuple):
    """A use of `base`, the member of a base or an interface, which may mean `member`.

    `base` is a class where its own methods use a member that it lacks, and a class below it, or beside it, has.
    """

    base: Symbol
    member: Symbol
    edge: Edge

    def site(self) -> Outside:
        """The use as a site that was not followed."""
        edge = self.edge
        name = self.base.qualified_name
        return Outside(edge.source, name, edge.kind, edge.file, edge.line, f"through {named(name)}")


def uses_through_bases(snapshot: Snapshot, members: Mapping[str, Symbol], kinds: Collection[EdgeKind]) -> list[Through]:
    """The uses of the members that some members override, by file and line; none for the members of a whole file."""
    if any(symbol.kind is SymbolKind.MODULE for symbol in members.values()):
        return []
    run_kinds = _RUNS & frozenset(kinds)
    uses = {
        (use.edge.file, use.edge.line, use.edge.source): use
        for member in members.values()
        for use in _uses_through(snapshot, member, run_kinds)
        if use.base.id not in members and use.edge.source not in members
    }
    return [uses[place] for place in sorted(uses)]


def _uses_through(snapshot: Snapshot, member: Symbol, kinds: Collection[EdgeKind]) -> Iterator[Through]:
    """The uses of the members that one member overrides, without those that have an edge to the member, too."""
    bases = overridden(snapshot, member) if member.kind in MEMBERS else []
    if not bases and member.kind in MEMBERS:
        yield from _own_uses(snapshot, member, kinds)
    direct_uses = {(edge.source, edge.line) for edge in snapshot.graph.edges_to(member.id, kinds)} if bases else set()
    for base in bases:
        for edge in without_guesses(snapshot.graph.edges_to(base.id, kinds)):
            # `super().run()` in a member called run runs the base's.
            source = snapshot.graph.symbols.get(edge.source) if edge.reason == _OWN_MEMBER else None
            is_super = source is not None and source.name == base.name and source.id != base.id
            if (edge.source, edge.line) not in direct_uses and not is_super:
                yield Through(base, member, edge)


def _own_uses(snapshot: Snapshot, member: Symbol, kinds: Collection[EdgeKind]) -> Iterator[Through]:
    """The uses `self.name` without an edge in a class above the member's, or in a mixin beside it."""
    graph = snapshot.graph
    sites = [
        site
        for site in graph.unresolved_by_name.get(member.name, ())
        if site.kind in kinds and site.name in (f"self.{member.name}", f"this.{member.name}")
    ]
    if not sites or len(sites) > _MOST_OWN:
        return
    owners = [member.parent, *(below.id for below in relatives(snapshot, member.parent, upwards=False)[:_MOST_OWN])]
    related = {above.id for owner in owners for above in relatives(snapshot, owner, upwards=True)}
    for site in sites:
        inside = graph.symbols.get(site.source)
        while inside is not None and inside.kind is not SymbolKind.CLASS:
            inside = graph.symbols.get(inside.parent)
        if inside is not None and inside.id in related:
            edge = Edge(site.source, member.id, site.kind, site.file, site.line, Confidence.STRONG, _OWN_MEMBER)
            yield Through(inside, member, edge)


def overrides_note(uses: Sequence[Through], word: str) -> str:
    """A note on overridden members, and on the uses that may mean these; empty without any. `word`: call or use."""
    counts = Counter((use.member.qualified_name, use.base.qualified_name) for use in uses).most_common()
    classes = {use.base.qualified_name for use in uses if use.base.kind is SymbolKind.CLASS}
    sentences = [
        (f"{named(base)} expects {named(name)}" if base in classes else f"{named(name)} overrides {named(base)}")
        + f": {count} {word}{'' if count == 1 else 's'} may mean it"
        for (name, base), count in counts
    ]
    more = (
        [f"{len(sentences) - _MOST_SENTENCES} more members override others"] if len(sentences) > _MOST_SENTENCES else []
    )
    return "; ".join([*sentences[:_MOST_SENTENCES], *more]) + (
        f" (ask for {named(counts[0][0][1])})" if sentences and counts[0][0][1] not in classes else ""
    )


def sites_through(uses: Iterable[Through]) -> list[Outside]:
    """The uses as sites that were not followed."""
    return [use.site() for use in uses]
