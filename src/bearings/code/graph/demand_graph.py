"""The graph of a project that grows with what is asked; what needs the edges of all files raises NeedsIndex."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

from bearings.code.expressions import Expression, last_name, texts
from bearings.code.file_facts import CallSite, FileFacts
from bearings.code.graph.lookup_tables import NameIndex, Tables
from bearings.code.graph.project_graph import ALL_KINDS, MIN_SIMILARITY, Graph, words_in
from bearings.code.graph.symbol_views import ById
from bearings.code.languages.embedded import is_embedded
from bearings.code.models import (
    CALLS,
    HEIRS,
    IMPORTS,
    Edge,
    EdgeKind,
    Outside,
    Resolution,
    Symbol,
    SymbolKind,
    last_part,
)
from bearings.code.resolve.demand.resolver import DemandResolver, NeedsIndex
from bearings.code.resolve.demand.way import TooMuch
from bearings.code.resolve.file_summary import MAYBE_OWN, FileSummary, summary_of
from bearings.code.resolve.file_summary import last_name as last_name_of_use
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.referents import CALLABLE
from bearings.code.symbol_keys import with_ids

_Row = TypeVar("_Row")
Holding = Callable[[str], Collection[str]]
"""The files that hold a word."""

_MOST_LOOKED_UP = 30
_FEW_HOLDERS = 20
"""Words that are looked up for a name that nothing has, and the most files that may hold one."""
_UNWRITTEN = frozenset({"", "default", "…"})
"""Parts of qualified names that the source may not have."""
_RUN = CALLABLE | {SymbolKind.CONSTRUCTOR}
"""Elements of which all uses but types are calls or names of values."""


class DemandGraph(Graph):
    """Reads the files that hold a name when it is looked up, and resolves those that may use an element."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        resolver: DemandResolver,
        holding: Holding,
        words: Callable[[], Collection[str]],
        words_with: Callable[[Collection[str]], Iterable[str]],
    ) -> None:
        self._resolver = resolver
        self._holding = holding
        self._words = words
        self._words_with = words_with
        self._demanded = _DemandTables(facts, resolver, holding)
        self._tables = self._demanded
        self._symbols = ById(facts, self._demanded.symbols)
        self._outside = _OutsideOf(facts, self._demanded)

    def begin(self, seconds: float, *, may_be_part: bool) -> None:
        """Begins with another question, which may take so much processor time: then NeedsIndex is raised.

        `may_be_part`: an element may be looked up in the likeliest files.
        """
        self._demanded.begin()
        self._resolver.begin(seconds, may_be_part=may_be_part)

    @property
    def is_whole(self) -> bool:
        """See Graph."""
        return False

    def take_part(self, share: float = 1.0) -> None:
        """See Graph."""
        self._resolver.limits.take_part(share)

    @property
    def left(self) -> int:
        """See Graph."""
        return len(self._resolver.limits.left)

    @property
    def names_left(self) -> Collection[str]:
        """See Graph."""
        return self._resolver.limits.names_left

    def expect(self, symbol_ids: Iterable[str], kinds: Collection[EdgeKind] = ALL_KINDS) -> None:
        """See Graph: resolves each file once, for all of them."""
        expected: dict[str, Symbol] = {}
        for symbol_id in symbol_ids:
            file = self._symbols.file(symbol_id)
            symbol = self._demanded.symbols(file).get(symbol_id) if file is not None else None
            if file is not None and symbol is not None and not _is_never_used(symbol, kinds):
                expected.update((key, symbol) for key in self._demanded.keys(file, symbol_id))
        self._resolver.expect(expected)

    @cached_property
    def unresolved_by_name(self) -> Mapping[str, Collection[Outside]]:
        """See Graph."""

        def look_up(name: str) -> Sequence[Outside]:
            return [use for use in self._resolver.sites(name) if use.why in MAYBE_OWN and last_name_of_use(use) == name]

        return _LookedUp(look_up)

    def holding(self, word: str) -> Collection[str]:
        """See Graph."""
        return self._holding(word)

    def uses_in(self, file: str, names: Collection[str]) -> FileUses:
        """See Graph."""
        return self._resolver.uses_of(file, frozenset(names))

    @cached_property
    def resolution(self) -> Resolution:
        """See Graph."""
        raise NeedsIndex("all edges")

    def links(self, files: Iterable[str] | None = None) -> Iterator[tuple[Edge, str]]:
        """See Graph."""
        raise NeedsIndex(f"all edges of {files}")

    def importers(self, path: str) -> set[str]:
        """See Graph."""
        ids = self.within(path)
        self.expect(ids, IMPORTS)
        edges = (edge for id_ in ids for edge in self.edges_to(id_, IMPORTS))
        return {edge.file for edge in edges if not (edge.is_guess or edge.is_name_of_import)} - {path}

    def suggest(self, target: str, n: int = 5) -> list[str]:
        """See Graph: names among the words of the sources, without their qualifiers."""
        from rapidfuzz import fuzz, process

        name = last_part(target.rpartition("#")[2].partition(":")[0] or target)
        folded = {word.lower(): word for word in sorted(self._words())}
        near = process.extract(
            name.lower(), folded.keys(), scorer=fuzz.ratio, limit=_MOST_LOOKED_UP, score_cutoff=MIN_SIMILARITY
        )
        return list(islice(self._declared(folded[word] for word, _, _ in near), n))

    def containing(self, words: str, n: int = 8) -> list[Symbol]:
        """See Graph: of the shortest names."""
        wanted = words_in(words)
        holding = (word for word in self._words_with(wanted[:1]) if all(part in word.lower() for part in wanted))
        names = self._declared(sorted(holding, key=lambda word: (len(word), word))[:_MOST_LOOKED_UP])
        symbols = [symbol for name in names for symbol in self.find(name)]
        return sorted(symbols, key=lambda one: (not one.exported, len(one.name), one.file, one.line))[:n]

    def declaring(self, name: str) -> Sequence[str] | None:
        """See Graph."""
        try:
            return self.names.get(name, ())
        except TooMuch:
            if not self._resolver.limits.takes_part:
                raise
            if not self.left:
                self._resolver.limits.left.update(self._holding(name))
            return None

    def spelled_with(self, texts: Collection[str]) -> Iterator[str]:
        """See Graph."""
        return iter(self._words_with(texts))

    def defining(self, name: str) -> Sequence[str]:
        """See Graph."""
        return self._resolver.defining(name)

    def _files_with(self, name: str) -> list[str]:
        """See Graph: a file with `Cart.total` has both words, as a rule."""
        try:
            whole = self._demanded.names.files.get(name, ()) if "." in name and " " not in name else ()
            return list(whole) or super()._files_with(name)
        except TooMuch:
            if files := self._resolver.likely_definers(last_part(name), self.summaries):
                return files
            raise

    def _declared(self, words: Iterable[str]) -> Iterator[str]:
        """The words that elements have as a name, of those that few files hold: others take too long to look up."""
        for word in words:
            if len(self._holding(word)) <= _FEW_HOLDERS and self._demanded.names.files.get(word):
                yield word


