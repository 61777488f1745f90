"""The users of an environment variable."""

from collections.abc import Sequence

from msgspec.structs import replace
from rapidfuzz import fuzz, process

from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Edge
from bearings.code.questions.query import Hop, Query, QueryPage
from bearings.code.questions.query.traversal import spread, with_lines
from bearings.code.questions.query.use_filter import UseFilter, use_filter_of
from bearings.code.search.elsewhere import elsewhere_of_variable
from bearings.code.search.environment import uses_of_variable, variable_id, variable_in
from bearings.code.search.left_out import left_out_note
from bearings.code.search.view import WholeGraph
from bearings.errors import ElementNotFound, InvalidInput, shown
from bearings.paging import decode
from bearings.untrusted import named

_ALIKE = 60
_SUGGESTED = 5


def users_of_variable(view: WholeGraph, question: Query) -> QueryPage:
    """The page of the variable's readers and writers, and of what uses these. Raises ElementNotFound, InvalidInput."""
    snapshot = view.snapshot
    name = variable_in(snapshot, question.element)
    if not name:
        raise _not_found(snapshot, question.element)
    if not question.query_type.endswith("-me"):
        problem = "is not for an environment variable, which uses nothing"
        error = InvalidInput("query_type", question.query_type, problem, "Pass depends-on-me.")
        raise error.instead_of("query_type", "depends-on-me")
    direct = [edge for edge in uses_of_variable(snapshot, name) if not question.kinds or edge.kind in question.kinds]
    page = users_page(view, question, variable_id(name), direct)
    note = "" if page.total else f"No use of {name} passes the filter: leave kinds and path out for all."
    note = ". ".join(filter(None, (note, left_out_note(snapshot, None, name))))
    return replace(page, note=note, elsewhere=elsewhere_of_variable(snapshot, name))


def users_page(view: WholeGraph, question: Query, target: str, direct: Sequence[Edge]) -> QueryPage:
    """The page of the direct uses of a name without an element, and of the uses of those users."""
    use_filter = use_filter_of(question)
    of = use_filter.identity(question, target, "", view.snapshot.revision)
    offset = decode(question.cursor, of)
    hops, guesses = _found(view.snapshot, question, direct, use_filter)
    return QueryPage(
        total=len(hops),
        found=len(hops),
        offset=offset,
        of=of,
        target=target,
        source="",
        hops=with_lines(view.lines, hops[offset : offset + question.most]),
        outside={},
        kinds=tuple(sorted(use_filter.kinds)) if question.kinds else (),
        heuristic=guesses,
        note="",
    )


def _found(
    snapshot: Snapshot, question: Query, direct: Sequence[Edge], use_filter: UseFilter
) -> tuple[Sequence[Hop], int]:
    """The uses, then those of the elements with them; and the number of guesses, which are left out."""
    kinds = use_filter.kinds
    users = dict.fromkeys(edge.source for edge in direct)
    further = spread(snapshot, users, kinds, forward=False, max_depth=question.max_depth - 1)
    hops = [*(Hop(1, edge) for edge in direct), *(Hop(hop.depth + 1, hop.edge) for hop in further.hops)]
    guesses = sum(use_filter.is_listed(edge.file) for edge in further.guesses)
    return [hop for hop in hops if use_filter.is_listed(hop.edge.file)], guesses


def _not_found(snapshot: Snapshot, element: str) -> ElementNotFound:
    known = [name for name, files in snapshot.graph.variables.items() if files]
    name = element.strip().removeprefix("env:")
    alike = process.extract(name, known, scorer=fuzz.ratio, limit=_SUGGESTED, score_cutoff=_ALIKE)
    near = [variable_id(row[0]) for row in alike]
    hint = f"Did you mean {', '.join(map(named, near))}?" if near else "coderef_explore looks for it as text."
    error = ElementNotFound(f"no source of the project reads or writes {shown(element)} by a literal name", hint)
    return error.instead_of("element", *near[:1])
