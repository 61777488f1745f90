"""The uses of an element, its users, and paths of uses between two elements."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from msgspec.structs import replace

from bearings.budget import ALL_ROWS
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import Edge, Outside, Symbol
from bearings.code.project.source_lines import Lines
from bearings.code.questions.query import MAX_NOTE, Query, QueryReply, QueryType
from bearings.code.questions.query.traversal import Hop, Traversal, importing, path_between, relations, spread
from bearings.code.questions.query.use_filter import UseFilter, use_filter_of
from bearings.code.questions.query.without_element import users_of_variable, users_page, uses_of_library
from bearings.code.replies.element import path_line
from bearings.code.replies.elsewhere import Elsewhere
from bearings.code.replies.lines import Page
from bearings.code.replies.tidying import joined, line_of, outdated_line, site_of, tidied, unresolved_of
from bearings.code.resolve.file_summary import MAYBE_OWN
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.candidates import is_stand_in, namesakes_note
from bearings.code.search.capabilities import unfollowed
from bearings.code.search.elsewhere import elsewhere, if_short
from bearings.code.search.environment import is_variable, variable_id, variable_in
from bearings.code.search.left_out import left_out_note
from bearings.code.search.members import with_members
from bearings.code.search.targets import find_element, find_elements
from bearings.code.search.through import FITS, HANDED, TYPED, Through, overrides_note, sites_through, uses_through_bases
from bearings.code.search.view import WholeGraph
from bearings.errors import Ambiguous, ElementNotFound, InvalidInput
from bearings.paging import decode
from bearings.untrusted import clean_line, named

_MAX_ASIDE = 10
"""The number of sites outside the project that are shown among what an element uses."""

_FEW_SITES, _FEW_WITHOUT_USERS = 5, 10
"""How many sites that may use an element stand beside its users, and where none is known; the others are counted.

Of a common word, as create, most are of other types: the cursor leads to them.
"""

_MAX_PATH = 10
_file_and_line = attrgetter("file", "line")

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


def compute(question: Query, view: WholeGraph) -> QueryReply:
    """A page of `most` edges and sites. Uses in files that don't match `path` are followed, but not listed.

    Raises ElementNotFound, Ambiguous, InvalidInput; Changed if a line's file has changed.
    """
    snapshot = view.snapshot
    if is_variable(question.element):
        return users_of_variable(view, question)
    try:
        target = find_element(snapshot, question.element)
    except ElementNotFound:
        if variable_in(snapshot, question.element):
            return users_of_variable(view, question)
        if (page := _of_library(view, question)) is not None:
            return page
        raise
    except Ambiguous as many:
        page = _of_library(view, question, many.candidates)
        if page is None:
            raise
        return page
    if (page := _of_library(view, question, [target.id])) is not None:
        return page
    query = _ResolvedQuery(view, question, target, _source(snapshot, question), use_filter_of(question))
    identity = query.use_filter.identity(
        question, target.id, query.source.id if query.source else "", snapshot.revision
    )
    return _page(query, _followed_uses(query), identity)


def _of_library(view: WholeGraph, question: Query, candidates: Sequence[str] = ()) -> QueryReply | None:
    """The users of a library's name; None if nothing uses it, or elements outside tests have the name."""
    # `useRouter` of next/router: a mock of this name in a test is not meant.
    is_open = all(is_stand_in(candidate.partition("#")[0]) for candidate in candidates)
    is_name = not candidates or re.fullmatch(r"[\w$.]+", question.element.strip())
    if not (is_open and is_name and question.query_type.endswith("-me")):
        return None
    try:
        uses = uses_of_library(view.snapshot, question.element, use_filter_of(question).kinds)
    except NeedsIndex:
        if not (candidates and question.may_be_part):
            raise
        return None
    if not uses or (candidates and all(is_stand_in(edge.file) for edge in uses)):
        return None
    page = users_page(view, question, question.element.strip(), uses)
    taken = (
        f"{named(candidates[0])} of a test has that name, too: these uses lead outside the project."
        if candidates
        else ""
    )
    note = left_out_note(view.snapshot, None, question.element.rpartition(".")[2])
    return replace(page, namesakes=line_of(taken), note=clean_line(note, MAX_NOTE) or None)


@dataclass(frozen=True, slots=True)
class _ResolvedQuery:
    """A question with the elements that it names, and its filter."""

    view: WholeGraph
    question: Query
    target: Symbol
    source: Symbol | None
    use_filter: UseFilter

    @property
    def snapshot(self) -> Snapshot:
        return self.view.snapshot


@dataclass(frozen=True, slots=True)
class _FollowedUses:
    """The uses that were followed, within the filter, and what was not followed: sites, guesses, uses through a base.

    `all_hops` is the number of uses without the filter for files. `elsewhere` is a search for further users. `left` is
    the number of files whose uses were left out: then these are uses alone.
    """

    hops: list[Hop]
    all_hops: int
    outside: list[Outside]
    guesses: list[Edge]
    through: list[Through]
    elsewhere: Elsewhere | None
    left: int = 0


