"""The uses of an element, its users, and paths of uses between two elements."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from bearings.code.analyses.capabilities import unfollowed
from bearings.code.analyses.elsewhere import elsewhere, is_doubtful
from bearings.code.analyses.environment import is_variable, variable_id, variable_in
from bearings.code.analyses.members import with_members
from bearings.code.analyses.namesakes import namesakes_told
from bearings.code.analyses.targets import find_element
from bearings.code.analyses.through_bases import Through, overrides_told, sites_through, uses_through_bases
from bearings.code.asking.question import Reading
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Edge, Outside, Symbol
from bearings.code.project.source_lines import Lines
from bearings.code.questions.query import Hop, Query, QueryPage, QueryType, Unfollowed
from bearings.code.questions.query.environment import users_of_variable
from bearings.code.questions.query.traversal import Traversal, importing, path_between, spread
from bearings.code.questions.query.use_filter import UseFilter, use_filter_of
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.resolve.file_summary import MAYBE_OWN
from bearings.errors import ElementNotFound, InvalidInput
from bearings.paging import decode, fingerprint
from bearings.untrusted import named

_MAX_ASIDE = 10
"""The number of sites outside the project that are shown."""

_MAX_PATH = 10

_USE_NAME: Mapping[QueryType, str] = {
    "calls": "call", "calls-me": "call", "imports": "import", "imports-me": "import",
    "depends-on": "use", "depends-on-me": "use", "path": "use",
}  # fmt: skip

_UNKNOWN: Mapping[QueryType, tuple[str, str]] = {
    "calls": ("what it calls is", "calls"), "calls-me": ("what calls it is", "calls"),
    "imports": ("what it imports is", "imports"), "imports-me": ("what imports it is", "imports"),
    "depends-on": ("what it uses is", "uses"), "depends-on-me": ("what uses it is", "uses"),
    "path": ("whether uses lead there is", "uses"),
}  # fmt: skip
"""The subject of the note on a language whose uses are not followed, and the word for the uses."""


def query(reading: Reading, question: Query) -> QueryPage:
    """The page of a query. Raises ElementNotFound, Ambiguous, InvalidInput; Changed if a line's file has changed."""
    snapshot, lines = reading.snapshot, reading.lines
    if is_variable(question.element):
        return users_of_variable(reading, question)
    try:
        target = find_element(snapshot, question.element, "element")
    except ElementNotFound:
        if variable_in(snapshot, question.element):
            return users_of_variable(reading, question)
        raise
    source = _source(snapshot, question)
    use_filter = use_filter_of(question)
    of = fingerprint(
        (
            question.query_type, target.id, source.id if source else "", question.max_depth, sorted(use_filter.kinds),
            question.path or "", snapshot.revision,
        )
    )  # fmt: skip
    offset = decode(question.cursor, of)
    found = _found(snapshot, question, target, source, use_filter)
    hops = [hop for hop in found.hops if use_filter.is_listed(hop.edge.file)]
    outside = _outside(snapshot, question.query_type, target, found.visited, use_filter)
    guesses = [edge for edge in found.guesses if use_filter.is_listed(edge.file)]
    through = _through_bases(snapshot, question, target, use_filter)
    may_be_short = _suggests_no_more_users(question, target, found, outside, len(through))
    elsewhere_found = elsewhere(snapshot, target) if may_be_short else None
    unknown = unfollowed((source or target).file, *_UNKNOWN[question.query_type])
    note = (
        unknown
        if hops
        else _note(snapshot, question, target, source, found, outside, elsewhere_found, use_filter, unknown)
    )
    told = overrides_told(through, _USE_NAME[question.query_type])
    open_sites = [*sites_through(through), *_open(outside), *map(_guessed, guesses)]
    end = offset + question.most
    return QueryPage(
        total=len(hops) + len(open_sites),
        found=len(hops) if hops or not unknown else None,
        offset=offset,
        of=of,
        target=target.id,
        source=source.id if source else "",
        namesakes=" ".join(filter(None, _namesakes(snapshot, question, target, source))),
        hops=tuple(Hop(hop.depth, hop.edge, lines.at(hop.edge.file, hop.edge.line)) for hop in hops[offset:end]),
        outside=dict(Counter(site.why for site in outside)),
        sites=_with_lines(lines, open_sites[max(0, offset - len(hops)) : max(0, end - len(hops))]),
        aside=_with_lines(lines, () if offset else _outside_project(outside)),
        kinds=tuple(sorted(use_filter.kinds)) if question.kinds else (),
        heuristic=len(guesses) + len(through),
        note=". ".join(filter(None, (told, note))),
        elsewhere=elsewhere_found,
    )


def _namesakes(snapshot: Snapshot, question: Query, target: Symbol, source: Symbol | None) -> Iterator[str]:
    """What to know of the other elements of the given names."""
    yield namesakes_told(snapshot, question.element, target)
    variable = variable_in(snapshot, question.element)
    if variable:
        yield f"An environment variable has that name, too: {named(variable_id(variable))}."
    if source is not None:
        yield namesakes_told(snapshot, question.source, source)


def _through_bases(snapshot: Snapshot, question: Query, target: Symbol, use_filter: UseFilter) -> list[Through]:
    """The uses of what the target overrides, if its users are asked for."""
    if question.query_type not in ("calls-me", "depends-on-me"):
        return []
    found = uses_through_bases(snapshot, with_members(snapshot, target), use_filter.kinds)
    return [one for one in found if use_filter.is_listed(one.edge.file)]