def _last_part(callee: Expression) -> str:
    """The last name of what is called or named, or of its type; empty for none."""
    return last_name(callee) or next((text.rpartition(".")[2] for text in texts(callee)), "")


def _is_never_used(symbol: Symbol, kinds: Collection[EdgeKind]) -> bool:
    """Whether nothing uses such a symbol in these ways: of modules, only components are called."""
    return symbol.kind is SymbolKind.MODULE and CALLS.issuperset(kinds) and not is_embedded(symbol.file)


class _LookedUp(Mapping[str, Sequence[_Row]]):
    """Rows by name, each looked up when it is asked for; the names can't be listed."""

    def __init__(self, look_up: Callable[[str], Sequence[_Row]]) -> None:
        self._look_up = look_up
        self._known: dict[str, Sequence[_Row]] = {}

    def __getitem__(self, name: str) -> Sequence[_Row]:
        rows = self._known.get(name)
        if rows is None:
            rows = self._known[name] = self._look_up(name)
        if not rows:
            raise KeyError(name)
        return rows

    def __iter__(self) -> Iterator[str]:
        raise NeedsIndex("all names")

    def __len__(self) -> int:
        raise NeedsIndex("all names")


class _HeldNames(NameIndex):
    """A NameIndex of the files that hold a name."""

    def __init__(
        self,
        summaries: "_Summaries",
        names_of: Callable[[FileSummary], frozenset[str]],
        holding: Holding,
        resolver: DemandResolver,
    ) -> None:
        super().__init__(summaries, names_of)

        def look_up(name: str) -> tuple[str, ...]:
            # `GET /users/{id}`: an endpoint is found by the end of its path.
            last = name.rpartition("/" if " " in name else ".")[2]
            words = [last] if " " in name else [last, *(part for part in name.split(".") if part not in _UNWRITTEN)]
            holders = frozenset.intersection(*(frozenset(holding(word)) for word in words))
            files = sorted(path for path in holders if path in summaries)
            resolver.limits.check(files)
            return tuple(path for path in files if not names_of(summaries[path]).isdisjoint((name, last)))

        self._held: Mapping[str, tuple[str, ...]] = _LookedUp(look_up)  # type: ignore[assignment]

    @property
    def files(self) -> Mapping[str, tuple[str, ...]]:
        """See NameIndex."""
        return self._held


