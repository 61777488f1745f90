"""Plans a rename: the edits of each file, the places that stay, and the places that forbid it."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import astuple, replace

from bearings.code.file_facts import FileFacts
from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.occurrences import MODULE, Part
from bearings.code.models import Confidence, Edge, Symbol, SymbolKind
from bearings.code.parse import occurrences_of
from bearings.code.questions.rename import Rename, RenameReply
from bearings.code.refactoring.edits import Change, Edit, by_path, edited
from bearings.code.refactoring.family import by_edges, may_override, owner_of, rivals, together
from bearings.code.refactoring.letters import in_other_letters, spellings
from bearings.code.refactoring.place import FilePlaces, Kind, Options, Place
from bearings.code.refactoring.places import Places
from bearings.code.refactoring.plans import (
    Plan,
    Row,
    by_frameworks,
    composing,
    outside_bases,
    read_at_run_time,
    spec_for,
)
from bearings.code.refactoring.writing import carried_out
from bearings.code.replies.element import path_line
from bearings.code.resolve.giving_up import NeedsIndex
from bearings.code.search.element_words import BY_LIBRARIES, is_called_unnamed
from bearings.code.search.left_out import left_out_rows
from bearings.code.search.protocols import fitting
from bearings.code.search.targets import find_element
from bearings.code.search.view import WholeGraph
from bearings.errors import InvalidInput

_NAMED = frozenset({Part.NAME, Part.BINDING, Part.HEAD, Part.EXPORTED, Part.SHORTHAND, Part.PATTERN, Part.IMPORTED})
_EDITED = frozenset({Kind.DEFINITION, Kind.USE, Kind.IMPORT, Kind.TEXT, Kind.REFERENCE})


def compute(question: Rename, view: WholeGraph) -> RenameReply:
    """The plan, which is written unless it is refused or a dry run.

    Raises ElementNotFound, Ambiguous, InvalidInput, Unsupported, WriteFailed, Changed.
    """
    symbol = find_element(view.snapshot, question.element, together=True)
    options = Options(question.strings, question.comments)
    draft = plan(view, symbol, question.new_name, options, leave_unsure=question.leave_unsure)
    what = f"the rename of {question.element} to {question.new_name}"
    new_name = path_line(question.new_name)
    return carried_out(RenameReply, view, symbol, draft, what, question.dry_run, question.max_chars, new_name=new_name)


def plan(view: WholeGraph, symbol: Symbol, new: str, options: Options, *, leave_unsure: bool) -> Plan:
    """Return the plan of a rename. Raises InvalidInput for a name, Unsupported for an element, and Changed."""
    _check(symbol, new)
    places = Places(view, symbol, options)
    draft = Plan()
    files = places.files()
    for file in files:
        for place in file.places:
            row = (file.path, place.line, place.why)
            if place.kind is Kind.UNSURE and not leave_unsure:
                draft.refused.append(row)
            elif place.kind not in _EDITED and place.why:
                draft.left.append(row)
        chosen = [place for place in file.places if place.kind in _EDITED]
        if chosen:
            edits = [_edit(place, symbol.name, new, file.shift) for place in chosen]
            draft.changes.append(edited(file.path, file.data, edits))
            draft.places[file.path] = len(chosen)
            draft.refused += _collisions(file, chosen, new)
    if not any(place.kind is Kind.DEFINITION for file in files for place in file.places):
        draft.refused.append((symbol.file, symbol.line, "its definition is not found by its name"))
    draft.refused += _taken(view, places.family, new)
    draft.refused += _unfit(view, places.family, new, {new}.union(*spellings(view, symbol, new).values()))
    draft.refused += _taken_beside(view, places.sharing, new)
    draft.refused += outside_bases(view.snapshot, places.family)
    if not leave_unsure:
        is_told = any(row[:2] == (symbol.file, symbol.line) for row in draft.refused)
        if symbol.name in BY_LIBRARIES and is_called_unnamed(symbol) and not is_told:
            draft.refused.append((symbol.file, symbol.line, f"the language or its library may call {symbol.name}"))
        for member in places.family.values():
            why = f"it would no longer fit {owner_of(member)}"
            others = (one for one in fitting(view.snapshot, member) if one.id not in places.family)
            draft.refused += [(one.file, one.line, why) for one in others]
        draft.refused += by_frameworks(view.snapshot, places.family)
        draft.refused += in_other_letters(view, symbol, places.family)
        names = {**places.family, "new": replace(symbol, qualified_name=new)}
        draft.refused += [*composing(view.snapshot, names), *left_out_rows(view.snapshot, symbol)]
    if not draft.refused:
        # The lines whose places are edited because the scopes of their file say so.
        lines = {
            (file.path, place.line)
            for file in files
            for place in file.places
            if place.kind in _EDITED and place.part in _NAMED and place.scope is not None
        }
        differing, misread = differing_edges(view, draft.changes, places.family, lines)
        draft.refused += [(path, 1, "the file would be read differently") for path in misread]
        elsewhere = (
            (edge.file, edge.line, f"a {edge.kind} of {edge.target} would lead elsewhere") for edge in differing
        )
        draft.refused += list(dict.fromkeys(elsewhere))
    draft.note = " ".join(filter(None, (places.note, read_at_run_time(view.snapshot, symbol))))
    return draft


def _check(symbol: Symbol, new: str) -> None:
    """Raise InvalidInput or Unsupported for an element or a name that can't be."""
    spec = spec_for(symbol, "rename")
    if symbol.kind in (SymbolKind.MODULE, SymbolKind.ENDPOINT, SymbolKind.CONSTRUCTOR):
        remedy = "Pass its class." if symbol.kind is SymbolKind.CONSTRUCTOR else "Pass a function, class or member."
        raise InvalidInput("element", symbol.id, f"is a {symbol.kind}, which has no name of its own", remedy)
    if (symbol.name.startswith("__") and symbol.name.endswith("__")) or symbol.name in spec.predefined_names:
        raise InvalidInput("element", symbol.id, "is a name of the language", "Pass another element.")
    name = new.removeprefix("#") if symbol.name.startswith("#") else new
    sign = "$" if "$" in spec.name_signs else ""
    if not re.fullmatch(rf"[^\W\d{sign}][\w{sign}]*" if not sign else r"[^\W\d][\w$]*|\$[\w$]*", name):
        raise InvalidInput("new_name", new, "is no identifier", "Pass a name such as parseTime.")
    if new in spec.reserved:
        raise InvalidInput("new_name", new, f"is a word of {spec.label}", "Pass another name.")
    if new == symbol.name:
        raise InvalidInput("new_name", new, "is the name that it has", "Pass another name.")