def _followed_uses(query: _ResolvedQuery) -> _FollowedUses:
    question, graph = query.question, query.snapshot.graph
    if question.may_be_part:
        graph.take_part()
    traversal, is_listed = _traversed(query), query.use_filter.is_listed
    hops = [hop for hop in traversal.hops if is_listed(hop.edge.file)]
    outside = _outside(query, traversal.visited) if not graph.left else []
    if left := graph.left:
        return _FollowedUses(hops, len(hops), [], [], [], None, left)
    through = _through_bases(query)
    explained = {(use.edge.file, use.edge.line): use.how for use in through}
    outside = [
        site
        for site in outside
        if (how := explained.get((site.file, site.line))) is None
        or (how not in (HANDED, TYPED, FITS) and site.name.partition(".")[0] not in ("self", "this"))
    ]
    return _FollowedUses(
        hops,
        len(traversal.hops),
        outside,
        [edge for edge in traversal.guesses if is_listed(edge.file)],
        through,
        _further_users(query, traversal, outside, len(through)),
    )


def _page(query: _ResolvedQuery, followed: _FollowedUses, identity: str) -> QueryReply:
    lines = query.view.lines
    question, target, source, hops = query.question, query.target, query.source, followed.hops
    offset = decode(question.cursor, identity)
    end = offset + question.most
    unknown = unfollowed((source or target).file, *_UNKNOWN[question.query_type])
    note = unknown if hops or followed.left else _note(query, followed, unknown)
    overridden = overrides_note(followed.through, _USE_NAME[question.query_type])
    # Sites that may mean an element of the project, in files that use it first; guesses as sites that are not followed.
    asks_for_users = question.query_type.endswith("-me")
    outside = sorted(followed.outside, key=_file_and_line)
    likely = {target.file, *(hop.edge.file for hop in hops)} if asks_for_users else frozenset[str]()
    unknown_sites = sorted(
        (site for site in outside if site.why in MAYBE_OWN), key=lambda site: site.file not in likely
    )
    open_sites = [*sites_through(followed.through), *unknown_sites]
    for edge in followed.guesses:
        name = edge.target.rpartition("#")[2].rpartition(":")[0]
        open_sites.append(Outside(edge.source, name, edge.kind, edge.file, edge.line, "guessed"))
    if offset < max(1, len(hops)) and asks_for_users and question.most < ALL_ROWS:
        end = min(end, len(hops) + (_FEW_SITES if hops else _FEW_WITHOUT_USERS))
    page = Page(total=len(hops) + len(open_sites), offset=offset, identity=identity)
    kinds = query.use_filter.kinds
    left = f"{followed.left} more files may use it; the cursor waits for all users" if followed.left else ""
    notes = ". ".join(filter(None, (left, overridden, note, left_out_note(query.snapshot, target))))
    aside = [site for site in outside if site.why not in MAYBE_OWN]
    unresolved = unresolved_of(
        Counter(site.why for site in followed.outside),
        _with_lines(lines, [] if offset or asks_for_users else aside[:_MAX_ASIDE]),
        len(followed.guesses) + len(followed.through),
    )
    page_sites = open_sites[max(0, offset - len(hops)) : max(0, end - len(hops))]
    return replace(
        QueryReply.listing(question, target.id, page, relations(lines, hops[offset:end]), kinds),
        source=path_line(source.id) if source else None,
        complete=False if followed.left else None,
        results_found=len(hops) if (hops or not unknown) and not followed.left else None,
        namesakes=None if followed.left else _namesakes(query),
        unresolved=unresolved,
        note=joined(
            clean_line(notes, MAX_NOTE),
            outdated_line(question.element, target.id),
            outdated_line(question.source, source.id if source else ""),
        ),
        elsewhere=followed.elsewhere and tidied(followed.elsewhere),
        _sites=[site_of(site, line) for site, line in _with_lines(lines, page_sites)],
    )


def _namesakes(query: _ResolvedQuery) -> str | None:
    """A line on the other elements of the given names; none where only that would take an index."""
    try:
        return line_of(" ".join(filter(None, _notes_on_names(query))))
    except NeedsIndex:
        if not query.question.may_be_part:
            raise
        return None


def _notes_on_names(query: _ResolvedQuery) -> Iterator[str]:
    snapshot, question = query.snapshot, query.question
    yield namesakes_note(snapshot, question.element, query.target)
    variable = variable_in(snapshot, question.element)
    if variable:
        yield f"An environment variable has that name, too: {named(variable_id(variable))}."
    if query.source is not None:
        yield namesakes_note(snapshot, question.source, query.source)


def _through_bases(query: _ResolvedQuery) -> list[Through]:
    """The uses of what the target overrides, if its users are asked for."""
    if query.question.query_type not in ("calls-me", "depends-on-me"):
        return []
    members = with_members(query.snapshot, query.target)
    uses = uses_through_bases(query.snapshot, members, query.use_filter.kinds)
    return [use for use in uses if query.use_filter.is_listed(use.edge.file)]


