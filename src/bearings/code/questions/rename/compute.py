"""Plans a rename: the edits of each file, the places that stay, and the places that forbid it."""

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from bearings.code.languages import language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.occurrences import MODULE, Part
from bearings.code.models import Symbol, SymbolKind
from bearings.code.questions.rename import Rename, RenameReply
from bearings.code.refactoring.checking import damage
from bearings.code.refactoring.edits import Edit, by_path, edited
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
from bearings.code.syntax_trees import occurrences_of
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
    files, family = places.files(), places.family
    for file in files:
        for place in file.places:
            row = (file.path, place.line, place.why)
            if place.kind is Kind.UNSURE and not leave_unsure:
                draft.refused.append(row)
            elif place.kind not in _EDITED and place.why:
                draft.left.append(row)
        chosen = [place for place in file.places if place.kind in _EDITED]
        if chosen:
            edits = [_edit(place, symbol.name, new) for place in chosen]
            draft.changes.append(edited(file.path, file.data, edits, file.shift))
            draft.places[file.path] = len(chosen)
            draft.refused += _collisions(file, chosen, new)
    if not any(place.kind is Kind.DEFINITION for file in files for place in file.places):
        draft.refused.append((symbol.file, symbol.line, "its definition is not found by its name"))
    draft.refused += _taken(view, family, new)
    draft.refused += _unfit(view, family, new, {new}.union(*spellings(view, symbol, new).values()))
    draft.refused += _taken_beside(view, places.sharing, new)
    draft.refused += outside_bases(view.snapshot, family)
    if not leave_unsure:
        is_told = any(row[:2] == (symbol.file, symbol.line) for row in draft.refused)
        if symbol.name in BY_LIBRARIES and is_called_unnamed(symbol) and not is_told:
            draft.refused.append((symbol.file, symbol.line, f"the language or its library may call {symbol.name}"))
        for member in family.values():
            why = f"it would no longer fit {owner_of(member)}"
            others = (one for one in fitting(view.snapshot, member) if one.id not in family)
            draft.refused += [(one.file, one.line, why) for one in others]
        draft.refused += by_frameworks(view.snapshot, family)
        draft.refused += in_other_letters(view, symbol, family)
        names = {**family, "new": replace(symbol, qualified_name=new)}
        draft.refused += [*composing(view.snapshot, names), *left_out_rows(view.snapshot, symbol)]
    if not draft.refused:
        moved = {_key(view, one, family): f"{one.file}#{_renamed(one, new)}" for one in family.values()}
        followed = {
            (file.path, place.line)
            for file in files
            for place in file.places
            if place.kind in _EDITED and place.part in _NAMED and place.scope is not None
        }
        draft.refused += damage(view, by_path(draft.changes), moved=moved, followed=followed).all
        if draft.refused and not view.snapshot.graph.is_whole:
            raise NeedsIndex("all uses that a rename breaks")
    draft.note = " ".join(filter(None, (places.note, read_at_run_time(view.snapshot, symbol))))
    return draft


def _key(view: WholeGraph, symbol: Symbol, family: Mapping[str, Symbol]) -> str:
    """An element with all inside it, `a.py#Box`; by its id if another one has its name, as a field beside a method."""
    key = f"{symbol.file}#{symbol.qualified_name}"
    return key if all(one.id in family for one in view.snapshot.graph.find(key)) else symbol.id


def _renamed(symbol: Symbol, new: str) -> str:
    return ".".join([*symbol.qualified_name.split(".")[:-1], new])


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


def _edit(place: Place, old: str, new: str) -> Edit:
    """The edit of one place. A key that is a name, too, keeps the half that does not belong to the element."""
    text = new
    if place.part in (Part.SHORTHAND, Part.PATTERN):
        text = f"{old}: {new}" if place.keeps_key else f"{new}: {old}"
    return Edit(place.start, place.end, text.encode())


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
