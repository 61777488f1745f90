"""The users of a name that no element has, or only a stand-in in tests: of a variable, a library's name, a chain.

env:DATABASE_URL                           the readers and writers of a variable
next/router#useRouter                      imports of the name, and the code that uses them
django.db.models.signals.post_save         the same by the names of Python
useRouter                                  by the name alone, whatever package it is imported from
prisma.trace.findMany                      the chain as written, also behind other names: ctx.prisma.trace.findMany
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from bearings.code.catalogue.names import dotted
from bearings.code.index.snapshot import Snapshot
from bearings.code.models import IMPORTS, Confidence, Edge, EdgeKind
from bearings.code.project.words import Search, Word
from bearings.code.questions.query import MAX_NOTE, Query, QueryReply
from bearings.code.questions.query.traversal import Hop, relations, spread
from bearings.code.questions.query.use_filter import use_filter_of
from bearings.code.replies.lines import Page
from bearings.code.replies.tidying import tidied
from bearings.code.search.elsewhere import elsewhere_of_variable
from bearings.code.search.environment import uses_of_variable, variable_id, variable_in
from bearings.code.search.left_out import left_out_note
from bearings.code.search.view import WholeGraph
from bearings.errors import ElementNotFound, InvalidInput, shown
from bearings.paging import decode
from bearings.untrusted import clean_line, named

_LEAST_ALIKE = 60
_SUGGESTED = 5


def users_of_variable(view: WholeGraph, question: Query) -> QueryReply:
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
    note = "" if page.results_found else f"No use of {name} passes the filter: leave kinds and path out for all."
    note = ". ".join(filter(None, (note, left_out_note(snapshot, None, name))))
    others = tidied(elsewhere_of_variable(snapshot, name))
    return replace(page, note=clean_line(note, MAX_NOTE) or None, elsewhere=others)


def users_page(view: WholeGraph, question: Query, target: str, direct: Sequence[Edge]) -> QueryReply:
    """The page of the direct uses of a name without an element, and of the uses of those users."""
    use_filter = use_filter_of(question)
    kinds = use_filter.kinds
    further = spread(
        view,
        dict.fromkeys(edge.source for edge in direct),
        kinds,
        forward=False,
        max_depth=question.steps - 1,
    )
    uses = [*(Hop(1, edge) for edge in direct), *(Hop(depth + 1, edge) for depth, edge in further.hops)]
    hops = [hop for hop in uses if use_filter.is_listed(hop.edge.file)]
    identity = use_filter.identity(question, target, "", view.snapshot.revision)
    page = Page(total=len(hops), offset=decode(question.cursor, identity), identity=identity)
    results = relations(view.lines, hops[page.offset : page.offset + question.most])
    reply = QueryReply.listing(question, target, page, results, kinds)
    reply.unresolved.heuristic = sum(use_filter.is_listed(edge.file) for edge in further.guesses)
    return reply


def _not_found(snapshot: Snapshot, element: str) -> ElementNotFound:
    from rapidfuzz import fuzz, process

    known = [name for name, files in snapshot.graph.variables.items() if files]
    name = element.strip().removeprefix("env:")
    alike = process.extract(name, known, scorer=fuzz.ratio, limit=_SUGGESTED, score_cutoff=_LEAST_ALIKE)
    near = [variable_id(row[0]) for row in alike]
    hint = f"Did you mean {', '.join(map(named, near))}?" if near else "coderef_explore looks for it as text."
    error = ElementNotFound(f"no source of the project reads or writes {shown(element)} by a literal name", hint)
    return error.instead_of("element", *near[:1])


_BARE = re.compile(r"[\w$]+")
_BY_IMPORT = "outside the project"


def uses_of_library(snapshot: Snapshot, text: str, kinds: Iterable[EdgeKind]) -> list[Edge]:
    """The uses of these kinds by file and line, each once; their target is the text."""
    name = re.sub(r"#|::", ".", text.strip().removesuffix("()"))
    words = re.findall(r"[\w$]+", name)
    if not words or not name.endswith(words[-1]):
        return []
    edges: dict[tuple[str, int, EdgeKind], Edge] = {}
    for path in sorted(hit.path for hit in Search(snapshot.tree, snapshot.facts, [Word(words[-1])]).files()):
        for edge in _in_file(snapshot, path, name, text.strip()):
            edges.setdefault((path, edge.line, edge.kind), edge)
    return sorted((edge for edge in edges.values() if edge.kind in kinds), key=lambda edge: (edge.file, edge.line))


def _in_file(snapshot: Snapshot, path: str, name: str, target: str) -> Iterator[Edge]:
    from bearings.code.questions.catalogued.outside_uses import outside_uses  # needs the evaluator

    graph, symbols = snapshot.graph, snapshot.graph.outline(path)
    modules = [site.name for site in graph.outside_by_source.get(path, ()) if site.kind in IMPORTS]
    if _BARE.fullmatch(name) or any(f"{name}.".startswith(f"{module}.") for module in modules):
        for use in outside_uses(snapshot, path):
            # A use of the name, with or without its module, or of a member of it.
            if any(f"{full}.".startswith(f"{name}.") for full in (use.name, dotted((use.module, use.name)))):
                confidence = Confidence.INFERRED if use.is_guess else Confidence.EXACT
                yield Edge(symbols[use.symbol].id, target, use.kind, path, use.line, confidence, _BY_IMPORT)
    for symbol in symbols:
        for site in graph.outside_by_source.get(symbol.id, ()):
            if (site.why != "builtin" and site.name.endswith(f".{name}")) or (site.name == name and "." in name):
                yield Edge(symbol.id, target, site.kind, path, site.line, Confidence.INFERRED, site.why)
