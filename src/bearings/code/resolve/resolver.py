"""Incremental resolution: after a change, resolves only the files that depend on it.

A file's uses depend on the files and cells that were consulted for them (see modules/cells.py). After an edit, those
files are resolved again that consulted a changed file, unless the edit only adds or removes names that none of them
can have looked up (see edits/).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
from functools import partial

from bearings.code.facts.packed_map import PackedMap
from bearings.code.facts.packing import Packed
from bearings.code.file_facts import FileFacts
from bearings.code.installed import with_installed
from bearings.code.models import EVERYTHING, ProjectFiles, Resolution
from bearings.code.resolve.edits.file_interface import difference
from bearings.code.resolve.edits.mentions import Mentions
from bearings.code.resolve.file_resolver import FileResolver
from bearings.code.resolve.file_summary import FileSummary
from bearings.code.resolve.file_uses import FileUses
from bearings.code.resolve.giving_up import attempt
from bearings.code.resolve.memory import Memory, consulted_for
from bearings.code.resolve.modules.cells import Names
from bearings.code.resolve.modules.lookups import Modules
from bearings.code.resolve.strategies import TABLES, Entries, tables_with
from bearings.code.symbol_keys import keys_of, with_ids

InProcesses = Callable[[FileResolver, Sequence[str]], Iterable[Mapping[str, FileUses | Packed[FileUses]]]]
"""Resolves some files in several processes, of which the FileResolver's own is one; it accepts the others' results.

