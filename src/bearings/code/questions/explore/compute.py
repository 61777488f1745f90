"""Answers Explore: determines the form of a free-text question, and shows the elements that answer it."""

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages.shared.test_paths import is_test
from bearings.code.models import HEIRS, EdgeKind, Symbol, SymbolKind
from bearings.code.project.fulltext import is_phrase
from bearings.code.project.source_lines import Lines
from bearings.code.questions.explore import Explore
from bearings.code.questions.explore.about import Chosen, about
from bearings.code.questions.explore.answer import Explored, Form, NextCall, Spot
from bearings.code.questions.explore.commits import differing
from bearings.code.questions.explore.failures import located, raised, tests_of
from bearings.code.questions.explore.relations import asked_about
from bearings.code.questions.explore.sentences import call_of
from bearings.code.questions.explore.terms import Terms, loosened, terms_of
from bearings.code.questions.explore.traces import trace_of
from bearings.code.questions.explore.wanted import Matches, matches
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.candidates import namesakes, namesakes_note, symbols_of
from bearings.code.search.elsewhere import unread_files
from bearings.code.search.endpoints import frameworks_not_understood, mounted_paths
from bearings.code.search.environment import uses_of_variable, variable_id, variable_in
from bearings.code.search.measures import most_complex
from bearings.code.search.reach import ACCESSES
from bearings.code.search.routes import all_endpoints, endpoints_of, request_in
from bearings.code.search.targets import find_elements
from bearings.code.search.view import WholeGraph
from bearings.errors import ElementNotFound, InvalidInput
from bearings.untrusted import named

_MOST_NAMED = 20
_MOST_SPOTS = 40
_HEIRS = ",".join(sorted(HEIRS))
_HEAD = 30
"""Lines that are shown of a file that is no source."""

_SHOWN = 120
"""Characters of a word that are repeated in a reply."""


@dataclass(frozen=True, slots=True)
class _Inquiry:
    """A question with its snapshot and limits."""

    snapshot: Snapshot
    text: str
    most: int
    lines: Lines
    max_bytes: int

    def answer(
        self, form: Form, understood: str, chosen: Iterable[Chosen] = (), spots: Sequence[Spot] = (), **others: object
    ) -> Explored:
        """An answer with the first `most` of some elements, each once."""
        once: dict[str, Chosen] = {}
        for each in chosen:
            once.setdefault(each.symbol.id, each)
        counts = {"lines_total": len(spots), "files": len({spot.file for spot in spots}), "total": len(once), **others}
        shown = about(self.snapshot, list(once.values())[: self.most], self.lines, mentions=form != "words")
        return Explored(
            form=form,
            understood=understood,
            elements=shown,
            lines=tuple(spots[:_MOST_SPOTS]),
            **counts,  # type: ignore[arg-type]
        )


def compute(question: Explore, view: WholeGraph) -> Explored:
    """The answer of the first form that fits. Raises InvalidInput for a question without a word, and Changed."""
    inquiry = _Inquiry(view.snapshot, question.question.strip(), question.most, view.lines, view.max_file_bytes)
    if not re.search(r"\w", inquiry.text):
        raise InvalidInput(
            "question",
            question.question,
            "contains no word",
            "Ask with words, an element, a path and line, a traceback, an error text, a URL or a commit.",
        )
    for form in (_trace, _commit, _request, _for_tool, _asked, _element, _route):
        answer = form(inquiry)
        if answer is not None:
            return answer
    return _words(inquiry)


