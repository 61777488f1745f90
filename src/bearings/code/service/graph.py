"""The topic of a project's elements, their uses, and one element in detail."""

from collections.abc import Mapping, Sequence

from bearings.budget import REPLY_BUDGET, room, rows
from bearings.code.asking.engine import Answer
from bearings.code.asking.languages import languages_named
from bearings.code.asking.opening import Topic, as_many_as_fit, filled, following, index_of, size_of
from bearings.code.asking.source_text import shortened, with_text
from bearings.code.asking.tidying import all_tidied, joined, outdated_line, site_of, tidied
from bearings.code.models import SymbolKind
from bearings.code.questions.graph import (
    Describe,
    Hop,
    Query,
    QueryPage,
    QueryType,
    Scan,
    ScanPage,
    Unfollowed,
    UseKind,
    Uses,
)
from bearings.code.questions.graph import Detail as Described
from bearings.code.replies.element import Element, path_line
from bearings.code.replies.lines import Detail
from bearings.code.replies.listed import list_once
from bearings.code.replies.query import QueryReply, Relation, Unresolved
from bearings.code.replies.scan import ScanReply, SkippedFile
from bearings.code.replies.symbol import Reach, ReachList, SymbolReply, Use, UseList
from bearings.progress import Progress
from bearings.untrusted import clean_line, clean_text, escape_line, escape_text

_PAGE = 200
_SUMMARY = 40
"""Elements on the first page of a scan without filters."""

_TRIES = (25, 12, 6, 3, 1, 0)
"""Lengths to which the lists of a symbol's reply are cut; the first that fits the budget is used."""

_SOURCE = 10_000
"""The most characters of an element's source; less with a small budget."""


class GraphTopic(Topic):
    """Scan, query, symbol."""

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

    async def symbol(
        self,
        project_path: str,
        element: str,
        *,
        detail: Detail = "full",
        budget: int = REPLY_BUDGET,
        progress: Progress | None = None,
    ) -> SymbolReply:
        """Everything about one element. Raises ElementNotFound, Ambiguous, and what `scan` raises."""
        question = Describe(element=element, limit=room(_TRIES[0]), max_source=room(min(_SOURCE, budget // 2)))
        answer = await self._ask(project_path, question, progress)
        reply = _symbol_reply(answer, element).in_lines(detail)
        lists = (reply.callers, reply.callees, reply.references)
        await with_text(self._roots.open(project_path), *(uses.items for uses in lists), reply.unresolved_sites)
        for shown in _TRIES:
            if size_of(reply) <= budget:
                break
            for uses in (*lists, reply.tests):
                del uses.items[shown:]
            del reply.unresolved_sites[shown:]
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
        unresolved=_unresolved(page.outside, page.aside, page.heuristic),
        note=clean_line(page.note, 1000) or None,
        elsewhere=page.elsewhere and tidied(page.elsewhere),
        index=index_of(answer.index),
    )


def _unresolved(counts: Mapping[str, int], sites: Sequence[Unfollowed] = (), heuristic: int = 0) -> Unresolved:
    return Unresolved(**counts, heuristic=heuristic, sites=[site_of(one.site, one.text) for one in sites])


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


def _symbol_reply(answer: Answer[Described], asked: str) -> SymbolReply:
    detail = answer.value
    symbol = detail.symbol
    tests = [Reach(element=path_line(test.symbol.id), depth=test.depth) for test in detail.tests]
    return SymbolReply(
        element=Element.of(symbol),
        language=detail.language,
        signature=escape_line(" ".join(symbol.signature.split()), 500) or None,
        doc=clean_text(symbol.doc, 1000) or None,
        source=escape_text(detail.source),
        source_cut=detail.cut,
        callers=_uses(detail.callers, by_source=True),
        callees=_uses(detail.callees, by_source=False),
        references=_uses(detail.references, by_source=True),
        tests=ReachList(total=detail.tests_total, items=tests),
        unresolved=_unresolved(detail.outside),
        unresolved_callers=detail.unresolved_callers,
        unresolved_sites=[site_of(site) for site in detail.sites],
        note=joined(detail.note, outdated_line(asked, symbol.id)),
        elsewhere=detail.elsewhere and tidied(detail.elsewhere),
        index=index_of(answer.index),
    )


def _uses(uses: Uses, *, by_source: bool) -> UseList:
    items = [
        Use(
            element=path_line(edge.source if by_source else edge.target),
            type=edge.kind,
            file=path_line(edge.file),
            line=edge.line,
            confidence=edge.confidence,
        )
        for edge in uses.edges
    ]
    return UseList(total=uses.total, items=items)
