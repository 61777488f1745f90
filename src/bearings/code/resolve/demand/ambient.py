"""The names that files see without an import, on demand: each cell of their table is filled when it is asked for."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import Final

from bearings.code.file_facts import FileFacts
from bearings.code.grouping import grouped
from bearings.code.installed import is_installed
from bearings.code.models import ProjectFiles
from bearings.code.resolve.demand.way import Sources
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.resolve.modules.cells import Entry
from bearings.code.resolve.rules.ecmascript.ambient import (
    BEGINS_AS_MODULE,
    DECLARES,
    DECLARING,
    REGISTER_WORDS,
    REGISTERING,
    REGISTERS,
    TYPES_ENDING,
    AmbientTable,
)
from bearings.code.resolve.rules.ecmascript.conventions import (
    ALL_EXPORTS,
    BY_TAGS,
    CELL,
    MODULES,
    SECOND_CHOICE,
    TAGS,
    ambient_cell,
    name_in,
)
from bearings.code.resolve.rules.python.related import END, MODELS, RELATED, RELATION
from bearings.code.symbol_tags import tag_of

_PASSES_ON: Final = rb"\*\s*(?:as|from)\b|\bimport\s*\*|\bexports\b|\bexport\s*=|\bexport\s+import\b"
"""The text of a module that passes on the names of another one without writing them."""
_EXPORTS_ALL: Final = rb"\bexport\s*\*"


def ambient_names(facts: Mapping[str, FileFacts], project: ProjectFiles, sources: Sources) -> "AmbientNames":
    """The names that files see without an import."""
    ambient = AmbientTable()
    ambient.settle(project)
    return AmbientNames(ambient, facts, sources)


class OfferedNames:
    """Tells which of some modules may have a name: their text has it, or they pass on what another has."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._pass_on: dict[str, bool] = {}

    def __call__(self, modules: Collection[str], name: str) -> Collection[str]:
        """The modules that may have a name: each that is installed, as these are no sources."""
        installed = [path for path in modules if is_installed(path)]
        modules = [path for path in modules if not is_installed(path)]
        new = [path for path in modules if path not in self._pass_on]
        passing = self._sources.matching(_PASSES_ON, new)
        self._pass_on.update({path: path in passing for path in new})
        return {
            *installed,
            *self._sources.between(b"", name, b"", modules),
            *filter(self._pass_on.__getitem__, modules),
        }


class AmbientNames(Mapping[str, Collection[tuple[str, Entry]]]):
    """The cells of an AmbientTable, each filled when it is asked for: from the files of its scope that may have it."""

    def __init__(self, table: AmbientTable, facts: Mapping[str, FileFacts], sources: Sources) -> None:
        self._table = table
        self._facts = facts
        self._sources = sources
        self._read: set[str] = set()

    def of_file(self, path: str) -> frozenset[str]:
        """The names that the path of a file gives its default export, or its component, as files may write them."""
        imported = self._table.auto_imported(path)
        if imported is None or imported.sides != (BY_TAGS,):
            return frozenset(imported.names if imported is not None else ())
        names = {*imported.names, *map("Lazy".__add__, imported.names)}
        return frozenset(names.union(map(tag_of, names)))

    @cached_property
    def _by_folder(self) -> Mapping[str, Mapping[str, Collection[str]]]:
        """The files whose exports need no import, by the scope that sees them and by the names of their paths."""
        rows: list[tuple[str, tuple[str, str]]] = []
        for path in self._facts:
            imported = self._table.auto_imported(path)
            if imported is not None:
                rows += [(f"{imported.app}{side}", (name, path)) for side in imported.sides for name in imported.names]
        return {scope: grouped(named) for scope, named in grouped(rows).items()}

    @cached_property
    def _scopes(self) -> Mapping[str, Collection[str]]:
        """The files of each scope: the start of all files is looked at."""
        sources = self._sources
        covered = {path for path in self._facts if self._table.covers(path)}
        by_text = {path for path in covered if self._table.covers_by_text(path)}
        words = REGISTER_WORDS if by_text else ()  # each costs a search of all sources
        holders = by_text.intersection(path for word in words for path in sources.holding(word))
        sharing = {path for path in covered - by_text if not sources.start(path, BEGINS_AS_MODULE)}
        in_types = {path for path in sharing if path.endswith(TYPES_ENDING)}
        declaring = sources.matching(DECLARES, covered.intersection(sources.holding("declare")) if covered else ())
        return {
            "types": in_types.union(declaring),
            "script": sharing - in_types,
            TAGS: sources.matching(REGISTERS, holders),
            MODULES: declaring,
            **{scope: frozenset(chain(*named.values())) for scope, named in self._by_folder.items()},
        }

    @cached_property
    def _words(self) -> Mapping[str, Collection[str]]:
        return {scope: self._sources.words(files) for scope, files in self._scopes.items()}

    def __getitem__(self, cell: str) -> Collection[tuple[str, Entry]]:
        name = name_in(cell)
        if cell.startswith(ambient_cell(RELATED, "").removesuffix(CELL)):
            words = {(b"", name)}.union(
                (rb"\bclass\s+", word) for word in self._classes.get(name.removesuffix(END), ())
            )
            between = (self._sources.between(before, word, b"", self._of_models) for before, word in words)
            self._fill(frozenset[str]().union(*between))
            return self._table.names()[cell]
        scope = cell.removesuffix(CELL).rpartition("/")[0]
        if scope in self._by_folder:
            self._fill(self._giving(scope, name.removesuffix(SECOND_CHOICE)))
            return self._table.names()[cell]
        if scope not in self._scopes:
            return ()
        if scope == MODULES:
            rows = [(name, (rb"['\"]", rb"['\"]"))]
        elif scope == TAGS:  # `MyEl`, `my-el`, `myEl`
            rows = [(tag, REGISTERING) for tag in (name, tag_of(name), name[:1].lower() + name[1:])]
        else:
            rows = [(name, place) for place in DECLARING[scope]]
        self._fill({path for word, (before, behind) in rows for path in self._among(scope, before, word, behind)})
        return self._table.names()[cell]

    def _giving(self, scope: str, name: str) -> Collection[str]:
        """The files of the folders that a scope sees which may give it a name."""
        if name == ALL_EXPORTS:
            return self._sources.matching(_EXPORTS_ALL, self._scopes[scope])
        by_path = self._by_folder[scope].get(name, ())
        return by_path if scope.endswith(BY_TAGS) else {*by_path, *self._among(scope, b"", name, b"")}

    @cached_property
    def _of_models(self) -> Collection[str]:
        covered = [path for path in self._facts if MODELS.fullmatch(path) and self._table.covers(path)]
        return self._sources.matching(RELATION, covered)

    @cached_property
    def _classes(self) -> Mapping[str, Collection[str]]:
        """The words in the files of models by what they are in lower case."""
        return grouped((word.lower(), word) for word in self._sources.words(self._of_models))

    def _fill(self, files: Collection[str]) -> None:
        files = set(files)
        self._table.update(sorted(files - self._read), self._facts)
        self._read |= files

    def _among(self, scope: str, before: bytes, word: str, behind: bytes) -> Collection[str]:
        is_absent = word.isascii() and word.isidentifier() and word not in self._words[scope]
        return () if is_absent else self._sources.between(before, word, behind, self._scopes[scope])

    def __iter__(self) -> Iterator[str]:
        raise NeedsIndex("all names that files see without an import")

    def __len__(self) -> int:
        return sum(map(len, self._scopes.values()))