def _trace(inquiry: _Inquiry) -> Explored | None:
    """Places in a traceback, a compiler's or grep's line: the innermost first, then code that raises the error."""
    trace = trace_of(inquiry.text)
    found = located(inquiry.snapshot, trace, inquiry.lines)
    tests = tests_of(inquiry.snapshot, trace)
    if not (found.places or tests or trace.is_stack):
        return None
    chosen = [Chosen(symbol, f"around {spot.file}:{spot.line}", spot.line) for spot, symbol in found.places if symbol]
    chosen += [Chosen(symbol, "the test that failed") for symbol in tests]
    chosen += raised(inquiry.snapshot, trace, inquiry.lines)
    known = len({(spot.file, spot.line) for spot, _ in found.places})
    subject = "tests that failed" if tests else "a frame outside the project"
    if len(trace.places) > 1:
        subject = f"a list of {len(trace.places)} places, {known or 'none'} of them in the project, the innermost first"
    elif known:
        subject = f"the place {named(f'{found.places[0][0].file}:{found.places[0][0].line}')}"
    libraries = [f"{named(name[:_SHOWN])} ({count})" for name, count in found.libraries.most_common(_MOST_NAMED)]
    errors = [named(error.type[:_SHOWN]) for error in trace.errors[:_MOST_NAMED]]
    subject += f"; of libraries: {', '.join(libraries)}" if libraries else ""
    subject += f"; the error {', after '.join(errors)}" if errors else ""
    if not chosen and not known and trace.errors:  # the frames' words mean nothing here
        words = _words(dataclasses.replace(inquiry, text=f"{trace.errors[0].name} {trace.errors[0].message}"))
        return replace(words, understood=f"{subject}; {words.understood}")
    spots = [spot for spot, _ in found.places] if known > 1 else ()
    return inquiry.answer("trace", subject, chosen, spots, note=" ".join(found.notes[:_MOST_NAMED]))


def _commit(inquiry: _Inquiry) -> Explored | None:
    """A commit, a range, or the changes since a commit."""
    difference = differing(inquiry.snapshot, inquiry.text, inquiry.max_bytes)
    if difference is None:
        return None
    return inquiry.answer("commit", difference.subject, difference.chosen, base=difference.base, note=difference.note)


def _request(inquiry: _Inquiry) -> Explored | None:
    """A request with its method, `GET /list`, which is no element called `list`."""
    request = request_in(inquiry.text) if "\n" not in inquiry.text else None
    return _route(inquiry) if request is not None and request.method else None


def _for_tool(inquiry: _Inquiry) -> Explored | None:
    """A question for another tool: the elements that it is about, and the call."""
    call, snapshot = call_of(inquiry.text), inquiry.snapshot
    if call is None or (" " not in inquiry.text and _elements(snapshot, inquiry.text)):
        return None
    if name := call.arguments.get("element"):
        symbols = _elements(snapshot, name)
        return replace(_of_name(inquiry, name, symbols), calls=(call,)) if symbols else None
    chosen: list[Chosen] = []
    if call.tool in ("coderef_scan", "coderef_complexity") and not snapshot.graph.is_whole:
        raise NeedsIndex("the elements of all files")
    if call.tool == "coderef_scan":
        chosen = [each for endpoint in all_endpoints(snapshot) for each in _with_handler(snapshot, endpoint)]
    elif call.tool == "coderef_complexity":
        worst = most_complex(snapshot)[:_MOST_NAMED]
        chosen = [Chosen(symbol, f"cognitive {own.cognitive}, cyclomatic {own.cyclomatic}") for symbol, own in worst]
        call = replace(call, arguments={"element": chosen[0].symbol.id if chosen else ""})
    return inquiry.answer("words", f"a question that {call.tool} answers", chosen, calls=(call,))


def _asked(inquiry: _Inquiry) -> Explored | None:
    """A question in words about the uses of an element: those uses come first."""
    asked = asked_about(inquiry.text)
    if asked is None:
        return None
    symbols = _elements(inquiry.snapshot, asked.name)
    if not symbols:
        return _variable(inquiry, asked.name, asked.kinds)
    arguments = {"query_type": asked.query, "element": symbols[0].id}
    arguments |= {"kinds": _HEIRS} if asked.kinds == HEIRS else {}
    call = NextCall(tool="coderef_query", arguments=arguments, why="all of these")
    return replace(_of_name(inquiry, asked.name, symbols, asked.kinds), calls=(call,))


def _variable(inquiry: _Inquiry, name: str, kinds: frozenset[EdgeKind] = frozenset()) -> Explored | None:
    """An environment variable: the code that uses it, that outside tests first, and the lines with its name."""
    snapshot, variable = inquiry.snapshot, variable_in(inquiry.snapshot, name)
    uses = uses_of_variable(snapshot, variable)
    if not uses:
        return None
    reads = sum(edge.kind is EdgeKind.READ for edge in uses)
    uses.sort(key=lambda edge: (edge.kind not in (kinds or ACCESSES), is_test(edge.file)))
    chosen = [Chosen(snapshot.graph.symbols[edge.source], f"{edge.kind}s it", edge.line) for edge in uses]
    hits = matches(snapshot, terms_of(variable))
    arguments = {"query_type": "depends-on-me", "element": variable_id(variable)}
    return inquiry.answer(
        "element",
        f"the environment variable {named(variable)}: {reads} reads, {len(uses) - reads} writes",
        chosen,
        hits.lines,
        lines_total=hits.lines_total,
        files=hits.files,
        calls=(NextCall(tool="coderef_query", arguments=arguments, why="all its uses"),),
    )