def _edit(place: Place, old: str, new: str, shift: int) -> Edit:
    """The edit of one place. A key that is a name, too, keeps the half that does not belong to the element."""
    text = new
    if place.part in (Part.SHORTHAND, Part.PATTERN):
        text = f"{old}: {new}" if place.keeps_key else f"{new}: {old}"
    return Edit(place.start + shift, place.end + shift, text.encode())


def _collisions(file: FilePlaces, chosen: list[Place], new: str) -> Iterator[Row]:
    """The places where the new name means something else already, in the scopes between a use and its declaration."""
    language = language_of(file.path)
    if language is None:
        return
    text = as_utf8(language, file.data)
    taken = [one for one in occurrences_of(language, text, new) or () if one.part in _NAMED]
    rules = by_edges(file.path)
    named = [place for place in chosen if place.part in _NAMED]
    if rules is not None and rules.sigil:  # __construct(private int $old, int $new)
        named += [place for place in chosen if place.part is Part.DECLARED]
    scopes = {place.scope for place in named if place.scope is not None}
    crossed = scopes | {scope for place in named for scope in place.through}
    for one in taken:
        # def f(show): return old(show) – old → show: the parameter would take the call.
        if one.part is Part.IMPORTED and rules is not None:
            yield file.path, one.line, f"{new} is imported here already"
        elif one.scope in crossed and (one.part is Part.BINDING or one.binds):
            yield file.path, one.line, f"{new} is declared here already"
        elif one.scope not in scopes and any(scope in scopes for scope in one.through):
            yield file.path, one.line, f"{new} means something else here, which the new name would hide"


def _taken_beside(view: WholeGraph, paths: Iterable[str], new: str) -> Iterator[Row]:
    """The places where files that share the element's scope have the new name at their top."""
    for path in sorted(paths):
        language = language_of(path)
        text = as_utf8(language, view.lines.data(path)) if language is not None else b""
        occurrences = occurrences_of(language, text, new) or () if language is not None else ()
        yield from (
            (path, one.line, f"{new} is used here already")
            for one in occurrences
            if one.scope == MODULE and one.part in _NAMED
        )


