"""Answers about elements before there is an index: a snapshot whose facts and edges are read when they are asked for.

Every source is read, which takes a tenth of a second for a thousand of them; few are parsed.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, ItemsView, Iterator, Mapping, ValuesView
from contextlib import closing, contextmanager, suppress
from typing import Any, Final, cast

from bearings.code.facts.store import FactStore, key_of
from bearings.code.file_facts import FileFacts
from bearings.code.graph.demand_graph import DemandGraph
from bearings.code.index.change_detection import ChangeDetector
from bearings.code.index.installed_packages import Installation
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import EXTRACTOR_VERSION, language_of
from bearings.code.models import ProjectFiles
from bearings.code.parse import parse_file
from bearings.code.project.names import is_manifest
from bearings.code.project.skipped import Skipped
from bearings.code.project.sources import Source, Stamp
from bearings.code.project.tree import Reader, Tree
from bearings.code.project.words import CUT
from bearings.code.question import Question
from bearings.code.resolve.demand.resolver import DemandResolver, NeedsIndex
from bearings.code.resolve.rules.families import extended_settings, semantics_of
from bearings.code.resolve.rules.semantics import ResolvedBy
from bearings.progress import NoProgress, Progress

FEWEST: Final = 300
"""Smaller projects are indexed at once: that takes as long."""
_SHARE: Final = 0.2
_MOST_EXTENDED: Final = 3
_MOST_BYTES: Final = 1_000_000_000
"""The most bytes of sources that are held in memory, twice: by file, and as the text that is searched."""
_MUCH: Final = 100_000_000
_BYTES_A_SECOND: Final = 5_000_000
"""A question may take a second of the processor for so many bytes of all sources: an index takes several times that."""
_LEAST_SECONDS: Final = 0.5
_MOST_SECONDS: Final = 2.0
_SEARCHED_A_SECOND: Final = 150_000_000
"""Where there are more bytes than that for each of these seconds, searching for a few words takes them all."""
_NAME_LETTER = rb"[\w$]"
_NEVER = rb"[^\s\S]"
_MOST_BEFORE: Final = 1_000
"""Bytes of a line that are looked at before a word: a line of a megabyte may hold it ten thousand times."""
_WORD: Final = re.compile(rb"\w")
_NO_LETTER: Final = ord(" ")
_FEW_LETTERS: Final = 3
"""Shorter texts are in most words: all words are made then."""


class SearchedSources:
    """All sources in one string, which is searched for words; see the Protocol in resolve/demand.

    `share` is the most of them, by size, that may be read for one element: beyond, an index takes about as long.
    """

    def __init__(self, sources: Mapping[str, bytes], share: float = _SHARE) -> None:
        self._share = share
        self._paths = list(sources)
        self._starts: list[int] = []
        size = 0
        for data in sources.values():
            self._starts.append(size)
            size += len(data) + 1
        self._text = b"\n".join(sources.values())
        self._size = size
        places = zip(self._starts, [*self._starts[1:], size], strict=False)  # no source has no end
        self._places = dict(zip(self._paths, places, strict=True))
        self._known: dict[tuple[str, bytes], frozenset[str]] = {}

    def close(self) -> None:
        """Drops the texts."""
        self._text = b""
        self._known.clear()

    def holding(self, word: str) -> frozenset[str]:
        """The files that hold a word, as a whole identifier if it is one."""
        return self._holding(word, _NAME_LETTER)

    def holding_part(self, word: str) -> frozenset[str]:
        """The files that hold a word, also as the part of an identifier that a `$` ends: `$name` for `name`."""
        return self._holding(word, rb"\w")

    def containing(self, text: str) -> frozenset[str]:
        """The files that hold a text, also inside a word."""
        return self._holding(text, _NEVER)

    def _holding(self, word: str, letter: bytes) -> frozenset[str]:
        files = self._known.get((word, letter))
        if files is None:
            files = self._known[word, letter] = frozenset(self._search(word.encode("utf-8", "replace"), letter))
        return files

    def words(self, files: Collection[str] | None = None) -> frozenset[str]:
        """All words of ASCII in some files, or in all."""
        text = self._text
        if files is not None:
            text = b"\n".join(text[slice(*self._places[path])] for path in files if path in self._places)
        return frozenset(word.decode() for word in set(text.translate(CUT).split()))

    def words_with(self, texts: Collection[str]) -> set[str]:
        """The words of ASCII that contain one of some texts in lower case, whatever their own case is."""
        parts = {text.encode("utf-8", "replace") for text in texts}
        if any(len(part) < _FEW_LETTERS for part in parts):
            return {word for word in self.words() if any(text in word.lower() for text in texts)}
        text, lower, words = self._text, self._text.lower(), set[bytes]()
        for part in parts:
            at = -1 if b" " in part.translate(CUT) else lower.find(part)
            while at >= 0:
                start, end = at, at + len(part)
                while start and CUT[text[start - 1]] != _NO_LETTER:
                    start -= 1
                while end < len(text) and CUT[text[end]] != _NO_LETTER:
                    end += 1
                words.add(text[start:end])
                at = lower.find(part, end)
        return {word.decode() for word in words}

    def matching(self, pattern: bytes, files: Collection[str] | None = None) -> frozenset[str]:
        """The files, of some or of all, whose text matches a pattern."""
        search = re.compile(pattern).search
        places = self._places
        chosen = self._paths if files is None else files
        return frozenset(path for path in chosen if path in places and search(self._text, *places[path]))

    def between(self, before: bytes, word: str, after: bytes, files: Collection[str]) -> frozenset[str]:
        """Those of some files that hold a word between what two patterns match; the first looks at its line alone."""
        name, places = word.encode("utf-8", "replace"), self._places
        is_before, is_after = (
            re.compile(rb"(?m)(?:" + before + rb")\Z").search,
            re.compile(rb"(?m)(?!\w)" + after if _WORD.search(name[-1:]) else rb"(?m)" + after).match,
        )
        is_name = _WORD.match(name) is not None

        def holds(start: int, end: int) -> bool:
            text = self._text
            at = text.find(name, start, end)
            while at >= 0:
                if is_after(text, at + len(name), end) and not (is_name and at > start and _WORD.match(text, at - 1)):
                    line = text.rfind(b"\n", start, at) + 1
                    if is_before(text, max(line, start, at - _MOST_BEFORE), at):
                        return True
                at = text.find(name, at + 1, end)
            return False

        return frozenset(path for path in files if path in places and holds(*places[path]))

    def start(self, path: str, pattern: bytes) -> bytes:
        """The first group of a pattern that the start of a file matches; empty for none."""
        found = re.compile(pattern).match(self._text, *self._places[path])
        return found[1] if found is not None else b""

    def resolved_by(self, path: str) -> ResolvedBy | None:
        """How the uses of a file are resolved; None for no source."""
        language = language_of(path) if path in self._places else None
        return semantics_of(language).resolved_by if language is not None else None

    def may_read(self, files: Collection[str]) -> bool:
        """Whether so many files may be read for one element."""
        places = (self._places[path] for path in files if path in self._places)
        return sum(end - start for start, end in places) <= self._share * self._size

    def _search(self, word: bytes, letter: bytes) -> Iterator[str]:
        """The files that hold a word with no `letter` around it."""
        text, starts = self._text, self._starts
        before = rb"(?<!" + letter + rb")" if re.match(letter, word) else b""
        after = rb"(?!" + letter + rb")" if re.search(letter + rb"\Z", word) else b""
        is_whole = re.compile(before + re.escape(word) + after).match
        at = text.find(word) if word else -1
        while at >= 0:
            if not is_whole(text, at):
                at = text.find(word, at + 1)
                continue
            index = bisect_right(starts, at) - 1
            yield self._paths[index]
            if index + 1 == len(starts):
                return
            at = text.find(word, starts[index + 1])


class DemandedFacts(Mapping[str, FileFacts]):
    """The facts of a project's files, each parsed when it is first asked for."""

    def __init__(self, sources: dict[str, bytes], read: Callable[[str], FileFacts]) -> None:
        self._sources = sources
        self._read = read
        self.known: dict[str, FileFacts] = {}

    def __getitem__(self, path: str) -> FileFacts:
        facts = self.known.get(path)
        if facts is None:
            if path not in self._sources:
                raise KeyError(path)
            facts = self.known[path] = self._read(path)
        return facts

    def __contains__(self, path: object) -> bool:
        return path in self._sources

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def close(self) -> None:
        """Drops the sources and all facts."""
        self._sources.clear()
        self.known.clear()

    def items(self) -> ItemsView[str, FileFacts]:
        """All facts: only an index has them."""
        raise NeedsIndex("all facts")

    def values(self) -> ValuesView[FileFacts]:
        """All facts: only an index has them."""
        raise NeedsIndex("all facts")


