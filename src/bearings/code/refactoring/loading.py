"""Tells where modules would import each other in a circle as they load."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bearings.code.file_facts import Import, ImportKind
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import IMPORTS
from bearings.code.refactoring.plans import Row

_LOADED = frozenset({ImportKind.STATIC, ImportKind.REQUIRE})


class NewLoad(NamedTuple):
    """An import that a file gets, the place for which it does, and whether code reads the name as the file loads."""

    imported: str
    file: str
    line: int
    at_load: bool


class Loading:
    """The imports that modules load, with those that a move adds.

    `is_live`: imported names are looked up when they are read, so that a circle harms only code that runs as it loads.
    """

    def __init__(self, snapshot: Snapshot, *, is_live: bool) -> None:
        self._snapshot = snapshot
        self._is_live = is_live
        self._new: dict[str, list[NewLoad]] = {}
        self._former: dict[str, set[str]] = {}
        self._dropped = set[tuple[str, Import]]()

    def add(self, importer: str, new: NewLoad) -> None:
        """Add an import."""
        if new.imported and new.imported != importer:
            self._new.setdefault(importer, []).append(new)

    def drop(self, importer: str, row: Import) -> None:
        """Take away an import; all of them before the first question."""
        self._dropped.add((importer, row))

    def needs(self, importer: str, imported: str) -> bool:
        """Whether a file gets an import of another one."""
        return any(new.imported == imported for new in self._new.get(importer, ()))

    def circles(self) -> Iterator[tuple[list[str], Row]]:
        """The files that would import themselves through others, from one to itself, with the places of new imports."""
        found = set[frozenset[str]]()
        for importer, news in self._new.items():
            for new in news:
                is_harmless = self._is_live and not new.at_load
                if new.imported in self._loaded(importer) or is_harmless:
                    continue
                circle = self.way(new.imported, importer)
                if circle and frozenset(circle) not in found:
                    found.add(frozenset(circle))
                    why = f"a circle of imports as the files load: {' -> '.join([importer, *circle])}"
                    yield [importer, *circle], (new.file, new.line, why)

    def _loaded(self, path: str) -> set[str]:
        """The files that a file imports as it loads."""
        if path not in self._former:
            facts, found = self._snapshot.facts.get(path), set[str]()
            if facts is not None:
                rows = [row for row in facts.imports if row.scope == 0 and row.kind in _LOADED]
                lines = {row.line for row in rows if (path, row) not in self._dropped}
                lines |= {row.line for row in facts.exports if row.module}
                edges = self._snapshot.graph.edges_from(path, IMPORTS)
                found = {edge.target.partition("#")[0] for edge in edges if edge.line in lines} - {path}
            self._former[path] = found
        return self._former[path]

    def way(self, start: str, end: str) -> list[str]:
        """The files on the shortest way from one to another; empty for none."""
        came: dict[str, str] = {start: ""}
        waiting: Iterable[str] = [start]
        while waiting:
            further = []
            for path in waiting:
                for following in sorted(self._loaded(path) | {new.imported for new in self._new.get(path, ())}):
                    if following not in came:
                        came[following] = path
                        further.append(following)
            waiting = further
            if end in came:
                way = [end]
                while came[way[-1]]:
                    way.append(came[way[-1]])
                return way[::-1]
        return []
