"""The complexity of an element, and its rank in the project. The figures come from languages.metrics."""

from collections.abc import Sequence

from msgspec.structs import replace

from bearings.code.file_facts import Measure
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.languages.spec import Capability
from bearings.code.models import CALLS, Symbol, SymbolKind
from bearings.code.questions.complexity import AskComplexity, ComplexityReply, Figures, Rank
from bearings.code.search.candidates import namesakes_note
from bearings.code.search.capabilities import lacks, unfollowed, unmeasured
from bearings.code.search.measures import all_measures, most_complex
from bearings.code.search.members import with_members
from bearings.code.search.reach import ACCESSES, without_guesses
from bearings.code.search.reaching_tests import TEST_DEPTH, by_file, tests_reaching
from bearings.code.search.targets import find_element
from bearings.code.search.view import WholeGraph

_OF_FOLDER = 20
"""The functions of a folder that are listed, also where all rows of other lists are."""

_CYCLE = 12
"""The longest cycle of calls that is recognised as recursion."""


def compute(question: AskComplexity, view: WholeGraph) -> ComplexityReply:
    """The first `shown` of each list; of a folder, its most complex functions."""
    folder = question.element.strip().removeprefix("./").rstrip("/")
    inside = [row for row in most_complex(view.snapshot) if row[0].file.startswith(f"{folder}/")]
    if inside and ("/" in question.element or not view.snapshot.graph.find(folder)):
        return _of_folder(folder, inside)
    symbol = find_element(view.snapshot, question.element)
    figures = complexity(view.snapshot, symbol, question.shown)
    return replace(figures, namesakes=namesakes_note(view.snapshot, question.element, symbol) or None)


def complexity(snapshot: Snapshot, symbol: Symbol, shown: int = 20) -> ComplexityReply:
    """The answer, with the first `shown` of each list."""
    members = with_members(snapshot, symbol)
    known = all_measures(snapshot)
    own = known.get(symbol.id)
    inside = [known[member] for member in members if member in known]
    inside.sort(key=lambda row: (-row[1].cognitive, -row[1].cyclomatic, row[0].line))
    is_function = own is not None and symbol.kind is not SymbolKind.MODULE
    # Without functions inside another of them: the outer function includes their complexity.
    functions = {symbol.id for symbol, _ in inside if symbol.kind is not SymbolKind.MODULE}
    outermost = [measure for symbol, measure in inside if symbol.parent not in functions]
    rows = [own[1]] if is_function and own is not None else outermost
    is_measured = not lacks(symbol.file, Capability.MEASURES)
    is_followed = not lacks(symbol.file, Capability.EDGES)
    recursive = is_followed and is_function and _recurs(snapshot, symbol.id)
    # The elements outside that it uses, without the fields that it reads and writes.
    uses = (edge for member in members for edge in without_guesses(snapshot.graph.edges_from(member)))
    targets = sorted({edge.target for edge in uses if edge.kind not in ACCESSES} - members.keys())
    external = {
        site.name
        for member in members
        for site in snapshot.graph.outside_by_source.get(member, ())
        if site.why == "external"
    }
    tests = tests_reaching(snapshot, members, TEST_DEPTH)
    return ComplexityReply(
        element=symbol.id,
        type=symbol.kind,
        lines_of_code=rows[0].code_lines if is_function else symbol.end_line - symbol.line + 1,
        cyclomatic_complexity=sum(row.cyclomatic for row in rows) if is_measured else None,
        cognitive_complexity=sum(row.cognitive for row in rows) + recursive if is_measured else None,
        nesting_depth=max((row.nesting for row in rows), default=0) if is_measured else None,
        parameters=max((row.parameters for row in rows), default=0) if is_measured else None,
        nameless=sum(row.nameless for row in rows),
        recursive=recursive if is_followed and is_measured else None,
        dependencies=tuple(targets[:shown]),
        dependencies_total=len(targets) if is_followed else None,
        external=tuple(sorted(external)[:shown]),
        tests=by_file(tests)[:shown],
        tests_total=len(tests) if is_followed else None,
        rank=_rank(snapshot, *own) if is_function and own is not None else None,
        members=() if is_function else tuple(_figures(*row) for row in inside[:shown]),
        members_total=None if not is_measured else 0 if is_function else len(inside),
        note=_note(symbol, rows, is_function=is_function) or None,
    )


def _of_folder(folder: str, rows: Sequence[tuple[Symbol, Measure]]) -> ComplexityReply:
    return ComplexityReply(
        element=f"{folder}/",
        type=SymbolKind.MODULE,
        lines_of_code=sum(measure.code_lines for _, measure in rows),
        cyclomatic_complexity=sum(measure.cyclomatic for _, measure in rows),
        cognitive_complexity=sum(measure.cognitive for _, measure in rows),
        nesting_depth=max(measure.nesting for _, measure in rows),
        parameters=max(measure.parameters for _, measure in rows),
        dependencies=(),
        members=tuple(_figures(*row) for row in rows[:_OF_FOLDER]),
        members_total=len(rows),
        note="a folder: sums over its functions outside tests, the most complex first",
    )


def _figures(symbol: Symbol, measure: Measure) -> Figures:
    return Figures(
        element=symbol.id,
        lines_of_code=measure.code_lines,
        cyclomatic_complexity=measure.cyclomatic,
        cognitive_complexity=measure.cognitive,
        nesting_depth=measure.nesting,
        parameters=measure.parameters,
    )


def _recurs(snapshot: Snapshot, start: str) -> bool:
    """Whether it calls itself, directly or through others."""
    graph = snapshot.graph
    called = level = {start}
    for _ in range(_CYCLE):
        level = {edge.target for here in level for edge in graph.edges_from(here, CALLS)} - called
        called = called | level
    return any(edge.target == start for here in called for edge in without_guesses(graph.edges_from(here, CALLS)))


def _rank(snapshot: Snapshot, symbol: Symbol, own: Measure) -> Rank | None:
    """Its rank; None for tests."""
    if is_test(symbol.file):
        return None
    mine = (own.cognitive, own.cyclomatic)
    figures = [(measure.cognitive, measure.cyclomatic) for _, measure in most_complex(snapshot)]
    return Rank(place=1 + sum(figure > mine for figure in figures), of=len(figures))


def _note(symbol: Symbol, rows: list[Measure], *, is_function: bool) -> str:
    unknown = (
        unmeasured(symbol.file, "complexity, nesting and parameters are"),
        unfollowed(symbol.file, "what it uses and which tests reach it are"),
    )
    if is_function or any(unknown):
        return "; ".join(filter(None, unknown))
    if not rows:
        return f"a {symbol.kind} without functions decides nothing; its lines are all of its lines"
    return "sums over its functions, the most of any for nesting and parameters; all of its lines, blank ones too"