def _of_name(
    inquiry: _Inquiry, name: str, symbols: Sequence[Symbol], kinds: frozenset[EdgeKind] = frozenset()
) -> Explored:
    """The elements of a name, and others that bear it."""
    subject = f"the element {named(name)}" if len(symbols) == 1 else f"the {len(symbols)} elements called {named(name)}"
    others, note = _namesakes(inquiry.snapshot, name, symbols)
    chosen = [*(Chosen(symbol, "") for symbol in symbols), *others]
    return inquiry.answer("element", f"{subject}{note}", [one._replace(kinds=kinds) for one in chosen])


def _element(inquiry: _Inquiry) -> Explored | None:
    """An element, the elements of one name, or a file that is no source."""
    names = _names(inquiry.text)
    for name in names:
        symbols = _elements(inquiry.snapshot, name)
        if "/" in name and "#" not in name and all(symbol.kind is SymbolKind.ENDPOINT for symbol in symbols):
            continue  # a URL: see _route
        if symbols and ("/" in name or any(not is_test(symbol.file) for symbol in symbols)):
            return _of_name(inquiry, name, symbols)
    for name in names:
        if (answer := _variable(inquiry, name)) is not None:
            return answer
    path = names[0].removeprefix("./") if names else ""
    if path in inquiry.snapshot.project.paths and path not in inquiry.snapshot.facts:
        text = inquiry.lines.of(path)
        spots = [
            Spot(file=path, line=at, inside="", text=inquiry.lines.at(path, at), where="text")
            for at in range(1, len(text) + 1)
        ]
        return inquiry.answer(
            "element", f"the file {named(path)}, which is read as text alone", (), spots[:_HEAD], lines_total=len(spots)
        )
    return None


def _elements(snapshot: Snapshot, name: str) -> list[Symbol]:
    """The elements of a name."""
    try:
        return find_elements(snapshot, name, "question")[:_MOST_NAMED]
    except (ElementNotFound, InvalidInput):
        return []


def _namesakes(snapshot: Snapshot, name: str, symbols: Sequence[Symbol]) -> tuple[list[Chosen], str]:
    """The other elements of a bare name, and a sentence about them, if it means one element."""
    if len(symbols) != 1:
        return [], ""
    others = symbols_of(namesakes(snapshot, name, symbols[0]))
    note = namesakes_note(snapshot, name, symbols[0])
    return [
        Chosen(symbol, f"is called {named(symbols[0].name)}, too") for symbol in others
    ], f". {note}" if note else ""


def _names(text: str) -> list[str]:
    """Possible names of an element in the question: the whole text, or the only name in it."""
    bare = text.strip("`'\"").strip()
    if not re.search(r"\s", bare):
        return list(dict.fromkeys((bare, bare.removesuffix("()"), bare.replace("::", "."))))
    words = [word for word in terms_of(text).written if not re.search(r"\s", word)]
    return [words[0].removesuffix("()")] if len(words) == 1 else []


def _route(inquiry: _Inquiry) -> Explored | None:
    """The endpoints of a URL, with their handlers."""
    request = request_in(inquiry.text) if "\n" not in inquiry.text else None
    if request is None or not request.parts:
        return None
    snapshot = inquiry.snapshot
    endpoints = endpoints_of(snapshot, request)
    what = f"the request {named(f'{request.method} {request.path}'.strip())}"
    if endpoints:
        chosen = [each for symbol in endpoints for each in _with_handler(snapshot, symbol)]
        return inquiry.answer("route", f"{what}: {len(endpoints)} endpoints may answer it", chosen)
    literal = [part for part in request.parts if re.search(r"[A-Za-z]{2}", part)]
    terms = Terms((request.path, *literal), (request.path, *literal), ())
    unknown = ", ".join(map(named, frameworks_not_understood(snapshot)))
    note = f"No known endpoint answers it{f'; not understood: {unknown}' if unknown else ''}."
    return _from_matches(
        inquiry, matches(snapshot, terms), terms, "route", f"{what}; its parts looked for as text", note
    )