class _Summaries(dict[str, FileSummary]):
    """The summaries of files, without what their uses say; each is made when it is asked for."""

    def __init__(self, facts: Mapping[str, FileFacts]) -> None:
        super().__init__()
        self._facts = facts

    def __missing__(self, path: str) -> FileSummary:
        summary = self[path] = summary_of(self._facts[path], (), ())
        return summary

    def get(self, path: str, default: Any = None) -> Any:
        """The summary of a file of the project."""
        return self[path] if path in self else default  # noqa: SIM401 - `get` is this method

    def __contains__(self, path: object) -> bool:
        return path in self._facts

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


class _OutsideOf(ById[list[Outside]]):
    """The uses that lead outside the project, by the element that contains them."""

    def __init__(self, facts: Mapping[str, FileFacts], tables: "_DemandTables") -> None:
        super().__init__(facts, tables.outside)
        self._tables = tables

    def __getitem__(self, symbol_id: str) -> list[Outside]:
        file = self.file(symbol_id)
        uses = self._tables.uses_in(file, symbol_id).outside if file is not None else ()
        rows = [use for use in uses if use.source == symbol_id]
        if not rows:
            raise KeyError(symbol_id)
        return rows


class _WholeUses(Mapping[str, FileUses]):
    """The uses of files, each resolved when it is asked for."""

    def __init__(self, resolver: DemandResolver, facts: Mapping[str, FileFacts]) -> None:
        self._resolver = resolver
        self._facts = facts
        self._known: dict[str, FileUses] = {}

    def __getitem__(self, path: str) -> FileUses:
        uses = self._known.get(path)
        if uses is None:
            uses = self._known[path] = self._resolver.whole_uses(path)
        return uses

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


