"""The facts of a project's files, kept up to date: change detection, the fact store, and the parser behind it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress

from bearings.code.facts.packed_map import Lost, PackedMap
from bearings.code.facts.packing import Damaged, Packed
from bearings.code.facts.store import FactStore, ReplacedFacts, key_of
from bearings.code.file_facts import FileFacts
from bearings.code.index.change_detection import ChangeDetector, TreeState
from bearings.code.index.installed_packages import STAMP, Installation
from bearings.code.index.jobs import Job
from bearings.code.index.work_queue import TwoEndedQueue
from bearings.code.index.worker_pool import WorkerPool
from bearings.code.languages import EXTRACTOR_VERSION, language_of
from bearings.code.models import Language, ProjectFiles
from bearings.code.project.names import is_manifest
from bearings.code.project.tree import Tree
from bearings.progress import Progress

_MANY = 300
"""Starting workers pays off from this number of stale files."""

_MOST_EXTENDED = 3
"""Settings that extend settings that extend settings: deeper ones are not read."""

_MOST_UNPACKED = 600
"""Files whose stored facts stay unpacked for the resolver, which needs them next: some forty megabytes."""

_BATCH_FILES = 256
_BATCH_BYTES = 1_000_000
"""Sources that are in memory at once, and whose facts are stored in one transaction: about a second's work.

