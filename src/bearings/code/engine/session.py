"""One project, open: brings its index up to date, then answers. What both engines of ours run."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from bearings.caller import Roots
from bearings.code.engine.describe import describe, subject
from bearings.code.engine.protocol import ENGINE_NAME, Answer, IndexState
from bearings.code.engine.query import Sites, query
from bearings.code.engine.questions.base import Question
from bearings.code.engine.questions.coderefs import CompareIndex, Tag, Validate
from bearings.code.engine.questions.diagram import Diagram
from bearings.code.engine.questions.explore import Explore
from bearings.code.engine.questions.export import Export
from bearings.code.engine.questions.graph import Describe, Detail, Query, Scan, ScanPage
from bearings.code.facts.packed_map import Lost
from bearings.code.facts.store import FactStore
from bearings.code.index.project_index import Index, collector_paused
from bearings.code.index.snapshot import Snapshot
from bearings.code.index.snapshot_store import GraphStore
from bearings.code.languages.spec import Capability
from bearings.code.models import SymbolKind
from bearings.code.project import Changed, Lines
from bearings.errors import Internal, Unsupported
from bearings.progress import Progress
from bearings.untrusted import named

if TYPE_CHECKING:
    from bearings.code.answers.explore import Explored
    from bearings.code.engine.lexical import LexicalIndex
    from bearings.code.engine.scan import Scanner

_ATTEMPTS = 5


class Session:
    """Answers one question at a time, from the tree as it is when it is asked."""

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
        self._lexical: LexicalIndex | None = None
        self._scanner: Scanner | None = None
        self._sites: tuple[Snapshot, Sites] | None = None
        self._ahead: tuple[Snapshot, Iterator[str]] | None = None

    def answer(self, question: Question[Any], progress: Progress) -> Answer[Any]:
        """The answer, or one of the errors that `CodeEngine.ask` names."""
        started = time.perf_counter()
        fresh_at = time.time()
        if isinstance(question, Scan) and question.lexical:
            value, files, elements, revision = self._scanned_lexically(question)
        else:
            with collector_paused():
                snapshot, value = self._asked(question, progress)
            files, elements, revision = len(snapshot.facts), snapshot.elements, snapshot.revision
        state = IndexState(
            files=files,
            elements=elements,
            revision=revision,
            fresh_at=fresh_at,
            took_ms=round((time.perf_counter() - started) * 1000, 1),
            engine=ENGINE_NAME,
        )
        return Answer(value, state)

    def look_ahead(self, progress: Progress) -> None:
        """Reads the project before the first question about it."""
        self._index.refresh(progress)

    def prepare(self) -> bool:
        """Makes ready a file more of what may be asked next; whether there is more to do."""
        snapshot = self._index.snapshot
        if snapshot is None:
            return False
        if self._ahead is None or self._ahead[0] is not snapshot:
            self._ahead = snapshot, iter(list(snapshot.facts))
        try:
            path = next(self._ahead[1], None)
            if path is not None:
                self._index.prepare(path)
        except Lost:
            self._index.reset()
            return False
        return path is not None

    def keep(self) -> None:
        """Has what is known kept for the next process, unless it is already."""
        self._index.keep()

    def _asked(self, question: Question[Any], progress: Progress) -> tuple[Snapshot, object]:
        """The snapshot of now, and what it answers, with lines of the files that it was made from.

        If a part of what was kept is lost, all is read again; if a file has changed meanwhile, that file is.
        """
        for _ in range(_ATTEMPTS):
            snapshot = self._index.refresh(progress)
            try:
                return snapshot, self._answered(snapshot, question, progress)
            except Lost:
                self._index.reset()
            except Changed:
                continue
        raise Internal("the files change faster than they can be read", "Ask again when they are at rest.")

    def _answered(self, snapshot: Snapshot, question: Question[Any], progress: Progress) -> object:
        match question:
            case Scan():
                skipped = tuple(sorted({*snapshot.skipped, *self._index.ignored()}))
                page = self._scanning.page(
                    snapshot.facts, skipped, snapshot.revision, question, snapshot.graph.summaries
                )
                return _qualified(snapshot, question, page)
            case Query():
                return query(snapshot, self._sites_of(snapshot), question, self._lines())
            case Describe():
                return self._described(snapshot, question)
            case Explore():
                return self._explored(snapshot, question)
            case Export() | Validate() | CompareIndex() | Tag() | Diagram():
                return _written(snapshot, question, progress, self._index.digest)
            case _ if (answer := _analysed(snapshot, question, self._max_file_bytes)) is not None:
                return answer
            case _:
                raise Unsupported(
                    f"the {ENGINE_NAME} engine does not answer {type(question).__name__}", "Use another tool."
                )

    @property
    def _scanning(self) -> "Scanner":
        from bearings.code.engine.scan import Scanner

        if self._scanner is None:
            self._scanner = Scanner()
        return self._scanner

    def _scanned_lexically(self, question: Scan) -> tuple[object, int, int, str]:
        from bearings.code.engine.lexical import LexicalIndex

        if self._lexical is None:
            self._lexical = LexicalIndex(self._root, self._max_file_bytes, self._roots)
        facts, skipped, revision = self._lexical.refresh()
        elements = sum(symbol.kind is not SymbolKind.MODULE for file in facts.values() for symbol in file.symbols)
        return self._scanning.page(facts, skipped, revision, question), len(facts), elements, revision

    def _described(self, snapshot: Snapshot, question: Describe) -> Detail:
        """The element with the text that its lines were counted in."""
        symbol = subject(snapshot, question)
        return describe(snapshot, self._sites_of(snapshot), symbol, self._lines().data(symbol.file), question)

    def _explored(self, snapshot: Snapshot, question: Explore) -> "Explored":
        from bearings.code.engine.explore import explore

        return explore(snapshot, question, self._lines(), self._max_file_bytes)

    def _lines(self) -> Lines:
        return Lines(self._root, self._index.digest, self._max_file_bytes)

    def _sites_of(self, snapshot: Snapshot) -> Sites:
        if self._sites is None or self._sites[0] is not snapshot:
            self._sites = (snapshot, Sites(snapshot.graph))
        return self._sites[1]


def _qualified(snapshot: Snapshot, question: Scan, page: ScanPage) -> ScanPage:
    """A page with what it can't know: files in languages that are not read, endpoints of unknown frameworks."""
    from bearings.code.analyses.capabilities import counted, without
    from bearings.code.analyses.elsewhere import unread_files
    from bearings.code.analyses.frameworks import not_understood

    asked = SymbolKind.ENDPOINT in question.kinds or page.by_kind.get(SymbolKind.ENDPOINT)
    unknown = ", ".join(map(named, not_understood(snapshot.project.manifests))) if asked else ""
    note = f"Endpoints of these frameworks are not understood: {unknown}." if unknown else ""
    files = without(snapshot.facts, Capability.ENDPOINTS) if asked else None
    unrouted = f"Endpoints are unknown in {counted(files)}." if files else ""
    return replace(page, unread=unread_files(snapshot), note=" ".join(filter(None, (page.note, note, unrouted))))


def _written(
    snapshot: Snapshot,
    question: Export | Validate | CompareIndex | Tag | Diagram,
    progress: Progress,
    digest: Callable[[str], bytes],
) -> object:
    """The answers about references and charts, whose modules are imported when they are first asked for."""
    from bearings.code.engine import coderefs, diagram, export, tag

    match question:
        case Export():
            return export.export(snapshot, question)
        case Validate():
            return coderefs.validate(snapshot, question)
        case CompareIndex():
            return coderefs.compare(snapshot, question)
        case Tag():
            return tag.tag(snapshot, question, progress, digest)
        case Diagram():
            return diagram.diagram(snapshot, question)


def _analysed(snapshot: Snapshot, question: Question[Any], max_file_bytes: int) -> object | None:
    from bearings.code.engine.analysing import analysed

    return analysed(snapshot, question, max_file_bytes)