def _open(outside: Iterable[Outside]) -> list[Outside]:
    """Sites that may mean an element of the project."""
    return sorted((site for site in outside if site.why in MAYBE_OWN), key=_where)


def _outside_project(outside: Iterable[Outside]) -> list[Outside]:
    """The first sites that lead outside the project."""
    return sorted((site for site in outside if site.why not in MAYBE_OWN), key=_where)[:_MAX_ASIDE]


def _guessed(edge: Edge) -> Outside:
    """A guessed edge as a site that was not followed."""
    name = edge.target.rpartition("#")[2].rpartition(":")[0]
    return Outside(edge.source, name, edge.kind, edge.file, edge.line, "guessed")


def _with_lines(lines: Lines, sites: Sequence[Outside]) -> tuple[Unfollowed, ...]:
    return tuple(Unfollowed(site, lines.at(site.file, site.line)) for site in sites)


def _suggests_no_more_users(
    question: Query, target: Symbol, found: Traversal, outside: Sequence[Outside], through: int
) -> bool:
    """Whether a reader may conclude from the answer that nothing else uses the target."""
    if question.query_type == "path":
        return not found.hops
    unresolved = len(found.guesses) + sum(site.why in MAYBE_OWN for site in outside) + through
    direct = (hop.edge.file for hop in found.hops if hop.depth == 1)
    return question.query_type.endswith("-me") and is_doubtful(target, direct, unresolved)


def _source(snapshot: Snapshot, question: Query) -> Symbol | None:
    if question.query_type == "path":
        if not question.source:
            raise InvalidInput("source", question.source, "is required for path", "Name the element to start from.")
        return find_element(snapshot, question.source, "source")
    if question.source:
        raise InvalidInput("source", question.source, "is for path only", 'Leave it out, or pass query_type "path".')
    return None


def _found(
    snapshot: Snapshot, question: Query, target: Symbol, source: Symbol | None, use_filter: UseFilter
) -> Traversal:
    if source is not None:
        return path_between(snapshot, source, target, question.max_depth, use_filter)
    if question.query_type.startswith("imports"):
        return importing(snapshot, target, use_filter.kinds, question.query_type == "imports", question.max_depth)
    return spread(
        snapshot,
        with_members(snapshot, target),
        use_filter.kinds,
        forward=not question.query_type.endswith("-me"),
        max_depth=question.max_depth,
        inner=question.query_type.startswith("calls"),
    )


def _outside(
    snapshot: Snapshot,
    query_type: QueryType,
    target: Symbol,
    visited: Collection[str],
    use_filter: UseFilter,
) -> list[Outside]:
    """The sites that the answer does not cover: those in visited elements, or of the target's name."""
    if query_type.endswith("-me"):
        names = {symbol.name for symbol in with_members(snapshot, target).values()}
        found = [site for name in sorted(names) for site in snapshot.graph.unresolved_by_name.get(name, ())]
    elif query_type == "imports":
        files = sorted(file for file in visited if file in snapshot.facts)
        ids = [symbol.id for file in files for symbol in snapshot.facts[file].symbols]
        found = [site for here in ids for site in snapshot.graph.outside_by_source.get(here, ())]
    else:
        found = [site for here in sorted(visited) for site in snapshot.graph.outside_by_source.get(here, ())]
    return [site for site in found if site.kind in use_filter.kinds and use_filter.is_listed(site.file)]


def _note(
    snapshot: Snapshot,
    question: Query,
    target: Symbol,
    source: Symbol | None,
    found: Traversal,
    outside: Sequence[Outside],
    elsewhere_found: Elsewhere | None,
    use_filter: UseFilter,
    unknown: str,
) -> str:
    """A note that explains an empty answer."""
    if found.hops:
        return f"None of {len(found.hops)} sites is in a file that matches {question.path!r}: leave path out for all."
    guesses = f"; {len(found.guesses)} guessed by name alone are left out" if found.guesses else ""
    lines = (
        f"; its word on other lines: {elsewhere_found.places} (elsewhere)"
        if elsewhere_found and elsewhere_found.places
        else ""
    )
    if unknown:
        return f"{unknown}{guesses}{lines}."
    if source is not None:
        return _no_path(snapshot, question, source, target, use_filter)
    word = ", ".join(sorted(set(question.kinds or ()))) or _USE_NAME[question.query_type]
    unresolved = sum(site.why in MAYBE_OWN for site in outside)
    if question.query_type.endswith("-me"):
        note = f"No {word} of {target.name} was found in {len(snapshot.facts)} files"
        tail = f"; {unresolved} unresolved {word} sites are named {target.name}" if unresolved else ""
    else:
        note = f"{target.name} has no {word} of anything in the project"
        tail = f"; {unresolved} of its {word} sites are unresolved" if unresolved else ""
    return f"{note}{tail}{guesses}{lines}."


def _no_path(snapshot: Snapshot, question: Query, source: Symbol, target: Symbol, use_filter: UseFilter) -> str:
    if with_members(snapshot, source).keys() & with_members(snapshot, target).keys():
        return f"{source.name} and {target.name} are one, or one contains the other."
    note = f"No chain of uses leads from {source.name} to {target.name} within {question.max_depth} steps"
    if question.max_depth < _MAX_PATH and (
        longer := path_between(snapshot, source, target, _MAX_PATH, use_filter).hops
    ):
        return f"{note}; one of {len(longer)} steps does: pass max_depth={len(longer)}."
    back = path_between(snapshot, target, source, question.max_depth, use_filter).hops
    return f"{note}{'; the other way round there is one' if back else ''}."


def _where(site: Outside) -> tuple[str, int]:
    return site.file, site.line
