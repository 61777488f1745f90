"""Uses of a member through a base class or an interface: each may run the member that overrides it."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Edge, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.search.members import overridden
from bearings.code.search.reach import ACCESSES, CALLS, certain
from bearings.untrusted import named

_RUNS = CALLS | ACCESSES | {EdgeKind.REFERENCE}
"""Kinds of uses that may run, read or pass on the overriding member."""

_OWN_MEMBER = "own member"
"""The reason of an edge from `self.name`, `this.name` or `super().name`."""

_TOLD = 3


class Through(NamedTuple):
    """A use of `base`, the member of a base or an interface, which may mean `member`."""

    base: Symbol
    member: Symbol
    edge: Edge

    def site(self) -> Outside:
        """The use as a site that was not followed."""
        edge = self.edge
        name = self.base.qualified_name
        return Outside(edge.source, name, edge.kind, edge.file, edge.line, f"through {named(name)}")


def uses_through_bases(snapshot: Snapshot, members: Mapping[str, Symbol], kinds: Collection[EdgeKind]) -> list[Through]:
    """The uses of what some members override, by file and line. A whole file's are not looked for."""
    if any(symbol.kind is SymbolKind.MODULE for symbol in members.values()):
        return []
    wanted = _RUNS & frozenset(kinds)
    found = {
        (one.edge.file, one.edge.line, one.edge.source): one
        for member in members.values()
        for one in _through(snapshot, member, wanted)
        if one.base.id not in members and one.edge.source not in members
    }
    return [found[place] for place in sorted(found)]


def _through(snapshot: Snapshot, member: Symbol, kinds: Collection[EdgeKind]) -> Iterator[Through]:
    """The uses of what one member overrides, without those that have an edge to the member, too."""
    bases = overridden(snapshot, member) if member.kind in (SymbolKind.METHOD, SymbolKind.PROPERTY) else []
    known = {(edge.source, edge.line) for edge in snapshot.graph.edges_to(member.id, kinds)} if bases else set()
    for base in bases:
        for edge in certain(snapshot.graph.edges_to(base.id, kinds)):
            if (edge.source, edge.line) not in known and not _is_of_super(snapshot, edge, base):
                yield Through(base, member, edge)


def _is_of_super(snapshot: Snapshot, edge: Edge, base: Symbol) -> bool:
    """Whether a use is `super().name` in a member of that name, which runs the base's."""
    source = snapshot.graph.symbols.get(edge.source)
    return edge.reason == _OWN_MEMBER and source is not None and source.name == base.name and source.id != base.id


def overrides_told(found: Sequence[Through], word: str) -> str:
    """What is overridden, and how many uses may mean the member; empty without any. `word`: call or use."""
    counts = Counter((one.member.qualified_name, one.base.qualified_name) for one in found).most_common()
    told = [
        f"{named(name)} overrides {named(base)}: {_many(count, word)} may mean it" for (name, base), count in counts
    ]
    more = [f"{len(told) - _TOLD} more members override others"] if len(told) > _TOLD else []
    return "; ".join([*told[:_TOLD], *more]) + (f" (ask for {named(counts[0][0][1])})" if told else "")


def sites_through(found: Iterable[Through]) -> list[Outside]:
    """The uses as sites that were not followed."""
    return [one.site() for one in found]


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