class _HeldTree:
    """A tree whose sources are in memory: a search of its texts does not read them again."""

    def __init__(self, tree: Tree, sources: Mapping[str, bytes]) -> None:
        self._tree = tree
        self._sources = sources

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tree, name)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """See Tree."""
        with self._tree.reading() as reader:
            yield cast("Reader", _HeldReader(reader, self._sources))


class _HeldReader:
    def __init__(self, reader: Reader, sources: Mapping[str, bytes]) -> None:
        self._reader = reader
        self._sources = sources

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    def read(self, path: str, max_bytes: int) -> Source | Skipped | None:
        """See Reader."""
        data = self._sources.get(path)
        if data is None or len(data) > max_bytes:
            return self._reader.read(path, max_bytes)
        return Source(data, Stamp(0, 0, len(data), 0), settled=False)


def _give_back() -> None:
    """Gives freed memory back to the system: glibc holds the pages of many small objects."""
    import ctypes

    with suppress(AttributeError, OSError, TypeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


class UnindexedProject:
    """One project without an index, if it has `fewest` files. For one thread; `share` as in SearchedSources."""

    def __init__(
        self, tree: Tree, store: FactStore, max_file_bytes: int, fewest: int = FEWEST, share: float = _SHARE
    ) -> None:
        self._tree = tree
        self._store = store
        self._detector = ChangeDetector(tree, max_file_bytes)
        self._fewest = fewest
        self._share = share
        self._sources: dict[str, bytes] = {}
        self._manifests: dict[str, bytes] = {}
        self._installation = Installation(store)
        self._snapshot: Snapshot | None = None
        self._graph: DemandGraph | None = None
        self._demanded: DemandedFacts | None = None
        self._seconds = _MOST_SECONDS
        self._searched: SearchedSources | None = None

    @property
    def files_read(self) -> int:
        """The number of files that were parsed for the answers so far."""
        return len(self._demanded.known) if self._demanded is not None else 0

    def close(self) -> None:
        """Drops all sources at once, as an index of a large project needs the memory: what has answered lives on."""
        size = sum(map(len, self._sources.values()))
        self._sources.clear()
        for held in (self._demanded, self._searched):
            if held is not None:
                held.close()
        if size > _MUCH:
            _give_back()

    def digest(self, path: str) -> bytes:
        """The digest of a file's content; empty for other files."""
        return self._detector.digest(path)

    def begin(self, question: Question[Any], progress: Progress | None = None, *, is_fresh: bool) -> Snapshot:
        """The present state of the tree for one question; `is_fresh`: as it was at `refresh`. Raises NeedsIndex."""
        snapshot = self._snapshot if is_fresh else None
        if snapshot is None:
            snapshot = self.refresh(progress)
        assert self._graph is not None
        size = sum(map(len, self._sources.values()))
        if size < question.on_demand_bytes:
            raise NeedsIndex(f"only {size} bytes")
        most = max(_MOST_SECONDS, size / _SEARCHED_A_SECOND)
        self._seconds = min(max(size / _BYTES_A_SECOND, _LEAST_SECONDS), most) * question.on_demand_times
        self._graph.begin(self._seconds, may_be_part=question.may_be_part)
        return snapshot

    def refresh(self, progress: Progress | None = None) -> Snapshot:
        """The present state of the tree. Raises NeedsIndex for a project that is indexed as soon.

        It reports the first reading alone: a report may raise, and a later one would leave files read but not answered.
        """
        reports = progress if progress is not None and self._snapshot is None else NoProgress()
        reports.update(0, None, "listing files")
        with closing(self._detector):
            changes = self._detector.detect()
            files = sum(language_of(path) is not None for path in self._detector.listing.paths)
            if files < self._fewest:
                raise NeedsIndex(f"only {files} files")
            changed = self._read(changes.stale, reports)
            for path in changes.gone:
                changed = self._drop(path) or changed
            changed = self._extend() or changed
        changed = self._installation.look(self._tree, self._manifests) or changed
        if self._snapshot is None or changed or changes.relisted:
            self._snapshot, self._graph, self._demanded, self._searched = self._assembled({})
        return self._snapshot

    def with_sources(self, sources: Mapping[str, bytes | None]) -> tuple[Snapshot, set[str]]:
        """The snapshot as it would be with other contents of some sources; see Index. No file is resolved again."""
        snapshot, graph, *_ = self._assembled({path: data for path, data in sources.items() if data is not None})
        graph.begin(self._seconds, may_be_part=False)
        return snapshot, set()

    def _assembled(self, changed: Mapping[str, bytes]) -> tuple[Snapshot, DemandGraph, DemandedFacts, SearchedSources]:
        """The snapshot with other contents of some sources, and what it reads."""
        sources = {path: changed.get(path, data) for path, data in sorted(self._sources.items())}
        paths, manifests = frozenset(self._detector.listing.paths), dict(sorted(self._manifests.items()))
        project = ProjectFiles(paths, manifests, self._installation.packages)
        known = self._demanded.known if self._demanded is not None else {}
        facts = DemandedFacts(sources, lambda path: self._parsed(path, changed.get(path)))
        facts.known = {path: known[path] for path in known.keys() & sources.keys() - changed.keys()}
        searched = SearchedSources(sources, self._share)
        resolver = DemandResolver(facts, project, searched)
        graph = DemandGraph(facts, resolver, searched.holding, searched.words, searched.words_with)
        tree = cast("Tree", _HeldTree(self._tree, sources))
        snapshot = Snapshot(tree, self._detector.revision, facts, project, graph, self._detector.skipped)
        return snapshot, graph, facts, searched

    def _parsed(self, path: str, changed: bytes | None) -> FileFacts:
        """The facts of a file: of its `changed` source, those of the store, else of its source."""
        language = language_of(path)
        assert language is not None
        if changed is not None:
            return parse_file(path, language, changed)
        key = key_of(path, language, self._detector.digest(path), EXTRACTOR_VERSION)
        facts = self._store.get([key]).get(key)
        if facts is None:
            facts = parse_file(path, language, self._sources[path])
            self._store.put({key: facts})
        return facts

    def _read(self, paths: Collection[str], reports: Progress) -> bool:
        """Reads files that may have changed. Returns whether one has. Raises NeedsIndex where they are too large."""
        changed, size = False, sum(map(len, self._sources.values()))
        for number, path in enumerate(paths):
            reports.update(number, len(paths), "reading sources")
            if size > _MOST_BYTES:
                raise NeedsIndex(f"more than {size} bytes")
            source, is_new = self._detector.read(path)
            if source is None:
                changed = self._drop(path) or changed or is_new
                continue
            if not is_new:
                continue
            changed = True
            if self._demanded is not None:
                self._demanded.known.pop(path, None)
            if is_manifest(path) or path in self._detector.named:
                self._manifests[path] = source.data
            if language_of(path) is not None:
                size += len(source.data) - len(self._sources.get(path, b""))
                self._sources[path] = source.data
        return changed

    def _drop(self, path: str) -> bool:
        if self._demanded is not None:
            self._demanded.known.pop(path, None)
        return self._sources.pop(path, None) is not None or self._manifests.pop(path, None) is not None

    def _extend(self) -> bool:
        """Reads the settings that manifests extend, and those that they extend. Returns whether any differs."""
        changed = False
        for _ in range(_MOST_EXTENDED):
            extended = extended_settings(self._manifests) - self._detector.named
            if not extended:
                break
            self._detector.named |= extended
            changed = self._read(sorted(extended), NoProgress()) or changed
        return changed
