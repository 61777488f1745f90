"""The graph as it was before a change, and which element of it became which."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Symbol
from bearings.code.project.git.history import Comparison
from bearings.code.project.names import excluded_at, is_counted
from bearings.code.project.sources import Source, Stamp, checked
from bearings.code.questions.changes.differences import Difference, Pair, by_key
from bearings.untrusted import is_clean

if TYPE_CHECKING:
    from bearings.code.index.project_index import Index

MOST_FILES = 2_000
"""Changed files beyond which the graph before is not made: parsing them takes some ten seconds."""

_STAMP = Stamp(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Before:
    """The former graph. `became` has the present symbol of each former one in changed files that still exists.

    `origins` has the former id of each of these present ones. `files` are the files, by their former paths, whose uses
    may differ.
    """

    snapshot: Snapshot
    after: Snapshot
    became: Mapping[str, Symbol]
    origins: Mapping[str, str]
    changed: frozenset[str]
    files: frozenset[str]

    def former(self, one: Difference) -> Symbol | None:
        """The former symbol of a changed element; None for an added one."""
        if one.status == "removed":
            return self.snapshot.graph.symbols.get(one.symbol.id)
        return self.snapshot.graph.symbols.get(one.was or self.origins.get(one.symbol.id, ""))

    def now(self, id_: str) -> Symbol | None:
        """The present symbol of a former one; None if it is gone."""
        if id_ in self.became:
            return self.became[id_]
        symbol = self.snapshot.graph.symbols.get(id_)
        is_changed = symbol is None or symbol.file in self.changed
        return None if is_changed else self.after.graph.symbols.get(id_)


def before(
    index: "Index", after: Snapshot, compared: Comparison, pairs: Iterable[Pair], found: Iterable[Difference]
) -> Before | None:
    """The graph before a comparison's changes; None if there are too many. Raises Lost."""
    sources: dict[str, bytes | None] = {}
    for change in compared.changes:
        if change.new and change.new != change.old:
            sources[change.new] = None
    for change in compared.changes:
        if change.old:
            data = _source(after, change.old, compared.before.get(change.old))
            if data is not None or change.old in after.project.paths:
                sources[change.old] = data
    if len(sources) > MOST_FILES:
        return None
    snapshot, touched = index.with_sources(sources)
    changed = frozenset(change.old for change in compared.changes if change.old)
    became = _became(after, pairs, found)
    origins = {now.id: id_ for id_, now in reversed(became.items())}
    return Before(snapshot, after, became, origins, changed, changed | touched)


def _source(after: Snapshot, path: str, data: bytes | None) -> bytes | None:
    """The bytes of a file that a scan would have read; None for others."""
    if data is None or (path not in after.project.paths and (excluded_at(path) or not is_clean(path))):
        return None
    if not is_counted(path):
        return data
    source = checked(path, Source(data, _STAMP, settled=True))
    return source.data if isinstance(source, Source) else None


def _became(after: Snapshot, pairs: Iterable[Pair], found: Iterable[Difference]) -> dict[str, Symbol]:
    became = {}
    for _, old, new in pairs:
        then, now = by_key(old), by_key(new)
        became.update({symbol.id: now[key] for key, symbol in then.items() if key in now})
    symbols = after.graph.symbols
    became.update({one.was: symbols[one.symbol.id] for one in found if one.was and one.symbol.id in symbols})
    return became
