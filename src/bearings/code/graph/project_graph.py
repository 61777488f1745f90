"""The resolved project as an immutable graph: symbols by name, edges both ways, reach and paths."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from bearings.code.file_facts import FileFacts
from bearings.code.graph.lookup_tables import Tables, spellings
from bearings.code.graph.symbol_views import ById, ByName
from bearings.code.languages import may_name
from bearings.code.models import Edge, EdgeKind, Outside, Resolution, Symbol, SymbolKind, last_part
from bearings.code.resolve.file_summary import FileSummary, counts_of
from bearings.code.resolve.file_uses import FileUses
from bearings.code.symbol_keys import keys_of, with_ids

ALL_KINDS: frozenset[EdgeKind] = frozenset(EdgeKind)
MIN_SIMILARITY = 70
"""The least similarity of a suggestion, in percent."""


def words_in(text: str) -> list[str]:
    """The words of three letters or more in a text, in lower case."""
    return re.findall(r"[a-z0-9]{3,}", text.lower())


class Graph:
    """Symbols and the edges between them. Lists of edges are in the order of the files."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        size = sum(summary.elements for _, summary in counts_of(tables.summaries))
        self._symbols = ById(tables.facts, tables.symbols, size)
        self._outside = ById(tables.facts, tables.outside)

    @classmethod
    def build(cls, facts: Mapping[str, FileFacts], resolution: Resolution) -> "Graph":
        """The graph of all facts. Edges whose source or target is no symbol of them are left out."""
        keys = {
            symbol.id: key for file in facts.values() for symbol, key in zip(file.symbols, keys_of(file), strict=True)
        }
        edges: dict[str, list[Edge]] = {path: [] for path in facts}
        for edge in with_ids(resolution.edges, keys):
            if edge.source in keys:
                edges[edge.file].append(edge)
        outside: dict[str, list[Outside]] = {path: [] for path in facts}
        for use in resolution.outside:
            outside[use.file].append(use)
        uses = {path: FileUses(tuple(edges[path]), tuple(outside[path])) for path in facts}
        return cls(Tables(facts, uses))

    def after(
        self,
        facts: Mapping[str, FileFacts],
        uses: Mapping[str, FileUses],
        changed_facts: Collection[str],
        changed_uses: Collection[str],
    ) -> "Graph":
        """The graph of other facts and uses, which must not change any more. This graph does not change.

        Facts may differ from this graph's in the files of `changed_facts` only, uses also in those of `changed_uses`.
        """
        return Graph(self._tables.after(facts, uses, changed_facts, changed_uses))

    @property
    def is_whole(self) -> bool:
        """Whether the uses in all files are known; else only those that are asked for, see DemandGraph."""
        return True

    def take_part(self, share: float = 1.0) -> None:
        """From now on, edges may come from some files alone if all would take too long: `share` of the usual time."""

    @property
    def left(self) -> int:
        """The number of files whose uses were left out since `take_part`."""
        return 0

    @property
    def names_left(self) -> Collection[str]:
        """The names whose calls were not followed since `take_part`, in the elements whose calls were asked for."""
        return ()

    def expect(self, symbol_ids: Iterable[str], kinds: Collection[EdgeKind] = ALL_KINDS) -> None:
        """Tells that the uses of several symbols, of these kinds, will be asked for."""

    @property
    def symbols(self) -> Mapping[str, Symbol]:
        """All symbols, by id."""
        return self._symbols

    def within(self, file: str) -> Mapping[str, Symbol]:
        """The symbols of a file, by id."""
        return self._tables.symbols(file)

    def members(self, container: Symbol, name: str) -> Sequence[Symbol]:
        """The symbols of a name directly inside another symbol, in the order of the source."""
        return self._tables.members(container.file).get((container.id, name), ())

    @property
    def summaries(self) -> Mapping[str, FileSummary]:
        """The summary of each file, which needs no unpacking."""
        return self._tables.summaries

    @cached_property
    def elements(self) -> int:
        """The number of symbols without modules; several on one line may share an id."""
        return sum(sum(summary.types.values()) for _, summary in counts_of(self.summaries))

    @cached_property
    def resolution(self) -> Resolution:
        """All edges and all uses that lead outside the project, in the order of the files."""
        tables = self._tables
        return Resolution(
            tuple(edge for path in tables.facts for edge in tables.edges(path)),
            tuple(use for path in tables.facts for use in tables.uses[path].outside),
        )

    def links(self, files: Iterable[str] | None = None) -> Iterator[tuple[Edge, str]]:
        """Every edge of some files (None: all) with the id of its target; the target in the edge itself is a key.

        For a pass over many edges: unlike `resolution`, it makes no edges and keeps nothing.
        """
        return self._tables.links(self._tables.facts if files is None else files)

    @property
    def outside_by_source(self) -> Mapping[str, Collection[Outside]]:
        """The uses that lead outside the project, by the symbol that contains them."""
        return self._outside

    def holding(self, word: str) -> Collection[str]:  # noqa: ARG002 - see DemandGraph
        """The sources that may hold a word."""
        return self._tables.facts.keys()

    def uses_in(self, file: str, names: Collection[str]) -> FileUses:  # noqa: ARG002 - see DemandGraph
        """The uses in a file of something of these names, and perhaps others; the targets of edges are keys."""
        return self._tables.uses[file]

    @property
    def unresolved_by_name(self) -> Mapping[str, Collection[Outside]]:
        """The uses that may mean a symbol of the project, by the last part of the name."""
        return ByName(self._tables)

    def unresolved(self, symbol: Symbol) -> list[Outside]:
        """The uses that lead to no element and may mean this one: they have its name, in files that may name it.

        An endpoint is named by its URL in any language.
        """
        uses = self.unresolved_by_name.get(symbol.name, ())
        is_anywhere = symbol.kind is SymbolKind.ENDPOINT
        return [use for use in uses if is_anywhere or may_name(use.file, symbol.file)]

    def find(self, target: str) -> list[Symbol]:
        """Symbols that `target` names: a name, a qualified name, `path#name`, `path#name:line`, or a module's path.

        An exact id or a whole qualified name wins over the same spelling as the tail of a longer name. Sorted by file,
        then line; empty if there is no such symbol.
        """
        target = target.removeprefix("./")
        if target in self.symbols:
            return [self.symbols[target]]
        path, hash_, rest = target.partition("#")
        name, _, line = rest.rpartition(":") if rest.rpartition(":")[2].isdecimal() else (rest, "", "")
        if not hash_ or not path or path.endswith("."):  # `A.#secret` is the name of a private method
            path, hash_, name = "", "", target
        named = [
            symbol
            for file in ([path] if hash_ else self._files_with(name))
            for symbol in self._named(file, name)
            if not line or symbol.line == int(line)
        ]
        whole = [symbol for symbol in named if symbol.qualified_name == name]
        return sorted(whole or named, key=lambda symbol: (symbol.file, symbol.line))

    def longer_names(self, name: str) -> list[Symbol]:
        """The symbols whose qualified name ends in `.name`, which `find` passes over where a symbol has it whole."""
        return [
            symbol
            for file in self._files_with(name)
            for symbol in self._named(file, name)
            if symbol.kind is not SymbolKind.MODULE and symbol.qualified_name != name
        ]

    def _files_with(self, name: str) -> list[str]:
        files = self._tables.names.files
        holders = {
            *files.get(name, ()),
            *files.get(last_part(name), ()),
            *((name,) if name in self.summaries else ()),
        }
        return sorted(holders)

    def _named(self, file: str, name: str) -> list[Symbol]:
        """The symbols of a file that have `name` as a spelling."""
        summary = self._tables.summaries.get(file)
        if not name or summary is None or summary.names.isdisjoint((name, last_part(name))):
            return [self._tables.outline(file).symbols[0]] if summary and file == name else []
        symbols = self._tables.outline(file).symbols
        return [one for one in symbols if one.qualified_name.endswith(name) and name in spellings(one)]

    def suggest(self, target: str, n: int = 5) -> list[str]:
        """Up to `n` spellings similar to `target`, best first, each of which `find` understands."""
        from rapidfuzz import fuzz, process

        name = target.rpartition("#")[2].partition(":")[0] or target
        folded = {spelling.lower(): spelling for spelling in sorted(self._spellings)}
        near = process.extract(name.lower(), folded.keys(), scorer=fuzz.ratio, limit=n, score_cutoff=MIN_SIMILARITY)
        return [folded[spelling] for spelling, _, _ in near]

    @cached_property
    def _spellings(self) -> set[str]:
        return {
            spelling for facts in self._tables.facts.values() for one in facts.symbols for spelling in spellings(one)
        }

    def importers(self, path: str) -> set[str]:
        """The other files that import a file."""
        return self._tables.importers(path)

    def prepare(self, path: str) -> None:
        """Fills the lookup tables of a file ahead of their first use."""
        self._tables.prepare(path)

    def containing(self, words: str, n: int = 8) -> list[Symbol]:
        """Up to `n` symbols whose own name contains all these words: exported ones first, then the shortest names."""
        wanted = words_in(words)
        holding = [
            symbol
            for symbol in self.symbols.values()
            if symbol.kind is not SymbolKind.MODULE and all(word in symbol.name.lower() for word in wanted)
        ]
        holding.sort(key=lambda symbol: (not symbol.exported, len(symbol.name), symbol.file, symbol.line))
        return holding[:n] if wanted else []

    @property
    def names(self) -> Mapping[str, Sequence[str]]:
        """The files that define each name: the last part of a qualified name, the whole name of an endpoint."""
        return self._tables.names.files

    def called(self, name: str) -> Iterator[Symbol]:
        """The elements whose last name is this one."""
        return (one for file in self.names.get(name, ()) for one in self.outline(file) if one.name == name)

    def declaring(self, name: str) -> Sequence[str] | None:
        """The files with an element of this name; None, and some are left, where an answer may be a part."""
        return self.names.get(name, ())

    def spelled_with(self, texts: Collection[str]) -> Iterator[str]:
        """The names that hold one of some texts, in lower case; without an index perhaps words that name nothing."""
        names = list(self.names)
        # One search in all names, instead of one in each. A name of a member that is a string may hold a NUL.
        joined, found = "\0".join(name.replace("\0", " ") for name in names).lower(), set[int]()
        for text in (one for one in texts if one and "\0" not in one):
            number = at = 0
            while at >= 0 and (start := joined.find(text, at)) >= 0:
                number += joined.count("\0", at, start)
                found.add(number)
                at = joined.find("\0", start)
        return (names[number] for number in sorted(found))

    def defining(self, name: str) -> Sequence[str]:
        """The files that define a name; without an index those that seem to."""
        return self.names.get(name, ())

    @property
    def variables(self) -> Mapping[str, Sequence[str]]:
        """The files that read or write each environment variable by its name; none for a name that only was used."""
        return self._tables.variables.files

    def outline(self, file: str) -> Sequence[Symbol]:
        """The symbols of a file in the order of its facts, the module first; empty if the file has no facts."""
        return self._tables.outline(file).symbols if file in self.summaries else ()

    def edges_from(self, symbol_id: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> list[Edge]:
        """The edges that start at a symbol."""
        file = self._symbols.file(symbol_id)
        return [] if file is None else self._tables.outgoing(file, symbol_id, kinds)

    def edges_to(self, symbol_id: str, kinds: Collection[EdgeKind] = ALL_KINDS) -> list[Edge]:
        """The edges that end at a symbol."""
        file = self._symbols.file(symbol_id)
        return [] if file is None else self._tables.incoming(file, symbol_id, kinds)
