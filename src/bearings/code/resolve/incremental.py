"""Resolution file by file, and again for no more files than a change can matter to."""

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from bearings.code.models import FileFacts, ProjectFiles
from bearings.code.resolve.interface import difference, kept
from bearings.code.resolve.mentions import Mentions
from bearings.code.resolve.modules import Modules
from bearings.code.resolve.share import FileUses, Share

Crew = Callable[[Share, Sequence[str]], dict[str, FileUses]]
"""Has a share's files resolved by several processes."""

_MANY = 300
"""Files from which on a crew is worth asking."""


class Resolver:
    """Keeps what each file uses. `update` leaves it as it would be for those facts had there been no others before."""

    def __init__(self) -> None:
        self.uses: dict[str, FileUses] = {}
        self._facts: Mapping[str, FileFacts] = {}
        self._project = ProjectFiles(frozenset())
        self._modules = Modules(self._project)
        self._mentions = Mentions()

    def update(self, facts: Mapping[str, FileFacts], project: ProjectFiles, crew: Crew | None = None) -> set[str]:
        """Goes over to other facts, none of which change any more: the files whose uses were made anew, or are gone.

        `crew` is asked where there is much to do.
        """
        before, was = self._facts, self._project
        changed = {path for path in before.keys() | facts.keys() if before.get(path) is not facts.get(path)}
        self._facts, self._project = facts, project
        if was.manifests != project.manifests or not self.uses:
            self._modules = Modules(project)
            self.uses = {}
            self._resolve(list(facts), crew)
            return changed | facts.keys()
        differing = {path: _difference(before.get(path), facts.get(path)) for path in changed}
        other = {path for path, names in differing.items() if names is None}
        partly = {path: names for path, names in differing.items() if names}
        for path in other | partly.keys():
            self._modules.forget(path)
        if was.paths != project.paths:
            other |= self._modules.update(project, facts)
        stale = {path for path, uses in self.uses.items() if not uses.consulted.isdisjoint(other)} | changed | other
        stale |= self._askers(partly, stale) if partly else set()
        for path in stale - facts.keys():
            self.uses.pop(path, None)
            self._mentions.forget(path)
        moves = {path: _moves(before[path], facts[path], differing[path] or frozenset()) for path in changed - other}
        moved = self._move(moves, stale)
        self._resolve(sorted(stale & facts.keys()), crew)
        return stale | moved

    def _askers(self, differing: Mapping[str, frozenset[str]], stale: Collection[str]) -> set[str]:
        """Files that can tell by one of these names that those files changed.

        Every name that is asked for is written in the file itself, or in one that it consulted on the way.
        """
        mentioned: dict[tuple[str, str], bool] = {}

        def mentions(path: str, source: str) -> bool:
            known = mentioned.get((path, source))
            if known is None:
                facts = self._facts.get(path)
                known = facts is not None and self._mentions.any_of(facts, differing[source])
                mentioned[path, source] = known
            return known

        return {
            path
            for path, uses in self.uses.items()
            if path not in stale
            and any(
                mentions(path, source) or any(mentions(other, source) for other in uses.consulted if other != source)
                for source in differing.keys() & uses.consulted
            )
        }

    def _resolve(self, paths: Sequence[str], crew: Crew | None) -> None:
        share = Share(self._facts, self._project, self._modules)
        self.uses.update(crew(share, paths) if crew and len(paths) >= _MANY else share.uses(paths))

    def _move(self, moves: Mapping[str, Mapping[str, str]], stale: Collection[str]) -> set[str]:
        """Follows symbols that went to other lines, in the files that are not to be resolved again."""
        moves = {path: table for path, table in moves.items() if table}
        moved = set()
        for path, uses in self.uses.items() if moves else ():
            if path not in stale and not uses.consulted.isdisjoint(moves):
                ids = {old: new for target in uses.consulted & moves.keys() for old, new in moves[target].items()}
                edges = tuple(
                    msgspec.structs.replace(edge, target=ids[edge.target]) if edge.target in ids else edge
                    for edge in uses.edges
                )
                self.uses[path] = uses._replace(edges=edges)
                moved.add(path)
        return moved


def _difference(before: FileFacts | None, now: FileFacts | None) -> frozenset[str] | None:
    """The names by which others can tell that a file changed; None for any name."""
    return difference(before, now) if before is not None and now is not None else None


def _moves(before: FileFacts, now: FileFacts, without: frozenset[str]) -> dict[str, str]:
    """The ids that are others now, of facts that differ in no other names than these."""
    pairs = zip(kept(before, without), kept(now, without), strict=True)
    symbols = ((before.symbols[old], now.symbols[new]) for old, new in pairs)
    return {old.id: new.id for old, new in symbols if old.line != new.line}
