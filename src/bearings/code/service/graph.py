"""The topic of a project's elements and their uses."""

from collections.abc import Sequence

from bearings.budget import REPLY_BUDGET, rows
from bearings.code.asking.engine import Answer
from bearings.code.asking.languages import languages_named
from bearings.code.asking.opening import Topic, as_many_as_fit, filled, following, index_of
from bearings.code.asking.source_text import shortened
from bearings.code.asking.tidying import all_tidied, joined, outdated_line, site_of, tidied, unresolved_of
from bearings.code.models import SymbolKind
from bearings.code.questions.graph import Hop, Query, QueryPage, QueryType, Scan, ScanPage, UseKind
from bearings.code.replies.element import Element, path_line
from bearings.code.replies.lines import Detail
from bearings.code.replies.listed import list_once
from bearings.code.replies.query import QueryReply, Relation
from bearings.code.replies.scan import ScanReply, SkippedFile
from bearings.progress import Progress
from bearings.untrusted import clean_line

_PAGE = 200
_SUMMARY = 40
"""Elements on the first page of a scan without filters."""


class GraphTopic(Topic):
    """Scan, query."""

    async def scan(
        self,
        project_path: str,
        *,
        languages: Sequence[str] = (),
        types: Sequence[SymbolKind] = (),
        path: str = "",
        use_ast: bool = True,
        limit: int | None = None,
        cursor: str | None = None,
        detail: Detail = "full",
        progress: Progress | None = None,
    ) -> ScanReply:
        """The project's elements. As lines and without filters, the first page is short.

        Raises InvalidInput, Unsupported (a language), PathNotAllowed, DeadlineExceeded.
        """
        is_bare = not (languages or types or path or cursor)
        question = Scan(
            languages=languages_named(languages),
            kinds=tuple(sorted(set(types))),
            path=path,
            lexical=not use_ast,
            limit=rows(limit or (_SUMMARY if is_bare and detail == "lines" else _PAGE)),
            cursor=cursor,
        )
        answer = await self._ask(project_path, question, progress)
        reply = _scan_head(answer, use_ast).in_lines(detail)
        filled(reply, "elements", [Element.of(symbol) for symbol in answer.value.symbols])
        reply.omitted, reply.next_cursor = following(answer.value, len(reply.elements))
        return reply

    async def query(
        self,
        project_path: str,
        query_type: QueryType,
        target: str,
        *,
        source: str | None = None,
        max_depth: int = 3,
        kinds: Sequence[UseKind] = (),
        path: str = "",
        limit: int = 200,
        cursor: str | None = None,
        detail: Detail = "full",
        budget: int = REPLY_BUDGET,
        progress: Progress | None = None,
    ) -> QueryReply:
        """Edges of an element. Raises ElementNotFound, Ambiguous, and the errors of `scan`."""
        question = Query(
            query_type=query_type,
            target=target,
            source=source,
            max_depth=max_depth,
            kinds=tuple(sorted(set(kinds))),
            path=path,
            limit=rows(limit),
            cursor=cursor,
        )
        answer = await self._ask(project_path, question, progress)
        reply = _query_head(answer, question).in_lines(detail)
        page = answer.value
        reply.note = joined(reply.note, outdated_line(target, page.target), outdated_line(source, page.source))
        results = [_relation(hop) for hop in page.hops]
        sites = [site_of(one.site, one.text) for one in page.sites]
        aside = reply.unresolved.sites

        def put(count: int) -> None:
            reply.results = results[:count]
            reply.unresolved.sites = [*sites[: max(0, count - len(results))], *aside]

        shown = as_many_as_fit(reply, put, len(results) + len(sites), budget)
        reply.omitted, reply.next_cursor = following(page, shown)
        if reply.has_lines:
            list_once(reply, set())
        return reply


def _scan_head(answer: Answer[ScanPage], use_ast: bool) -> ScanReply:
    """The reply without its elements."""
    page = answer.value
    return ScanReply(
        elements_found=page.total,
        by_type=page.by_kind,
        by_language=page.by_language,
        by_folder={path_line(folder): count for folder, count in page.by_folder.items()},
        elements=[],
        skipped=[SkippedFile(path=path_line(left.path), reason=left.reason) for left in page.left_out],
        skipped_total=sum(page.left_out_by_reason.values()),
        skipped_by_reason=page.left_out_by_reason,
        parse_errors=page.parse_errors,
        generated=[path_line(path) for path in page.generated],
        generated_total=page.generated_total,
        parse_error_files=[path_line(path) for path in page.broken],
        unread=all_tidied(page.unread),
        note=page.note or None,
        method="ast" if use_ast else "lexical",
        index=index_of(answer.index),
    )


def _query_head(answer: Answer[QueryPage], question: Query) -> QueryReply:
    """The reply without its results and the sites that follow them."""
    page = answer.value
    return QueryReply(
        query_type=question.query_type,
        target=path_line(page.target),
        source=path_line(page.source) or None,
        kinds=list(page.kinds) or None,
        path=path_line(question.path) or None,
        results_found=page.found,
        results=[],
        unresolved=unresolved_of(page.outside, [(one.site, one.text) for one in page.aside], page.heuristic),
        note=clean_line(page.note, 1000) or None,
        elsewhere=page.elsewhere and tidied(page.elsewhere),
        index=index_of(answer.index),
    )


def _relation(hop: Hop) -> Relation:
    edge = hop.edge
    return Relation(
        from_=path_line(edge.source),
        to=path_line(edge.target),
        type=edge.kind,
        file=path_line(edge.file),
        line=edge.line,
        depth=hop.depth,
        confidence=edge.confidence,
        reason=clean_line(edge.reason),
        text=shortened(hop.text) or None,
    )