def _with_handler(snapshot: Snapshot, endpoint: Symbol) -> list[Chosen]:
    handler = endpoint.detail.handler if endpoint.detail else ""
    graph = snapshot.graph
    edges = graph.edges_from(endpoint.id, (EdgeKind.REFERENCE,)) if handler else ()
    last = handler.rpartition(".")[2]
    handlers = [each for edge in edges for each in graph.find(edge.target) if each.name == last]
    if handler and not handlers:
        handlers = graph.find(f"{endpoint.file}#{handler}") or graph.find(handler)[:1]
    whole = mounted_paths(graph, endpoint)
    why = f"the endpoint, mounted as {', '.join(whole)}" if whole else "the endpoint"
    return [Chosen(endpoint, why), *(Chosen(symbol, f"handles {endpoint.name}") for symbol in handlers)]


def _words(inquiry: _Inquiry) -> Explored:
    """Words and phrases, in names, comments, code and strings."""
    terms = terms_of(inquiry.text)
    tests = any(word.lower() in ("test", "tests") for word in (*terms.written, *terms.left_out))
    hits = matches(inquiry.snapshot, terms, tests=tests)
    held = zip(terms.written, hits.search.files_with_term, strict=True)
    looser = terms_of(loosened(inquiry.text, frozenset(word for word, files in held if not files)))
    if looser != terms:
        terms, hits = looser, matches(inquiry.snapshot, looser, tests=tests)
    left = f" (without {', '.join(map(named, terms.left_out[:8]))})" if terms.left_out else ""
    held = zip(terms.written, hits.search.files_with_term, strict=True)
    # The whole question and parts of it are searched too, but seldom hit.
    written = [word for word, files in held if files or " " not in word] or terms.written
    words = ", ".join(named(word[:_SHOWN]) for word in written)
    return _from_matches(
        inquiry, hits, terms, "words", f"the {'words' if len(written) > 1 else 'word'} {words}{left}", ""
    )


def _from_matches(inquiry: _Inquiry, hits: Matches, terms: Terms, form: Form, understood: str, note: str) -> Explored:
    """An answer from the matches of some terms."""
    chosen = [Chosen(row.symbol, _why(row.places, terms), deciding=row.lines) for row in hits.elements]
    notes = [note, *_absent(hits, terms)]
    if hits.search.given_up:
        notes.append(f"The search stopped early: {hits.search.remaining} files were not searched.")
    if hits.search.unsearched:
        notes.append(f"{len(hits.search.unsearched)} files are too large or can't be read, so they were not searched.")
    empty = not (chosen or hits.lines)
    if empty:
        notes.append(
            f"No name, comment, string or other text in {hits.search.searched} files contains any of these words."
            " A name that is built at run time is in no file: ask for a shorter part of it."
        )
    near = (
        []
        if not empty
        else [
            name
            for word in terms.written[:5]
            if not is_phrase(word)
            for name in inquiry.snapshot.graph.suggest(word, 3)
        ]
    )
    return inquiry.answer(
        form,
        understood,
        chosen,
        hits.lines,
        lines_total=hits.lines_total,
        files=hits.files,
        near=tuple(dict.fromkeys(near)),
        unread=unread_files(inquiry.snapshot) if empty else (),
        note=" ".join(filter(None, notes)),
    )


def _absent(hits: Matches, terms: Terms) -> list[str]:
    """A note on the terms that no file contains, if others were found."""
    held = hits.search.files_with_term
    absent = [
        written for written, count in zip(terms.written, held, strict=True) if not count and not is_phrase(written)
    ]
    return [f"In no file: {', '.join(map(named, absent))}."] if absent and len(absent) < len(held) else []


def _why(places: Mapping[int, str], terms: Terms) -> str:
    """The places of the terms, as `retry in its name; backoff in a comment`."""
    by: dict[str, list[str]] = {}
    for place, where in sorted(places.items()):
        by.setdefault(where, []).append(named(terms.written[place][:_SHOWN]))
    return "; ".join(f"{', '.join(words)} in {_PLACES[where]}" for where, words in by.items())


_PLACES = {
    "name": "its name",
    "path": "its path",
    "around": "the name of its container",
    "text": "its text",
}
