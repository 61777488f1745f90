"""Uses of an element through another one: what its class overrides or fits, a field that holds it, a parameter."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import CALLS, MEMBERS, Confidence, Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.search.handed import (
    calls_by_shape,
    calls_of_fields,
    calls_of_parameters,
    uses_by_types,
    uses_in_pages,
    uses_in_template,
)
from bearings.code.search.members import overridden, relatives
from bearings.code.search.protocols import fitted
from bearings.code.search.provided import provided
from bearings.code.search.reach import ACCESSES, without_guesses
from bearings.untrusted import named

_RUNS = CALLS | ACCESSES | {EdgeKind.REFERENCE, EdgeKind.REQUEST}
"""Kinds of uses that may run, read or pass on the overriding member."""

_OWN_MEMBER = "own member"
"""The reason of an edge from `self.name`, `this.name` or `super().name`."""

EXPECTED, HANDED, IN_TEMPLATE = "is expected by", "belongs to an object handed to", "is named in the template of"
TYPED, IN_PAGES, FITS = "is used on values typed as", "is named in pages through", "fits an interface in"
"""How a member may stand to a class, a function that gets an object of its class, its class, a class above it, a
route or a module whose names pages hold, and a function that takes or holds an interface without a name.
"""

_MOST_SENTENCES = 3
_MOST_OWN = 100
"""Uses of members of the same name, and classes below, that are looked into."""


class Through(NamedTuple):
    """A use of `base`, the member of a base or an interface, which may mean `member`; `how` this stands to that.

    `base` is a field that holds `member`, or a function that gets an object with it and calls it.
    `base` is a class where its own methods use a member that it lacks, and a class below it, or beside it, has.
    """

    base: Symbol
    member: Symbol
    edge: Edge
    how: str = "overrides"

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
        for base, edge in uses_by_types(snapshot, member, kinds) if member.kind is SymbolKind.METHOD else ():
            yield Through(base, member, edge, TYPED)
    direct_uses = {(edge.source, edge.line) for edge in snapshot.graph.edges_to(member.id, kinds)}
    for fit in fitted(snapshot, member):
        how = f"is one of {fit.classes} that fit" if fit.classes > 1 else "fits"
        for edge in without_guesses(snapshot.graph.edges_to(fit.member.id, kinds)):
            yield Through(fit.member, member, edge, how)
    for base in provided(snapshot, member) if not bases else ():
        for edge in without_guesses(snapshot.graph.edges_to(base.id, kinds)):
            yield Through(base, member, edge, "is provided for")
    for function, edge in calls_by_shape(snapshot, member, kinds):
        yield Through(function, member, edge, FITS)
    for field, edge in calls_of_fields(snapshot, member, kinds):
        if (edge.source, edge.line) not in direct_uses:
            yield Through(field, member, edge, "is held in")
    for function, edge in calls_of_parameters(snapshot, member, kinds):
        yield Through(function, member, edge, HANDED)
    for component, edge in uses_in_template(snapshot, member, kinds):
        yield Through(component, member, edge, IN_TEMPLATE)
    for owner, edge in uses_in_pages(snapshot, member, kinds):
        yield Through(owner, member, edge, IN_PAGES)
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
        for site in graph.unresolved(member)
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
            yield Through(inside, member, edge, EXPECTED)


def overrides_note(uses: Sequence[Through], word: str) -> str:
    """A note on overridden members, and on the uses that may mean these; empty without any. `word`: call or use."""
    counts = Counter((use.member.qualified_name, use.how, use.base.qualified_name) for use in uses).most_common()
    sentences = [
        (f"{named(base)} expects {named(name)}" if how == EXPECTED else f"{named(name)} {how} {named(base)}")
        + f": {count} {word}{'' if count == 1 else 's'} may mean it"
        for (name, how, base), count in counts
    ]
    more = (
        [f"{len(sentences) - _MOST_SENTENCES} more members override others"] if len(sentences) > _MOST_SENTENCES else []
    )
    is_asked = bool(counts) and counts[0][0][1] not in (EXPECTED, HANDED, IN_TEMPLATE, TYPED, IN_PAGES, FITS)
    asked = f" (ask for {named(counts[0][0][2])})" if is_asked else ""
    return "; ".join([*sentences[:_MOST_SENTENCES], *more]) + asked


def sites_through(uses: Iterable[Through]) -> list[Outside]:
    """The uses as sites that were not followed."""
    return [use.site() for use in uses]