def _unfit(view: WholeGraph, family: Mapping[str, Symbol], new: str, forms: Iterable[str]) -> Iterator[Row]:
    """The places where a new name can't be, in a language whose names edges tell."""
    for member in family.values():
        rules = by_edges(member.file)
        if rules is None:
            continue
        for other in (one for form in forms for one in rivals(view.snapshot, member, form) if one.id not in family):
            yield other.file, other.line, f"{other.name} is declared here already"
        if may_override(member) and new in rules.bases["Object"]:
            yield member.file, member.line, f"{new} is a method of all objects, or one that the language calls"
        stem = member.file.rpartition("/")[2].partition(".")[0]
        if rules.names_files and not member.inside and stem == member.name:
            yield member.file, member.line, "its file has its name, and is not renamed with it"


def _taken(view: WholeGraph, family: Mapping[str, Symbol], new: str) -> Iterator[Row]:
    """The members of the same owners that have the new name."""
    snapshot = view.snapshot
    named = [one for one in family.values() if by_edges(one.file) is None]
    owners = {(path, owner_of(one)) for one in named for path in together(snapshot, one.file)}
    for path in sorted({path for path, _ in owners}):
        for other in snapshot.graph.outline(path):
            if other.name == new and (path, owner_of(other)) in owners and other.id not in family:
                yield other.file, other.line, f"{new} is declared here already"


_Line = tuple[str, int]
_EdgeKey = tuple[str, str, str, str, int]


def differing_edges(
    view: WholeGraph, changes: Iterable[Change], own: Collection[str], lines: Collection[_Line]
) -> tuple[list[Edge], list[str]]:
    """Return the edges that differ after the edits, and the files that would be read differently.

    The edits must keep the number of lines. Guesses are not compared. On the `lines` whose scopes were followed,
    edges to the `own` elements may differ, too: there the resolver takes another declaration for the one that is meant.
    """
    before = view.snapshot
    changes = [change for change in changes if change.path in before.facts]
    after, touched = view.with_sources(by_path(changes))
    ids: dict[str, str] = {}
    misread = []
    for change in changes:
        old, new = before.graph.outline(change.path), after.graph.outline(change.path)
        is_same = [(one.line, one.end_line) for one in old] == [(one.line, one.end_line) for one in new]
        if not is_same or before.facts[change.path].errors != after.facts[change.path].errors:
            misread.append(change.path)
        ids.update({one.id: two.id for one, two in zip(old, new, strict=False)})
    renamed = {ids.get(id_, id_) for id_ in own}
    if before.graph.is_whole:
        files = [path for path in sorted(touched) if path in before.facts and path in after.facts]
        had, has = (_by_key(_edges_in(one, files), names) for one, names in ((before, ids), (after, {})))
    else:
        # An edge leads elsewhere only where one of the two names is looked up, or read in another way for its form.
        if any(_measures(before.facts[change.path]) != _measures(after.facts[change.path]) for change in changes):
            raise NeedsIndex("all uses in files that are read in another way")
        words = {before.graph.symbols[id_].name for id_ in own} | {after.graph.symbols[id_].name for id_ in renamed}
        had, has = (_by_key(_edges_to(one, words), names) for one, names in ((before, ids), (after, {})))
    differing = [edge for key, edge in had.items() if key not in has]
    differing += [edge for key, edge in has.items() if key not in had]
    wrong = [
        edge
        for edge in differing
        if (edge.file, edge.line) not in lines or not (edge.target in own or edge.target in renamed)
    ]
    if (wrong or misread) and not before.graph.is_whole:
        raise NeedsIndex("all uses that a rename breaks")
    return wrong, misread


def _measures(facts: FileFacts) -> tuple[object, ...]:
    """The number of all that a file has, and the kind and line of each use."""
    sizes = [len(value) for value in astuple(facts) if isinstance(value, tuple)]
    return sizes, [(use.kind, use.line) for use in (*facts.sites, *facts.mentions)]


def _edges_in(snapshot: Snapshot, files: Iterable[str]) -> Iterator[Edge]:
    graph = snapshot.graph
    return (edge for path in files for symbol in graph.outline(path) for edge in graph.edges_from(symbol.id))


def _edges_to(snapshot: Snapshot, names: Collection[str]) -> Iterator[Edge]:
    graph = snapshot.graph
    ids = [symbol.id for name in names for symbol in graph.called(name)]
    graph.expect(ids)
    return (edge for id_ in ids for edge in graph.edges_to(id_))


def _by_key(edges: Iterable[Edge], ids: Mapping[str, str]) -> dict[_EdgeKey, Edge]:
    return {
        (ids.get(edge.source, edge.source), ids.get(edge.target, edge.target), edge.kind, edge.file, edge.line): edge
        for edge in edges
        if edge.confidence is not Confidence.HEURISTIC
    }
