"""What a project holds, who uses what, and all about one element."""

from collections.abc import Mapping, Sequence

from bearings.budget import REPLY_BUDGET
from bearings.code.engine.protocol import Answer
from bearings.code.engine.questions.graph import (
    Describe,
    Detail,
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
from bearings.code.models import SymbolKind
from bearings.code.replies.element import Element, path_line
from bearings.code.replies.elsewhere import Unread
from bearings.code.replies.query import QueryReply, Relation, Site, Unresolved
from bearings.code.replies.scan import ScanReply, SkippedFile
from bearings.code.replies.symbol import Reach, ReachList, SymbolReply, Use, UseList
from bearings.code.service.languages import languages_named
from bearings.code.service.opening import Topic, following, index_of, size_of, within
from bearings.code.service.parts import elsewhere_of, followed, joined, parts_of, site_of, source_line
from bearings.progress import Progress
from bearings.untrusted import clean_line, clean_text, escape_line, escape_text

_TRIES = (25, 12, 6, 3, 1)
"""How many of each list a symbol's reply shows: the first number that fits the budget."""


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
        limit: int = 200,
        cursor: str | None = None,
        progress: Progress | None = None,
    ) -> ScanReply:
        """The project's elements. Raises InvalidInput, Unsupported (a language), PathNotAllowed, DeadlineExceeded."""
        question = Scan(
            languages=languages_named(languages),
            kinds=tuple(sorted(set(types))),
            path=path,
            lexical=not use_ast,
            limit=limit,
            cursor=cursor,
        )
        answer = await self._ask(project_path, question, progress)
        reply = _scan_head(answer, use_ast)
        elements = [Element.of(symbol) for symbol in answer.value.symbols]
        reply.elements = within(reply, elements)
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
        progress: Progress | None = None,
    ) -> QueryReply:
        """How an element is bound to others. Raises ElementNotFound, Ambiguous, and what `scan` raises."""
        question = Query(
            query_type=query_type,
            target=target,
            source=source,
            max_depth=max_depth,
            kinds=tuple(sorted(set(kinds))),
            path=path,
            limit=limit,
            cursor=cursor,
        )
        answer = await self._ask(project_path, question, progress)
        reply = _query_head(answer, question)
        page = answer.value
        reply.note = joined(reply.note, followed(target, page.target), followed(source, page.source))
        shown = within(reply, [*map(_relation, page.hops), *(site_of(one.site, one.text) for one in page.sites)])
        reply.results = [item for item in shown if isinstance(item, Relation)]
        reply.unresolved.sites[:0] = [item for item in shown if isinstance(item, Site)]
        reply.omitted, reply.next_cursor = following(page, len(shown))
        return reply

    async def symbol(self, project_path: str, element: str, *, progress: Progress | None = None) -> SymbolReply:
        """All about one element. Raises ElementNotFound, Ambiguous, and what `scan` raises."""
        question = Describe(element=element, limit=_TRIES[0])
        answer = await self._ask(project_path, question, progress)
        replies = (_symbol_reply(answer, element, shown) for shown in _TRIES)
        return next((reply for reply in replies if size_of(reply) <= REPLY_BUDGET), _symbol_reply(answer, element, 0))


def _scan_head(answer: Answer[ScanPage], use_ast: bool) -> ScanReply:
    """The reply with everything but its elements."""
    page = answer.value
    return ScanReply(
        elements_found=page.total,
        by_type=page.by_kind,
        by_language=page.by_language,
        elements=[],
        skipped=[SkippedFile(path=path_line(left.path), reason=left.reason) for left in page.left_out],
        skipped_total=sum(page.left_out_by_reason.values()),
        skipped_by_reason=page.left_out_by_reason,
        parse_errors=page.parse_errors,
        generated=[path_line(path) for path in page.generated],
        generated_total=page.generated_total,
        parse_error_files=[path_line(path) for path in page.broken],
        unread=parts_of(Unread, page.unread),
        note=page.note or None,
        method="ast" if use_ast else "lexical",
        index=index_of(answer.index),
    )


def _query_head(answer: Answer[QueryPage], question: Query) -> QueryReply:
    """The reply with everything but its results and the sites that come behind them."""
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
        elsewhere=elsewhere_of(page.elsewhere),
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
        text=source_line(hop.text) or None,
    )


def _symbol_reply(answer: Answer[Detail], asked: str, shown: int) -> SymbolReply:
    """The reply with the first `shown` of each list."""
    detail = answer.value
    symbol = detail.symbol
    tests = [Reach(element=path_line(test.symbol.id), depth=test.depth) for test in detail.tests[:shown]]
    return SymbolReply(
        element=Element.of(symbol),
        language=detail.language,
        signature=escape_line(" ".join(symbol.signature.split()), 500) or None,
        doc=clean_text(symbol.doc, 1000) or None,
        source=escape_text(detail.source),
        source_cut=detail.cut,
        callers=_uses(detail.callers, shown, by_source=True),
        callees=_uses(detail.callees, shown, by_source=False),
        references=_uses(detail.references, shown, by_source=True),
        tests=ReachList(total=detail.tests_total, items=tests),
        unresolved=_unresolved(detail.outside),
        unresolved_callers=detail.unresolved_callers,
        unresolved_sites=[site_of(site) for site in detail.sites[:shown]],
        note=followed(asked, symbol.id) or None,
        elsewhere=elsewhere_of(detail.elsewhere),
        index=index_of(answer.index),
    )


def _uses(uses: Uses, shown: int, *, by_source: bool) -> UseList:
    items = [
        Use(
            element=path_line(edge.source if by_source else edge.target),
            type=edge.kind,
            line=edge.line,
            confidence=edge.confidence,
        )
        for edge in uses.edges[:shown]
    ]
    return UseList(total=uses.total, items=items)