A process that is stopped loses no more than that, so each attempt gets further.
"""


class ProjectFacts:
    """The facts and the manifests of a tree's files as they were last read; `changed` files have other facts since.

    `has_stored`: the store had some of them. `read` needs the workers, which the caller closes.
    """

    def __init__(self, tree: Tree, store: FactStore, max_file_bytes: int, workers: WorkerPool) -> None:
        self.tree = tree
        self.has_stored = False
        self._store = store
        self._max_file_bytes = max_file_bytes
        self._workers = workers
        self.forget()

    def forget(self) -> None:
        """Drops everything; the next `refresh` reads each file."""
        self.detector = ChangeDetector(self.tree, self._max_file_bytes)
        self.by_path: PackedMap[FileFacts] = PackedMap()
        self.manifests: dict[str, bytes] = {}
        self.installation = Installation(self._store)
        self.changed: set[str] = set()
        self._differs = False

    def move(self, tree: Tree) -> None:
        """Continues with the files of another tree."""
        self.tree = tree
        self.detector.move(tree)

    def distrust(self) -> bool:
        """From now on nothing is taken from the store, only put into it. Returns whether that is new."""
        if isinstance(self._store, ReplacedFacts):
            return False
        self._store = ReplacedFacts(self._store)
        return True

    def resume(self, tree: TreeState, manifests: Mapping[str, bytes], paths: Iterable[str]) -> None:
        """Continues from a stored state; the facts of the files at `paths` are loaded when they are asked for."""
        self.detector.resume(tree)
        self.manifests = dict(manifests)
        self.by_path = PackedMap(self._loader(paths), list(paths))
        self.has_stored = True

    def refresh(self, progress: Progress, before_many: Callable[[], object]) -> bool:
        """Reads the files that changed. Returns whether the tree differs from its last state.

        `before_many` is called first if these are many.
        """
        if not self.detector.listing.paths:
            progress.update(0, None, "listing files")  # of tens of thousands, that takes seconds
        with closing(self.detector):
            changes = self.detector.detect()
            if len(changes.stale) >= _MANY:
                before_many()
            for path in changes.gone:
                self._drop(path)
            changed = self._read(changes.stale, progress) or bool(changes.gone) or changes.relisted
            if changed:
                self._extend(progress)
        before = self.manifests.pop(STAMP, b"")  # perhaps of the process that stored it
        self.installation.look(self.tree, self.manifests)
        if self.installation.state:
            self.manifests[STAMP] = self.installation.state
        return changed or before != self.installation.state

    def _extend(self, progress: Progress) -> None:
        """Reads the settings that manifests extend, and those that they extend."""
        from bearings.code.resolve.rules.families import extended_settings

        known, named = self.detector.named, frozenset[str]()
        reached = {path: data for path, data in self.manifests.items() if path not in known}
        for _ in range(_MOST_EXTENDED):
            extended = extended_settings(reached) - named
            named |= extended
            self.detector.named = named | known
            self._read(sorted(extended - known), progress)
            reached.update((path, self.manifests[path]) for path in extended if path in self.manifests)
        self.detector.named = named
        for path in known - named:
            self.manifests.pop(path, None)

    @property
    def project(self) -> ProjectFiles:
        """The resolver's view of the files."""
        paths, manifests = frozenset(self.detector.listing.paths), dict(sorted(self.manifests.items()))
        return ProjectFiles(paths, manifests, self.installation.packages)

    def _loader(self, paths: Iterable[str]) -> Callable[[Sequence[str]], dict[str, Packed[FileFacts]]]:
        """A function that loads the facts of the files as of now, even if the files change later. It raises Lost."""
        jobs = {path: (language_of(path), self.detector.digest(path)) for path in paths}

        def fetch(wanted: Sequence[str]) -> dict[str, Packed[FileFacts]]:
            keys = {}
            for path in wanted:
                language, digest = jobs[path]
                if language is None:
                    raise Lost(f"{path}: no language")
                keys[path] = key_of(path, language, digest, EXTRACTOR_VERSION)
            stored = self._store.packed(list(keys.values()))
            if len(stored) < len(keys):
                raise Lost(next(path for path, key in keys.items() if key not in stored))
            return {path: stored[key] for path, key in keys.items()}

        return fetch

    def _read(self, stale: Sequence[str], progress: Progress) -> bool:
        """Reads the facts of stale files. Returns whether any file differs from its last state."""
        self._differs = False
        new: dict[bytes, Packed[FileFacts]] = {}
        size = 0
        paths = TwoEndedQueue(stale)

        def report() -> None:
            progress.update(len(stale) - len(paths), len(stale), "reading files")

        jobs, behind = self._jobs(paths.front(), report), self._jobs(paths.back(), report)
        for job, facts in self._workers.parse(jobs, behind, alone=len(stale) < _MANY):
            self._add(job.path, facts)
            new[self._key(job.path, job.language)] = facts
            size += len(job.source)
            if size > _BATCH_BYTES or len(new) >= _BATCH_FILES:
                self._store.put(new)
                new, size = {}, 0
        if new:
            self._store.put(new)
        return self._differs

    def _jobs(self, stale: Iterator[str], report: Callable[[], None]) -> Iterator[Job]:
        """Reads stale files in batches and yields those whose facts are not in the store."""
        sources: dict[str, bytes] = {}
        size = 0
        for path in stale:
            source, new = self.detector.read(path)
            self._differs = self._differs or new
            if source is None:
                self._drop(path)
            elif new:
                sources[path] = source.data
                size += len(source.data)
            if size > _BATCH_BYTES or len(sources) >= _BATCH_FILES:
                report()
                yield from self._missing(sources)
                sources, size = {}, 0
        if sources:
            report()
            yield from self._missing(sources)

    def _missing(self, sources: Mapping[str, bytes]) -> Iterator[Job]:
        """Loads the facts that the store has, and yields a job for each file that it lacks."""
        keys: dict[str, tuple[bytes, Language]] = {}
        for path, data in sources.items():
            if is_manifest(path) or path in self.detector.named:
                self.manifests[path] = data
            if language := language_of(path):
                keys[path] = self._key(path, language), language
        stored = self._store.packed([key for key, _ in keys.values()]) if keys else {}
        self.has_stored = self.has_stored or bool(stored)
        for path, (key, language) in keys.items():
            facts = stored.get(key)
            with suppress(Damaged):  # no accident, as the checksum is right: such a file is parsed anew
                if facts is not None:
                    facts.get(keep=len(self.by_path) < _MOST_UNPACKED)
                    self._add(path, facts)
                    continue
            yield Job(path, language, sources[path])

    def _key(self, path: str, language: Language) -> bytes:
        return key_of(path, language, self.detector.digest(path), EXTRACTOR_VERSION)

    def _add(self, path: str, facts: FileFacts | Packed[FileFacts]) -> None:
        self.by_path.update({path: facts})
        self.changed.add(path)

    def _drop(self, path: str) -> None:
        if self.by_path.pop(path):
            self.changed.add(path)
        self.manifests.pop(path, None)