def _with_lines(lines: Lines, sites: Sequence[Outside]) -> list[tuple[Outside, str]]:
    return [(site, lines.at(site.file, site.line)) for site in sites]


def _further_users(
    query: _ResolvedQuery, traversal: Traversal, outside: Sequence[Outside], through: int
) -> Elsewhere | None:
    """The lines that may be further users, if a reader could conclude from the answer that there are none."""
    snapshot, target, query_type = query.snapshot, query.target, query.question.query_type
    is_listed = query.use_filter.is_listed
    if query_type == "path":
        return elsewhere(snapshot, target, is_listed=is_listed) if not traversal.hops else None
    if not query_type.endswith("-me"):
        return None
    unresolved = len(traversal.guesses) + sum(site.why in MAYBE_OWN for site in outside) + through
    direct = (hop.edge.file for hop in traversal.hops if hop.depth == 1)
    return if_short(snapshot, target, direct, unresolved, is_listed)


def _source(snapshot: Snapshot, question: Query) -> Symbol | None:
    if question.query_type == "path":
        if not question.source:
            raise InvalidInput("source", question.source, "is required for path", "Name the element to start from.")
        return find_elements(snapshot, question.source, "source")[0]
    if question.source:
        raise InvalidInput("source", question.source, "is for path only", 'Leave it out, or pass query_type "path".')
    return None


def _traversed(query: _ResolvedQuery) -> Traversal:
    view, question, target, use_filter = query.view, query.question, query.target, query.use_filter
    members = with_members(view.snapshot, target)
    if query.source is not None:
        start = with_members(view.snapshot, query.source)
        return path_between(view, start, members, question.steps, use_filter)
    if question.query_type.startswith("imports"):
        return importing(view, target, use_filter.kinds, question.query_type == "imports", question.steps)
    return spread(
        view,
        members,
        use_filter.kinds,
        forward=not question.query_type.endswith("-me"),
        max_depth=question.steps,
        inner=question.query_type.startswith("calls"),
    )


def _outside(query: _ResolvedQuery, visited: Collection[str]) -> list[Outside]:
    """The sites that the answer does not cover: those in visited elements, or of the target's name."""
    snapshot, query_type, use_filter = query.snapshot, query.question.query_type, query.use_filter
    if query_type.endswith("-me"):
        named = {symbol.name: symbol for symbol in with_members(snapshot, query.target).values()}
        sites = [site for name in sorted(named) for site in query.view.sites(named[name])]
    else:
        ids = sorted(visited)
        if query_type == "imports":
            files = [file for file in ids if file in snapshot.facts]
            ids = [symbol.id for file in files for symbol in snapshot.facts[file].symbols]
        sites = [site for id_ in ids for site in snapshot.graph.outside_by_source.get(id_, ())]
    return [site for site in sites if site.kind in use_filter.kinds and use_filter.is_listed(site.file)]


def _note(query: _ResolvedQuery, followed: _FollowedUses, unknown: str) -> str:
    """A note that explains an empty answer."""
    snapshot, question, target = query.snapshot, query.question, query.target
    if followed.all_hops:
        return f"None of {followed.all_hops} sites is in a file that matches {question.path!r}: leave path out for all."
    guesses = f"; {len(followed.guesses)} guessed by name alone are left out" if followed.guesses else ""
    places = followed.elsewhere.places if followed.elsewhere else 0
    lines = f"; its word on other lines: {places} (elsewhere)" if places else ""
    if unknown:
        return f"{unknown}{guesses}{lines}."
    if query.source is not None:
        return _no_path(query, query.source)
    word = ", ".join(sorted(set(question.kinds or ()))) or _USE_NAME[question.query_type]
    unresolved = sum(site.why in MAYBE_OWN for site in followed.outside)
    if question.query_type.endswith("-me"):
        note = (
            f"No {'other ' if followed.through else ''}{word} of {target.name} was found in {len(snapshot.facts)} files"
        )
        tail = f"; {unresolved} unresolved {word} sites are named {target.name}" if unresolved else ""
    else:
        note = f"{target.name} has no {word} of anything in the project"
        tail = f"; {unresolved} of its {word} sites are unresolved" if unresolved else ""
    return f"{note}{tail}{guesses}{lines}."


def _no_path(query: _ResolvedQuery, source: Symbol) -> str:
    view, target, depth, use_filter = query.view, query.target, query.question.steps, query.use_filter
    start, goals = with_members(view.snapshot, source), with_members(view.snapshot, target)
    if start.keys() & goals.keys():
        return f"{source.name} and {target.name} are one, or one contains the other."
    note = f"No chain of uses leads from {source.name} to {target.name} within {depth} steps"
    if depth < _MAX_PATH and (longer := path_between(view, start, goals, _MAX_PATH, use_filter).hops):
        return f"{note}; one of {len(longer)} steps does: pass max_depth={len(longer)}."
    back = path_between(view, goals, start, depth, use_filter).hops
    return f"{note}{'; the other way round there is one' if back else ''}."
