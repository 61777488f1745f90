"""Everything about one element in one call."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.spec import Capability
from bearings.code.models import CALLS, IMPORTS, Edge, EdgeKind, Symbol, SymbolKind
from bearings.code.questions.symbol import Describe, Reach, ReachList, SymbolReply, Use, UseList
from bearings.code.replies.element import Element, path_line
from bearings.code.replies.tidying import joined, line_of, outdated_line, site_of, tidied, unresolved_of
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.candidates import namesakes_note
from bearings.code.search.capabilities import lacks, unfollowed
from bearings.code.search.cases import is_case
from bearings.code.search.elsewhere import if_short
from bearings.code.search.endpoints import mounted_paths
from bearings.code.search.left_out import left_out_note
from bearings.code.search.members import Once, with_members
from bearings.code.search.reach import without_guesses
from bearings.code.search.reaching_tests import TEST_DEPTH, tests_reaching
from bearings.code.search.targets import find_element
from bearings.code.search.through import overrides_note, sites_through, uses_through_bases
from bearings.code.search.view import View, WholeGraph, quote
from bearings.untrusted import clean_text, escape_line, escape_text, named

_REFERENCES = frozenset(EdgeKind) - CALLS
_MOST_NAMES = 5
_QUICKLY_INDEXED = 1_500
"""A project of fewer files has an index within seconds: all calls are told then."""
_FOR_CALLS = 3.0
"""How many times longer than finding its users what a large element calls may take: an index takes a minute there."""


def compute(question: Describe, view: WholeGraph) -> SymbolReply:
    """The element with at most `max_source` characters of text and `limit` items of each list. Raises Changed."""
    snapshot = view.snapshot
    symbol = find_element(snapshot, question.element)
    reply = _described(view, symbol, question)
    for uses in (reply.callers, reply.callees, reply.references):
        quote(view.lines, uses.items)
    quote(view.lines, [*reply.unresolved_sites, *reply.through_bases])
    reply.note = joined(reply.note, outdated_line(question.element, symbol.id))
    if not snapshot.graph.left:
        reply.namesakes = line_of(namesakes_note(snapshot, question.element, symbol))
    return reply


def _described(view: WholeGraph, symbol: Symbol, question: Describe) -> SymbolReply:
    """The answer without lines of source beside uses."""
    snapshot, text = view.snapshot, view.lines.data(symbol.file)
    graph = snapshot.graph
    members = with_members(snapshot, symbol)
    try:
        callees = _crossing(view, members, CALLS, forward=True)
    except NeedsIndex:
        if not question.may_be_part or len(snapshot.facts) < _QUICKLY_INDEXED:
            raise
        graph.take_part(_FOR_CALLS)
        callees = _crossing(view, members, CALLS, forward=True)
        graph.take_part(1 / _FOR_CALLS)
    calls = [site for member in members for site in graph.outside_by_source.get(member, ())]
    if question.may_be_part:
        graph.take_part()
    language = snapshot.facts[symbol.file].language
    source, cut = _excerpt(as_utf8(language, text), symbol, question.max_source)
    graph.expect(members)
    callers = _crossing(view, members, CALLS, forward=False)
    references = _crossing(view, members, _REFERENCES, forward=False)
    unresolved = [site for site in view.sites(symbol) if site.kind in CALLS] if not graph.left else []
    left = graph.left
    through = uses_through_bases(snapshot, members, frozenset(EdgeKind)) if not left else []
    depth = TEST_DEPTH if graph.is_whole else 1
    # The cases that reach it, nearest first; without any, the helpers of tests that do.
    reached = [hit for hit in tests_reaching(snapshot, members, depth) if hit.symbol.id not in members]
    some = f"{left} more files may use it: coderef_query waits for all users" if left else ""
    calls_left = _of_names_left(graph.names_left)
    tests = [hit for hit in reached if is_case(hit.symbol)] or reached
    unknown = unfollowed(symbol.file, "callers, callees, references and tests are")
    users = [edge.file for edges in (callers, references) for edge in without_guesses(edges[: question.limit])]
    further = None if left else if_short(snapshot, symbol, users, len(unresolved) + len(through))
    is_followed = not any(lacks(member.file, Capability.EDGES) for member in members.values())

    def listed(edges: Sequence[Edge], *, by_source: bool) -> UseList:
        total = len(edges) if is_followed and not (left if by_source else graph.names_left) else None
        return UseList(total=total, items=[_use(edge, by_source=by_source) for edge in edges[: question.limit]])

    return SymbolReply(
        element=Element.of(symbol, mounted_paths(snapshot.graph, symbol) if symbol.kind is SymbolKind.ENDPOINT else ()),
        language=language,
        signature=escape_line(" ".join(symbol.signature.split()), 500) or None,
        doc=clean_text(symbol.doc, 1000) or None,
        source=source,
        source_cut=cut,
        callers=listed(callers, by_source=True),
        callees=listed(callees, by_source=False),
        references=listed(references, by_source=True),
        tests=ReachList(
            total=None if lacks(symbol.file, Capability.EDGES) or not graph.is_whole else len(tests),
            items=[Reach(element=path_line(hit.symbol.id), depth=hit.depth) for hit in tests[: question.limit]],
        ),
        unresolved=unresolved_of(Counter(site.why for site in calls if site.kind in CALLS)),
        unresolved_callers=len(unresolved),
        unresolved_sites=list(
            map(site_of, sorted(unresolved, key=lambda site: (site.file, site.line))[: question.limit])
        ),
        through_bases=list(map(site_of, sites_through(through[: question.limit]))),
        elsewhere=further and tidied(further),
        note=". ".join(
            filter(None, (some, calls_left, unknown, overrides_note(through, "use"), left_out_note(snapshot, symbol)))
        ),
    )


def _of_names_left(names: Collection[str]) -> str:
    """A note on the names whose calls were not followed; empty for none."""
    shown = [named(name) for name in sorted(filter(None, names))[:_MOST_NAMES]]
    if not names:
        return ""
    listed = (
        f"{', '.join(shown)} and {len(names) - len(shown)} more names" if len(names) > len(shown) else ", ".join(shown)
    )
    return f"Calls by these names are not followed before there is an index, so ask again later: {listed}"


def _excerpt(text: bytes, symbol: Symbol, limit: int) -> tuple[str, int]:
    """The element's first lines that fit into `limit` characters, and the number of lines that do not."""
    lines = text.split(b"\n")[symbol.line - 1 : symbol.end_line]
    fitting: list[str] = []
    spent = 0
    for line in lines:
        shown = escape_text(line.decode("utf-8", "replace").rstrip("\r"))
        spent += len(shown) + 1
        if spent > limit:
            break
        fitting.append(shown)
    return "\n".join(fitting), len(lines) - len(fitting)


def _crossing(view: View, members: Mapping[str, Symbol], kinds: frozenset[EdgeKind], *, forward: bool) -> list[Edge]:
    """The edges between the element and the rest, with a function's recursive calls.

    Imports come last. Only certain edges count, unless the language has no edges but guesses.
    """
    once = Once()
    edges = [
        edge
        for member in members
        for edge in (view.edges_from(member, kinds) if forward else view.edges_to(member, kinds))
        if (forward or once.is_first(edge))
        and (len(members) == 1 or (edge.target if forward else edge.source) not in members)
    ]
    if not any(lacks(symbol.file, Capability.EDGES) for symbol in members.values()):
        edges = list(without_guesses(edges))
    return sorted(edges, key=lambda edge: (edge.kind in IMPORTS, edge.file, edge.line, edge.target))


def _use(edge: Edge, *, by_source: bool) -> Use:
    return Use(
        element=path_line(edge.source if by_source else edge.target),
        type=edge.kind,
        file=path_line(edge.file),
        line=edge.line,
        confidence=edge.confidence,
    )
