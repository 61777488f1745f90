"""Plans the removal of an element: what goes with it, and the places that forbid it."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from bearings.code.index.snapshot import Snapshot
from bearings.code.languages import language_of
from bearings.code.languages.shared.encoding import as_utf8
from bearings.code.languages.shared.occurrences import Part
from bearings.code.languages.shared.removals import Removal, united
from bearings.code.models import IMPORTS, Symbol, SymbolKind
from bearings.code.questions.remove import Remove, RemoveReply
from bearings.code.questions.unused.contracts import why_alive
from bearings.code.questions.unused.public_api import is_offered
from bearings.code.refactoring.checking import damage
from bearings.code.refactoring.edits import Edit, by_path, edited
from bearings.code.refactoring.family import are_alike, by_edges, family
from bearings.code.refactoring.letters import in_other_letters
from bearings.code.refactoring.place import FilePlaces, Kind, Options, Place
from bearings.code.refactoring.places import Places
from bearings.code.refactoring.plans import Plan, Row, composing, outside_bases, spec_for
from bearings.code.refactoring.writing import carried_out
from bearings.code.search.element_words import runs_unnamed
from bearings.code.search.left_out import left_out_rows
from bearings.code.search.members import overridden, overriding, with_members
from bearings.code.search.targets import find_element
from bearings.code.search.view import WholeGraph
from bearings.code.syntax_trees import removals_of
from bearings.errors import InvalidInput

_PLAIN = Options()


def compute(question: Remove, view: WholeGraph) -> RemoveReply:
    """The plan, which is written unless it is refused or a dry run.

    Raises ElementNotFound, Ambiguous, InvalidInput, Unsupported, WriteFailed, Changed.
    """
    symbol = find_element(view.snapshot, question.element, together=True)
    draft = plan(view, symbol, leave_unsure=question.leave_unsure)
    what = f"the removal of {question.element}"
    return carried_out(RemoveReply, view, symbol, draft, what, question.dry_run, question.max_chars)


def plan(view: WholeGraph, symbol: Symbol, *, leave_unsure: bool) -> Plan:
    """Return the plan of a removal. Raises InvalidInput or Unsupported for an element, and Changed."""
    _check(symbol)
    snapshot = view.snapshot
    same = [
        definition
        for definition in snapshot.facts[symbol.file].symbols
        if definition.qualified_name == symbol.qualified_name and are_alike(definition, symbol)
    ]
    definitions = {definition.id: definition for definition in same if definition.inside == symbol.inside}
    places = Places(view, symbol, _PLAIN, definitions)
    draft = Plan()
    draft.refused += _users(snapshot, definitions)
    if runs_unnamed(snapshot, symbol):
        draft.refused.append((symbol.file, symbol.line, "a language, a framework or a test runner may run it unnamed"))
    elif not leave_unsure and (reason := why_alive(snapshot, symbol)):
        draft.refused.append((symbol.file, symbol.line, f"it may be alive without a use ({reason})"))
    if by_edges(symbol.file) is not None:
        sharing = [one for one in family(snapshot, symbol).values() if one.kind is not SymbolKind.CONSTRUCTOR]
    else:
        sharing = [*overridden(snapshot, symbol), *overriding(snapshot, symbol)]
    for other in sharing:
        if other.id not in definitions:
            draft.refused.append((other.file, other.line, "its class and this one share the member"))
    draft.refused += outside_bases(snapshot, definitions)
    if not leave_unsure:
        draft.refused += [*composing(snapshot, definitions), *left_out_rows(snapshot, symbol)]
        draft.refused += in_other_letters(view, symbol, definitions)
    removed: set[tuple[str, int]] = set()
    for file in places.files():
        removed |= _plan_file(file, definitions, draft, leave_unsure=leave_unsure)
    draft.refused += _kept_imports(snapshot, definitions, removed)
    if symbol.file not in draft.places:
        draft.refused.append((symbol.file, symbol.line, "its definition can't be taken out alone"))
    if not draft.refused:
        gone = {id_ for member in definitions.values() for id_ in with_members(snapshot, member)}
        draft.refused += damage(view, by_path(draft.changes), gone=gone).all
    offered = is_offered(snapshot, symbol)
    note = "Its package offers it, so other projects may use it." if offered else ""
    draft.note = " ".join(filter(None, (places.note, note)))
    return draft


def _check(symbol: Symbol) -> None:
    spec_for(symbol, "remove")
    if symbol.kind in (SymbolKind.MODULE, SymbolKind.ENDPOINT):
        raise InvalidInput("element", symbol.id, f"is a {symbol.kind}", "Pass a function, a class or a member.")


def _users(snapshot: Snapshot, definitions: Mapping[str, Symbol]) -> Iterator[Row]:
    """The uses of an element or of its members from outside of it. Imports go with it."""
    inside = {
        id_: definition for member in definitions.values() for id_, definition in with_members(snapshot, member).items()
    }
    ranges = [(definition.file, definition.line, definition.end_line) for definition in definitions.values()]
    for id_ in inside:
        for edge in snapshot.graph.edges_to(id_):
            is_within = any(edge.file == file and first <= edge.line <= last for file, first, last in ranges)
            # Java: a line `import a.Cart;` has a reference to the class.
            is_import = by_edges(edge.file) is not None and any(
                row.line == edge.line for row in snapshot.facts[edge.file].imports
            )
            if not (edge.kind in IMPORTS or is_within or is_import):
                yield edge.file, edge.line, f"a use ({edge.kind})" + (", by a guess" if edge.is_guess else "")


def _kept_imports(
    snapshot: Snapshot, definitions: Mapping[str, Symbol], removed: Collection[tuple[str, int]]
) -> Iterator[Row]:
    """The imports and exports of an element that do not go with it, because they give it another name."""
    for id_, definition in definitions.items():
        for edge in snapshot.graph.edges_to(id_, IMPORTS):
            is_within = edge.file == definition.file and definition.line <= edge.line <= definition.end_line
            if edge.is_name_of_import and not is_within and (edge.file, edge.line) not in removed:
                yield edge.file, edge.line, f"an {edge.kind} of it by another name"


def _plan_file(
    file: FilePlaces, definitions: Mapping[str, Symbol], draft: Plan, *, leave_unsure: bool
) -> set[tuple[str, int]]:
    """Add what goes from one file, and the places that forbid it. Returns the places that go, or forbid it."""
    language = language_of(file.path)
    going_along = [place for place in file.places if _goes_with_element(place)]
    uses = [place for place in file.places if place.kind is Kind.USE and place not in going_along]
    unsure = [place for place in file.places if place.kind is Kind.UNSURE]
    if not leave_unsure:
        draft.refused += [(file.path, place.line, place.why) for place in unsure]
    others = [place for place in file.places if place.why and place.kind in (Kind.OTHER, Kind.REFERENCE)]
    others += unsure if leave_unsure else []
    if language is None or not (going_along or uses):
        draft.left += [(file.path, place.line, place.why) for place in others]
        return set()
    text = as_utf8(language, file.data)
    removed = []
    spans = [(place.start, place.end) for place in going_along]
    for place, removal in zip(going_along, removals_of(language, text, spans), strict=True):
        if removal is None:
            draft.refused.append((file.path, place.line, "it shares a statement or a line with other code"))
        else:
            removed.append(removal)
    draft.left += [(file.path, place.line, place.why) for place in others if not _is_in(place, removed)]
    for place in uses:
        is_own = any(
            definition.file == file.path and definition.line <= place.line <= definition.end_line
            for definition in definitions.values()
        )
        is_refused = any(row[:2] == (file.path, place.line) for row in draft.refused)
        if not (_is_in(place, removed) or is_own or is_refused):
            draft.refused.append((file.path, place.line, "a use"))
    if removed:
        edits = [Edit(one.start, one.end, one.text) for one in united(text, removed)]
        draft.changes.append(edited(file.path, file.data, edits, file.shift))
        draft.places[file.path] = len(edits)
    return {(file.path, place.line) for place in (*going_along, *uses)}


def _is_in(place: Place, removed: Iterable[Removal]) -> bool:
    return any(removal.start <= place.start < removal.end for removal in removed)


def _goes_with_element(place: Place) -> bool:
    """Whether a place goes with the element: its definition, its imports, its overloads, its entries as an export."""
    is_along = place.part in (Part.EXPORTED, Part.HEAD)
    return place.kind in (Kind.DEFINITION, Kind.IMPORT) or (place.kind is Kind.USE and is_along)
