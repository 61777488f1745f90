"""Resolves the uses of one element: finds the files that may have some, then resolves these.

Each edge is the one that resolving the whole project gives. What only that can tell raises NeedsIndex.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from posixpath import dirname
from typing import Final, TypeVar

from bearings.code.file_facts import FileFacts
from bearings.code.models import Edge, EdgeKind, Outside, ProjectFiles, Symbol, SymbolKind
from bearings.code.resolve.demand.ambient import OfferedNames, ambient_names
from bearings.code.resolve.demand.by_name import NamedUses
from bearings.code.resolve.demand.go import GoUses
from bearings.code.resolve.demand.scoped import ScopedUses
from bearings.code.resolve.demand.way import Limits, Sources, TooMuch, Way
from bearings.code.resolve.file_summary import FileSummary
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import NeedsIndex, attempt
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.rules.semantics import ResolvedBy

__all__ = ["DemandResolver", "NeedsIndex", "Sources"]

_Answer = TypeVar("_Answer")
_DEFINING: Final = (
    (
        rb"\b(?:func\s*\([^)\n]{0,100}\)|def|class|function|func|fn|fun|interface|type|enum|struct|trait|record|object|protocol|namespace|module"
        rb"|macro|const|let|var|val|static|public|private|protected|readonly|async|get|set|void|int|define)\s+\*?",
        rb"",
    ),
    (rb"^\s*", rb"\s*(?:<[^>\n]{0,200}>)?\([^;\n]{0,500}\{\s*$"),
    (rb"^\s*", rb"(?:<[^;\n(]{0,200}>\(\s*$|\s*\(\s*\n[^;{}()]{0,600}\)[^;\n{}]{0,100}\{)"),  # over several lines
)
"""What precedes and follows a name in a definition, in any language."""
_NO_NAMES: Final[frozenset[str]] = frozenset()


class DemandResolver:
    """Resolves what is asked for, one element after the other, over one state of a project.

    `facts` are read when they are asked for.
    """

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        project: ProjectFiles,
        sources: Sources,
    ) -> None:
        self._facts = facts
        self._sources = sources
        self.limits = limits = Limits(sources)
        ambient = ambient_names(facts, project, sources)
        modules = Modules(project, ambient, OfferedNames(sources))
        self._ways: dict[ResolvedBy, Way] = {
            ResolvedBy.SCOPES: ScopedUses(facts, project, modules, ambient, sources, limits),
            ResolvedBy.PACKAGES: GoUses(facts, project, modules, sources, limits),
            ResolvedBy.NAMES: NamedUses(facts, modules, sources, limits),
        }
        self._users: dict[str, Mapping[str, frozenset[str]]] = {}
        self._likely: dict[str, Mapping[str, frozenset[str]]] = {}
        self._partial_uses: dict[str, tuple[frozenset[str], FileUses]] = {}

    def begin(self, seconds: float, *, may_be_part: bool) -> None:
        """Begins with another question, which may take so much processor time: then NeedsIndex is raised."""
        self.limits.begin(seconds, may_be_part=may_be_part)

    def edges_to(self, symbol: Symbol, key: str) -> list[Edge]:
        """The edges to an element, in the order of the files; their targets are keys. Raises NeedsIndex."""
        uses = self._in_time(self.users(symbol, key), [symbol])
        return sorted((edge for use in uses for edge in use.edges if edge.target == key), key=attrgetter("file"))

    def expect(self, symbols: Mapping[str, Symbol]) -> None:
        """Resolves the uses of several elements, by key, together: each file once. Raises NeedsIndex."""
        names: dict[str, frozenset[str]] = {}
        for key, symbol in symbols.items():
            try:
                users = self.users(symbol, key)
            except TooMuch:
                if not self.limits.takes_part:
                    raise
                self.limits.left.add(symbol.file)
                continue
            for path, names_in in users.items():
                names[path] = names.get(path, _NO_NAMES) | names_in
        if not self.limits.takes_part:
            self.limits.check(names)
        for _ in self._in_time(names, symbols.values()):
            pass

    def defining(self, name: str) -> Sequence[str]:
        """The files whose text seems to define a name: `def total`, `class Total`, `total(rows) {`."""
        holders = self._sources.holding(name)
        return sorted(
            {path for before, behind in _DEFINING for path in self._sources.between(before, name, behind, holders)}
        )

    def likely_definers(self, name: str, summaries: Mapping[str, FileSummary]) -> list[str]:
        """Those files of `defining` that have an element of this name; empty where an answer may be no part."""
        likely = self.defining(name) if self.limits.may_be_part else ()
        self.limits.check(likely)
        files = [path for path in likely if name in summaries[path].names]
        if files:
            self.limits.left.update(set(self._sources.holding(name)) - set(files))
        return files

    def sites(self, name: str) -> list[Outside]:
        """The uses that lead outside the project or nowhere, of everything that has this name or comes from it."""
        files = [path for way in self._ways.values() for path in way.holders(name)]
        try:
            self.limits.check(files)
        except TooMuch:
            if not self.limits.takes_part:
                raise
            self.limits.left.update(files)
            return []
        return [use for uses in self._in_time(dict.fromkeys(files, frozenset({name}))) for use in uses.outside]

    def bases(self, path: str) -> Sequence[Edge]:
        """The edges from the types of a file to what they extend and implement. Raises NeedsIndex."""
        way = self._way(path)
        try:
            return self._resolved(path, lambda: way.bases(path)).edges
        except TooMuch:
            if not self.limits.takes_part:
                raise
            self.limits.left.add(path)
            return ()

    def imports(self, path: str) -> Sequence[Edge]:
        """The edges of a file's imports and exports, perhaps among others. Raises NeedsIndex."""
        facts, way = self._facts[path], self._way(path)
        imported = {row.local for row in facts.imports}
        exported = {row.module or row.local for row in facts.exports if row.module or row.local in imported}
        names = frozenset(name for name in exported if type(name) is str).union(row.module for row in facts.imports)
        return self._resolved(path, lambda: way.uses_of(path, names)).edges

    def whole_uses(self, path: str) -> FileUses:
        """All uses in a file but its requests and mounts, which need the endpoints of all files. Raises NeedsIndex."""
        way = self._way(path)
        return self._resolved(path, lambda: way.uses(path))

    def endpoint_uses(self, path: str) -> set[EdgeKind]:
        """The kinds of the uses that a file has beside `whole_uses`."""
        facts = self._facts[path]
        has_mounts = any(mount.module and mount.line for mount in facts.mounts)
        return {*([EdgeKind.REQUEST] if facts.requests else []), *([EdgeKind.REFERENCE] if has_mounts else [])}

    def _way(self, path: str) -> Way:
        resolved_by = self._sources.resolved_by(path)
        way = self._ways.get(resolved_by) if resolved_by is not None else None
        if way is None:
            raise NeedsIndex(path)
        return way

    def _resolved(self, path: str, resolve: Callable[[], FileUses]) -> FileUses:
        uses = self._attempted(path, resolve)
        if uses is None:
            raise NeedsIndex(path)
        return uses

    def _attempted(self, path: str, ask: Callable[[], _Answer]) -> _Answer | None:
        """What `ask` returns; None, and its way begins anew, if it raises. Raises NeedsIndex."""
        self.limits.check_time(resolving=True)
        answer = None
        try:
            answer = attempt(path, ask, None)
        finally:
            if answer is None:
                self._way(path).give_up()
        return answer

    def users(self, symbol: Symbol, key: str) -> Mapping[str, frozenset[str]]:
        """The files that may use an element, with the names that it may have there; perhaps only the likeliest."""
        way = self._way(symbol.file)
        if self.limits.are_over:  # some of its files may be resolved already
            self.limits.left.add(symbol.file)
            return self._users.get(key) or self._likely.get(key, {})
        try:
            users = self._users.get(key)
            if users is None:
                users = self._attempted(symbol.file, lambda: self._users_by(way, symbol, key))
                if users is None:
                    raise NeedsIndex(symbol.id)
                self._users[key] = users
            self.limits.check(users)
        except TooMuch:
            if not self.limits.takes_part or (symbol.kind is SymbolKind.MODULE and not self.limits.left):
                raise
            likely = way.likely(symbol)
            # Where no other file holds its name, one of these may still use it by a name that was not found.
            self.limits.left.update(likely.others or likely.users)
            self._likely[key] = likely.users
            return likely.users
        return users

    def _users_by(self, way: Way, symbol: Symbol, key: str) -> Mapping[str, frozenset[str]]:
        """The users of an element; of a module of any language, also the scripts that load its text."""
        users, scoped = way.users(symbol, key), self._ways[ResolvedBy.SCOPES]
        is_loaded = symbol.kind is SymbolKind.MODULE and way is not scoped
        return {**users, **scoped.users(symbol, key)} if is_loaded else users

    def _in_time(self, names: Mapping[str, frozenset[str]], used: Iterable[Symbol] = ()) -> Iterator[FileUses]:
        """The uses of these names in each file until the time is over, first in the folders of what is used."""
        near = {dirname(symbol.file) for symbol in used}
        files = sorted(names, key=lambda path: (dirname(path) not in near, path))
        for number, path in enumerate(files):
            try:
                yield self.uses_of(path, names[path])
            except TooMuch:
                if not self.limits.takes_part:
                    raise
                self.limits.left.update(files[number:])
                return

    def uses_of(self, path: str, names: frozenset[str]) -> FileUses:
        """The uses in a file that may mean something of these names, and perhaps others."""
        known, uses = self._partial_uses.get(path, (_NO_NAMES, None))
        if uses is None or not names <= known:
            way = self._way(path)
            uses = self._resolved(path, lambda: way.uses_of(path, names))
            self._partial_uses[path] = names, uses
        return uses
