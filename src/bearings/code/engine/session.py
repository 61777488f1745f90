"""A session with one project: refreshes its index, then answers. The native and the in-process engine run it."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from bearings.caller import Roots
from bearings.code.analyses.sites import Sites
from bearings.code.asking.engine import ENGINE_NAME, Answer, IndexState
from bearings.code.asking.question import Question, Reading
from bearings.code.engine.query import query
from bearings.code.facts.packed_map import Lost
from bearings.code.facts.store import FactStore
from bearings.code.index.project_index import Index, collector_paused
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.languages.spec import Capability
from bearings.code.models import SymbolKind
from bearings.code.project.source_lines import Changed, Lines
from bearings.code.questions.graph import Query, Scan, ScanPage
from bearings.code.questions.tag import Tag
from bearings.errors import Internal
from bearings.progress import Progress
from bearings.untrusted import named

if TYPE_CHECKING:
    from bearings.code.engine.lexical import LexicalIndex
    from bearings.code.engine.scan import Scanner

_ATTEMPTS = 5

_AHEAD_S = 1.0
"""How long before the first question a preload may have begun to serve it: a command's imports take less."""


class Session:
    """Answers one question at a time, from the state of the tree at the time of the question."""

    def __init__(
        self,
        root: Path,
        store: FactStore,
        max_file_bytes: int,
        graphs: GraphStore | None = None,
        roots: Roots = None,
    ) -> None:
        self._root = root
        self._roots = roots
        self._max_file_bytes = max_file_bytes
        self._index = Index(root, store, max_file_bytes, graphs=graphs, roots=roots)
        self._preloaded_at = 0.0
        self._lexical: LexicalIndex | None = None
        self._scanner: Scanner | None = None
        self._sites: tuple[Snapshot, Sites] | None = None
        self._to_prepare: tuple[Snapshot, Iterator[str]] | None = None

    def answer(self, question: Question[Any], progress: Progress) -> Answer[Any]:
        """The answer, or one of the errors that `CodeEngine.ask` names."""
        started = time.perf_counter()
        preloaded_at, self._preloaded_at = self._preloaded_at, 0.0
        fresh_at = time.time()
        is_fresh = 0 <= fresh_at - preloaded_at < _AHEAD_S
        if isinstance(question, Scan) and question.lexical:
            value, files, elements, revision = self._scan_lexically(question)
        else:
            with collector_paused():
                snapshot, value = self._answer_current(question, progress, is_fresh=is_fresh)
            files, elements, revision = len(snapshot.facts), snapshot.elements, snapshot.revision
        state = IndexState(
            files=files,
            elements=elements,
            revision=revision,
            fresh_at=preloaded_at if is_fresh else fresh_at,
            took_ms=round((time.perf_counter() - started) * 1000, 1),
            engine=ENGINE_NAME,
        )
        return Answer(value, state)

    def preload(self, progress: Progress) -> None:
        """Reads the project for the first question, which does not compare the tree again if it comes soon."""
        started = time.time()
        self._index.refresh(progress)
        self._preloaded_at = started

    def prepare(self) -> bool:
        """Fills the caches for one more file. Returns whether there are more."""
        snapshot = self._index.snapshot
        if snapshot is None:
            return False
        if self._to_prepare is None or self._to_prepare[0] is not snapshot:
            self._to_prepare = snapshot, iter(list(snapshot.facts))
        try:
            path = next(self._to_prepare[1], None)
            if path is not None:
                self._index.prepare(path)
        except Lost:
            self._index.reset()
            return False
        return path is not None

    def keep(self) -> None:
        """Stores the snapshot for the next process, unless it is stored already."""
        self._index.keep()

    def _answer_current(
        self, question: Question[Any], progress: Progress, *, is_fresh: bool
    ) -> tuple[Snapshot, object]:
        """The current snapshot and its answer; lines of source come from the same state of the files.

        Retries with a new index if stored facts are lost, and with a refreshed one if a file has changed meanwhile.
        """
        for _ in range(_ATTEMPTS):
            current = self._index.snapshot if is_fresh else None
            snapshot = current or self._index.refresh(progress)
            is_fresh = False
            try:
                return snapshot, self._answer(snapshot, question, progress)
            except Lost:
                self._index.reset()
            except Changed:
                continue
        raise Internal("the project's files change faster than they can be read", "Ask again when they change less.")

    def _answer(self, snapshot: Snapshot, question: Question[Any], progress: Progress) -> object:
        match question:
            case Scan():
                skipped = tuple(sorted({*snapshot.skipped, *self._index.ignored()}))
                page = self._scan_pages.page(
                    snapshot.facts, skipped, snapshot.revision, question, snapshot.graph.summaries
                )
                return _with_limits(snapshot, question, page)
            case Query():
                return query(snapshot, self._sites_of(snapshot), question, self._lines())
            case Tag():
                return _tag(snapshot, question, progress, self._index.digest)
            case _:
                sites = partial(self._sites_of, snapshot)
                lines, after = self._lines(), self._index.with_sources
                return question.compute(Reading(snapshot, self._max_file_bytes, lines, sites, after))

    @property
    def _scan_pages(self) -> "Scanner":
        from bearings.code.engine.scan import Scanner

        if self._scanner is None:
            self._scanner = Scanner()
        return self._scanner

    def _scan_lexically(self, question: Scan) -> tuple[object, int, int, str]:
        from bearings.code.engine.lexical import LexicalIndex

        if self._lexical is None:
            self._lexical = LexicalIndex(self._root, self._max_file_bytes, self._roots)
        facts, skipped, revision = self._lexical.refresh()
        elements = sum(symbol.kind is not SymbolKind.MODULE for file in facts.values() for symbol in file.symbols)
        return self._scan_pages.page(facts, skipped, revision, question), len(facts), elements, revision

    def _lines(self) -> Lines:
        return Lines(self._root, self._index.digest, self._max_file_bytes)

    def _sites_of(self, snapshot: Snapshot) -> Sites:
        if self._sites is None or self._sites[0] is not snapshot:
            self._sites = (snapshot, Sites(snapshot.graph))
        return self._sites[1]


def _with_limits(snapshot: Snapshot, question: Scan, page: ScanPage) -> ScanPage:
    """Adds to a page what it can't contain: files in unsupported languages, endpoints of unsupported frameworks."""
    from bearings.code.analyses.capabilities import counted, without
    from bearings.code.analyses.elsewhere import unread_files
    from bearings.code.analyses.frameworks import not_understood

    lists_endpoints = SymbolKind.ENDPOINT in question.kinds or page.by_kind.get(SymbolKind.ENDPOINT)
    unknown = ", ".join(map(named, not_understood(snapshot.project.manifests))) if lists_endpoints else ""
    note = f"Endpoints of these frameworks are not understood: {unknown}." if unknown else ""
    files = without(snapshot.facts, Capability.ENDPOINTS) if lists_endpoints else None
    unrouted = f"Endpoints are unknown in {counted(files)}." if files else ""
    return replace(page, unread=unread_files(snapshot), note=" ".join(filter(None, (page.note, note, unrouted))))


def _tag(snapshot: Snapshot, question: Tag, progress: Progress, digest: Callable[[str], bytes]) -> object:
    from bearings.code.engine.tag import tag

    return tag(snapshot, question, progress, digest)
