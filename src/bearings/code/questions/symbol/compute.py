"""Answers Describe: everything about one element in one call."""

from collections import Counter
from collections.abc import Mapping

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.spec import Capability
from bearings.code.models import EdgeKind, Symbol, SymbolKind
from bearings.code.questions.symbol import Describe, Detail, Reaching, Uses
from bearings.code.search.capabilities import lacks, unfollowed
from bearings.code.search.elsewhere import elsewhere, is_doubtful
from bearings.code.search.left_out import left_out_note
from bearings.code.search.members import with_members
from bearings.code.search.mounted import mounted_paths
from bearings.code.search.reach import CALLS, IMPORTS, certain
from bearings.code.search.reaching_tests import is_case, tests_reaching
from bearings.code.search.through_bases import overrides_told, sites_through, uses_through_bases
from bearings.untrusted import escape_text

_REFERENCES = frozenset(EdgeKind) - CALLS


def describe(snapshot: Snapshot, symbol: Symbol, text: bytes, question: Describe) -> Detail:
    """The answer; `text` is the whole file that contains the element."""
    members = with_members(snapshot, symbol)
    language = snapshot.facts[symbol.file].language
    source, cut = _excerpt(as_utf8(language, text), symbol, question.max_source)
    tests = _tests(snapshot, members)
    unresolved = [site for site in snapshot.graph.unresolved_by_name.get(symbol.name, ()) if site.kind in CALLS]
    callers = _crossing_uses(snapshot, members, CALLS, forward=False, limit=question.limit)
    references = _crossing_uses(snapshot, members, _REFERENCES, forward=False, limit=question.limit)
    through = uses_through_bases(snapshot, members, frozenset(EdgeKind))
    unknown = unfollowed(symbol.file, "callers, callees, references and tests are")
    users = [edge.file for uses in (callers, references) for edge in certain(uses.edges)]
    return Detail(
        symbol=symbol,
        mounted=mounted_paths(snapshot.graph, symbol) if symbol.kind is SymbolKind.ENDPOINT else (),
        language=language,
        source=source,
        cut=cut,
        callers=callers,
        callees=_crossing_uses(snapshot, members, CALLS, forward=True, limit=question.limit),
        references=references,
        tests=tuple(tests[: question.limit]),
        tests_total=None if lacks(symbol.file, Capability.EDGES) else len(tests),
        outside=dict(
            Counter(
                site.why
                for member in members
                for site in snapshot.graph.outside_by_source.get(member, ())
                if site.kind in CALLS
            )
        ),
        unresolved_callers=len(unresolved),
        sites=tuple(sorted(unresolved, key=lambda site: (site.file, site.line))[: question.limit]),
        through_bases=tuple(sites_through(through[: question.limit])),
        elsewhere=elsewhere(snapshot, symbol) if is_doubtful(symbol, users, len(unresolved) + len(through)) else None,
        note=". ".join(filter(None, (unknown, overrides_told(through, "use"), left_out_note(snapshot, symbol)))),
    )


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


def _crossing_uses(
    snapshot: Snapshot, members: Mapping[str, Symbol], kinds: frozenset[EdgeKind], *, forward: bool, limit: int
) -> Uses:
    """The edges between the element and the rest, with a function's recursive calls.

    Imports come last. Only certain edges count, unless the language has no edges but guesses.
    """
    graph = snapshot.graph
    is_followed = not any(lacks(symbol.file, Capability.EDGES) for symbol in members.values())
    edges = [
        edge
        for member in members
        for edge in (graph.edges_from(member, kinds) if forward else graph.edges_to(member, kinds))
        if (len(members) == 1 or (edge.target if forward else edge.source) not in members)
    ]
    edges = list(certain(edges)) if is_followed else edges
    edges.sort(key=lambda edge: (edge.kind in IMPORTS, edge.file, edge.line, edge.target))
    return Uses(len(edges) if is_followed else None, tuple(edges[:limit]))


def _tests(snapshot: Snapshot, members: Mapping[str, Symbol]) -> list[Reaching]:
    """The test cases that reach the element, nearest first; if there are none, test helpers that reach it."""
    reached = [hit for hit in tests_reaching(snapshot, members) if hit.symbol.id not in members]
    cases = [hit for hit in reached if is_case(hit.symbol)]
    return [Reaching(hit.symbol, hit.depth) for hit in cases or reached]