It may raise after some of them: the next update goes on with the rest."""

_MANY = 300
"""With fewer files, one process is faster than several."""


class Resolver:
    """Keeps the uses of each file. After `update` they equal those of a resolution from scratch.

    `summaries` are summaries of files that the last update resolved in other processes, `pending` are files that it
    did not come to, because it was stopped.
    """

    def __init__(self) -> None:
        self.uses: PackedMap[FileUses] = PackedMap()
        self.summaries: Mapping[str, FileSummary] = {}
        self.begun = False
        self.pending: set[str] = set()
        self._memory: Callable[[], Memory] | None = None
        self._consulted: MutableMapping[str, frozenset[str]] = {}
        self._facts: Mapping[str, FileFacts] = {}
        self._project = ProjectFiles(frozenset())
        self._mentions = Mentions()
        self._tables = [make() for make in TABLES]
        self._modules = Modules(self._project, self._names)

    @classmethod
    def resumed(
        cls,
        facts: Mapping[str, FileFacts],
        project: ProjectFiles,
        uses: "PackedMap[FileUses]",
        memory: Callable[[], Memory],
    ) -> "Resolver":
        """A resolver with the `uses` and the `memory` of another one, perhaps of another process."""
        self = cls()
        self.uses, self.begun, self._memory = uses, True, memory
        self._facts, self._project, self._modules = facts, project, Modules(project, self._names)
        return self

    @property
    def _names(self) -> Names:
        """The names that files see without an import."""
        return self._tables[0].names()

    def memory(self) -> Memory | None:
        """The memory for `resumed`; None if it is the one that this resolver was resumed with."""
        if self._memory is not None:
            return None
        return Memory(self._consulted, self._modules.lookups(), Entries(self._tables))

    def update(
        self,
        facts: Mapping[str, FileFacts],
        project: ProjectFiles,
        in_processes: InProcesses | None = None,
        changed: Collection[str] | None = None,
    ) -> set[str]:
        """Takes new facts, and returns the files that were resolved again or are gone.

        `facts` must not change any more. `in_processes` helps with large changes. `changed` are the files whose facts
        changed, appeared or disappeared; without it, all files are compared.
        """
        self._unpack_memory()
        self.summaries = self.summaries if self.pending else {}
        before, was = self._facts, self._project
        if changed is None:
            changed = {path for path in before.keys() | facts.keys() if before.get(path) is not facts.get(path)}
        for path in changed:
            self._mentions.forget(path)
        self._facts, self._project = facts, project
        if was.installed is not project.installed:
            self._modules.take(project)
        had_names = bool(self._names)
        is_settled, cells = self._fill(was, changed)
        if is_settled or was.manifests != project.manifests or bool(self._names) != had_names:
            return self._begin(in_processes) | set(changed)
        # The names in which a change of a file matters to others; None for any name.
        differing = {
            path: attempt(path, partial(difference, before.get(path), facts.get(path)), None) for path in changed
        }
        wholly = {path for path, names in differing.items() if names is None} | cells
        partly = {path: names for path, names in differing.items() if names}
        for path in wholly | partly.keys():
            self._modules.forget(path)
        if was.paths != project.paths:
            wholly |= self._modules.update(project, facts)
        if wholly or partly:
            wholly.add(EVERYTHING)
        stale = {path for path, files in self._consulted.items() if not files.isdisjoint(wholly)} | {*changed, *wholly}
        stale |= self._askers(partly, stale) if partly else set()
        stale |= self.pending
        for path in stale - facts.keys():
            self.uses.pop(path)
            self._consulted.pop(path, None)
        self._resolve(sorted(stale & facts.keys()), in_processes)
        return stale - {EVERYTHING}

    def _fill(self, was: ProjectFiles, changed: Collection[str]) -> tuple[bool, set[str]]:
        """Brings the tables up to date. Returns whether all files must be resolved, and the cells that changed."""
        facts, project, anew = self._facts, self._project, not self.begun
        moved, cells = anew or was.paths != project.paths or was.manifests != project.manifests, set[str]()
        for table in self._tables:
            settled = moved and table.settle(project)
            anew = anew or settled
            for changes in table.changes(facts if settled or not self.begun else changed, facts):
                cells |= changes if not anew else frozenset()
        return anew, cells

    def prepare(self, path: str) -> None:
        """Indexes the words of a file for the next update."""
        if path in self._facts:
            self._mentions.prepare(self._facts, path)

    def _begin(self, in_processes: InProcesses | None) -> set[str]:
        """Resolves all files."""
        self.begun = True
        self._modules = Modules(self._project, self._names)
        self.uses.clear()
        self._consulted = consulted_for(len(self._facts))
        self._resolve(list(self._facts), in_processes)
        return set(self._facts)

    def _unpack_memory(self) -> None:
        """Unpacks the memory that this resolver was resumed with, at its first use."""
        if self._memory is not None:
            memory, self._memory = self._memory(), None
            self._consulted = consulted_for(len(memory.consulted))
            self._consulted.update(memory.consulted)
            self._modules.merge(memory.lookups)
            self._tables = tables_with(self._project, memory.entries)
            self._modules.names = self._names

    def _askers(self, differing: Mapping[str, frozenset[str]], stale: Collection[str]) -> set[str]:
        """The files whose uses may change because files differ in these names.

        A looked-up name is written in the asking file itself, or in a file that was consulted on the way.
        """
        wanted = frozenset[str]().union(*differing.values())
        facts = with_installed(self._facts, self._project.installed)
        mentioned: dict[str, frozenset[str]] = {}
        askers: set[str] = set()
        for source, names in differing.items():
            users = {path: files for path, files in self._consulted.items() if source in files and path not in stale}
            consulted = set(users).union(*users.values()) - {source}  # the file itself was compared
            near = {path for path in consulted if path in facts}
            for path in near - mentioned.keys():
                mentioned[path] = self._mentions.mentioned(facts, path, wanted)
            namers = {path for path, words in mentioned.items() if not names.isdisjoint(words)} - {source}
            if namers:
                askers |= {path for path, files in users.items() if path in namers or not files.isdisjoint(namers)}
        return askers

    def _resolve(self, paths: Sequence[str], in_processes: InProcesses | None) -> None:
        files = FileResolver(self._facts, self._project, self._modules, self._tables)
        self.pending = set(paths)
        files.summaries.update((path, one) for path, one in self.summaries.items() if path not in self.pending)
        self.summaries = files.summaries
        in_parts = in_processes is not None and len(paths) >= _MANY
        try:
            for uses in in_processes(files, paths) if in_processes is not None and in_parts else [files.uses(paths)]:
                self.uses.update(uses)
                self.pending.difference_update(uses)
        finally:
            self._consulted.update(files.consulted)
            files.close()


def resolve(facts: Mapping[str, FileFacts], project: ProjectFiles) -> Resolution:
    """Resolves all uses in `facts`: to edges between their symbols, or to outside uses. Pure.

    Modules are looked up among `project.paths`; a module without facts is unresolved. Edges come in the order of the
    files, without duplicates.
    """
    resolver = Resolver()
    resolver.update(facts, project)
    ids = {key: symbol.id for file in facts.values() for key, symbol in zip(keys_of(file), file.symbols, strict=True)}
    return Resolution(
        tuple(edge for path in facts for edge in with_ids(resolver.uses[path].edges, ids)),
        tuple(use for path in facts for use in resolver.uses[path].outside),
    )