class _DemandTables(Tables):
    """The rows of the files that are asked for."""

    def __init__(self, facts: Mapping[str, FileFacts], resolver: DemandResolver, holding: Holding) -> None:
        super().__init__(facts, _WholeUses(resolver, facts), {})
        self._resolver = resolver
        self._bases: dict[str, Sequence[Edge]] = {}
        self._importing: dict[str, Sequence[Edge]] = {}
        self._parts: dict[tuple[str, str], FileUses] = {}
        self._named_parts: dict[tuple[str, str], FileUses] = {}
        self.summaries = summaries = _Summaries(facts)
        self.names = _HeldNames(summaries, lambda summary: summary.names, holding, resolver)
        self.variables = _HeldNames(summaries, lambda summary: summary.variables, holding, resolver)

    def begin(self) -> None:
        """Forgets the parts of the last question."""
        self._parts.clear()
        self._named_parts.clear()

    def keys(self, path: str, symbol_id: str) -> Sequence[str]:
        """The keys of the symbols with an id."""
        return self._keys_of(path, symbol_id)

    def outgoing(self, path: str, symbol_id: str, kinds: Collection[EdgeKind]) -> list[Edge]:
        """See Tables. Bases of types, and imports, are found without the other uses of their file."""
        if not (HEIRS.issuperset(kinds) or IMPORTS.issuperset(kinds)):
            if not self._resolver.endpoint_uses(path).isdisjoint(kinds):
                raise NeedsIndex("endpoints")
            if CALLS.issuperset(kinds):
                uses = self.uses_in(path, symbol_id).edges
                return self._with_ids([edge for edge in uses if edge.source == symbol_id and edge.kind in kinds])
            return super().outgoing(path, symbol_id, kinds)
        edges = self._bases_in(path) if HEIRS.issuperset(kinds) else self._imports_in(path)
        return self._with_ids([edge for edge in edges if edge.source == symbol_id and edge.kind in kinds])

    def _bases_in(self, path: str) -> Sequence[Edge]:
        if path not in self._bases:
            self._bases[path] = self._resolver.bases(path)
        return self._bases[path]

    def _imports_in(self, path: str) -> Sequence[Edge]:
        if path not in self._importing:
            self._importing[path] = self._resolver.imports(path)
        return self._importing[path]

    def uses_in(self, path: str, symbol_id: str) -> FileUses:
        """The calls in an element, what it names as a value, and other uses; all in its file where one has no name.

        A question that takes a part gets calls alone, by the names that don't take too long.
        """
        if (path, symbol_id) in self._parts:
            return self._parts[path, symbol_id]
        facts = self.facts[path]
        names = self._names_in(path, symbol_id, (*facts.sites, *facts.mentions))
        symbol = self.symbols(path).get(symbol_id)
        is_own = symbol is not None and symbol.kind in _RUN and "" not in names
        try:
            if is_own and not (facts.fixture_uses or facts.framework_calls):
                return self._resolver.uses_of(path, frozenset(names))
            return self.uses[path]
        except TooMuch:
            if not self._resolver.limits.takes_part:
                raise
            called = self._names_in(path, symbol_id, (site for site in facts.sites if site.kind in CALLS))
            parts = [self._part(path, name) for name in sorted(called)]
            edges = dict.fromkeys(edge for part in parts for edge in part.edges)
            outside = dict.fromkeys(use for part in parts for use in part.outside)
            found = self._parts[path, symbol_id] = FileUses(tuple(edges), tuple(outside))
            return found

    def _part(self, path: str, name: str) -> FileUses:
        """The uses in a file that may mean something of this name; none if that takes too long."""
        part = self._named_parts.get((path, name))
        if part is None:
            try:
                part = self._resolver.uses_of(path, frozenset({name}))
            except TooMuch:
                self._resolver.limits.names_left.add(name)
                part = FileUses((), ())
            self._named_parts[path, name] = part
        return part

    def _names_in(self, path: str, symbol_id: str, sites: Iterable[CallSite]) -> set[str]:
        """The names of what an element uses at some sites of its file; empty ones for what has no name."""
        own = [(one.line, one.end_line) for one in self.facts[path].symbols if one.id == symbol_id]
        return {
            _last_part(site.callee)
            for site in sites
            if any(first <= site.line <= last for first, last in own)  # a class's body is run by what it stands in
        }

    def incoming(self, path: str, symbol_id: str, kinds: Collection[EdgeKind]) -> list[Edge]:
        """See Tables."""
        symbol = self.symbols(path).get(symbol_id)
        if symbol is None or _is_never_used(symbol, kinds):
            return []
        keys = self._keys_of(path, symbol_id)
        edges = [edge for key in keys for edge in self._edges_to(symbol, key, kinds) if edge.kind in kinds]
        if len(keys) > 1:
            edges.sort(key=lambda edge: edge.file)
        return with_ids(edges, dict.fromkeys(keys, symbol_id))

    def _edges_to(self, symbol: Symbol, key: str, kinds: Collection[EdgeKind]) -> Iterable[Edge]:
        """The uses of an element, perhaps of these kinds alone."""
        if not HEIRS.issuperset(kinds):
            return self._resolver.edges_to(symbol, key)
        users = sorted(self._resolver.users(symbol, key))
        return (edge for path in users for edge in self._bases_in(path) if edge.target == key)
