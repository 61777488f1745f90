"""The effect of a change to an element. The three operations differ.

- modify: its behaviour changes, which affects all code that runs it, step by step, including calls through a base; a
  type affects the elements that name it;
- refactor: its name, place or signature changes, so elements that name it must be edited, and members that override
  it or that it overrides, and the elements that name those; nothing further away is affected;
- delete: elements that name it break, code that runs those breaks with them, and so do imports of files that no longer
  load.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import SPECS
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import IMPORTS, EdgeKind, Outside, Symbol, SymbolKind
from bearings.code.questions.impact import AskImpact, ImpactReply, Operation, Ripple, RiskLevel, RiskTerm
from bearings.code.replies.affected import Affected, Severity
from bearings.code.replies.element import not_indexed
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.pages import page_of
from bearings.code.replies.tidying import all_tidied, joined, line_of, outdated_line, site_of
from bearings.code.search.candidates import namesakes_note
from bearings.code.search.capabilities import lacks, unfollowed, unmeasured
from bearings.code.search.elsewhere import if_short
from bearings.code.search.handed import uses_in_pages, uses_in_template
from bearings.code.search.left_out import left_out_note
from bearings.code.search.measures import measures_of
from bearings.code.search.members import overridden, overriding, with_members
from bearings.code.search.reach import BEHAVIOUR, Reached, importing, users
from bearings.code.search.reaching_tests import TEST_DEPTH, by_file, replacing, tests_reaching, without_mocks
from bearings.code.search.targets import find_element
from bearings.code.search.view import WholeGraph, quote
from bearings.untrusted import named

if TYPE_CHECKING:
    from bearings.code.questions.changes.selection import Selection

_ALL = frozenset(EdgeKind)
_NAMED = frozenset({EdgeKind.TYPE})
_SHAPES = frozenset({SymbolKind.INTERFACE, SymbolKind.TYPE, SymbolKind.ENUM})
_ORDER: dict[Severity, int] = {"breaking": 0, "major": 1, "minor": 2}
_SAID = 4
_MAX_AFFECTED = 5_000
_SITES = 10


def compute(question: AskImpact, view: WholeGraph) -> ImpactReply:
    """A page of `most` of the elements that the change reaches, with their lines of source. Raises Changed."""
    snapshot = view.snapshot
    symbol = find_element(snapshot, question.element)
    if question.may_be_part:
        snapshot.graph.take_part()
    whole = impact(snapshot, symbol, question.operation, question.max_depth)
    identity = (symbol.id, question.operation, question.max_depth, snapshot.revision)
    page = page_of(identity, len(whole.affected), question.cursor)
    shown = whole.affected[page.offset : page.offset + question.most]
    quote(view.lines, shown)
    quote(view.lines, whole.unresolved_sites)
    return replace(
        whole.ready(),
        affected=all_tidied(shown),
        note=joined(line_of(whole.note or ""), outdated_line(question.element, symbol.id)),
        namesakes=None if whole.complete is False else line_of(namesakes_note(snapshot, question.element, symbol)),
        _page=page,
    )


def impact(snapshot: Snapshot, symbol: Symbol, operation: Operation, max_depth: int) -> ImpactReply:
    """The answer with all pages, without lines. `max_depth` bounds the steps; the search for tests goes further."""
    graph, members = snapshot.graph, with_members(snapshot, symbol)
    reached = _REACH[operation](snapshot, members, max_depth)
    affected = [hit.affected(_severity(hit, operation)) for hit in reached if hit.symbol.id not in members]
    tests = tests_reaching(snapshot, members, TEST_DEPTH)
    unresolved = graph.unresolved(symbol) if not graph.left else []
    kinds = frozenset(EdgeKind) if not graph.left else frozenset[EdgeKind]()
    in_template = (*uses_in_template(snapshot, symbol, kinds), *uses_in_pages(snapshot, symbol, kinds))
    named_there = (Outside(use.source, symbol.name, use.kind, use.file, use.line, use.reason) for _, use in in_template)
    sites = sorted((*unresolved, *named_there), key=lambda site: (site.file, site.line))
    hidden = len(sites)
    direct = (hit.file for hit in affected if hit.depth == 1)
    others = None if graph.left else if_short(snapshot, symbol, direct, hidden)
    level, score, terms = risk_of(snapshot, members, operation, affected, tests, hidden)
    left = graph.left
    is_unknown = bool(left) or lacks(symbol.file, Capability.EDGES)
    unweighed = unmeasured(symbol.file, "what its complexity adds to the risk is")
    is_asked = not (left or tests or is_unknown or is_test(symbol.file) or symbol.kind in _SHAPES)
    likely = _likely(snapshot, symbol, members) if is_asked else None
    untested = _untested(affected, tests, likely) if not left else ""
    claims = "; ".join(filter(None, (unweighed, _claim(affected, hidden, symbol, others), untested)))
    note = unfollowed(symbol.file, "the reach is partly") or claims
    if left:
        note = f"{left} more files may belong to its reach; the cursor waits for all"
    files, ripples = {hit.file for hit in affected}, _ripples(affected)
    tested = by_file(tests) if likely is None else likely.files()

    def known(figure: int) -> int | None:
        return None if is_unknown else figure

    return ImpactReply(
        element=symbol.id,
        operation=operation,
        complete=False if left else None,
        risk_level="UNKNOWN" if is_unknown else level,
        risk_score=None if is_unknown else score,
        risk_terms=[] if is_unknown else list(terms),
        affected_total=known(min(len(affected), _MAX_AFFECTED)),
        by_depth={str(depth): count for depth, count in sorted(Counter(hit.depth for hit in affected).items())},
        affected=affected[:_MAX_AFFECTED],
        affected_files=sorted(files),
        affected_files_total=known(len(files)),
        affected_tests=list(tested),
        affected_tests_total=known(len(tested)),
        ripple_effects=list(ripples),
        ripple_effects_total=known(len(ripples)),
        unresolved_uses=hidden,
        unresolved_sites=list(map(site_of, sites[:_SITES])),
        note="; ".join(filter(None, (note, _mocked(snapshot, members), left_out_note(snapshot, symbol)))),
        elsewhere=others,
        index=not_indexed(),
    )


def _mocked(snapshot: Snapshot, members: Iterable[str]) -> str:
    """A note on tests that put another value in the place of an element; empty without any."""
    count = len(replacing(snapshot, members))
    return (
        f"not listed as running it: {count} {'test' if count == 1 else 'tests'} with a mock in its place"
        if count
        else ""
    )


def _likely(snapshot: Snapshot, symbol: Symbol, members: Collection[str]) -> "Selection":
    """The tests that may run an element that none is known to run, by the rules of coderef_changes."""
    from bearings.code.questions.changes.selection import likely_tests

    return likely_tests(snapshot, symbol, members)


def _untested(affected: Sequence[Affected], tests: Sequence[Reached], likely: "Selection | None") -> str:
    """A note on an element that no test is known to run by calls; empty for another."""
    if likely is not None and likely.tests:
        rest = len(likely.rest) + likely.further
        more = f", and {rest} more load it: run all to be sure" if rest else ""
        return f"no test is known to run it; the likeliest that load it are listed{more}"
    if tests or not affected or any(hit.test for hit in affected):
        return ""
    return f"no test calls it within {TEST_DEPTH} steps; one may send a request, or name in a string what runs it"


def _modified(snapshot: Snapshot, members: dict[str, Symbol], max_depth: int) -> list[Reached]:
    """The elements that run it; for a type without behaviour, first those that name it, because they have to fit."""
    # The fields of a struct, as in Go, are used without a call.
    shapes = [
        id_
        for id_, symbol in members.items()
        if symbol.kind in _SHAPES
        or (symbol.kind is SymbolKind.CLASS and SPECS[snapshot.facts[symbol.file].language].classes_are_shapes)
    ]
    named = users(snapshot, shapes, _NAMED, max_depth=1)
    hits = without_mocks(snapshot, members, users(snapshot, members, BEHAVIOUR, max_depth=max_depth))
    return _once([*named, *hits]) if named else hits


def _refactored(snapshot: Snapshot, members: dict[str, Symbol], max_depth: int) -> list[Reached]:
    """The elements that name it; then members that must keep the same signature, and the elements that name those."""
    relatives = {
        relative.id: relative
        for member in members.values()
        for relative in (*overridden(snapshot, member), *overriding(snapshot, member))
        if relative.id not in members
    }
    hits = users(snapshot, members, _ALL, max_depth=1)
    hits += [
        Reached(other, 1, other.file, other.line, "overrides it, or is overridden by it", EdgeKind.EXTENDS)
        for other in relatives.values()
    ]
    if max_depth > 1:
        beyond = users(snapshot, relatives, BEHAVIOUR, max_depth=1)
        hits += [hit._replace(depth=2) for hit in beyond]
    return _once(hits)


def _deleted(snapshot: Snapshot, members: dict[str, Symbol], max_depth: int) -> list[Reached]:
    """The elements that name it, those that run these, and imports of a file whose own import fails."""
    # Go: a type that implements the removed interface without naming it does not break.
    direct = [
        hit
        for hit in users(snapshot, members, _ALL, max_depth=1)
        if hit.kind is not EdgeKind.IMPLEMENTS or not SPECS[snapshot.facts[hit.file].language].implicit_interfaces
    ]
    # What calls a function that breaks, breaks with it.
    running = [hit.symbol.id for hit in direct if hit.kind not in IMPORTS]
    hits = direct + [
        hit._replace(depth=hit.depth + 1) for hit in users(snapshot, running, BEHAVIOUR, max_depth=max_depth - 1)
    ]
    # import { gone } from './cart' fails when it is loaded, and so do the files that import this one.
    files = {hit.symbol.file for hit in direct if hit.kind in IMPORTS}
    seen = set(files)
    for depth in range(2, max_depth + 1):
        level = [
            hit for file in sorted(files) for hit in _importers(snapshot, file, depth) if hit.symbol.file not in seen
        ]
        hits += level
        files = {hit.symbol.file for hit in level}
        seen |= files
    return _once(hits)


def _importers(snapshot: Snapshot, file: str, depth: int) -> list[Reached]:
    """The modules that import a file."""
    why = f"imports {file}, which fails to load"
    return [
        Reached(snapshot.facts[edge.file].symbols[0], depth, edge.file, edge.line, why, edge.kind)
        for edge in importing(snapshot, file)
    ]


_REACH = {"modify": _modified, "refactor": _refactored, "delete": _deleted}


def _once(hits: Iterable[Reached]) -> list[Reached]:
    """Each symbol at its first occurrence; nearest first."""
    nearest: dict[str, Reached] = {}
    for hit in sorted(hits, key=lambda hit: (hit.depth, hit.symbol.file, hit.symbol.line)):
        nearest.setdefault(hit.symbol.id, hit)
    return list(nearest.values())


def _severity(hit: Reached, operation: Operation) -> Severity:
    """breaking: it must be edited to compile, load or run. major: its behaviour changes. minor: it may change."""
    if operation == "modify":
        return "major" if hit.depth == 1 and not is_test(hit.symbol.file) else "minor"
    if operation == "refactor":
        return "breaking"
    return "breaking" if hit.depth == 1 else "major"


def _ripples(affected: Iterable[Affected]) -> tuple[Ripple, ...]:
    """One entry for each file, the worst first."""
    files: dict[str, list[Affected]] = {}
    for hit in affected:
        files.setdefault(hit.file, []).append(hit)
    rows = [
        Ripple(file=file, impact=_summary(hits), severity=min((hit.severity for hit in hits), key=_ORDER.__getitem__))
        for file, hits in files.items()
    ]
    return tuple(sorted(rows, key=lambda row: (_ORDER[row.severity], row.file)))


def _summary(hits: list[Affected]) -> str:
    named = [
        f"{hit.element.rpartition('#')[2].rpartition(':')[0] or 'module'} {hit.why} (line {hit.line})" for hit in hits
    ]
    more = f"; {len(named) - _SAID} more" if len(named) > _SAID else ""
    return "; ".join(named[:_SAID]) + more


def _claim(affected: list[Affected], hidden: int, symbol: Symbol, others: Elsewhere | None) -> str:
    """The interpretation of a short list."""
    if hidden:
        return f"{hidden} uses of something called {named(symbol.name)} could not be resolved; they may be uses of this"
    if affected:
        return ""
    verdict = "nothing in the project uses it as far as can be resolved"
    if others is not None and others.places:
        return f"{verdict}, but its word stands on other lines: {others.places} (elsewhere)"
    if symbol.exported:
        return f"{verdict}. It is exported: code outside the project may use it."
    return f"{verdict}. It seems to be unused." if others is not None and others.unused else verdict


LEVELS: tuple[tuple[float, RiskLevel], ...] = ((10, "LOW"), (25, "MEDIUM"), (50, "HIGH"))
"""Upper bounds of the levels; a score above all of them is CRITICAL."""

_OPERATION: Mapping[Operation, int] = {"modify": 1, "refactor": 2, "delete": 4}


def risk_of(
    snapshot: Snapshot,
    members: Mapping[str, Symbol],
    operation: Operation,
    affected: Sequence[Affected],
    tests: Sequence[Reached],
    hidden: int,
) -> tuple[RiskLevel, float, tuple[RiskTerm, ...]]:
    """The level, the score, and the terms of the sum."""
    direct = [hit for hit in affected if hit.depth == 1 and not hit.test]
    further = [hit for hit in affected if hit.depth > 1 and not hit.test]
    files = {hit.file for hit in affected if not hit.test}
    cognitive = sum(row.cognitive for row in measures_of(snapshot, members))
    exported = any(symbol.exported for symbol in members.values())
    terms = (
        _term(f"operation {operation}", _OPERATION[operation], 1, 4),
        _term("direct users", len(direct), 1, 20),
        _term("users further away", len(further), 0.2, 10),
        _term("files", len(files), 0.5, 10),
        _term("breaking", sum(hit.severity == "breaking" for hit in affected), 0.5, 10),
        _term("exported", int(exported), 3, 3),
        _term("cognitive complexity", cognitive, 0.2, 6),
        _term("no test reaches it", int(not tests), 8, 8),
        _term("unresolved uses of its name", hidden, 0.5, 5),
    )
    score = round(sum(term.points for term in terms), 1)
    level: RiskLevel = next((name for limit, name in LEVELS if score < limit), "CRITICAL")
    return level, score, tuple(term for term in terms if term.points)


def _term(name: str, value: float, weight: float, most: float) -> RiskTerm:
    return RiskTerm(name=name, value=value, weight=weight, points=round(min(most, value * weight), 1))
